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


def _polygamma(order: Any, x: Any) -> Any:
    require((order >= 0) & (order == jnp.floor(order)))
    return special.polygamma(order.astype(np.int32), x)


def _zeta(x: Any, q: Any) -> Any:
    require((x > 1) & (q > 0))  # beyond, SciPy and JAX differ
    return special.zeta(x, q)


_series("erf", jax.lax.erf)
_series("erfc", jax.lax.erfc)
_series("erfinv", special.erfinv)
_series("lgamma", jax.lax.lgamma)
_series("digamma", jax.lax.digamma)
_series("polygamma", _polygamma)
_series("igamma_by_a", lambda a, x: jax.lax.igamma_grad_a(*jnp.broadcast_arrays(a, x)))
_series("zeta", _zeta)
_series("igamma", special.gammainc)
_series("igammac", special.gammaincc)
_series("betainc", special.betainc)
_series("bessel_i0", special.i0)
_series("bessel_i0e", special.i0e)
_series("bessel_i1", special.i1)
_series("bessel_i1e", special.i1e)
_series("ndtri", special.ndtri)
_series("erfcinv", lambda x: -special.ndtri(x / 2) / np.sqrt(2.0))


@rule("gelu")
def _gelu(x: Any, *, approximate: bool) -> Any:
    if approximate:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)  # sqrt(2 / pi)
        return 0.5 * x * (1 + jnp.tanh(inner))
    return 0.5 * x * (1 + jax.lax.erf(x * jnp.asarray(0.7071067811865476, x.dtype)))
