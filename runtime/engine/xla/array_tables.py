"""Tensor arrays on XLA: a table with a row for each entry, and the state of each entry.

All entries have one shape.  A table of unknown size has room for a number of entries, as a list has
(columnar_lists.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.columnar_lists import extended
from runtime.engine.xla.interpreter import (
    FULL,
    TRACE,
    XLARefusal,
    is_static,
    require,
    static,
)
from runtime.types.shapes import TensorShape

EMPTY, WRITTEN, CLEARED = 0, 1, 2
"""States of an entry; that of a cleared one was read and given up."""


class ArrayTable:
    """Tensor array: rows and states of its entries, of which the first ``count`` are there.

    rows     array with the entries along the first axis; None while their shape is not known
    states   array with the state of each entry
    count    number of entries: an int where it is known while a graph is traced
    config   what the tensor array is made with
    element  sizes of an entry as far as they were known from the beginning; None without a rank
    """

    def __init__(self, rows: Any, states: Any, count: Any, config: Any, element: Any) -> None:
        self.rows = rows
        self.states = states
        self.count = count
        self.config = config
        self.element = element

    @property
    def columns(self) -> Any:
        """Rows as the columns of a list are; None while their shape is not known."""
        return None if self.rows is None else (self.rows,)

    def _changed(self, rows: Any, states: Any, count: Any) -> ArrayTable:
        return ArrayTable(rows, states, count, self.config, self.element)

    def with_rows_of(self, shape: tuple[int, ...], room: int = 0) -> ArrayTable:
        """Return the table with rows of a shape, and room for so many entries."""
        dtype = self.config.dtype.as_numpy_dtype
        if not TensorShape(self.element).is_compatible_with(shape):
            raise XLARefusal("an entry of a tensor array has another shape")
        rows = self.rows
        if rows is None:
            rows = jnp.zeros((self.states.shape[0], *shape), dtype)
        elif rows.shape[1:] != shape:
            raise XLARefusal("a tensor array has entries of several shapes")
        (rows,), (states,) = extended((rows,), room), extended((self.states,), room)
        return self._changed(rows, states, self.count)

    def _with_room(self, most: Any, shape: tuple[int, ...]) -> ArrayTable:
        """Return the table with room for so many entries; a run that needs more does not count."""
        if not self.config.dynamic:
            require(most <= self.count)
            return self.with_rows_of(shape)
        if is_static(most):
            return self._grown(self.with_rows_of(shape, int(most)), most)
        table = self.with_rows_of(shape, TRACE.capacity)
        require(most <= table.states.shape[0], FULL)
        return self._grown(table, most)

    def _grown(self, table: ArrayTable, most: Any) -> ArrayTable:
        is_known = is_static(most) and is_static(self.count)
        count = np.maximum(self.count, most) if is_known else jnp.maximum(self.count, most)
        return table._changed(table.rows, table.states, count.astype(np.int64))

    def write(self, index: Any, value: Any) -> ArrayTable:
        """Return the table with another entry, which may lie behind the last one."""
        require(index >= 0)
        table = self._with_room(index.astype(np.int64) + 1, value.shape)
        rows = jax.lax.dynamic_update_index_in_dim(table.rows, jnp.asarray(value), index, 0)
        return table._changed(rows, table.states.at[index].set(WRITTEN), table.count)

    def scatter(self, indices: Any, values: Any) -> ArrayTable:
        """Return the table with other entries; the last one counts that is written to a place."""
        if not len(indices):
            return self
        require(indices >= 0)
        table = self._with_room(indices.astype(np.int64).max() + 1, values.shape[1:])
        rows = last_written(table.rows, indices, values)
        return table._changed(rows, table.states.at[indices].set(WRITTEN), table.count)

    def read(self, index: Any) -> tuple[Any, ArrayTable]:
        """Return an entry, and the table after it, which may have given the entry up."""
        require((index >= 0) & (index < self.count))
        rows = self._readable(self.states[index])
        value = jax.lax.dynamic_index_in_dim(rows, index, 0, keepdims=False)
        if not self.config.clear:
            return value, self
        return value, self._changed(rows, self.states.at[index].set(CLEARED), self.count)

    def _readable(self, states: Any) -> Any:
        """Return the rows, and note that entries of these states can be read."""
        if self.rows is None:
            raise XLARefusal("it reads a tensor array whose entries have no known shape")
        require(states != CLEARED)
        if not TensorShape(self.element).is_fully_defined():  # an empty entry has no shape before
            is_shaped = jnp.any(self.states != EMPTY) if self.config.infer else jnp.bool_(False)
            require((states == WRITTEN) | is_shaped)
        return self.rows

    def gather(self, indices: Any) -> Any:
        """Return entries along a new first axis."""
        if len(indices) and self.rows is not None:
            require((indices >= 0) & (indices < self.count))
            return self._readable(self.states[indices])[indices]
        return self._first(0) if not len(indices) else self._readable(self.states)

    def stack(self) -> Any:
        """Return all entries along a new first axis."""
        return self._first(int(static(self.count, "the size of a tensor array")))

    def _first(self, count: int) -> Any:
        if count:
            return self._readable(self.states[:count])[:count]
        if not TensorShape(self.element).is_fully_defined():
            raise XLARefusal("no entry tells the shape of an empty tensor array's entries")
        return jnp.zeros((0, *self.element), self.config.dtype.as_numpy_dtype)

    def of_rows(self, values: Any) -> ArrayTable:
        """Return the table whose entries are the rows of an array."""
        count = values.shape[0]
        if not self.config.dynamic and not is_static(self.count):
            require(count <= self.count)
        elif not self.config.dynamic and count > int(self.count):
            raise XLARefusal(f"{count} rows do not fit a tensor array of {int(self.count)}")
        states = jnp.full(max(count, 1), EMPTY, np.uint8).at[:count].set(WRITTEN)
        empty = ArrayTable(None, states, np.int64(count), self.config, self.element)
        table = empty.with_rows_of(values.shape[1:])
        return table._changed(table.rows.at[:count].set(values), states, table.count)

    def widened(self, like: ArrayTable) -> ArrayTable:
        """Return the table with the rows, and the room, that another one has."""
        if like.rows is None:
            return self
        return self.with_rows_of(like.rows.shape[1:], like.states.shape[0])


def new_table(size: Any, element: TensorShape, config: Any) -> ArrayTable:
    """Return a table of so many empty entries."""
    if np.ndim(size):
        raise XLARefusal("the size of a tensor array is no number")
    room = TRACE.capacity if config.dynamic or not is_static(size) else 1
    if is_static(size):
        if size < 0:
            raise XLARefusal("the size of a tensor array is less than 0")
        room, count = max(room, int(size)), np.int64(size)
    else:
        require(size >= 0)
        require(size <= room, FULL)
        count = size.astype(np.int64)
    dims: Any = None if element.dims is None else tuple(element.dims)
    table = ArrayTable(None, jnp.zeros(room, np.uint8), count, config, dims)
    return table if dims is None or None in dims else table.with_rows_of(dims)


def last_written(rows: Any, indices: Any, values: Any) -> Any:
    """Return rows with others at indices: of several for one place the last one."""
    order = jnp.arange(1, len(indices) + 1)
    last = jnp.zeros(rows.shape[0], order.dtype).at[indices].max(order)
    is_written = (last > 0).reshape(-1, *[1] * (rows.ndim - 1))
    return jnp.where(is_written, jnp.asarray(values)[last - 1], rows)


def _flattened(table: ArrayTable) -> tuple[Sequence[Any], Any]:
    fixed = int(table.count) if is_static(table.count) and not table.config.dynamic else None
    count = table.count if fixed is None else None  # as it is: see columnar_lists.py
    return (table.rows, table.states, count), (fixed, table.config, table.element)


def _unflattened(description: Any, children: Sequence[Any]) -> ArrayTable:
    (rows, states, count), (fixed, config, element) = children, description
    return ArrayTable(rows, states, count if fixed is None else np.int64(fixed), config, element)


jax.tree_util.register_pytree_node(ArrayTable, _flattened, _unflattened)
