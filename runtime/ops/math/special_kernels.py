"""Kernels of erf, erfc, lgamma and digamma, in vectorised NumPy.

The engines need these four without SciPy.  Each is a polynomial or two around identities that
every handbook has (Abramowitz and Stegun, chapters 6 and 7), computed in float64 whatever the
dtype, so that float32 and float16 results are correctly rounded but for ties.  The coefficients are
those of Chebyshev interpolation in 60 digits; ``benchmarks/special_functions.py`` computes them
and measures the errors that the docstrings name, in units in the last place (ulp).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.types.dtypes import Array

__all__ = ["digamma", "erf", "erfc", "lgamma"]

BLOCK = 8192
"""How many elements are computed at once: as many as the first levels of cache hold."""
FEW = 64
"""So many elements are computed one by one, where there is a function of Python's."""

# erf(x) / x in powers of x * x, for x * x in [0, 1].
ERF = (
    1.1283791670955126, -0.3761263890318375, 0.11283791670954879, -0.026866170645076792,
    0.0052239776248180145, -0.000854832698083379, 0.0001205533111164271, -1.4925595266831182e-05,
    1.6461000484121368e-06, -1.6350312701054695e-07, 1.4659775274047436e-08,
    -1.1372848856791674e-09, 5.957176147748911e-11,
)  # fmt: skip
# (1 + 2 x) exp(x x) erfc(x) in powers of (x - 3) / (x + 3), for x in [0.5, 28].
ERFC = (
    1.2530080582697296, -0.1356211061245812, -0.047562294353451176, 0.12964515870276397,
    -0.1192736634152754, 0.06830802734385681, -0.02377051491960952, 0.0025293918182127816,
    0.0018886903726146294, -0.0007798322945107705, -0.00010515990298771089, 0.0001250995042238072,
    4.949956945761098e-06, -2.010126378463004e-05, -7.328307002418314e-07, 3.4745846128523814e-06,
    3.5900188708545566e-07, -6.211741712587419e-07, -1.4324034589200596e-07, 1.078880701472726e-07,
    4.1367990839283595e-08, -1.7932947990627186e-08, -6.795035322911804e-09, 2.530478256290314e-09,
)  # fmt: skip
# lgamma(2 + z) / z in powers of z, for z in [-0.5, 0.5].
LGAMMA = (
    0.42278433509846713, 0.3224670334241132, -0.06735230105319814, 0.02058080842778457,
    -0.0073855510286681535, 0.002890510330738737, -0.0011927539120010226, 0.0005096695248853096,
    -0.00022315475074520367, 9.945750909889392e-05, -4.4926351103833334e-05, 2.050726741605779e-05,
    -9.438458716242811e-06, 4.374374916915131e-06, -2.0449201467015115e-06, 9.578663334114758e-07,
    -4.303558760359961e-07, 2.0304806751615227e-07, -1.3412819758517287e-07, 6.379047507619774e-08,
)  # fmt: skip
# digamma(x) / (x - ROOT) in powers of x - 1.625, for x in [1, 2.25].
DIGAMMA = (
    0.9015925158282158, -0.36977496445741076, 0.19272012460146237, -0.10919698588599112,
    0.06426251743360172, -0.03855782679367573, 0.023380439935178125, -0.014262521424889553,
    0.008730867749897028, -0.005355729096668171, 0.003289429308331308, -0.0020218773225185744,
    0.0012433224248890764, -0.0007645910164824769, 0.00047038693538688274, -0.0002904536238760409,
    0.0001787218407904577, -0.00010608152410317694, 6.527821113734726e-05, -4.9963864809165614e-05,
    3.0746595771546876e-05, -3.1613747929558e-06, 1.9454082468852876e-06, -1.586777462324663e-05,
    9.764772440743301e-06,
)  # fmt: skip
ROOT, ROOT_TAIL = 1.4616321449683622, 9.549995429965697e-17
"""Where digamma is 0 among the positive numbers; the second is what the first rounds away."""
# The Bernoulli numbers B(2n), over 2n (2n - 1) for Stirling's series and over 2n for digamma's.
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
STIRLING = tuple([b / (2 * n * (2 * n - 1)) for n, b in enumerate(BERNOULLI, 1)])
ASYMPTOTIC = tuple([b / (2 * n) for n, b in enumerate(BERNOULLI, 1)])
FAR = 8.0
"""From here on the asymptotic series of lgamma and digamma hold to the last bit."""


