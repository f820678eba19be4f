"""Types of the names of ``runtime.array_api``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from . import fft as fft
from . import linalg as linalg
from runtime import bool as bool
from runtime import complex128 as complex128
from runtime import complex64 as complex64
from runtime import float32 as float32
from runtime import float64 as float64
from runtime import int16 as int16
from runtime import int32 as int32
from runtime import int64 as int64
from runtime import int8 as int8
from runtime import newaxis as newaxis
from runtime import uint16 as uint16
from runtime import uint32 as uint32
from runtime import uint64 as uint64
from runtime import uint8 as uint8
from runtime.array_api.creation import meshgrid as meshgrid
from runtime.array_api.operators import promote_operators as promote_operators
from runtime.array_api.promotion import can_cast as can_cast
from runtime.array_api.promotion import finfo as finfo
from runtime.array_api.promotion import iinfo as iinfo
from runtime.array_api.promotion import isdtype as isdtype
from runtime.array_api.promotion import result_type as result_type
from runtime.array_api.searching import nonzero as nonzero
from runtime.array_api.searching import unique_all as unique_all
from runtime.array_api.searching import unique_counts as unique_counts
from runtime.array_api.searching import unique_inverse as unique_inverse
from runtime.array_api.shapes import broadcast_arrays as broadcast_arrays
from runtime.array_api.shapes import broadcast_shapes as broadcast_shapes
from runtime.array_api.shapes import unstack as unstack
from runtime.eager.tensor import Tensor
from typing import Any
import builtins as _builtins

def abs(x: Any, /) -> Tensor:
    """Compute the absolute value of each element.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype, or that of its parts if it is complex.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def acos(x: Any, /) -> Tensor:
    """Compute the inverse cosine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def acosh(x: Any, /) -> Tensor:
    """Compute the inverse hyperbolic cosine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def add(x1: Any, x2: Any, /) -> Tensor:
    """Add two tensors element-wise, with broadcasting.

    Args:
        x1: array of a numeric dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def all(x: Any, /, *, axis: Any = None, keepdims: _builtins.bool = False) -> Tensor:
    """Test whether all elements are true along axes.

    Args:
        x: array of any dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array of bools without the axes ``axis``, unless ``keepdims``.
    """
def any(x: Any, /, *, axis: Any = None, keepdims: _builtins.bool = False) -> Tensor:
    """Test whether any element is true along axes.

    Args:
        x: array of any dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array of bools without the axes ``axis``, unless ``keepdims``.
    """
def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Tensor: ...
def argmax(x: Any, /, *, axis: int | None = None, keepdims: _builtins.bool = False) -> Tensor:
    """Find the index of the greatest element along an axis, the first of equal ones.

    Args:
        x: array of an integer or floating dtype.
        axis: the axis; None for the flattened array.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array of int64.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: there are no elements.
    """
def argmin(x: Any, /, *, axis: int | None = None, keepdims: _builtins.bool = False) -> Tensor:
    """Find the index of the least element along an axis, the first of equal ones.

    Args:
        x: array of an integer or floating dtype.
        axis: the axis; None for the flattened array.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array of int64.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: there are no elements.
    """
def argsort(x: Any, /, *, axis: int = -1, descending: _builtins.bool = False, stable: _builtins.bool = True) -> Tensor: ...
def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: _builtins.bool | None = None) -> Tensor: ...
def asin(x: Any, /) -> Tensor:
    """Compute the inverse sine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def asinh(x: Any, /) -> Tensor:
    """Compute the inverse hyperbolic sine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def astype(x: Any, dtype: Any, /, *, copy: _builtins.bool = True, device: Any = None) -> Tensor: ...
def atan(x: Any, /) -> Tensor:
    """Compute the inverse tangent of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def atan2(x1: Any, x2: Any, /) -> Tensor:
    """Compute the angle of the point ``(x2, x1)`` element-wise, from -pi to pi.

    Args:
        x1: array of a floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def atanh(x: Any, /) -> Tensor:
    """Compute the inverse hyperbolic tangent of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def bitwise_and(x1: Any, x2: Any, /) -> Tensor:
    """Compute the bitwise AND of integers, or the logical AND of booleans.

    Args:
        x1: array of an integer or bool dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def bitwise_invert(x: Any, /) -> Tensor:
    """Flip every bit of each integer, or negate each boolean.

    Args:
        x: array of an integer or bool dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def bitwise_left_shift(x1: Any, x2: Any, /) -> Tensor:
    """Shift the bits of integers left by ``x2``, within the dtype's width.

    Args:
        x1: array of an integer dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError), or ``x2`` holds a negative number.
    """
