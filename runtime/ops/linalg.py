"""Rows of linear algebra: products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import Array
from runtime.errors import IncompatibleShapesError
from runtime.facets.infer import broadcast_shapes
from runtime.op import NUMERIC, define
from runtime.types import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__ = ["matmul"]


def _swap(x: Array, transpose: bool) -> Array:
    return np.swapaxes(x, -1, -2) if transpose else x


def _check_rank(label: str, dims: tuple[int | None, ...]) -> None:
    if len(dims) < 2:
        raise IncompatibleShapesError(
            f"matmul: {label} must have 2 dimensions or more, got shape {TensorShape(dims)}. "
            "Use runtime.tensordot or runtime.linalg.matvec for vectors."
        )


def _matmul(a: Array, b: Array, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    for label, x in (("a", a), ("b", b)):
        _check_rank(label, x.shape)  # NumPy would take vectors
    return np.matmul(_swap(a, transpose_a), _swap(b, transpose_b))


def _matmul_infer(
    a: TensorSpec, b: TensorSpec, *, transpose_a: bool = False, transpose_b: bool = False
) -> TensorSpec:
    m, n = a.shape.dims, b.shape.dims
    for label, dims in (("a", m), ("b", n)):
        if dims is not None:
            _check_rank(label, dims)
    if m is None or n is None:
        return TensorSpec(UNKNOWN_SHAPE, a.dtype)
    rows, inner = (m[-1], m[-2]) if transpose_a else (m[-2], m[-1])
    other, columns = (n[-1], n[-2]) if transpose_b else (n[-2], n[-1])
    if inner is not None and other is not None and inner != other:
        raise IncompatibleShapesError(
            f"Matrix size-incompatible: In[0]: {list(m)}, In[1]: {list(n)}: the inner dimensions "
            f"must be equal, but are {inner} and {other}."
        )
    batch = broadcast_shapes(TensorShape(m[:-2]), TensorShape(n[:-2]))
    return TensorSpec(batch + TensorShape((rows, columns)), a.dtype)


matmul_op = define(
    "matmul",
    inputs="a b",
    kernel=_matmul,
    infer=_matmul_infer,
    kinds=NUMERIC,
    label="MatMul",
    spells=("__matmul__", "__rmatmul__", np.matmul),
)


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    name: str | None = None,
) -> Any:
    """The product of two matrices, or of two batches of matrices (rank 2 or more).

    ValueError (and InvalidArgumentError) when the inner dimensions differ.
    """
    return matmul_op(a, b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)
