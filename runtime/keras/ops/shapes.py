"""Shapes, parts and joints of tensors, with NumPy's names."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from runtime.keras.ops.promotion import as_float, promoted
from runtime.ops.array import concat_split, gather_scatter
from runtime.ops.array import shape as shape_ops
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import linspace as linspace_op
from runtime.ops.array.creation import meshgrid as meshgrid_op
from runtime.ops.array.where import where as where_op
from runtime.ops.docstrings import documented
from runtime.ops.linalg.matrices import trace as trace_op
from runtime.ops.numpy_functions import (
    exchanged_axes,
    from_front,
    moved_axes,
    roll_elements,
    tile_axes,
    triangle,
)
from runtime.types.dtypes import bool_, int32

_X = "tensor, array or number"


def rank_of(x: Any) -> int:
    """Return the number of axes of a tensor; ValueError if it is not known."""
    rank = x.shape.rank
    if rank is None:
        raise ValueError("the number of axes must be known; set it with runtime.ensure_shape")
    return int(rank)


@documented("Tensor of shape ``newshape``", x=_X, newshape="sizes; -1 for what is left")
def reshape(x: Any, newshape: Any) -> Any:
    """Give the elements another shape."""
    sizes = [newshape] if isinstance(newshape, int) else newshape
    return shape_ops.reshape(convert_to_tensor(x), sizes)


@documented("Vector", x=_X)
def ravel(x: Any) -> Any:
    """Return all elements in a row."""
    return shape_ops.reshape(convert_to_tensor(x), [-1])


@documented("Tensor", x=_X, axes="order of the axes; None: reversed")
def transpose(x: Any, axes: Any = None) -> Any:
    """Permute axes."""
    return shape_ops.transpose(convert_to_tensor(x), axes)


@documented("Tensor", x=_X, source="axes that move", destination="where they move to")
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Move axes; the others stay in order."""
    x = convert_to_tensor(x)
    rank = rank_of(x)
    sources, places = (
        [a % rank for a in (axes if isinstance(axes, Sequence) else [axes])]
        for axes in (source, destination)
    )
    return shape_ops.transpose(x, moved_axes(rank, sources, places))


@documented("Tensor", x=_X, axis1="an axis", axis2="another axis")
def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """Exchange two axes."""
    x = convert_to_tensor(x)
    return shape_ops.transpose(x, exchanged_axes(rank_of(x), axis1, axis2))


@documented("Tensor", x=_X, axis="places of the new axes")
def expand_dims(x: Any, axis: Any) -> Any:
    """Add axes of size 1."""
    x = convert_to_tensor(x)
    several = axis if isinstance(axis, Sequence) else [axis]
    rank = rank_of(x) + len(several) if len(several) > 1 else 0
    for place in sorted([a % rank for a in several]) if rank else several:
        x = shape_ops.expand_dims(x, place)
    return x


@documented("Tensor", x=_X, axis="axes; None: all of size 1")
def squeeze(x: Any, axis: Any = None) -> Any:
    """Remove axes of size 1."""
    return shape_ops.squeeze(convert_to_tensor(x), axis)


@documented("Tensor of the common dtype", xs="tensors", axis="the axis")
def concatenate(xs: Any, axis: int = 0) -> Any:
    """Join tensors along an axis."""
    return concat_split.concat(list(promoted(*xs)), axis)


@documented("Tensor of the common dtype", x="tensors", axis="place of the new axis")
def stack(x: Any, axis: int = 0) -> Any:
    """Join tensors along a new axis."""
    return concat_split.stack(list(promoted(*x)), axis)


@documented("Tensor of the common dtype", xs="tensors; vectors are columns side by side")
def hstack(xs: Any) -> Any:
    """Join tensors along the second axis, vectors along the first."""
    tensors = promoted(*xs)
    return concat_split.concat(list(tensors), 0 if rank_of(tensors[0]) < 2 else 1)


@documented("Tensor of the common dtype", xs="tensors; vectors are rows")
def vstack(xs: Any) -> Any:
    """Join tensors along the first axis, vectors as rows."""
    tensors = [t if rank_of(t) > 1 else shape_ops.reshape(t, [1, -1]) for t in promoted(*xs)]
    return concat_split.concat(tensors, 0)


