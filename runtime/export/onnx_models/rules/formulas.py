"""Formulas: ops that ONNX has no operator for, made of ops that it has.

Each takes what the kernel takes.  Results of floats may differ from the kernel's by rounding.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import formula
from runtime.ops.array import constants
from runtime.ops.array.concat_split import stack_op
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import fill_op, range_op, zeros_like_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import broadcast_to_op, expand_dims_op, reshape_op, shape_op
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import equal, greater, less, less_equal, not_equal
from runtime.ops.math.elementary import atan, erf, exp, log, softplus, tanh
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.math.elementwise import (
    ceil,
    floor,
    is_inf,
    is_nan,
    maximum,
    minimum,
    multiply,
    reciprocal,
    sign,
    sqrt,
    truediv,
    truncatemod,
)
from runtime.ops.math.logical import logical_and, logical_not, logical_or, logical_xor
from runtime.ops.math.reduction import sum_op
from runtime.types.dtypes import int64


def number(value: Any, like: Any) -> Any:
    """Return a number of the dtype of a tensor."""
    return np.asarray(value, like.dtype.as_numpy_dtype)


# -- arithmetic -----------------------------------------------------------------------------------


@formula("square")
def _square(x: Any) -> Any:
    return x * x


@formula("rsqrt")
def _rsqrt(x: Any) -> Any:
    return reciprocal(sqrt(x))


@formula("squared_difference")
def _squared_difference(x: Any, y: Any) -> Any:
    return multiply(x - y, x - y)


@formula("add_n")
def _add_n(*inputs: Any) -> Any:
    total = inputs[0]
    for value in inputs[1:]:
        total = total + value
    return constants.identity(total) if len(inputs) == 1 else total


@formula("is_finite")
def _is_finite(x: Any) -> Any:
    return logical_not(logical_or(is_nan(x), is_inf(x)))


@formula("is_inf", "is_nan")
def _never(x: Any) -> Any:
    return not_equal(x, x)  # integers are neither


@formula("floor", "ceil", "rint", "round", "sign")
def _itself(x: Any) -> Any:
    return x


@formula("divide_no_nan")
def _divide_no_nan(x: Any, y: Any) -> Any:
    is_zero = equal(y, number(0, y))
    quotient = truediv(x, where_op(is_zero, number(1, y), y))
    return where_op(is_zero, number(0, quotient), quotient)


@formula("multiply_no_nan")
def _multiply_no_nan(x: Any, y: Any) -> Any:
    return where_op(equal(y, number(0, y)), number(0, x), x * y)


@formula("reciprocal_no_nan")
def _reciprocal_no_nan(x: Any) -> Any:
    is_zero = equal(x, number(0, x))
    return where_op(is_zero, number(0, x), reciprocal(x))


def _signed(size: Any, like: Any) -> Any:
    """Return 0 with the sign of a number: the reciprocal tells the sign of a zero."""
    negative = less(where_op(equal(like, number(0, like)), reciprocal(like), like), number(0, like))
    return where_op(negative, -size, size)


def _python_modulus(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the remainder with the sign of the divisor, and whether it was turned."""
    rest = truncatemod(x, y)
    has_rest = not_equal(rest, number(0, x))
    turned = logical_and(has_rest, logical_xor(less(y, number(0, y)), less(rest, number(0, x))))
    return where_op(turned, rest + y, rest), turned


@formula("floormod")
def _floormod(x: Any, y: Any) -> Any:
    rest, _ = _python_modulus(x, y)
    is_zero = equal(rest, number(0, x))
    return where_op(is_zero, _signed(zeros_like_op(rest, dtype=rest.dtype), y + rest * 0), rest)


@formula("floordiv")
def _floordiv(x: Any, y: Any) -> Any:
    """As NumPy does it: the remainder is taken away first, and the quotient is rounded."""
    _, turned = _python_modulus(x, y)
    plain = truncatemod(x, y)
    exact = truediv(x - plain, y)
    exact = where_op(turned, exact - number(1, x), exact)
    whole = floor(exact)
    whole = where_op(greater(exact - whole, number(0.5, x)), whole + number(1, x), whole)
    whole = where_op(equal(exact, number(0, x)), _signed(number(0, x), truediv(x, y)), whole)
    return where_op(equal(y, number(0, y)), truediv(x, y), whole)


