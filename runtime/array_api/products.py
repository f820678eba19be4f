"""Products of vectors and matrices of the array API standard; ``linalg`` has the rest."""

from __future__ import annotations

from typing import Any

from runtime.array_api.checks import size_along
from runtime.array_api.promotion import of_kind, promoted, tensor
from runtime.array_api.shapes import moveaxis, one_axis, rank_of
from runtime.ops.array.shape import expand_dims, reshape
from runtime.ops.array.shape import squeeze as squeeze_op
from runtime.ops.linalg import matrices
from runtime.ops.linalg import products as linalg
from runtime.ops.math import elementary, elementwise
from runtime.ops.numpy_functions import matrix_product

__all__ = ["cross", "matmul", "matrix_transpose", "outer", "tensordot", "vecdot"]


def matrices_of(x: Any, name: str, kinds: str = "fc") -> Any:
    """Check that an array has rank 2 or more, and a dtype of one of the kind letters."""
    x = of_kind(x, kinds, name)
    if rank_of(x, name) < 2:
        raise ValueError(f"{name} takes matrices (rank 2 or more), got shape {x.shape}")
    return x


def matrix_transpose(x: Any, /) -> Any:
    """Transpose the matrices of the last two axes.

    Args:
        x: array of matrices, shape ``[..., M, N]``.
    Returns:
        Array of shape ``[..., N, M]`` and the dtype of ``x``.
    Raises:
        ValueError: ``x`` has a rank below 2.
    """
    return matrices.matrix_transpose(matrices_of(x, "matrix_transpose", ""))


def matmul(x1: Any, x2: Any, /) -> Any:
    """Compute products of matrices or vectors.

    Args:
        x1: array of a numeric dtype, shape ``[..., M, K]`` or ``[K]``.
        x2: array of a dtype that promotes with it, shape ``[..., K, N]`` or ``[K]``.
    Returns:
        Array of shape ``[..., M, N]``, without the axis of each vector.
    Raises:
        TypeError: a dtype is not numeric, or the dtypes do not promote.
        ValueError: an array is a scalar.
        InvalidArgumentError: the shapes do not fit (also a ValueError).
    """
    x1, x2 = promoted((tensor(x1, "matmul"), tensor(x2, "matmul")), "matmul", "iufc")
    if not rank_of(x1, "matmul") or not rank_of(x2, "matmul"):
        raise ValueError("matmul takes no scalars; use multiply")
    return matrix_product(x1, x2)


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """Compute sums of products of elements over axes of both arrays.

    Args:
        x1: array of a numeric dtype.
        x2: array of a dtype that promotes with it.
        axes: number of last axes of ``x1`` and first axes of ``x2``, or two sequences of axes.
    Returns:
        Array of the other axes of ``x1``, then those of ``x2``.
    Raises:
        TypeError: a dtype is not numeric, or the dtypes do not promote.
        InvalidArgumentError: the shapes do not fit (also a ValueError).
    """
    x1, x2 = promoted((tensor(x1, "tensordot"), tensor(x2, "tensordot")), "tensordot", "iufc")
    return linalg.tensordot(x1, x2, axes if isinstance(axes, int) else [list(a) for a in axes])


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """Compute the sums of ``conj(x1) * x2`` along an axis.

    Args:
        x1: array of a numeric dtype.
        x2: array of a dtype that promotes with it; the other axes broadcast.
        axis: negative number of the axis.
    Returns:
        Array without the axis.
    Raises:
        TypeError: a dtype is not numeric, or the dtypes do not promote.
        ValueError: ``axis`` is not negative, or its sizes differ.
    """
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


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """Compute cross products of vectors of three numbers along an axis.

    Args:
        x1: array of a numeric dtype.
        x2: array of a dtype that promotes with it; the other axes broadcast.
        axis: the axis, of size 3.
    Returns:
        Array of the broadcast shape.
    Raises:
        TypeError: a dtype is not numeric, or the dtypes do not promote.
        ValueError: the axis has another size.
    """
    x1, x2 = promoted((tensor(x1, "cross"), tensor(x2, "cross")), "cross", "iufc")
    for x in (x1, x2):
        one_axis(axis, rank_of(x, "cross"), "cross")
    a, b = (moveaxis(size_along(x, axis, 3, "cross"), axis, -1) for x in (x1, x2))
    left, right = a[..., [1, 2, 0]], b[..., [2, 0, 1]]
    product = left * right - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]
    return moveaxis(product, -1, axis)


def outer(x1: Any, x2: Any, /) -> Any:
    """Compute the products of each element of one vector with each of another one.

    Args:
        x1: vector of a numeric dtype, of size M.
        x2: vector of a dtype that promotes with it, of size N.
    Returns:
        Array of shape ``[M, N]``.
    Raises:
        TypeError: a dtype is not numeric, or the dtypes do not promote.
        ValueError: an array is no vector.
    """
    x1, x2 = promoted((tensor(x1, "outer"), tensor(x2, "outer")), "outer", "iufc")
    if rank_of(x1, "outer") != 1 or rank_of(x2, "outer") != 1:
        raise ValueError(f"outer takes vectors, got shapes {x1.shape} and {x2.shape}")
    return elementwise.multiply(reshape(x1, [-1, 1]), x2)
