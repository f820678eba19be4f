"""TensorFlow 1's flat names: of what stands in a submodule today, and of what it alone has.

Gathered for graph_names.py: ``runtime.to_float``, ``runtime.matrix_inverse`` ...
"""

from __future__ import annotations

from typing import Any

from runtime.graph.default_graph import disable_eager_execution, enable_eager_execution
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import linspace
from runtime.ops.array.partitions import confusion_matrix as confusion_matrix
from runtime.ops.array.shape import reverse
from runtime.ops.array.sorting import invert_permutation as invert_permutation
from runtime.ops.array.where import where
from runtime.ops.linalg.decompositions import cholesky_solve as cholesky_solve
from runtime.ops.linalg.decompositions import eigvalsh, lstsq, triangular_solve
from runtime.ops.linalg.decompositions import svd as svd
from runtime.ops.linalg.diagonals import diag as _matrix_diag
from runtime.ops.linalg.diagonals import diag_part as _matrix_part
from runtime.ops.linalg.diagonals import set_diag
from runtime.ops.linalg.matrices import band_part, det, eigh, inv, solve
from runtime.ops.linalg.matrices import cholesky as cholesky
from runtime.ops.linalg.matrices import cross as cross
from runtime.ops.linalg.matrices import matrix_transpose as matrix_transpose
from runtime.ops.linalg.matrices import qr as qr
from runtime.ops.linalg.matrices import trace as trace
from runtime.ops.linalg.solvers import tensor_diag, tensor_diag_part
from runtime.ops.math.composites import accumulate_n as accumulate_n
from runtime.ops.math.composites import is_non_decreasing as is_non_decreasing
from runtime.ops.math.composites import is_strictly_increasing as is_strictly_increasing
from runtime.ops.math.composites import unsorted_segment_mean as unsorted_segment_mean
from runtime.ops.math.composites import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from runtime.ops.math.elementwise import divide_no_nan, floordiv, realdiv
from runtime.ops.math.fft import fft as fft
from runtime.ops.math.fft import fft2d as fft2d
from runtime.ops.math.fft import fft3d as fft3d
from runtime.ops.math.fft import ifft as ifft
from runtime.ops.math.fft import ifft2d as ifft2d
from runtime.ops.math.fft import ifft3d as ifft3d
from runtime.ops.math.polygamma import digamma as digamma
from runtime.ops.math.polygamma import polygamma as polygamma
from runtime.ops.math.polygamma import zeta as zeta
from runtime.ops.math.reduction import argmax, argmin
from runtime.ops.math.special_statistics import betainc as betainc
from runtime.ops.math.special_statistics import igamma as igamma
from runtime.ops.math.special_statistics import igammac as igammac
from runtime.ops.math.special_statistics import lbeta as lbeta
from runtime.ops.nn.normalization import batch_to_space
from runtime.ops.nn.normalization import depth_to_space as depth_to_space
from runtime.ops.nn.normalization import space_to_depth as space_to_depth
from runtime.ops.nn.patches import extract_patches
from runtime.types.aliases import AxisLike, DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    float32,
    float64,
    int32,
    int64,
)
from runtime.types.errors import OpError as OpError
from runtime.types.shapes import TensorShape

batch_to_space_nd = batch_to_space
diag = tensor_diag
diag_part = tensor_diag_part
div_no_nan = divide_no_nan
floor_div = floordiv
lin_space = linspace
matrix_band_part = band_part
matrix_determinant = det
matrix_diag = _matrix_diag
matrix_diag_part = _matrix_part
matrix_inverse = inv
matrix_set_diag = set_diag
matrix_solve = solve
matrix_solve_ls = lstsq
matrix_triangular_solve = triangular_solve
reverse_v2 = reverse
self_adjoint_eig = eigh
self_adjoint_eigvals = eigvalsh
where_v2 = where


# -- switches: what they choose between in TensorFlow is one thing here ---------------------------


def disable_v2_behavior() -> None:
    """Record ops in the default graph, as ``disable_eager_execution``.

    Returns:
        None.
    """
    disable_eager_execution()


def enable_v2_behavior() -> None:
    """Undo ``disable_v2_behavior``.

    Returns:
        None.
    Raises:
        ValueError: the default graph has operations.
    """
    enable_eager_execution()


def enable_control_flow_v2() -> None:
    """Accept TensorFlow's switch; branches and loops always are operations that hold graphs.

    Returns:
        None.
    """


def disable_control_flow_v2() -> None:
    """Accept TensorFlow's switch; branches and loops remain operations that hold graphs.

    Returns:
        None.
    """


def control_flow_v2_enabled() -> bool:
    """Return whether branches and loops are operations that hold graphs.

    Returns:
        True.
    """
    return True


def enable_resource_variables() -> None:
    """Accept TensorFlow's switch; variables always are resource variables.

    Returns:
        None.
    """


def resource_variables_enabled() -> bool:
    """Return whether variables are resource variables.

    Returns:
        True.
    """
    return True


def enable_tensor_equality() -> None:
    """Accept TensorFlow's switch; ``==`` of tensors always compares elements.

    Returns:
        None.
    """


def enable_v2_tensorshape() -> None:
    """Accept TensorFlow's switch; items of a TensorShape always are numbers and None.

    Returns:
        None.
    """


# -- casts and arithmetic -------------------------------------------------------------------------


def to_float(x: TensorLike, name: str = "ToFloat") -> Any:
    """Cast a tensor to float32.

    Args:
        x: value that becomes a tensor of a numeric dtype or bool.
    Returns:
        Tensor of float32 in the shape of ``x``.
    """
    return cast(x, float32, name=name)


