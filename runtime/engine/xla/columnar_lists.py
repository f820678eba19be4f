"""Lists on XLA: arrays with room for a number of entries, and how many there are.

XLA's shapes are static, so a list has a capacity.  A run in which one outgrows it does not count,
and is repeated with more room (engine.py).  The gradient of a list is such arrays, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.interpreter import FULL, TRACE, XLARefusal, require


class ColumnarList:
    """List of at most as many entries as its columns have rows; an entry is a row of each column.

    columns  arrays (or lists of lists) with the entries along the first axis; None before the first
    base     number of entries that is known in a run only, or None
    offset   number of entries besides
    """

    def __init__(self, columns: Any, base: Any, offset: int) -> None:
        self.columns = columns
        self.base = base
        self.offset = offset

    @property
    def length(self) -> Any:
        """Number of entries, an int64."""
        if self.base is None:
            return np.int64(self.offset)
        return self.base + self.offset if self.offset else self.base

    @property
    def capacity(self) -> int:
        """Number of entries that there is room for."""
        return _rows(self.columns)

    def with_length(self, change: int) -> ColumnarList:
        """Return the list with so many entries more."""
        return ColumnarList(self.columns, self.base, self.offset + change)

    def push(self, values: Sequence[Any]) -> ColumnarList:
        """Return the list with one more entry."""
        values = tuple(map(as_leaves, values))
        columns = self.columns
        if columns is None:
            columns = jax.tree.map(lambda v: jnp.zeros((TRACE.capacity, *v.shape), v.dtype), values)
        elif self.base is None and self.offset >= _rows(columns):
            columns = extended(columns, 2 * self.offset)
        require(self.length < _rows(columns), FULL)
        return ColumnarList(_written(columns, self.length, values), self.base, self.offset + 1)

    def place(self, index: Any) -> Any:
        """Return the number of an entry, and note that there must be one."""
        require((index >= -self.length) & (index < self.length))
        return jnp.where(jnp.asarray(index) < 0, index + self.length, index)

    def entry(self, place: Any) -> tuple[Any, ...]:
        """Return the values of an entry."""
        if self.columns is None:
            raise XLARefusal("it reads a list whose entries have no known type")
        return taken(self.columns, place)

    def widened(self, like: ColumnarList) -> ColumnarList:
        """Return the list with the columns and the room that another one has, if larger."""
        columns = _widened(self.columns, like.columns)
        if self.base is None:
            return ColumnarList(columns, None, self.offset)
        return ColumnarList(columns, self.length, 0)

    def set(self, place: Any, values: Sequence[Any]) -> ColumnarList:
        """Return the list with another entry at a place."""
        values = tuple(map(as_leaves, values))
        return ColumnarList(_written(self.columns, place, values), self.base, self.offset)


class GradientList:
    """Gradient of a list: rows of zeros where an entry has none; no columns if none has one."""

    def __init__(self, columns: Any) -> None:
        self.columns = columns

    def __add__(self, gradient: GradientList) -> GradientList:
        if self.columns is None or gradient.columns is None:
            return self if gradient.columns is None else gradient
        rows = max(_rows(self.columns), _rows(gradient.columns))
        both = [extended(x.columns, rows) for x in (self, gradient)]
        return GradientList(jax.tree.map(jnp.add, *both))

    def widened(self, like: GradientList) -> GradientList:
        """Return the gradient with the columns and the room that another one has, if larger."""
        return GradientList(_widened(self.columns, like.columns))


# What flattens must not compute by JAX, as a sum of base and offset is: within other containers
# each such call takes a level off Python's recursion limit for ever (jaxlib 0.10, Python 3.11).
jax.tree_util.register_pytree_node(
    ColumnarList,
    lambda x: ((x.columns, x.length), None),
    lambda _, children: ColumnarList(children[0], children[1], 0),
)
jax.tree_util.register_pytree_node(
    GradientList, lambda x: ((x.columns,), None), lambda _, children: GradientList(*children)
)


def as_leaves(value: Any) -> Any:
    """Return a value, or a tuple of values, whose leaves are JAX's arrays."""
    if isinstance(value, tuple):
        return tuple(map(as_leaves, value))
    if isinstance(value, ColumnarList):
        value = ColumnarList(value.columns, jnp.asarray(value.length), 0)
    return jax.tree.map(jnp.asarray, value)


def taken(columns: Any, place: Any) -> tuple[Any, ...]:
    """Return one row of each column."""
    row: tuple[Any, ...] = jax.tree.map(
        lambda c: jax.lax.dynamic_index_in_dim(c, place, 0, keepdims=False), columns
    )
    return row


def _rows(columns: Any) -> int:
    leaves = jax.tree.leaves(columns)
    return int(leaves[0].shape[0]) if leaves else 2**62


def _written(columns: Any, place: Any, values: tuple[Any, ...]) -> Any:
    """Return columns with another row."""
    if repr(jax.tree.structure(columns)) != repr(jax.tree.structure(values)):
        raise XLARefusal("a list has entries of several types")

    def write(column: Any, value: Any) -> Any:
        if column.shape[1:] != value.shape or column.dtype != value.dtype:
            raise XLARefusal("a list has entries of several shapes or dtypes")
        return jax.lax.dynamic_update_index_in_dim(column, value, place, 0)

    return jax.tree.map(write, columns, values)


def extended(columns: Any, rows: int) -> Any:
    """Return arrays with room for so many rows."""

    def extend(column: Any) -> Any:
        missing = rows - column.shape[0]
        return column if missing <= 0 else jnp.pad(
            column, [(0, missing), *[(0, 0) for _ in column.shape[1:]]]
        )  # fmt: skip

    return jax.tree.map(extend, columns)


def _widened(columns: Any, like: Any) -> Any:
    """Return columns with the room that others have, or zeros like these if there are none."""
    if like is None:
        return columns
    if columns is None:
        return jax.tree.map(lambda c: jnp.zeros(c.shape, c.dtype), like)
    return extended(columns, _rows(like))


def widened(value: Any, like: Any) -> Any:
    """Return a value with the columns and the room that another one has, or its own if larger."""
    widen = getattr(value, "widened", None)
    return as_leaves(value) if widen is None else widen(like)
