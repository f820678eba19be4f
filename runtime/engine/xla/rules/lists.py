"""Rules of lists, of tensor arrays, and of their gradients."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.columnar_lists import ColumnarList, GradientList, as_leaves, taken
from runtime.engine.xla.interpreter import (
    FULL,
    TRACE,
    PlanInterpreter,
    XLARefusal,
    operation_rule,
    require,
    static,
)
from runtime.graph.operation import Operation
from runtime.types.dtypes import variant


@operation_rule("list_new")
def _list_new(run: PlanInterpreter, node: Operation, *values: Any) -> Any:
    width, count = node.attrs["width"], node.attrs["count"]
    made = ColumnarList(None, None, 0)
    for k in range(count):
        made = made.push(values[k * width : (k + 1) * width])
    return made


@operation_rule("list_len")
def _list_len(run: PlanInterpreter, node: Operation, handle: ColumnarList) -> Any:
    return handle.length


@operation_rule("list_push")
def _list_push(run: PlanInterpreter, node: Operation, handle: ColumnarList, *values: Any) -> Any:
    return handle.push(values)


@operation_rule("list_item")
def _list_item(run: PlanInterpreter, node: Operation, handle: ColumnarList, index: Any) -> Any:
    return handle.entry(handle.place(index))


@operation_rule("list_set")
def _list_set(
    run: PlanInterpreter, node: Operation, handle: ColumnarList, index: Any, *values: Any
) -> Any:
    return handle.set(handle.place(index), values)


@operation_rule("list_without")
def _list_without(run: PlanInterpreter, node: Operation, handle: ColumnarList, index: Any) -> Any:
    place = handle.place(index)

    def close(column: Any) -> Any:
        moved = jnp.roll(column, -1, 0)
        rows = jnp.arange(column.shape[0]).reshape(-1, *[1] * (column.ndim - 1))
        return jnp.where(rows < place, column, moved)

    return ColumnarList(jax.tree.map(close, handle.columns), handle.base, handle.offset - 1)


@operation_rule("list_pop")
def _list_pop(run: PlanInterpreter, node: Operation, handle: ColumnarList) -> Any:
    require(handle.length > 0)
    return (handle.with_length(-1), *handle.entry(handle.length - 1))


@operation_rule("list_stack")
def _list_stack(run: PlanInterpreter, node: Operation, handle: ColumnarList) -> Any:
    spec = node.attrs["spec"]
    length = int(static(handle.length, "the length of a list that is stacked"))
    if handle.columns is None:
        return jnp.zeros((0, *spec.shape.as_list()), spec.dtype.as_numpy_dtype)
    (column,) = handle.columns
    return column[:length].astype(spec.dtype.as_numpy_dtype)


@operation_rule("gradient_none")
def _gradient_none(run: PlanInterpreter, node: Operation) -> Any:
    return GradientList(None)


@operation_rule("gradient_add")
def _gradient_add(run: PlanInterpreter, node: Operation, x: GradientList, y: GradientList) -> Any:
    return x + y


def _place(length: Any, index: Any) -> Any:
    return index % jnp.maximum(length, 1)


@operation_rule("gradient_of_entry")
def _gradient_of_entry(
    run: PlanInterpreter, node: Operation, length: Any, index: Any, *values: Any
) -> Any:
    rows = max(TRACE.capacity, int(length) if isinstance(length, np.generic) else 0)
    require(jnp.asarray(length) <= rows, FULL)
    place = _place(length, index)
    return GradientList(jax.tree.map(
        lambda v: jnp.zeros((rows, *v.shape), v.dtype).at[place].set(v), as_leaves(tuple(values))
    ))  # fmt: skip


@operation_rule("gradient_entry")
def _gradient_entry(run: PlanInterpreter, node: Operation, x: GradientList, length: Any, index: Any,
                   *sizes: Any) -> Any:  # fmt: skip
    if x.columns is not None:
        return taken(x.columns, _place(length, index))
    remaining = iter(sizes)
    return tuple([_zero(spec, remaining) for spec in node.attrs["specs"]])


def _zero(spec: Any, sizes: Any) -> Any:
    if spec.dtype is variant:
        return GradientList(None)
    dims = spec.shape.dims if spec.shape.is_fully_defined() else np.asarray(next(sizes)).tolist()
    return jnp.zeros(dims, spec.dtype.as_numpy_dtype)


@operation_rule("gradient_without")
def _gradient_without(
    run: PlanInterpreter, node: Operation, x: GradientList, length: Any, index: Any
) -> Any:
    place = _place(length, index)
    return GradientList(jax.tree.map(lambda c: c.at[place].set(0), x.columns))


@operation_rule("gradient_unstacked")
def _gradient_unstacked(run: PlanInterpreter, node: Operation, x: Any) -> Any:
    return GradientList((jnp.asarray(x),))


@operation_rule("gradient_stacked")
def _gradient_stacked(run: PlanInterpreter, node: Operation, x: GradientList, sizes: Any) -> Any:
    dims = static(sizes, "the length of a list").tolist()
    if x.columns is None:
        return jnp.zeros(dims, node.attrs["spec"].dtype.as_numpy_dtype)
    (column,) = x.columns
    if column.shape[0] < dims[0]:
        raise XLARefusal("the gradient of a list has less room than the list")
    return column[: dims[0]]