def to_double(x: TensorLike, name: str = "ToDouble") -> Any:
    """Cast a tensor to float64.

    Args:
        x: value that becomes a tensor of a numeric dtype or bool.
    Returns:
        Tensor of float64 in the shape of ``x``.
    """
    return cast(x, float64, name=name)


def to_int32(x: TensorLike, name: str = "ToInt32") -> Any:
    """Cast a tensor to int32.

    Args:
        x: value that becomes a tensor of a numeric dtype or bool.
    Returns:
        Tensor of int32 in the shape of ``x``.
    """
    return cast(x, int32, name=name)


def to_int64(x: TensorLike, name: str = "ToInt64") -> Any:
    """Cast a tensor to int64.

    Args:
        x: value that becomes a tensor of a numeric dtype or bool.
    Returns:
        Tensor of int64 in the shape of ``x``.
    """
    return cast(x, int64, name=name)


def to_complex64(x: TensorLike, name: str = "ToComplex64") -> Any:
    """Cast a tensor to complex64.

    Args:
        x: value that becomes a tensor of a numeric dtype or bool.
    Returns:
        Tensor of complex64 in the shape of ``x``.
    """
    return cast(x, complex64, name=name)


def to_complex128(x: TensorLike, name: str = "ToComplex128") -> Any:
    """Cast a tensor to complex128.

    Args:
        x: value that becomes a tensor of a numeric dtype or bool.
    Returns:
        Tensor of complex128 in the shape of ``x``.
    """
    return cast(x, complex128, name=name)


def div(x: TensorLike, y: TensorLike, name: str | None = None) -> Any:
    """Divide element by element as Python 2 does: integers are rounded down.

    Args:
        x: tensor of a numeric dtype.
        y: tensor of the same dtype; the shapes broadcast.
    Returns:
        Tensor of the broadcast shape and the dtype of the inputs.
    """
    dtypes = [v.dtype for v in (x, y) if isinstance(getattr(v, "dtype", None), DType)]
    is_integer = (dtypes[0] if dtypes else convert_to_tensor(x).dtype).is_integer
    return (floordiv if is_integer else realdiv)(x, y, name=name)


def arg_max(
    input: TensorLike, dimension: AxisLike, output_type: DTypeLike = int64, name: str | None = None
) -> Any:
    """Find the index of the greatest element along a dimension.

    Args:
        input: tensor.
        dimension: scalar int32 or int64.
        output_type: int32 or int64.
    Returns:
        Tensor of ``output_type`` without the dimension.
    """
    return argmax(input, dimension, as_dtype(output_type), name)


def arg_min(
    input: TensorLike, dimension: AxisLike, output_type: DTypeLike = int64, name: str | None = None
) -> Any:
    """Find the index of the least element along a dimension.

    Args:
        input: tensor.
        dimension: scalar int32 or int64.
        output_type: int32 or int64.
    Returns:
        Tensor of ``output_type`` without the dimension.
    """
    return argmin(input, dimension, as_dtype(output_type), name)


def extract_image_patches(
    images: TensorLike, ksizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None
) -> Any:
    """Extract windows of images, the elements of each in the last dimension.

    Args:
        images: tensor of shape ``[batch, height, width, channels]``.
        ksizes: sizes of a window, ``[1, height, width, 1]``.
        strides: distances of windows, ``[1, height, width, 1]``.
        rates: distances of elements within a window, ``[1, height, width, 1]``.
        padding: 'VALID' or 'SAME'.
    Returns:
        Tensor of shape ``[batch, rows, columns, height * width * channels]``.
    """
    return extract_patches(images, ksizes, strides, rates, padding, name)


def dimension_value(dimension: Any) -> int | None:
    """Convert an item of a TensorShape to a Python integer.

    Args:
        dimension: integer or None.
    Returns:
        Integer, or None for an unknown size.
    """
    return None if dimension is None else int(dimension)


def dimension_at_index(shape: ShapeLike, index: int) -> int | None:
    """Get the size of a dimension of a shape.

    Args:
        shape: what becomes a TensorShape.
        index: number of the dimension.
    Returns:
        Integer, or None for an unknown size.
    """
    dims = TensorShape(shape)
    return None if dims.rank is None else dims[index]


__all__ = [
    "OpError", "accumulate_n", "arg_max", "arg_min", "batch_to_space_nd", "betainc",
    "cholesky", "cholesky_solve", "confusion_matrix", "control_flow_v2_enabled", "cross",
    "depth_to_space", "diag", "diag_part", "digamma", "dimension_at_index", "dimension_value",
    "disable_control_flow_v2", "disable_v2_behavior", "div", "div_no_nan", "enable_control_flow_v2",
    "enable_resource_variables", "enable_tensor_equality", "enable_v2_behavior",
    "enable_v2_tensorshape", "extract_image_patches", "fft", "fft2d", "fft3d", "floor_div", "ifft",
    "ifft2d", "ifft3d", "igamma", "igammac", "invert_permutation", "is_non_decreasing",
    "is_strictly_increasing", "lbeta", "lin_space", "matrix_band_part", "matrix_determinant",
    "matrix_diag", "matrix_diag_part", "matrix_inverse", "matrix_set_diag", "matrix_solve",
    "matrix_solve_ls", "matrix_transpose", "matrix_triangular_solve", "polygamma", "qr",
    "resource_variables_enabled", "reverse_v2", "self_adjoint_eig", "self_adjoint_eigvals",
    "space_to_depth", "svd", "to_complex128", "to_complex64", "to_double", "to_float", "to_int32",
    "to_int64", "trace", "unsorted_segment_mean", "unsorted_segment_sqrt_n", "where_v2", "zeta",
]  # fmt: skip
