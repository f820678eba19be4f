"""Inputs of the functions of vectors, their exact values, and errors in units in the last place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

DTYPES = ("float32", "float64")
EXTENDED = np.finfo(np.longdouble).nmant > 60
"""Whether long doubles are longer than doubles: they are the oracle for float64."""


def sigmoid(x: Any) -> Any:
    """The logistic function, without overflow."""
    return np.where(x < 0, np.exp(np.minimum(x, 0)), 1) / (1 + np.exp(-abs(x)))


def erf(x: Any) -> Any:
    """The error function, by its series of positive terms near 0, else by erfc."""
    size = np.minimum(abs(x), 2)
    total = term = np.array(size)
    for n in range(1, 60):
        term = term * 2 * size * size / (2 * n + 1)
        total = total + term
    near = total * np.exp(-size * size) * 2 / np.sqrt(PI)
    return np.copysign(np.where(abs(x) < 2, near, 1 - _erfc_of_large(abs(x))), x)


def erfc(x: Any) -> Any:
    """The complement of erf."""
    return np.where(x < 1, 1 - erf(x), _erfc_of_large(np.maximum(x, 1)))


def _erfc_of_large(x: Any) -> Any:
    """Laplace's continued fraction; exp(-x x) as a product, the first square of which is exact."""
    x = np.clip(x, 1, 110)
    found = 0 * x
    for n in range(250, 0, -1):
        found = n / (2 * (x + found))
    rough = np.round(x * 1024) / 1024
    power = np.exp(-rough * rough) * np.exp(-(x - rough) * (x + rough))
    return power / ((x + found) * np.sqrt(PI))


PI = 4 * np.arctan(np.longdouble(1))

EXACT: dict[str, Callable[..., Any]] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atan2": np.arctan2, "atanh": np.arctanh, "cbrt": np.cbrt, "cos": np.cos,
    "cosh": np.cosh, "erf": erf, "erfc": erfc, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
    "log": np.log, "log10": np.log10, "log1p": np.log1p, "log2": np.log2, "pow": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": sigmoid, "sin": np.sin, "sinh": np.sinh,
    "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
}  # fmt: skip
"""The functions in any precision of NumPy's."""

NUMPY = {op: function for op, function in EXACT.items() if isinstance(function, np.ufunc)}
"""NumPy's own functions."""

USUAL = {
    "acos": (-1, 1), "acosh": (1, 9), "asin": (-1, 1), "atanh": (-1, 1),
    "log": (0.1, 9), "log10": (0.1, 9), "log1p": (-0.9, 9), "log2": (0.1, 9), "pow": (0.1, 9),
    "rsqrt": (0.1, 9), "sqrt": (0.1, 9),
}  # fmt: skip
"""Intervals for measuring times."""

SLOW = {"erf", "erfc"}
"""Functions whose exact values take long."""

POSITIVE = {"log", "log10", "log2", "rsqrt", "sqrt"}


def special(dtype: str) -> np.ndarray:
    """Zeros, infinities, NaN, subnormals, and numbers around powers of two."""
    info = np.finfo(dtype)
    least, most = info.smallest_subnormal, info.max
    numbers = [
        0.0, least, 3 * least, info.tiny / 2, info.tiny, info.eps, 0.1, 0.5, 1.0, 2.0, 3.0, 10.0,
        100.0, np.sqrt(most), most, np.inf, np.nextafter(info.tiny, np.array(0, dtype)),
        *np.nextafter(np.array(1, dtype), np.array([0, 2], dtype)),
    ]  # fmt: skip
    found = np.array(numbers, dtype)
    return np.concatenate([found, -found, np.array([np.nan], dtype)])


def numbers(op: str, dtype: str, count: int) -> list[np.ndarray]:
    """Inputs of the whole range: all bit patterns, usual sizes, and around 0 and 1."""
    random = np.random.default_rng(list(map(ord, op)))
    return PAIRS[op](random, dtype, count) if op in PAIRS else [singles(op, random, dtype, count)]


