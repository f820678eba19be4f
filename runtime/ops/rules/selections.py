"""Rules for ops whose results are views: which elements of the array they have.

A loop over a view reads the array itself; no view is made.  Each rule takes the static shape of the
array, the attributes of the op and the values of its other inputs, None where they are not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime.ops.rules.lowering import Dims, KeyPart, RunTimeInt, SelectedAxis, Selection

NEW_AXIS = SelectedAxis(None)
_FAR = 1 << 62
"""No index, and no step between two entries, is as large."""


def _of_axes(dims: Dims, axes: Iterable[int | None]) -> Selection:
    """Return all elements, with these axes of the array; None is a new axis."""
    selected = [NEW_AXIS if axis is None else SelectedAxis(axis, 1, dims[axis]) for axis in axes]
    return Selection((0,) * len(dims), tuple(selected))


def by_key(dims: Dims, key: Sequence[Any]) -> Selection | None:
    """The elements that a key of ints, slices, None and an ellipsis selects; the ints may be known
    at run time.
    """
    items = list(key)
    if not all(item is None or item is Ellipsis or _selects(item) for item in items):
        return None
    missing = len(dims) - sum(item is not None and item is not Ellipsis for item in items)
    at = next((n for n, item in enumerate(items) if item is Ellipsis), len(items))
    items[at : at + 1] = [slice(None)] * missing
    starts: list[int | KeyPart] = []
    axes: list[SelectedAxis] = []
    for item in items:
        if item is None:
            axes.append(NEW_AXIS)
            continue
        axis = len(starts)
        if isinstance(item, slice):
            start, selected = _range(axis, dims[axis], item)
            starts.append(start)
            axes.append(selected)
            continue
        position = _position(axis, dims[axis], item)
        if position is None:
            return None
        starts.append(position)
    return Selection(tuple(starts), tuple(axes))


def _selects(item: Any) -> bool:
    """Return whether a part of a key is an int, or a slice whose step is known."""
    if isinstance(item, slice):
        has_known_step = item.step is None or (type(item.step) is int and 0 < abs(item.step) < _FAR)
        return has_known_step and all(
            end is None or _selects(end) for end in (item.start, item.stop)
        )
    return type(item) in (int, RunTimeInt)


def _range(axis: int, size: int | None, key: slice) -> tuple[int | KeyPart, SelectedAxis]:
    """Return the first entry of a slice along an axis, and the axis that it selects."""
    step = 1 if key.step is None else key.step
    if key.start is None and key.stop is None and step == 1:
        return 0, SelectedAxis(axis, 1, size)
    if size is None or RunTimeInt in (type(key.start), type(key.stop)):
        key_part = KeyPart(axis, (key.start, key.stop, key.step))
        return key_part, SelectedAxis(axis, step, key_part)
    indexes = range(*key.indices(size))
    return indexes.start if indexes else 0, SelectedAxis(axis, step, len(indexes))


def _position(axis: int, size: int | None, index: int | RunTimeInt) -> int | KeyPart | None:
    """Return the entry that an int means along an axis; None if there is none."""
    if isinstance(index, RunTimeInt) or (size is None and abs(index) < _FAR):
        return KeyPart(axis, index)
    if size is None:
        return None
    return index % size if -size <= index < size else None


def transposed(dims: Dims, attrs: dict[str, Any], perm: Sequence[Any]) -> Selection | None:
    """The axes in another order, reversed by default."""
    if not perm:
        return _of_axes(dims, reversed(range(len(dims))))
    if perm[0] is None:
        return None
    return _of_axes(dims, [int(axis) % len(dims) for axis in np.reshape(perm[0], -1)])


def expanded(dims: Dims, attrs: dict[str, Any], _: Sequence[Any]) -> Selection:
    """A new axis."""
    axes: list[int | None] = [*range(len(dims))]
    axes.insert(attrs["axis"] % (len(dims) + 1), None)
    return _of_axes(dims, axes)


def squeezed(dims: Dims, attrs: dict[str, Any], _: Sequence[Any]) -> Selection | None:
    """Without axes of size 1."""
    gone = {axis % len(dims) for axis in attrs["axis"] or ()}
    if None in dims and (attrs["axis"] is None or any(dims[axis] != 1 for axis in gone)):
        return None
    return _of_axes(dims, [
        axis for axis, size in enumerate(dims)
        if axis not in gone and (size != 1 or attrs["axis"] is not None)
    ])  # fmt: skip


def reshaped(dims: Dims, attrs: dict[str, Any], shape: Sequence[Any]) -> Selection | None:
    """With axes of size 1 more or less; other shapes are none of the same strides."""
    if None in dims or shape[0] is None:
        return None
    sizes = [int(size) for size in np.reshape(shape[0], -1)]
    wide = [axis for axis, size in enumerate(dims) if size != 1]
    if [size for size in sizes if size != 1] != [dims[axis] for axis in wide]:
        return None
    places = iter(wide)
    return _of_axes(dims, [None if size == 1 else next(places) for size in sizes])


def broadcast(dims: Dims, attrs: dict[str, Any], shape: Sequence[Any]) -> Selection | None:
    """With the same elements along new axes, and along those of size 1."""
    if None in dims or shape[0] is None:
        return None
    target = np.reshape(shape[0], -1).tolist()
    missing = len(target) - len(dims)
    if missing < 0 or any(size < 0 for size in target):
        return None
    axes = [SelectedAxis(None, 1, size) for size in target[:missing]]
    for axis, (size, target_size) in enumerate(zip(dims, target[missing:], strict=True)):
        if size not in (1, target_size):
            return None
        axes.append(
            SelectedAxis(None, 1, target_size) if size == 1 else SelectedAxis(axis, 1, size)
        )
    return Selection((0,) * len(dims), tuple(axes))


def reversed_along(dims: Dims, attrs: dict[str, Any], _: Sequence[Any]) -> Selection | None:
    """In the opposite order along axes."""
    gone = {axis % len(dims) for axis in attrs["axis"]}
    return by_key(dims, [slice(None, None, -1 if n in gone else 1) for n in range(len(dims))])


def _range_along(dims: Dims, at: int, start: int, size: int) -> Selection:
    """Return the elements in a range along one axis."""
    starts = [start if axis == at else 0 for axis in range(len(dims))]
    axes = [SelectedAxis(n, 1, size if n == at else full_size) for n, full_size in enumerate(dims)]
    return Selection(tuple(starts), tuple(axes))


def split(dims: Dims, attrs: dict[str, Any]) -> Sequence[Selection] | None:
    """Parts along an axis, one behind the other."""
    at = attrs["axis"] % len(dims)
    total, sizes = dims[at], attrs["sizes"]
    if total is None:
        return None
    if sizes is None:
        sizes = [total // attrs["num"]] * attrs["num"]
    remaining = total - sum(size for size in sizes if size >= 0)
    section_sizes = [remaining if size < 0 else size for size in sizes]
    return [
        _range_along(dims, at, sum(section_sizes[:n]), size) for n, size in enumerate(section_sizes)
    ]


def concatenated(
    inputs: Sequence[Dims], result: Dims, attrs: dict[str, Any]
) -> Sequence[Selection]:
    """The places of inputs that lie one behind the other along an axis."""
    at = attrs["axis"] % len(result)
    sizes = [dims[at] or 0 for dims in inputs]
    return [_range_along(result, at, sum(sizes[:n]), size) for n, size in enumerate(sizes)]


def stacked(inputs: Sequence[Dims], result: Dims, attrs: dict[str, Any]) -> Sequence[Selection]:
    """The places of inputs that are entries along a new axis."""
    at = attrs["axis"] % len(result)
    axes = tuple([SelectedAxis(n, 1, size) for n, size in enumerate(result) if n != at])
    return [
        Selection(tuple([n if axis == at else 0 for axis in range(len(result))]), axes)
        for n in range(len(inputs))
    ]
