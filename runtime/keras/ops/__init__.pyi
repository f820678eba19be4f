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
from runtime.keras.ops.control_flow import cond as cond
from runtime.keras.ops.control_flow import fori_loop as fori_loop
from runtime.keras.ops.control_flow import map as map
from runtime.keras.ops.control_flow import scan as scan
from runtime.keras.ops.control_flow import switch as switch
from runtime.keras.ops.control_flow import vectorized_map as vectorized_map
from runtime.keras.ops.control_flow import while_loop as while_loop
from runtime.keras.ops.linalg import svd as svd
from runtime.keras.ops.nn import ctc_decode as ctc_decode
from runtime.keras.ops.nn import moments as moments
from runtime.keras.ops.shapes import meshgrid as meshgrid
from runtime.keras.ops.shapes import nonzero as nonzero
from runtime.keras.ops.shapes import split as split
from runtime.keras.ops.shapes import unstack as unstack
from runtime.keras.ops.tensors import convert_to_numpy as convert_to_numpy
from runtime.keras.ops.tensors import dtype as dtype
from runtime.keras.ops.tensors import ndim as ndim
from runtime.keras.ops.tensors import shape as shape
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
def any(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Test whether any element is true along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
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
def average_pool(inputs: Any, pool_size: Any, strides: Any = None, padding: str = 'valid', data_format: str | None = None) -> Tensor: ...
def batch_normalization(x: Any, mean: Any, variance: Any, axis: int, offset: Any = None, scale: Any = None, epsilon: float = 0.001) -> Tensor: ...
def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Tensor: ...
def broadcast_to(x: Any, shape: Any) -> Tensor: ...
def cast(x: Any, dtype: Any) -> Tensor: ...
def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Tensor: ...
def ceil(x: Any) -> Tensor:
    """Round each element up to a whole number.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def cholesky(x: Any, upper: bool = False) -> Tensor: ...
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
def det(x: Any) -> Tensor: ...
def diag(x: Any, k: int = 0) -> Tensor: ...
def divide(x1: Any, x2: Any) -> Tensor:
    """Divide ``x1`` by ``x2`` element-wise as Python's ``/`` does, with broadcasting.

    Args:
        x1: tensor, array or number.
        x2: tensor, array or number; the shapes broadcast, the dtypes promote.
    Returns:
        Tensor of the broadcast shape and of floats.
    """
def dot(x1: Any, x2: Any) -> Tensor: ...
def eigh(x: Any) -> tuple[Tensor, Tensor]: ...
def einsum(subscripts: str, *operands: Any) -> Tensor: ...
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
def flip(x: Any, axis: Any = None) -> Tensor: ...
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
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor: ...
def full_like(x: Any, fill_value: Any, dtype: Any = None) -> Tensor: ...
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
def hstack(xs: Any) -> Tensor: ...
def imag(x: Any) -> Tensor:
    """Return the imaginary part of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def inner(x1: Any, x2: Any) -> Tensor: ...
def inv(x: Any) -> Tensor: ...
def isfinite(x: Any) -> Tensor:
    """Test whether each element is neither infinite nor NaN.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of dtype bool.
    """
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
def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute ``log(sum(exp(x)))`` without overflow along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
def matmul(x1: Any, x2: Any) -> Tensor: ...
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
def negative(x: Any) -> Tensor:
    """Negate each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
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
def qr(x: Any, mode: str = 'reduced') -> tuple[Tensor, Tensor]: ...
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
def roll(x: Any, shift: Any, axis: Any = None) -> Tensor: ...
def round(x: Any, decimals: int = 0) -> Tensor: ...
def rsqrt(x: Any) -> Tensor:
    """Compute the reciprocal of the square root of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
def scatter(indices: Any, values: Any, shape: Any) -> Tensor: ...
def scatter_update(inputs: Any, indices: Any, updates: Any, reduction: str | None = None) -> Tensor: ...
def sign(x: Any) -> Tensor:
    """Compute the sign of each element: -1, 0 or 1.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of the dtype of the inputs.
    """
def sin(x: Any) -> Tensor:
    """Compute the sine of each element.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of the shape of ``x``, of floats.
    """
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
def var(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Compute the variance of the elements along axes.

    Args:
        x: tensor, array or number.
        axis: an axis, several, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Tensor without the axes, unless ``keepdims``.
    """
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
