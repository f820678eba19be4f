"""What single ops mean on ragged tensors: repeating, gathering, new axes, stacking, parts.

ragged_ops.py asks here for ops whose traits do not say it.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.composite.ragged_ops import positions, ragged_rule, rows_of, segmented
from runtime.composite.ragged_tensor import RaggedTensor, ragged_range
from runtime.ops.array.concat_split import (
    concat,
    repeat,
    split_op,
    stack,
    stack_op,
    tile,
    tile_op,
)
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import one_hot_op, ones_like_op, zeros_like_op
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather, gather_nd, gather_nd_op, gather_op
from runtime.ops.array.partitions import partition_op
from runtime.ops.array.shape import (
    expand_dims,
    expand_dims_op,
    rank_op,
    reshape,
    reverse_op,
    shape,
    size_op,
    squeeze,
    squeeze_op,
)
from runtime.ops.array.where import argwhere_op, boolean_mask, where
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementary import exp
from runtime.ops.math.elementwise import square
from runtime.ops.math.reduction import reduce_mean, variance_op
from runtime.ops.math.scans import (
    bincount_op,
    unsorted_segment_max,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sum,
)
from runtime.ops.nn.activations_losses import softmax_op
from runtime.ops.op import OpDef
from runtime.types.dtypes import int64


def rank_of(ragged: Any) -> int:
    """The number of axes."""
    if isinstance(ragged, RaggedTensor):
        return ragged.ragged_rank + (ragged.flat_values.shape.rank or 1)
    return ragged.shape.rank or 0


def _refused(op: OpDef, why: str) -> TypeError:
    return TypeError(f"{op.name} of ragged tensors: {why}; use flat_values or to_tensor()")


@ragged_rule(tile_op)
def _tile(op: OpDef, inputs: Any, attrs: Any) -> Any:
    ragged, multiples = inputs
    counts = [convert_to_tensor(multiples)[k] for k in range(rank_of(ragged))]
    return _tiled(ragged, [cast(count, int64) for count in counts])


def _tiled(ragged: Any, counts: list[Any]) -> Any:
    if not isinstance(ragged, RaggedTensor):
        return tile(ragged, stack([np.int64(1), *counts[1:]]))
    outer, along, *deeper = counts
    values = ragged.values
    if deeper:
        values = _tiled(values, [along, *deeper])
    starts, limits = repeat(ragged.row_starts(), along), repeat(ragged.row_limits(), along)
    inside = ragged_range(starts, limits).values
    longer = RaggedTensor.from_row_lengths(rows_of(values, inside), ragged.row_lengths() * along)
    return rows_of(longer, tile(range_of(ragged.nrows()), reshape(outer, [1])))


@ragged_rule(gather_op)
def _gather(op: OpDef, inputs: Any, attrs: Any) -> Any:
    params, indices = inputs
    axis, batch_dims = attrs.get("axis", 0), attrs.get("batch_dims", 0)
    if batch_dims == 1 and axis == 1 and isinstance(params, RaggedTensor):
        rows = indices if isinstance(indices, RaggedTensor) else RaggedTensor.from_tensor(indices)
        starts = gather(params.row_starts(), rows.value_rowids())
        places = cast(rows.values, int64) + starts
        return rows.with_values(rows_of(params.values, places))
    if axis or batch_dims:
        raise _refused(op, f"not for axis={axis} and batch_dims={batch_dims}")
    if isinstance(indices, RaggedTensor):
        return indices.with_values(op(params, indices.values, **attrs))
    flat = rows_of(params, reshape(indices, [-1]))
    sizes = shape(indices, int64)
    for number in range((indices.shape.rank or 1) - 1, 0, -1):
        flat = RaggedTensor.from_uniform_row_length(flat, sizes[number])
    return flat if indices.shape.rank != 0 else flat[0]


@ragged_rule(gather_nd_op)
def _gather_nd(op: OpDef, inputs: Any, attrs: Any) -> Any:
    ragged, indices = inputs
    if isinstance(indices, RaggedTensor) or attrs.get("batch_dims"):
        raise _refused(op, "indices must be a tensor, and batch_dims 0")
    depth = indices.shape[-1]
    if depth is None:
        raise _refused(op, "the last size of indices must be known")
    places = cast(indices[..., 0], int64)
    level: Any = ragged
    for number in range(1, depth):
        if not isinstance(level, RaggedTensor):
            rest = indices[..., number:]
            return gather_nd(level, concat([places[..., None], cast(rest, int64)], -1))
        lengths = gather(level.row_lengths(), places)
        column = cast(indices[..., number], int64)
        outside = -1 - shape(level.flat_values, int64)[0]  # which gather refuses
        column = where(column < lengths, column, outside)
        places = gather(level.row_starts(), places) + column
        level = level.values
    return _gather(gather_op, (level, places), {}) if isinstance(level, RaggedTensor) else (
        gather(level, places)
    )  # fmt: skip


@ragged_rule(expand_dims_op)
def _expand_dims(op: OpDef, inputs: Any, attrs: Any) -> Any:
    (ragged,) = inputs
    rank = rank_of(ragged) + 1
    axis = attrs["axis"]
    if not -rank <= axis < rank:
        raise ValueError(f"{op.name}: axis {axis} is out of range for {rank} axes")
    axis %= rank
    if axis == 0:
        ends = reshape(ragged.nrows(), [1])
        return RaggedTensor.from_row_splits(ragged, concat([np.zeros(1, np.int64), ends], 0))
    if axis == 1:
        return RaggedTensor.from_uniform_row_length(ragged, 1)
    return ragged.with_values(expand_dims(ragged.values, axis - 1))


@ragged_rule(squeeze_op)
def _squeeze(op: OpDef, inputs: Any, attrs: Any) -> Any:
    (ragged,) = inputs
    axes = attrs["axis"]
    if axes is None:
        raise ValueError("squeeze: a ragged tensor needs the axis")
    rank = rank_of(ragged)
    for axis in sorted({number % rank for number in axes}, reverse=True):
        if axis == 0:
            ragged = ragged[0] if isinstance(ragged, RaggedTensor) else squeeze(ragged, 0)
        elif axis == 1:
            ragged = ragged.values
        else:
            ragged = ragged.with_values(squeeze(ragged.values, axis - 1))
    return ragged


@ragged_rule(size_op)
def _size(op: OpDef, inputs: Any, attrs: Any) -> Any:
    return op(inputs[0].flat_values, **attrs)


@ragged_rule(rank_op)
def _rank(op: OpDef, inputs: Any, attrs: Any) -> Any:
    return cast(convert_to_tensor(rank_of(inputs[0])), attrs["out_type"])


@ragged_rule(ones_like_op, zeros_like_op)
def _filled(op: OpDef, inputs: Any, attrs: Any) -> Any:
    return inputs[0].with_flat_values(op(inputs[0].flat_values, **attrs))


@ragged_rule(one_hot_op)
def _one_hot(op: OpDef, inputs: Any, attrs: Any) -> Any:
    ragged, *numbers = inputs
    if attrs["axis"] not in (-1, rank_of(ragged)):
        raise _refused(op, "the new axis must be the last")
    attrs = {**attrs, "axis": -1}
    return ragged.with_flat_values(op(ragged.flat_values, *numbers, **attrs))


@ragged_rule(reverse_op)
def _reverse(op: OpDef, inputs: Any, attrs: Any) -> Any:
    ragged, rank = inputs[0], rank_of(inputs[0])
    for axis in attrs["axis"]:
        number = operator.index(axis) % rank
        ragged = ragged[(*[slice(None)] * number, slice(None, None, -1))]
    return ragged


@ragged_rule(stack_op)
def _stack(op: OpDef, inputs: Any, attrs: Any) -> Any:
    return stacked([as_ragged(value) for value in inputs], attrs["axis"])


def as_ragged(value: Any) -> RaggedTensor:
    """A matrix, or a tensor of more axes, as rows of one length."""
    if isinstance(value, RaggedTensor):
        return value
    return RaggedTensor.from_tensor(convert_to_tensor(value))


def stacked(values: list[RaggedTensor], axis: int) -> Any:
    """Ragged tensors, one behind the other along a new axis."""
    number = axis % (rank_of(values[0]) + 1)
    return concat([expand_dims(value, number) for value in values], number)


@ragged_rule(split_op)
def _split(op: OpDef, inputs: Any, attrs: Any) -> Any:
    (ragged,) = inputs
    count = attrs["num"]
    rows = ragged.nrows()
    if attrs["axis"] != 0:
        raise _refused(op, "along axis 0 only")
    size = rows // count
    return tuple([ragged[size * k : size * (k + 1)] for k in range(count)])


@ragged_rule(argwhere_op)
def _argwhere(op: OpDef, inputs: Any, attrs: Any) -> Any:
    (ragged,) = inputs
    return boolean_mask(coordinates(ragged), ragged.flat_values)


def coordinates(ragged: RaggedTensor) -> Any:
    """The index of each value of rows of scalars, a row of an int64 matrix for each."""
    columns: list[Any] = []
    level: Any = ragged
    while isinstance(level, RaggedTensor):
        rows = level.value_rowids()
        columns = [gather(column, rows) for column in columns] or [rows]
        columns.append(positions(level))
        level = level.values
    if level.shape.rank != 1:
        raise TypeError("indices of a ragged tensor whose values have axes are not there")
    return stack(columns, 1)


@ragged_rule(unsorted_segment_max, unsorted_segment_min, unsorted_segment_prod,
             unsorted_segment_sum)  # fmt: skip
def _segments(op: OpDef, inputs: Any, attrs: Any) -> Any:
    values, ids, count = inputs
    return segmented(op, values, cast(convert_to_tensor(ids), int64),
                     cast(convert_to_tensor(count), int64))  # fmt: skip


@ragged_rule(partition_op)
def _partition(op: OpDef, inputs: Any, attrs: Any) -> Any:
    ragged, ids = inputs
    numbers = range_of(ragged.nrows())
    return tuple([
        rows_of(ragged, boolean_mask(numbers, equal(ids, k)))
        for k in range(attrs["num_partitions"])
    ])  # fmt: skip


@ragged_rule(bincount_op)
def _bincount(op: OpDef, inputs: Any, attrs: Any) -> Any:
    ragged, *numbers = inputs
    return op(ragged.flat_values, *numbers, **attrs)


@ragged_rule(softmax_op)
def _softmax(op: OpDef, inputs: Any, attrs: Any) -> Any:
    (ragged,) = inputs
    if attrs["axis"] not in (-1, rank_of(ragged) - 1):
        raise _refused(op, "along the last axis only")
    if ragged.flat_values.shape.rank != 1:
        return ragged.with_flat_values(op(ragged.flat_values, axis=-1))
    if isinstance(ragged.values, RaggedTensor):
        return ragged.with_values(op(ragged.values, axis=-1))
    rows, count, values = ragged.value_rowids(), ragged.nrows(), ragged.values
    powers = exp(values - gather(unsorted_segment_max(values, rows, count), rows))
    return ragged.with_values(powers / gather(unsorted_segment_sum(powers, rows, count), rows))


@ragged_rule(variance_op)
def _variance(op: OpDef, inputs: Any, attrs: Any) -> Any:
    (ragged,) = inputs
    mean = reduce_mean(ragged, **attrs)
    return reduce_mean(square(ragged), **attrs) - square(mean)
