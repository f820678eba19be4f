"""Op definitions of tensor arrays: entries of one dtype, written and read by index.

A tensor array is one value, of dtype variant: each op returns a new one.  The newest of the values
derived from one another holds the entries; an older one knows what to undo, so that writing costs
no copy and old values keep their meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.ops.op import HIGHER_ORDER, LOOP, RAISES, Missing, define
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import ByKernel, Control
from runtime.types.dtypes import Array, DType, int32, string, variant
from runtime.types.errors import (
    ArrayIndexError,
    IncompatibleShapesError,
    InvalidArgumentError,
    MismatchedTypesError,
)
from runtime.types.graph_literals import graph_literal
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

__all__: list[str] = []

_NO_SAMPLES = Missing("tensor arrays are no arrays")
_OF_ROWS = ByKernel("its rows are an array of NumPy's", "list.array_fill")


@graph_literal(
    "tensor_array_config", dtype=(DType,), dynamic=(bool,), clear=(bool,), infer=(bool,)
)
class Config(NamedTuple):
    """What a tensor array is made with."""

    dtype: DType
    dynamic: bool
    clear: bool
    infer: bool


class ArrayValue:
    """The entries of a tensor array at one time; None where nothing was written."""

    __slots__ = ("_items", "_undo", "config", "count", "element")
    # as eager tensors ask of an array
    dtype = variant
    shape: tuple[int, ...] = ()
    ndim = 0

    def __init__(
        self, items: list[Any] | None, count: int, element: TensorShape, config: Config
    ) -> None:
        self._items = items
        self._undo: tuple[ArrayValue, int, Any] | None = None
        self.count = count
        self.element = element
        self.config = config

    def items(self) -> list[Any]:
        """The entries; not to be changed."""
        with _LOCK:
            items = self._rooted()
            return items[: self.count]

    def at(self, index: int) -> Any:
        """One entry."""
        with _LOCK:
            return self._rooted()[index]

    def _rooted(self) -> list[Any]:
        """The list of entries, in the hands of this value: what newer ones changed is undone."""
        older = []
        newest = self
        while newest._items is None:
            older.append(newest)
            assert newest._undo is not None
            newest = newest._undo[0]
        for value in reversed(older):
            assert value._undo is not None
            newer, index, item = value._undo
            items = newer._items
            assert items is not None
            newer._undo, newer._items = (value, index, items[index]), None
            items[index] = item
            value._undo, value._items = None, items
        assert self._items is not None
        return self._items

    def changed(self, index: int, item: Any, element: TensorShape | None = None) -> ArrayValue:
        """The value with another entry, which may lie behind the last one."""
        with _LOCK:
            items = self._rooted()
            count = max(self.count, index + 1)
            items.extend([None] * (count - len(items)))
            newer = ArrayValue(items, count, element or self.element, self.config)
            self._undo, self._items = (newer, index, items[index]), None
            items[index] = item
            return newer

    def __getitem__(self, key: Any) -> ArrayValue:
        return self

    def __repr__(self) -> str:
        return f"<tensor array of {self.count}>"


_LOCK = fork_safe_lock()


class _Cleared:
    """Stands where an entry was read and given up."""


CLEARED = _Cleared()


class ArraySpec(TensorSpec):
    """The type of a tensor array, with what is known of its entries."""

    __slots__ = ("element",)

    def __init__(self, element: TensorShape) -> None:
        super().__init__(SCALAR_SHAPE, variant)
        self.element = element

    def without_value(self) -> TensorSpec:
        """Return the spec itself."""
        return self

    def after_loop(self, state: Any, result: Any) -> TensorSpec:
        """Return what is known of the entries after writes in a loop; see ``TensorSpec``."""
        has_shape = self.element.dims is not None or not _is_made_of(result, state)
        return self if has_shape else ArraySpec(element_of(result.spec))

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        """Return the most specific spec of tensor arrays of both."""
        if not isinstance(other, ArraySpec):
            return super().most_specific_compatible_type(other)
        return ArraySpec(self.element.most_specific_compatible_shape(other.element))


def _is_made_of(flow: Any, before: Any) -> bool:
    """Return whether operations on one tensor array made it of another one."""
    while flow is not before:
        node = flow.op
        if LOOP in node.op_def.traits:
            flow = node.inputs[flow.value_index]
            continue
        arrays = [tensor for tensor in node.inputs if isinstance(tensor.spec, ArraySpec)]
        if len(arrays) != 1 or HIGHER_ORDER in node.op_def.traits:
            return False
        flow = arrays[0]
    return True


def element_of(spec: TensorSpec) -> TensorShape:
    """What a spec knows of the entries' shape."""
    return spec.element if isinstance(spec, ArraySpec) else TensorShape(None)