def bitwise_or(x1: Any, x2: Any, /) -> Tensor:
    """Compute the bitwise OR of integers, or the logical OR of booleans.

    Args:
        x1: array of an integer or bool dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def bitwise_right_shift(x1: Any, x2: Any, /) -> Tensor:
    """Shift the bits of integers right by ``x2``, keeping the sign.

    Args:
        x1: array of an integer dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError), or ``x2`` holds a negative number.
    """
def bitwise_xor(x1: Any, x2: Any, /) -> Tensor:
    """Compute the bitwise XOR of integers, or the logical XOR of booleans.

    Args:
        x1: array of an integer or bool dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def broadcast_to(x: Any, /, shape: Any) -> Tensor: ...
def ceil(x: Any, /) -> Tensor:
    """Round each element up to a whole number.

    Args:
        x: array of an integer or floating dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def clip(x: Any, /, min: Any = None, max: Any = None) -> Tensor: ...
def concat(arrays: Any, /, *, axis: int | None = 0) -> Tensor: ...
def conj(x: Any, /) -> Tensor:
    """Conjugate each element.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def copysign(x1: Any, x2: Any, /) -> Tensor:
    """Give the magnitude of ``x1`` the sign of ``x2``, element-wise.

    Args:
        x1: array of a floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def cos(x: Any, /) -> Tensor:
    """Compute the cosine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def cosh(x: Any, /) -> Tensor:
    """Compute the hyperbolic cosine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: _builtins.bool = False) -> Tensor: ...
def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: _builtins.bool = False) -> Tensor:
    """Compute the products of the elements up to each one along an axis.

    Args:
        x: array of a numeric dtype.
        axis: the axis; may be left out for a vector.
        dtype: dtype of the result; by default that of ``x``, or int32 or uint32 for smaller integers.
        include_initial: whether a 1 stands in front, which makes the axis longer by one.
    Returns:
        Array of the shape of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: ``axis`` is missing.
    """
def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: _builtins.bool = False) -> Tensor:
    """Compute the sums of the elements up to each one along an axis.

    Args:
        x: array of a numeric dtype.
        axis: the axis; may be left out for a vector.
        dtype: dtype of the result; by default that of ``x``, or int32 or uint32 for smaller integers.
        include_initial: whether a 0 stands in front, which makes the axis longer by one.
    Returns:
        Array of the shape of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: ``axis`` is missing.
    """
def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Tensor: ...
def divide(x1: Any, x2: Any, /) -> Tensor:
    """Divide ``x1`` by ``x2`` element-wise as Python's ``/`` does, with broadcasting.

    Args:
        x1: array of a floating or complex dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
e: float
def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Make an array whose elements do not matter: zeros.

    Args:
        shape: a size, a sequence of sizes, or a vector, which may be symbolic.
        dtype: dtype of the result; by default float32.
        device: None or the CPU.
    Returns:
        Array of ``shape``.
    """
def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Make an array whose elements do not matter: zeros, in the shape of another one.

    Args:
        x: array.
        dtype: dtype; by default that of ``x``.
        device: None or the CPU.
    Returns:
        Array of the shape of ``x``.
    """
def equal(x1: Any, x2: Any, /) -> Tensor:
    """Test whether ``x1 == x2`` element-wise, with broadcasting.

    Args:
        x1: array of any dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def exp(x: Any, /) -> Tensor:
    """Compute ``e ** x`` for each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def expand_dims(x: Any, /, axis: Any = 0) -> Tensor: ...
def expm1(x: Any, /) -> Tensor:
    """Compute ``exp(x) - 1`` for each element, accurately near 0.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Tensor: ...
def flip(x: Any, /, *, axis: Any = None) -> Tensor: ...
def floor(x: Any, /) -> Tensor:
    """Round each element down to a whole number.

    Args:
        x: array of an integer or floating dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def floor_divide(x1: Any, x2: Any, /) -> Tensor:
    """Divide element-wise and round down, as Python's ``//`` does.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError), or an integer is divided by zero.
    """
def from_dlpack(x: Any, /, *, device: Any = None, copy: _builtins.bool | None = None) -> Tensor: ...
def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Tensor: ...
def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Tensor: ...
def greater(x1: Any, x2: Any, /) -> Tensor:
    """Test whether ``x1 > x2`` element-wise, with broadcasting.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def greater_equal(x1: Any, x2: Any, /) -> Tensor:
    """Test whether ``x1 >= x2`` element-wise, with broadcasting.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def hypot(x1: Any, x2: Any, /) -> Tensor:
    """Compute ``sqrt(x1 * x1 + x2 * x2)`` element-wise, without intermediate overflow.

    Args:
        x1: array of a floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def imag(x: Any, /) -> Tensor:
    """Return the imaginary part of each element.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype, or that of its parts if it is complex.
    Raises:
        TypeError: ``x`` has another dtype.
    """
inf: float
def isfinite(x: Any, /) -> Tensor:
    """Test whether each element is neither infinite nor NaN.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of dtype bool.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def isin(x1: Any, x2: Any, /, *, invert: _builtins.bool = False) -> Tensor: ...
