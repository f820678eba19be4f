"""Derivatives of matrix decompositions.

Singular vectors and eigenvectors are unique up to a factor: a loss must not depend on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.backprop import take_along
from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import eye_op, ones_like_op, zeros_like_op
from runtime.ops.array.indexing import getitem, getitem_op
from runtime.ops.array.shape import broadcast_to_op, reshape_op
from runtime.ops.array.sorting import argsort_op
from runtime.ops.array.where import where_op
from runtime.ops.gradients.dynamic_shapes import sizes, summed_to
from runtime.ops.gradients.matrices import adjoint, one_over, product, swapped
from runtime.ops.gradients.matrices import eigh as eigh_derivative
from runtime.ops.linalg.decompositions import eig as eig_op
from runtime.ops.linalg.decompositions import expm as expm_op
from runtime.ops.linalg.decompositions import svd_op, triangular_solve_op
from runtime.ops.linalg.matrices import band_part, diag_op, diag_part_op, inv_op, solve_op
from runtime.ops.linalg.matrices import eigh as eigh_op
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementary import conj, imag, log, real
from runtime.ops.math.elementwise import reciprocal, square
from runtime.types.dtypes import int64

ALL, NONE = np.int64(-1), np.int64(0)
ALL_OF = slice(None)
ROW, COLUMN = (..., None, ALL_OF), (..., None)


def svd(x: Any, *values: Any, full_matrices: bool, compute_uv: bool) -> tuple[Any, ...]:
    """Townsend's formula; equal singular values do not push one another."""
    if not compute_uv:
        _, ds = values
        _, u, v = svd_op(x, full_matrices=False, compute_uv=True)
        return (product(u * getitem_op(cast(ds, x.dtype), key=ROW), v, turn_b=True),)
    s, u, v, ds, du, dv = values
    if full_matrices and not _is_square(x):
        raise NotImplementedError(
            "the gradient of svd is defined for full_matrices=True only where the matrices are "
            f"known to be square, got shape {x.shape}: the additional vectors are not unique. "
            "Use full_matrices=False"
        )
    gaps = getitem_op(square(s), key=ROW) - getitem_op(square(s), key=COLUMN)
    pushes, lengths = cast(one_over(gaps), x.dtype), cast(s, x.dtype)
    turn_u, turn_v = product(u, du, turn_a=True), product(v, dv, turn_a=True)
    over = getitem_op(reciprocal(lengths), key=ROW)
    straight = cast(ds, x.dtype)
    if x.dtype.is_complex:  # both vectors may be turned, but together
        straight += cast(imag(diag_part_op(turn_u, k=0)), x.dtype) * 1j / lengths
    inner = diag_op(straight, k=0)
    inner += pushes * (turn_u - adjoint(turn_u)) * getitem_op(lengths, key=ROW)
    inner += getitem_op(lengths, key=COLUMN) * pushes * (turn_v - adjoint(turn_v))
    dx = product(product(u, inner), v, turn_b=True)
    dx += product((du - product(u, turn_u)) * over, v, turn_b=True)
    return (dx + product(u * over, dv - product(v, turn_v), turn_b=True),)


def _is_square(x: Any) -> bool:
    rank = x.shape.rank
    return rank is not None and x.shape[-1] is not None and x.shape[-1] == x.shape[-2]


def pinv(x: Any, *values: Any, steps: float) -> tuple[Any, ...]:
    """Golub and Pereyra's formula, for matrices whose rank stays."""
    *rcond, y, dy = values
    if rcond:
        raise NotImplementedError(
            "the gradient of pinv is defined for rcond=None, where no singular value is cut off, "
            f"got {rcond[0]}"
        )
    turned = adjoint(dy)
    first = product(product(y, dy, turn_a=True), y, turn_b=True)
    beside = turned - product(product(x, y), turned)
    above = turned - product(turned, product(y, x))
    second = product(product(beside, y), y, turn_b=True)
    third = product(y, product(y, above), turn_a=True)
    return (second + third - first,)


def _by_eigenvectors(x: Any, v: Any, inner: Any) -> Any:
    turned = adjoint(v)
    return cast(solve_op(turned, product(inner, turned)), x.dtype)


def eig(x: Any, e: Any, v: Any, de: Any, dv: Any) -> tuple[Any, ...]:
    """Eigenvectors have length 1; equal eigenvalues do not push one another."""
    pushes = conj(one_over(getitem_op(e, key=ROW) - getitem_op(e, key=COLUMN)))
    turned = product(v, dv, turn_a=True)
    lengths = cast(real(diag_part_op(turned, k=0)), v.dtype)
    projected = turned - product(v, v, turn_a=True) * getitem_op(lengths, key=ROW)
    return (_by_eigenvectors(x, v, diag_op(de, k=0) + pushes * projected),)