def mismatched(shape: TensorShape, expected: TensorShape) -> IncompatibleShapesError:
    """The error for an entry of the wrong shape."""
    return IncompatibleShapesError(f"Incompatible shape for value ({shape}), expected ({expected})")


def _new(size: Array, *, element: TensorShape, config: Config) -> Any:
    if np.ndim(size) or int(size) < 0:
        raise InvalidArgumentError(
            f"TensorArray: size must be a whole number, 0 or more, got {size}"
        )
    return ArrayValue([None] * int(size), int(size), element, config)


array_new = define(
    "tensor_array",
    inputs="size",
    same_dtype_inputs=None,
    kernel=_new,
    infer=lambda size, *, element, config: ArraySpec(element),
    grad=None,
    node_name="TensorArrayV3",
    lower=Control("list.array_new"),
    samples=_NO_SAMPLES,
    doc="Make a tensor array of ``size`` empty entries.",
)


def _checked_index(index: Array, request: str) -> int:
    if np.ndim(index) or np.asarray(index).dtype.kind not in "iu":
        raise MismatchedTypesError(f"TensorArray: an index must be a whole number, got {index!r}")
    number = int(index)
    if number < 0:
        raise ArrayIndexError(f"{request} negative indices (index {number}) is not allowed.")
    return number


def _write(handle: ArrayValue, index: Array, value: Array, *, infer: bool) -> Any:
    number = _checked_index(index, "Writing to")
    _check_room(handle, number + 1)
    shape = TensorShape(np.shape(value))
    return handle.changed(number, value, _joint_element(handle, shape))


def _check_room(handle: ArrayValue, count: int) -> None:
    if count > handle.count and not handle.config.dynamic:
        raise ArrayIndexError(
            f"Tried to write to index {count - 1} but array is not resizeable and size is: "
            f"{handle.count}. Give a larger size, or dynamic_size=True."
        )


def _joint_element(handle: ArrayValue, shape: TensorShape) -> TensorShape:
    """The shape of all entries with one of this shape; an error when it does not fit."""
    if not handle.element.is_compatible_with(shape):
        raise mismatched(shape, handle.element)
    return handle.element.merge_with(shape) if handle.config.infer else handle.element


def _write_infer(
    handle: TensorSpec, index: TensorSpec, value: TensorSpec, *, infer: bool
) -> TensorSpec:
    element = element_of(handle)
    if not element.is_compatible_with(value.shape):
        raise mismatched(value.shape, element)
    return ArraySpec(element.merge_with(value.shape) if infer else element)


array_write = define(
    "tensor_array_write",
    inputs="handle index value",
    same_dtype_inputs=None,
    kernel=_write,
    infer=_write_infer,
    grad=lazy_gradient("tensor_array.write"),
    node_name="TensorArrayWriteV3",
    lower=Control("list.array_write"),
    samples=_NO_SAMPLES,
    doc="Write an entry of a tensor array.",
)


def _zeros(handle: ArrayValue, index: int) -> Any:
    """What stands in an empty entry."""
    if not handle.element.is_fully_defined():
        raise InvalidArgumentError(
            f"Trying to read an uninitialized tensor (index {index} of the TensorArray) but "
            f"element_shape is not fully defined: {handle.element} and no list element is set"
        )
    kind: Any = b"" if handle.config.dtype is string else 0
    shape = tuple(handle.element.as_list())
    return np.full(shape, kind, handle.config.dtype.as_numpy_dtype)


def _entry(handle: ArrayValue, index: int, item: Any) -> Any:
    if item is CLEARED:
        raise InvalidArgumentError(
            f"Could not read index {index} twice because it was cleared after a previous read "
            "(perhaps try setting clear_after_read = false?)"
        )
    return _zeros(handle, index) if item is None else item


def _read(handle: ArrayValue, index: Array, *, dtype: DType) -> Any:
    number = _checked_index(index, "Reading from")
    if number >= handle.count:
        raise ArrayIndexError(
            f"Tried to read from index {number} but array size is: {handle.count}"
        )
    value = _entry(handle, number, handle.at(number))
    return value, handle.changed(number, CLEARED) if handle.config.clear else handle


