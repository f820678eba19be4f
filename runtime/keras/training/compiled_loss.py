"""What ``compile`` makes of losses: a function of targets, outputs and weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from runtime.keras import losses as losses_module
from runtime.keras.losses.loss import Loss, LossFunctionWrapper
from runtime.keras.metrics import Mean
from runtime.keras.replicas import unscaled_loss
from runtime.keras.training.structures import flat_outputs, matched, packed
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import shape as shape_of
from runtime.types import nest

CROSSENTROPY = ("crossentropy", "ce")


class _OutputLoss(NamedTuple):
    """A loss, its factor, its name, and the path of what it is for in the outputs."""

    path: tuple[Any, ...]
    loss: Callable[..., Any]
    factor: Any
    name: str


class _Leaf:
    """A loss as it was given, with its factor: a leaf, also where the loss is a nest."""

    def __init__(self, loss: Any, factor: Any) -> None:
        self.loss, self.factor = loss, factor


class CompiledLoss:
    """The losses of the outputs, added up with their weights.

    Losses are laid out like the outputs: in a dict by name, in a list or tuple.  A list where the
    outputs are something else has several losses of one output or of all outputs together.
    ``means`` has the mean of each loss in an epoch, where there are several.
    """

    def __init__(self, loss: Any, loss_weights: Any, output_names: list[str] | None) -> None:
        if loss_weights and not isinstance(loss_weights, list | tuple | dict | float):
            raise ValueError(
                "Expected `loss_weights` argument to be a float (single output case) or a list, "
                "tuple, or dict (multiple output case). Received instead: "
                f"loss_weights={loss_weights} of type {type(loss_weights)}"
            )
        self._given = loss
        self._weights = loss_weights
        self._names = output_names
        self._losses: list[_OutputLoss] | None = None
        self.means: list[Mean] = []

    def __call__(self, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Return the sum of the losses; ValueError where the targets do not fit the outputs."""
        weights: Any = None
        if sample_weight is not None:
            flat = matched(sample_weight, y_pred, self._names, "a sample weight")
            weights = flat[0] if len(flat) == 1 else packed(y_pred, flat)
        y = self._like_outputs(y, y_pred)
        losses = self._make(y, y_pred) if self._losses is None else self._losses
        total, means = None, iter(self.means)
        for path, loss, factor, _ in losses:
            target, output = _at(y, path), _at(y_pred, path)
            weight = _at(weights, path) if nest.is_nested(weights) else weights
            value = loss(target, output, weight)
            if self.means:
                first = flat_outputs(output)[0]
                next(means).update_state(unscaled_loss(value), sample_weight=sample_count(first))
            if factor is not None:
                value = value * factor
            total = value if total is None else total + value
        return total

    def _make(self, y: Any, y_pred: Any) -> list[_OutputLoss]:
        nested, weights = self._listed(y_pred)
        nested = _weighted(nested, weights)
        names: Any = [None] * len(nest.flatten(y_pred))
        if self._names is not None and len(self._names) == len(names):
            names = self._names
        if not nest.is_nested(nested):
            nested = nest.map_structure(lambda _: nested, y_pred)
        losses = list(_losses(y, y_pred, nested, nest.pack_sequence_as(y_pred, names), ()))
        if not losses:
            raise ValueError("no loss is given for any output")
        if len(losses) > 1 and not nest.is_nested(y_pred):
            raise ValueError(
                f"{len(losses)} losses are given for one output, of which Keras takes the first "
                "alone: give that, or a function that adds them up. Received: "
                f"loss={self._given!r}"
            )
        self._losses = losses
        if len(losses) > 1:
            self.means = [Mean(name=f"{loss.name}_loss") for loss in losses]
        return losses

    def _listed(self, y_pred: Any) -> tuple[Any, Any]:
        """Return the losses and their factors as a list where outputs that are none have names."""
        losses, weights, names = self._given, self._weights, self._names
        if not isinstance(losses, dict) or isinstance(y_pred, dict):
            return losses, weights
        if set(names or ()) != set(losses):
            raise ValueError(
                f"Expected keys {names} in loss dict, but found loss.keys()={list(losses)}"
            )
        if isinstance(weights, dict) and set(weights) == set(losses):
            weights = [weights[name] for name in names or ()]
        return [losses[name] for name in names or ()], weights

    def _like_outputs(self, y: Any, y_pred: Any) -> Any:
        """Return the targets in the structure of the outputs."""
        if not nest.is_nested(y) and not nest.is_nested(y_pred) or _is_alike(y, y_pred, True):
            return y
        names = self._names or []
        if not nest.is_nested(y) and nest.is_nested(y_pred) and len(y_pred) == 1:
            return nest.pack_sequence_as(y_pred, [y])
        if isinstance(y_pred, list | tuple) and isinstance(y, dict) and set(names) == set(y):
            y = [y[name] for name in names]
        leaves = nest.flatten(y_pred)
        if isinstance(y, list | tuple) and len(y) == len(leaves):
            return nest.pack_sequence_as(y_pred, y)
        if _is_alike(y, y_pred, False):
            return nest.pack_sequence_as(y_pred, nest.flatten(y))
        losses, targets = nest.flatten(self._given), nest.flatten(y)
        if sum(loss is not None for loss in losses) == len(targets):
            unused = iter(targets)
            filled = [None if loss is None else next(unused) for loss in losses]
            if nest.is_nested(self._given) or len(leaves) == 1:
                like = y_pred if len(leaves) == 1 else self._given
                return nest.pack_sequence_as(like, filled)
        raise ValueError(
            "y_true and y_pred have different structures.\n"
            f"y_true: {nest.map_structure(lambda _: '*', y)}\n"
            f"y_pred: {nest.map_structure(lambda _: '*', y_pred)}\n"
        )