@formula("truncatediv")
def _truncatediv(x: Any, y: Any) -> Any:
    return _trunc(truediv(x, y))


@formula("trunc")
def _trunc(x: Any) -> Any:
    return where_op(less(x, number(0, x)), ceil(x), floor(x))


@formula("clip_by_value")
def _clip(t: Any, low: Any, high: Any) -> Any:
    return maximum(minimum(t, high), low)


@formula("relu6")
def _relu6(x: Any) -> Any:
    return minimum(maximum(x, number(0, x)), number(6, x))


@formula("relu")
def _relu(x: Any) -> Any:
    return maximum(x, number(0, x))


@formula("broadcast_like")
def _broadcast_like(x: Any, y: Any) -> Any:
    return broadcast_to_op(y, shape_op(x, out_type=int64))


# -- elementary functions -------------------------------------------------------------------------


@formula("expm1")
def _expm1(x: Any) -> Any:
    """``tanh(x / 2) (exp(x) + 1)``, exact for small numbers, too."""
    half = tanh(x * number(0.5, x))
    return where_op(
        greater(x, number(1, x)), exp(x) - number(1, x), half * (exp(minimum(x, number(1, x)))
                                                                   + number(1, x))
    )  # fmt: skip


@formula("log1p")
def _log1p(x: Any) -> Any:
    """Kahan's way: the error of ``1 + x`` is divided away."""
    total = x + number(1, x)
    is_small = equal(total, number(1, x))
    distance = where_op(is_small, number(1, x), total - number(1, x))
    result = where_op(is_inf(total), log(total), log(total) * (x / distance))
    return where_op(is_small, x, result)


@formula("log2")
def _log2(x: Any) -> Any:
    return log(x) * number(1 / math.log(2), x)


@formula("log10")
def _log10(x: Any) -> Any:
    return log(x) * number(1 / math.log(10), x)


@formula("log_sigmoid")
def _log_sigmoid(x: Any) -> Any:
    return -softplus(-x)


@formula("erfc")
def _erfc(x: Any) -> Any:
    return number(1, x) - erf(x)


@formula("xlogy")
def _xlogy(x: Any, y: Any) -> Any:
    is_zero = equal(x, number(0, x))
    return where_op(is_zero, number(0, x), x * log(where_op(is_zero, number(1, y), y)))


@formula("xlog1py")
def _xlog1py(x: Any, y: Any) -> Any:
    is_zero = equal(x, number(0, x))
    return where_op(is_zero, number(0, x), x * _log1p(where_op(is_zero, number(1, y), y)))


@formula("xdivy")
def _xdivy(x: Any, y: Any) -> Any:
    is_zero = equal(x, number(0, x))
    return where_op(is_zero, number(0, x), truediv(x, where_op(is_zero, number(1, y), y)))


@formula("atan2")
def _atan2(y: Any, x: Any) -> Any:
    """The angle of a point, by the quotient of its smaller by its larger coordinate."""
    pi = number(math.pi, x)
    steep = greater(absolute(y), absolute(x))
    both_zero = logical_and(equal(x, number(0, x)), equal(y, number(0, y)))
    both_inf = logical_and(is_inf(x), is_inf(y))
    below = where_op(both_zero, number(1, x), where_op(steep, y, x))
    above = where_op(steep, x, y)
    ratio = where_op(both_inf, sign(x) * sign(y), above / below)
    angle = atan(ratio)
    flat = where_op(_is_negative(x), where_op(_is_negative(y), angle - pi, angle + pi), angle)
    upright = where_op(_is_negative(y), number(-math.pi / 2, x), number(math.pi / 2, x)) - angle
    zero = where_op(_is_negative(x), pi, number(0, x))
    result = where_op(logical_and(steep, logical_not(both_inf)), upright, flat)
    result = where_op(both_zero, where_op(_is_negative(y), -zero, zero), result)
    return where_op(logical_or(is_nan(x), is_nan(y)), x + y, result)


def _is_negative(x: Any) -> Any:
    """Whether the sign is negative, that of a zero, too."""
    zero = number(0, x)
    return less(where_op(equal(x, zero), reciprocal(x), x), zero)


@formula("signbit")
def _signbit(x: Any) -> Any:
    return _is_negative(x)


