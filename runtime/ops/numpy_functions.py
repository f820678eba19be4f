"""What NumPy's functions mean on tensors, where it takes more than one op.

``array_api``, ``keras/ops`` and ``staging/numpy_arrays/rules`` convert their arguments, each with
rules of its own, and call these.  The names that are one op are rows of ``numpy_names.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.ops.array import concat_split
from runtime.ops.array import shape as shapes
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import range as range_op
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.where import where
from runtime.ops.linalg import products
from runtime.types.dtypes import DType


def position_along(
    op: Callable[..., Any], x: Any, axis: int | None, keepdims: bool, dtype: DType
) -> Any:
    """What ``argmax`` or ``argmin`` finds along an axis; for None in all elements in a row."""
    if axis is None:
        position = op(shapes.reshape(x, [-1]), 0, output_type=dtype)
        return shapes.reshape(position, [1] * (x.shape.rank or 0)) if keepdims else position
    position = op(x, axis, output_type=dtype)
    return shapes.expand_dims(position, axis) if keepdims else position


def moved_axes(rank: int, sources: Sequence[int], places: Sequence[int]) -> list[int]:
    """The order of the axes when some, counted from the front, are moved to other places."""
    order = [axis for axis in range(rank) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return order


def exchanged_axes(rank: int, first: int, second: int) -> list[int]:
    """The order of the axes when two stand in each other's place."""
    order = list(range(rank))
    order[first], order[second] = order[second], order[first]
    return order


def roll_elements(x: Any, shift: Any) -> Any:
    """Shift all elements in a row; those that leave come back at the other end."""
    sizes = x.shape if x.shape.is_fully_defined() else shapes.shape(x)
    return shapes.reshape(shapes.roll(shapes.reshape(x, [-1]), shift, 0), sizes)


def tile_axes(x: Any, counts: list[Any]) -> Any:
    """Repeat a tensor of known rank along its last axes, and along new ones in front."""
    rank = len(x.shape)
    for _ in range(len(counts) - rank):
        x = shapes.expand_dims(x, 0)
    return concat_split.tile(x, [1] * (rank - len(counts)) + counts)


def from_front(indices: Any, size: Any) -> Any:
    """Positions along an axis of this size, negative ones counted from the front."""
    return where(indices < 0, indices + cast(size, indices.dtype), indices)


def triangle(x: Any, k: int, is_lower: bool) -> Any:
    """Matrices with zeros beyond the ``k``-th diagonal."""
    sizes = shapes.shape(x)
    rows, columns = (range_op(sizes[axis]) for axis in (-2, -1))
    diagonals = columns - rows[:, None]
    return where(diagonals <= k if is_lower else diagonals >= k, x, zeros_like(x))


def matrix_product(first: Any, second: Any) -> Any:
    """Multiply matrices, or vectors, which are a row on the left and a column on the right."""
    ranks = len(first.shape), len(second.shape)
    if ranks == (1, 1):
        return products.tensordot(first, second, 1)
    first = shapes.expand_dims(first, 0) if ranks[0] == 1 else first
    second = shapes.expand_dims(second, -1) if ranks[1] == 1 else second
    axes = [axis for axis, rank in zip((-2, -1), ranks, strict=True) if rank == 1]
    product = products.matmul(first, second)
    return shapes.squeeze(product, axes) if axes else product
