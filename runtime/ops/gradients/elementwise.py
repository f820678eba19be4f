"""Derivatives of arithmetic; at ties and edges they are TensorFlow's."""

from __future__ import annotations

from typing import Any

from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like_op, zeros_like_op
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import greater, greater_equal, less, less_equal, not_equal
from runtime.ops.math.elementary import complex, conj, log, real
from runtime.ops.math.elementary import xdivy as xdivy_op
from runtime.ops.math.elementary import xlogy as xlogy_op
from runtime.ops.math.elementwise import abs as abs_op
from runtime.ops.math.elementwise import divide_no_nan, multiply_no_nan
from runtime.ops.math.elementwise import pow as pow_op
from runtime.ops.math.elementwise import sign as sign_op
from runtime.ops.math.logical import logical_and
from runtime.ops.math.polygamma import digamma


def chosen(condition: Any, x: Any) -> Any:
    """``x`` where the condition is true, zeros elsewhere."""
    return where_op(condition, x, zeros_like_op(x, dtype=x.dtype))


def _parted(condition: Any, dz: Any) -> tuple[Any, ...]:
    """The gradient, to whichever of two inputs was taken."""
    zeros = zeros_like_op(dz, dtype=dz.dtype)
    return lambda: where_op(condition, dz, zeros), lambda: where_op(condition, zeros, dz)


def maximum(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """The greater input gets the gradient, of equal ones the first."""
    return _parted(greater_equal(x, y), dz)


def minimum(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """The lesser input gets the gradient, of equal ones the first."""
    return _parted(less_equal(x, y), dz)


def clip_by_value(t: Any, low: Any, high: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """``t`` gets the gradient where it is in the interval, ends included; else the end does."""
    inside = logical_and(greater_equal(t, low), less_equal(t, high))
    low_part = lambda: chosen(less(t, low), dy)
    return chosen(inside, dy), low_part, lambda: chosen(greater(t, high), dy)


def pow(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """``y * x ** (y - 1)``, which is 0 for y = 0 at any x; and ``z * log(x)``, 0 for x <= 0."""
    if not (x.dtype.is_floating or x.dtype.is_complex):
        return None, None

    def dy() -> Any:
        # Where there is no logarithm it is taken of 1, so that no NaN comes back from there.
        usable = not_equal(x, 0) if x.dtype.is_complex else greater(x, 0)
        return dz * z * log(where_op(usable, x, ones_like_op(x, dtype=x.dtype)))

    return lambda: multiply_no_nan(pow_op(x, y - 1), dz * y), dy


def squared_difference(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """Twice the difference; the square of a complex one is real, and so is what comes back."""
    dx = (cast(real(dz), x.dtype) if x.dtype.is_complex else dz) * (x - y) * 2
    return dx, -dx


def sign(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Zero; but the direction of a complex number turns with it."""
    if not x.dtype.is_complex:
        return (zeros_like_op(dy, dtype=dy.dtype),)
    across = dy - y * cast(real(conj(y) * dy), x.dtype)
    return (divide_no_nan(across, cast(abs_op(x), x.dtype)),)


def abs(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The sign; at 0 zero."""
    return (cast(dy, x.dtype) * sign_op(x),)


def divide_without_nan(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """As of a quotient, and zero where ``y`` is 0."""
    if x.dtype.is_integer:
        return None, None
    return divide_no_nan(dz, y), lambda: -divide_no_nan(dz * z, y)


def _present(x: Any) -> Any:
    """1 where ``x`` is not 0, else 0, in its dtype."""
    return cast(not_equal(x, 0), x.dtype)


def xlogy(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """``log(y)`` and ``x / y``; zero where ``x`` is 0."""
    return lambda: dz * xlogy_op(_present(x), y), lambda: dz * xdivy_op(x, y)


def xdivy(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """As of a quotient; zero where ``x`` is 0."""
    return lambda: dz * xdivy_op(_present(x), y), lambda: -dz * xdivy_op(z, y)


def angle(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """At right angles to the number; a real one keeps its angle."""
    if not x.dtype.is_complex:
        return (None,)
    return (complex(0.0, dy) / conj(x),)


def lgamma(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The digamma function."""
    return (dy * digamma(x),)
