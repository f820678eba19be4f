"""Rows of special functions: what lgamma's derivatives are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.op import ELEMENTWISE, Op, define
from runtime.ops.rules.inference import broadcast, same
from runtime.ops.rules.samples import case, spread, unary
from runtime.types.dtypes import Array

__all__ = ["digamma", "polygamma", "zeta"]

# B(2n): the Bernoulli numbers.
BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
    -174611 / 330, 854513 / 138, -236364091 / 2730,
)  # fmt: skip
STEPS = 10


def _digamma(x: Array) -> Any:
    wide = x.astype(np.float64)
    mirrored = wide <= 0  # psi(x) = psi(1 - x) - pi / tan(pi x)
    at = np.where(mirrored, 1 - wide, wide)
    result = np.zeros_like(at)
    for _ in range(STEPS):  # psi(x) = psi(x + 1) - 1 / x, up to where the series is exact
        small = at < STEPS
        result = result - np.where(small, 1 / at, 0)
        at = np.where(small, at + 1, at)
    series = [b / (2 * n * at ** (2 * n)) for n, b in enumerate(BERNOULLI[:8], 1)]
    result = result + np.log(at) - 0.5 / at - sum(series)
    fraction = wide - np.floor(wide)  # so that the tangent is that of a small angle
    turned = result - np.pi / np.tan(np.pi * fraction)
    result = np.where(mirrored, np.where(fraction == 0, np.nan, turned), result)
    return np.asarray(result).astype(x.dtype)


def _hurwitz(s: Any, q: Any) -> Any:
    """The sum of ``(q + k) ** -s``, by the formula of Euler and Maclaurin."""
    steps = [(q + k) ** -s for k in range(STEPS)]
    end = q + STEPS
    total = sum(steps) + end ** (1 - s) / (s - 1) + 0.5 * end**-s
    factor, power = s, end ** (-s - 1)
    for n, b in enumerate(BERNOULLI, 1):
        total = total + b / math.factorial(2 * n) * factor * power
        factor = factor * (s + 2 * n - 1) * (s + 2 * n)
        power = power / (end * end)
    return total


def _zeta(x: Array, q: Array) -> Any:
    s, at = x.astype(np.float64), q.astype(np.float64)
    pole = (s == 1) | ((at <= 0) & (at == np.floor(at)))
    outside = (s < 1) | ((at <= 0) & (s != np.floor(s)))
    # Left of zero the sum goes through the first terms one by one, then on from there.
    low = np.maximum(np.ceil(-np.min(at, initial=0.0)), 0)
    first = np.minimum(low, 1e6) if np.isfinite(low) else 0.0
    result = np.zeros(np.broadcast_shapes(s.shape, at.shape))
    moved = at
    for _ in range(int(first)):
        left = moved <= 0
        result = result + np.where(left, moved**-s, 0)
        moved = np.where(left, moved + 1, moved)
    result = result + _hurwitz(s, moved)
    result = np.where(outside, np.nan, np.where(pole, np.inf, result))
    return np.asarray(result).astype(x.dtype)


def _polygamma(a: Array, x: Array) -> Any:
    order = a.astype(np.float64)
    factorial = np.vectorize(math.gamma, otypes=[np.float64])(np.clip(order + 1, 1, 171))
    sign = np.where(order % 2 == 0, -1.0, 1.0)
    result = sign * factorial * _zeta(order + 1, x.astype(np.float64))
    result = np.where(order == 0, _digamma(x.astype(np.float64)), result)
    invalid = (order < 0) | (order != np.floor(order))
    return np.asarray(np.where(invalid, np.nan, result)).astype(x.dtype)


digamma: Op = define(
    "digamma", kernel=_digamma, infer=same, kinds="f", label="Digamma", traits=(ELEMENTWISE,),
    grad=lambda x, y, dy: (dy * polygamma(1.0, x),),
    samples=unary(0.1, 6, -0.5, -1.0, 100.0),
    doc="The derivative of ``lgamma``; NaN at 0 and the negative whole numbers.",
)  # fmt: skip
polygamma: Op = define(
    "polygamma", inputs="a x", kernel=_polygamma, infer=broadcast, kinds="f", label="Polygamma",
    grad=lambda a, x, y, dy: (None, dy * polygamma(a + 1, x)), traits=(ELEMENTWISE,),
    samples=lambda: [case([0.0, 1.0, 3.0], [0.5, 2.5, 1.5]), case(2.0, spread(0.3, 5, 2, 3))],
    doc="The derivative of order ``a`` (a whole number) of ``digamma``.",
)  # fmt: skip
zeta: Op = define(
    "zeta", inputs="x q", kernel=_zeta, infer=broadcast, kinds="f", label="Zeta",
    grad=lambda x, q, y, dy: (None, -(dy * x * zeta(x + 1, q))), traits=(ELEMENTWISE,),
    samples=lambda: [case([1.5, 2.0, 4.0], [1.0, 0.5, 3.0]), case(2.0, spread(0.3, 5, 2, 3))],
    doc="The Hurwitz zeta function: the sum of ``(q + k) ** -x`` over k = 0, 1, ...",
)  # fmt: skip
