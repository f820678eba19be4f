"""Op definitions of lists that change their length: what staged Python lists become.

A list is one value, of dtype variant: each op returns a new one.  Its entries are tuples of arrays
of any shapes.  Lists derived from one another share their entries, so that appending costs no copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.ops.array.indexing import KeyInput, map_key
from runtime.ops.op import MEASURES, RAISES, TAKES_WEAK, Missing, define
from runtime.ops.resource.list_gradients import (
    add_lists,
    differentiable,
    entry,
    of_entry,
    opened,
    spread,
    unspliced,
    unstacked,
    without_entry,
)
from runtime.ops.rules.lowering import Control
from runtime.types.dtypes import Array, int64, variant
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

__all__: list[str] = []

Entry = tuple[Any, ...]
LIST = TensorSpec(SCALAR_SHAPE, variant)
_NO_SAMPLES = Missing("lists are no arrays")


_allocate, _int64 = object.__new__, np.int64  # an iteration should cost little more than these


class ListValue:
    """The first ``count`` of some entries, which other lists may share and continue."""

    __slots__ = ("_count", "_entries")

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._count = len(entries)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries[: self._count])

    def __getitem__(self, position: int) -> Entry:
        return self._entries[position]

    def popped(self) -> tuple[Any, ...]:
        """Return the list without its last entry, and the values of that entry."""
        shorter = _allocate(ListValue)
        shorter._entries, shorter._count = entries, count = self._entries, self._count - 1
        return (shorter, *entries[count])

    def pushed(self, entry: Entry) -> ListValue:
        """Return a list with one more entry: in place if no other list has continued the entries.
        """
        entries, count = self._entries, self._count
        if count and len(entries) == count:
            entries.append(entry)
            if entries[count] is not entry:  # another thread was faster
                entries = [*entries[:count], entry]
        else:
            entries = [*entries[:count], entry]
        longer = _allocate(ListValue)
        longer._entries, longer._count = entries, count + 1
        return longer

    def shorter(self) -> ListValue:
        """Return the list without its last entry."""
        shorter = _allocate(ListValue)
        shorter._entries, shorter._count = self._entries, self._count - 1
        return shorter

    def __repr__(self) -> str:
        return f"<list of {self._count}>"


def _place(handle: ListValue, index: Array, messages: tuple[str, str]) -> int:
    number, size = int(index), len(handle)
    if not -size <= number < size:
        raise IndexError(messages[0 if size else 1])
    return number % size


def _list(*_: Any, **__: Any) -> TensorSpec:
    return LIST


def _of_values(dy: Any, length: Any, index: Any, values: Sequence[Any]) -> list[Any]:
    """Return the gradients of the values of one entry; None for those that have none."""
    gradients = iter(entry(dy, length, index, list(filter(differentiable, values))))
    return [next(gradients) if differentiable(value) else None for value in values]


def _reals(values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
    """Return the gradients of the differentiable values."""
    return [g for v, g in zip(values, gradients, strict=True) if differentiable(v)]


def _new_grad(*tensors: Any, width: int, count: int) -> list[Any]:
    *values, _, dy = tensors
    rows = [_of_values(dy, count, k, values[k * width : (k + 1) * width]) for k in range(count)]
    return [gradient for row in rows for gradient in row]


def _new(*values: Any, width: int, count: int) -> Any:
    return ListValue([tuple(values[k * width : (k + 1) * width]) for k in range(count)])


def _is_table(*specs: TensorSpec, width: int, count: int) -> bool:
    """Return whether a list holds numbers, so that sharing it tells nothing of other lists."""
    return bool(specs) and all(spec.dtype is not variant for spec in specs)


list_new = define(
    "list_new",
    inputs="*values",
    same_dtype_inputs=None,
    kernel=_new,
    infer=_list,
    grad=_new_grad,
    node_name="TensorListFromTensors",
    never_raises=_is_table,
    raises=(),
    traits=(TAKES_WEAK,),
    lower=Control("list.new"),
    samples=_NO_SAMPLES,
    doc="Make a list of ``count`` entries of ``width`` values each.",
)

list_len = define(
    "list_len",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=lambda handle: _int64(handle._count),
    infer=lambda handle: TensorSpec(SCALAR_SHAPE, int64),
    grad=None,
    node_name="TensorListLength",
    raises=(),
    traits=(MEASURES,),
    lower=Control("list.len"),
    samples=_NO_SAMPLES,
    doc="Count the entries of a list.",
)

def _push_grad(handle: Any, *tensors: Any) -> tuple[Any, ...]:
    *values, longer, dy = tensors
    length = list_len(longer)
    return (without_entry(dy, length, -1), *_of_values(dy, length, -1, values))


list_push = define(
    "list_push",
    inputs="handle *values",
    same_dtype_inputs=None,
    kernel=lambda handle, *values: handle.pushed(values),
    infer=_list,
    grad=_push_grad,
    node_name="TensorListPushBack",
    length_change=1,
    raises=(),
    traits=(TAKES_WEAK,),
    lower=Control("list.push"),
    samples=_NO_SAMPLES,
    doc="Append an entry to a list.",
)


def _item(
    handle: ListValue, index: Array, *, specs: Sequence[TensorSpec], messages: tuple[str, str]
) -> Any:
    return handle[_place(handle, index, messages)]


def _item_grad(
    handle: Any, index: Any, *tensors: Any, specs: Any, messages: Any
) -> tuple[Any, ...]:
    values, gradients = tensors[: len(specs)], tensors[len(specs) :]
    return of_entry(list_len(handle), index, *_reals(values, gradients)), None


list_item = define(
    "list_item",
    inputs="handle index",
    same_dtype_inputs=None,
    kernel=_item,
    infer=lambda handle, index, *, specs, messages: tuple(specs),
    grad=_item_grad,
    node_name="TensorListGetItem",
    traits=(RAISES, TAKES_WEAK),
    lower=Control("list.item"),
    raises=(IndexError,),
    samples=_NO_SAMPLES,
    doc="Read the values of an entry; IndexError with a message if there is none.",
)


def _set(handle: ListValue, index: Array, *values: Any, messages: tuple[str, str]) -> Any:
    entries = list(handle)
    entries[_place(handle, index, messages)] = values
    return ListValue(entries)


list_set = define(
    "list_set",
    inputs="handle index *values",
    same_dtype_inputs=None,
    kernel=_set,
    infer=_list,
    grad=lambda handle, index, *rest, messages: (
        without_entry(rest[-1], list_len(handle), index), None,
        *_of_values(rest[-1], list_len(handle), index, rest[:-2]),
    ),
    node_name="TensorListSetItem",
    traits=(RAISES, TAKES_WEAK),
    lower=Control("list.set"),
    raises=(IndexError,),
    samples=_NO_SAMPLES,
    doc="Replace the entry at an index; IndexError with a message if there is none.",
)


def _without(handle: ListValue, index: Array, *, messages: tuple[str, str]) -> Any:
    position = _place(handle, index, messages)
    if position == len(handle) - 1:
        return handle.shorter()
    entries = list(handle)
    del entries[position]
    return ListValue(entries)


list_without = define(
    "list_without",
    inputs="handle index",
    same_dtype_inputs=None,
    kernel=_without,
    infer=_list,
    grad=lambda handle, index, y, dy, messages: (opened(dy, list_len(handle), index), None),
    node_name="TensorListPopBack",
    length_change=-1,
    traits=(RAISES, TAKES_WEAK),
    lower=Control("list.without"),
    raises=(IndexError,),
    samples=_NO_SAMPLES,
    doc="Remove the entry at an index; IndexError with a message if there is none.",
)


def _key(key: slice, bounds: Sequence[Array]) -> slice:
    filled = map_key((key,), lambda p: int(bounds[p.index]) if isinstance(p, KeyInput) else p)
    (filled_slice,) = filled
    return filled_slice


list_slice = define(
    "list_slice",
    inputs="handle *bounds",
    same_dtype_inputs=None,
    kernel=lambda handle, *bounds, key: ListValue(list(handle)[_key(key, bounds)]),
    infer=_list,
    grad=lambda handle, *rest, key: (
        spread(rest[-1], list_len(handle), *rest[:-2], key=key), *[None for _ in rest[2:]]
    ),
    node_name="TensorListSlice",
    traits=(RAISES, TAKES_WEAK),
    lower=Control("list.slice"),
    raises=(ValueError,),
    samples=_NO_SAMPLES,
    doc="Copy the entries of a slice, whose staged bounds are inputs.",
)


def _splice(handle: ListValue, inserted: ListValue, *bounds: Array, key: slice) -> Any:
    entries = list(handle)
    entries[_key(key, bounds)] = list(inserted)
    return ListValue(entries)


list_splice = define(
    "list_splice",
    inputs="handle other *bounds",
    same_dtype_inputs=None,
    kernel=_splice,
    infer=_list,
    grad=lambda handle, other, *rest, key: (
        *unspliced(rest[-1], list_len(handle), list_len(other), *rest[:-2], key=key),
        *[None for _ in rest[2:]],
    ),
    node_name="TensorListConcatLists",
    traits=(TAKES_WEAK,),
    lower=Control("list.splice"),
    raises=lambda *_, key: () if key.step in (None, 1) else (ValueError,),
    samples=_NO_SAMPLES,
    doc="Replace the entries of a slice by those of another list.",
)


def _stacked(spec: TensorSpec) -> TensorSpec:
    return TensorSpec(TensorShape([None]).concatenate(spec.shape), spec.dtype)


def _sizes(shape: TensorShape) -> list[int]:
    """Return the sizes of the items of an empty list."""
    if shape.dims is None or None in shape.dims:
        raise ValueError(
            f"an empty list cannot be stacked: its items would have the unknown shape {shape}"
        )
    return [size for size in shape.dims if size is not None]


def _stack(handle: ListValue, *, spec: TensorSpec) -> Any:
    if not len(handle):
        return np.zeros([0, *_sizes(spec.shape)], spec.dtype.as_numpy_dtype)
    rows = [np.asarray(value, spec.dtype.as_numpy_dtype) for (value,) in handle]
    shapes = {row.shape for row in rows}
    if len(shapes) > 1:
        raise IncompatibleShapesError(
            f"the items of a list cannot be stacked: they have the shapes {sorted(shapes)}"
        )
    return np.stack(rows)


list_stack = define(
    "list_stack",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=_stack,
    infer=lambda handle, *, spec: _stacked(spec),
    grad=lambda handle, y, dy, spec: (unstacked(dy),),
    node_name="TensorListStack",
    traits=(RAISES,),
    samples=_NO_SAMPLES,
    doc="Stack the entries of a list, of one value each, along a new leading axis.",
)


def _pop(handle: ListValue, *, specs: Sequence[TensorSpec]) -> tuple[Any, ...]:
    return handle.popped()


def _pop_grad(handle: Any, *tensors: Any, specs: Sequence[TensorSpec]) -> tuple[Any, ...]:
    values, (d_shorter, *gradients) = tensors[1 : len(specs) + 1], tensors[len(specs) + 1 :]
    last_entry = of_entry(list_len(handle), -1, *_reals(values, gradients))
    return (add_lists(d_shorter, last_entry),)


list_pop = define(
    "list_pop",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=_pop,
    infer=lambda handle, *, specs: (LIST, *specs),
    grad=_pop_grad,
    length_change=-1,
    lower=Control("list.pop"),
    samples=_NO_SAMPLES,
    doc="Remove the last entry of a list, and return its values too; gradients pop residuals.",
)
