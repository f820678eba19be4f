"""Elimination in registers: inverses, determinants, solutions and Cholesky factors of few rows.

The elements of a matrix are numbers, or vectors along the batch.  Rows are exchanged as LAPACK does
it, so that each pivot is the greatest of its column, but by choices instead of branches.  Where a
pivot is almost zero the kernel decides, which may raise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.creation import zeros_like_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import expand_dims_op
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import equal, greater
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.math.elementwise import is_finite, maximum, minimum, sqrt
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import all_op
from runtime.ops.rules.lowering import Guarded

MOST_ROWS, MOST_INVERTED, MOST_IN_BATCHES = 8, 5, 4
"""Rows of the largest matrices: the code grows with their cube, that of inverses four times as
fast.  Vectors along a batch need more registers than there are.
"""
ROOM = 200
"""A pivot of so many units in the last place of the greatest element is not almost zero."""

Rows = list[list[Any]]


def is_small(x: Any, least: int = 3, most: int = MOST_ROWS) -> bool:
    """Whether matrices are square, real, and have so many rows."""
    dims = x.shape.dims
    if x.dtype.name not in ("float32", "float64") or dims[-1] != dims[-2] or dims[-1] is None:
        return False
    return least <= dims[-1] <= (most if len(dims) == 2 else min(most, MOST_IN_BATCHES))


def every(condition: Any) -> Any:
    """Whether a condition holds for all matrices of a batch."""
    return all_op(condition, axis=None, keepdims=False) if condition.shape.dims else condition


def elements(x: Any) -> Rows:
    """The elements of matrices of known sizes."""
    batch = (slice(None),) * (len(x.shape.dims) - 2)
    height, width = x.shape.dims[-2:]
    return [[getitem_op(x, key=(*batch, i, j)) for j in range(width)] for i in range(height)]


def _matrix(rows: Rows) -> Any:
    """Matrices of elements, 0 where there is None: chosen by their places, in one loop."""
    height, width = len(rows), len(rows[0])
    places = np.arange(height * width, dtype=np.int32).reshape(height, width)
    result: Any = np.zeros((height, width), rows[0][0].dtype.as_numpy_dtype)
    for place, element in enumerate(element for row in rows for element in row):
        if element is not None:
            for _ in range(2 if element.shape.dims else 0):
                element = expand_dims_op(element, axis=-1)
            result = where_op(equal(places, np.int32(place)), element, result)
    return result


def _eliminated(rows: Rows) -> tuple[Any, Any]:
    """Make the left part of rows upper triangular.

    Returns what is negative if the rows were exchanged an odd number of times, and whether no pivot
    is almost zero.
    """
    count = len(rows)
    greatest = _extreme(maximum, [absolute(x) for row in rows for x in row[:count]])
    sign: Any = None
    for j in range(count):
        for i in range(j + 1, count):
            swaps = greater(absolute(rows[i][j]), absolute(rows[j][j]))
            for k in range(j, len(rows[0])):
                upper, lower = rows[j][k], rows[i][k]
                rows[j][k] = where_op(swaps, lower, upper)
                rows[i][k] = where_op(swaps, upper, lower)
            one = rows[0][0].dtype.as_numpy_dtype(1)
            turn = where_op(swaps, -one, one)
            sign = turn if sign is None else sign * turn
        for i in range(j + 1, count):
            factor = rows[i][j] / rows[j][j]
            for k in range(j + 1, len(rows[0])):
                rows[i][k] = rows[i][k] - factor * rows[j][k]
    least = _extreme(minimum, [absolute(rows[j][j]) for j in range(count)])
    return sign, _is_clear(least, greatest)


def _extreme(op: Any, values: list[Any]) -> Any:
    result, *others = values
    for value in others:
        result = op(result, value)
    return result


def _is_clear(pivot: Any, size: Any) -> Any:
    """Whether a pivot is not almost zero beside a size; of NaN it is not."""
    limits = np.finfo(pivot.dtype.as_numpy_dtype)
    return logical_and(
        greater(pivot, size * limits.dtype.type(ROOM * limits.eps)),
        greater(pivot, limits.tiny / limits.eps),
    )


def _solved(rows: Rows) -> tuple[Rows, Any]:
    """The solutions for the columns beyond the square part of rows, and whether they hold."""
    _, holds = _eliminated(rows)
    count = len(rows)
    for j in reversed(range(count)):
        for k in range(count, len(rows[0])):
            value = rows[j][k]
            for i in range(j + 1, count):
                value = value - rows[j][i] * rows[i][k]
            rows[j][k] = value / rows[j][j]
    solution = [row[count:] for row in rows]
    total = _extreme(lambda x, y: x + y, [absolute(x) for row in solution for x in row])
    return solution, logical_and(holds, is_finite(total))


def determinant(x: Any) -> Guarded:
    """The product of the pivots."""
    rows = elements(x)
    sign, holds = _eliminated(rows)
    result = sign * rows[0][0]
    for j in range(1, len(rows)):
        result = result * rows[j][j]
    least = np.finfo(result.dtype.as_numpy_dtype).tiny
    clear = logical_and(is_finite(result), greater(absolute(result), least))
    return Guarded(every(logical_and(holds, clear)), result)


def inverse(x: Any) -> Guarded:
    """The solutions for the columns of the identity matrix."""
    rows = elements(x)
    zero = zeros_like_op(rows[0][0], dtype=x.dtype)
    one = zero + x.dtype.as_numpy_dtype(1)
    count = len(rows)
    solution, holds = _solved(
        [[*row, *[one if i == j else zero for j in range(count)]] for i, row in enumerate(rows)]
    )
    return Guarded(every(holds), _matrix(solution))


def solution(matrix: Any, rhs: Any) -> Guarded:
    """The solutions of systems, by elimination."""
    rows = [[*row, *right] for row, right in zip(elements(matrix), elements(rhs), strict=True)]
    values, holds = _solved(rows)
    return Guarded(every(holds), _matrix(values))


def factor(x: Any) -> Guarded:
    """The lower triangular factor of definite matrices, of which the lower half is read."""
    rows = elements(x)
    count, holds = len(rows), None
    for j in range(count):
        pivot = rows[j][j]
        for k in range(j):
            pivot = pivot - rows[j][k] * rows[j][k]
        clear = logical_and(_is_clear(pivot, absolute(rows[j][j])), is_finite(pivot))
        holds = clear if holds is None else logical_and(holds, clear)
        rows[j][j] = root = sqrt(pivot)
        for i in range(j + 1, count):
            value = rows[i][j]
            for k in range(j):
                value = value - rows[i][k] * rows[j][k]
            rows[i][j] = value / root
            rows[j][i] = None
    return Guarded(every(holds), _matrix(rows))
