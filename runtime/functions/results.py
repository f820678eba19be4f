"""Results of traces: what is a tensor of the graph, and what a call gives for it.

What a function returns, what it leaves in a list or dict among its arguments, and what it writes to
a slot go out in the same way.  A trace of ``function`` gives tensors, one of ``runtime.jit`` gives
Python numbers, texts, lists and NumPy arrays, and lists, dicts, sets and arrays of the caller's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from runtime.eager.tensor import Tensor, wrap
from runtime.functions.array_arguments import ArrayArguments
from runtime.functions.number_arguments import holds_tensors
from runtime.functions.returned_objects import IMMUTABLE
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.python_values import PYTHON_KINDS, weak_constant
from runtime.ops.array.constants import convert_to_tensor, strengthen
from runtime.ops.python.call_python import python_value
from runtime.ops.resource.lists import ListValue
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.staging.values import optional_nest
from runtime.state.variable import Variable
from runtime.types import nest, promotion, treedef
from runtime.types.treedef import TreeDef
from runtime.types.value import Value


class GraphOutput:
    """Nest of values that a trace gives.

    structure  the nest, with tensors of the graph in it
    tensors    those, in the order in which a run gives their values
    """

    def __init__(self, value: Any, encode: Callable[[Any], Any] = lambda leaf: leaf) -> None:
        """Convert the leaves of a value to tensors of a graph, or to what they are in each call."""
        is_leaf = isinstance(value, Value)
        self.structure: Any = encode(value) if is_leaf else optional_nest.map_inside(encode, value)
        self.leaves = [self.structure] if is_leaf else optional_nest.flatten(self.structure)
        self.tensors = [leaf for leaf in self.leaves if isinstance(leaf, SymbolicTensor)]
        self._layout: TreeDef | None = None
        """The layout of a nest without values whose number or kind a run decides: making it of that
        saves a tenth of the Python calls of a call under a tape.
        """
        if is_leaf:
            return
        leaves, layout = treedef.flatten(self.structure, expand_composites=True)
        is_plain = len(leaves) == len(self.leaves) and all(map(operator.is_, leaves, self.leaves))
        self._layout = layout if is_plain else None

    def decode(
        self, outputs: Iterator[Any], decode: Callable[[Any, Any], Any],
        item: Callable[[Any, Any], Any],
    ) -> Any:  # fmt: skip
        """Return the nest of a run: ``decode`` converts each output for the tensor that it is of,
        ``item`` each array in a list that the run made.
        """
        if isinstance(self.structure, SymbolicTensor):
            return decode(next(outputs), self.structure)
        values = [
            decode(next(outputs), leaf) if isinstance(leaf, SymbolicTensor) else leaf
            for leaf in self.leaves
        ]
        if self._layout is not None:
            return self._layout.unflatten(values)
        return optional_nest.pack_sequence_as(self.structure, values, item)


class Constant:
    """Result, or part of one, that is the same object on every call."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class CallerObject:
    """Result, or part of one, that is an object of the caller's: an array, by the number of its
    tensor, or a list, dict or set by its number among the containers.
    """

    __slots__ = ("is_array", "number")

    def __init__(self, number: int, is_array: bool = False) -> None:
        self.number = number
        self.is_array = is_array


