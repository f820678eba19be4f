"""Rules for ops whose results are views: which elements of the array they have.

A loop over a view reads the array itself; no view is made.  Each rule takes the static shape of the
array, the attributes of the op and the values of its other inputs, None where they are not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime.ops.rules.lowering import Dims, SelectedAxis, Selection

NEW_AXIS = SelectedAxis(None)


def _of_axes(dims: Dims, axes: Iterable[int | None]) -> Selection:
    """Return all elements, with these axes of the array; None is a new axis."""
    found = [NEW_AXIS if axis is None else SelectedAxis(axis, 1, dims[axis]) for axis in axes]
    return Selection((0,) * len(dims), tuple(found))


def by_key(dims: Dims, attrs: dict[str, Any], indices: Sequence[Any]) -> Selection | None:
    """The elements that a key of ints, slices, None and an ellipsis selects.

    Ints alone select an element or a row, which native code reads by ``array.item``.
    """
    parts = list(attrs["key"])
    if all(type(part) is int for part in parts):
        return None
    if not all(part is None or part is Ellipsis or type(part) in (int, slice) for part in parts):
        return None
    missing = len(dims) - sum(type(part) in (int, slice) for part in parts)
    at = next((n for n, part in enumerate(parts) if part is Ellipsis), len(parts))
    parts[at : at + 1] = [slice(None)] * missing
    starts: list[int] = []
    axes: list[SelectedAxis] = []
    for part in parts:
        axis = len(starts)
        if part is None:
            axes.append(NEW_AXIS)
            continue
        size = dims[axis]
        if isinstance(part, slice) and part == slice(None):
            starts.append(0)
            axes.append(SelectedAxis(axis, 1, size))
            continue
        bounds = (part.start, part.stop, part.step) if isinstance(part, slice) else (part,)
        if size is None or not all(type(bound) in (int, type(None)) for bound in bounds):
            return None
        if isinstance(part, slice):
            found = range(*part.indices(size))
            starts.append(found.start if found else 0)
            axes.append(SelectedAxis(axis, found.step, len(found)))
        elif -size <= part < size:
            starts.append(part % size)
        else:
            return None
    return Selection(tuple(starts), tuple(axes))


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
    missing = np.size(shape[0]) - len(dims)
    return _of_axes(dims, [None] * missing + [
        None if size == 1 else axis for axis, size in enumerate(dims)
    ])  # fmt: skip


def reversed_along(dims: Dims, attrs: dict[str, Any], _: Sequence[Any]) -> Selection | None:
    """In the opposite order along axes."""
    gone = {axis % len(dims) for axis in attrs["axis"]}
    if any(dims[axis] is None for axis in gone):
        return None
    starts = [max((size or 0) - 1, 0) if n in gone else 0 for n, size in enumerate(dims)]
    axes = [SelectedAxis(n, -1 if n in gone else 1, size) for n, size in enumerate(dims)]
    return Selection(tuple(starts), tuple(axes))


def _range_along(dims: Dims, at: int, start: int, size: int) -> Selection:
    """Return the elements in a range along one axis."""
    starts = [start if axis == at else 0 for axis in range(len(dims))]
    axes = [SelectedAxis(n, 1, size if n == at else whole) for n, whole in enumerate(dims)]
    return Selection(tuple(starts), tuple(axes))


def split(dims: Dims, attrs: dict[str, Any]) -> Sequence[Selection] | None:
    """Parts along an axis, one behind the other."""
    at = attrs["axis"] % len(dims)
    total, sizes = dims[at], attrs["sizes"]
    if total is None:
        return None
    if sizes is None:
        sizes = [total // attrs["num"]] * attrs["num"]
    rest = total - sum(size for size in sizes if size >= 0)
    whole = [rest if size < 0 else size for size in sizes]
    return [_range_along(dims, at, sum(whole[:n]), size) for n, size in enumerate(whole)]


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
