"""Op definitions of statistical functions: incomplete gamma and beta, Bessel, inverse erf.

SciPy computes them (the extra ``special``), in float64 whatever the dtype; ``corrected`` mends the
edges where it differs from TensorFlow.  ``igamma_by_a``, which SciPy lacks, is computed here.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.math import special_kernels
from runtime.ops.math.elementary import exp, lgamma
from runtime.ops.math.elementwise import divide_no_nan, sign, square
from runtime.ops.math.polygamma import Correction, by_scipy
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.op import ELEMENTWISE, OpDef, define
from runtime.ops.rules.inference import broadcast, same
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.samples import case, unary
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import Array

__all__ = [
    "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "betainc", "erfcinv", "erfinv", "igamma",
    "igammac", "lbeta", "ndtri",
]  # fmt: skip

def _far_lower(result: Array, a: Array, x: Array) -> Array:
    """Beyond 1e300, where SciPy overflows, all of the distribution lies at its mean."""
    far = np.isnan(result) & (a > 1e300) & (a < np.inf) & (x >= 0)
    return np.where(far, np.heaviside(x - a, 0.5), result)


def _far_upper(result: Array, a: Array, x: Array) -> Array:
    far = np.isnan(result) & (a > 1e300) & (a < np.inf) & (x >= 0)
    return np.where(far, np.heaviside(a - x, 0.5), result)


def _positive_only(result: Array, a: Array, b: Array, x: Array) -> Array:
    """NaN for parameters of 0, where SciPy has a limit."""
    return np.where((a > 0) & (b > 0), result, np.nan)


def _even_at_infinity(result: Array, x: Array) -> Array:
    """Infinite numbers, of which SciPy makes NaN."""
    return np.where(np.isinf(x), np.inf, result)


def _odd_at_infinity(result: Array, x: Array) -> Array:
    return np.where(np.isinf(x), x, result)


# -- the derivative of igamma by its first argument ---------------------------------------------


def _by_series(a: Array, x: Array) -> Array:
    """The derivative of the terms of ``igamma``'s power series (DLMF 8.7.1), one by one."""
    term = np.exp(a * np.log(x) - x - special_kernels.lgamma(a)) / a
    slope = np.log(x) - special_kernels.digamma(a + 1)
    total, size, n = np.zeros_like(x), np.zeros_like(x), a
    while True:
        total += term * slope
        size += term * np.abs(slope)
        if np.all((n > x) & (term * (1 + np.abs(slope)) <= size * 2.0**-53)):
            return total
        n = n + 1
        term = term * (x / n)
        slope = slope - 1 / n


@functools.cache
def _legendre() -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre's quadrature, for an integral from 0 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(64)
    return (nodes + 1) / 2, weights / 2


def _by_quadrature(a: Array, x: Array) -> Array:
    """The integral of ``(log(t) - digamma(a)) * density(t)`` from 0 to x, or minus that beyond x.

    The density of the gamma distribution falls at least exponentially on either side, so that the
    integral over 12 deviations, or 40 lengths of the fall at x, is all of it.
    """
    a, x = a[:, None], x[:, None]
    side = np.where(x > a, 1.0, -1.0)
    fall = np.abs((a - 1) / x - 1)
    length = np.minimum(12 * np.sqrt(a) + 40, 40 / np.maximum(fall, 1e-300))
    length = np.where(side < 0, np.minimum(length, x), length)
    nodes, weights = _legendre()
    t = x + side * length * nodes
    mean = (t - a) / a
    # Both logarithms as differences from those of the mean, so that no large terms cancel.
    peak = special_kernels.lgamma(a) - a * np.log(a) + a
    gap = np.log(a) - special_kernels.digamma(a)
    large = a > 100
    peak = np.where(large, 0.5 * np.log(2 * np.pi / a) + 1 / (12 * a) - 1 / (360 * a**3), peak)
    gap = np.where(large, 1 / (2 * a) + 1 / (12 * a * a) - 1 / (120 * a**4), gap)
    density = np.exp(a * (np.log1p(mean) - mean) - peak) / t
    heights = (np.log1p(mean) + gap) * density
    return -(side * length)[:, 0] * np.sum(weights * heights, -1)


def _igamma_by_a(a: Array, x: Array) -> Any:
    shape = np.broadcast_shapes(a.shape, x.shape)
    wide, at = (np.broadcast_to(v, shape).astype(np.float64).ravel() for v in (a, x))
    result = np.where((wide > 0) & (at >= 0), 0.0, np.nan)
    inside = (wide > 0) & (at > 0) & np.isfinite(wide) & np.isfinite(at)
    series = inside & (wide <= 100) & (at <= wide + 2 * np.sqrt(np.abs(wide)) + 10)
    with np.errstate(all="ignore"):
        for where, function in ((series, _by_series), (inside & ~series, _by_quadrature)):
            if where.any():
                result[where] = function(wide[where], at[where])
    return result.reshape(shape).astype(a.dtype)


# -- op definitions -----------------------------------------------------------------------------


