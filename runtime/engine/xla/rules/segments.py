"""Rules of segments, whose numbers must be static: they decide about the shape of the result."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.interpreter import require, rule, static


def _collect(how: str, data: Any, ids: Any, number: int) -> Any:
    """Combine the rows of each segment; rows of negative segments are dropped."""
    data, ids = jnp.asarray(data), jnp.asarray(ids)
    shape = (number, *data.shape[ids.ndim :])
    rows = data.reshape(-1, *shape[1:])
    places = ids.reshape(-1)
    require(places < number)
    places = jnp.where(places < 0, number, places)  # out of range: JAX drops it
    starts = {"sum": 0, "prod": 1}
    start = starts[how] if how in starts else _extreme(data.dtype, how)
    target = jnp.full(shape, start, data.dtype)
    way = {"sum": "add", "prod": "multiply"}.get(how, how)
    return getattr(target.at[places], way)(rows, mode="drop")


def _extreme(dtype: Any, how: str) -> Any:
    """Return what an empty segment holds: the least number of a dtype, or the greatest."""
    info = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    return info.min if how == "max" else info.max


def _sorted(how: str) -> None:
    @rule(f"segment_{how}")
    def segment(data: Any, ids: Any) -> Any:
        known = static(ids, "the number of segments")
        number = int(known[-1]) + 1 if known.size else 0
        require(known.ndim == 1 and (np.diff(known) >= 0).all() and (known >= 0).all())
        counts = np.bincount(known, minlength=number)
        if how == "mean":
            total = _collect("sum", data, ids, number)
            divisor = np.maximum(counts, 1).astype(data.dtype)
            divisor = divisor.reshape(-1, *[1] * (data.ndim - 1))
            return total / divisor if data.dtype.kind in "fc" else total // divisor
        result = _collect(how, data, ids, number)
        empty = (counts == 0).reshape(-1, *[1] * (data.ndim - 1))
        return jnp.where(empty, 0, result) if how in ("max", "min") else result


for _how in ("sum", "prod", "max", "min", "mean"):
    _sorted(_how)


def _unsorted(how: str) -> None:
    @rule(f"unsorted_segment_{how}")
    def segment(data: Any, ids: Any, number: Any) -> Any:
        return _collect(how, data, ids, int(static(number, "the number of segments")))


for _how in ("sum", "prod", "max", "min"):
    _unsorted(_how)
