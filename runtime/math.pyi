"""Types of the names of ``runtime.math``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from collections.abc import Sequence
from runtime import abs as abs
from runtime import accumulate_n as accumulate_n
from runtime import acos as acos
from runtime import acosh as acosh
from runtime import add as add
from runtime import add_n as add_n
from runtime import angle as angle
from runtime import approximate_equal as approximate_equal
from runtime import argmax as argmax
from runtime import argmin as argmin
from runtime import asin as asin
from runtime import asinh as asinh
from runtime import atan as atan
from runtime import atan2 as atan2
from runtime import atanh as atanh
from runtime import betainc as betainc
from runtime import bincount as bincount
from runtime import ceil as ceil
from runtime import clip_by_value as clip_by_value
from runtime import complex as complex
from runtime import confusion_matrix as confusion_matrix
from runtime import conj as conj
from runtime import cos as cos
from runtime import cosh as cosh
from runtime import count_nonzero as count_nonzero
from runtime import cumprod as cumprod
from runtime import cumsum as cumsum
from runtime import cumulative_logsumexp as cumulative_logsumexp
from runtime import digamma as digamma
from runtime import divide as divide
from runtime import divide_no_nan as divide_no_nan
from runtime import equal as equal
from runtime import erf as erf
from runtime import erfc as erfc
from runtime import exp as exp
from runtime import expm1 as expm1
from runtime import floor as floor
from runtime import floordiv as floordiv
from runtime import floormod as floormod
from runtime import greater as greater
from runtime import greater_equal as greater_equal
from runtime import igamma as igamma
from runtime import igammac as igammac
from runtime import imag as imag
from runtime import invert_permutation as invert_permutation
from runtime import is_finite as is_finite
from runtime import is_inf as is_inf
from runtime import is_nan as is_nan
from runtime import is_non_decreasing as is_non_decreasing
from runtime import is_strictly_increasing as is_strictly_increasing
from runtime import lbeta as lbeta
from runtime import less as less
from runtime import less_equal as less_equal
from runtime import lgamma as lgamma
from runtime import log as log
from runtime import log1p as log1p
from runtime import log_sigmoid as log_sigmoid
from runtime import logical_and as logical_and
from runtime import logical_not as logical_not
from runtime import logical_or as logical_or
from runtime import logical_xor as logical_xor
from runtime import maximum as maximum
from runtime import minimum as minimum
from runtime import mod as mod
from runtime import multiply as multiply
from runtime import multiply_no_nan as multiply_no_nan
from runtime import negative as negative
from runtime import not_equal as not_equal
from runtime import polygamma as polygamma
from runtime import pow as pow
from runtime import real as real
from runtime import realdiv as realdiv
from runtime import reciprocal as reciprocal
from runtime import reduce_all as reduce_all
from runtime import reduce_any as reduce_any
from runtime import reduce_euclidean_norm as reduce_euclidean_norm
from runtime import reduce_logsumexp as reduce_logsumexp
from runtime import reduce_max as reduce_max
from runtime import reduce_mean as reduce_mean
from runtime import reduce_min as reduce_min
from runtime import reduce_prod as reduce_prod
from runtime import reduce_std as reduce_std
from runtime import reduce_sum as reduce_sum
from runtime import reduce_variance as reduce_variance
from runtime import rint as rint
from runtime import round as round
from runtime import rsqrt as rsqrt
from runtime import scalar_mul as scalar_mul
from runtime import segment_max as segment_max
from runtime import segment_mean as segment_mean
from runtime import segment_min as segment_min
from runtime import segment_prod as segment_prod
from runtime import segment_sum as segment_sum
from runtime import sigmoid as sigmoid
from runtime import sign as sign
from runtime import sin as sin
from runtime import sinh as sinh
from runtime import softplus as softplus
from runtime import sqrt as sqrt
from runtime import square as square
from runtime import squared_difference as squared_difference
from runtime import subtract as subtract
from runtime import tan as tan
from runtime import tanh as tanh
from runtime import truediv as truediv
from runtime import truncatediv as truncatediv
from runtime import truncatemod as truncatemod
from runtime import unsorted_segment_max as unsorted_segment_max
from runtime import unsorted_segment_mean as unsorted_segment_mean
from runtime import unsorted_segment_min as unsorted_segment_min
from runtime import unsorted_segment_prod as unsorted_segment_prod
from runtime import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from runtime import unsorted_segment_sum as unsorted_segment_sum
from runtime import xdivy as xdivy
from runtime import xlogy as xlogy
from runtime import zeta as zeta
from runtime.eager.tensor import Tensor
from runtime.ops.array.sorting import top_k as top_k
from runtime.types.aliases import AxisLike
from runtime.types.aliases import TensorLike
from typing import Any

def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the modified Bessel function of order 0 of each element.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``exp(-abs(x)) * bessel_i0(x)`` for each element.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the modified Bessel function of order 1 of each element.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``exp(-abs(x)) * bessel_i1(x)`` for each element.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def erfcinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse of ``erfc`` for each element; NaN beyond 0 and 2.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def erfinv(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the inverse of ``erf`` for each element; NaN beyond -1 and 1.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def in_top_k(targets: TensorLike, predictions: TensorLike, k: TensorLike, name: str | None = None) -> Tensor: ...
def l2_normalize(x: TensorLike, axis: AxisLike | None = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor: ...
def log_softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def ndtri(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the quantile function of the standard normal distribution of each element.

    Args:
        x: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Return the floating-point number next to ``x1`` in the direction of ``x2``.

    Args:
        x1, x2: tensors of one floating dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def polyval(coeffs: Sequence[Any], x: TensorLike, name: str | None = None) -> Tensor: ...
def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``1 / x`` for each element; 0 where ``x`` is 0.

    Args:
        x: tensor of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``features / (abs(features) + 1)`` for each element.

    Args:
        features: tensor of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``features``.
    Raises:
        InvalidArgumentError: ``features`` has another dtype (also a TypeError).
    """
def xlog1py(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute ``x * log1p(y)`` element-wise; 0 where ``x`` is 0.

    Args:
        x, y: tensors of one floating or complex dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor: ...
