"""Rules of arithmetic, of comparison, and of what goes along an axis."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.interpreter import require, rule, stands_for, static
from runtime.ops.math.reduction import finite_top
from runtime.ops.rules.inference import normal_axis
from runtime.ops.rules.static_arguments import dims_of
from runtime.types.dtypes import as_dtype


@stands_for(finite_top)
def _finite_top(x: Any, axis: Any) -> Any:
    top = jnp.max(x, axis, keepdims=True, initial=-np.inf)
    return jnp.where(jnp.isfinite(top), top, jnp.zeros((), x.dtype))


def _no_zero(y: Any) -> None:
    """Note that a divisor of whole numbers must not be 0: XLA gives some number then."""
    if y.dtype.kind in "iu":
        require(y != 0)


@rule("floordiv")
def _floordiv(x: Any, y: Any) -> Any:
    _no_zero(y)
    return jnp.floor_divide(x, y) if x.dtype.kind in "iu" else _floored(*_both(x, y))[0]


@rule("floormod")
def _floormod(x: Any, y: Any) -> Any:
    _no_zero(y)
    return jnp.mod(x, y) if x.dtype.kind in "iu" else _floored(*_both(x, y))[1]


def _floored(x: Any, y: Any) -> tuple[Any, Any]:
    """Return quotient and rest of floats as NumPy has them, with its signs of 0.

    ``jax.numpy`` rounds another quotient, which is 1 more for some floats, and its rest is never
    -0.
    """
    rest = jax.lax.rem(x, y)
    differ = (rest != 0) & ((y < 0) != (rest < 0))
    quotient = (x - rest) / y - differ.astype(x.dtype)
    floor = jnp.floor(quotient)
    floor = floor + (quotient - floor > 0.5).astype(x.dtype)
    floor = jnp.where(quotient == 0, jnp.copysign(jnp.zeros_like(x), x / y), floor)
    rest = jnp.where(rest == 0, jnp.copysign(rest, y), rest + jnp.where(differ, y, 0))
    return jnp.where(y == 0, x / y, floor), rest


@rule("truncatediv")
def _truncatediv(x: Any, y: Any) -> Any:
    _no_zero(y)
    return jnp.trunc(jnp.divide(x, y)) if x.dtype.kind == "f" else jax.lax.div(*_both(x, y))


@rule("truncatemod")
def _truncatemod(x: Any, y: Any) -> Any:
    _no_zero(y)
    return jnp.fmod(x, y)


def _both(x: Any, y: Any) -> tuple[Any, ...]:
    return tuple(jnp.broadcast_arrays(x, y))


@rule("pow")
def _power(x: Any, y: Any) -> Any:
    if y.dtype.kind == "i":
        require(y >= 0)
        return jnp.power(x, jnp.maximum(y, 0))
    return jnp.power(x, y)


@rule("cast")
def _cast(x: Any, *, dtype: Any) -> Any:
    target = as_dtype(dtype).as_numpy_dtype
    x = jnp.asarray(x)
    if x.dtype.kind in "fV" and np.dtype(target).kind in "iu":
        limits = np.iinfo(target)
        wide = x.astype(np.float64)
        require((wide > float(limits.min) - 1) & (wide < float(limits.max) + 1))
    if x.dtype.kind == "c" and np.dtype(target).kind not in "cb":
        return _cast(x.real, dtype=dtype)
    return x.astype(target)


@rule("strengthen")
def _strengthen(x: Any, *, dtype: Any) -> Any:
    x = jnp.asarray(x)
    result = x.astype(as_dtype(dtype).as_numpy_dtype)
    if result.dtype.kind in "iu":
        require(result.astype(x.dtype) == x)
    return result


@rule("left_shift")
def _left_shift(x: Any, y: Any) -> Any:
    return _shift(jnp.left_shift, x, y, 0)


@rule("right_shift")
def _right_shift(x: Any, y: Any) -> Any:
    return _shift(jnp.right_shift, x, y, -1)


def _shift(function: Any, x: Any, y: Any, beyond: int) -> Any:
    """Shift bits; ``beyond`` is what is left of a negative number whose bits have all gone."""
    x, y = _both(x, y)
    if y.dtype.kind == "i":
        require(y >= 0)
    bits = x.dtype.itemsize * 8
    gone = jnp.where(x < 0, beyond, 0).astype(x.dtype) if x.dtype.kind == "i" else jnp.zeros_like(x)
    return jnp.where(y < bits, function(x, jnp.minimum(y, bits - 1)), gone)


@rule("truth")
def _truth(x: Any) -> Any:
    return x.reshape(()) != 0


@rule("compare_numbers")
def _compare_numbers(x: Any, y: Any, *, sign: str) -> Any:
    if x.dtype != y.dtype:  # Python compares an int and a float as they are, without rounding
        require(jnp.abs(jnp.where(jnp.isfinite(x), x, 0).astype(np.float64)) <= 2.0**53)
        require(jnp.abs(jnp.where(jnp.isfinite(y), y, 0).astype(np.float64)) <= 2.0**53)
        x, y = x.astype(np.float64), y.astype(np.float64)
    return _COMPARED[sign](x.reshape(()), y.reshape(()))


_COMPARED = {
    "==": jnp.equal, "!=": jnp.not_equal, "<": jnp.less, "<=": jnp.less_equal,
    ">": jnp.greater, ">=": jnp.greater_equal,
}  # fmt: skip


@rule("complex")
def _complex_number(real: Any, imag: Any) -> Any:
    return jax.lax.complex(*_both(real, imag))


@rule("fill")
def _fill(dims: Any, value: Any) -> Any:
    return jnp.broadcast_to(value, dims_of(static(dims, "a shape"), "dims"))


@rule("reduce_sum")
def _reduce_sum(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return jnp.sum(jnp.asarray(x), axis=axis, keepdims=keepdims, dtype=x.dtype)


@rule("sort")
def _sort(values: Any, *, axis: int, descending: bool) -> Any:
    result = jnp.sort(jnp.asarray(values), axis=axis)
    return jnp.flip(result, axis) if descending else result


@rule("argsort")
def _argsort(values: Any, *, axis: int, descending: bool) -> Any:
    return _order(values, axis, descending).astype(np.int32)


def _order(values: Any, axis: int, descending: bool) -> Any:
    """Return the stable order along an axis, as the kernel does: of equal ones the first first."""
    at, values = normal_axis(axis, np.ndim(values)), jnp.asarray(values)
    if not descending:
        return jnp.argsort(values, at, stable=True)
    backwards = jnp.argsort(jnp.flip(values, at), at, stable=True)
    return jnp.flip(values.shape[at] - 1 - backwards, at)


@rule("top_k")
def _top_k(x: Any, k: Any, *, index_type: Any) -> Any:
    if x.dtype.kind in "fV":
        require(~jnp.isnan(x))
    order = _order(x, -1, True)[..., : int(static(k, "k"))]
    return jnp.take_along_axis(x, order, -1), order.astype(as_dtype(index_type).as_numpy_dtype)


@rule("searchsorted")
def _searchsorted(sequence: Any, values: Any, *, side: str, out_type: Any) -> Any:
    search: Any = partial(jnp.searchsorted, side=side)
    for _ in range(np.ndim(sequence) - 1):
        search = jax.vmap(search)
    return search(sequence, values).astype(as_dtype(out_type).as_numpy_dtype)


def _scan(name: str, function: Any, unit: float) -> None:
    @rule(name)
    def scan(x: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
        at = normal_axis(axis, np.ndim(x))
        x = jnp.flip(x, at) if reverse else jnp.asarray(x)
        result = function(x, at).astype(x.dtype)
        if exclusive and x.shape[at]:
            first = jnp.full_like(jax.lax.slice_in_dim(result, 0, 1, axis=at), unit)
            result = jnp.concatenate([first, jax.lax.slice_in_dim(result, 0, -1, axis=at)], at)
        return jnp.flip(result, at) if reverse else result


_scan("cumsum", jnp.cumsum, 0)
_scan("cumprod", jnp.cumprod, 1)
_scan("cumulative_logsumexp", jax.lax.cumlogsumexp, -np.inf)


@rule("bincount")
def _bincount(arr: Any, minlength: Any, *, dtype: Any) -> Any:
    # The length of the result follows from the values, unless they are all below `minlength`.
    size = int(static(minlength, "the length of the result"))
    require((arr >= 0) & (arr < size))
    counts = jnp.zeros(size, np.int64).at[jnp.reshape(arr, -1)].add(1)
    return counts.astype(as_dtype(dtype).as_numpy_dtype)


@rule("histogram_fixed_width_bins")
def _histogram_bins(values: Any, value_range: Any, *, nbins: int, dtype: Any) -> Any:
    low, high = value_range[0], value_range[1]
    require(low < high)
    places = jnp.floor((values - low) / (high - low) * jnp.asarray(nbins, values.dtype))
    return jnp.clip(jnp.nan_to_num(places), 0, nbins - 1).astype(as_dtype(dtype).as_numpy_dtype)