def isinf(x: Any, /) -> Tensor:
    """Test whether each element is infinite.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of dtype bool.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def isnan(x: Any, /) -> Tensor:
    """Test whether each element is NaN.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of dtype bool.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def less(x1: Any, x2: Any, /) -> Tensor:
    """Test whether ``x1 < x2`` element-wise, with broadcasting.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def less_equal(x1: Any, x2: Any, /) -> Tensor:
    """Test whether ``x1 <= x2`` element-wise, with broadcasting.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def linspace(start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: _builtins.bool = True) -> Tensor: ...
def log(x: Any, /) -> Tensor:
    """Compute the natural logarithm of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def log10(x: Any, /) -> Tensor:
    """Compute the logarithm to base 10 of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def log1p(x: Any, /) -> Tensor:
    """Compute ``log(1 + x)`` for each element, accurately near 0.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def log2(x: Any, /) -> Tensor:
    """Compute the logarithm to base 2 of each element, exactly for powers of 2.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def logaddexp(x1: Any, x2: Any, /) -> Tensor:
    """Compute ``log(exp(x1) + exp(x2))`` element-wise, without intermediate overflow.

    Args:
        x1: array of a floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def logical_and(x1: Any, x2: Any, /) -> Tensor:
    """Compute the logical AND of booleans element-wise, with broadcasting.

    Args:
        x1: array of a bool dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def logical_not(x: Any, /) -> Tensor:
    """Compute the logical NOT of each boolean.

    Args:
        x: array of a bool dtype.
    Returns:
        Array of the shape of ``x`` and of dtype bool.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def logical_or(x1: Any, x2: Any, /) -> Tensor:
    """Compute the logical OR of booleans element-wise, with broadcasting.

    Args:
        x1: array of a bool dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def logical_xor(x1: Any, x2: Any, /) -> Tensor:
    """Compute the logical XOR of booleans element-wise, with broadcasting.

    Args:
        x1: array of a bool dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def matmul(x1: Any, x2: Any, /) -> Tensor: ...
def matrix_transpose(x: Any, /) -> Tensor: ...
def max(x: Any, /, *, axis: Any = None, keepdims: _builtins.bool = False) -> Tensor:
    """Find the greatest element along axes.

    Args:
        x: array of an integer or floating dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: there are no elements.
    """
def maximum(x1: Any, x2: Any, /) -> Tensor:
    """Compute the greater of ``x1`` and ``x2`` element-wise.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def mean(x: Any, /, *, axis: Any = None, keepdims: _builtins.bool = False) -> Tensor:
    """Compute the mean of the elements along axes.

    Args:
        x: array of a floating or complex dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def min(x: Any, /, *, axis: Any = None, keepdims: _builtins.bool = False) -> Tensor:
    """Find the least element along axes.

    Args:
        x: array of an integer or floating dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: there are no elements.
    """
def minimum(x1: Any, x2: Any, /) -> Tensor:
    """Compute the lesser of ``x1`` and ``x2`` element-wise.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def moveaxis(x: Any, source: Any, destination: Any, /) -> Tensor: ...
def multiply(x1: Any, x2: Any, /) -> Tensor:
    """Multiply two tensors element-wise, with broadcasting.

    Args:
        x1: array of a numeric dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
nan: float
def negative(x: Any, /) -> Tensor:
    """Negate each element.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def nextafter(x1: Any, x2: Any, /) -> Tensor:
    """Return the floating-point number next to ``x1`` in the direction of ``x2``.

    Args:
        x1: array of a floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def not_equal(x1: Any, x2: Any, /) -> Tensor:
    """Test whether ``x1 != x2`` element-wise, with broadcasting.

    Args:
        x1: array of any dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of dtype bool.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Make an array of ones.

    Args:
        shape: a size, a sequence of sizes, or a vector, which may be symbolic.
        dtype: dtype of the result; by default float32.
        device: None or the CPU.
    Returns:
        Array of ``shape``.
    """
def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Make an array of ones, in the shape of another one.

    Args:
        x: array.
        dtype: dtype; by default that of ``x``.
        device: None or the CPU.
    Returns:
        Array of the shape of ``x``.
    """
