"""Ops that derivatives need: the adjoints of broadcasting, reductions and indexing.

Each is linear in its first input, and its derivative is the op whose derivative it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops.array.indexing import KeyInput, filled_key
from runtime.ops.op import ELEMENTWISE, NUMERIC, define
from runtime.ops.rules import elements, loops
from runtime.ops.rules.inference import (
    broadcast_shapes,
    normal_axis,
    reduced_shape,
    same,
    shape_from,
)
from runtime.ops.rules.kernels import add_rows, checked
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import Composes, Native, OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.ops.rules.static_arguments import dims_of
from runtime.types.dtypes import Array
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []


def _sum_to(x: Array, shape: Array) -> Any:
    dims = dims_of(shape)
    if x.shape == dims:
        return x
    extra = x.ndim - len(dims)
    if extra < 0 or any(d not in (1, n) for d, n in zip(dims, x.shape[extra:], strict=True)):
        raise IncompatibleShapesError(
            f"sum_to_shape: shape {list(dims)} does not broadcast to {list(x.shape)}"
        )
    axes = tuple(i for i, n in enumerate(x.shape) if i < extra or (dims[i - extra] == 1 != n))
    return np.sum(x, axis=axes, dtype=x.dtype).reshape(dims)


def repeated_axes(dims: Sequence[Any], target_dims: Sequence[Any]) -> tuple[int, ...] | None:
    """Axes repeated where ``target_dims`` is broadcast to ``dims``; None if that is not
    known, or not so.  Sizes are numbers, or names of others.
    """
    extra = len(dims) - len(target_dims)
    axes = [*range(extra)]
    for axis, (size, full_size) in enumerate(
        zip(target_dims, dims[max(extra, 0) :], strict=False), extra
    ):
        if size == 1 != full_size:
            axes.append(axis)
        elif size != full_size or size is None:
            return None
    return tuple(axes) if extra >= 0 else None


def summed_axes(x: TensorSpec, shape: TensorSpec) -> tuple[int, ...] | None:
    """The axes that ``sum_to_shape`` sums over; None where they are not known, or it raises."""
    dims, target_dims = x.shape.dims, shape_from(shape).dims
    if dims is None or target_dims is None:
        return None
    return repeated_axes(dims, target_dims)


sum_to_shape = define(
    "sum_to_shape",
    inputs="x shape",
    same_dtype_inputs=slice(0, 1),
    kernel=_sum_to,
    infer=lambda x, shape: TensorSpec(shape_from(shape), x.dtype),
    dtype_kinds=NUMERIC,
    grad=lazy_gradient("backprop.sum_to_shape"),
    never_raises=lambda x, shape: summed_axes(x, shape) is not None,
    lower=Composes("backprop.sum_to_shape"),
    samples=lambda: [
        case(spread(0, 1, 2, 3), [2, 1]),
        case(spread(0, 1, 2, 3), [3]),
        case(spread(0, 1, 2, 3), array([], np.int32)),
        case(spread(0, 1, 2, 3), [2, 3]),
        case([[1, 2]], [1, 1]),
    ],
    doc="Sum the elements that come from one element when ``shape`` is broadcast.",
)


def _expand_reduced(y: Array, shape: Array, *, axis: Any, keepdims: bool) -> Any:
    dims = dims_of(shape)
    if axis is None:
        # Of small arrays a copy is quicker than a view.
        flat = np.reshape(y, ())
        small = math.prod(dims) < 4096
        return np.full(dims, flat, y.dtype) if small else np.broadcast_to(flat, dims)
    kept_dims: Any = reduced_shape(TensorShape(dims), axis, True).as_list()
    return np.broadcast_to(np.reshape(y, kept_dims), dims)


def _expand_reduced_infer(
    y: TensorSpec, shape: TensorSpec, *, axis: Any, keepdims: bool
) -> TensorSpec:
    full_shape = shape_from(shape)
    reduced_shape(full_shape, axis, keepdims)
    return TensorSpec(full_shape, y.dtype)


MOST_ELEMENTS = 1 << 31
"""Of longer arrays NumPy may not even make views."""


def _expands(y: TensorSpec, shape: TensorSpec, *, axis: Any, keepdims: bool) -> bool:
    """Whether all sizes are known, and those of ``y`` are those of a reduction."""
    full_shape = shape_from(shape)
    size = full_shape.num_elements()
    if not y.shape.is_fully_defined() or size is None or size > MOST_ELEMENTS:
        return False
    return y.shape.num_elements() == reduced_shape(full_shape, axis, True).num_elements()


expand_reduced = define(
    "expand_reduced",
    inputs="y shape",
    same_dtype_inputs=slice(0, 1),
    kernel=_expand_reduced,
    infer=_expand_reduced_infer,
    grad=lazy_gradient("backprop.expand_reduced"),
    never_raises=_expands,
    lower=Composes("backprop.expand_reduced"),
    samples=lambda: [
        case([1.0, 2.0], [2, 3], axis=(1,), keepdims=False),
        case([[1.0], [2.0]], [2, 3], axis=-1, keepdims=True),
        case(1.5, [2, 2], axis=None, keepdims=False),
    ],
    doc="Repeat each result of a reduction along ``axis`` for the elements that it came from.",
)


broadcast_like = define(
    "broadcast_like",
    inputs="x y",
    same_dtype_inputs=None,
    kernel=lambda x, y: np.broadcast_to(y, np.broadcast_shapes(x.shape, y.shape)),
    infer=lambda x, y: TensorSpec(broadcast_shapes(x.shape, y.shape), y.dtype),
    grad=lambda x, y, z, dz: (None, dz),
    traits=(ELEMENTWISE,),
    lower=Native("second", mixed=True),
    samples=lambda: [case(spread(0, 1, 2, 3), [[1], [2]]), case([1, 2], 0.5), case([], 1)],
    doc="Broadcast ``y`` together with ``x``, of which only the shape counts.",
)


def _scatter_item(value: Array, shape: Array, *tensors: Array, key: tuple[Any, ...]) -> Any:
    result = np.zeros(dims_of(shape), value.dtype)
    places = filled_key(key, tensors)
    item = np.broadcast_to(value, np.shape(result[places]))
    repeats = any(isinstance(p, np.ndarray) and p.dtype != bool for p in places)
    if repeats and len(places) == 1:
        rows = np.asarray(places[0]).reshape(-1)
        add_rows(result, np.where(rows < 0, rows + len(result), rows), item)
    elif repeats:
        np.add.at(result, places, item)
    else:
        result[places] = item
    return result


def _scatter_cases() -> list[OpSample]:
    return [
        case(spread(-1, 1, 4), [3, 4], key=(1,)),
        case(spread(-1, 1, 2, 4), [3, 4], 1, key=(slice(KeyInput(0), None),)),
        case(spread(-1, 1, 3, 2), [3, 4], array([2, 2]), key=(slice(None), KeyInput(0))),
    ]


scatter_item = define(
    "scatter_item",
    inputs="value shape *indices",
    same_dtype_inputs=slice(0, 1),
    kernel=_scatter_item,
    infer=lambda value, shape, *indices, key: TensorSpec(shape_from(shape), value.dtype),
    dtype_kinds=NUMERIC,
    grad=lazy_gradient("backprop.scatter_item"), lower=OnArrays(plan=loops.added_at_key),
    samples=_scatter_cases,
    doc="Add ``value`` at ``key`` to zeros in ``shape``: the adjoint of ``x[key]``.",
)


def _recurrence(a: Array, b: Array, *, axis: int, reverse: bool, lagged: bool) -> Any:
    at = normal_axis(axis, b.ndim)
    factors, result = np.moveaxis(a, at, 0), np.moveaxis(b, at, 0).copy()
    steps = range(1, len(result))
    if reverse:
        steps = range(len(result) - 2, -1, -1)
    step = 1 if reverse else -1
    for i in steps:
        result[i] += factors[i + step if lagged else i] * result[i + step]
    return np.moveaxis(result, 0, at)


def _recurrence_infer(
    a: TensorSpec, b: TensorSpec, *, axis: int, reverse: bool, lagged: bool
) -> TensorSpec:
    if not a.shape.is_compatible_with(b.shape):
        raise IncompatibleShapesError(f"recurrence: a has shape {a.shape}, but b {b.shape}")
    if b.shape.dims is not None:
        normal_axis(axis, len(b.shape.dims))
    return same(b)


recurrence = define(
    "recurrence",
    inputs="a b",
    kernel=checked(_recurrence, _recurrence_infer),
    infer=_recurrence_infer,
    dtype_kinds="fc",
    grad=holomorphic(lazy_gradient("backprop.recurrence")), lower=OnArrays(plan=loops.recurrence),
    samples=lambda: [
        case(spread(-1, 1, 2, 4), spread(-2, 2, 2, 4), axis=axis, reverse=back, lagged=lagged)
        for axis in (0, -1)
        for back in (False, True)
        for lagged in (False, True)
    ],
    doc="Compute ``y[i] = a[i] * y[i - 1] + b[i]`` along an axis (``lagged``: by ``a[i - 1]``; "
    "``reverse``: from the end).",
)


def _along(x: Array, indices: Array, *, axis: int) -> Any:
    return np.take_along_axis(x, indices, normal_axis(axis, x.ndim))


def _along_infer(x: TensorSpec, indices: TensorSpec, *, axis: int) -> TensorSpec:
    dims, places = x.shape.dims, indices.shape.dims
    if dims is None or places is None:
        return TensorSpec(indices.shape, x.dtype)
    at = normal_axis(axis, len(dims))
    shape_around = TensorShape(dims[:at] + dims[at + 1 :])
    if len(places) != len(dims) or not shape_around.is_compatible_with(
        places[:at] + places[at + 1 :]
    ):
        raise IncompatibleShapesError(
            f"take_along: x of shape {x.shape} and indices of shape {indices.shape} must be equal "
            f"but for axis {at}"
        )
    return TensorSpec(indices.shape, x.dtype)


take_along = define(
    "take_along",
    inputs="x indices",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_along, _along_infer),
    infer=_along_infer,
    grad=lazy_gradient("backprop.take_along"),
    overloads=(np.take_along_axis,), lower=OnArrays(element=elements.taken_along),
    samples=lambda: [
        case(spread(-1, 1, 2, 3), [[2, 0, 1], [1, 1, 0]], axis=-1),
        case(spread(-1, 1, 2, 3), [[1, 0, 1]], axis=0),
    ],
    doc="Gather elements along an axis at indices that are given for each row of it.",
)
