"""Op definitions of the derivatives of ``lgamma``: digamma, polygamma and zeta.

NumPy computes digamma here; SciPy (the extra ``special``) computes the other two, by the kernels
that ``by_scipy`` makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.math import special_kernels
from runtime.ops.op import ELEMENTWISE, OpDef, define
from runtime.ops.rules.inference import broadcast, same
from runtime.ops.rules.lowering import SERIES
from runtime.ops.rules.samples import case, spread, unary
from runtime.types.dtypes import Array
from runtime.types.extras import require

__all__ = ["digamma", "polygamma", "zeta"]

Correction = Callable[..., Array]


def by_scipy(function: str, name: str, corrected: Correction | None = None) -> Callable[..., Any]:
    """A kernel that is a ufunc of ``scipy.special``, computed in float64.

    ``corrected(result, *inputs)`` gives the result with its edges as TensorFlow has them.
    """

    def kernel(*arrays: Array) -> Any:
        ufunc = getattr(require("scipy.special", extra="special", for_=name), function)
        wide = [np.asarray(a, np.float64) for a in arrays]
        with np.errstate(all="ignore"):
            result = ufunc(*wide)
            if corrected is not None:
                result = corrected(result, *wide)
        return np.asarray(result).astype(arrays[0].dtype)

    return kernel


def _hurwitz(s: Array, q: Array, name: str) -> Array:
    """The sum of ``(q + k) ** -s``; infinite at poles, NaN where it is not defined.

    Left of 0 SciPy would add the terms up to there one by one, however many: those of a whole s
    are a difference of two other sums.
    """
    zeta = require("scipy.special", extra="special", for_=name).zeta
    is_left = (q < 0) & (q != np.floor(q)) & (s > 1) & (s == np.floor(s))
    first = np.where(is_left, q - np.floor(q), q)
    result = zeta(s, first)
    if is_left.any():
        sign = np.where(s % 2 == 0, 1.0, -1.0)
        before = sign * (zeta(s, 1.0 - first) - zeta(s, np.where(is_left, 1.0 - q, 1.0)))
        result = np.where(is_left, result + before, result)
    return np.where(np.isnan(s) | np.isnan(q), np.nan, result)


def _zeta(x: Array, q: Array) -> Any:
    with np.errstate(all="ignore"):
        result = _hurwitz(np.asarray(x, np.float64), np.asarray(q, np.float64), "zeta")
    return np.asarray(result).astype(x.dtype)


def _polygamma(a: Array, x: Array) -> Any:
    special = require("scipy.special", extra="special", for_="polygamma")
    order, at = np.asarray(a, np.float64), np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        sign = np.where(order % 2 == 0, -1.0, 1.0)
        result = sign * special.gamma(order + 1) * _hurwitz(order + 1, at, "polygamma")
        result = np.where(order == 0, special_kernels.digamma(at), result)
        result = np.where((order < 0) | (order != np.floor(order)), np.nan, result)
    return np.asarray(result).astype(x.dtype)


digamma: OpDef = define(
    "digamma", kernel=special_kernels.digamma, infer=same, dtype_kinds="f", node_name="Digamma",
    traits=(ELEMENTWISE,), lower=SERIES,
    grad=lambda x, y, dy: (dy * polygamma(1.0, x),),
    samples=unary(0.1, 6, -0.5, -1.0, 100.0),
    doc="Compute the derivative of ``lgamma`` for each element; NaN at 0, -1, -2, ...\n\n"
    "Recurrence, reflection and the asymptotic series: Abramowitz and Stegun, Handbook of "
    "Mathematical Functions (1964), section 6.3.",
)  # fmt: skip
polygamma: OpDef = define(
    "polygamma", inputs="a x", kernel=_polygamma, infer=broadcast, dtype_kinds="f",
    node_name="Polygamma",
    extra="special",
    grad=lambda a, x, y, dy: (None, dy * polygamma(a + 1, x)), traits=(ELEMENTWISE,),
    samples=lambda: [case([0.0, 1.0, 3.0], [0.5, 2.5, 1.5]), case(2.0, spread(0.3, 5, 2, 3))],
    doc="Compute the derivative of order ``a``, a whole number, of ``digamma`` at ``x``.\n\n"
    "By the Hurwitz zeta function: Abramowitz and Stegun, Handbook of Mathematical Functions "
    "(1964), 6.4.10.",
)  # fmt: skip
zeta: OpDef = define(
    "zeta", inputs="x q", kernel=_zeta, infer=broadcast, dtype_kinds="f", node_name="Zeta",
    extra="special",
    grad=lambda x, q, y, dy: (None, -(dy * x * zeta(x + 1, q))), traits=(ELEMENTWISE,),
    samples=lambda: [case([1.5, 2.0, 4.0], [1.0, 0.5, 3.0]), case(2.0, spread(0.3, 5, 2, 3))],
    doc="Compute the Hurwitz zeta function: the sum of ``(q + k) ** -x`` over k = 0, 1, ...",
)  # fmt: skip
