"""Flat names that TensorFlow 2 moved into submodules or replaced: those of ``compat.v1``.

Most are other names of functions that stand elsewhere; later.py makes them public.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime import interpreter
from runtime.dtypes import (
    Array,
    DType,
    as_dtype,
    complex64,
    complex128,
    float32,
    float64,
    int32,
    int64,
)
from runtime.errors import IncompatibleShapesError
from runtime.facets.arguments import whole_numbers
from runtime.facets.kernels import checked
from runtime.facets.samples import case
from runtime.op import define
from runtime.ops.composites import accumulate_n, is_non_decreasing, is_strictly_increasing
from runtime.ops.constants import cast
from runtime.ops.decompositions import cholesky_solve, eigvalsh, lstsq, svd, triangular_solve
from runtime.ops.diagonals import diag as matrix_diag
from runtime.ops.diagonals import diag_part as matrix_diag_part
from runtime.ops.diagonals import set_diag as matrix_set_diag
from runtime.ops.distributions import betainc, igamma, igammac, lbeta
from runtime.ops.elementwise import divide_no_nan, floordiv, truediv
from runtime.ops.gathering import gather
from runtime.ops.matrices import (
    band_part,
    cholesky,
    cross,
    det,
    eigh,
    inv,
    matrix_transpose,
    qr,
    solve,
    trace,
)
from runtime.ops.morphology import extract_patches
from runtime.ops.networks import batch_to_space, depth_to_space, space_to_depth
from runtime.ops.selection import where
from runtime.ops.shape import reverse
from runtime.ops.sorting import invert_permutation
from runtime.ops.special import digamma, polygamma, zeta
from runtime.ops.spectral import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from runtime.ops.systems import tensor_diag as diag
from runtime.ops.systems import tensor_diag_part as diag_part
from runtime.types import TensorShape, TensorSpec

__all__ = [
    "accumulate_n", "batch_gather", "batch_to_space_nd", "betainc", "cholesky", "cholesky_solve",
    "cross", "depth_to_space", "diag", "diag_part", "digamma", "dimension_at_index",
    "dimension_value", "div", "div_no_nan", "extract_image_patches", "fft", "fft2d", "fft3d",
    "floor_div", "ifft", "ifft2d", "ifft3d", "igamma", "igammac", "invert_permutation",
    "is_non_decreasing", "is_strictly_increasing", "lbeta", "matrix_band_part",
    "matrix_determinant", "matrix_diag", "matrix_diag_part", "matrix_inverse", "matrix_set_diag",
    "matrix_solve", "matrix_solve_ls", "matrix_transpose", "matrix_triangular_solve", "polygamma",
    "qr", "reverse_v2", "self_adjoint_eig", "self_adjoint_eigvals", "setdiff1d", "space_to_depth",
    "svd", "to_complex128", "to_complex64", "to_double", "to_float", "to_int32", "to_int64",
    "trace", "where_v2", "zeta",
]  # fmt: skip

batch_to_space_nd = batch_to_space
div_no_nan = divide_no_nan
floor_div = floordiv
matrix_band_part, matrix_determinant, matrix_inverse = band_part, det, inv
matrix_solve, matrix_solve_ls, matrix_triangular_solve = solve, lstsq, triangular_solve
reverse_v2, where_v2 = reverse, where
self_adjoint_eig, self_adjoint_eigvals = eigh, eigvalsh


def div(x: Any, y: Any, name: str | None = None) -> Any:
    """``x / y`` as in Python 2: of whole numbers rounded down."""
    x = interpreter.convert(x)
    y = y if isinstance(y, interpreter.Value) else interpreter.convert(y, x.dtype)
    divide = floordiv if x.dtype.is_integer else truediv
    return divide(x, y, name=name)


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """The entries of ``params`` along the last axis of ``indices``; the axes before are a batch."""
    places = interpreter.convert(whole_numbers(indices, "indices"))
    if places.shape.dims is None:
        raise ValueError("batch_gather needs indices of known rank; use ensure_shape or set_shape")
    return gather(params, places, batch_dims=len(places.shape) - 1, name=name)


def extract_image_patches(images: Any, ksizes: Any, strides: Any, rates: Any, padding: str,
                          name: str | None = None) -> Any:  # fmt: skip
    """The windows of the images, each laid out in the channels."""
    return extract_patches(images, ksizes, strides, rates, padding, name)


def dimension_value(dimension: Any) -> Any:
    """A dimension of a shape, which is a number or None here anyway."""
    return dimension


def dimension_at_index(shape: Any, index: int) -> Any:
    """The dimension of a shape at a place; None when the rank is not known."""
    return TensorShape(shape)[index]


def _casting(name: str, dtype: DType) -> Any:
    def to(x: Any, name: str = name) -> Any:
        return cast(x, dtype, name=name)

    to.__name__ = to.__qualname__ = f"to_{name.removeprefix('To').lower()}"
    to.__doc__ = f"``cast`` to {dtype.name}."
    return to


to_float, to_double = _casting("ToFloat", float32), _casting("ToDouble", float64)
to_int32, to_int64 = _casting("ToInt32", int32), _casting("ToInt64", int64)
to_complex64, to_complex128 = (
    _casting("ToComplex64", complex64), _casting("ToComplex128", complex128),
)  # fmt: skip


class ListDiff(NamedTuple):
    """What ``setdiff1d`` gives."""

    out: Any
    idx: Any


def _difference(x: Array, y: Array) -> Any:
    kept = np.flatnonzero(~np.isin(x, y))
    return x[kept], kept


def _difference_infer(x: TensorSpec, y: TensorSpec) -> Any:
    for name, spec in (("x", x), ("y", y)):
        if spec.shape.rank not in (None, 1):
            raise IncompatibleShapesError(f"setdiff1d: {name} must be a vector, got {spec.shape}")
    return TensorSpec([None], x.dtype), TensorSpec([None], int64)


setdiff1d_op = define(
    "setdiff1d", inputs="x y", kernel=checked(_difference, _difference_infer),
    infer=_difference_infer, grad=None, label="ListDiff",
    samples=lambda: [case([1, 2, 3, 2], [2]), case(["a", "b"], ["c", "a"])],
    doc="``(out, idx)``: the elements of x that are not in y, and where they stand.",
)  # fmt: skip


def setdiff1d(x: Any, y: Any, index_dtype: Any = int32, name: str | None = None) -> Any:
    """``(out, idx)``: the elements of ``x`` that are not in ``y``, in order, and their places."""
    out, places = setdiff1d_op(x, y, name=name)
    return ListDiff(out, cast(places, as_dtype(index_dtype)))
