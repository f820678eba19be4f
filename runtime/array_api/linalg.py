"""Linear algebra of the array API standard: the names of its ``linalg``."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from runtime.array_api import reductions
from runtime.array_api.checks import some_elements
from runtime.array_api.factorizations import (
    cholesky,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
from runtime.array_api.products import (
    cross,
    matmul,
    matrices_of,
    matrix_transpose,
    outer,
    tensordot,
    vecdot,
)
from runtime.array_api.promotion import (
    DEFAULT_INDEX,
    cast,
    is_scalar,
    of_kind,
    offset_within,
    promoted,
    tensor,
)
from runtime.array_api.shapes import axes_of, rank_of
from runtime.ops.array.creation import eye
from runtime.ops.array.shape import broadcast_to, expand_dims
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.array.shape import squeeze as squeeze_op
from runtime.ops.linalg import decompositions, matrices
from runtime.ops.linalg import products as linalg
from runtime.ops.math import elementary, elementwise, reduction
from runtime.types.aliases import AxisLike, DTypeLike
from runtime.types.dtypes import as_dtype


def det(x: Any, /) -> Any:
    """Compute the determinants of square matrices.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
    Returns:
        Array of shape ``[...]`` and the dtype of ``x``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    return matrices.det(matrices_of(x, "det"))


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """Extract diagonals of matrices.

    Args:
        x: array of matrices, shape ``[..., M, N]``.
        offset: number of the diagonal; 0 is the main one, those above are positive.
    Returns:
        Array whose last axis is the diagonal.
    Raises:
        ValueError: ``x`` has a rank below 2.
    """
    return matrices.diag_part_op(matrices_of(x, "diagonal", ""), k=offset_within(offset))


class slogdet_result(NamedTuple):
    """Result of ``slogdet``."""

    sign: Any
    logabsdet: Any


def inv(x: Any, /) -> Any:
    """Compute the inverses of square matrices.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: a matrix is singular.
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    return matrices.inv(matrices_of(x, "inv"))


def matrix_power(x: Any, n: int, /) -> Any:
    """Multiply square matrices with themselves, by repeated squaring.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
        n: exponent; a negative one inverts the matrices first.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``n`` is negative and a matrix is singular.
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    x = matrices_of(x, "matrix_power")
    if n < 0:
        return matrix_power(inv(x), -n)
    if n == 0:
        shape = shape_op(x)
        return broadcast_to(eye(shape[-1], shape[-2], dtype=x.dtype), shape)
    result = None
    while n:  # by squaring
        if n & 1:
            result = x if result is None else linalg.matmul(result, x)
        n >>= 1
        x = linalg.matmul(x, x) if n else x
    return result


def _limits(rtol: Any, x: Any) -> Any:
    """Relative limits in the dtype that singular values of ``x`` have."""
    return cast(rtol if is_scalar(rtol) else of_kind(rtol, "f", "rtol"), x.dtype.real_dtype)


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Any:
    """Count the singular values of matrices above a limit.

    Args:
        x: array of matrices of a floating-point dtype, shape ``[..., M, N]``.
        rtol: limit relative to the greatest singular value; by default the rounding error of the
            dtype times the greater of M and N.
    Returns:
        Array of int64, of shape ``[...]``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    x = matrices_of(x, "matrix_rank")
    s = svdvals(x)
    limit = expand_dims(_limits(decompositions.rounding_of(x) if rtol is None else rtol, x), -1)
    limit = elementwise.multiply(reduction.reduce_max(s, -1, True), limit)
    return reduction.reduce_sum(cast(s > limit, DEFAULT_INDEX), -1)


def _extreme(sizes: Any, axes: Any, keepdims: bool, ord: Any, name: str) -> Any:
    """The greatest of sizes, which is 0 where there are none; for a negative ``ord`` the least."""
    if ord < 0:
        return reduction.reduce_min(some_elements(sizes, axes, name), axes, keepdims)
    greatest = reduction.reduce_max(sizes, axes, keepdims)
    return elementwise.maximum(greatest, cast(0, greatest.dtype))


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """Compute norms of matrices.

    Args:
        x: array of matrices of a floating-point dtype, shape ``[..., M, N]``.
        keepdims: whether the last two axes stay, with size 1.
        ord: 'fro', 'nuc', 1, -1, 2, -2, inf or -inf.
    Returns:
        Real array of shape ``[...]``, unless ``keepdims``.
    Raises:
        ValueError: ``ord`` is another value, or ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    x = matrices_of(x, "matrix_norm")
    if ord == "fro":
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord == "nuc":
        result = reduction.reduce_sum(expand_dims(svdvals(x), -1), [-2, -1], True)
    elif ord in (1, -1, math.inf, -math.inf):
        sums = reduction.reduce_sum(elementwise.abs(x), -2 if abs(ord) == 1 else -1, True)
        result = _extreme(sums, [-2, -1], True, ord, "matrix_norm")
    elif ord in (2, -2):
        result = _extreme(expand_dims(svdvals(x), -1), [-2, -1], True, ord, "matrix_norm")
    else:
        raise ValueError(f"matrix_norm: ord must be 'fro', 'nuc', 1, 2 or inf, got {ord!r}")
    return result if keepdims else squeeze_op(result, [-2, -1])