def permute_dims(x: Any, /, axes: Any) -> Tensor: ...
pi: float
def positive(x: Any, /) -> Tensor:
    """Return the tensor: ``+x``.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def pow(x1: Any, x2: Any, /) -> Tensor:
    """Raise ``x1`` to the power ``x2`` element-wise, with broadcasting.

    Args:
        x1: array of a numeric dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError), or an integer has a negative exponent.
    """
def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: _builtins.bool = False) -> Tensor:
    """Compute the product of the elements along axes.

    Args:
        x: array of a numeric dtype.
        axis: an axis, a tuple of them, or None for all.
        dtype: dtype of the result; by default that of ``x``, or int32 or uint32 for smaller integers.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def real(x: Any, /) -> Tensor:
    """Return the real part of each element.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype, or that of its parts if it is complex.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def reciprocal(x: Any, /) -> Tensor:
    """Compute ``1 / x`` for each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def remainder(x1: Any, x2: Any, /) -> Tensor:
    """Compute the remainder of ``x1 // x2``, with the sign of ``x2`` as Python's ``%``.

    Args:
        x1: array of an integer or floating dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError), or an integer is divided by zero.
    """
def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Tensor: ...
def reshape(x: Any, /, shape: Any, *, copy: _builtins.bool | None = None) -> Tensor: ...
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Tensor: ...
def round(x: Any, /) -> Tensor:
    """Round each element to the nearest whole number, halves to the even one.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def searchsorted(x1: Any, x2: Any, /, *, side: str = 'left', sorter: Any = None) -> Tensor: ...
def sign(x: Any, /) -> Tensor:
    """Compute the sign of each element: -1, 0 or 1.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def signbit(x: Any, /) -> Tensor:
    """Test whether the sign of each element is minus, also of zeros and NaN.

    Args:
        x: array of a floating dtype.
    Returns:
        Array of the shape of ``x`` and of dtype bool.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def sin(x: Any, /) -> Tensor:
    """Compute the sine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def sinh(x: Any, /) -> Tensor:
    """Compute the hyperbolic sine of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def sort(x: Any, /, *, axis: int = -1, descending: _builtins.bool = False, stable: _builtins.bool = True) -> Tensor: ...
def sqrt(x: Any, /) -> Tensor:
    """Compute the square root of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def square(x: Any, /) -> Tensor:
    """Square each element.

    Args:
        x: array of a numeric dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def squeeze(x: Any, /, axis: Any) -> Tensor: ...
def stack(arrays: Any, /, *, axis: int = 0) -> Tensor: ...
def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: _builtins.bool = False) -> Tensor: ...
def subtract(x1: Any, x2: Any, /) -> Tensor:
    """Subtract ``x2`` from ``x1`` element-wise, with broadcasting.

    Args:
        x1: array of a numeric dtype, or a Python number.
        x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
    Returns:
        Array of the broadcast shape and of their common dtype.
    Raises:
        TypeError: a dtype does not fit, or both are Python numbers.
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: _builtins.bool = False) -> Tensor:
    """Compute the sum of the elements along axes.

    Args:
        x: array of a numeric dtype.
        axis: an axis, a tuple of them, or None for all.
        dtype: dtype of the result; by default that of ``x``, or int32 or uint32 for smaller integers.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Tensor: ...
def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Tensor: ...
def tan(x: Any, /) -> Tensor:
    """Compute the tangent of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def tanh(x: Any, /) -> Tensor:
    """Compute the hyperbolic tangent of each element.

    Args:
        x: array of a floating or complex dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Tensor: ...
def tile(x: Any, repetitions: Any, /) -> Tensor: ...
def tril(x: Any, /, *, k: int = 0) -> Tensor: ...
def triu(x: Any, /, *, k: int = 0) -> Tensor: ...
def trunc(x: Any, /) -> Tensor:
    """Round each element towards zero to a whole number.

    Args:
        x: array of an integer or floating dtype.
    Returns:
        Array of the shape of ``x`` and of its dtype.
    Raises:
        TypeError: ``x`` has another dtype.
    """
def unique_values(x: Any, /) -> Tensor: ...
def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: _builtins.bool = False) -> Tensor: ...
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor: ...
def where(condition: Any, x1: Any, x2: Any, /) -> Tensor: ...
def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Make an array of zeros.

    Args:
        shape: a size, a sequence of sizes, or a vector, which may be symbolic.
        dtype: dtype of the result; by default float32.
        device: None or the CPU.
    Returns:
        Array of ``shape``.
    """
def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Make an array of zeros, in the shape of another one.

    Args:
        x: array.
        dtype: dtype; by default that of ``x``.
        device: None or the CPU.
    Returns:
        Array of the shape of ``x``.
    """
