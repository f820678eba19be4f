"""Layers whose weights come from ``get_variable``: scopes name and share them."""

from __future__ import annotations

import contextlib
from typing import Any, ClassVar

from runtime.compat.v1.variable_scope import VariableScope, get_variable, variable_scope
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import name_scope
from runtime.graph.graph import Graph
from runtime.graph.trace import current_graph
from runtime.keras.layers.base.layer import Layer as KerasLayer
from runtime.keras.names import snake_case

__all__ = ["Layer"]


class Layer(KerasLayer):
    """Layer of TensorFlow 1: Keras' layer, with weights named and shared by variable scopes.

    Args:
        args: arguments of the layer.
        name: name of its scope; by default the class's, made unique in the scope around the call.
        _scope: variable scope, or its name.
        _reuse: whether weights that are there are taken.
        kwargs: arguments of the layer.
    """

    parameters: ClassVar[str] = ""
    """Names of the arguments in TensorFlow 1's order, which may differ from Keras'."""
    open_initializers: ClassVar[tuple[str, ...]] = ()
    """Arguments that ``get_variable`` chooses where they are not given."""

    def __init__(
        self, *args: Any, name: str | None = None, _scope: Any = None, _reuse: bool | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        kwargs = by_name(type(self).__name__, [*self.parameters.split(), "name"], args, kwargs)
        name = kwargs.pop("name", name)
        for argument in self.open_initializers:
            kwargs.setdefault(argument, None)
        super().__init__(name=name, **kwargs)
        state = self._keras
        state.base_name = name or snake_case(type(self).__name__)
        state.reuse, state.scope = _reuse, None
        if _scope:
            with variable_scope(_scope, reuse=_reuse) as scope:
                self._enter(scope)

    def _enter(self, scope: VariableScope) -> None:
        self._keras.scope = scope
        self._name = scope.name.rpartition("/")[2]

    def __call__(self, inputs: Any, *args: Any, scope: Any = None, **kwargs: Any) -> Any:
        """Call the layer, in its variable scope, which the first call chooses."""
        state = self._keras
        if state.scope is None:
            chosen = scope or (state.base_name if state.reuse else None)
            with variable_scope(chosen, state.base_name, reuse=state.reuse) as entered:
                self._enter(entered)
        with contextlib.ExitStack() as stack:
            stack.enter_context(
                variable_scope(state.scope, reuse=state.reuse, auxiliary_name_scope=False)
            )
            if state.scope.original_name_scope:
                stack.enter_context(name_scope(state.scope.original_name_scope))
            outputs = super().__call__(inputs, *args, **kwargs)
        if self.activity_regularizer is not None:
            graph = current_graph()
            for loss in state.losses if graph is not None else ():
                graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)  # type: ignore[union-attr]
        return outputs

    apply = __call__

    @property
    def scope_name(self) -> str:
        """Name of the variable scope; ValueError before the first call."""
        if self._keras.scope is None:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been '
                "used yet. The scope name is determined the first time the layer is called."
            )
        name: str = self._keras.scope.name
        return name

    @property
    def graph(self) -> Graph | None:
        """Graph of the weights; None for eager ones, and without weights."""
        return next((v.graph for v in self.weights), None)

    def add_weight(  # type: ignore[override]
        self, shape: Any = None, initializer: Any = None, dtype: Any = None,
        trainable: bool = True, regularizer: Any = None, constraint: Any = None,
        name: str | None = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Make a weight, or take the one that the variable scope has."""
        if isinstance(shape, str):
            shape, name = kwargs.pop("shape", initializer), shape
            initializer = kwargs.pop("initializer", None)
        state = self._keras
        sizes = self._known_sizes(shape, name)
        with variable_scope(
            state.scope or self._name, reuse=state.reuse, auxiliary_name_scope=False
        ):
            variable = get_variable(
                str(name), sizes, state.dtype if dtype is None else dtype, initializer,
                regularizer, bool(trainable and self.trainable), constraint=constraint,
            )  # fmt: skip
        if regularizer is not None:
            state.regularized.append((variable, regularizer))
        vars(self).setdefault("_added", []).append(variable)
        return variable

    add_variable = add_weight  # type: ignore[assignment]


def by_name(
    function: str, names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Return all arguments by name; TypeError for too many, and for one that is given twice."""
    if len(args) > len(names):
        raise TypeError(f"{function}() takes {len(names)} arguments, got {len(args)}")
    positional = dict(zip(names, args, strict=False))
    for name in positional.keys() & kwargs.keys():
        raise TypeError(f"{function}() got multiple values for argument {name!r}")
    return {**positional, **kwargs}
