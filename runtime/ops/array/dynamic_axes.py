"""Axes that are known only when the graph runs: the tensor is transposed so that they are last.

Op definitions have axes as attributes, so that shapes are known early.  Where the axis is a tensor
without a value, public functions come here: transpose by a computed permutation, apply the op along
the last axis, transpose back.  Ops are looked up by name, as their files import this one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from runtime.ops import dispatch
from runtime.ops.op import OpDef, lookup
from runtime.ops.rules.static_arguments import known_value, whole_numbers
from runtime.types.dtypes import int64
from runtime.types.value import Value

ZERO, ONE, FLAT = np.int64(0), np.int64(1), np.array([-1], np.int64)


def is_computed(axis: Any) -> TypeGuard[Any]:
    """Whether an axis argument is a tensor whose value is not known yet."""
    return isinstance(axis, Value) and known_value(axis) is None


def _range(start: Any, limit: Any) -> Any:
    return lookup("range")(start, limit, ONE)


def _at(values: Any, places: Any) -> Any:
    return lookup("gather")(values, places, axis=0, batch_dims=0)


def _joined(*vectors: Any) -> Any:
    return lookup("concat")(*vectors, axis=0)


def _sizes(x: Any) -> Any:
    return lookup("shape")(x, out_type=int64)


def _rank(x: Any) -> Any:
    return lookup("size")(_sizes(x), out_type=int64)


def _counted(axis: Any, rank: Any) -> Any:
    """Axes counted from the front; those out of range fail, as no place of all axes."""
    axis = lookup("cast")(dispatch.convert(whole_numbers(axis, "axis")), dtype=int64)
    return _at(_range(ZERO, rank), lookup("where")(axis < ZERO, axis + rank, axis))


def _reshaped(x: Any, sizes: Any) -> Any:
    return lookup("reshape")(x, sizes)


def _one(axis: Any, rank: Any) -> Any:
    """One axis, counted from the front, as a vector and as a scalar."""
    vector = _reshaped(_counted(axis, rank), np.array([1], np.int64))
    return vector, _reshaped(vector, np.zeros(0, np.int64))


def _turned(x: Any, axis: Any) -> tuple[Any, Any]:
    """``x`` with the axis last, and the order that turns it back."""
    rank = _rank(x)
    vector, at = _one(axis, rank)
    order = _joined(_range(ZERO, at), _range(at + ONE, rank), vector)
    back = _joined(
        _range(ZERO, at), _reshaped(rank - ONE, np.array([1], np.int64)), _range(at, rank - ONE)
    )
    return lookup("transpose")(x, order), back


def along(x: Any, axis: Any, function: Callable[[Any], Any]) -> Any:
    """``function`` of ``x`` with the axis last; what it gives turned back."""
    moved, back = _turned(dispatch.convert(x), axis)
    return lookup("transpose")(function(moved), back)


def without(x: Any, axis: Any, function: Callable[[Any], Any]) -> Any:
    """``function``, which takes the last axis away, of ``x`` with the axis last."""
    return function(_turned(dispatch.convert(x), axis)[0])


def together(values: Any, axis: Any, function: Callable[[Any], Any]) -> Any:
    """``function`` of several tensors of one rank with the axis last; its result turned back."""
    turned = [_turned(dispatch.convert(value), axis) for value in values]
    return lookup("transpose")(function([moved for moved, _ in turned]), turned[0][1])


def apart(x: Any, axis: Any, function: Callable[[Any], Any]) -> list[Any]:
    """``function``, which gives several tensors, of ``x`` with the axis last; each turned back."""
    moved, back = _turned(dispatch.convert(x), axis)
    return [lookup("transpose")(result, back) for result in function(moved)]


def reduced(op: OpDef, x: Any, axis: Any, keepdims: bool, **attrs: Any) -> Any:
    """A reduction along one or several axes: they become the last one, which goes."""
    x = dispatch.convert(x)
    rank, sizes = _rank(x), _sizes(x)
    axes = _reshaped(_counted(axis, rank), FLAT)
    other_axes, _ = lookup("setdiff1d")(_range(ZERO, rank), axes)
    moved = lookup("transpose")(x, _joined(other_axes, axes))
    count = lookup("reduce_prod")(_at(sizes, axes), axis=None, keepdims=True)
    kept_sizes = _at(sizes, other_axes)
    result = op(_reshaped(moved, _joined(kept_sizes, count)), axis=-1, keepdims=False, **attrs)
    if not keepdims:
        return result
    ones = lookup("ones_like")(axes, dtype=int64)
    places = lookup("expand_dims")(axes, axis=1)
    return _reshaped(result, lookup("tensor_scatter_nd_update")(sizes, ones, places))


def expanded(x: Any, axis: Any) -> Any:
    """A new axis of size 1."""
    x = dispatch.convert(x)
    sizes = _sizes(x)
    _, at = _one(axis, _rank(x) + ONE)
    front, back = _at(sizes, _range(ZERO, at)), _at(sizes, _range(at, _rank(x)))
    return _reshaped(x, _joined(front, np.array([1], np.int64), back))
