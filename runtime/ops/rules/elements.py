"""Rules for ops whose results are elements of their inputs, found by computed positions.

Each rule says, as an expression, what the element at a position of the result is; loops over arrays
compute it where it is needed.  A rule is given a ``Case``; it returns ``ElementFound``, or None
where the kernel has to compute the result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops.rules.lowering import (
    Apply,
    Case,
    Dims,
    ElementFound,
    Expression,
    Position,
    Read,
    Size,
)

_MOST_PADDED = 1 << 16
"""Larger arrays NumPy pads faster: it copies rows, where a loop chooses each element."""
INDEX = "int64"
_SAFE = 1 << 31
"""Sizes are multiplied with numbers up to this; their products fit int64."""


def _index(opcode: str, *args: Expression) -> Apply:
    return Apply(opcode, args, INDEX)


def _test(opcode: str, *args: Expression) -> Apply:
    return Apply(opcode, args, "bool")


def _cast(value: Expression, dtype: str = INDEX) -> Apply:
    return Apply("cast", (value,), dtype)


def _moved(place: Expression, by: int) -> Expression:
    return place if by == 0 else _index("add", place, by)


def _positions(*axes: int) -> tuple[Expression, ...]:
    return tuple([Position(axis) for axis in axes])


def _extent(dims: Dims, input: int, axis: int) -> Expression:
    """The size of an axis of an input: a number where it is known."""
    size = dims[axis]
    return Size(input, axis) if size is None else size


def _is_int(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "iu"


# -- arrays that are made of their positions ------------------------------------------------------


def one_hot(case: Case) -> ElementFound | None:
    """One number where the position along the new axis is the index, another elsewhere."""
    indices, at = case.dims[0], case.attrs["axis"] % (len(case.dims[0]) + 1)
    depth = case.result[at]
    if case.dtypes[0].itemsize < 4 and (depth is None or depth > 127):
        return None  # the positions do not fit the dtype of the indices
    index = Read(0, _positions(*[axis for axis in range(len(indices) + 1) if axis != at]))
    element = Apply("select", (_test("eq", _cast(index), Position(at)), Read(2), Read(3)))
    sizes: list[Expression] = [Size(0, axis) for axis in range(len(indices))]
    sizes.insert(at, Read(1))
    return ElementFound(element, tuple(sizes))


def numbers_of_range(case: Case) -> ElementFound | None:
    """The start, and so many steps more; ints wrap around as NumPy's do."""
    if case.dtypes[0].itemsize < 4:
        return None
    kind = "float64" if case.dtypes[0].kind == "f" else case.dtypes[0].name
    offset = Apply("mul", (_cast(Position(0), kind), _cast(Read(2), kind)), kind)
    number = Apply("add", (offset, _cast(Read(0), kind)), kind)
    return ElementFound(_cast(number, ""), (_index("range_size", Read(0), Read(1), Read(2)),))


def identity_matrix(case: Case) -> ElementFound:
    """One on the diagonal."""
    ones = _test("eq", Position(0), Position(1))
    return ElementFound(_cast(ones, ""), (Read(0), Read(1)))


def diagonal_matrix(case: Case) -> ElementFound | None:
    """The diagonal, and zeros around it."""
    rank, k = len(case.result), case.attrs["k"]
    row, column = (_moved(Position(rank - 2 + n), -max(off, 0)) for n, off in ((0, -k), (1, k)))
    size = _extent(case.dims[0], 0, rank - 2)
    inside = _test("and", _test("eq", row, column), _between(row, size))
    place = _index("select", inside, row, 0)
    element = Read(0, (*_positions(*range(rank - 2)), place))
    sizes = [Size(0, axis) for axis in range(rank - 2)]
    side = _moved(Size(0, rank - 2), abs(k))
    return ElementFound(Apply("select", (inside, element, 0)), (*sizes, side, side))


def _between(place: Expression, size: Expression) -> Expression:
    """Whether a place is from 0 to before a size."""
    return _test("and", _test("ge", place, 0), _test("lt", place, size))