def _kernel(
    function: Callable[[Array], Array], scalar: Callable[[float], float] | None = None
) -> Callable[[Array], Any]:
    """A kernel for any shape and floating dtype from one of float64 vectors, block by block.

    ``scalar`` computes few numbers, where NumPy's cost per call would outweigh the work.
    """

    def kernel(x: Array) -> Any:
        flat = np.ravel(x)
        if scalar is not None and flat.size <= FEW:
            numbers = [scalar(number) for number in flat.tolist()]
            return np.array(numbers, x.dtype).reshape(np.shape(x))
        result = np.empty(flat.shape, x.dtype)
        with np.errstate(all="ignore"):
            for start in range(0, flat.size, BLOCK):
                block = flat[start : start + BLOCK].astype(np.float64)
                result[start : start + BLOCK] = function(block)
        return result.reshape(np.shape(x))

    kernel.__doc__ = function.__doc__
    return kernel


def _polynomial(coefficients: Sequence[float], x: Array) -> Array:
    """The polynomial whose coefficients begin with the constant, by Horner's rule."""
    result = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        result *= x
        result += coefficient
    return result


def _replace(
    result: Array, where: Array, x: Array, function: Callable[[Array], Array]
) -> None:
    """Put ``function(x)`` into the places of ``result`` that a mask tells."""
    places = np.flatnonzero(where)
    if places.size:
        result[places] = function(x[places])


# -- error functions --------------------------------------------------------------------------


def _erf_near(x: Array) -> Array:
    """``erf(x)`` for x from -1 to 1."""
    return x * _polynomial(ERF, np.minimum(x * x, 1.0))


def _erfc_far(x: Array) -> Array:
    """``erfc(x)`` for x of 0.5 and more."""
    x = np.minimum(x, 28.0)  # where it is 0
    scaled = _polynomial(ERFC, (x - 3.0) / (x + 3.0)) / (1.0 + 2.0 * x)
    high = x.astype(np.float32).astype(np.float64)  # whose square is exact
    return scaled * np.exp(-high * high) * np.exp((high - x) * (high + x))


def _erf(x: Array) -> Array:
    """The error function, within 2 ulp."""
    result = _erf_near(x)
    _replace(result, np.abs(x) > 1.0, x, lambda x: np.copysign(1.0 - _erfc_far(np.abs(x)), x))
    return result


def _erfc(x: Array) -> Array:
    """``1 - erf(x)``, within 5 ulp where it is no subnormal number."""
    result = 1.0 - _erf_near(x)
    _replace(result, x > 0.5, x, _erfc_far)
    _replace(result, x < -1.0, x, lambda x: 2.0 - _erfc_far(-x))
    return result


# -- the gamma function -----------------------------------------------------------------------


def _lgamma_small(x: Array) -> Array:
    """``lgamma(x)`` for abs(x) < 0.5: ``lgamma(x + 2) - log(abs(x * (x + 1)))``."""
    return x * _polynomial(LGAMMA, x) - np.log(np.abs(x * (1.0 + x)))


def _lgamma_near_one(x: Array) -> Array:
    """``lgamma(x)`` for x within [0.5, 1.5]: ``lgamma(x + 1) - log(x)``."""
    z = x - 1.0
    return z * _polynomial(LGAMMA, z) - np.log1p(z)


def _lgamma_near_two(x: Array) -> Array:
    """``lgamma(x)`` for x within [1.5, FAR]: ``lgamma(x - k) + log((x - 1) ... (x - k))``."""
    steps = np.floor(x - 1.5)
    factor = np.ones_like(x)
    for k in range(1, int(FAR - 1.5) + 1):
        factor *= np.where(k <= steps, x - k, 1.0)
    z = x - (steps + 2.0)
    return z * _polynomial(LGAMMA, z) + np.log(factor)


def _lgamma_far(x: Array) -> Array:
    """``lgamma(x)`` from FAR on, by Stirling's series."""
    series = _polynomial(STIRLING, 1.0 / (x * x)) / x
    half = 0.5 * math.log(2.0 * math.pi) - 0.5
    return (x - 0.5) * (np.log(x) - 1.0) + (series + half)


