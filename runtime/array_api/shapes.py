"""Functions of the array API standard about shapes: join, part, turn, repeat, broadcast."""

from __future__ import annotations

import operator
from typing import Any

from numpy.exceptions import AxisError

from runtime.array_api.promotion import cast, of_kind, result_type, tensor
from runtime.ops.array import concat_split, shape
from runtime.ops.numpy_functions import moved_axes, roll_elements, tile_axes
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


def broadcast_arrays(*arrays: Any) -> list[Any]:
    """Broadcast arrays to one shape.

    Args:
        arrays: arrays whose shapes broadcast.
    Returns:
        List of as many arrays, all of the broadcast shape.
    Raises:
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
    values = tuple(tensor(a, "broadcast_arrays") for a in arrays)
    if not values:
        return []
    joint = TensorShape(())
    for value in values:
        joint = _joint_shape(joint, value.shape)
    target: Any = joint
    if not joint.is_fully_defined():
        target = shape.shape(values[0])
        for value in values[1:]:
            target = shape.broadcast_dynamic_shape(target, shape.shape(value))
    return [shape.broadcast_to(v, target) for v in values]


def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Compute the shape that shapes broadcast to.

    The function is of version 2025.12 of the standard.

    Args:
        shapes: tuples of sizes; None is an unknown size.
    Returns:
        Tuple of sizes.
    Raises:
        ValueError: the shapes do not broadcast.
    """
    joint = TensorShape(())
    for dims in shapes:
        joint = _joint_shape(joint, TensorShape(dims))
    return tuple(joint)


def broadcast_to(x: Any, /, shape: Any) -> Any:
    """Repeat an array along axes of size 1, and along new axes in front.

    Args:
        x: array.
        shape: shape of the result.
    Returns:
        Array of ``shape`` and the dtype of ``x``.
    Raises:
        InvalidArgumentError: the shape of ``x`` does not broadcast to ``shape``.
    """
    return _broadcast_to(tensor(x, "broadcast_to"), _sizes(shape))


_broadcast_to, _reshape, _roll, _squeeze = (
    shape.broadcast_to, shape.reshape, shape.roll, shape.squeeze,
)  # fmt: skip


def _sizes(sizes: Any) -> Any:
    return [sizes] if isinstance(sizes, int) else sizes


def concat(arrays: Any, /, *, axis: int | None = 0) -> Any:
    """Join arrays along an axis.

    Args:
        arrays: arrays of dtypes that promote, whose other axes have the same sizes.
        axis: the axis; None flattens the arrays first.
    Returns:
        Array of the common dtype.
    Raises:
        TypeError: the dtypes do not promote.
        InvalidArgumentError: the shapes do not fit.
    """
    values = [tensor(a, "concat") for a in arrays]
    dtype = result_type(*values)
    values = [cast(v, dtype) for v in values]
    if axis is None:
        return concat_split.concat([_reshape(v, [-1]) for v in values], 0)
    return concat_split.concat(values, one_axis(axis, rank_of(values[0], "concat"), "concat"))


def stack(arrays: Any, /, *, axis: int = 0) -> Any:
    """Join arrays along a new axis.

    Args:
        arrays: arrays of one shape, of dtypes that promote.
        axis: position of the new axis in the result.
    Returns:
        Array of the common dtype.
    Raises:
        TypeError: the dtypes do not promote.
        InvalidArgumentError: the shapes differ.
    """
    values = [tensor(a, "stack") for a in arrays]
    dtype = result_type(*values)
    at = one_axis(axis, rank_of(values[0], "stack") + 1, "stack")
    return concat_split.stack([cast(v, dtype) for v in values], at)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """Split an array into the arrays along an axis.

    Args:
        x: array.
        axis: the axis, whose size must be known.
    Returns:
        Tuple of arrays without the axis.
    Raises:
        ValueError: the rank or the size is unknown.
    """
    x = tensor(x, "unstack")
    at = one_axis(axis, rank_of(x, "unstack"), "unstack")
    return tuple(concat_split.unstack(x, axis=at))


def expand_dims(x: Any, /, axis: Any = 0) -> Any:
    """Insert axes of size 1.

    Args:
        x: array.
        axis: position of a new axis in the result, or a tuple of them.
    Returns:
        Array of a greater rank.
    Raises:
        ValueError: two positions are the same.
    """
    x = tensor(x, "expand_dims")
    several = axis if isinstance(axis, tuple) else (axis,)
    rank = rank_of(x, "expand_dims") + len(several)
    for at in sorted(axes_of(several, rank, "expand_dims")):
        x = shape.expand_dims(x, at)
    return x


