"""Functions of matrices, and Fourier transforms."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    Dims,
    NoRuleError,
    arrays_in,
    axes_of,
    broadcast,
    class_of_result,
    common,
    inexact,
    known,
    real_part,
    replaced,
    same_size,
    sizes_of,
    typed,
    whole,
    without,
)
from runtime.staging.numpy_arrays.result_rules.products import dot
from runtime.staging.numpy_arrays.result_rules.reductions import trace as diagonal_sums


def _matrices(a: Any, is_square: bool = False) -> ArrayType:
    """An argument of matrices, in the dtype in which they are computed."""
    array = typed(a)
    if array.rank < 2 or array.dtype == np.float16:
        raise NoRuleError
    if is_square:
        same_size(*array.dims[-2:])
    return array.of(inexact(array.dtype))


def _squared(array: ArrayType) -> Dims:
    size = same_size(*array.dims[-2:])
    return (*array.dims[:-2], size, size)


def square(a: Any) -> ArrayType:
    """Rule of ``inv`` and ``cholesky``: matrices of the same size."""
    array = _matrices(a, True)
    return array.with_dims(_squared(array))


def cholesky(a: Any, /, *, upper: Any = False) -> ArrayType:
    """Triangular matrices."""
    return square(a)


def det(a: Any) -> ArrayType:
    """Determinants."""
    array = _matrices(a, True)
    return array.with_dims(array.dims[:-2])


def slogdet(a: Any) -> Any:
    """Signs and logarithms of determinants."""
    array = _matrices(a, True)
    log = ArrayType(array.dims[:-2], real_part(array.dtype))
    return class_of_result(np.linalg.slogdet)(array.with_dims(array.dims[:-2]), log)


def eigvals(a: Any) -> ArrayType:
    """Eigenvalues of complex matrices: those of real ones may be real or complex."""
    array = _matrices(a, True)
    if array.dtype.kind != "c":
        raise NoRuleError(
            "the values decide whether its result is real or complex; that of a complex array, "
            "x + 0j, is complex"
        )
    return array.with_dims(_squared(array)[:-1])


def eig(a: Any) -> Any:
    """Eigenvalues and eigenvectors of complex matrices."""
    values = eigvals(a)
    return class_of_result(np.linalg.eig)(values, square(a))


def eigvalsh(a: Any, UPLO: Any = "L") -> ArrayType:
    """Eigenvalues of Hermitian matrices, which are real."""
    array = _matrices(a, True)
    return ArrayType(_squared(array)[:-1], real_part(array.dtype))


def eigh(a: Any, UPLO: Any = "L") -> Any:
    """Eigenvalues and eigenvectors of Hermitian matrices."""
    return class_of_result(np.linalg.eigh)(eigvalsh(a), square(a))


def _less(array: ArrayType) -> int | None:
    rows, columns = array.dims[-2:]
    if 0 in (rows, columns):
        return 0
    return None if rows is None or columns is None else min(rows, columns)


def qr(a: Any, mode: Any = "reduced") -> Any:
    """Orthogonal and triangular factors."""
    array = _matrices(a)
    rows, columns = array.dims[-2:]
    few = rows if mode == "complete" else _less(array)
    leading = array.dims[:-2]
    if mode == "r":
        return array.with_dims((*leading, _less(array), columns))
    if mode not in ("reduced", "complete"):
        raise NoRuleError
    factors = (*leading, rows, few), (*leading, few, columns)
    return class_of_result(np.linalg.qr)(*map(array.with_dims, factors))


def svd(
    a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False
) -> Any:
    """Singular values, with the vectors, if asked for."""
    array = _matrices(a)
    *leading, rows, columns = array.dims
    few = _less(array)
    values = ArrayType((*leading, few), real_part(array.dtype))
    if not known(compute_uv):
        return values
    is_full = known(full_matrices)
    left = array.with_dims((*leading, rows, rows if is_full else few))
    right = array.with_dims((*leading, columns if is_full else few, columns))
    return class_of_result(np.linalg.svd)(left, values, right)


def svdvals(x: Any, /) -> ArrayType:
    """Singular values."""
    return svd(x, compute_uv=False)


def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = None) -> ArrayType:
    """Pseudoinverses."""
    array = _matrices(a)
    *leading, rows, columns = array.dims
    return array.with_dims((*leading, columns, rows))


def solve(a: Any, b: Any) -> ArrayType:
    """Solutions of systems of equations."""
    a, b = _matrices(a, True), typed(b)
    size = same_size(*a.dims[-2:], b.dims[-1] if b.rank == 1 else b.dims[-2])
    dtype = common(a.dtype, inexact(b.dtype))
    if b.rank == 1:
        return ArrayType((*a.dims[:-2], size), dtype)
    return ArrayType((*broadcast(a.dims[:-2], b.dims[:-2]), size, b.dims[-1]), dtype)


def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[ArrayType, ...]:
    """The nearest solutions, with residuals, rank and singular values."""
    a, b = _matrices(a), typed(b)
    if a.rank != 2 or b.rank not in (1, 2):
        raise NoRuleError
    dtype = common(a.dtype, inexact(b.dtype))
    return (
        ArrayType((a.dims[1], *b.dims[1:]), dtype),
        ArrayType((None,), real_part(dtype)),  # none where the rank is low
        ArrayType((), np.dtype(np.int32)),
        ArrayType((_less(a),), real_part(dtype)),
    )


def rank_of(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> ArrayType:
    """Ranks."""
    array = typed(A)
    python = None if array.rank > 1 else int
    return ArrayType(array.dims[:-2], np.dtype(np.int64), python)


def trace(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> ArrayType:
    """Sums of the diagonals of matrices."""
    return diagonal_sums(x, offset, -2, -1, dtype)


def cond(x: Any, p: Any = None) -> ArrayType:
    """Condition numbers."""
    array = _matrices(x)
    return ArrayType(array.dims[:-2], real_part(array.dtype))


def power(a: Any, n: Any) -> ArrayType:
    """Powers of matrices; the first one is the argument itself."""
    array = typed(a)
    exponent = whole(n)
    same_size(*array.dims[-2:])
    if exponent is None:
        raise NoRuleError
    if exponent < 0:
        return square(array)
    dims = _squared(array)
    return ArrayType(dims, array.dtype, source=array.source if exponent == 1 else None)


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> ArrayType:
    """Norms of vectors and matrices."""
    array = typed(x)
    axes = axes_of(known(axis), array.rank)
    if axis is None and ord is not None and array.rank > 2 or len(axes) > 2 and axis is not None:
        raise NoRuleError
    dtype = real_part(inexact(array.dtype))
    if known(keepdims):
        return ArrayType(tuple([1 if n in axes else s for n, s in enumerate(array.dims)]), dtype)
    return ArrayType(without(array.dims, axes), dtype)


def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> ArrayType:
    """Norms of matrices."""
    return norm(x, ord, (-2, -1), keepdims)


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> ArrayType:
    """Norms of vectors."""
    array = typed(x)
    axes = axes_of(known(axis), array.rank)
    if not known(keepdims):
        return ArrayType(without(array.dims, axes), real_part(inexact(array.dtype)))
    dims = tuple([1 if n in axes else size for n, size in enumerate(array.dims)])
    return ArrayType(dims, real_part(inexact(array.dtype)))


def tensorinv(a: Any, ind: Any = 2) -> ArrayType:
    """Inverses of tensors."""
    array, count = typed(a), known(ind)
    if type(count) is not int or count < 1:
        raise NoRuleError
    dims = array.dims[count:] + array.dims[:count]
    return ArrayType(dims, inexact(array.dtype))


def multi_dot(arrays: Any, *, out: None = None) -> ArrayType:
    """Products of several matrices; the first and the last may be vectors."""
    return functools.reduce(dot, arrays_in(arrays))


# -- Fourier transforms ---------------------------------------------------------------------------


def _complex(dtype: Any) -> Any:
    """The dtype of a transform."""
    return np.result_type(inexact(dtype), np.complex64)


def _one_axis(a: Any, n: Any, axis: Any, size_of: Callable[[int], int], dtype: Any) -> ArrayType:
    array = typed(a)
    place, *_ = axes_of(axis, array.rank) if array.rank else (None,)
    if place is None:
        raise NoRuleError
    size = array.dims[place] if n is None else sizes_of((n,))[0]
    return ArrayType(replaced(array.dims, place, None if size is None else size_of(size)), dtype)


def fft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> ArrayType:
    """Rule of ``fft`` and ``ifft``."""
    return _one_axis(a, n, axis, lambda size: size, _complex(typed(a).dtype))


def rfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> ArrayType:
    """Transforms of real numbers: half of it."""
    return _one_axis(a, n, axis, lambda size: size // 2 + 1, _complex(typed(a).dtype))


def irfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> ArrayType:
    """Real numbers of half a transform."""
    array = typed(a)
    dtype = real_part(inexact(array.dtype))
    if n is not None:
        return _one_axis(a, n, axis, lambda size: size, dtype)
    return _one_axis(a, None, axis, lambda size: 2 * (size - 1), dtype)


def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> ArrayType:
    """Rule of ``fftn`` and ``ifftn``."""
    array = typed(a)
    dims = array.dims
    if s is None:
        axes_of(axes, array.rank)
    else:
        sizes = sizes_of(s)
        last = tuple(range(array.rank - len(sizes), array.rank)) if axes is None else axes
        for axis, size in zip(axes_of(last, array.rank), sizes, strict=True):
            dims = replaced(dims, axis, size)
    return ArrayType(dims, _complex(array.dtype))


def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> ArrayType:
    """Rule of ``fft2`` and ``ifft2``."""
    return fftn(a, s, axes, norm)


def shifted(x: Any, axes: Any = None) -> ArrayType:
    """Rule of ``fftshift`` and ``ifftshift``."""
    array = typed(x)
    axes_of(axes, array.rank)
    return array.of(array.dtype)._replace(is_array=True)
