"""Functions of the array API standard about shapes: join, part, turn, repeat, broadcast."""

from __future__ import annotations

import operator
from typing import Any

from numpy.exceptions import AxisError

from runtime.array_api.promotion import cast, of_kind, result_type, tensor
from runtime.ops.array import concat_split, shape
from runtime.ops.rules.inference import broadcast_shapes as _joint_shape
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorShape
from runtime.types.value import Value


def rank_of(x: Any, name: str) -> int:
    """The rank of an array; ValueError in graphs where it is not known."""
    dims = x.shape.dims
    if dims is None:
        raise ValueError(f"{name} needs an array of known rank; use ensure_shape or set_shape")
    return len(dims)


def one_axis(axis: Any, rank: int, name: str) -> int:
    """An axis counted from the front; AxisError (an IndexError) when out of range."""
    at = operator.index(axis)
    if not -rank <= at < rank:
        raise AxisError(f"{name}: axis {at} is out of bounds for an array of rank {rank}")
    return at % rank if rank else 0


def axes_of(axis: Any, rank: int, name: str) -> tuple[int, ...]:
    """Axes counted from the front: all for None, one, or several, which must differ."""
    if axis is None:
        return tuple(range(rank))
    axes = tuple(one_axis(a, rank, name) for a in (axis if isinstance(axis, tuple) else (axis,)))
    if len(set(axes)) < len(axes):
        raise ValueError(f"{name}: the axes must differ, got {axis}")
    return axes


def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    """The arrays broadcast to one shape."""
    values = tuple(tensor(a, "broadcast_arrays") for a in arrays)
    if not values:
        return ()
    joint = TensorShape(())
    for value in values:
        joint = _joint_shape(joint, value.shape)
    wanted: Any = joint
    if not joint.is_fully_defined():
        wanted = shape.shape(values[0])
        for value in values[1:]:
            wanted = shape.broadcast_dynamic_shape(wanted, shape.shape(value))
    return tuple(shape.broadcast_to(v, wanted) for v in values)


def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The shape that arrays of these shapes have together; ValueError when there is none.

    Of version 2025.12 of the standard.  None is a size that is not known.
    """
    joint = TensorShape(())
    for one in shapes:
        joint = _joint_shape(joint, TensorShape(one))
    return tuple(joint)


def broadcast_to(x: Any, /, shape: Any) -> Any:
    """``x`` repeated along axes of size 1, and new ones in front, to ``shape``."""
    return _broadcast_to(tensor(x, "broadcast_to"), _sizes(shape))


_broadcast_to, _reshape, _roll, _squeeze = (
    shape.broadcast_to, shape.reshape, shape.roll, shape.squeeze,
)  # fmt: skip


def _sizes(sizes: Any) -> Any:
    return [sizes] if isinstance(sizes, int) else sizes


def concat(arrays: Any, /, *, axis: int | None = 0) -> Any:
    """The arrays joined along an axis; with None flattened first."""
    values = [tensor(a, "concat") for a in arrays]
    dtype = result_type(*values)
    values = [cast(v, dtype) for v in values]
    if axis is None:
        return concat_split.concat([_reshape(v, [-1]) for v in values], 0)
    return concat_split.concat(values, one_axis(axis, rank_of(values[0], "concat"), "concat"))


def stack(arrays: Any, /, *, axis: int = 0) -> Any:
    """The arrays joined along a new axis."""
    values = [tensor(a, "stack") for a in arrays]
    dtype = result_type(*values)
    at = one_axis(axis, rank_of(values[0], "stack") + 1, "stack")
    return concat_split.stack([cast(v, dtype) for v in values], at)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The arrays along an axis, whose size must be known."""
    x = tensor(x, "unstack")
    at = one_axis(axis, rank_of(x, "unstack"), "unstack")
    return tuple(concat_split.unstack(x, axis=at))


def expand_dims(x: Any, /, axis: Any = 0) -> Any:
    """``x`` with new axes of size 1."""
    x = tensor(x, "expand_dims")
    several = axis if isinstance(axis, tuple) else (axis,)
    rank = rank_of(x, "expand_dims") + len(several)
    for at in sorted(axes_of(several, rank, "expand_dims")):
        x = shape.expand_dims(x, at)
    return x


def squeeze(x: Any, /, axis: Any) -> Any:
    """``x`` without the axes named, which must have size 1; ValueError otherwise."""
    x = tensor(x, "squeeze")
    axes = axes_of(axis, rank_of(x, "squeeze"), "squeeze")
    return _squeeze(x, list(axes)) if axes else x


def flip(x: Any, /, *, axis: Any = None) -> Any:
    """``x`` in reverse order along the axes (all by default)."""
    x = tensor(x, "flip")
    axes = axes_of(axis, rank_of(x, "flip"), "flip")
    return shape.reverse(x, list(axes)) if axes else x


def permute_dims(x: Any, /, axes: Any) -> Any:
    """The axes of ``x`` in another order."""
    x = tensor(x, "permute_dims")
    rank = rank_of(x, "permute_dims")
    order = axes_of(tuple(axes), rank, "permute_dims")
    if len(order) != rank:
        raise ValueError(f"permute_dims: axes must name each of the {rank} axes, got {axes}")
    return shape.transpose(x, list(order)) if rank else x


def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    """``x`` with some axes at other places; the others keep their order."""
    x = tensor(x, "moveaxis")
    rank = rank_of(x, "moveaxis")
    start, end = axes_of(source, rank, "moveaxis"), axes_of(destination, rank, "moveaxis")
    if len(start) != len(end):
        raise ValueError(f"moveaxis: {source} and {destination} must name as many axes")
    order = [a for a in range(rank) if a not in start]
    for to, at in sorted(zip(end, start, strict=True)):
        order.insert(to, at)
    return permute_dims(x, tuple(order))


def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    """The same elements in another shape, one size of which may be -1."""
    return _reshape(tensor(x, "reshape"), _sizes(shape))


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    """``x`` moved by ``shift``, what leaves at one end entering at the other."""
    x = tensor(x, "roll")
    if axis is None:
        sizes = x.shape if x.shape.is_fully_defined() else shape.shape(x)
        return _reshape(_roll(_reshape(x, [-1]), shift, 0), sizes)
    rank = rank_of(x, "roll")
    axes = axis if isinstance(axis, tuple) else (axis,)
    at = [one_axis(a, rank, "roll") for a in axes]
    steps = shift if isinstance(shift, tuple) else (shift,) * len(at)
    if len(steps) != len(at):
        raise ValueError(f"roll: shift {shift} and axis {axis} must be of one length")
    return _roll(x, list(steps), at)


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Each element repeated along an axis; with None of the flattened array."""
    x = tensor(x, "repeat")
    if axis is None:
        x, at = _reshape(x, [-1]), 0
    else:
        at = one_axis(axis, rank_of(x, "repeat"), "repeat")
    if isinstance(repeats, Value):
        repeats = cast(of_kind(repeats, "iu", "repeat"), int64)
    return concat_split.repeat(x, repeats, at)


def tile(x: Any, repetitions: Any, /) -> Any:
    """``x`` repeated as a whole along each axis."""
    x = tensor(x, "tile")
    counts = list(repetitions)
    rank = rank_of(x, "tile")
    for _ in range(len(counts) - rank):
        x = shape.expand_dims(x, 0)
    return concat_split.tile(x, [1] * (rank - len(counts)) + counts)