def diagonal(case: Case) -> ElementFound | None:
    """The elements that stand so far to the right of the main diagonal."""
    rank, k = len(case.dims[0]), case.attrs["k"]
    if case.result[-1] is None or None in case.dims[0][-2:] or not case.result[-1]:
        return None
    row, column = (_index("add", Position(rank - 2), max(off, 0)) for off in (-k, k))
    sizes = tuple([Size(0, axis) for axis in range(rank - 1)])
    return ElementFound(Read(0, (*_positions(*range(rank - 2)), row, column)), sizes)


def band(case: Case) -> ElementFound:
    """The elements near the diagonal; zeros elsewhere."""
    rank = len(case.result)
    below = _index("sub", Position(rank - 2), Position(rank - 1))
    above = _index("sub", Position(rank - 1), Position(rank - 2))
    tests = [
        _test("or", _test("lt", _cast(limit), 0), _test("le", distance, _cast(limit)))
        for distance, limit in ((below, Read(1)), (above, Read(2)))
    ]
    element = Read(0, _positions(*range(rank)))
    return ElementFound(
        Apply("select", (_test("and", *tests), element, 0)),
        tuple([Size(0, n) for n in range(rank)]),
    )


# -- elements of one array at computed places -----------------------------------------------------


def padded(case: Case) -> ElementFound | None:
    """The array, with a number or its mirror image around it."""
    pairs, dims = case.values[1], case.dims[0]
    if pairs is None or not dims or np.shape(pairs) != (len(dims), 2):
        return None
    if np.min(pairs) < 0 or np.max(pairs) > _SAFE:
        return None
    if None not in case.result and math.prod(n or 0 for n in case.result) > _MOST_PADDED:
        return None
    mode, places, inside = case.attrs["mode"], list[Expression](), list[Expression]()
    for axis, (before, after) in enumerate(np.asarray(pairs).tolist()):
        size, room = _extent(dims, 0, axis), 1 if mode == "REFLECT" else 0
        if not before and not after:
            places.append(Position(axis))
            continue
        place = _moved(Position(axis), -before)
        if mode == "CONSTANT":
            inside.append(_between(place, size))
            places.append(_index("select", inside[-1], place, 0))
            continue
        known_size = dims[axis]
        if known_size is None or max(before, after) > known_size - room:
            return None
        place = _index("max", place, _index("sub", room - 1, place))
        places.append(_index("min", place, _index("sub", 2 * known_size - 1 - room, place)))
    element: Expression = Read(0, tuple(places))
    for is_inside in inside:
        element = Apply("select", (is_inside, element, Read(2)))
    sums = np.asarray(pairs).sum(1).tolist()
    return ElementFound(element, tuple([_moved(Size(0, n), added) for n, added in enumerate(sums)]))


def rolled(case: Case) -> ElementFound | None:
    """The elements, moved along axes; what leaves at one end enters at the other."""
    dims, axes, shifts = case.dims[0], case.attrs["axis"], case.values[1]
    if shifts is None or not axes or np.size(shifts) not in (1, len(axes)):
        return None
    moves = [0] * len(dims)
    for axis, shift in zip(axes, np.broadcast_to(shifts, (len(axes),)).tolist(), strict=True):
        moves[axis % len(dims)] += shift
    places = list[Expression]()
    for axis, (size, move) in enumerate(zip(dims, moves, strict=True)):
        if move == 0:
            places.append(Position(axis))
            continue
        if not size:
            return None
        place = _moved(Position(axis), -(move % size))
        below = _test("lt", place, 0)
        places.append(_index("select", below, _index("add", place, size), place))
    return ElementFound(Read(0, tuple(places)), tuple([Size(0, axis) for axis in range(len(dims))]))


def tiled(case: Case) -> ElementFound | None:
    """The array, again and again along each axis."""
    counts, dims = case.values[1], case.dims[0]
    if counts is None or not dims or np.size(counts) != len(dims):
        return None
    if np.min(counts) < 0 or np.max(counts) > _SAFE:
        return None
    places, sizes = list[Expression](), list[Expression]()
    for axis, count in enumerate(np.reshape(counts, -1).tolist()):
        size = dims[axis]
        if count == 1:
            places.append(Position(axis))
        elif not size:
            return None
        else:
            places.append(_index("floormod", Position(axis), size))
        sizes.append(Size(0, axis) if count == 1 else _index("mul", Size(0, axis), count))
    return ElementFound(Read(0, tuple(places)), tuple(sizes))