@documented(
    "List of tensors", x=_X, indices_or_sections="number of parts, or where to cut",
    axis="the axis",
)  # fmt: skip
def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Cut a tensor into parts."""
    x = convert_to_tensor(x)
    if isinstance(indices_or_sections, int):
        return list(concat_split.split(x, indices_or_sections, axis))
    size = x.shape[axis]
    cuts = [0, *indices_or_sections, shape_ops.shape(x)[axis] if size is None else size]
    sizes = [end - begin for begin, end in itertools.pairwise(cuts)]
    return list(concat_split.split(x, sizes, axis))


@documented("List of tensors", x=_X, num="number of parts, if the size is not known", axis="axis")
def unstack(x: Any, num: int | None = None, axis: int = 0) -> list[Any]:
    """Take a tensor apart along an axis."""
    return list(concat_split.unstack(convert_to_tensor(x), num, axis))


@documented("Tensor", x=_X, repeats="numbers of repetitions of each axis")
def tile(x: Any, repeats: Any) -> Any:
    """Repeat a whole tensor along its axes."""
    x = convert_to_tensor(x)
    rank_of(x)
    return tile_axes(x, [repeats] if isinstance(repeats, int) else list(repeats))


@documented("Tensor", x=_X, repeats="number, or numbers, of repetitions",
            axis="the axis; None: of all elements in a row")  # fmt: skip
def repeat(x: Any, repeats: Any, axis: int | None = None) -> Any:
    """Repeat each element, or entry along an axis."""
    return concat_split.repeat(convert_to_tensor(x), repeats, axis)


@documented("Tensor", x=_X, shift="number of places", axis="axes; None: all elements in a row")
def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """Move elements along axes; those that leave come back at the other end."""
    x = convert_to_tensor(x)
    if axis is None:
        return roll_elements(x, shift)
    return shape_ops.roll(x, shift, axis)


@documented("Tensor of the shape of ``x``", x=_X, axis="axes; None: all")
def flip(x: Any, axis: Any = None) -> Any:
    """Reverse the order of elements along axes."""
    x = convert_to_tensor(x)
    axes = range(rank_of(x)) if axis is None else axis if isinstance(axis, Sequence) else [axis]
    return shape_ops.reverse(x, list(axes))


@documented("Tensor of shape ``shape``", x=_X, shape="the shape")
def broadcast_to(x: Any, shape: Any) -> Any:
    """Repeat elements along new axes, and along those of size 1."""
    return shape_ops.broadcast_to(convert_to_tensor(x), shape)


@documented(
    "Tensor", x=_X, pad_width="a number, a pair, or a pair for each axis: before and after",
    mode="'constant', 'reflect' or 'symmetric'", constant_values="value of constant padding",
)  # fmt: skip
def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = None) -> Any:
    """Add elements around a tensor."""
    x = convert_to_tensor(x)
    pairs = [pad_width] if isinstance(pad_width, int) else list(pad_width)
    if len(pairs) == 2 and all(isinstance(width, int) for width in pairs):
        pairs = [tuple(pairs)]
    pairs = [(width, width) if isinstance(width, int) else tuple(width) for width in pairs]
    pairs = pairs * rank_of(x) if len(pairs) == 1 else pairs
    return concat_split.pad(x, pairs, mode.upper(), constant_values or 0)


@documented("Tensor", x=_X, indices="positions; negative ones count from the end",
            axis="the axis; None: of all elements in a row")  # fmt: skip
def take(x: Any, indices: Any, axis: int | None = None) -> Any:
    """Take entries along an axis."""
    x, places = convert_to_tensor(x), convert_to_tensor(indices)
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    return gather_scatter.gather(x, from_front(places, shape_ops.shape(x)[axis]), axis=axis)


@documented("Tensor of the shape of ``indices``", x=_X, indices="positions along the axis",
            axis="the axis; None: of all elements in a row")  # fmt: skip
def take_along_axis(x: Any, indices: Any, axis: int | None = None) -> Any:
    """Take an element along an axis for each position."""
    x, places = convert_to_tensor(x), convert_to_tensor(indices)
    x, places, axis = (ravel(x), ravel(places), 0) if axis is None else (x, places, axis)
    last_axis = rank_of(x) - 1
    x, places = swapaxes(x, axis, last_axis), swapaxes(places, axis, last_axis)
    places = from_front(places, shape_ops.shape(x)[last_axis])
    return swapaxes(
        gather_scatter.gather(x, places, axis=last_axis, batch_dims=last_axis), axis, last_axis
    )


@documented("Tuple of vectors of dtype int32, one for each axis", x=_X)
def nonzero(x: Any) -> tuple[Any, ...]:
    """Return the positions of elements that are not zero."""
    places = cast(where_op(cast(convert_to_tensor(x), bool_)), int32)
    return tuple(concat_split.unstack(places, rank_of(convert_to_tensor(x)), 1))


@documented("List of tensors", x="vectors", indexing="'xy' or 'ij'")
def meshgrid(*x: Any, indexing: str = "xy") -> list[Any]:
    """Make the coordinates of a grid."""
    return list(meshgrid_op(*x, indexing=indexing))


@documented(
    "Tensor with a new axis", start="first value", stop="last value", num="number of values",
    endpoint="whether ``stop`` is one of them", retstep="whether the step is returned, too",
    dtype="dtype of the result", axis="place of the new axis",
)  # fmt: skip
def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    """Make values at equal distances."""
    begin, end = (as_float(v) for v in promoted(start, stop))
    step = (end - begin) / max(num - 1 if endpoint else num, 1)
    values = linspace_op(begin, end if endpoint else end - step, num, axis=axis)
    values = values if dtype is None else cast(values, dtype)
    return (values, step) if retstep else values


@documented("Tensor", x=_X, k="diagonal: 0 the main one, positive above it")
def triu(x: Any, k: int = 0) -> Any:
    """Return the elements on and above a diagonal, zeros below."""
    return triangle(convert_to_tensor(x), k, is_lower=False)


@documented("Tensor", x=_X, k="diagonal: 0 the main one, positive above it")
def tril(x: Any, k: int = 0) -> Any:
    """Return the elements on and below a diagonal, zeros above."""
    return triangle(convert_to_tensor(x), k, is_lower=True)


@documented("Tensor", x=_X, offset="diagonal", axis1="axis of rows", axis2="axis of columns")
def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Add up the elements of a diagonal."""
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    if offset:
        x = x[..., :, offset:] if offset > 0 else x[..., -offset:, :]
        size = min(int(x.shape[-2]), int(x.shape[-1]))
        x = x[..., :size, :size]
    return trace_op(x)


@documented("Tensor", x=_X, key="what stands between brackets")
def get_item(x: Any, key: Any) -> Any:
    """Return ``x[key]``."""
    return convert_to_tensor(x)[key]