def vector_norm(
    x: Any, /, *, axis: AxisLike | None = None, keepdims: bool = False, ord: Any = 2
) -> Any:
    """Compute norms of vectors along axes.

    Args:
        x: array of a floating-point dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
        ord: exponent of the norm; 0 counts the elements that are not zero; inf and -inf give the
            greatest and least absolute value.
    Returns:
        Real array without the axes ``axis``, unless ``keepdims``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = of_kind(x, "fc", "vector_norm")
    axes = None if axis is None else list(axes_of(axis, rank_of(x, "vector_norm"), "vector_norm"))
    size = elementwise.abs(x)
    if ord in (math.inf, -math.inf):
        return _extreme(size, axes, keepdims, ord, "vector_norm")
    if ord == 0:
        return reduction.reduce_sum(cast(size != 0, size.dtype), axes, keepdims)
    if ord == 1:
        return reduction.reduce_sum(size, axes, keepdims)
    if ord == 2:
        return elementwise.sqrt(reduction.reduce_sum(size * size, axes, keepdims))
    powers = reduction.reduce_sum(elementwise.pow(size, float(ord)), axes, keepdims)
    return elementwise.pow(powers, 1.0 / ord)


def pinv(x: Any, /, *, rtol: Any = None) -> Any:
    """Compute the Moore-Penrose pseudo-inverses of matrices by singular values.

    Args:
        x: array of matrices of a floating-point dtype, shape ``[..., M, N]``.
        rtol: limit relative to the greatest singular value, up to which singular values count as
            zero.
    Returns:
        Array of shape ``[..., N, M]`` and the dtype of ``x``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    x = matrices_of(x, "pinv")
    return decompositions.pinv_op(x, *([] if rtol is None else [_limits(rtol, x)]), steps=1.0)


def slogdet(x: Any, /) -> slogdet_result:
    """Compute the signs of determinants and the logarithms of their absolute values.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
    Returns:
        Named tuple of ``sign`` and ``logabsdet``, of shape ``[...]``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    sign, size = decompositions.slogdet(matrices_of(x, "slogdet"))
    return slogdet_result(sign, elementary.real(size) if size.dtype.is_complex else size)


def solve(x1: Any, x2: Any, /) -> Any:
    """Solve systems of linear equations ``x1 @ x == x2``.

    Args:
        x1: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
        x2: right sides, of shape ``[..., N, K]``, or one vector of shape ``[N]`` for all systems.
    Returns:
        Array of the shape of ``x2``, broadcast.
    Raises:
        InvalidArgumentError: a matrix is singular.
        ValueError: ``x1`` has a rank below 2.
        TypeError: a dtype is not floating-point, or the dtypes do not promote.
    """
    x1, x2 = promoted((tensor(x1, "solve"), tensor(x2, "solve")), "solve", "fc")
    matrices_of(x1, "solve")
    if rank_of(x2, "solve") == 1:
        return squeeze_op(matrices.solve(x1, expand_dims(x2, -1)), [-1])
    return matrices.solve(x1, x2)


def trace(x: Any, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Any:
    """Compute the sums of diagonals of matrices.

    Args:
        x: array of matrices of a numeric dtype, shape ``[..., M, N]``.
        offset: number of the diagonal; 0 is the main one, those above are positive.
        dtype: dtype of the sums; by default as in ``sum``.
    Returns:
        Array of shape ``[...]``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    target = None if dtype is None else as_dtype(dtype)
    diagonals = diagonal(matrices_of(x, "trace", "iufc"), offset=offset)
    return reductions.sum(diagonals, axis=-1, dtype=target)


__all__ = [
    "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv",
    "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
