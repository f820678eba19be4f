"""Whole Jacobians, row by row: one walk back for each element of the target.

Eagerly a Python loop; in a graph one loop whose body is the walk, however large the target is.
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
    """The derivatives of each element of ``target`` by each source; None where there is no path."""
    count = size(target)

    def seeded(k: Any) -> Sequence[Any]:
        return row(reshape(_picks(k, count, target.dtype), shape(target)))

    rows = _rows(seeded, count, len(sources))
    return [
        None if r is None else reshape(r, concat([shape(target), shape(source)], 0))
        for r, source in zip(rows, sources, strict=True)
    ]


def batch_jacobian(target: Any, source: Any, row: Row) -> Any:
    """The derivatives of each row of ``target`` by the same row of ``source``, zeros if none."""
    inner = shape(target)[1:]
    count = reduce_prod(inner)

    def seeded(k: Any) -> Sequence[Any]:
        return row(broadcast_to(reshape(_picks(k, count, target.dtype), inner), shape(target)))

    (rows,) = _rows(seeded, count, 1)
    sizes = concat([shape(target), shape(source)[1:]], 0)
    if rows is None:
        return zeros(sizes, target.dtype)
    order = concat([[1, 0], number_range(2, rank(rows))], 0)
    return reshape(transpose(rows, order), sizes)


def _picks(k: Any, count: Any, dtype: Any) -> Any:
    """One for element number ``k``, zero for the others."""
    return cast(equal(number_range(count), k), dtype)


def _rows(seeded: Row, count: Any, width: int) -> list[Any]:
    """The gradients for each element, stacked."""
    connected: list[bool] = [False] * width

    def one(k: Any) -> list[Any]:
        found = seeded(k)
        connected[:] = [g is not None for g in found]
        return [k, *[g for g in found if g is not None]]

    stacked = iter(map_fn(one, number_range(count))[1:])
    return [next(stacked) if there else None for there in connected]