class TensorResults:
    """Results of a trace of ``function``: tensors."""

    returns_arguments = False
    """Whether the result holds objects that are arguments of the call."""

    def __init__(self, name: str, graph: FuncGraph, arrays: ArrayArguments) -> None:
        self._name = name
        self._graph = graph
        self._arrays = arrays
        self.array_outputs: dict[int, bool] = {}
        """By id of a tensor that goes out as an array or, where False, a scalar of NumPy."""

    def encode(self, leaf: Any) -> Any:
        """A returned value as a tensor of the graph; None and operations give None."""
        if type(leaf) is SymbolicArray:
            leaf = self._arrays.tensor_of(leaf)
        return as_output(leaf, self._graph, self._name)

    def decoder(self, leaves: Sequence[Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """What converts an output and the tensor that it is of, and an array in a list of one, in a
        call whose arguments have such leaves.
        """
        return lambda value, _: as_tensor(value), _item

    def for_caller(self, value: Any, arrays: Sequence[Any], containers: Sequence[Any]) -> Any:
        """A result of a call with such arrays, lists, dicts and sets."""
        return value


class PythonResults(TensorResults):
    """Results of a trace of ``runtime.jit``: what plain Python returns."""

    @cached_property
    def reads_tensors(self) -> bool:
        """Whether calls read tensors that are no arguments: then tensors go out."""
        return bool(self._graph.variables or self._graph.eager_tensors())

    def encode(self, leaf: Any) -> Any:
        """A returned value as a tensor of the graph, weak for a number; or as what it is in each
        call.
        """
        number = self._arrays.number_of(leaf) if type(leaf) is SymbolicArray else None
        if number is not None:
            leaf = CallerObject(number, is_array=True)
        if isinstance(leaf, CallerObject):
            self.returns_arguments = True
            return leaf
        if type(leaf) is SymbolicArray:
            tensor = self._graph.as_local(self._arrays.tensor_of(leaf))
            self.array_outputs[id(tensor)] = leaf.storage is not None
            return tensor
        if isinstance(leaf, Tensor):
            return self._graph.as_local(leaf)
        if type(leaf) in PYTHON_KINDS and not exceeds_64_bits(leaf):
            return weak_constant(self._graph, leaf)
        if leaf is None or isinstance(leaf, (*PYTHON_KINDS, *IMMUTABLE)):
            return Constant(leaf)
        if is_array := isinstance(leaf, np.ndarray):
            check_array(leaf, self._name)
        tensor = super().encode(leaf)
        if is_array:  # one without axes stays an array
            tensor = self._graph.strengthen(tensor, tensor.dtype, weak=False)
            self.array_outputs[id(tensor)] = True
        is_text = isinstance(leaf, staging.StagedText)
        return self._graph.strengthen(tensor, tensor.dtype, weak=True) if is_text else tensor

    def decoder(self, leaves: Sequence[Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """What converts an output: to a Python number or text where the tensor that it is of is
        weak, to an array where the function returned one, else to a tensor or an array.
        """
        gives_tensors = self.reads_tensors or any(map(holds_tensors, leaves))
        strong = as_tensor if gives_tensors else as_array

        def decode(value: Any, like: Any) -> Any:
            if isinstance(value, SymbolicTensor):  # a graph around records the call
                value.weak = like.weak
                return value
            array = content_of(value)
            if isinstance(array, ListValue):
                return wrap(array)
            if like.weak:
                return python_value(array)
            if self.keeps_array(like):
                return np.array(array)
            return as_array(array) if id(like) in self.array_outputs else strong(value)

        return decode, decode

    def keeps_array(self, like: Any) -> bool:
        """Return whether a result is an array even where it has no axes, no scalar."""
        return self.array_outputs.get(id(like), False)

    def for_caller(self, value: Any, arrays: Sequence[Any], containers: Sequence[Any]) -> Any:
        """A result with what is the same object on every call, or one of the arguments."""

        def for_caller(leaf: Any) -> Any:
            if isinstance(leaf, Constant):
                return leaf.value
            if isinstance(leaf, CallerObject):
                return (arrays if leaf.is_array else containers)[leaf.number]
            return leaf

        return nest.map_structure(for_caller, value)


class SlotResults(PythonResults):
    """What a trace writes to a slot: staged values as Python would hold them there."""

    reads_tensors = True

    def __init__(self, graph: FuncGraph) -> None:
        self._graph = graph
        self.array_outputs = {}

    def encode(self, leaf: Any) -> Any:
        """A leaf as a tensor of the graph if it is staged."""
        if isinstance(leaf, staging.StagedText):
            backend = staging.tracing_backend()
            leaf = leaf if backend is None else backend.text(leaf)
        if not isinstance(leaf, SymbolicTensor):
            return staging.plain(leaf, {})
        tensor = self._graph.as_local(leaf)
        if type(leaf) is SymbolicArray:
            self.array_outputs[id(tensor)] = leaf.storage is not None
        return tensor


def exceeds_64_bits(value: Any) -> bool:
    """Whether a value is an int that no tensor holds."""
    return isinstance(value, int) and value.bit_length() > 63


def as_tensor(value: Any) -> Any:
    """Return a result of a run as a tensor: under a tape it is one."""
    return value if isinstance(value, Tensor) else wrap(value)


def _item(value: Any, spec: Any) -> Any:
    """Convert an item of a returned list to a tensor."""
    dtype = promotion.DEFAULT_DTYPE[spec.dtype] if spec.weak else None
    if isinstance(value, Tensor):
        return value if dtype is None else strengthen(value, dtype=dtype)
    return wrap(value if dtype is None else promotion.strengthen(value, dtype))


def content_of(value: Any) -> Any:
    """What an eager tensor holds; any other value itself."""
    return value._array if isinstance(value, Tensor) else value


def as_array(value: Any) -> Any:
    """Return a result of a run as an array of its own, or a NumPy scalar."""
    value = content_of(value)
    return value.copy() if isinstance(value, np.ndarray) and value.ndim else value[()]


def as_output(leaf: Any, graph: Graph, name: str) -> Any:
    """A returned value as a tensor of a graph; None and operations give None."""
    if leaf is None or isinstance(leaf, Operation):
        return None
    if isinstance(leaf, SymbolicTensor) and leaf.op.graph is graph:
        return graph.as_tensor(leaf)
    if isinstance(leaf, staging.StagedSequence):
        raise ConcreteValueError(
            f"{name}() must return tensors, numbers, None or nests of those, but returned the "
            f"{leaf.what} of a staged value",
            where=user_line(),
            help="return list() of it",
        )
    try:
        return graph.as_tensor(convert_to_tensor(leaf))
    except (TypeError, ValueError) as error:
        if isinstance(leaf, Value | Variable):
            raise
        kind = type(leaf).__name__
        raise ConcreteValueError(
            f"{name}() must return tensors, numbers, None or nests of those, but "
            f"returned {leaf!r} of type {kind}: {error}",
            where=user_line(),
            help=f"return its parts, as a tuple or dict, and make the {kind} outside of {name}()",
        ) from None


def check_array(array: np.ndarray[Any, Any], function: str) -> None:
    """ConcreteValueError for an array that as a tensor would not be what the function returns."""
    if array.dtype.kind in "USO":
        raise ConcreteValueError(
            f"{function}() returns an array of texts or objects, dtype {array.dtype}, which it "
            "makes while it is traced",
            where=user_line(),
            help="return a list: array.tolist()",
        )
    if not array.dtype.isnative:
        raise ConcreteValueError(
            f"{function}() returns an array of dtype {array.dtype.str!r}, whose byte order is not "
            "that of this machine",
            where=user_line(),
            help="return x.astype(x.dtype.newbyteorder('='))",
        )