def squeeze(x: Any, /, axis: Any) -> Any:
    """Remove axes of size 1.

    Args:
        x: array.
        axis: the axis, or a tuple of them.
    Returns:
        Array of a smaller rank.
    Raises:
        ValueError: an axis has another size, or is named twice.
    """
    x = tensor(x, "squeeze")
    axes = axes_of(axis, rank_of(x, "squeeze"), "squeeze")
    return _squeeze(x, list(axes)) if axes else x


def flip(x: Any, /, *, axis: Any = None) -> Any:
    """Reverse the order of the elements along axes.

    Args:
        x: array.
        axis: the axis, a tuple of them, or None for all.
    Returns:
        Array of the shape and dtype of ``x``.
    """
    x = tensor(x, "flip")
    axes = axes_of(axis, rank_of(x, "flip"), "flip")
    return shape.reverse(x, list(axes)) if axes else x


def permute_dims(x: Any, /, axes: Any) -> Any:
    """Reorder the axes of an array.

    Args:
        x: array.
        axes: for each axis of the result, the axis of ``x``.
    Returns:
        Array of the dtype of ``x``.
    Raises:
        ValueError: ``axes`` does not name each axis once.
    """
    x = tensor(x, "permute_dims")
    rank = rank_of(x, "permute_dims")
    order = axes_of(tuple(axes), rank, "permute_dims")
    if len(order) != rank:
        raise ValueError(f"permute_dims: axes must name each of the {rank} axes, got {axes}")
    return shape.transpose(x, list(order)) if rank else x


def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    """Move axes to other positions; the others keep their order.

    Args:
        x: array.
        source: the axis, or a tuple of them.
        destination: the position of each in the result.
    Returns:
        Array of the dtype of ``x``.
    Raises:
        ValueError: there are not as many positions as axes.
    """
    x = tensor(x, "moveaxis")
    rank = rank_of(x, "moveaxis")
    start, end = axes_of(source, rank, "moveaxis"), axes_of(destination, rank, "moveaxis")
    if len(start) != len(end):
        raise ValueError(f"moveaxis: {source} and {destination} must name as many axes")
    return permute_dims(x, tuple(moved_axes(rank, start, end)))


def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    """Arrange the elements of an array in another shape.

    Args:
        x: array.
        shape: shape of as many elements; one size may be -1, to be computed.
        copy: without effect; tensors are immutable.
    Returns:
        Array of ``shape`` and the dtype of ``x``.
    Raises:
        InvalidArgumentError: the shape has another number of elements.
    """
    return _reshape(tensor(x, "reshape"), _sizes(shape))


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    """Shift elements along axes; what leaves at one end enters at the other.

    Args:
        x: array.
        shift: the distance, or a tuple of one for each axis.
        axis: the axis, or a tuple of them; None shifts the flattened array.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        ValueError: there are not as many distances as axes.
    """
    x = tensor(x, "roll")
    if axis is None:
        return roll_elements(x, shift)
    rank = rank_of(x, "roll")
    axes = axis if isinstance(axis, tuple) else (axis,)
    at = [one_axis(a, rank, "roll") for a in axes]
    steps = shift if isinstance(shift, tuple) else (shift,) * len(at)
    if len(steps) != len(at):
        raise ValueError(f"roll: shift {shift} and axis {axis} must be of one length")
    return _roll(x, list(steps), at)


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Repeat each element along an axis.

    Args:
        x: array.
        repeats: integer, or a vector of one integer for each element along the axis.
        axis: the axis; None repeats the elements of the flattened array.
    Returns:
        Array of the dtype of ``x``.
    Raises:
        TypeError: ``repeats`` is an array of another dtype.
    """
    x = tensor(x, "repeat")
    if axis is None:
        x, at = _reshape(x, [-1]), 0
    else:
        at = one_axis(axis, rank_of(x, "repeat"), "repeat")
    if isinstance(repeats, Value):
        repeats = cast(of_kind(repeats, "iu", "repeat"), int64)
    return concat_split.repeat(x, repeats, at)


def tile(x: Any, repetitions: Any, /) -> Any:
    """Repeat an array as a whole along each axis.

    Args:
        x: array.
        repetitions: number of repetitions for each axis, the last one last.
    Returns:
        Array of the dtype of ``x``.
    """
    x = tensor(x, "tile")
    rank_of(x, "tile")
    return tile_axes(x, list(repetitions))
