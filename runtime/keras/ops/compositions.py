"""Element-wise functions of ``keras.ops`` that are composed of several ops."""

from __future__ import annotations

import math
from typing import Any

from runtime.control_flow.while_loop import while_loop
from runtime.keras.ops.creation import full_like
from runtime.keras.ops.promotion import as_float, promoted
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.where import where
from runtime.ops.docstrings import documented
from runtime.ops.math import clipping, elementary, elementwise, floating, reduction
from runtime.ops.math.comparison import equal
from runtime.ops.math.logical import logical_and, logical_not, logical_or
from runtime.ops.math.special_statistics import bessel_i0
from runtime.types.dtypes import bool_, float64, int32

_X = "tensor, array or number"
_SAME_SHAPE = "Tensor of floats of the shape of ``x``"
_TRUTH = "Tensor of dtype bool of the shape of ``x``"
_BROADCAST = "Tensor of the broadcast shape and the common dtype"


def as_exact_float(value: Any) -> Any:
    """Convert to a floating tensor: int64 becomes float64, narrower ints become ``floatx``."""
    tensor = convert_to_tensor(value)
    return cast(tensor, float64) if tensor.dtype.name == "int64" else as_float(tensor)


def _is_nan(x: Any) -> Any:
    return elementwise.is_nan(x) if x.dtype.is_floating else zeros_like(x, bool_)


@documented(_SAME_SHAPE, x=_X)
def angle(x: Any) -> Any:
    """Compute the angles of complex numbers: 0 or pi of real ones."""
    return elementary.angle(as_float(x))


@documented(_SAME_SHAPE, x=_X)
def cbrt(x: Any) -> Any:
    """Compute real cube roots."""
    x = as_exact_float(x)
    return elementwise.sign(x) * elementwise.pow(elementwise.abs(x), 1.0 / 3.0)


@documented(_SAME_SHAPE, x="angles in degrees")
def deg2rad(x: Any) -> Any:
    """Convert degrees to radians."""
    return as_exact_float(x) * (math.pi / 180.0)


@documented(_SAME_SHAPE, x="angles in radians")
def rad2deg(x: Any) -> Any:
    """Convert radians to degrees."""
    return as_exact_float(x) * (180.0 / math.pi)


@documented(_SAME_SHAPE, x=_X)
def fabs(x: Any) -> Any:
    """Compute absolute values as floats."""
    return elementwise.abs(as_float(x))


@documented(_SAME_SHAPE, x=_X)
def i0(x: Any) -> Any:
    """Compute the modified Bessel function of order 0."""
    return bessel_i0(as_float(x))


@documented(_SAME_SHAPE, x=_X)
def sinc(x: Any) -> Any:
    """Compute ``sin(pi * x) / (pi * x)``, which is 1 at 0."""
    x = as_float(x)
    is_zero = equal(x, zeros_like(x))
    scaled = where(is_zero, ones_like(x), x) * math.pi  # no 0 / 0, also in the gradient
    return where(is_zero, ones_like(x), elementary.sin(scaled) / scaled)


@documented("Tensor of the shape and dtype of ``x``", x=_X)
def trunc(x: Any) -> Any:
    """Round towards zero."""
    x = convert_to_tensor(x)
    return floating.trunc(x) if x.dtype.is_floating else x


@documented(_TRUTH, x=_X)
def signbit(x: Any) -> Any:
    """Return where the sign is minus, of -0.0 too."""
    x = convert_to_tensor(x)
    if x.dtype is bool_:
        return zeros_like(x)
    return floating.signbit(x) if x.dtype.is_floating else x < zeros_like(x)


@documented(_TRUTH, x=_X)
def isneginf(x: Any) -> Any:
    """Return where elements are minus infinity."""
    x = as_float(x)
    return logical_and(elementwise.is_inf(x), x < 0.0)  # ``==`` would hide the shape


@documented(_TRUTH, x=_X)
def isposinf(x: Any) -> Any:
    """Return where elements are plus infinity."""
    x = as_float(x)
    return logical_and(elementwise.is_inf(x), x > 0.0)


@documented(_TRUTH, x=_X)
def isreal(x: Any) -> Any:
    """Return where the imaginary part is zero."""
    x = convert_to_tensor(x)
    return elementary.imag(x) == 0.0 if x.dtype.is_complex else ones_like(x, bool_)