array_read = define(
    "tensor_array_read",
    inputs="handle index",
    same_dtype_inputs=None,
    kernel=_read,
    infer=lambda handle, index, *, dtype: (TensorSpec(element_of(handle), dtype), handle),
    grad=lazy_gradient("tensor_array.read"),
    node_name="TensorArrayReadV3",
    lower=Control("list.array_read"),
    samples=_NO_SAMPLES,
    doc="Read an entry; also return the tensor array, which may have given it up.",
)

array_size = define(
    "tensor_array_size",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=lambda handle: np.int32(handle.count),
    infer=lambda handle: TensorSpec(SCALAR_SHAPE, int32),
    grad=None,
    node_name="TensorArraySizeV3",
    lower=Control("list.array_size"),
    samples=_NO_SAMPLES,
    doc="Count the entries of a tensor array.",
)


def _together(handle: ArrayValue, numbers: Sequence[int], dtype: DType) -> Any:
    if not numbers:
        dims = [0 if d is None else d for d in handle.element.dims or ()]
        return np.zeros([0, *dims], dtype.as_numpy_dtype)
    items = handle.items()
    entries = [_entry(handle, n, items[n]) for n in numbers]
    if dtype is not string and all(isinstance(entry, np.generic) for entry in entries):
        return np.array(entries, dtype.as_numpy_dtype)
    rows = [np.asarray(entry, dtype.as_numpy_dtype) for entry in entries]
    if len({row.shape for row in rows}) > 1:
        shapes = [list(row.shape) for row in rows]
        raise IncompatibleShapesError(
            f"Shapes of all inputs must match: the entries of the TensorArray have shapes {shapes}"
        )
    return np.stack(rows)


def _stacked(handle: TensorSpec, element: TensorShape, dtype: DType, count: Any) -> TensorSpec:
    entry_shape = element_of(handle).merge_with(element)
    return TensorSpec(TensorShape([count]).concatenate(entry_shape), dtype)


array_stack = define(
    "tensor_array_stack",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=lambda handle, *, element, dtype: _together(handle, range(handle.count), dtype),
    infer=lambda handle, *, element, dtype: _stacked(handle, element, dtype, None),
    grad=lazy_gradient("tensor_array.stack"),
    node_name="TensorArrayStack",
    samples=_NO_SAMPLES,
    doc="Stack all entries along a new first axis.",
)


def _gather(handle: ArrayValue, indices: Array, *, element: TensorShape, dtype: DType) -> Any:
    numbers = [_checked_index(np.asarray(i), "Reading from") for i in indices]
    for number in numbers:
        if number >= handle.count:
            raise ArrayIndexError(
                f"Tried to read from index {number} but array size is: {handle.count}"
            )
    return _together(handle, numbers, dtype)


def _gather_infer(
    handle: TensorSpec, indices: TensorSpec, *, element: TensorShape, dtype: DType
) -> TensorSpec:
    return _stacked(handle, element, dtype, indices.shape.with_rank(1)[0])


array_gather = define(
    "tensor_array_gather",
    inputs="handle indices",
    same_dtype_inputs=None,
    kernel=_gather,
    infer=_gather_infer,
    grad=lazy_gradient("tensor_array.gather"),
    node_name="TensorArrayGatherV3",
    samples=_NO_SAMPLES,
    doc="Some entries, along a new first axis.",
)


def _concat(handle: ArrayValue, *, element: TensorShape, dtype: DType) -> Any:
    rows = [
        np.asarray(_entry(handle, number, item), dtype.as_numpy_dtype)
        for number, item in enumerate(handle.items())
    ]
    for number, row in enumerate(rows):
        if not row.ndim:
            raise InvalidArgumentError(
                f"Concat saw a scalar shape at index {number} but requires at least vectors."
            )
        if row.shape[1:] != rows[0].shape[1:]:
            raise IncompatibleShapesError(
                f"TensorArray has inconsistent shapes. Index 0 has (except dimension 0) shape: "
                f"{list(rows[0].shape[1:])} but index {number} has (except dimension 0) shape: "
                f"{list(row.shape[1:])}"
            )
    if rows:
        return np.concatenate(rows)
    dims = [0 if d is None else d for d in (handle.element.dims or (None,))[1:]]
    return np.zeros([0, *dims], dtype.as_numpy_dtype)