def singles(op: str, random: np.random.Generator, dtype: str, count: int) -> np.ndarray:
    """Inputs of a function of one number."""
    info = np.finfo(dtype)
    most = np.log(info.max) * 1.1
    usual = random.uniform(-most, most, count)
    few = random.uniform(-4, 4, count)
    small = random.uniform(-1, 1, count) * np.exp2(random.uniform(-info.nmant - 4, 4, count))
    quadrants = np.append(np.arange(1, count), 2.0 ** np.arange(17, 50)) * (np.pi / 2)
    parts = [special(dtype), bit_patterns(random, dtype, count), usual, few, small, 1 + small]
    if op in ("cos", "sin", "tan"):
        parts.append(quadrants)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        found = np.concatenate(parts).astype(dtype)
    return abs(found) if op in POSITIVE else found


def bit_patterns(random: np.random.Generator, dtype: str, count: int) -> np.ndarray:
    """Numbers of all exponents, infinities and NaN."""
    bits = np.finfo(dtype).bits
    return random.integers(0, 1 << bits, count, f"uint{bits}").view(dtype)


def powers(random: np.random.Generator, dtype: str, count: int) -> list[np.ndarray]:
    """All pairs of special values, and pairs whose powers have all sizes."""
    most = np.log(np.finfo(dtype).max)
    base = np.concatenate(
        [np.exp(random.uniform(-most, most, count)), random.uniform(0.5, 2, count)]
    )
    base = base.astype(dtype)
    with np.errstate(divide="ignore"):
        exponent = random.uniform(-1.1, 1.1, 2 * count) * most / np.log(base.astype(np.float64))
    whole = np.round(random.uniform(-20, 20, count))
    odd = 2.0 ** np.finfo(dtype).nmant + np.arange(-3.0, 4.0)
    numbers = [*special(dtype), *odd, *-odd, *(odd / 2), 1.5, -1.5, -2.5, -3.5, 4, 5, -5]
    left, right = np.meshgrid(np.array(numbers, dtype), np.array(numbers, dtype))
    x = [left.ravel(), base, random.uniform(-9, 9, count), bit_patterns(random, dtype, count)]
    y = [right.ravel(), exponent, whole, bit_patterns(random, dtype, count)]
    with np.errstate(invalid="ignore", over="ignore"):
        return [np.concatenate(parts).astype(dtype) for parts in (x, y)]


def points(random: np.random.Generator, dtype: str, count: int) -> list[np.ndarray]:
    """Coordinates: all pairs of special values, of all sizes, and usual ones."""
    numbers = special(dtype)
    corners = np.meshgrid(numbers, numbers)
    found = []
    for corner in corners:
        around = random.uniform(-9, 9, count)
        parts = [corner.ravel(), bit_patterns(random, dtype, count), around]
        with np.errstate(invalid="ignore"):  # signalling NaNs
            found.append(np.concatenate(parts).astype(dtype))
    return found


PAIRS = {"atan2": points, "pow": powers}
"""Inputs of functions of two numbers."""


def exact(op: str, inputs: list[np.ndarray]) -> np.ndarray:
    """The function in more precision than the inputs."""
    wide = np.float64 if inputs[0].dtype == np.float32 else np.longdouble
    with np.errstate(all="ignore"):
        return np.asarray(EXACT[op](*[x.astype(wide) for x in inputs]))


def ulps(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The distances in units in the last place; infinite where only one is finite or NaN.

    A unit is the distance from the rounded exact value to the next number away from zero.
    """
    with np.errstate(all="ignore"):
        rounded = exact.astype(found.dtype)
        unit = np.spacing(abs(rounded)).astype(exact.dtype)
        distance = abs(found.astype(exact.dtype) - exact) / unit
        same = (found == rounded) | np.isnan(found) & np.isnan(rounded)
        finite = np.isfinite(rounded) & np.isfinite(found)
        return np.where(finite, distance, np.where(same, 0, np.inf)).astype(np.float64)
