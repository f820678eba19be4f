"""Derivatives of operations on matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like_op, range_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import rank_op, transpose_op
from runtime.ops.array.where import where_op
from runtime.ops.gradients.dynamic_shapes import moved_back, numbered, summed_to
from runtime.ops.gradients.elementwise import chosen
from runtime.ops.linalg.matrices import band_part as band_part_op
from runtime.ops.linalg.matrices import cross as cross_op
from runtime.ops.linalg.matrices import diag_op, diag_part_op, inv_op, solve_op
from runtime.ops.linalg.products import matmul_op
from runtime.ops.math.comparison import not_equal
from runtime.ops.math.elementary import conj, imag
from runtime.ops.math.elementwise import reciprocal
from runtime.types.dtypes import int64

LAST = (..., None)
ROWS = (..., None, slice(None))


def product(a: Any, b: Any, turn_a: bool = False, turn_b: bool = False) -> Any:
    """The product of matrices, adjoint ones where that is said."""
    a = conj(a) if turn_a and a.dtype.is_complex else a
    b = conj(b) if turn_b and b.dtype.is_complex else b
    return matmul_op(a, b, transpose_a=turn_a, transpose_b=turn_b)


def swapped(x: Any) -> Any:
    """The transposes of matrices; the rank need not be known."""
    rank = x.shape.rank
    if rank is not None:
        return transpose_op(x, np.array([*range(rank - 2), rank - 1, rank - 2]))
    number = rank_op(x, out_type=int64)
    axes = range_op(np.int64(0), number, np.int64(1))
    front = getitem_op(axes, key=(slice(None, -2),))
    return transpose_op(x, concat_op(front, getitem_op(axes, key=(slice(None, -3, -1),)), axis=0))


def adjoint(x: Any) -> Any:
    """The conjugated transposes of matrices."""
    return conj(swapped(x)) if x.dtype.is_complex else swapped(x)


def diag(diagonal: Any, y: Any, dy: Any, *, k: int) -> tuple[Any, ...]:
    """The diagonal of the gradient."""
    return (diag_part_op(dy, k=k),)


def diag_part(x: Any, y: Any, dy: Any, *, k: int) -> tuple[Any, ...]:
    """The gradient on a diagonal, zeros around it."""
    dims = x.shape.dims
    if dims is not None and None not in dims and dims[-1] == dims[-2] > abs(k):
        return (diag_op(dy, k=k),)
    return (moved_back(dy, diag_part_op(numbered(x), k=k), x),)


def band_part(x: Any, lower: Any, upper: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The gradient within the band."""
    return band_part_op(dy, lower, upper), None, None


def det(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """``det * inverse transposed``."""
    factor = getitem_op(dy * y, key=(..., None, None))
    return (factor * swapped(inv_op(x)),)


def inv(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """``-inverse' @ dy @ inverse'``."""
    inner = matmul_op(dy, y, transpose_a=False, transpose_b=True)
    return (-matmul_op(y, inner, transpose_a=True, transpose_b=False),)


def solve(matrix: Any, rhs: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The equations of the transposed matrix."""
    drhs = solve_op(swapped(matrix), dy)

    def dmatrix() -> Any:
        return summed_to(-matmul_op(drhs, y, transpose_a=False, transpose_b=True), matrix)

    return dmatrix, summed_to(drhs, rhs)


def _halved_triangle(x: Any) -> Any:
    """The lower triangle, its diagonal halved: what a symmetric matrix is made of."""
    zero = np.int64(0)
    return band_part_op(x, np.int64(-1), zero) - band_part_op(x, zero, zero) * 0.5


def cholesky(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Symmetric, as the input is."""
    inverse = inv_op(y)
    middle = _halved_triangle(product(y, dy, turn_a=True))
    half = product(inverse, product(middle, inverse), turn_a=True)
    return ((half + adjoint(half)) * 0.5,)


def one_over(gaps: Any) -> Any:
    """One over gaps, zero where there is none; no NaN comes back from there, either."""
    apart = not_equal(gaps, 0)
    return chosen(apart, reciprocal(where_op(apart, gaps, ones_like_op(gaps, dtype=gaps.dtype))))


def eigh(x: Any, e: Any, v: Any, de: Any, dv: Any) -> tuple[Any, ...]:
    """Of the lower triangle, the part that is read; equal eigenvalues do not push one another."""
    gaps = getitem_op(e, key=ROWS) - getitem_op(e, key=LAST)
    pushes = one_over(gaps)
    inner = diag_op(_as(de, v), k=0) + _as(pushes, v) * product(v, dv, turn_a=True)
    gradient = product(v, product(inner, v, turn_b=True))
    zero = np.int64(0)
    symmetric = gradient + adjoint(gradient)
    return (band_part_op(symmetric, np.int64(-1), zero) - band_part_op(gradient, zero, zero),)


def _as(x: Any, like: Any) -> Any:
    return cast(x, like.dtype)


def _divided(x: Any, r: Any) -> Any:
    """``x @ inverse of r^H``, for triangular r."""
    return adjoint(solve_op(r, adjoint(x)))


def _qr_of_tall(q: Any, r: Any, dq: Any, dr: Any) -> Any:
    inner = product(q, dq, turn_a=True)
    outer = product(r, dr, turn_b=True)
    skew = (inner - adjoint(inner)) + (outer - adjoint(outer))
    lower = band_part_op(skew, np.int64(-1), np.int64(0))
    dx = product(q, dr + _divided(lower, r)) + _divided(dq - product(q, inner), r)
    if not q.dtype.is_complex:
        return dx
    free = outer - adjoint(inner)  # the diagonal of r stays real
    angles = cast(imag(diag_part_op(free, k=0)), q.dtype) * 1j
    return dx + _divided(product(q, adjoint(diag_op(angles, k=0))), r)


def qr(x: Any, q: Any, r: Any, dq: Any, dr: Any, *, full_matrices: bool) -> tuple[Any, ...]:
    """Of matrices of full rank; of complete ones, of square matrices only."""
    rows, columns = (None, None) if x.shape.rank is None else x.shape.dims[-2:]
    if rows is None or columns is None:
        raise NotImplementedError(
            "the gradient of qr needs the numbers of rows and columns when the graph is built; "
            "use ensure_shape on the input"
        )
    if full_matrices and rows > columns:
        raise NotImplementedError(
            f"the gradient of qr is not defined for full_matrices=True and {rows} rows of "
            f"{columns} columns: the additional columns of q are not unique. "
            "Use full_matrices=False"
        )
    if rows >= columns:
        return (_qr_of_tall(q, r, dq, dr),)
    square_columns, other_columns = (..., slice(None, rows)), (..., slice(rows, None))
    dv, du = getitem_op(dr, key=other_columns), getitem_op(dr, key=square_columns)
    beside = getitem_op(x, key=other_columns)
    dx = _qr_of_tall(
        q, getitem_op(r, key=square_columns), dq + product(beside, dv, turn_b=True), du
    )
    return (concat_op(dx, product(q, dv), axis=-1),)


def cross(a: Any, b: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Products with the other vector."""
    return lambda: cross_op(b, dy), lambda: cross_op(dy, a)
