"""Inverses, determinants and solutions of systems of two rows by Cramer's rule, of few by pivots.

A call of LAPACK takes 8 us; the filter of Kalman with two measurements spent 19 of 20 parts of its
time there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.array.indexing import KeyInput, getitem_op
from runtime.ops.array.shape import expand_dims_op, transpose_op
from runtime.ops.compositions import small_matrices
from runtime.ops.linalg.products import matmul_op
from runtime.ops.math.comparison import greater_equal
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.math.elementwise import is_finite
from runtime.ops.math.logical import logical_and
from runtime.ops.rules.lowering import Guarded

_SIGNS = ((1.0, -1.0), (-1.0, 1.0))


def _is_pair(x: Any) -> bool:
    """Whether matrices have two rows and columns."""
    return x.shape.dims[-2:] == (2, 2) and x.dtype.name in ("float32", "float64")


def _determinant(x: Any) -> Any:
    batch = (slice(None),) * (len(x.shape.dims) - 2)
    a, b, c, d = (getitem_op(x, key=(*batch, i, j)) for i in range(2) for j in range(2))
    return a * d - b * c


def _is_regular(determinant: Any) -> Any:
    """Whether quotients by determinants are exact to a few ulp: no product was out of range."""
    least = np.finfo(determinant.dtype.as_numpy_dtype).tiny
    large = greater_equal(absolute(determinant), determinant.dtype.as_numpy_dtype(least))
    return small_matrices.every(logical_and(large, is_finite(determinant)))


def det(x: Any) -> Any:
    """The product of the diagonal, less that of the others; the kernel computes what is too large.
    """
    if small_matrices.is_small(x):
        return small_matrices.determinant(x)
    if not _is_pair(x):
        return None
    result = _determinant(x)
    return Guarded(small_matrices.every(is_finite(result)), result)


def _adjugate(x: Any) -> Any:
    rank = len(x.shape.dims)
    turned = getitem_op(x, key=(..., slice(None, None, -1), slice(None, None, -1)))
    order = (*range(rank - 2), rank - 1, rank - 2)
    return transpose_op(turned, np.array(order)) * np.array(_SIGNS, x.dtype.as_numpy_dtype)


def _by(x: Any, determinant: Any) -> Any:
    """Divide matrices by numbers."""
    if not determinant.shape.dims:
        return x / determinant
    return x / expand_dims_op(expand_dims_op(determinant, axis=-1), axis=-1)


def inv(x: Any) -> Any:
    """The adjugate by the determinant; the kernel raises where that is zero."""
    if small_matrices.is_small(x, most=small_matrices.MOST_INVERTED):
        return small_matrices.inverse(x)
    if not _is_pair(x):
        return None
    determinant = _determinant(x)
    return Guarded(_is_regular(determinant), _by(_adjugate(x), determinant))


def solve(matrix: Any, rhs: Any) -> Any:
    """The adjugate times the right-hand side, by the determinant."""
    dims, right = matrix.shape.dims, rhs.shape.dims
    if dims[:-2] != right[:-2] or right[-2] != dims[-2] or rhs.dtype is not matrix.dtype:
        return None
    if small_matrices.is_small(matrix) and right[-1] in (1, 2):
        return small_matrices.solution(matrix, rhs)
    if not _is_pair(matrix):
        return None
    determinant = _determinant(matrix)
    product = matmul_op(_adjugate(matrix), rhs, transpose_a=False, transpose_b=False)
    return Guarded(_is_regular(determinant), _by(product, determinant))


def cholesky(x: Any) -> Any:
    """The factor of matrices of few rows."""
    return small_matrices.factor(x) if small_matrices.is_small(x, least=2) else None


def of_numpy(*values: Any, function: str, args: tuple[Any, ...], **_: Any) -> Any:
    """What NumPy's function of the same name gives for arrays, its only arguments."""
    functions: dict[str, Callable[..., Any]] = {
        "cholesky": cholesky, "det": det, "inv": inv, "solve": solve,
    }  # fmt: skip
    composed = functions[function.rpartition(".")[2]]
    operands = [values[arg.index] for arg in args if isinstance(arg, KeyInput)]
    if len(operands) != len(args) or len({len(x.shape.dims) for x in operands}) != 1:
        return None
    return composed(*operands)
