"""``Weighted``: what has weights, layers inside, and losses of its weights."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.keras import constraints, initializers, regularizers
from runtime.keras.layers.base.call_arguments import normalized_dtype
from runtime.keras.layers.base.call_context import current_context
from runtime.keras.layers.base.tracking import held, is_metric
from runtime.keras.name_scopes import current_path
from runtime.keras.name_scopes import name_scope as keras_scope
from runtime.keras.random import SeedGenerator
from runtime.keras.replicas import aggregation_of
from runtime.keras.weight import Weight
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.types.shapes import TensorShape

_IGNORED = {"use_resource", "synchronization", "partitioner", "experimental_autocast"}

_ADDED_LOSSES = threading.Event()
"""Whether any layer added a loss: else no call has to look for old ones in the layers inside."""


class Weighted(Module):
    """Base of layers: variables in attributes, and in the layers there."""

    _keras: Any

    # -- names ------------------------------------------------------------------------------------

    def _scope(self) -> keras_scope:
        """Return the scope of the names of the layer's weights, within that of its first call."""
        return keras_scope(self.name, self, override_parent=self._keras.parent_path)

    def _first_scope(self) -> keras_scope:
        """Return that scope, after the one around has become the layer's."""
        if self._keras.parent_path is None:
            self._keras.parent_path = current_path()
        return self._scope()

    # -- making -----------------------------------------------------------------------------------

    def add_weight(
        self, shape: Any = None, initializer: Any = None, dtype: Any = None, trainable: bool = True,
        autocast: bool = True, regularizer: Any = None, constraint: Any = None,
        aggregation: Any = None, overwrite_with_gradient: bool = False, name: str | None = None,
        **kwargs: Any,
    ) -> Variable:  # fmt: skip
        """Make a weight: a variable of a shape, () by default.

        ``initializer`` is 'glorot_uniform' for floats, 'zeros' for others, by default.  A string as
        the first argument is the name, as in earlier versions of Keras: ``add_weight("w", [3])``.

        With ``autocast`` it is read in the dtype that the layer computes in, while that is called.

        Raises TypeError for other keywords, ValueError for unknown sizes.
        """
        if isinstance(shape, str):
            name, shape = shape, kwargs.pop("shape", None)
            if shape is None:
                shape, initializer = initializer, None
        unknown = kwargs.keys() - _IGNORED
        if unknown:
            raise TypeError(f"add_weight() got unexpected keyword arguments {sorted(unknown)}")
        weight_dtype = normalized_dtype(dtype if dtype is not None else self._keras.dtype)
        if initializer is None:
            initializer = "glorot_uniform" if weight_dtype.is_floating else "zeros"
        make: Any = initializers.get(initializer)
        sizes = self._known_sizes(shape, name)
        with self._scope():
            variable = Weight(
                lambda: make(sizes, dtype=weight_dtype), trainable=bool(trainable),
                name=name or "variable", dtype=weight_dtype, constraint=constraints.get(constraint),
                aggregation=aggregation_of(aggregation),
            )  # fmt: skip
        variable.autocast = autocast
        if regularizer is not None:
            self._keras.regularized.append((variable, regularizers.get(regularizer)))
        vars(self).setdefault("_added", []).append(variable)
        return variable

    add_variable = add_weight

    def _known_sizes(self, shape: Any, name: str | None) -> list[int]:
        sizes = TensorShape([] if shape is None else shape)
        if not sizes.is_fully_defined():
            raise ValueError(
                f"the weight {name!r} of layer {self.name!r} would have the shape {sizes}: the "
                f"last sizes of the layer's input must be known; give them to Input or build()"
            )
        return [int(size or 0) for size in sizes]

    # -- layers inside ----------------------------------------------------------------------------

    @property
    def _layers(self) -> list[Any]:
        return [layer for layer in held(self) if isinstance(layer, Weighted)]

    def _flatten_layers(self, include_self: bool = True, recursive: bool = True) -> Iterator[Any]:
        """Yield the layers inside, each after the one that holds it."""
        seen: set[int] = {id(self)}
        if include_self:
            yield self
        todo = self._layers
        while todo:
            layer = todo.pop(0)
            if id(layer) not in seen:
                seen.add(id(layer))
                yield layer
                if recursive:
                    todo = layer._layers + todo

    @property
    def trainable(self) -> bool:
        """Whether the weights are among ``trainable_weights``; setting it sets it inside, too."""
        trainable: bool = self._keras.trainable
        return trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        for layer in self._flatten_layers():
            layer._keras.trainable = bool(value)

    # -- variables --------------------------------------------------------------------------------

    def _variables(self, states: bool, trained: bool = False) -> list[Variable]:
        """Return the variables of each layer, not those of metrics: trainable ones, then others.

        ``states`` says whether states, also of generators of random numbers, are among them;
        ``trained``, only those that training changes.
        """
        by_identity: dict[int, Variable] = {}
        for layer in self._flatten_layers():
            contents = list(held(layer))
            variables = [v for v in contents if isinstance(v, Variable)]
            if not states:
                restored = set(map(id, layer._keras.kept))
                variables = [v for v in variables if id(v) not in restored]
            for content in contents:
                if isinstance(content, SeedGenerator):
                    variables += [content.state] if states else []
                elif not isinstance(content, Variable | Weighted) and not is_metric(content):
                    variables += content.variables
            if not trained:
                variables = [v for v in variables if v.trainable] + [
                    v for v in variables if not v.trainable
                ]
                by_identity.update((id(v), v) for v in variables if id(v) not in by_identity)
            elif layer.trainable:
                by_identity.update(
                    (id(v), v) for v in variables if v.trainable and id(v) not in by_identity
                )
        return list(by_identity.values())

    @property
    def variables(self) -> list[Variable]:  # type: ignore[override]
        """Variables of the layer and of those inside, with states of random numbers.

        Those of metrics are in ``metrics_variables``.
        """
        return self._variables(states=True)

    @property
    def weights(self) -> list[Variable]:
        """Variables of the layer and of those inside, without states."""
        return self._variables(states=False)

    @property
    def trainable_weights(self) -> list[Variable]:
        """Weights that training changes."""
        return self._variables(states=False, trained=True)

    @property
    def non_trainable_weights(self) -> list[Variable]:
        """Weights that training does not change."""
        trained = set(map(id, self.trainable_weights))
        return [v for v in self.weights if id(v) not in trained]

    @property
    def trainable_variables(self) -> list[Variable]:  # type: ignore[override]
        """Variables that training changes."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Variable]:  # type: ignore[override]
        """Variables that training does not change."""
        trained = set(map(id, self.trainable_weights))
        return [v for v in self.variables if id(v) not in trained]

    @property
    def metrics(self) -> list[Any]:
        """Metrics that the layer and those inside hold."""
        return [
            metric
            for layer in self._flatten_layers()
            for metric in held(layer)
            if is_metric(metric)
        ]

    @property
    def metrics_variables(self) -> list[Variable]:
        """Variables of those metrics."""
        return [variable for metric in self.metrics for variable in metric.variables]

    @property
    def updates(self) -> list[Any]:
        """Operations of a session's graph that change weights besides training, also inside."""
        return [update for layer in self._flatten_layers() for update in layer._keras.updates]

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield what a checkpoint saves, each with its name."""
        for name, value in vars(self).items():
            if name == "_added":
                yield from ((_base_name(v), v) for v in value)
            elif name not in ("_keras", "_name"):
                yield name, value

    def _saved_children(self) -> Iterator[tuple[str, Any]]:
        """Yield what a saved model holds, each with its name: parts that lead to variables."""
        yield from self._checkpoint_children()

    def count_params(self) -> int:
        """Return the number of elements of all weights; ValueError before they are made."""
        if not self._keras.built:
            raise ValueError(
                f"layer {self.name!r} has no weights yet: call it, or build() it, before "
                "count_params()"
            )
        return sum(v.shape.num_elements() or 0 for v in self.weights)

    def get_weights(self) -> list[Any]:
        """Return the values of all weights as NumPy arrays."""
        return [v.numpy() for v in self.weights]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set all weights to arrays, in the order of ``weights``.

        ValueError for another number of arrays or other shapes; nothing is set then.
        """
        arrays = [np.asarray(value) for value in weights]
        variables = self.weights
        if len(variables) != len(arrays):
            raise ValueError(
                f"You called `set_weights(weights)` on layer {self.name!r} with a weight list of "
                f"length {len(arrays)}, but the layer was expecting {len(variables)} weights."
            )
        for variable, array in zip(variables, arrays, strict=True):
            if tuple(variable.shape.as_list()) != array.shape:
                raise ValueError(
                    f"Layer {self.name} weight shape {tuple(variable.shape.as_list())} is not "
                    f"compatible with provided weight shape {array.shape}: that of "
                    f"{variable.name!r}."
                )
        for variable, array in zip(variables, arrays, strict=True):
            variable.assign(array.astype(variable.dtype.as_numpy_dtype))

    # -- losses -----------------------------------------------------------------------------------

    def add_loss(self, loss: Any) -> None:
        """Add a loss, a number or scalar tensor, to those of this call; also several in a list."""
        context = current_context()
        if context is not None and context.layer is None:
            return
        _ADDED_LOSSES.set()
        for value in loss if isinstance(loss, list | tuple) else [loss]:
            self._keras.losses.append(convert_to_tensor(value))

    def _forget_losses(self) -> None:
        """Forget the losses of calls before, here and in the layers inside."""
        if _ADDED_LOSSES.is_set():
            for layer in self._flatten_layers():
                layer._keras.losses = []

    @property
    def losses(self) -> list[Any]:
        """Losses that the last call added, here and in the layers inside, and regularizers'."""
        layers = list(self._flatten_layers())
        losses = [loss for layer in layers for loss in layer._keras.losses]
        for layer in layers:
            for variable, regularizer in layer._keras.regularized:
                if layer.trainable and variable.trainable:
                    losses.append(regularizer(variable))
        return losses


def _base_name(variable: Variable) -> str:
    """Return the name of a weight within its layer."""
    return variable.name.removesuffix(":0").rpartition("/")[2]