def repeated(case: Case) -> ElementFound | None:
    """Each entry along an axis, so many times."""
    dims, axis, count = case.dims[0], case.attrs["axis"], case.values[1]
    if axis is None and len(dims) == 1:
        axis = 0
    if axis is None or count is None or np.size(count) != 1 or not 0 < np.max(count) < _SAFE:
        return None
    at, times = axis % len(dims), int(np.max(count))
    places, sizes = [*_positions(*range(len(dims)))], [Size(0, n) for n in range(len(dims))]
    if times > 1:
        places[at] = _index("floordiv", Position(at), times)
    length = _index("mul", sizes[at], times)
    return ElementFound(Read(0, tuple(places)), (*sizes[:at], length, *sizes[at + 1 :]))


def sequences_reversed(case: Case) -> ElementFound:
    """The first entries of each sequence in the opposite order."""
    dims = case.dims[0]
    seq, batch = (case.attrs[name] % len(dims) for name in ("seq_axis", "batch_axis"))
    size = _extent(dims, 0, seq)
    length = _index("place", _cast(Read(1, _positions(batch))), _index("add", size, 1))
    mirrored = _index("sub", _index("sub", length, 1), Position(seq))
    places = [*_positions(*range(len(dims)))]
    turned = _index("select", _test("lt", Position(seq), length), mirrored, Position(seq))
    places[seq] = _index("place", turned, size)
    return ElementFound(Read(0, tuple(places)), tuple([Size(0, n) for n in range(len(dims))]))


# -- elements at indexes that an array holds ------------------------------------------------------


def gathered(case: Case) -> ElementFound | None:
    """Entries along an axis, at indexes from 0 on."""
    params, indices = case.dims[:2]
    at, batch = case.attrs["axis"], case.attrs["batch_dims"]
    at += len(params) if at < 0 else 0
    if not 0 <= batch <= min(at, len(indices)) or not _is_int(case.dtypes[1]):
        return None
    index_rank = len(indices) - batch
    index = Read(1, _positions(*range(batch), *range(at, at + index_rank)))
    place = _index("place", _cast(index), _extent(params, 0, at))
    axes_behind = range(at + index_rank, len(params) - 1 + index_rank)
    sizes = [Size(0, n) for n in range(at)] + [Size(1, n) for n in range(batch, len(indices))]
    sizes += [Size(0, n) for n in range(at + 1, len(params))]
    element = Read(0, (*_positions(*range(at)), place, *_positions(*axes_behind)))
    return ElementFound(element, tuple(sizes))


def gathered_by_tuples(case: Case) -> ElementFound | None:
    """Entries along the first axes after the batch, at tuples of indexes."""
    params, indices = case.dims[:2]
    batch, depth = case.attrs["batch_dims"], indices[-1] if indices else None
    if depth is None or not depth or not 0 <= batch < len(indices):
        return None
    outer = range(len(indices) - 1)
    places = [
        _index("place", _cast(Read(1, (*_positions(*outer), n))), _extent(params, 0, batch + n))
        for n in range(depth)
    ]
    index_rank = len(indices) - 1 - batch - depth
    row_axes = range(batch + depth, len(params))
    sizes = [Size(1, n) for n in outer] + [Size(0, n) for n in row_axes]
    inner = _positions(*[n + index_rank for n in row_axes])
    return ElementFound(Read(0, (*_positions(*range(batch)), *places, *inner)), tuple(sizes))


def taken_along(case: Case) -> ElementFound | None:
    """Computes along an axis, at an index for each; indexes below 0 count from the end."""
    dims, at = case.dims[0], case.attrs["axis"] % max(len(case.dims[0]), 1)
    if len(case.dims[1]) != len(dims) or not _is_int(case.dtypes[1]):
        return None
    places = [*_positions(*range(len(dims)))]
    places[at] = _wrapped(Read(1, tuple(places)), case, 1, _extent(dims, 0, at))
    return ElementFound(Read(0, tuple(places)), tuple([Size(1, n) for n in range(len(dims))]))


