"""Derivatives of ops that group entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.gather_scatter import gather_op
from runtime.ops.array.partitions import partition_op, reverse_sequence_op, stitch_op
from runtime.ops.array.ragged_rows import to_tensor_op
from runtime.ops.array.shape import reshape_op
from runtime.ops.gradients.dynamic_shapes import count, moved_back, numbered
from runtime.ops.gradients.elementwise import chosen
from runtime.ops.gradients.scans import aligned
from runtime.ops.math.comparison import equal, less
from runtime.ops.math.reduction import sum_op

FLAT = np.array([-1])


def reverse_sequence(x: Any, lengths: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The same once more."""
    return reverse_sequence_op(dy, lengths, **attrs), None


def partition(
    data: Any, partitions: Any, *values: Any, num_partitions: int
) -> tuple[Any, ...]:
    """The gradients of the parts, back where their entries stood."""
    places = partition_op(numbered(data), partitions, num_partitions=num_partitions)
    gradients = values[num_partitions:]
    flat = [
        concat_op(*[reshape_op(tensor, FLAT) for tensor in tensors], axis=0)
        for tensors in (gradients, places)
    ]
    return moved_back(flat[0], flat[1], data), None


def stitch(*values: Any) -> tuple[Any, ...]:
    """The entries get the gradient of their places; those written over, nothing."""
    *inputs, _, dy = values
    half = len(inputs) // 2
    indices, data = inputs[:half], inputs[half:]
    orders: list[Any] = []
    start: Any = np.int64(0)
    for index in indices:
        orders.append(numbered(index) + start)
        start = count(index) + start
    last_writer = stitch_op(*indices, *orders)

    def of(index: Any, order: Any) -> Any:
        rows = gather_op(dy, index, axis=0, batch_dims=0)
        stays = equal(gather_op(last_writer, index, axis=0, batch_dims=0), order)
        return chosen(aligned(stays, rows), rows)

    gradients = [of(index, order) for index, order in zip(indices, orders, strict=True)]
    return *[None] * half, *[g for g, _ in zip(gradients, data, strict=True)]


def rows_to_tensor(
    values: Any, default: Any, row_splits: Any, y: Any, dy: Any, *, width: int | None
) -> tuple[Any, ...]:
    """The values get the gradient of their places, the default that of all others."""
    places = to_tensor_op(numbered(values), np.int64(-1), row_splits, width=width)

    def ddefault() -> Any:
        return sum_op(chosen(less(places, 0), dy), axis=None, keepdims=False)

    return moved_back(dy, places, values), ddefault, None
