"""Op definitions of sparse tensors: to a dense one, products with dense matrices.

Each takes the parts of a sparse tensor; conversions.py and products.py give them those.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from runtime.ops.array.gather_scatter import gather, gather_nd
from runtime.ops.math.elementary import conj
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.op import NUMERIC, define
from runtime.ops.rules.kernels import add_rows, checked
from runtime.ops.rules.samples import case, spread
from runtime.types.dtypes import Array
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []


def check_indices(indices: Array, sizes: Array, caller: str, ordered: bool = True) -> None:
    """InvalidArgumentError for indices outside of the sizes, out of order, or repeated."""
    outside = ((indices < 0) | (indices >= sizes)).any(1)
    if outside.any():
        number = int(outside.argmax())
        raise InvalidArgumentError(
            f"{caller}: indices[{number}] = {indices[number].tolist()} is out of bounds: need "
            f"0 <= index < {sizes.tolist()}"
        )
    if not ordered or len(indices) < 2:
        return
    steps = np.diff(indices, axis=0)
    changes = steps != 0
    first = changes.argmax(1)
    falls = np.zeros(len(steps), bool)
    if steps.shape[1]:
        falls = np.take_along_axis(steps, first[:, None], 1)[:, 0] < 0
    wrong = ~changes.any(1) | falls
    if wrong.any():
        number = int(wrong.argmax()) + 1
        repeated = not changes[number - 1].any()
        raise InvalidArgumentError(
            f"{caller}: indices[{number}] = {indices[number].tolist()} is "
            + ("repeated" if repeated else "out of order. Many sparse ops require sorted indices. "
               "Use `tf.sparse.reorder` to create a correctly ordered copy.")
        )  # fmt: skip


def _to_dense(
    values: Array, default: Array, indices: Array, sizes: Array, *, validate: bool
) -> Array:
    check_indices(indices, sizes, "sparse.to_dense", validate)
    result = np.empty(tuple(sizes.tolist()), values.dtype)
    result[...] = default
    result[tuple(indices.T)] = values
    return result


def dense_spec(dtype: Any, sizes: TensorSpec) -> TensorSpec:
    """Return the type of a tensor whose shape is a vector of this type."""
    if sizes.value is not None:
        return TensorSpec([int(size) for size in sizes.value], dtype)
    dims = sizes.shape.dims
    return TensorSpec(None if dims is None or dims[0] is None else [None] * dims[0], dtype)


def _to_dense_infer(
    values: TensorSpec, default: TensorSpec, indices: TensorSpec, sizes: TensorSpec,
    *, validate: bool,
) -> TensorSpec:
    if default.shape.rank not in (None, 0):
        raise IncompatibleShapesError(
            f"sparse.to_dense: default_value must be a scalar, got shape {default.shape}"
        )
    return dense_spec(values.dtype, sizes)


def _to_dense_grad(
    values: Any, default: Any, indices: Any, sizes: Any, y: Any, dy: Any, *, validate: bool
) -> tuple[Any, ...]:
    at_values = gather_nd(dy, indices)
    return at_values, lambda: reduce_sum(dy) - reduce_sum(at_values), None, None


to_dense_op = define(
    "sparse_to_dense",
    inputs="values default indices dense_shape",
    same_dtype_inputs=slice(0, 2),
    kernel=checked(_to_dense, _to_dense_infer),
    infer=_to_dense_infer,
    grad=_to_dense_grad,
    node_name="SparseToDense",
    samples=lambda: [
        case([1.0, 2.0], 0.0, np.array([[0, 1], [1, 2]]), np.array([2, 3]), validate=True),
        case(["a", "b"], "", np.array([[2], [0]]), np.array([3]), validate=False),
    ],
    doc="Write values at their indices into a tensor of a default.",
)


# -- products -------------------------------------------------------------------------------------

_WORTH_SCIPY = 20_000
"""Multiplications from which SciPy's compiled loop makes up for its call."""


@functools.cache
def _scipy() -> Any:
    try:
        return importlib.import_module("scipy.sparse")
    except ModuleNotFoundError:
        return None


def _matmul(
    values: Array, dense: Array, indices: Array, sizes: Array, *, adjoint: bool
) -> Array:
    """The product of the sparse matrix, or its adjoint, and a dense one."""
    check_indices(indices, sizes, "sparse.sparse_dense_matmul", False)
    rows, columns = indices.T
    height, width = sizes.tolist()
    if adjoint:
        rows, columns, height, width = columns, rows, width, height
        values = np.conj(values)
    if width != dense.shape[0]:
        raise InvalidArgumentError(
            f"sparse.sparse_dense_matmul: cannot multiply a matrix of {width} columns by one of "
            f"{dense.shape[0]} rows"
        )
    work = values.size * dense.shape[1]
    scipy = _scipy() if work >= _WORTH_SCIPY and values.dtype.kind in "fc" else None
    if scipy is not None and values.dtype != np.float16:
        matrix = scipy.csr_matrix((values, (rows, columns)), (height, width))
        return np.asarray(matrix @ dense, values.dtype)
    result = np.zeros((height, dense.shape[1]), values.dtype)
    add_rows(result, rows, values[:, None] * dense[columns])
    return result


def _matmul_infer(
    values: TensorSpec, dense: TensorSpec, indices: TensorSpec, sizes: TensorSpec, *, adjoint: bool
) -> TensorSpec:
    if dense.shape.rank not in (None, 2) or not sizes.shape.is_compatible_with([2]):
        raise IncompatibleShapesError(
            "sparse.sparse_dense_matmul takes matrices, got a sparse tensor of rank "
            f"{sizes.shape.dims} and a dense one of shape {dense.shape}"
        )
    height = None if sizes.value is None else int(sizes.value[1 if adjoint else 0])
    width = None if dense.shape.rank is None else dense.shape[1]
    return TensorSpec(TensorShape([height, width]), values.dtype)


def _matmul_grad(
    values: Any, dense: Any, indices: Any, sizes: Any, y: Any, dy: Any, *, adjoint: bool
) -> tuple[Any, ...]:
    rows, columns = indices[:, 0], indices[:, 1]
    if adjoint:
        rows, columns = columns, rows

    def of_values() -> Any:
        products = reduce_sum(gather(dy, rows) * conj(gather(dense, columns)), 1)
        return conj(products) if adjoint else products

    def of_dense() -> Any:
        return matmul_op(values, dy, indices, sizes, adjoint=not adjoint)

    return of_values, of_dense, None, None


matmul_op = define(
    "sparse_dense_matmul",
    inputs="values dense indices dense_shape",
    same_dtype_inputs=slice(0, 2),
    dtype_kinds=NUMERIC,
    kernel=checked(_matmul, _matmul_infer),
    infer=_matmul_infer,
    grad=_matmul_grad,
    node_name="SparseTensorDenseMatMul",
    samples=lambda: [
        case([1.0, 2.0, -1.0], spread(-1, 1, 3, 2), np.array([[0, 1], [1, 2], [1, 0]]),
             np.array([2, 3]), adjoint=False),
        case([1.0, 2.0, -1.0], spread(-1, 1, 2, 2), np.array([[0, 1], [1, 2], [1, 0]]),
             np.array([2, 3]), adjoint=True),
    ],
    doc="Multiply a sparse matrix, or its adjoint, by a dense one.",
)  # fmt: skip
