"""Results of traces: what is a tensor of the graph, and what a call gives for it.

A trace of ``function`` gives tensors, one of ``runtime.jit`` gives Python numbers, texts, lists and
NumPy arrays, and lists, dicts, sets and arrays of the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from autograph import staging
from autograph.staging import StagedText
from runtime.eager.tensor import Tensor, wrap
from runtime.functions.array_arguments import ArrayArguments
from runtime.functions.call_source import packer
from runtime.functions.graph_output import GraphOutput, as_tensor
from runtime.functions.number_arguments import holds_tensors
from runtime.functions.output_packing import as_output, check_array
from runtime.functions.returned_objects import IMMUTABLE
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import PYTHON_KINDS, weak_constant
from runtime.ops.array.constants import strengthen
from runtime.ops.python.call_python import python_value
from runtime.ops.resource.lists import ListValue
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.types import nest, promotion
from runtime.types.dtypes import string


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

    def packer(self, output: GraphOutput) -> Callable[[Sequence[Any]], Any] | None:
        """The function that makes the result of the arrays that a run gives; None for results that
        need more than that.
        """
        return packer(output.structure)

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
        kind = PYTHON_KINDS.get(type(leaf))
        if kind is not None and not (kind == "int" and leaf.bit_length() > 63):
            return weak_constant(self._graph, leaf)
        if leaf is None or isinstance(leaf, (*PYTHON_KINDS, *IMMUTABLE)):
            return Constant(leaf)
        if is_array := isinstance(leaf, np.ndarray):
            check_array(leaf, self._name)
        tensor = super().encode(leaf)
        if is_array:  # one without axes stays an array
            tensor = self._graph.strengthen(tensor, tensor.dtype, weak=False)
            self.array_outputs[id(tensor)] = True
        is_text = isinstance(leaf, StagedText)
        return self._graph.strengthen(tensor, tensor.dtype, weak=True) if is_text else tensor

    def packer(self, output: GraphOutput) -> Callable[[Sequence[Any]], Any] | None:
        """The function that makes a Python number or text of the array that a run gives."""
        if not output.is_tensor or not output.structure.weak:
            return None
        return _pack_text if output.structure.dtype is string else _pack_number

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
        if isinstance(leaf, StagedText):
            backend = staging.tracing_backend()
            leaf = leaf if backend is None else backend.text(leaf)
        if not isinstance(leaf, SymbolicTensor):
            return staging.plain(leaf, {})
        tensor = self._graph.as_local(leaf)
        if type(leaf) is SymbolicArray:
            self.array_outputs[id(tensor)] = leaf.storage is not None
        return tensor


def _item(value: Any, spec: Any) -> Any:
    """Convert an item of a returned list to a tensor."""
    dtype = promotion.DEFAULT_DTYPE[spec.dtype] if spec.weak else None
    if isinstance(value, Tensor):
        return value if dtype is None else strengthen(value, dtype=dtype)
    return wrap(value if dtype is None else promotion.strengthen(value, dtype))


def _pack_number(outputs: Sequence[Any]) -> Any:
    return outputs[0].item()


def _pack_text(outputs: Sequence[Any]) -> Any:
    return python_value(outputs[0])


def content_of(value: Any) -> Any:
    """What an eager tensor holds; any other value itself."""
    return value._array if isinstance(value, Tensor) else value


def as_array(value: Any) -> Any:
    """Return a result of a run as an array of its own, or a NumPy scalar."""
    value = content_of(value)
    return value.copy() if isinstance(value, np.ndarray) and value.ndim else value[()]
