"""Linear algebra of the array API standard: the names of the main namespace and of ``linalg``."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from runtime.array_api.checks import size_along, some_elements
from runtime.array_api.promotion import (
    DEFAULT_INDEX,
    cast,
    is_scalar,
    of_kind,
    offset_within,
    promoted,
    tensor,
)
from runtime.array_api.reductions import sum
from runtime.array_api.shapes import axes_of, moveaxis, one_axis, rank_of
from runtime.ops.array.creation import eye
from runtime.ops.array.shape import broadcast_to, expand_dims, reshape
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.array.shape import squeeze as squeeze_op
from runtime.ops.linalg import decompositions, matrices
from runtime.ops.linalg import products as linalg
from runtime.ops.math import elementary, elementwise, reduction
from runtime.types.dtypes import as_dtype


def _matrices(x: Any, name: str, kinds: str = "fc") -> Any:
    x = of_kind(x, kinds, name)
    if rank_of(x, name) < 2:
        raise ValueError(f"{name} takes matrices (rank 2 or more), got shape {x.shape}")
    return x


def matrix_transpose(x: Any, /) -> Any:
    """The matrices of the last two axes, transposed."""
    return matrices.matrix_transpose(_matrices(x, "matrix_transpose", ""))


def matmul(x1: Any, x2: Any, /) -> Any:
    """The product of matrices, batches of them, or vectors."""
    x1, x2 = promoted((tensor(x1, "matmul"), tensor(x2, "matmul")), "matmul", "iufc")
    left, right = rank_of(x1, "matmul"), rank_of(x2, "matmul")
    if not left or not right:
        raise ValueError("matmul takes no scalars; use multiply")
    a = expand_dims(x1, 0) if left == 1 else x1
    b = expand_dims(x2, -1) if right == 1 else x2
    product = linalg.matmul(a, b)
    gone = [-2] * (left == 1) + [-1] * (right == 1)
    return squeeze_op(product, gone) if gone else product


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The products summed over a number of axes, or over two lists of them."""
    x1, x2 = promoted((tensor(x1, "tensordot"), tensor(x2, "tensordot")), "tensordot", "iufc")
    return linalg.tensordot(x1, x2, axes if isinstance(axes, int) else [list(a) for a in axes])


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The sums of ``conj(x1) * x2`` along an axis."""
    x1, x2 = promoted((tensor(x1, "vecdot"), tensor(x2, "vecdot")), "vecdot", "iufc")
    if axis >= 0:
        raise ValueError(f"vecdot: axis must be negative, got {axis}")
    ranks = rank_of(x1, "vecdot"), rank_of(x2, "vecdot")
    for rank in ranks:
        one_axis(axis, rank, "vecdot")
    if x1.shape[axis] != x2.shape[axis] and None not in (x1.shape[axis], x2.shape[axis]):
        raise ValueError(f"vecdot: {x1.shape} and {x2.shape} differ along axis {axis}")
    left = elementary.conj(x1) if x1.dtype.is_complex else x1
    row, column = (moveaxis(x, axis, -1) for x in (left, x2))
    product = linalg.matmul(expand_dims(row, -2), expand_dims(column, -1))
    return squeeze_op(product, [-2, -1])


def cholesky(x: Any, /, *, upper: bool = False) -> Any:
    """The triangular factor of positive definite matrices: lower, or upper."""
    lower = matrices.cholesky(_matrices(x, "cholesky"))
    return matrices.adjoint_of(lower) if upper else lower


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross products of vectors of three along an axis."""
    x1, x2 = promoted((tensor(x1, "cross"), tensor(x2, "cross")), "cross", "iufc")
    for x in (x1, x2):
        one_axis(axis, rank_of(x, "cross"), "cross")
    a, b = (moveaxis(size_along(x, axis, 3, "cross"), axis, -1) for x in (x1, x2))
    left, right = a[..., [1, 2, 0]], b[..., [2, 0, 1]]
    product = left * right - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]
    return moveaxis(product, -1, axis)


