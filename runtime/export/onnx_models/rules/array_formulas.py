"""Formulas of ops on arrays, made of ops that ONNX has operators for."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import (
    formula,
)
from runtime.export.onnx_models.rules.formulas import number, places
from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.constants import cast
from runtime.ops.array.gather_scatter import gather_nd_op, gather_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import (
    broadcast_to_op,
    expand_dims_op,
    reshape_op,
    shape_op,
    transpose_op,
)
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementwise import floormod
from runtime.ops.math.reduction import sum_op
from runtime.types.dtypes import int64


@formula("sum_to_shape")
def _sum_to_shape(x: Any, shape: Any) -> Any:
    """The sum along the axes that broadcasting repeats, where these are known."""
    dims = shape.spec.value
    sizes = x.shape.dims
    if dims is None or sizes is None:
        known = shape.spec.sizes
        if known is None or sizes is None:
            return None
        dims = known
    extra = len(sizes) - len(dims)
    repeated = []
    for axis, size in enumerate(sizes[extra:]):
        target = dims[axis]
        if target is not None and int(target) == 1:
            if size != 1:
                repeated.append(extra + axis)
        elif target is None and size is not None and size != 1:
            return None
    if repeated:
        x = sum_op(x, axis=tuple(repeated), keepdims=True)
    return sum_op(x, axis=tuple(range(extra)), keepdims=False) if extra else x


@formula("expand_reduced")
def _expand_reduced(y: Any, shape: Any, *, axis: Any, keepdims: bool) -> Any:
    """The number of a reduction at all places that it was reduced from."""
    rank = shape.shape.dims[0]
    if rank is None:
        return None
    axes = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
    for number_of_axis in () if keepdims else sorted(a % rank for a in axes):
        y = expand_dims_op(y, axis=number_of_axis)
    return broadcast_to_op(y, shape)


@formula("roll")
def _roll(x: Any, shift: Any, *, axis: Any) -> Any:
    axes = (axis,) if isinstance(axis, int) else axis
    if axes is None:
        return None
    for number_of_shift, at in enumerate(axes):
        moved = getitem_op(shift, key=(number_of_shift,)) if shift.shape.rank else shift
        size = getitem_op(shape_op(x, out_type=int64), key=(at,))
        source = floormod(places(x, at) - cast(moved, int64), size)
        x = gather_op(x, source, axis=at % len(x.shape.dims), batch_dims=0)
    return x


@formula("repeat")
def _repeat(x: Any, repeats: Any, *, axis: Any) -> Any:
    """Each entry so often, if that is one number, or numbers known before the run."""
    if axis is None:
        x, axis = reshape_op(x, np.array([-1])), 0
    counts = repeats.spec.value
    rank = len(x.shape.dims)
    at = axis % rank
    if counts is not None and x.shape.dims[at] is not None:
        sources = np.repeat(np.arange(x.shape.dims[at]), counts)
        return gather_op(x, sources, axis=at, batch_dims=0)
    if repeats.shape.num_elements() != 1:
        return None
    wide = expand_dims_op(x, axis=at + 1)
    count = reshape_op(cast(repeats, int64), np.array([1]))
    sizes = shape_op(x, out_type=int64)
    before, size, after = (getitem_op(sizes, key=(slice(*ends),)) for ends in
                           ((0, at), (at, at + 1), (at + 1, None)))  # fmt: skip
    target = concat_op(before, size, count, after, axis=0)
    joined = concat_op(before, size * count, after, axis=0)
    return reshape_op(broadcast_to_op(wide, target), joined)


@formula("meshgrid")
def _meshgrid(*vectors: Any, indexing: str) -> Any:
    rank = len(vectors)
    order = [1, 0, *range(2, rank)] if indexing == "xy" and rank > 1 else list(range(rank))
    sizes = [reshape_op(shape_op(v, out_type=int64), np.array([1])) for v in vectors]
    target = concat_op(*[sizes[k] for k in order], axis=0) if rank > 1 else sizes[0]
    grids = []
    for k, vector in enumerate(vectors):
        places = [-1 if order[axis] == k else 1 for axis in range(rank)]
        grids.append(broadcast_to_op(reshape_op(vector, np.array(places)), target))
    return grids


@formula("linspace")
def _linspace_of(start: Any, stop: Any, num: Any, *, axis: Any) -> Any:
    count = num.spec.value
    if count is None or start.shape.rank or stop.shape.rank or not start.dtype.is_floating:
        return None
    if int(count) == 1:
        return reshape_op(start, np.array([1]))
    step = (stop - start) / number(int(count) - 1, start)
    steps = np.arange(int(count)).astype(start.dtype.as_numpy_dtype)
    values = start + step * steps
    is_last = np.arange(int(count)) == int(count) - 1
    return where_op(is_last, stop, values)


@formula("diag")
def _diag(diagonal: Any, *, k: Any) -> Any:
    if k != 0 or diagonal.shape.rank is None:
        return None
    along = places(diagonal, -1)
    on = equal(expand_dims_op(along, axis=1), along)
    return where_op(on, expand_dims_op(diagonal, axis=-1), number(0, diagonal))


@formula("diag_part")
def _diag_part(x: Any, *, k: Any) -> Any:
    rank = len(x.shape.dims)
    height, width = x.shape.dims[-2:]
    if k != 0 or height is None or width is None:
        return None
    least = min(height, width)
    order = np.array([rank - 2, rank - 1, *range(rank - 2)])
    turned = transpose_op(x, order)
    pairs = np.repeat(np.arange(least)[:, None], 2, axis=1)
    entries = gather_nd_op(turned, pairs, batch_dims=0)
    return transpose_op(entries, np.array([*range(1, rank - 1), 0]))
