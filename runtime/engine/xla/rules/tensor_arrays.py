"""Rules of tensor arrays, and of their gradients."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.array_tables import ArrayTable, new_table
from runtime.engine.xla.columnar_lists import GradientList
from runtime.engine.xla.interpreter import (
    FULL,
    TRACE,
    PlanInterpreter,
    XLARefusal,
    is_static,
    operation_rule,
    require,
    static,
)
from runtime.graph.operation import Operation


@operation_rule("tensor_array")
def _new(run: PlanInterpreter, node: Operation, size: Any) -> Any:
    return new_table(size, node.attrs["element"], node.attrs["config"])


@operation_rule("tensor_array_write")
def _write(
    run: PlanInterpreter, node: Operation, table: ArrayTable, index: Any, value: Any
) -> Any:
    _check_numbers(index)
    return table.write(index, value)


@operation_rule("tensor_array_read")
def _read(run: PlanInterpreter, node: Operation, table: ArrayTable, index: Any) -> Any:
    _check_numbers(index)
    return table.read(index)


def _check_numbers(index: Any, rank: int = 0) -> None:
    if np.ndim(index) != rank or index.dtype.kind not in "iu":
        raise XLARefusal("an index of a tensor array is no whole number")


@operation_rule("tensor_array_size")
def _size(run: PlanInterpreter, node: Operation, table: ArrayTable) -> Any:
    return table.count.astype(np.int32)


@operation_rule("tensor_array_stack")
def _stack(run: PlanInterpreter, node: Operation, table: ArrayTable) -> Any:
    return table.stack()


@operation_rule("tensor_array_gather")
def _gather(run: PlanInterpreter, node: Operation, table: ArrayTable, indices: Any) -> Any:
    _check_numbers(indices, 1)
    return table.gather(indices)


@operation_rule("tensor_array_concat")
def _concat(run: PlanInterpreter, node: Operation, table: ArrayTable) -> Any:
    rows = table.stack()
    if rows.ndim < 2:
        raise XLARefusal("entries that are concatenated are scalars")
    return rows.reshape(rows.shape[0] * rows.shape[1], *rows.shape[2:])


@operation_rule("tensor_array_unstack")
def _unstack(run: PlanInterpreter, node: Operation, table: ArrayTable, values: Any) -> Any:
    if not np.ndim(values):
        raise XLARefusal("a scalar has no rows")
    return table.of_rows(values)


@operation_rule("tensor_array_scatter")
def _scatter(
    run: PlanInterpreter, node: Operation, table: ArrayTable, indices: Any, values: Any
) -> Any:
    _check_numbers(indices, 1)
    if not np.ndim(values) or len(values) != len(indices):
        raise XLARefusal("there are not as many rows as indices")
    return table.scatter(indices, values)


@operation_rule("tensor_array_split")
def _split(
    run: PlanInterpreter, node: Operation, table: ArrayTable, values: Any, lengths: Any
) -> Any:
    parts = _divided(values, lengths)
    if not table.config.dynamic and parts.shape[0] != int(static(table.count, "the size")):
        raise XLARefusal("there are not as many lengths as entries")
    return table.of_rows(parts)


def _divided(values: Any, lengths: Any) -> Any:
    """Return parts of an array, of one length, along a new first axis."""
    sizes = static(lengths, "the length of a part").tolist()
    if len(set(sizes)) != 1 or not np.ndim(values) or sum(sizes) != values.shape[0]:
        raise XLARefusal("parts of an array have several lengths, or there are none")
    return jnp.reshape(values, (len(sizes), sizes[0], *values.shape[1:]))


# -- gradients ------------------------------------------------------------------------------------


@operation_rule("gradient_of_rows")
def _of_rows(run: PlanInterpreter, node: Operation, rows: Any, indices: Any) -> Any:
    room = int(indices.max(initial=-1)) + 1 if is_static(indices) else TRACE.capacity
    require(jnp.asarray(indices) < room, FULL)
    zeros = jnp.zeros((max(room, 1), *rows.shape[1:]), rows.dtype)
    return GradientList((zeros.at[indices].add(rows),))


@operation_rule("gradient_rows")
def _rows_of(
    run: PlanInterpreter, node: Operation, x: GradientList, indices: Any, shape: Any
) -> Any:
    dims = static(shape, "the shape of a gradient").tolist()
    if x.columns is None or not dims[0]:
        return jnp.zeros(dims, node.attrs["dtype"].as_numpy_dtype)
    (column,) = x.columns
    return column.at[indices].get(mode="fill", fill_value=0)


@operation_rule("gradient_without_rows")
def _without_rows(run: PlanInterpreter, node: Operation, x: GradientList, indices: Any) -> Any:
    return GradientList(jax.tree.map(lambda c: c.at[indices].set(0, mode="drop"), x.columns))


@operation_rule("gradient_divided")
def _divided_gradient(run: PlanInterpreter, node: Operation, rows: Any, lengths: Any) -> Any:
    return GradientList((_divided(rows, lengths),))


@operation_rule("gradient_joined")
def _joined(
    run: PlanInterpreter, node: Operation, x: GradientList, lengths: Any, shape: Any
) -> Any:
    dims = static(shape, "the shape of a gradient").tolist()
    if x.columns is None:
        return jnp.zeros(dims, node.attrs["dtype"].as_numpy_dtype)
    sizes = static(lengths, "the length of a part").tolist()
    (column,) = x.columns
    if len(set(sizes)) != 1 or column.shape[1] != sizes[0] or column.shape[0] > len(sizes):
        raise XLARefusal("parts of an array have several lengths, or there are none")
    rows = jnp.pad(column, [(0, len(sizes) - column.shape[0]), *[(0, 0)] * (column.ndim - 1)])
    return jnp.reshape(rows, dims)


@operation_rule("tensor_array_lengths")
def _lengths(run: PlanInterpreter, node: Operation, table: ArrayTable) -> Any:
    rows = table.stack()
    return np.full(rows.shape[0], rows.shape[1], np.int64)
