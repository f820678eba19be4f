"""Derivatives of random numbers with respect to location and scale, for a fixed draw."""

from __future__ import annotations

from typing import Any

from runtime.ops.gradients.dynamic_shapes import summed_to
from runtime.ops.gradients.floating import gamma_density
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.special_statistics import igamma_by_a


def uniform(shape: Any, low: Any, high: Any, *values: Any, **attrs: Any) -> tuple[Any, ...]:
    """``low + (high - low) * u``."""
    y, dy = values[-2:]
    if not y.dtype.is_floating:
        return (None,) * (len(values) + 1)
    u = divide_no_nan(y - low, high - low)
    dlow, dhigh = summed_to(dy * (1 - u), low), summed_to(dy * u, high)
    return None, dlow, dhigh, *[None] * (len(values) - 2)


def normal(shape: Any, mean: Any, stddev: Any, *values: Any, **attrs: Any) -> tuple[Any, ...]:
    """``mean + stddev * n``; of a deviation of 0 the draw is not known, and counts as 0."""
    y, dy = values[-2:]
    n = divide_no_nan(y - mean, stddev)
    return None, summed_to(dy, mean), summed_to(dy * n, stddev), *[None] * (len(values) - 2)


def gamma(shape: Any, alpha: Any, beta: Any, *values: Any, **attrs: Any) -> tuple[Any, ...]:
    """A number of ``beta`` 1, divided by beta; with alpha it moves at one probability."""
    y, dy = values[-2:]
    draws = y * beta

    def by_alpha() -> Any:
        moved = -igamma_by_a(alpha, draws) / gamma_density(alpha, draws)
        return summed_to(dy * moved / beta, alpha)

    dbeta = summed_to(-(dy * y / beta), beta)
    return None, by_alpha, dbeta, *[None] * (len(values) - 2)