@documented("Tensor of dtype bool of the broadcast shape", x1=_X, x2=_X,
            rtol="difference allowed, relative to ``x2``", atol="difference allowed beyond that",
            equal_nan="whether NaNs are equal")  # fmt: skip
def isclose(
    x1: Any, x2: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """Return where elements differ by no more than a tolerance; ints must be equal.

    Infinities of one sign are close, as in NumPy; Keras on TensorFlow says that they are not.
    """
    first, second = promoted(x1, x2)
    if not first.dtype.is_floating:
        return equal(first, second)
    near = elementwise.abs(first - second) <= elementwise.abs(second) * rtol + atol
    near = logical_or(equal(first, second), near)  # infinities, whose difference is NaN
    if not equal_nan:
        return near
    return logical_or(near, logical_and(_is_nan(first), _is_nan(second)))


@documented("Scalar of dtype bool", x1=_X, x2=_X, rtol="difference allowed, relative to ``x2``",
            atol="difference allowed beyond that", equal_nan="whether NaNs are equal")  # fmt: skip
def allclose(
    x1: Any, x2: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """Return whether all elements differ by no more than a tolerance."""
    return reduction.reduce_all(isclose(x1, x2, rtol, atol, equal_nan))


@documented("Tensor of the shape and dtype of ``x``", x=_X, nan="in place of NaN",
            posinf="in place of infinity; None: the greatest number",
            neginf="in place of minus infinity; None: the least number")  # fmt: skip
def nan_to_num(x: Any, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Replace NaN and infinities by numbers."""
    x = convert_to_tensor(x)
    if not x.dtype.is_floating:
        return x
    low, high = x.dtype.limits
    x = where(elementwise.is_nan(x), full_like(x, nan), x)
    above = full_like(x, high if posinf is None else posinf)
    below = full_like(x, low if neginf is None else neginf)
    return where(isneginf(x), below, where(isposinf(x), above, x))


@documented(_BROADCAST, x1=_X, x2=_X)
def fmax(x1: Any, x2: Any) -> Any:
    """Return the greater of two elements, which is the number if one is NaN."""
    first, second = promoted(x1, x2)
    greater = elementwise.maximum(first, second)
    return where(_is_nan(first), second, where(_is_nan(second), first, greater))


@documented(_BROADCAST, x1=_X, x2=_X)
def fmin(x1: Any, x2: Any) -> Any:
    """Return the smaller of two elements, which is the number if one is NaN."""
    first, second = promoted(x1, x2)
    smaller = elementwise.minimum(first, second)
    return where(_is_nan(first), second, where(_is_nan(second), first, smaller))


@documented(_BROADCAST, x1="dividends", x2="divisors")
def fmod(x1: Any, x2: Any) -> Any:
    """Compute remainders with the sign of the dividend."""
    first, second = promoted(x1, x2)
    if first.dtype is bool_:
        first, second = cast(first, int32), cast(second, int32)
    return elementwise.truncatemod(first, second)


@documented("Tensor of the broadcast shape", x1="dividends", x2="divisors")
def divide_no_nan(x1: Any, x2: Any) -> Any:
    """Divide elements, with the quotient 0 where the divisor is 0."""
    return elementwise.divide_no_nan(*[as_float(x) for x in promoted(x1, x2)])


@documented("Tensor of floats of the broadcast shape", x1=_X, x2="values at zero")
def heaviside(x1: Any, x2: Any) -> Any:
    """Return 0 for negative numbers, 1 for positive ones, ``x2`` for zero."""
    first, second = (as_exact_float(x) for x in promoted(x1, x2))
    step = where(first > 0, ones_like(first), zeros_like(first))
    return where(equal(first, zeros_like(first)), second, where(_is_nan(first), first, step))


@documented("Tensor of floats of the broadcast shape", x1=_X, x2=_X)
def logaddexp2(x1: Any, x2: Any) -> Any:
    """Compute ``log2(2**x1 + 2**x2)``."""
    first, second = (as_float(x) for x in promoted(x1, x2))
    scale = math.log(2.0)
    return floating.logaddexp(first * scale, second * scale) / scale


@documented("Tensor of floats of the broadcast shape", "TypeError: ``x2`` has no ints",
            x1=_X, x2="exponents: ints")  # fmt: skip
def ldexp(x1: Any, x2: Any) -> Any:
    """Compute ``x1 * 2**x2``."""
    exponents = convert_to_tensor(x2)
    if not exponents.dtype.is_integer:
        raise TypeError(
            f"ldexp exponent must be an integer type. Received: x2 dtype={exponents.dtype.name}"
        )
    x = as_float(x1)
    # by halves, as a power of 2 may overflow where the product does not
    half = elementwise.floordiv(exponents, cast(convert_to_tensor(2), exponents.dtype))
    powers = [elementwise.pow(cast(convert_to_tensor(2.0), x.dtype), cast(e, x.dtype))
              for e in (half, exponents - half)]  # fmt: skip
    return x * powers[0] * powers[1]


def _ints(name: str, x1: Any, x2: Any) -> tuple[Any, Any]:
    """Convert to ints of one dtype that are not negative; TypeError for others."""
    first, second = promoted(x1, x2)
    if not first.dtype.is_integer:
        raise TypeError(f"Arguments to {name} must be integers, got {first.dtype.name}")
    if first.dtype.name.startswith("u"):
        return first, second
    return elementwise.abs(first), elementwise.abs(second)


@documented(_BROADCAST, "TypeError: an input has no ints", x1="ints", x2="ints")
def gcd(x1: Any, x2: Any) -> Any:
    """Compute greatest common divisors, by Euclid's algorithm."""
    first, second = _ints("gcd", x1, x2)
    zeros = zeros_like(first + second)
    one = ones_like(zeros)

    def step(a: Any, b: Any) -> tuple[Any, Any]:
        is_zero = equal(b, zeros)
        rest = elementwise.floormod(a, where(is_zero, one, b))
        return where(is_zero, a, b), where(is_zero, zeros, rest)

    divisor, _ = while_loop(
        lambda a, b: reduction.reduce_any(logical_not(equal(b, zeros))), step,
        (first + zeros, second + zeros),
    )  # fmt: skip
    return divisor


@documented(_BROADCAST, "TypeError: an input has no ints", x1="ints", x2="ints")
def lcm(x1: Any, x2: Any) -> Any:
    """Compute least common multiples; 0 for 0."""
    first, second = _ints("lcm", x1, x2)
    divisor = gcd(first, second)
    return first * elementwise.floordiv(second, elementwise.maximum(divisor, ones_like(divisor)))


@documented("Tensor of the shape of ``x``", x=_X, dtype="the dtype")
def saturate_cast(x: Any, dtype: Any) -> Any:
    """Convert to a dtype; what is beyond its limits becomes the limit."""
    return clipping.saturate_cast(convert_to_tensor(x), dtype)


@documented("Complex tensor of the broadcast shape", abs_="absolute values", angle="in radians")
def polar(abs_: Any, angle: Any) -> Any:
    """Make complex numbers of absolute values and angles."""
    size, turn = (as_float(x) for x in promoted(abs_, angle))
    return elementary.complex(size * elementary.cos(turn), size * elementary.sin(turn))


@documented("Complex tensor without the last axis", "ValueError: the last axis has another size",
            x="floats, real and imaginary parts along the last axis")  # fmt: skip
def view_as_complex(x: Any) -> Any:
    """Join real and imaginary parts."""
    x = convert_to_tensor(x)
    if x.shape.rank == 0 or x.shape[-1] != 2:
        raise ValueError(f"Last dimension of input must be size 2. Received shape: {x.shape}")
    return elementary.complex(x[..., 0], x[..., 1])


@documented("Tensor of floats with a last axis of size 2", x="complex tensor")
def view_as_real(x: Any) -> Any:
    """Take complex numbers apart into real and imaginary parts."""
    from runtime.ops.array.concat_split import stack

    x = convert_to_tensor(x)
    return stack([elementary.real(x), elementary.imag(x)], -1)


@documented("Tensor of the broadcast shape", "ValueError: the lists differ in length",
            condlist="list of tensors of dtype bool",
            choicelist="list of tensors, one for each condition",
            default="where no condition holds")  # fmt: skip
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Choose elements by the first condition that holds.

    Both lists have the same number of tensors.
    """
    if len(condlist) != len(choicelist):
        raise ValueError(
            f"select takes as many conditions as choices, got {len(condlist)} and {len(choicelist)}"
        )
    *choices, chosen = promoted(*choicelist, default)
    for condition, choice in reversed(list(zip(condlist, choices, strict=True))):
        chosen = where(cast(convert_to_tensor(condition), bool_), choice, chosen)
    return chosen
