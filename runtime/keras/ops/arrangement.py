"""Parts, joints and turns of tensors with NumPy's names, made of those in ``shapes.py``."""

from __future__ import annotations

import itertools
from typing import Any

from runtime.keras.ops.linalg import diag
from runtime.keras.ops.promotion import promoted
from runtime.keras.ops.shapes import (
    concatenate,
    flip,
    moveaxis,
    rank_of,
    ravel,
    split,
    swapaxes,
)
from runtime.ops.array import shape as shape_ops
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.constants import identity as identity_op
from runtime.ops.docstrings import documented
from runtime.ops.linalg import matrices

_X = "tensor, array or number"
_CUTS = "number of parts, or where to cut"
_PARTS = "List of tensors"


@documented("Tensor of the common dtype", x1=_X, x2=_X,
            axis="the axis; None: all elements in a row")  # fmt: skip
def append(x1: Any, x2: Any, axis: int | None = None) -> Any:
    """Put one tensor behind another."""
    if axis is None:
        return concatenate([ravel(x1), ravel(x2)], 0)
    return concatenate([x1, x2], axis)


@documented("Tensor", x=_X)
def copy(x: Any) -> Any:
    """Return a tensor with the same elements."""
    return identity_op(convert_to_tensor(x))


@documented(_PARTS, "ValueError: the number of parts is below 1", x=_X, indices_or_sections=_CUTS,
            axis="the axis")  # fmt: skip
def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Cut a tensor into parts that may differ by one in size."""
    if not isinstance(indices_or_sections, int):
        return split(x, indices_or_sections, axis)
    count = indices_or_sections
    size = convert_to_tensor(x).shape[axis]
    if count < 1 or size is None:
        raise ValueError(
            f"array_split takes 1 or more parts of an axis of known size, got {count} of {size}"
        )
    small, larger = divmod(size, count)
    sizes = [small + (part < larger) for part in range(count)]
    return split(x, list(itertools.accumulate(sizes))[:-1], axis)


@documented(_PARTS, x="tensor of rank 1 or more", indices_or_sections=_CUTS)
def hsplit(x: Any, indices_or_sections: Any) -> list[Any]:
    """Cut along the second axis, vectors along the first."""
    return split(x, indices_or_sections, 0 if rank_of(convert_to_tensor(x)) == 1 else 1)


@documented(_PARTS, x="tensor of rank 2 or more", indices_or_sections=_CUTS)
def vsplit(x: Any, indices_or_sections: Any) -> list[Any]:
    """Cut along the first axis."""
    return split(x, indices_or_sections, 0)


@documented(_PARTS, x="tensor of rank 3 or more", indices_or_sections=_CUTS)
def dsplit(x: Any, indices_or_sections: Any) -> list[Any]:
    """Cut along the third axis."""
    return split(x, indices_or_sections, 2)


@documented("Tensor of the common dtype", xs="tensors; vectors are rows")
def dstack(xs: Any) -> Any:
    """Join tensors along the third axis."""
    tensors = [t if rank_of(t) > 1 else shape_ops.reshape(t, [1, -1]) for t in promoted(*xs)]
    return concat([t if rank_of(t) > 2 else shape_ops.expand_dims(t, 2) for t in tensors], 2)


@documented("Tensor of the shape of ``x``", x="tensor of rank 2 or more")
def fliplr(x: Any) -> Any:
    """Reverse the second axis."""
    return flip(x, 1)


@documented("Tensor of the shape of ``x``", x="tensor of rank 1 or more")
def flipud(x: Any) -> Any:
    """Reverse the first axis."""
    return flip(x, 0)


@documented("Tensor", "ValueError: the axes are not two of the tensor's",
            array="tensor of rank 2 or more", k="how many quarters of a turn",
            axes="two axes: the turn goes from the first to the second")  # fmt: skip
def rot90(array: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Turn by quarters in the plane of two axes.

    Half a turn reverses both, as in NumPy; Keras on TensorFlow mixes up sides of other lengths.
    """
    x = convert_to_tensor(array)
    rank = rank_of(x)
    if rank < 2 or len(axes) != 2 or axes[0] % rank == axes[1] % rank:
        raise ValueError(f"Invalid axes: {axes}. Axes must be two different ones of {rank}.")
    first, second = axes
    if k % 4 == 2:
        return flip(x, [first, second])
    if k % 2 == 0:
        return x
    turned = swapaxes(x, first % rank, second % rank)
    return flip(turned, first if k % 4 == 1 else second)


@documented("Matrix", x=_X, k="diagonal")
def diagflat(x: Any, k: int = 0) -> Any:
    """Make a matrix with all elements, in a row, on a diagonal."""
    return diag(ravel(x), k)


@documented("Tensor; the diagonal is its last axis", x="tensor of rank 2 or more",
            offset="diagonal: 0 the main one", axis1="axis of rows",
            axis2="axis of columns")  # fmt: skip
def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Return a diagonal."""
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    return matrices.diag_part_op(x, k=offset)


@documented("Tuple of tensors of dtype int32, one for each axis", indices="ints", shape="the shape")
def unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """Return the position along each axis of positions among all elements."""
    places = convert_to_tensor(indices)
    positions: list[Any] = []
    for size in reversed(list(shape)):
        positions.insert(0, places % size)
        places = places // size
    return tuple(positions)
