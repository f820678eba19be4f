"""Rules of special functions, which JAX has too, computed in float64 as their kernels do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np

from runtime.engine.xla.interpreter import require, rule


def _series(name: str, function: Callable[..., Any]) -> None:
    """Enter the rule of a function whose kernel computes in float64 and rounds once."""

    @rule(name)
    def compute(*inputs: Any, **attrs: Any) -> Any:
        dtype = np.result_type(*[x.dtype for x in inputs])
        wide = [jnp.asarray(x).astype(np.float64) for x in inputs]
        return function(*wide, **attrs).astype(dtype)


LEAST, LARGEST = 1e-300, 1e5
"""Positive arguments; beyond them JAX's loops may take long: for infinity one took minutes."""


def _inside(function: Callable[..., Any], *ends: tuple[float, float]) -> Callable[..., Any]:
    """A function whose arguments must lie between ends; it is computed at 0.5 where they do not."""

    def compute(*inputs: Any) -> Any:
        arrays = jnp.broadcast_arrays(*inputs)
        pairs = zip(arrays, ends, strict=True)
        within = jnp.stack([(low <= x) & (x <= high) for x, (low, high) in pairs]).all(0)
        require(within)
        return function(*[jnp.where(within, x, 0.5) for x in arrays])

    return compute


def _not_infinite(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers that are not infinite, of which JAX's gives NaN."""

    def compute(x: Any) -> Any:
        require(~jnp.isinf(x))
        return function(x)

    return compute


def _polygamma(order: Any, x: Any) -> Any:
    require(order == jnp.floor(order))
    return special.polygamma(order.astype(np.int32), x)


_series("erf", jax.lax.erf)
_series("erfc", jax.lax.erfc)
_series("erfinv", special.erfinv)
_series("lgamma", jax.lax.lgamma)
_series("digamma", jax.lax.digamma)
_series("polygamma", _inside(_polygamma, (-0.5, 100), (LEAST, LARGEST)))
_series("igamma_by_a", _inside(jax.lax.igamma_grad_a, (LEAST, LARGEST), (LEAST, LARGEST)))
_series("zeta", _inside(special.zeta, (1 + 1e-9, LARGEST), (LEAST, LARGEST)))
_series("igamma", _inside(special.gammainc, (LEAST, LARGEST), (LEAST, LARGEST)))
_series("igammac", _inside(special.gammaincc, (LEAST, LARGEST), (LEAST, LARGEST)))
_series("betainc", _inside(special.betainc, (LEAST, LARGEST), (LEAST, LARGEST), (0, 1)))
_series("bessel_i0", _not_infinite(special.i0))
_series("bessel_i0e", _not_infinite(special.i0e))
_series("bessel_i1", _not_infinite(special.i1))
_series("bessel_i1e", _not_infinite(special.i1e))
_series("ndtri", special.ndtri)
_series("erfcinv", lambda x: -special.ndtri(x / 2) / np.sqrt(2.0))


@rule("gelu")
def _gelu(x: Any, *, approximate: bool) -> Any:
    if approximate:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)  # sqrt(2 / pi)
        return 0.5 * x * (1 + jnp.tanh(inner))
    return 0.5 * x * (1 + jax.lax.erf(x * jnp.asarray(0.7071067811865476, x.dtype)))
