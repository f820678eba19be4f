"""Types of the names of ``runtime.keras.ops``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime import custom_gradient as custom_gradient
from runtime import is_tensor as is_tensor
from runtime.eager.tensor import Tensor
from runtime.keras.activations import celu as celu
from runtime.keras.activations import elu as elu
from runtime.keras.activations import gelu as gelu
from runtime.keras.activations import glu as glu
from runtime.keras.activations import hard_shrink as hard_shrink
from runtime.keras.activations import hard_sigmoid as hard_sigmoid
from runtime.keras.activations import hard_silu as hard_silu
from runtime.keras.activations import hard_silu as hard_swish
from runtime.keras.activations import hard_tanh as hard_tanh
from runtime.keras.activations import leaky_relu as leaky_relu
from runtime.keras.activations import log_sigmoid as log_sigmoid
from runtime.keras.activations import log_softmax as log_softmax
from runtime.keras.activations import relu as relu
from runtime.keras.activations import relu6 as relu6
from runtime.keras.activations import selu as selu
from runtime.keras.activations import sigmoid as sigmoid
from runtime.keras.activations import silu as silu
from runtime.keras.activations import silu as swish
from runtime.keras.activations import soft_shrink as soft_shrink
from runtime.keras.activations import softmax as softmax
from runtime.keras.activations import softplus as softplus
from runtime.keras.activations import softsign as softsign
from runtime.keras.activations import sparse_plus as sparse_plus
from runtime.keras.activations import sparse_sigmoid as sparse_sigmoid
from runtime.keras.activations import sparsemax as sparsemax
from runtime.keras.activations import squareplus as squareplus
from runtime.keras.activations import tanh_shrink as tanh_shrink
from runtime.keras.activations import threshold as threshold
from runtime.keras.ops.arrangement import array_split as array_split
from runtime.keras.ops.arrangement import dsplit as dsplit
from runtime.keras.ops.arrangement import hsplit as hsplit
from runtime.keras.ops.arrangement import unravel_index as unravel_index
from runtime.keras.ops.arrangement import vsplit as vsplit
from runtime.keras.ops.compositions import polar as polar
from runtime.keras.ops.compositions import view_as_complex as view_as_complex
from runtime.keras.ops.control_flow import cond as cond
from runtime.keras.ops.control_flow import fori_loop as fori_loop
from runtime.keras.ops.control_flow import map as map
from runtime.keras.ops.control_flow import scan as scan
from runtime.keras.ops.control_flow import switch as switch
from runtime.keras.ops.control_flow import vectorized_map as vectorized_map
from runtime.keras.ops.control_flow import while_loop as while_loop
from runtime.keras.ops.linalg import eig as eig
from runtime.keras.ops.linalg import svd as svd
from runtime.keras.ops.linalg import vdot as vdot
from runtime.keras.ops.nn import ctc_decode as ctc_decode
from runtime.keras.ops.nn import moments as moments
from runtime.keras.ops.shapes import meshgrid as meshgrid
from runtime.keras.ops.shapes import nonzero as nonzero
from runtime.keras.ops.shapes import split as split
from runtime.keras.ops.shapes import unstack as unstack
from runtime.keras.ops.statistics import bincount as bincount
from runtime.keras.ops.statistics import histogram as histogram
from runtime.keras.ops.tensors import convert_to_numpy as convert_to_numpy
from runtime.keras.ops.tensors import dtype as dtype
from runtime.keras.ops.tensors import ndim as ndim
from runtime.keras.ops.tensors import shape as shape
from runtime.keras.ops.transforms import fft as fft
from runtime.keras.ops.transforms import fft2 as fft2
from runtime.keras.ops.transforms import ifft2 as ifft2
from runtime.keras.ops.transforms import rfft as rfft
from typing import Any

def abs(x: Any) -> Tensor:
    """Compute the absolute value of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def absolute(x: Any) -> Tensor:
    """Compute the absolute value of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def add(x1: Any, x2: Any) -> Tensor:
    """Add two tensors element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def all(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Test whether all elements are true along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def allclose(x1: Any, x2: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor: ...
def amax(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """Find the greatest element along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
        initial: number with which results are compared.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def amin(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """Find the least element along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
        initial: number with which results are compared.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def angle(x: Any) -> Tensor: ...
def any(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Test whether any element is true along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def append(x1: Any, x2: Any, axis: int | None = None) -> Tensor: ...
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Tensor: ...
def arccos(x: Any) -> Tensor:
    """Compute the inverse cosine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def arccosh(x: Any) -> Tensor:
    """Compute the inverse hyperbolic cosine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def arcsin(x: Any) -> Tensor:
    """Compute the inverse sine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def arcsinh(x: Any) -> Tensor:
    """Compute the inverse hyperbolic sine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def arctan(x: Any) -> Tensor:
    """Compute the inverse tangent of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def arctan2(x1: Any, x2: Any) -> Tensor:
    """Compute the angle of the point ``(x2, x1)`` element-wise, from -pi to pi.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of floats.
    """
def arctanh(x: Any) -> Tensor:
    """Compute the inverse hyperbolic tangent of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def argmax(x: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Find the index of the greatest element along an axis, the first of equal ones.

    Args:
        x: tensor, array or number.
        axis: an axis, or None: of all elements in a row.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor of dtype int32.
    """
def argmin(x: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Find the index of the least element along an axis, the first of equal ones.

    Args:
        x: tensor, array or number.
        axis: an axis, or None: of all elements in a row.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor of dtype int32.
    """
def argsort(x: Any, axis: int | None = -1) -> Tensor: ...
def array(x: Any, dtype: Any = None) -> Tensor: ...
def average(x: Any, axis: Any = None, weights: Any = None) -> Tensor: ...
def average_pool(inputs: Any, pool_size: Any, strides: Any = None, padding: str = 'valid', data_format: str | None = None) -> Tensor: ...
def bartlett(x: Any) -> Tensor: ...
def batch_normalization(x: Any, mean: Any, variance: Any, axis: int, offset: Any = None, scale: Any = None, epsilon: float = 0.001) -> Tensor: ...
def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Tensor: ...
def bitwise_and(x: Any, y: Any) -> Tensor:
    """Compute the bitwise AND of integers, or the logical AND of booleans.

    Args:
        x: tensor, array or number.
        y: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def bitwise_invert(x: Any) -> Tensor:
    """Flip every bit of each integer, or negate each boolean.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def bitwise_left_shift(x: Any, y: Any) -> Tensor:
    """Shift the bits of integers left by ``y``, within the dtype's width.

    Args:
        x: tensor, array or number.
        y: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def bitwise_not(x: Any) -> Tensor:
    """Flip every bit of each integer, or negate each boolean.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def bitwise_or(x: Any, y: Any) -> Tensor:
    """Compute the bitwise OR of integers, or the logical OR of booleans.

    Args:
        x: tensor, array or number.
        y: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def bitwise_right_shift(x: Any, y: Any) -> Tensor:
    """Shift the bits of integers right by ``y``, keeping the sign.

    Args:
        x: tensor, array or number.
        y: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def bitwise_xor(x: Any, y: Any) -> Tensor:
    """Compute the bitwise XOR of integers, or the logical XOR of booleans.

    Args:
        x: tensor, array or number.
        y: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def blackman(x: Any) -> Tensor: ...
def broadcast_to(x: Any, shape: Any) -> Tensor: ...
def cast(x: Any, dtype: Any) -> Tensor: ...
def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Tensor: ...
def cbrt(x: Any) -> Tensor: ...
def cdist(x: Any, y: Any) -> Tensor: ...
def ceil(x: Any) -> Tensor:
    """Round each element up to a whole number.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def cholesky(x: Any, upper: bool = False) -> Tensor: ...
def cholesky_inverse(x: Any, upper: bool = False) -> Tensor: ...
def clip(x: Any, x_min: Any, x_max: Any) -> Tensor: ...
def concatenate(xs: Any, axis: int = 0) -> Tensor: ...
def conj(x: Any) -> Tensor:
    """Conjugate each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def conjugate(x: Any) -> Tensor:
    """Conjugate each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def conv(inputs: Any, kernel: Any, strides: Any = 1, padding: str = 'valid', data_format: str | None = None, dilation_rate: Any = 1) -> Tensor: ...
def convert_to_tensor(x: Any, dtype: Any = None, sparse: Any = None, ragged: Any = None) -> Tensor: ...
def copy(x: Any) -> Tensor: ...
def corrcoef(x: Any) -> Tensor: ...
def correlate(x1: Any, x2: Any, mode: str = 'valid') -> Tensor: ...
def cos(x: Any) -> Tensor:
    """Compute the cosine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def cosh(x: Any) -> Tensor:
    """Compute the hyperbolic cosine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def count_nonzero(x: Any, axis: Any = None) -> Tensor: ...
def cross(x1: Any, x2: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor: ...
def ctc_loss(target: Any, output: Any, target_length: Any, output_length: Any, mask_index: int = 0) -> Tensor: ...
def cumprod(x: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Compute the products of the elements up to each one along an axis.

    Args:
        x: tensor, array or number.
        axis: an axis, or None: of all elements in a row.
        dtype: dtype of the result; None: that of ``x``.
    Returns:
        Tensor.
    """
def cumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Compute the sums of the elements up to each one along an axis.

    Args:
        x: tensor, array or number.
        axis: an axis, or None: of all elements in a row.
        dtype: dtype of the result; None: that of ``x``.
    Returns:
        Tensor.
    """
def deg2rad(x: Any) -> Tensor: ...
def depthwise_conv(inputs: Any, kernel: Any, strides: Any = 1, padding: str = 'valid', data_format: str | None = None, dilation_rate: Any = 1) -> Tensor: ...
def det(x: Any) -> Tensor: ...
def diag(x: Any, k: int = 0) -> Tensor: ...
def diagflat(x: Any, k: int = 0) -> Tensor: ...
def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor: ...
def diff(a: Any, n: int = 1, axis: int = -1) -> Tensor: ...
def digitize(x: Any, bins: Any) -> Tensor: ...
def divide(x1: Any, x2: Any) -> Tensor:
    """Divide ``x1`` by ``x2`` element-wise as Python's ``/`` does, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of floats.
    """
def divide_no_nan(x1: Any, x2: Any) -> Tensor: ...
def dot(x1: Any, x2: Any) -> Tensor: ...
def dot_product_attention(query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, scale: float | None = None, is_causal: bool = False, flash_attention: bool | None = None, attn_logits_soft_cap: float | None = None) -> Tensor: ...
def dstack(xs: Any) -> Tensor: ...
def eigh(x: Any) -> tuple[Tensor, Tensor]: ...
def einsum(subscripts: str, *operands: Any) -> Tensor: ...
def empty(shape: Any, dtype: Any = None) -> Tensor: ...
def empty_like(x: Any, dtype: Any = None) -> Tensor: ...
def equal(x1: Any, x2: Any) -> Tensor:
    """Test whether ``x1 == x2`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def erf(x: Any) -> Tensor:
    """Compute the error function of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def erfc(x: Any) -> Tensor:
    """Compute ``1 - erf(x)`` for each element, accurately for large ``x``.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def erfinv(x: Any) -> Tensor:
    """Compute the inverse of ``erf`` for each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def exp(x: Any) -> Tensor:
    """Compute ``e ** x`` for each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def exp2(x: Any) -> Tensor: ...
def expand_dims(x: Any, axis: Any) -> Tensor: ...
def expm1(x: Any) -> Tensor:
    """Compute ``exp(x) - 1`` for each element, accurately near 0.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor: ...
def fabs(x: Any) -> Tensor: ...
def flip(x: Any, axis: Any = None) -> Tensor: ...
def fliplr(x: Any) -> Tensor: ...
def flipud(x: Any) -> Tensor: ...
def floor(x: Any) -> Tensor:
    """Round each element down to a whole number.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def floor_divide(x1: Any, x2: Any) -> Tensor:
    """Divide element-wise and round down, as Python's ``//`` does.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def fmax(x1: Any, x2: Any) -> Tensor: ...
def fmin(x1: Any, x2: Any) -> Tensor: ...
def fmod(x1: Any, x2: Any) -> Tensor: ...
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor: ...
def full_like(x: Any, fill_value: Any, dtype: Any = None) -> Tensor: ...
def gcd(x1: Any, x2: Any) -> Tensor: ...
def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Tensor: ...
def get_item(x: Any, key: Any) -> Tensor: ...
def greater(x1: Any, x2: Any) -> Tensor:
    """Test whether ``x1 > x2`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def greater_equal(x1: Any, x2: Any) -> Tensor:
    """Test whether ``x1 >= x2`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def hamming(x: Any) -> Tensor: ...
def hanning(x: Any) -> Tensor: ...
def heaviside(x1: Any, x2: Any) -> Tensor: ...
def hstack(xs: Any) -> Tensor: ...
def hypot(x1: Any, x2: Any) -> Tensor:
    """Compute ``sqrt(x1 * x1 + x2 * x2)`` element-wise, without intermediate overflow.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of floats.
    """
def i0(x: Any) -> Tensor: ...
def identity(n: int, dtype: Any = None) -> Tensor: ...
def imag(x: Any) -> Tensor:
    """Return the imaginary part of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def in_top_k(targets: Any, predictions: Any, k: int) -> Tensor: ...
def inner(x1: Any, x2: Any) -> Tensor: ...
def inv(x: Any) -> Tensor: ...
def irfft(x: Any, fft_length: int | None = None) -> Tensor: ...
def isclose(x1: Any, x2: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor: ...
def isfinite(x: Any) -> Tensor:
    """Test whether each element is neither infinite nor NaN.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of dtype bool.
    """
def isin(x1: Any, x2: Any, assume_unique: bool = False, invert: bool = False) -> Tensor: ...
def isinf(x: Any) -> Tensor:
    """Test whether each element is infinite.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of dtype bool.
    """
def isnan(x: Any) -> Tensor:
    """Test whether each element is NaN.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of dtype bool.
    """
def isneginf(x: Any) -> Tensor: ...
def isposinf(x: Any) -> Tensor: ...
def isreal(x: Any) -> Tensor: ...
def kaiser(x: Any, beta: float) -> Tensor: ...
def kron(x1: Any, x2: Any) -> Tensor: ...
def layer_normalization(x: Any, gamma: Any = None, beta: Any = None, axis: Any = -1, epsilon: float | None = None) -> Tensor: ...
def lcm(x1: Any, x2: Any) -> Tensor: ...
def ldexp(x1: Any, x2: Any) -> Tensor: ...
def left_shift(x: Any, y: Any) -> Tensor:
    """Shift the bits of integers left by ``y``, within the dtype's width.

    Args:
        x: tensor, array or number.
        y: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def less(x1: Any, x2: Any) -> Tensor:
    """Test whether ``x1 < x2`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def less_equal(x1: Any, x2: Any) -> Tensor:
    """Test whether ``x1 <= x2`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0) -> Tensor: ...
def log(x: Any) -> Tensor:
    """Compute the natural logarithm of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def log10(x: Any) -> Tensor:
    """Compute the logarithm to base 10 of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def log1p(x: Any) -> Tensor:
    """Compute ``log(1 + x)`` for each element, accurately near 0.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def log2(x: Any) -> Tensor:
    """Compute the logarithm to base 2 of each element, exactly for powers of 2.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def logaddexp(x1: Any, x2: Any) -> Tensor:
    """Compute ``log(exp(x1) + exp(x2))`` element-wise, without intermediate overflow.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of floats.
    """
def logaddexp2(x1: Any, x2: Any) -> Tensor: ...
def logdet(x: Any) -> Tensor: ...
def logical_and(x1: Any, x2: Any) -> Tensor:
    """Compute the logical AND of booleans element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def logical_not(x: Any) -> Tensor:
    """Compute the logical NOT of each boolean.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of dtype bool.
    """
def logical_or(x1: Any, x2: Any) -> Tensor:
    """Compute the logical OR of booleans element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def logical_xor(x1: Any, x2: Any) -> Tensor:
    """Compute the logical XOR of booleans element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def logspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10, dtype: Any = None, axis: int = 0) -> Tensor: ...
def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute ``log(sum(exp(x)))`` without overflow along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def lu_factor(x: Any) -> tuple[Tensor, Tensor]: ...
def matmul(x1: Any, x2: Any) -> Tensor: ...
def matrix_rank(x: Any, tol: Any = None) -> Tensor: ...
def max(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """Find the greatest element along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
        initial: number with which results are compared.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def max_pool(inputs: Any, pool_size: Any, strides: Any = None, padding: str = 'valid', data_format: str | None = None) -> Tensor: ...
def maximum(x1: Any, x2: Any) -> Tensor:
    """Compute the greater of ``x1`` and ``x2`` element-wise.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute the mean of the elements along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def median(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def min(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """Find the least element along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
        initial: number with which results are compared.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def minimum(x1: Any, x2: Any) -> Tensor:
    """Compute the lesser of ``x1`` and ``x2`` element-wise.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def mod(x1: Any, x2: Any) -> Tensor:
    """Compute the remainder of ``x1 // x2``, with the sign of ``x2`` as Python's ``%``.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def moveaxis(x: Any, source: Any, destination: Any) -> Tensor: ...
def multi_hot(inputs: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False) -> Tensor: ...
def multiply(x1: Any, x2: Any) -> Tensor:
    """Multiply two tensors element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def nan_to_num(x: Any, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor: ...
def nanargmax(x: Any, axis: int | None = None, keepdims: bool = False) -> Tensor: ...
def nanargmin(x: Any, axis: int | None = None, keepdims: bool = False) -> Tensor: ...
def nancumprod(x: Any, axis: int | None = None, dtype: Any = None) -> Tensor: ...
def nancumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Tensor: ...
def nanmax(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def nanmean(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def nanmedian(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def nanmin(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def nanpercentile(x: Any, q: Any, axis: Any = None, method: str = 'linear', keepdims: bool = False) -> Tensor: ...
def nanprod(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def nanquantile(x: Any, q: Any, axis: Any = None, method: str = 'linear', keepdims: bool = False) -> Tensor: ...
def nanstd(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def nansum(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def nanvar(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def negative(x: Any) -> Tensor:
    """Negate each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def nextafter(x1: Any, x2: Any) -> Tensor:
    """Return the floating-point number next to ``x1`` in the direction of ``x2``.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of floats.
    """
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def normalize(x: Any, axis: Any = -1, order: int = 2, epsilon: float | None = None) -> Tensor: ...
def not_equal(x1: Any, x2: Any) -> Tensor:
    """Test whether ``x1 != x2`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    """
def one_hot(x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False) -> Tensor: ...
def ones(shape: Any, dtype: Any = None) -> Tensor:
    """Make a tensor of ones.

    Args:
        shape: the shape.
        dtype: dtype; None: ``floatx``.
    Returns:
        Tensor.
    """
def ones_like(x: Any, dtype: Any = None) -> Tensor:
    """Make ones like a tensor.

    Args:
        x: tensor.
        dtype: dtype; None: that of ``x``.
    Returns:
        Tensor of the shape of ``x``.
    """
def outer(x1: Any, x2: Any) -> Tensor: ...
def pad(x: Any, pad_width: Any, mode: str = 'constant', constant_values: Any = None) -> Tensor: ...
def percentile(x: Any, q: Any, axis: Any = None, method: str = 'linear', keepdims: bool = False) -> Tensor: ...
def pinv(x: Any, rcond: Any = None) -> Tensor: ...
def power(x1: Any, x2: Any) -> Tensor:
    """Raise ``x1`` to the power ``x2`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute the product of the elements along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def psnr(x1: Any, x2: Any, max_val: float) -> Tensor: ...
def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor: ...
def qr(x: Any, mode: str = 'reduced') -> tuple[Tensor, Tensor]: ...
def quantile(x: Any, q: Any, axis: Any = None, method: str = 'linear', keepdims: bool = False) -> Tensor: ...
def rad2deg(x: Any) -> Tensor: ...
def ravel(x: Any) -> Tensor: ...
def real(x: Any) -> Tensor:
    """Return the real part of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def reciprocal(x: Any) -> Tensor:
    """Compute ``1 / x`` for each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def repeat(x: Any, repeats: Any, axis: int | None = None) -> Tensor: ...
def reshape(x: Any, newshape: Any) -> Tensor: ...
def right_shift(x: Any, y: Any) -> Tensor:
    """Shift the bits of integers right by ``y``, keeping the sign.

    Args:
        x: tensor, array or number.
        y: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def rms_normalization(x: Any, scale: Any = None, axis: Any = -1, epsilon: float | None = None) -> Tensor: ...
def roll(x: Any, shift: Any, axis: Any = None) -> Tensor: ...
def rot90(array: Any, k: int = 1, axes: Any = ...) -> Tensor: ...
def round(x: Any, decimals: int = 0) -> Tensor: ...
def rsqrt(x: Any) -> Tensor:
    """Compute the reciprocal of the square root of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def saturate_cast(x: Any, dtype: Any) -> Tensor: ...
def scatter(indices: Any, values: Any, shape: Any) -> Tensor: ...
def scatter_update(inputs: Any, indices: Any, updates: Any, reduction: str | None = None) -> Tensor: ...
def searchsorted(sorted_sequence: Any, values: Any, side: str = 'left') -> Tensor: ...
def segment_max(data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False) -> Tensor:
    """Return the greatest rows of each segment.

    Args:
        data: tensor.
        segment_ids: segment of each row.
        num_segments: their number; None: as the ids say.
        sorted: without effect.
    Returns:
        Tensor with a row for each segment.
    """
def segment_min(data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False) -> Tensor:
    """Return the least rows of each segment.

    Args:
        data: tensor.
        segment_ids: segment of each row.
        num_segments: their number; None: as the ids say.
        sorted: without effect.
    Returns:
        Tensor with a row for each segment.
    """
def segment_prod(data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False) -> Tensor:
    """Multiply the rows of each segment.

    Args:
        data: tensor.
        segment_ids: segment of each row.
        num_segments: their number; None: as the ids say.
        sorted: without effect.
    Returns:
        Tensor with a row for each segment.
    """
def segment_sum(data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False) -> Tensor:
    """Add up the rows of each segment.

    Args:
        data: tensor.
        segment_ids: segment of each row.
        num_segments: their number; None: as the ids say.
        sorted: without effect.
    Returns:
        Tensor with a row for each segment.
    """
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor: ...
def separable_conv(inputs: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = 1, padding: str = 'valid', data_format: str | None = None, dilation_rate: Any = 1) -> Tensor: ...
def sign(x: Any) -> Tensor:
    """Compute the sign of each element: -1, 0 or 1.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def signbit(x: Any) -> Tensor: ...
def sin(x: Any) -> Tensor:
    """Compute the sine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def sinc(x: Any) -> Tensor: ...
def sinh(x: Any) -> Tensor:
    """Compute the hyperbolic sine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def size(x: Any) -> Tensor: ...
def slice(inputs: Any, start_indices: Any, shape: Any) -> Tensor: ...
def slice_update(inputs: Any, start_indices: Any, updates: Any) -> Tensor: ...
def slogdet(x: Any) -> tuple[Tensor, Tensor]: ...
def solve(a: Any, b: Any) -> Tensor: ...
def solve_triangular(a: Any, b: Any, lower: bool = False) -> Tensor: ...
def sort(x: Any, axis: int | None = -1) -> Tensor: ...
def sparse_categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Tensor: ...
def sqrt(x: Any) -> Tensor:
    """Compute the square root of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def square(x: Any) -> Tensor:
    """Square each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def squeeze(x: Any, axis: Any = None) -> Tensor: ...
def stack(x: Any, axis: int = 0) -> Tensor: ...
def std(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute the standard deviation of the elements along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def stop_gradient(variable: Any) -> Tensor: ...
def subtract(x1: Any, x2: Any) -> Tensor:
    """Subtract ``x2`` from ``x1`` element-wise, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of the dtype of the inputs.
    """
def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute the sum of the elements along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def swapaxes(x: Any, axis1: int, axis2: int) -> Tensor: ...
def take(x: Any, indices: Any, axis: int | None = None) -> Tensor: ...
def take_along_axis(x: Any, indices: Any, axis: int | None = None) -> Tensor: ...
def tan(x: Any) -> Tensor:
    """Compute the tangent of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def tanh(x: Any) -> Tensor:
    """Compute the hyperbolic tangent of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def tensordot(x1: Any, x2: Any, axes: Any = 2) -> Tensor: ...
def tile(x: Any, repeats: Any) -> Tensor: ...
def top_k(x: Any, k: int, sorted: bool = True) -> tuple[Tensor, Tensor]: ...
def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor: ...
def transpose(x: Any, axes: Any = None) -> Tensor: ...
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Tensor: ...
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor: ...
def tril(x: Any, k: int = 0) -> Tensor: ...
def triu(x: Any, k: int = 0) -> Tensor: ...
def true_divide(x1: Any, x2: Any) -> Tensor:
    """Divide ``x1`` by ``x2`` element-wise as Python's ``/`` does, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of floats.
    """
def trunc(x: Any) -> Tensor: ...
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor: ...
def var(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute the variance of the elements along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def view_as_real(x: Any) -> Tensor: ...
def vstack(xs: Any) -> Tensor: ...
def where(condition: Any, x1: Any = None, x2: Any = None) -> Tensor: ...
def zeros(shape: Any, dtype: Any = None) -> Tensor:
    """Make a tensor of zeros.

    Args:
        shape: the shape.
        dtype: dtype; None: ``floatx``.
    Returns:
        Tensor.
    """
def zeros_like(x: Any, dtype: Any = None) -> Tensor:
    """Make zeros like a tensor.

    Args:
        x: tensor.
        dtype: dtype; None: that of ``x``.
    Returns:
        Tensor of the shape of ``x``.
    """