def _concat_infer(handle: TensorSpec, *, element: TensorShape, dtype: DType) -> TensorSpec:
    dims = element_of(handle).merge_with(element).dims
    return TensorSpec(None if not dims else [None, *dims[1:]], dtype)


array_concat = define(
    "tensor_array_concat",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=_concat,
    infer=_concat_infer,
    grad=lazy_gradient("tensor_array.concat"),
    node_name="TensorArrayConcatV3",
    samples=_NO_SAMPLES,
    doc="Concatenate all entries along their first axis.",
)


def _entries_of(value: Array, request: str) -> Array:
    if not np.ndim(value):
        raise InvalidArgumentError(
            f"{request}: Tensor must be at least a vector, but saw shape: []"
        )
    return value


def _unstack(handle: ArrayValue, value: Array, *, infer: bool) -> Any:
    count = len(_entries_of(value, "TensorArray.unstack"))
    if count > handle.count and not handle.config.dynamic:
        raise IncompatibleShapesError(
            f"Cannot unstack {count} tensors into a TensorArray of static size {handle.count}"
        )
    element = _joint_element(handle, TensorShape(value.shape[1:]))
    return ArrayValue(list(value), count, element, handle.config)


def _rows_infer(handle: TensorSpec, value: TensorSpec, *, infer: bool) -> TensorSpec:
    element, dims = element_of(handle), value.shape.dims
    if not dims:
        return ArraySpec(element)
    if not element.is_compatible_with(dims[1:]):
        raise mismatched(TensorShape(dims[1:]), element)
    return ArraySpec(element.merge_with(dims[1:]) if infer else element)


array_unstack = define(
    "tensor_array_unstack",
    inputs="handle value",
    same_dtype_inputs=None,
    kernel=_unstack,
    infer=_rows_infer,
    grad=lazy_gradient("tensor_array.unstack"),
    node_name="TensorArrayUnstack",
    lower=_OF_ROWS,
    samples=_NO_SAMPLES,
    doc="Make the rows of a tensor the entries of a tensor array.",
)


def _scatter(handle: ArrayValue, indices: Array, value: Array, *, infer: bool) -> Any:
    if len(_entries_of(value, "TensorArray.scatter")) != len(indices):
        raise IncompatibleShapesError(
            f"Expected len(indices) == tensor.shape[0], but saw: {len(indices)} vs. {len(value)}"
        )
    for index, row in zip(indices, value, strict=True):
        handle = _write(handle, np.asarray(index), row, infer=handle.config.infer)
    return handle


array_scatter = define(
    "tensor_array_scatter",
    inputs="handle indices value",
    same_dtype_inputs=None,
    kernel=_scatter,
    infer=lambda handle, indices, value, *, infer: _rows_infer(handle, value, infer=infer),
    grad=lazy_gradient("tensor_array.scatter"),
    node_name="TensorArrayScatterV3",
    lower=_OF_ROWS,
    samples=_NO_SAMPLES,
    doc="Write the rows of a tensor to some entries.",
)


def _split(handle: ArrayValue, value: Array, lengths: Array) -> Any:
    total = int(np.sum(lengths))
    if total != len(_entries_of(value, "TensorArray.split")):
        raise InvalidArgumentError(
            f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
            f"{total} and value's shape is: {list(value.shape)}"
        )
    if len(lengths) != handle.count and not handle.config.dynamic:
        raise InvalidArgumentError(
            f"TensorArray's size is not equal to the size of lengths ({handle.count} vs. "
            f"{len(lengths)}), and the TensorArray is not marked as dynamically resizeable."
        )
    entries = np.split(value, np.cumsum(lengths)[:-1]) if len(lengths) else []
    element = handle.element
    for entry in entries:
        if not element.is_compatible_with(entry.shape):
            raise mismatched(TensorShape(entry.shape), element)
    return ArrayValue(list(entries), len(entries), element, handle.config)


array_split = define(
    "tensor_array_split",
    inputs="handle value lengths",
    same_dtype_inputs=None,
    kernel=_split,
    infer=lambda handle, value, lengths: ArraySpec(element_of(handle)),
    grad=lazy_gradient("tensor_array.split"),
    node_name="TensorArraySplitV3",
    traits=(RAISES,),
    samples=_NO_SAMPLES,
    doc="Make parts of a tensor along its first axis the entries of a tensor array.",
)
