"""Jacobians, by one reverse accumulation for each element of the target.

Under eager execution this is a Python loop; in a graph, one loop whatever the size of the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.control_flow.map_fn import map_fn
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import range as number_range
from runtime.ops.array.creation import zeros
from runtime.ops.array.shape import broadcast_to, rank, reshape, shape, size, transpose
from runtime.ops.math.comparison import equal
from runtime.ops.math.reduction import reduce_prod

Row = Callable[[Any], Sequence[Any]]
"""The gradients by all sources of what a seed picks of the target; None without a path."""


def jacobians(target: Any, sources: Sequence[Any], row: Row) -> list[Any]:
    """Compute the Jacobian of ``target`` by each source; None for an unconnected source."""
    count = size(target)

    def row_at(k: Any) -> Sequence[Any]:
        return row(reshape(_picks(k, count, target.dtype), shape(target)))

    rows = _rows(row_at, count, len(sources))
    return [
        None if r is None else reshape(r, concat([shape(target), shape(source)], 0))
        for r, source in zip(rows, sources, strict=True)
    ]


def batch_jacobian(target: Any, source: Any, row: Row) -> Any:
    """Compute the Jacobian of each entry of a batch; zeros if the source is unconnected."""
    inner = shape(target)[1:]
    count = reduce_prod(inner)

    def row_at(k: Any) -> Sequence[Any]:
        return row(broadcast_to(reshape(_picks(k, count, target.dtype), inner), shape(target)))

    (rows,) = _rows(row_at, count, 1)
    sizes = concat([shape(target), shape(source)[1:]], 0)
    if rows is None:
        return zeros(sizes, target.dtype)
    order = concat([[1, 0], number_range(2, rank(rows))], 0)
    return reshape(transpose(rows, order), sizes)


def _picks(k: Any, count: Any, dtype: Any) -> Any:
    """Return a vector with one at index ``k`` and zeros elsewhere."""
    return cast(equal(number_range(count), k), dtype)


def _rows(row_at: Row, count: Any, width: int) -> list[Any]:
    """Return the gradients of each element of the target, stacked."""
    connected: list[bool] = [False] * width

    def one(k: Any) -> list[Any]:
        gradients = row_at(k)
        connected[:] = [g is not None for g in gradients]
        return [k, *[g for g in gradients if g is not None]]

    stacked = iter(map_fn(one, number_range(count))[1:])
    return [next(stacked) if is_connected else None for is_connected in connected]