def _one(name: str, function: str, samples: Any, doc: str, grad: Any,
         corrected: Correction | None = None) -> OpDef:  # fmt: skip
    return define(
        name, kernel=by_scipy(function, name, corrected), infer=same, dtype_kinds="f",
        traits=(ELEMENTWISE,), samples=samples, doc=doc, grad=grad, extra="special",
    )  # fmt: skip


def _several(name: str, inputs: str, kernel: Callable[..., Any], samples: Any, doc: str,
             extra: str = "special") -> OpDef:  # fmt: skip
    return define(
        name, inputs=inputs, kernel=kernel, infer=broadcast, dtype_kinds="f", traits=(ELEMENTWISE,),
        samples=samples, grad=lazy_gradient(f"floating.{name}"), doc=doc, extra=extra,
    )  # fmt: skip


igamma = _several(
    "igamma", "a x", by_scipy("gammainc", "igamma", _far_lower),
    lambda: [case([0.5, 2.0, 9.0], [[0.1], [2.0], [30.0]])],
    "Compute the lower regularised incomplete gamma function, with broadcasting.",
)  # fmt: skip
igammac = _several(
    "igammac", "a x", by_scipy("gammaincc", "igammac", _far_upper),
    lambda: [case([0.5, 2.0, 9.0], [[0.1], [2.0], [30.0]])],
    "Compute the upper regularised incomplete gamma function ``1 - igamma(a, x)``.",
)  # fmt: skip
igamma_by_a = _several(
    "igamma_by_a", "a x", _igamma_by_a, lambda: [case([0.5, 2.0, 9.0], [[0.1], [2.0], [30.0]])],
    "Compute the derivative of ``igamma`` with respect to its first argument.", extra="",
)  # fmt: skip
betainc = _several(
    "betainc", "a b x", by_scipy("betainc", "betainc", _positive_only),
    lambda: [case([0.5, 2.0], [3.0, 1.5], [[0.0], [0.2], [0.9]])],
    "Compute the regularised incomplete beta function, with broadcasting.",
)  # fmt: skip


def _over(y: Any, x: Any) -> Any:
    """``bessel_i1(x) / x``, which is a half at 0."""
    return divide_no_nan(y, x) + cast(x == 0, x.dtype) * 0.5


bessel_i0: OpDef = _one(
    "bessel_i0", "i0", unary(-5, 40, 100.0),
    "Compute the modified Bessel function of order 0 of each element.",
    lambda x, y, dy: (dy * bessel_i1(x),), _even_at_infinity,
)  # fmt: skip
bessel_i0e: OpDef = _one(
    "bessel_i0e", "i0e", unary(-5, 40, 1e4),
    "Compute ``exp(-abs(x)) * bessel_i0(x)`` for each element.",
    lambda x, y, dy: (dy * (bessel_i1e(x) - sign(x) * y),),
)  # fmt: skip
bessel_i1: OpDef = _one(
    "bessel_i1", "i1", unary(-5, 40, 100.0),
    "Compute the modified Bessel function of order 1 of each element.",
    lambda x, y, dy: (dy * (bessel_i0(x) - _over(y, x)),), _odd_at_infinity,
)  # fmt: skip
bessel_i1e: OpDef = _one(
    "bessel_i1e", "i1e", unary(-5, 40, 1e4),
    "Compute ``exp(-abs(x)) * bessel_i1(x)`` for each element.",
    lambda x, y, dy: (dy * (bessel_i0e(x) - _over(y, x) - sign(x) * y),),
)  # fmt: skip
ndtri = _one(
    "ndtri", "ndtri", unary(0.01, 0.99, 0.0, 1.0, 2.0),
    "Compute the quantile function of the standard normal distribution of each element.",
    lambda x, y, dy: (dy * exp(square(y) * 0.5) * math.sqrt(2 * math.pi),),
)  # fmt: skip
erfinv = _one(
    "erfinv", "erfinv", unary(-0.9, 0.9, 1.0, -1.0, 2.0, 1e-4),
    "Compute the inverse of ``erf`` for each element; NaN beyond -1 and 1.",
    lambda x, y, dy: (dy * exp(square(y)) * (math.sqrt(math.pi) / 2),),
)  # fmt: skip
erfcinv = _one(
    "erfcinv", "erfcinv", unary(0.1, 1.9, 0.0, 2.0),
    "Compute the inverse of ``erfc`` for each element; NaN beyond 0 and 2.",
    lambda x, y, dy: (-(dy * exp(square(y)) * (math.sqrt(math.pi) / 2)),),
)  # fmt: skip


def lbeta(x: TensorLike, name: str | None = None) -> Any:
    """Compute the logarithm of the absolute value of the beta function along the last axis.

    Args:
        x: tensor of a floating dtype, of shape (..., N): the N arguments of each beta function.
    Returns:
        Tensor of shape (...) and of the dtype of ``x``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or ``x`` is a scalar
            (also a ValueError).
    """
    x = dispatch.convert(x)
    return reduce_sum(lgamma(x), -1) - lgamma(reduce_sum(x, -1), name=name)