def _weighted(loss_nest: Any, weights: Any) -> Any:
    """Return a nest of losses with their factors at them."""
    losses, factors = nest.flatten(loss_nest), nest.flatten(weights)
    if weights is None:
        factors = [None] * len(losses)
    is_other = (
        isinstance(loss_nest, dict) and isinstance(weights, dict) and set(loss_nest) != set(weights)
    )
    if len(losses) != len(factors) or is_other:
        raise ValueError(
            f"`loss_weights` must match the number of losses, got {len(losses)} losses and "
            f"{len(factors)} weights. Received: loss={loss_nest!r}, loss_weights={weights!r}"
        )
    return nest.pack_sequence_as(loss_nest, [
        None if loss is None else _Leaf(loss, factor)
        for loss, factor in zip(losses, factors, strict=True)
    ])  # fmt: skip


def _losses(y: Any, y_pred: Any, loss_nest: Any, names: Any, path: tuple[Any, ...]) -> Any:
    """Yield the losses of outputs, at the places where they stand in the outputs."""
    if loss_nest is None:
        return
    if isinstance(loss_nest, _Leaf):
        loss = _loss(loss_nest.loss, y, y_pred)
        yield _OutputLoss(path, loss, loss_nest.factor, _label(names, path, loss))
        return
    if isinstance(loss_nest, list | tuple):
        if not any(map(nest.is_nested, loss_nest)) and len(loss_nest) == len(nest.flatten(y_pred)):
            loss_nest = nest.pack_sequence_as(y_pred, loss_nest)
            if not nest.is_nested(loss_nest):
                yield from _losses(y, y_pred, loss_nest, names, path)
                return
        elif not isinstance(y_pred, type(loss_nest)):
            for loss in loss_nest:
                yield from _losses(y, y_pred, loss, names, path)
            return
    if not isinstance(loss_nest, type(y_pred)):
        raise KeyError(
            f"The path: {path} in the `loss` argument, can't be found in the model's output "
            "(`y_pred`)."
        )
    for key, loss in loss_nest.items() if isinstance(loss_nest, dict) else enumerate(loss_nest):
        if loss is None:
            continue
        if not (_has(y, key) and _has(y_pred, key)):
            raise KeyError(
                f"The path: {(*path, key)} in the `loss` argument, can't be found in either the "
                "model's output (`y_pred`) or in the labels (`y_true`)."
            )
        yield from _losses(y[key], y_pred[key], loss, names[key], (*path, key))


def _has(structure: Any, key: Any) -> bool:
    if isinstance(structure, dict):
        return key in structure
    return isinstance(structure, list | tuple) and isinstance(key, int) and key < len(structure)


def _at(structure: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        structure = structure[key]
    return structure


def _label(names: Any, path: tuple[Any, ...], loss: Any) -> str:
    """Return the name of a loss: where it stands, with the name of the output."""
    if nest.is_nested(names):
        labels = list(names) if isinstance(names, dict) else nest.flatten(names)
        text = "/".join(map(str, path)) or "_".join(label or "" for label in labels)
        return text.strip("_") or str(loss.name)
    label = names or loss.name
    if not path:
        path = (label,)
    elif isinstance(path[-1], int):
        path = (*path[:-1], label)
    return "/".join(map(str, path))


def _is_alike(y: Any, y_pred: Any, exact: bool) -> bool:
    """Return whether two nests have the same keys, and, to be exact, the same classes."""
    if not nest.is_nested(y) or not nest.is_nested(y_pred):
        return nest.is_nested(y) == nest.is_nested(y_pred)
    if exact and type(y) is not type(y_pred):
        return False
    ours, theirs = nest.entries(y), nest.entries(y_pred)
    return [key for key, _ in ours] == [key for key, _ in theirs] and all(
        _is_alike(target, output, exact)
        for (_, target), (_, output) in zip(ours, theirs, strict=True)
    )


def _loss(description: Any, y: Any, y_pred: Any) -> Callable[..., Any]:
    """Return the loss for what ``compile`` was given: a loss, its name, or a function."""
    if isinstance(description, str) and description.lower() in CROSSENTROPY:
        kind = {"Binary": "binary", "Categorical": "categorical"}.get(
            sort_of(y, y_pred), "sparse_categorical"
        )
        loss = losses_module.get(f"{kind}_crossentropy")
    else:
        loss = losses_module.get(description)
    if isinstance(loss, Loss):
        return loss
    name = description if isinstance(description, str) else getattr(loss, "__name__", None)
    return LossFunctionWrapper(loss, name=name)


def sample_count(output: Any) -> Any:
    """Return the number of samples of a batch; None where there is no axis of it."""
    return cast(shape_of(output)[0], "float32") if output.shape.rank else None


def sort_of(target: Any, output: Any) -> str:
    """Return which accuracy the shapes of targets and outputs ask for."""
    if output.shape.rank and output.shape[-1] == 1:
        return "Binary"
    rank = target.shape.rank
    if rank is not None and output.shape.rank is not None:
        if rank < output.shape.rank or (rank and target.shape[-1] == 1):
            return "SparseCategorical"
    return "Categorical"
