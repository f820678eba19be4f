"""Items of tensors and lists: indexing, assignment and iteration by staged indices, for backend.py.

Python's ranges, lists of like numbers, and NumPy's arrays become tensors to be indexed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import StagedList, as_staged_list, check_supported, kind_of, link_storages
from runtime.control_flow.abstract_value import Spec
from runtime.control_flow.cond import cond
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph, graph_of
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import PYTHON_KINDS, as_python_value, weak_constant
from runtime.graph.text_templates import DescribedException
from runtime.graph.trace import identity_of
from runtime.ops import dispatch
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast_op, constant
from runtime.ops.array.gather_scatter import gather_op
from runtime.ops.array.indexing import getitem, position_op
from runtime.ops.array.indexing import setitem as setitem_of_tensor
from runtime.ops.array.shape import shape
from runtime.ops.array.sorting import argsort, sort
from runtime.ops.array.where import where
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.python.call_numpy import INDEXED
from runtime.ops.resource.lists import list_len
from runtime.staging.numpy_arrays.calls import call_numpy
from runtime.staging.numpy_arrays.calls import own_array as own_array
from runtime.staging.numpy_arrays.symbolic_array import IN_PLACE, SymbolicArray
from runtime.staging.python_numbers.calls import call_python
from runtime.state.variable import Variable
from runtime.types import promotion
from runtime.types.conversion import to_array
from runtime.types.dtypes import DType, int32, int64, string
from runtime.types.promotion import is_weak
from runtime.types.value import Value

_OUT_OF_BOUNDS = "index {index} is out of bounds for axis 0 with size "


def setitem(value: Any, key: Any, item: Any) -> Any:
    """Return a copy of a tensor with ``copy[key] = item``; variables raise an error.

    A NumPy array is changed in place.
    """
    if type(value) is SymbolicArray:
        return value.set_item(key, item)
    if is_weak(value):
        check_supported(operator.setitem, value, key, item)
    IN_PLACE.note()
    return setitem_of_tensor(value, key, item) if isinstance(value, Tensor) else NotImplemented


def position(index: Any, size: Any, message: str) -> Any:
    """Convert an index to a Python int from 0; at run time IndexError with ``message``."""
    index = index.read_value() if isinstance(index, Variable) else index
    if isinstance(index, slice):
        raise ConcreteValueError(
            "a range is sliced by a bound that is known only at run time",
            where=user_line(),
            help="slice a list, list(numbers)[i:j], or write a range of these bounds",
        )
    if not isinstance(size, int) or isinstance(index, int):
        return _position_in_staged(index, size, message)
    is_integer = isinstance(index, SymbolicTensor) and (
        index.dtype.is_integer or index.dtype.is_bool
    )
    if not is_integer or index.shape.dims not in (None, ()):
        raise TypeError(f"Only integer scalar tensors can be used as an index, got {index!r}")
    return as_python_value(position_op(index, size=size, message=message))


def _position_in_staged(index: Any, size: Any, message: str) -> Any:
    """Convert a Python or staged index to one from 0 for a staged number of items."""
    if isinstance(index, int):
        position = index + size if index < 0 else index
    else:
        position = where(index < 0, index + size, index)
    inside: Any = position < size
    if not isinstance(index, int) or index < 0:
        inside = (position >= 0) & inside
    fail = DescribedException("IndexError", (("value", message),))
    assert_op(dispatch.convert(inside), fail=fail)
    # made after the check, so that whoever takes the item waits for it
    if not isinstance(position, int):
        return identity_of(position)
    graph = dispatch.current()
    assert isinstance(graph, Graph)
    return identity_of(weak_constant(graph, position))


def number(value: Any, integer: bool) -> Any:
    """Convert an integer scalar to a Python int; unless ``integer`` is True, keep a float as it is.

    TypeError for anything else.
    """
    scalar = isinstance(value, SymbolicTensor) and value.shape.dims in (None, ())
    if scalar and value.dtype.is_integer:
        return weak_integer(value)
    if scalar and not integer and value.shape.dims == ():
        if value.dtype.is_bool:
            return weak_integer(cast_op(value, dtype=int64))
        if value.dtype.is_floating:
            return value
    check_supported(operator.index, value)
    raise TypeError(
        f"Only integer scalar tensors can be used as an index, got {value!r}. "
        "Use int(x) or runtime.cast(x, runtime.int32)."
    )


def weak_integer(value: SymbolicTensor) -> SymbolicTensor:
    """Convert a number to a Python int."""
    if value.weak and value.dtype is int64:
        return value
    current = dispatch.current()
    graph = current if isinstance(current, Graph) else graph_of(value)
    tensor = graph.as_local(value)
    if tensor.weak:
        return graph.strengthen(tensor, int64, weak=True)
    return as_python_value(cast_op(tensor, dtype=int64))


# -- sequences of items ------------------------------------------------------------------------


def length(value: Any) -> Any:
    """Return the number of items along the leading axis: an int, or a weak tensor."""
    if not isinstance(value, Value):
        value = dispatch.convert(value)
    dims = value.shape.dims
    if dims == ():
        check_supported(len, value)
    if dims is not None and dims[0] is not None:
        return dims[0]
    return as_python_value(shape(value, int64)[0])


def items(value: Any) -> tuple[Any, Callable[[Any], Any]] | None:
    """Return the number of items along the leading axis, and a function that returns the k-th item.

    The items of a list of Python numbers of one type are Python numbers; a list of like tensors is
    stacked.  None for anything else; TypeError for scalars.
    """
    if isinstance(value, list | tuple) and {*map(type, value)} in _ALIKE:
        numbers = dispatch.convert(value, promotion.WEAK_DTYPE[PYTHON_KINDS[type(value[0])]])
        return len(value), lambda k: as_python_value(numbers[k])
    if isinstance(value, list | tuple) and value and all(isinstance(v, Value) for v in value):
        if len({(v.dtype, v.shape) for v in value}) == 1 and value[0].shape.is_fully_defined():
            rows, value = value, stack(value)
            if any(type(v) is SymbolicArray for v in rows):
                return len(rows), lambda k: _copy_of_one(value[k], rows)
    if not isinstance(value, Value):
        return None
    if is_weak(value) and value.dtype is string:  # type: ignore[attr-defined]
        characters = call_python("text.list", value)
        return as_python_value(list_len(characters.prefix.handle)), lambda k: characters[k]
    if value.shape.dims == ():  # type: ignore[attr-defined]
        check_supported(iter, value)
    if isinstance(value, SymbolicTensor) and value.op.op_def.items is not None:
        number, at = value.op.op_def.items(*value.op.inputs, **value.op.attrs)
        return (number if isinstance(number, int) else as_python_value(number)), at
    return length(value), lambda k: value[k]  # type: ignore[index]


_ALIKE: tuple[set[type], ...] = ({int}, {float}, {bool})


def in_order(value: Any, reverse: bool) -> Any:
    """Sort a vector of numbers; NotImplemented for anything else."""
    if not (isinstance(value, SymbolicTensor) and value.shape.rank == 1 and _is_real(value.dtype)):
        return NotImplemented
    return sort(value, direction="DESCENDING" if reverse else "ASCENDING")


def sorting_order(marks: StagedList, reverse: bool) -> Any:
    """Return the positions that sort the numbers of a staged list; NotImplemented for other items.
    """
    entry = marks.prefix.spec.entry
    numbers = len(entry) == 1 and isinstance(entry[0], Spec) and entry[0].shape.rank == 0
    if not numbers or entry[0].dtype is string:
        return NotImplemented
    direction = "DESCENDING" if reverse else "ASCENDING"
    return cond(
        list_len(as_staged_list(marks).prefix.handle) == 0,
        lambda: constant((), int32), lambda: argsort(marks, 0, direction),
    )  # fmt: skip


def _is_real(dtype: DType) -> bool:
    return dtype is not string and not dtype.is_complex


def item(sequence: Any, index: Any) -> Any:
    """Compute ``sequence[index]`` of a range, an array, or a list of like numbers or tensors."""
    if isinstance(sequence, np.ndarray):
        return _of_array(sequence, index)
    if id(sequence) in INDEXED:
        return call_numpy(INDEXED[id(sequence)], index)
    if isinstance(index, slice | tuple | list):
        return NotImplemented
    if isinstance(sequence, range):
        at = position(index, len(sequence), "range object index out of range")
        return sequence.start + at * sequence.step
    if not isinstance(sequence, list | tuple | str) or not sequence:
        return NotImplemented
    (kind, *other_kinds) = {*map(type, sequence)}
    if other_kinds:
        return NotImplemented
    subject = "string" if type(sequence) is str else kind_of(sequence).__name__
    text = f"{subject} index out of range"
    if kind in PYTHON_KINDS:
        return _of_numbers(sequence, kind, position(index, len(sequence), text))
    return _of_tensors(sequence, index, text)


def _of_array(array: Any, index: Any) -> Any:
    """What an array that is a constant of the trace has at an index: a view of it, or a scalar."""
    graph = dispatch.current()
    if not isinstance(graph, Graph):
        graph = index.graph
    staged = own_array(graph, array)
    if staged is array:
        raise ConcreteValueError(
            f"an array of dtype {array.dtype} is indexed by a staged value, and no tensor holds it",
            where=user_line(),
            help="index a list of its items: array.tolist()",
        )
    staged.storage.links.arrays.append(array)
    if array.ndim and _is_integer(index):
        index = position(index, len(array), f"{_OUT_OF_BOUNDS}{len(array)}")
        if array.ndim == 1:
            return SymbolicArray.fresh(getitem(staged.current(), index))
    return staged[index]


def _is_integer(index: Any) -> bool:
    scalar = isinstance(index, SymbolicTensor) and index.spec.shape.rank == 0
    return scalar and index.spec.dtype.is_integer


def _of_numbers(sequence: Any, kind: type, index: Any) -> Any:
    """Return the Python number or text at an index."""
    array = to_array(list(sequence), promotion.WEAK_DTYPE[PYTHON_KINDS[kind]])
    current = dispatch.current()
    graph = current if isinstance(current, Graph) else index.graph
    return as_python_value(getitem(graph.constant(array), index))


def _of_tensors(sequence: Any, index: Any, text: str) -> Any:
    """Return the tensor at a position of tensors of one dtype and shape."""
    if any(not isinstance(t, Tensor) or promotion.is_weak(t) for t in sequence):
        return NotImplemented
    (spec, *other_types) = {(t.dtype, t.shape.dims) for t in sequence}
    if other_types or spec[1] is None or None in spec[1]:
        return NotImplemented
    at = position(index, len(sequence), text)
    tensor = gather_op(stack(list(sequence)), at, axis=0, batch_dims=0)
    return _copy_of_one(tensor, sequence) if type(sequence[0]) is SymbolicArray else tensor


def _copy_of_one(tensor: Any, arrays: Sequence[Any]) -> Any:
    """One of several arrays, or scalars, as an array that nothing may change: it is a copy."""
    storages = [array.storage for array in arrays if type(array) is SymbolicArray]
    copied = SymbolicArray.fresh(tensor, is_array=None not in storages)
    if copied.storage is not None:
        why = "is a copy of one of several arrays, which a staged index or loop chose"
        link_storages(copied.storage, [storage for storage in storages if storage is not None], why)
    return copied