def det(x: Any, /) -> Any:
    """The determinants of square matrices."""
    return matrices.det(_matrices(x, "det"))


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of matrices."""
    return matrices.diag_part_op(_matrices(x, "diagonal", ""), k=offset_within(offset))


class eig_result(NamedTuple):
    """What ``eig`` gives."""

    eigenvalues: Any
    eigenvectors: Any


class eigh_result(NamedTuple):
    """What ``eigh`` gives."""

    eigenvalues: Any
    eigenvectors: Any


class qr_result(NamedTuple):
    """What ``qr`` gives."""

    Q: Any
    R: Any


class slogdet_result(NamedTuple):
    """What ``slogdet`` gives."""

    sign: Any
    logabsdet: Any


class svd_result(NamedTuple):
    """What ``svd`` gives."""

    U: Any
    S: Any
    Vh: Any


def eig(x: Any, /) -> eig_result:
    """Eigenvalues and eigenvectors of square matrices, complex; of version 2025.12."""
    return eig_result(*decompositions.eig(_matrices(x, "eig")))


def eigvals(x: Any, /) -> Any:
    """The eigenvalues of square matrices, complex; of version 2025.12."""
    return decompositions.eigvals(_matrices(x, "eigvals"))


def eigh(x: Any, /) -> eigh_result:
    """Eigenvalues in ascending order and eigenvectors of symmetric matrices."""
    return eigh_result(*matrices.eigh(_matrices(x, "eigh")))


def eigvalsh(x: Any, /) -> Any:
    """The eigenvalues of symmetric matrices in ascending order."""
    return decompositions.eigvalsh(_matrices(x, "eigvalsh"))


def inv(x: Any, /) -> Any:
    """The inverses of square matrices."""
    return matrices.inv(_matrices(x, "inv"))


def matrix_power(x: Any, n: int, /) -> Any:
    """The product of ``n`` times the same square matrices; negative ``n``: of their inverses."""
    x = _matrices(x, "matrix_power")
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
    """The numbers of singular values above ``rtol`` times the greatest."""
    x = _matrices(x, "matrix_rank")
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
    """The norms of matrices: 'fro', 'nuc', 1, -1, 2, -2, inf or -inf."""
    x = _matrices(x, "matrix_norm")
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


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norms of vectors along the axes, by any power; 0 counts what is not zero."""
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


def outer(x1: Any, x2: Any, /) -> Any:
    """The products of each element of one vector with each of the other."""
    x1, x2 = promoted((tensor(x1, "outer"), tensor(x2, "outer")), "outer", "iufc")
    if rank_of(x1, "outer") != 1 or rank_of(x2, "outer") != 1:
        raise ValueError(f"outer takes vectors, got shapes {x1.shape} and {x2.shape}")
    return elementwise.multiply(reshape(x1, [-1, 1]), x2)


def pinv(x: Any, /, *, rtol: Any = None) -> Any:
    """The pseudo-inverses; singular values up to ``rtol`` times the greatest count as zero."""
    x = _matrices(x, "pinv")
    return decompositions.pinv_op(x, *([] if rtol is None else [_limits(rtol, x)]), steps=1.0)


def qr(x: Any, /, *, mode: str = "reduced") -> qr_result:
    """``Q @ R == x``: Q with orthonormal columns, R upper triangular."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"mode must be 'reduced' or 'complete', got {mode!r}")
    return qr_result(*matrices.qr(_matrices(x, "qr"), mode == "complete"))


def slogdet(x: Any, /) -> slogdet_result:
    """The sign of the determinants, and the logarithm of their absolute values."""
    sign, size = decompositions.slogdet(_matrices(x, "slogdet"))
    return slogdet_result(sign, elementary.real(size) if size.dtype.is_complex else size)


def solve(x1: Any, x2: Any, /) -> Any:
    """The solutions of ``x1 @ x == x2``; a vector ``x2`` is one right side for all."""
    x1, x2 = promoted((tensor(x1, "solve"), tensor(x2, "solve")), "solve", "fc")
    _matrices(x1, "solve")
    if rank_of(x2, "solve") == 1:
        return squeeze_op(matrices.solve(x1, expand_dims(x2, -1)), [-1])
    return matrices.solve(x1, x2)


def svd(x: Any, /, *, full_matrices: bool = True) -> svd_result:
    """``U @ diag(S) @ Vh == x``, the singular values in descending order."""
    s, u, v = decompositions.svd(_matrices(x, "svd"), full_matrices)
    return svd_result(u, s, matrices.adjoint_of(v))


def svdvals(x: Any, /) -> Any:
    """The singular values in descending order."""
    return decompositions.svd(_matrices(x, "svdvals"), compute_uv=False)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums of the diagonals of matrices."""
    target = None if dtype is None else as_dtype(dtype)
    return sum(diagonal(_matrices(x, "trace", "iufc"), offset=offset), axis=-1, dtype=target)


__all__ = [
    "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv",
    "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