@formula("copysign")
def _copysign(x: Any, y: Any) -> Any:
    return where_op(_is_negative(y), -absolute(x), absolute(x))


@formula("hypot")
def _hypot(x: Any, y: Any) -> Any:
    large, small = maximum(absolute(x), absolute(y)), minimum(absolute(x), absolute(y))
    ratio = where_op(equal(large, number(0, x)), large, small / large)
    result = large * sqrt(ratio * ratio + number(1, x))
    return where_op(logical_or(is_inf(x), is_inf(y)), number(np.inf, x), result)


@formula("logaddexp")
def _logaddexp(x: Any, y: Any) -> Any:
    large, small = maximum(x, y), minimum(x, y)
    distance = where_op(equal(large, small), number(0, x), small - large)
    return large + _log1p(exp(distance))


@formula("approximate_equal")
def _approximate_equal(x: Any, y: Any, *, tolerance: float) -> Any:
    return less(absolute(x - y), number(tolerance, x))


@formula("sigmoid_cross_entropy_with_logits")
def _sigmoid_loss(labels: Any, logits: Any) -> Any:
    zero = number(0, logits)
    return maximum(logits, zero) - logits * labels + _log1p(exp(-absolute(logits)))


# -- arrays ---------------------------------------------------------------------------------------


@formula("zeros_like")
def _zeros_like(x: Any, *, dtype: Any) -> Any:
    return fill_op(shape_op(x, out_type=int64), np.zeros((), dtype.as_numpy_dtype))


@formula("ones_like")
def _ones_like(x: Any, *, dtype: Any) -> Any:
    return fill_op(shape_op(x, out_type=int64), np.ones((), dtype.as_numpy_dtype))


@formula("eye")
def _eye(rows: Any, columns: Any, *, dtype: Any) -> Any:
    return cast(equal(expand_dims_op(_count(rows), axis=1), _count(columns)), dtype)


def _count(size: Any) -> Any:
    return range_op(np.int64(0), cast(size, int64), np.int64(1))


def places(x: Any, axis: int) -> Any:
    """Return the numbers of the places along an axis, as a vector of int64."""
    dim = x.shape.dims[axis]
    if dim is not None:
        return constants.constant(np.arange(dim))
    return _count(getitem_op(shape_op(x, out_type=int64), key=(axis,)))


@formula("one_hot")
def _one_hot(indices: Any, depth: Any, on: Any, off: Any, *, axis: int) -> Any:
    rank = len(indices.shape.dims)
    at = axis % (rank + 1)
    numbers = cast(_count(depth), int64)
    for _ in range(rank - at):
        numbers = expand_dims_op(numbers, axis=-1)
    hot = equal(expand_dims_op(cast(indices, int64), axis=at), numbers)
    return where_op(hot, on, off)


@formula("band_part")
def _band_part(x: Any, lower: Any, upper: Any) -> Any:
    distance = expand_dims_op(places(x, -2), axis=1) - places(x, -1)
    within = None
    for bound, far in ((cast(lower, int64), distance), (cast(upper, int64), -distance)):
        near = logical_or(less(bound, np.int64(0)), less_equal(far, bound))
        within = near if within is None else logical_and(within, near)
    return where_op(within, x, number(0, x))


@formula("searchsorted")
def _searchsorted(sequence: Any, values: Any, *, side: str, out_type: Any) -> Any:
    before = less if side == "left" else less_equal
    smaller = before(expand_dims_op(sequence, axis=-2), expand_dims_op(values, axis=-1))
    return _sum(cast(smaller, out_type), -1)


def _sum(x: Any, axis: int) -> Any:
    return sum_op(x, axis=(axis,), keepdims=False)


@formula("broadcast_dynamic_shape")
def _broadcast_shape(x: Any, y: Any) -> Any:
    ones = [fill_op(reshape_op(shape, np.array([-1])), number(1, x)) for shape in (x, y)]
    return shape_op(ones[0] + ones[1], out_type=x.dtype)


@formula("cross")
def _cross(a: Any, b: Any) -> Any:
    parts = [[getitem_op(v, key=(Ellipsis, i)) for i in range(3)] for v in (a, b)]
    (a0, a1, a2), (b0, b1, b2) = parts
    return stack_op(a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0, axis=-1)
