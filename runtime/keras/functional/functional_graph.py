"""Graph of the functional API: what is computed from ``Input`` tensors.

An ``Input`` is a placeholder of this graph.  Operations on its tensors are recorded in it, as in
any graph; the call of a layer is recorded whole, as a ``LayerCall``, so that a model runs the layer
anew: under eager execution, in functions, with ``training`` or without.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.keras.layers.base.masks import mask_of, set_mask
from runtime.ops.array.constants import placeholder_op
from runtime.types import nest
from runtime.types.shapes import TensorSpec


class LayerCall:
    """Call of a layer with symbolic tensors.

    layer         the layer
    args, kwargs  its arguments, nests with tensors of a functional graph in them
    outputs       what it returned, with tensors of the graph for its tensors
    """

    def __init__(
        self, layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any], outputs: Any
    ) -> None:
        self.layer = layer
        self.args = args
        self.kwargs = kwargs
        self.outputs = outputs

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """Return the tensors among the arguments."""
        return list(tensors_in((self.args, self.kwargs)))

    def __repr__(self) -> str:
        return f"<LayerCall of {self.layer.name!r}>"


class FunctionalGraph(Graph):
    """Graph of what is computed from ``Input`` tensors."""

    def __init__(self) -> None:
        super().__init__()
        self._calls: dict[int, LayerCall] = {}
        self.saved_names: dict[int, str] = {}
        """Names, by ``id``, that operations had in the configuration that they were read from."""

    def add_placeholder(self, spec: TensorSpec, name: str) -> SymbolicTensor:
        """Return a new tensor that no operation of the graph computes."""
        attrs = {"shape": spec.shape, "dtype": spec.dtype}
        (tensor,) = self._record(placeholder_op, (), attrs, (spec,), False, name, False).outputs
        return tensor

    def record_call(
        self, layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any], outputs: Any
    ) -> Any:
        """Record the call of a layer, which returned ``outputs`` in another graph."""
        tensors = _map_tensors(lambda t: self.add_placeholder(t.spec, layer.name), outputs)
        call = LayerCall(layer, args, kwargs, tensors)
        _FIRST_CALLS.setdefault(layer, weakref.ref(call))
        for tensor, result in zip(nest.flatten(tensors), nest.flatten(outputs), strict=True):
            if not isinstance(tensor, SymbolicTensor):
                continue
            self._calls[id(tensor.op)] = call
            mask = mask_of(result)
            if isinstance(mask, SymbolicTensor):
                set_mask(tensor, self.add_placeholder(mask.spec, f"{layer.name}_mask"))
                self._calls[id(mask_of(tensor).op)] = call
        return tensors

    def call_of(self, node: Operation) -> LayerCall | None:
        """Return the call of a layer that an operation stands for an output of."""
        return self._calls.get(id(node))


_FIRST_CALLS: weakref.WeakKeyDictionary[Any, Callable[[], LayerCall | None]] = (
    weakref.WeakKeyDictionary()
)
"""The first call of each layer with symbolic tensors, which its graph keeps."""


def first_call(layer: Any) -> LayerCall:
    """Return the first call of a layer with tensors of ``Input``; AttributeError without one."""
    call = _FIRST_CALLS.get(layer, lambda: None)()
    if call is None:
        raise AttributeError(
            f"The layer {layer.name} has never been called with a tensor of Input(), and thus has "
            "no defined input and output."
        )
    return call


_current: Callable[[], FunctionalGraph | None] = lambda: None
_lock = threading.Lock()


def functional_graph() -> FunctionalGraph:
    """Return the graph for new inputs.

    It is the same one as long as anything refers to it: models join inputs that were made apart.
    """
    global _current
    with _lock:
        graph = _current()
        if graph is None:
            graph = FunctionalGraph()
            _current = weakref.ref(graph)
        return graph


def drop_functional_graph() -> None:
    """Make the next ``Input`` begin a graph of its own."""
    global _current
    with _lock:
        _current = lambda: None


def is_functional(value: Any) -> bool:
    """Return whether a value is a tensor of a functional graph."""
    return isinstance(value, SymbolicTensor) and isinstance(value.op.graph, FunctionalGraph)


def tensors_in(values: Any) -> Iterator[SymbolicTensor]:
    """Yield the symbolic tensors in a nest."""
    for leaf in nest.flatten(values):
        if isinstance(leaf, SymbolicTensor):
            yield leaf


def _map_tensors(function: Callable[[SymbolicTensor], Any], values: Any) -> Any:
    """Apply a function to the symbolic tensors in a nest."""
    return nest.map_structure(
        lambda leaf: function(leaf) if isinstance(leaf, SymbolicTensor) else leaf, values
    )


def call_symbolically(layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Record the call of a layer with tensors of a functional graph; return its outputs there."""
    graph: Any = next(t.op.graph for t in tensors_in((args, kwargs)) if is_functional(t))
    outputs = outputs_of(layer, args, kwargs)
    return graph.record_call(layer, args, kwargs, outputs)


def outputs_of(layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a layer in a graph that is thrown away; return the tensors that it gives there.

    Tensors and ``TensorSpec``s among the arguments say what it is called with.
    """
    scratch = FuncGraph(layer.name)

    def stand_in(leaf: Any) -> Any:
        if is_functional(leaf):
            tensor, mask = scratch.add_input(leaf.spec), mask_of(leaf)
            if mask is not None:
                set_mask(tensor, scratch.add_input(mask.spec))
            return tensor
        return scratch.add_input(leaf) if isinstance(leaf, TensorSpec) else leaf

    with scratch.as_default():
        args, kwargs = nest.map_structure(stand_in, (args, kwargs))
        return layer(*args, **kwargs)