def _lgamma_negative(x: Array) -> Array:
    """``lgamma(x)`` for x of -0.5 and less: ``log(pi / abs(x * sin(pi * x))) - lgamma(-x)``."""
    sine = np.sin(np.pi * (x - np.rint(x)))
    return np.log(np.pi / np.abs(x * sine)) - _lgamma(-x)


def _lgamma(x: Array) -> Array:
    """``log(abs(gamma(x)))``, within 6 ulp for x > 0; infinite at the poles 0, -1, -2, ...

    For x < 0 it is a difference, within 1e-15 times the larger of the two terms; near the
    function's zeros that is more than a few ulp.
    """
    result = np.abs(x)  # right for infinite numbers and NaN
    _replace(result, np.abs(x) < 0.5, x, _lgamma_small)
    _replace(result, (x >= 0.5) & (x < 1.5), x, _lgamma_near_one)
    _replace(result, (x >= 1.5) & (x < FAR), x, _lgamma_near_two)
    _replace(result, (x >= FAR) & (x < np.inf), x, _lgamma_far)
    _replace(result, (x <= -0.5) & (x > -np.inf), x, _lgamma_negative)
    return result


def _lgamma_scalar(x: float) -> float:
    """As ``_lgamma``; Python's own, which is less exact near the zeros at 1 and 2, elsewhere."""
    if x < 0.5 or x >= FAR or x != x:
        try:
            return math.lgamma(x)
        except (ValueError, OverflowError):  # a pole; a number above 2.5e305
            return math.inf
    steps = int(x - 1.5) if x >= 1.5 else -1
    z = x - (steps + 2)
    value = 0.0
    for coefficient in reversed(LGAMMA):
        value = value * z + coefficient
    factor = math.prod([x - k for k in range(1, steps + 1)])
    return z * value + (math.log(factor) if steps >= 0 else -math.log1p(z))


def _digamma_near(x: Array) -> Array:
    """``digamma(x)`` for x within (0, FAR), by ``digamma(x + 1) == digamma(x) + 1 / x``."""
    small = x < 1.0
    y = np.where(small, x + 1.0, x)
    result = np.where(small, -1.0 / x, 0.0)
    for _ in range(int(FAR - 2.25) + 1):
        high = y > 2.25
        y = np.where(high, y - 1.0, y)
        result += np.where(high, 1.0 / y, 0.0)
    return result + ((y - ROOT) - ROOT_TAIL) * _polynomial(DIGAMMA, y - 1.625)


def _digamma_far(x: Array) -> Array:
    """``digamma(x)`` from FAR on, by its asymptotic series."""
    inverse = 1.0 / x
    square = inverse * inverse
    return np.log(x) - (0.5 * inverse + square * _polynomial(ASYMPTOTIC, square))


def _digamma_negative(x: Array) -> Array:
    """``digamma(x)`` for x < 0: ``digamma(1 - x) - pi / tan(pi * x)``."""
    fraction = x - np.rint(x)
    size = np.abs(fraction)
    # By the angle that is small, so that no digits are lost where the tangent is large.
    cotangent = np.where(size < 0.25, 1.0 / np.tan(np.pi * size), np.tan(np.pi * (0.5 - size)))
    result = _digamma(1.0 - x) - np.pi * np.copysign(cotangent, fraction)
    return np.where(fraction == 0.0, np.nan, result)


def _digamma(x: Array) -> Array:
    """The derivative of ``lgamma``, within 4 ulp for x > 0; NaN at 0, -1, -2, ...

    For x < 0 it is a difference, within 1e-15 times the larger of the two terms, or of 1.
    """
    result = np.where(x > 0.0, x, np.nan)
    _replace(result, (x > 0.0) & (x < FAR), x, _digamma_near)
    _replace(result, (x >= FAR) & (x < np.inf), x, _digamma_far)
    _replace(result, x < 0.0, x, _digamma_negative)
    return result


erf = _kernel(_erf, math.erf)
erfc = _kernel(_erfc, math.erfc)
lgamma = _kernel(_lgamma, _lgamma_scalar)
digamma = _kernel(_digamma)
