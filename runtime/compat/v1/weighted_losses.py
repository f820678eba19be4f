"""Weighted losses of TensorFlow 1: sums and means of them, and the graph's collection of losses."""

from __future__ import annotations

from typing import Any

from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import name_scope
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.shape import broadcast_to, shape, size
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import add_n
from runtime.ops.math.reduction import reduce_sum
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import float32
from runtime.types.shapes import TensorShape

__all__ = [
    "Reduction", "add_loss", "compute_weighted_loss", "get_losses", "get_regularization_loss",
    "get_regularization_losses", "get_total_loss",
]  # fmt: skip


class Reduction:
    """How weighted losses become one: not at all, by their sum, or by a mean."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return all ways."""
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raise ValueError for what is no way."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Add a loss to a collection of the current graph; eagerly nothing happens.

    Args:
        loss: tensor.
        loss_collection: name of the collection, or None.
    Returns:
        None.
    """
    graph = current_graph()
    if graph is not None and loss_collection:
        graph.add_to_collection(loss_collection, loss)


def get_losses(
    scope: str | None = None, loss_collection: str = GraphKeys.LOSSES
) -> list[Any]:
    """List the losses in a collection of the current graph.

    Args:
        scope: regular expression that the beginnings of names must match.
        loss_collection: name of the collection.
    Returns:
        List of tensors; empty under eager execution.
    """
    graph = current_graph()
    return [] if graph is None else graph.get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """List the losses of regularizers in the current graph.

    Args:
        scope: regular expression that the beginnings of names must match.
    Returns:
        List of tensors; empty under eager execution.
    """
    return get_losses(scope, GraphKeys.REGULARIZATION_LOSSES)


def get_regularization_loss(
    scope: str | None = None, name: str = "total_regularization_loss"
) -> Any:
    """Sum the losses of regularizers up.

    Args:
        scope: regular expression that the beginnings of names must match.
    Returns:
        Scalar tensor; 0 without losses.
    """
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Any:
    """Sum all losses of the current graph up.

    Args:
        add_regularization_losses: whether those of regularizers are among them.
        scope: regular expression that the beginnings of names must match.
    Returns:
        Scalar tensor.
    Raises:
        ValueError: there are none.
    """
    losses = get_losses(scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope)
    return add_n(losses, name=name)


def compute_weighted_loss(
    losses: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Multiply losses by weights, and reduce them.

    Args:
        losses: tensor of floats or ints.
        weights: number, or tensor of the rank of ``losses`` whose sizes are theirs or 1.
        scope: name scope.
        loss_collection: collection that the loss is added to.
        reduction: way of ``Reduction``.
    Returns:
        Scalar of the dtype of ``losses``; their shape with ``Reduction.NONE``.
    Raises:
        ValueError: the weights do not broadcast, or there is no such reduction.
    """
    Reduction.validate(reduction)
    with name_scope(scope or "weighted_loss"):
        loss_tensor = convert_to_tensor(losses)
        values, factors = cast(loss_tensor, float32), cast(weights, float32)
        check_weights(factors.shape, values.shape)
        products = values * factors
        if reduction == Reduction.NONE:
            loss = products
        else:
            loss = reduce_sum(products)
            if reduction == Reduction.MEAN:
                loss = _safe_quotient(loss, reduce_sum(ones_like(values) * factors))
            elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
                loss = _safe_quotient(loss, _count_present(values, factors))
            elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                loss = _safe_quotient(loss, cast(size(values), float32))
        loss = cast(loss, loss_tensor.dtype)
    add_loss(loss, loss_collection)
    return loss


def _safe_quotient(total: Any, count: Any) -> Any:
    """Divide; 0 where the divisor is 0."""
    has_some = count > 0
    return where(has_some, total / where(has_some, count, ones_like(count)), zeros_like(total))


def _count_present(values: Any, factors: Any) -> Any:
    """Return the number of elements whose weight is not 0."""
    present = cast(factors != 0, float32)
    return reduce_sum(broadcast_to(present, shape(values)))


def check_weights(weights: TensorShape, values: TensorShape) -> None:
    """Raise ValueError for weights that do not broadcast with values of a shape."""
    if weights.rank in (None, 0) or values.rank is None:
        return
    fits = weights.rank == values.rank and all(
        a in (1, None) or b is None or a == b for a, b in zip(weights, values, strict=True)
    )
    if not fits:
        raise ValueError(
            f"weights can not be broadcast to values. values.rank={values.rank}. weights.rank="
            f"{weights.rank}. values.shape={values}. weights.shape={weights}."
        )
