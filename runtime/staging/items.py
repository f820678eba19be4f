"""Items read by staged indexes, and tensors with items assigned: for staging.py.

Python's ranges and lists of like numbers, and NumPy's arrays, become tensors to be indexed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.staging import kind_of
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import KINDS
from runtime.ops import dispatch as interpreter
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import constant
from runtime.ops.array.gather_scatter import gather_op
from runtime.ops.array.indexing import getitem, position_op
from runtime.ops.array.indexing import setitem as setitem_of_tensor
from runtime.staging.spec import as_python_value
from runtime.state.variable import Variable
from runtime.types import promotion
from runtime.types.conversion import to_array
from runtime.types.dtypes import BY_NUMPY

_OUT_OF_BOUNDS = "index {index} is out of bounds for axis 0 with size "


def setitem(value: Any, key: Any, item: Any) -> Any:
    """A copy of a tensor with ``copy[key] = item``; variables are assigned in other ways."""
    return setitem_of_tensor(value, key, item) if isinstance(value, Tensor) else NotImplemented


def position(index: Any, size: int, message: str) -> Any:
    """A staged index as a Python int from 0; IndexError with ``message``, when it runs."""
    index = index.read_value() if isinstance(index, Variable) else index
    whole = isinstance(index, SymbolicTensor) and (index.dtype.is_integer or index.dtype.is_bool)
    if not whole or index.shape.dims not in (None, ()):
        raise TypeError(f"Only integer scalar tensors can be used as an index, got {index!r}")
    return as_python_value(position_op(index, size=size, message=message))


def item(sequence: Any, index: Any) -> Any:
    """``sequence[index]`` of a range, an array, or a list or tuple of like numbers or tensors."""
    if isinstance(sequence, np.ndarray):
        if sequence.dtype not in BY_NUMPY or not sequence.ndim:
            return NotImplemented
        if isinstance(index, tuple) or index.shape.rank != 0:
            return getitem(constant(sequence), index)
        place = position(index, len(sequence), f"{_OUT_OF_BOUNDS}{len(sequence)}")
        return gather_op(constant(sequence), place, axis=0, batch_dims=0)
    if isinstance(sequence, range):
        place = position(index, len(sequence), "range object index out of range")
        return sequence.start + place * sequence.step
    if not isinstance(sequence, list | tuple | str) or not sequence:
        return NotImplemented
    (kind, *others) = {*map(type, sequence)}
    if others:
        return NotImplemented
    what = "string" if type(sequence) is str else kind_of(sequence).__name__
    text = f"{what} index out of range"
    if kind in KINDS:
        return _of_numbers(sequence, kind, position(index, len(sequence), text))
    return _of_tensors(sequence, index, text)


def _of_numbers(sequence: Any, kind: type, place: Any) -> Any:
    """The Python number or text at a place."""
    array = to_array(list(sequence), promotion.CARRIERS[KINDS[kind]])
    current = interpreter.current()
    graph = current if isinstance(current, Graph) else place.graph
    picked = gather_op(graph.constant(array), place, axis=0, batch_dims=0)
    return as_python_value(picked)


def _of_tensors(sequence: Any, index: Any, text: str) -> Any:
    """The tensor at a place, of several of one dtype and shape."""
    if any(not isinstance(t, Tensor) or promotion.is_weak(t) for t in sequence):
        return NotImplemented
    (spec, *others) = {(t.dtype, t.shape.dims) for t in sequence}
    if others or spec[1] is None or None in spec[1]:
        return NotImplemented
    place = position(index, len(sequence), text)
    return gather_op(stack(list(sequence)), place, axis=0, batch_dims=0)