def _wrapped(index: Read, case: Case, input: int, size: Expression) -> Expression:
    """The position that an index means, which counts from the end if it is below 0."""
    opcode = "place" if case.dtypes[input].kind == "u" else "place.wrapped"
    return _index(opcode, _cast(index), size)


_NO_INPUTS = (slice, int, np.ndarray, type(None), type(Ellipsis))
"""What may stand in a key besides inputs of the op."""


class Pick(NamedTuple):
    """Key that is slices and one array of ints: the place of the array among the axes of the array
    that is indexed, the slices' starts and steps, and the sizes that they leave; None: all.
    """

    axis: int
    ways: tuple[tuple[int, int], ...]
    sizes: tuple[int | None, ...]


def picked(case: Case) -> ElementFound | None:
    """Entries along an axis, at the indexes of an array in the key."""
    pick = pick_of(case.dims[0], case.attrs["key"], case.dims[1:], case.dtypes[1:])
    if pick is None:
        return None
    dims, indices, at = case.dims[0], case.dims[1], pick.axis
    index = Read(1, _positions(*range(at, at + len(indices))))
    places = list[Expression]()
    for axis, (start, step) in enumerate(pick.ways):
        place: Expression = Position(axis if axis < at else axis + len(indices) - 1)
        if (start, step) != (0, 1):
            place = _index("add", place if step == 1 else _index("mul", place, step), start)
        places.append(place)
    places[at] = _wrapped(index, case, 1, _extent(dims, 0, at))
    sizes = [Size(0, axis) if size is None else size for axis, size in enumerate(pick.sizes)]
    of_indices = [Size(1, axis) for axis in range(len(indices))]
    return ElementFound(Read(0, tuple(places)), (*sizes[:at], *of_indices, *sizes[at + 1 :]))


def masked(case: Case) -> ElementFound | None:
    """A number where the mask that is the key holds, else the element of the first input."""
    x, value, *masks = case.dims
    if len(case.attrs["key"]) != 1 or len(masks) != 1 or case.dtypes[2].kind != "b":
        return None
    if value or case.dtypes[0] != case.dtypes[1] or not 0 < len(masks[0]) <= len(x):
        return None
    axes = range(len(x))
    mask = Read(2, _positions(*axes[: len(masks[0])]))
    element = Apply("select", (mask, Read(1), Read(0, _positions(*axes))))
    return ElementFound(element, tuple([Size(0, axis) for axis in axes]))


def pick_of(
    dims: Dims, key: tuple[Any, ...], inputs: Any, dtypes: Any
) -> Pick | None:
    """Return which axis an array of ints in a key indexes; None for other keys."""
    arrays = [item for item in key if not isinstance(item, _NO_INPUTS)]
    if len(arrays) != 1 or len(inputs) != 1 or not inputs[0] or not _is_int(dtypes[0]):
        return None
    items = list(key)
    ellipses = [n for n, item in enumerate(items) if item is Ellipsis]
    used = len(items) - len(ellipses)
    if sum(isinstance(item, slice) for item in items) != used - 1 or used > len(dims):
        return None
    if len(ellipses) > 1:
        return None
    at = ellipses[0] if ellipses else len(items)
    items[at : at + 1] = [slice(None)] * (len(dims) - used)
    steps, sizes = list[tuple[int, int]](), list[int | None]()
    for size, item in zip(dims, items, strict=True):
        bounds = (item.start, item.stop, item.step) if isinstance(item, slice) else ()
        if not any(bound is not None for bound in bounds):
            steps.append((0, 1))
            sizes.append(None)
            continue
        if size is None or not all(type(bound) in (int, type(None)) for bound in bounds):
            return None
        indexes = range(*item.indices(size))
        steps.append((indexes.start, indexes.step))
        sizes.append(len(indexes))
    return Pick(items.index(arrays[0]), tuple(steps), tuple(sizes))