def eigvals(x: Any, e: Any, de: Any) -> tuple[Any, ...]:
    """By the eigenvectors."""
    _, v = eig_op(x)
    return (_by_eigenvectors(x, v, diag_op(de, k=0)),)


def eigvalsh(x: Any, e: Any, de: Any) -> tuple[Any, ...]:
    """By the eigenvectors; of the lower triangle, the part that is read."""
    _, v = eigh_op(x)
    return eigh_derivative(x, e, v, de, zeros_like_op(v, dtype=v.dtype))


def expm(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """A corner of the exponential of a matrix of matrices."""
    turned = adjoint(x)
    above = concat_op(turned, dy, axis=-1)
    below = concat_op(zeros_like_op(turned, dtype=x.dtype), turned, axis=-1)
    exponential = expm_op(concat_op(above, below, axis=-2))
    size = getitem_op(sizes(x), key=(-1,))
    return (getitem(exponential, (..., slice(None, size), slice(size, None))),)


def sqrtm(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The solution of ``y' @ dx + dx @ y' == dy``, with all elements of dx in one vector."""
    size = getitem_op(sizes(x), key=(-1,))
    identity = eye_op(size, size, dtype=x.dtype)
    turned = adjoint(y)
    apart, beside = (..., ALL_OF, None, ALL_OF, None), (..., None, ALL_OF, None, ALL_OF)
    first = getitem_op(turned, key=apart) * getitem_op(identity, key=beside)
    second = getitem_op(identity, key=apart) * getitem_op(swapped(turned), key=beside)
    batch = getitem_op(sizes(x), key=(slice(None, -2),))
    ends = getitem_op(size * size, key=(None,))
    flat = concat_op(batch, ends, ends, axis=0)
    column = concat_op(batch, ends, np.array([1]), axis=0)
    solution = solve_op(reshape_op(first + second, flat), reshape_op(dy, column))
    return (reshape_op(solution, sizes(x)),)


def logm(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """By the eigenvectors: between two eigenvalues counts how steep the logarithm is there."""
    e, v = eig_op(x)
    logs, back = log(e), inv_op(v)
    gaps = getitem_op(e, key=ROW) - getitem_op(e, key=COLUMN)
    rises = getitem_op(logs, key=ROW) - getitem_op(logs, key=COLUMN)
    inverses = getitem_op(reciprocal(e), key=ROW) + zeros_like_op(gaps, dtype=e.dtype)
    slopes = conj(where_op(equal(gaps, 0), inverses, rises * one_over(gaps)))
    inner = slopes * product(product(v, dy, turn_a=True), back, turn_b=True)
    return (product(back, product(inner, v, turn_b=True), turn_a=True),)


def slogdet(x: Any, sign: Any, size: Any, dsign: Any, dsize: Any) -> tuple[Any, ...]:
    """The inverse, transposed; the sign turns if it is complex."""
    factor = dsize
    if x.dtype.is_complex:
        turned = -imag(conj(dsign) * sign)
        factor = cast(real(dsize), x.dtype) + cast(turned, x.dtype) * 1j
    return (getitem_op(factor, key=(..., None, None)) * adjoint(inv_op(x)),)


def lu(
    x: Any, y: Any, order: Any, dy: Any, dorder: Any, *, output_idx_type: Any
) -> tuple[Any, ...]:
    """Both factors get their triangle; the rows go back to their places."""
    diagonal = band_part(y, NONE, NONE)
    upper = band_part(y, NONE, ALL)
    lower = band_part(y, ALL, NONE) - diagonal
    identity = diag_op(ones_like_op(diag_part_op(y, k=0), dtype=y.dtype), k=0)
    d_upper = band_part(dy, NONE, ALL)
    d_lower = dy - d_upper
    below = product(lower + identity, d_lower, turn_a=True)
    above = product(d_upper, upper, turn_b=True)
    inner = below - band_part(below, NONE, ALL) + band_part(above, NONE, ALL)
    half = triangular_solve_op(lower + identity, inner, lower=True, adjoint=True)
    rows = adjoint(triangular_solve_op(upper, adjoint(half), lower=False, adjoint=False))
    back = getitem_op(argsort_op(order, axis=-1, descending=False), key=COLUMN)
    return (take_along(rows, broadcast_to_op(cast(back, int64), sizes(rows)), axis=-2),)


def triangular_solve(
    matrix: Any, rhs: Any, y: Any, dy: Any, *, lower: bool, adjoint: bool
) -> tuple[Any, ...]:
    """The equations of the adjoint; only the triangle that is read has a gradient."""
    drhs = triangular_solve_op(matrix, dy, lower=lower, adjoint=not adjoint)

    def dmatrix() -> Any:
        outer = product(y, drhs, turn_b=True) if adjoint else product(drhs, y, turn_b=True)
        triangle = band_part(-outer, *((ALL, NONE) if lower else (NONE, ALL)))
        return summed_to(triangle, matrix)

    return dmatrix, summed_to(drhs, rhs)
