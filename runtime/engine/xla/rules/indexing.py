"""Rules of reading and writing at indices: XLA clamps or drops what is out of range, so that all
indices must be in range here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.interpreter import XLARefusal, is_static, require, rule, static
from runtime.ops.array.creation import range_size
from runtime.ops.array.indexing import KeyInput, map_key
from runtime.ops.rules.inference import normal_axis
from runtime.ops.rules.static_arguments import dims_of
from runtime.types.dtypes import as_dtype


def in_range(indices: Any, size: int) -> Any:
    """Note that indices must be in range, counted from the end if negative; return them from 0."""
    require((indices >= -size) & (indices < size))
    return jnp.where(indices < 0, indices + size, indices)


def not_negative(indices: Any, size: int) -> Any:
    """Note that indices must be in range, counted from the start; return them."""
    require((indices >= 0) & (indices < size))
    return indices


def key_of(x: Any, key: tuple[Any, ...], tensors: Sequence[Any]) -> tuple[Any, ...]:
    """Return a key with its tensors filled in, and note that its indices must be in range."""

    def leaf(item: Any) -> Any:
        if not isinstance(item, KeyInput):
            return item
        value = tensors[item.index]
        return int(value) if is_static(value) and value.ndim == 0 and value.dtype != bool else value

    filled: list[Any] = []
    for item in map_key(key, leaf):
        if isinstance(item, slice):
            filled.append(slice(*map(_bound, (item.start, item.stop, item.step))))
        elif _is_mask(item) and not is_static(item):
            filled += true_places(item, x.shape[sum(map(_axes_taken, filled)) :])
        else:
            filled.append(item)
    return _checked(x, tuple(filled))


def _bound(bound: Any) -> Any:
    return bound if bound is None or isinstance(bound, int) else int(static(bound, "a slice"))


def true_places(mask: Any, shape: Sequence[int] | None = None) -> tuple[Any, ...]:
    """Return the indices of the true elements, which NumPy takes for a mask, an array an axis."""
    if shape is not None and tuple(shape[: mask.ndim]) != mask.shape:
        raise XLARefusal("a mask has another shape than what it is applied to")
    count = int(static(jnp.count_nonzero(mask), "the number of elements that a mask takes"))
    return tuple(jnp.nonzero(mask, size=count))


def _checked(x: Any, key: tuple[Any, ...]) -> tuple[Any, ...]:
    taken = sum(_axes_taken(item) for item in key)
    checked, axis = [], 0
    for item in key:
        if item is Ellipsis:
            axis += x.ndim - taken
        elif hasattr(item, "dtype") and not _is_mask(item):
            item = in_range(item, x.shape[axis])
        checked.append(item)
        axis += _axes_taken(item)
    return tuple(checked)


def _axes_taken(item: Any) -> int:
    if item is None or item is Ellipsis:
        return 0
    return int(item.ndim) if _is_mask(item) else 1


def _is_mask(item: Any) -> bool:
    return hasattr(item, "dtype") and bool(item.dtype == bool)


@rule("getitem")
def _getitem(x: Any, *tensors: Any, key: tuple[Any, ...]) -> Any:
    return jnp.asarray(x)[key_of(x, key, tensors)]


@rule("setitem")
def _setitem(x: Any, value: Any, *tensors: Any, key: tuple[Any, ...]) -> Any:
    x, value = jnp.asarray(x), jnp.asarray(value)
    if len(key) == 1 and isinstance(key[0], KeyInput):
        mask = tensors[key[0].index]
        if mask.dtype == bool and not is_static(mask) and not value.ndim:
            return jnp.where(mask.reshape(*mask.shape, *[1] * (x.ndim - mask.ndim)), value, x)
    places = key_of(x, key, tensors)
    return x.at[places].set(jnp.broadcast_to(value, x[places].shape))


@rule("scatter_item")
def _scatter_item(value: Any, shape: Any, *tensors: Any, key: tuple[Any, ...]) -> Any:
    zeros = jnp.zeros(dims_of(static(shape, "a shape")), value.dtype)
    places = key_of(zeros, key, tensors)
    return zeros.at[places].add(jnp.broadcast_to(value, zeros[places].shape))


@rule("gather")
def _gather(params: Any, indices: Any, *, axis: int, batch_dims: int) -> Any:
    at = normal_axis(axis, params.ndim)
    indices = not_negative(jnp.asarray(indices), params.shape[at])
    if not batch_dims:
        return jnp.take(params, indices, at)
    batch = tuple(
        jnp.arange(size).reshape([size if k == n else 1 for n in range(batch_dims)])
        for k, size in enumerate(params.shape[:batch_dims])
    )
    moved = jnp.moveaxis(jnp.asarray(params), at, batch_dims)
    expanded = [b.reshape(*b.shape, *[1] * (indices.ndim - batch_dims)) for b in batch]
    taken = moved[(*expanded, indices)]
    between = at - batch_dims
    source = range(indices.ndim, indices.ndim + between)
    return jnp.moveaxis(taken, tuple(source), tuple(range(batch_dims, batch_dims + between)))


@rule("take_along")
def _take_along(x: Any, indices: Any, *, axis: int) -> Any:
    at = normal_axis(axis, x.ndim)
    return jnp.take_along_axis(jnp.asarray(x), in_range(indices, x.shape[at]), at)


def _places(indices: Any, shape: Sequence[int]) -> tuple[Any, ...]:
    """Return indices into the first axes, of which the last axis of ``indices`` holds rows."""
    return tuple(not_negative(indices[..., k], shape[k]) for k in range(indices.shape[-1]))


@rule("gather_nd")
def _gather_nd(params: Any, indices: Any, *, batch_dims: int) -> Any:
    params, indices = jnp.asarray(params), jnp.asarray(indices)
    batch = [
        jnp.arange(size).reshape([-1 if k == n else 1 for n in range(indices.ndim - 1)])
        for k, size in enumerate(params.shape[:batch_dims])
    ]
    places = _places(indices, params.shape[batch_dims:])
    return params[(*batch, *places)] if batch or places else jnp.broadcast_to(
        params, indices.shape[:-1] + params.shape
    )  # fmt: skip


def _written(target: Any, indices: Any, updates: Any, how: str) -> Any:
    places = _places(jnp.asarray(indices), target.shape)
    target = jnp.asarray(target)
    if how == "update":
        require(_distinct(places, target.shape))
        return target.at[places].set(updates)
    return getattr(target.at[places], _WAYS[how])(updates)


_WAYS = {"add": "add", "sub": "subtract", "max": "max", "min": "min", "mul": "multiply",
         "div": "divide"}  # fmt: skip


def _distinct(places: Sequence[Any], shape: Sequence[int]) -> Any:
    """Return whether no place is written twice: XLA does not say which write comes last."""
    count = int(np.prod(np.shape(places[0]))) if places else 1
    if count <= 1:
        return np.bool_(True)
    flat = jnp.zeros(np.shape(places[0]), np.int64)
    for place, size in zip(places, shape, strict=False):
        flat = flat * size + place
    ordered = jnp.sort(flat.reshape(-1))
    return ordered[1:] != ordered[:-1]


@rule("scatter_nd")
def _scatter_nd(indices: Any, updates: Any, shape: Any) -> Any:
    zeros = jnp.zeros(dims_of(static(shape, "a shape")), updates.dtype)
    return _written(zeros, indices, updates, "add")


def _tensor_scatter(how: str) -> None:
    @rule(f"tensor_scatter_nd_{how}")
    def scatter(tensor: Any, updates: Any, indices: Any) -> Any:
        return _written(tensor, indices, updates, how)


for _how in ("update", "add", "sub", "max", "min"):
    _tensor_scatter(_how)


@rule("scatter_rows")
def _scatter_rows(value: Any, updates: Any, indices: Any, *, how: str) -> Any:
    indices, value = jnp.asarray(indices), jnp.asarray(value)
    updates = jnp.broadcast_to(updates, indices.shape + value.shape[1:])
    return _written(value, indices[..., None], updates, how)


@rule("position")
def _position(index: Any, size: Any, *, message: str) -> Any:
    require((index >= -size) & (index < size))
    return jnp.asarray(index % size, np.int64)


@rule("range_size")
def _range_size(start: Any, limit: Any, delta: Any) -> Any:
    require(jnp.asarray(delta) != 0)
    if start.dtype.kind in "iu":
        start, limit, delta = (jnp.asarray(end, np.int64) for end in (start, limit, delta))
        size = -((start - limit) // delta)
    else:
        wide = [jnp.asarray(end, np.float64) for end in (start, limit, delta)]
        size = jnp.ceil((wide[1] - wide[0]) / wide[2])
        require(jnp.isfinite(size))
    return jnp.maximum(size, 0).astype(np.int64)


@rule("range_item")
def _range_item(k: Any, start: Any, delta: Any) -> Any:
    wide = np.int64 if start.dtype.kind in "iu" else np.float64
    k, first, step = (jnp.asarray(number, wide) for number in (k, start, delta))
    return (k * step + first).astype(start.dtype)


@rule("range")
def _arange(start: Any, limit: Any, delta: Any) -> Any:
    size = range_size(*[static(end, "a range") for end in (start, limit, delta)])
    return _range_item(jnp.arange(size), start, delta)


@rule("repeat")
def _repeat(x: Any, repeats: Any, *, axis: int | None) -> Any:
    return jnp.repeat(jnp.asarray(x), static(repeats, "the number of repeats"), axis)


@rule("reverse_sequence")
def _reverse_sequence(x: Any, lengths: Any, *, seq_axis: int, batch_axis: int) -> Any:
    seq, batch = normal_axis(seq_axis, x.ndim), normal_axis(batch_axis, x.ndim)
    size = x.shape[seq]
    require((lengths >= 0) & (lengths <= size))
    ends = jnp.asarray(lengths).reshape([-1 if a == batch else 1 for a in range(x.ndim)])
    places = jnp.arange(size).reshape([-1 if a == seq else 1 for a in range(x.ndim)])
    order = jnp.where(places < ends, ends - 1 - places, places)
    return jnp.take_along_axis(jnp.asarray(x), jnp.broadcast_to(order, x.shape), seq)


@rule("assign_items")
def _assign_items(x: Any, value: Any, *tensors: Any, key: tuple[Any, ...], form: str) -> Any:
    if value.dtype != x.dtype:
        require(jnp.asarray(value).astype(x.dtype).astype(value.dtype) == value)
    return _setitem(x, jnp.asarray(value).astype(x.dtype), *tensors, key=key)


@rule("batch_scatter_rows")
def _batch_scatter_rows(value: Any, updates: Any, indices: Any) -> Any:
    count = indices.ndim - 1
    batch = [
        jnp.arange(size).reshape([-1 if k == n else 1 for n in range(indices.ndim)])
        for k, size in enumerate(indices.shape[:-1])
    ]
    places = (*batch, not_negative(jnp.asarray(indices), value.shape[count]))
    places = tuple(jnp.broadcast_arrays(*places))
    require(_distinct(places, value.shape))
    return jnp.asarray(value).at[places].set(updates)


@rule("invert_permutation")
def _invert_permutation(x: Any) -> Any:
    numbers = jnp.arange(x.shape[0], dtype=x.dtype)
    require(jnp.sort(jnp.asarray(x)) == numbers)
    return jnp.zeros_like(x).at[x].set(numbers)


@rule("unravel_index")
def _unravel_index(indices: Any, dims: Any) -> Any:
    sizes = tuple(static(dims, "a shape").tolist())
    not_negative(jnp.asarray(indices), int(np.prod(sizes)))
    return jnp.stack(jnp.unravel_index(indices, sizes)).astype(indices.dtype)


@rule("bitcast")
def _bitcast(x: Any, *, type: Any) -> Any:
    return jax.lax.bitcast_convert_type(jnp.asarray(x), as_dtype(type).as_numpy_dtype)


@rule("sparse_softmax_cross_entropy_with_logits")
def _sparse_loss(labels: Any, logits: Any) -> Any:
    places = not_negative(jnp.asarray(labels), logits.shape[-1])[..., None]
    rows = jax.nn.log_softmax(jnp.asarray(logits), -1)
    return -jnp.take_along_axis(rows, places.astype(np.int64), -1)[..., 0]
