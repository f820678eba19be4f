"""Derivatives of reading and writing entries; they are dense."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.backprop import scatter_item
from runtime.ops.array.concat_split import pad_op, stack_op
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import zeros_like_op
from runtime.ops.array.gather_scatter import gather_nd_op, gather_op, scatter_nd_op, update_op
from runtime.ops.array.indexing import KeyInput, getitem_op, setitem_op
from runtime.ops.gradients.backprop import along
from runtime.ops.gradients.dynamic_shapes import moved_back, numbered, sizes, summed_to
from runtime.ops.gradients.elementwise import chosen
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementwise import divide_no_nan
from runtime.types.dtypes import int64


def getitem(x: Any, *values: Any, key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Zeros, with the gradient at the key."""
    *indices, _, dy = values
    return scatter_item(dy, sizes(x), *indices, key=key), *[None] * len(indices)


def _may_repeat(key: tuple[Any, ...], indices: list[Any]) -> bool:
    """Whether a key may pick one element twice: arrays of indices may."""
    arrays = [indices[p.index] if isinstance(p, KeyInput) else p for p in key]
    return any(
        getattr(a, "shape", None) not in (None, ()) and np.dtype(_numpy(a.dtype)) != bool
        for a in arrays
    )


def _numpy(dtype: Any) -> Any:
    return getattr(dtype, "as_numpy_dtype", dtype)


def setitem(x: Any, value: Any, *values: Any, key: tuple[Any, ...]) -> tuple[Any, ...]:
    """What was written gets the gradient of its places; what was written over, nothing."""
    *indices, _, dy = values

    def dvalue() -> Any:
        item_gradient = getitem_op(dy, *indices, key=key)
        if _may_repeat(key, indices):  # the last one written stays
            order = numbered(item_gradient)
            written = setitem_op(numbered(x), order, *indices, key=key)
            item_gradient = chosen(
                equal(getitem_op(written, *indices, key=key), order), item_gradient
            )
        return summed_to(item_gradient, value)

    def dx() -> Any:
        return setitem_op(dy, zeros_like_op(value, dtype=value.dtype), *indices, key=key)

    return dx, dvalue, *[None] * len(indices)


def assign_items(
    x: Any, value: Any, *values: Any, key: tuple[Any, ...], form: str
) -> tuple[Any, ...]:
    """As of ``setitem``; the gradient of a value of another dtype is cast."""
    indices = values[:-2]
    if not _has_gradient(x):
        return (None,) * (2 + len(indices))
    written = cast(value, x.dtype)
    dx, dvalue, *index_gradients = setitem(x, written, *values, key=key)
    return (
        dx,
        (lambda: cast(dvalue(), value.dtype)) if _has_gradient(value) else None,
        *index_gradients,
    )


def _has_gradient(x: Any) -> bool:
    return bool(x.dtype.is_floating or x.dtype.is_complex)


def gather(
    params: Any, indices: Any, y: Any, dy: Any, *, axis: int, batch_dims: int
) -> tuple[Any, ...]:
    """The gradients are added up at the indices."""
    if batch_dims:
        places = gather_op(numbered(params), indices, axis=axis, batch_dims=batch_dims)
        return moved_back(dy, places, params), None
    return scatter_item(dy, sizes(params), indices, key=along(axis, KeyInput(0))), None


def gather_nd(
    params: Any, indices: Any, y: Any, dy: Any, *, batch_dims: int
) -> tuple[Any, ...]:
    """The gradients are added up at the indices."""
    if batch_dims:
        places = gather_nd_op(numbered(params), indices, batch_dims=batch_dims)
        return moved_back(dy, places, params), None
    return scatter_nd_op(indices, dy, sizes(params)), None


def scatter_nd(indices: Any, updates: Any, shape: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The updates get the gradient of their places."""
    return None, gather_nd_op(dy, indices, batch_dims=0), None


def scatter_update(
    tensor: Any, updates: Any, indices: Any, y: Any, dy: Any
) -> tuple[Any, ...]:
    """What was written gets the gradient of its places; what was written over, nothing."""

    def dupdates() -> Any:
        update_gradient = gather_nd_op(dy, indices, batch_dims=0)
        order = numbered(updates)
        last_writer = gather_nd_op(
            update_op(numbered(tensor), order, indices), indices, batch_dims=0
        )
        return chosen(equal(last_writer, order), update_gradient)

    zeros = zeros_like_op(updates, dtype=updates.dtype)
    return lambda: update_op(dy, zeros, indices), dupdates, None


def scatter_add(tensor: Any, updates: Any, indices: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The updates get the gradient of their places."""
    return dy, lambda: gather_nd_op(dy, indices, batch_dims=0), None


def scatter_sub(tensor: Any, updates: Any, indices: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The updates get the gradient of their places, turned round."""
    return dy, lambda: -gather_nd_op(dy, indices, batch_dims=0), None


def scatter_extreme(
    tensor: Any, updates: Any, indices: Any, y: Any, dy: Any
) -> tuple[Any, ...]:
    """All that are the greatest (least) at a place share its gradient equally."""
    is_extreme = cast(equal(tensor, y), y.dtype)
    theirs = cast(equal(updates, gather_nd_op(y, indices, batch_dims=0)), y.dtype)
    number = is_extreme + scatter_nd_op(indices, theirs, sizes(tensor))
    share = divide_no_nan(dy, number)
    return is_extreme * share, theirs * gather_nd_op(share, indices, batch_dims=0), None


def slice_of(x: Any, begin: Any, size: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The gradient with zeros around it."""
    before = cast(begin, int64)
    after = sizes(x) - sizes(y) - before
    zero = np.zeros((), x.dtype.as_numpy_dtype)
    return pad_op(dy, stack_op(before, after, axis=1), zero, mode="CONSTANT"), None, None
