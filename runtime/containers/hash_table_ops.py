"""Op definitions of hash tables: keys to values, looked up and changed in program order.

A table is an attribute of its operations, as a variable's storage is: eagerly it holds its entries
itself, in a graph each session has entries of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.op import RAISES, READS, STATEFUL, define
from runtime.ops.resource.session_resource import SessionResource
from runtime.ops.resource.variable import running_values
from runtime.ops.rules.kernels import checked
from runtime.types.dtypes import Array, DType, int64
from runtime.types.errors import (
    FailedPreconditionError,
    IncompatibleShapesError,
    MismatchedTypesError,
)
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

__all__: list[str] = []

Entries = dict[Any, Any]


class TableStorage(SessionResource):
    """Storage of the entries of one table."""

    __slots__ = ("_entries", "key_dtype", "made_on", "name", "per_session", "static",
                 "value_dtype", "value_shape")  # fmt: skip

    def __init__(
        self, name: str, key_dtype: DType, value_dtype: DType, value_shape: TensorShape,
        static: bool, per_session: bool, made_on: str = "",
    ) -> None:
        self.name = name
        self.key_dtype = key_dtype
        self.value_dtype = value_dtype
        self.value_shape = value_shape
        self.static = static
        self.per_session = per_session
        self.made_on = made_on
        self.clear()

    def clear(self) -> None:
        """Have no entries outside of sessions."""
        self._entries: Entries | None = None

    def entries(self) -> Entries:
        """Return the entries; raise FailedPreconditionError when a static table is not filled."""
        of_session: Any = running_values() if self.per_session else None
        entries = of_session.get(self) if of_session is not None else self._entries
        if entries is not None:
            return entries
        if self.static:
            raise FailedPreconditionError(
                f"Table not initialized: {self.name!r}. Run runtime.tables_initializer() in this "
                "session first."
            )
        return self.replace({})

    def replace(self, entries: Entries) -> Entries:
        """Replace the entries."""
        of_session: Any = running_values() if self.per_session else None
        if of_session is not None:
            of_session[self] = entries
        else:
            self._entries = entries
        return entries

    def __repr__(self) -> str:
        return f"<table {self.name!r}>"


def _dims(table: TableStorage) -> list[int]:
    """Return the shape of one value."""
    return [int(d or 0) for d in table.value_shape]


def _check_keys(table: TableStorage, keys: TensorSpec) -> None:
    if keys.dtype is not table.key_dtype:
        raise MismatchedTypesError(
            f"Dtype of argument `keys` must be {table.key_dtype!r}, received: {keys.dtype!r}"
        )


def _pairs_infer(
    keys: TensorSpec, values: TensorSpec, *, table: TableStorage
) -> tuple[TensorSpec, ...]:
    _check_keys(table, keys)
    if values.dtype is not table.value_dtype:
        raise MismatchedTypesError(
            f"Dtype of argument `values` must be {table.value_dtype!r}, received: {values.dtype!r}"
        )
    values_shape = keys.shape.concatenate(table.value_shape)
    if not values_shape.is_compatible_with(values.shape):
        raise IncompatibleShapesError(
            f"Expected shape {values_shape} for value, got {values.shape}"
        )
    return ()


def _rows(keys: Any, values: Any, table: TableStorage) -> list[tuple[Any, Any]]:
    count = int(np.prod(np.shape(keys), dtype=np.int64))
    flat = np.asarray(keys, table.key_dtype.as_numpy_dtype).reshape(-1).tolist()
    rows = np.asarray(values, table.value_dtype.as_numpy_dtype).reshape(
        count, *np.shape(values)[np.ndim(keys) :]
    )
    return [(key, rows[k].copy() if rows.ndim > 1 else rows[k])
            for k, key in enumerate(flat)]  # fmt: skip


def _import(keys: Array, values: Array, *, table: TableStorage) -> tuple[()]:
    entries: Entries = {}
    for key, value in _rows(keys, values, table):
        if key in entries and entries[key] != value:
            shown = key.decode("utf-8", "replace") if isinstance(key, bytes) else key
            raise FailedPreconditionError(
                f"HashTable has different value for same key. Key {shown} has {entries[key]} and "
                f"trying to add value {value}"
            )
        entries[key] = value
    table.replace(entries)
    return ()


import_op = define(
    "table_import",
    inputs="keys values",
    same_dtype_inputs=None,
    kernel=checked(_import, _pairs_infer),
    infer=_pairs_infer,
    grad=None,
    node_name="LookupTableImportV2",
    traits=(STATEFUL, RAISES),
    doc="Replace the entries of a table.",
)


def _insert(keys: Array, values: Array, *, table: TableStorage) -> tuple[()]:
    table.entries().update(_rows(keys, values, table))
    return ()


insert_op = define(
    "table_insert",
    inputs="keys values",
    same_dtype_inputs=None,
    kernel=checked(_insert, _pairs_infer),
    infer=_pairs_infer,
    grad=None,
    node_name="LookupTableInsertV2",
    traits=(STATEFUL, RAISES),
    doc="Add entries to a table; replace those with the same keys.",
)


def _remove_infer(keys: TensorSpec, *, table: TableStorage) -> tuple[TensorSpec, ...]:
    _check_keys(table, keys)
    return ()


def _remove(keys: Any, *, table: TableStorage) -> tuple[()]:
    entries = table.entries()
    for key in np.asarray(keys, table.key_dtype.as_numpy_dtype).reshape(-1).tolist():
        entries.pop(key, None)
    return ()


remove_op = define(
    "table_remove",
    inputs="keys",
    same_dtype_inputs=None,
    kernel=checked(_remove, _remove_infer),
    infer=_remove_infer,
    grad=None,
    node_name="LookupTableRemoveV2",
    traits=(STATEFUL, RAISES),
    doc="Remove the entries of some keys; absent keys are ignored.",
)


def _find_infer(keys: TensorSpec, default: TensorSpec, *, table: TableStorage) -> TensorSpec:
    _check_keys(table, keys)
    if default.dtype is not table.value_dtype:
        raise MismatchedTypesError(
            f"The default value must have dtype {table.value_dtype!r}, got {default.dtype!r}"
        )
    values_shape = keys.shape.concatenate(table.value_shape)
    fits = default.shape.is_compatible_with(table.value_shape)
    if not fits and not default.shape.is_compatible_with(values_shape):
        raise IncompatibleShapesError(
            f"Expected shape {table.value_shape} or {values_shape} for the default value, got "
            f"{default.shape}"
        )
    return TensorSpec(values_shape, table.value_dtype)


def _find(keys: Any, default: Any, *, table: TableStorage) -> Any:
    entries = table.entries()
    shape = (*np.shape(keys), *_dims(table))
    dtype = table.value_dtype.as_numpy_dtype
    result = np.array(np.broadcast_to(np.asarray(default, dtype), shape))
    flat = np.asarray(keys, table.key_dtype.as_numpy_dtype).reshape(-1).tolist()
    for index, key in zip(np.ndindex(np.shape(keys)), flat, strict=True):
        value = entries.get(key)
        if value is not None:
            result[index] = value
    return result


find_op = define(
    "table_lookup",
    inputs="keys default",
    same_dtype_inputs=None,
    kernel=checked(_find, _find_infer),
    infer=_find_infer,
    grad=None,
    node_name="LookupTableFindV2",
    traits=(STATEFUL, READS, RAISES),
    doc="Look up the values of some keys; absent keys have the default.",
)

size_op = define(
    "table_size",
    inputs="",
    kernel=lambda *, table: np.int64(len(table.entries())),
    infer=lambda *, table: TensorSpec(SCALAR_SHAPE, int64),
    grad=None,
    node_name="LookupTableSizeV2",
    traits=(STATEFUL, READS, RAISES),
    doc="Count the entries of a table.",
)


def _export(*, table: TableStorage) -> Any:
    entries = table.entries()
    keys = np.empty(len(entries), table.key_dtype.as_numpy_dtype)
    shape = (len(entries), *_dims(table))
    values = np.empty(shape, table.value_dtype.as_numpy_dtype)
    for k, (key, value) in enumerate(entries.items()):
        keys[k] = key
        values[k] = value
    return keys, values


export_op = define(
    "table_export",
    inputs="",
    kernel=_export,
    infer=lambda *, table: (
        TensorSpec([None], table.key_dtype),
        TensorSpec(TensorShape([None]).concatenate(table.value_shape), table.value_dtype),
    ),
    grad=None,
    node_name="LookupTableExportV2",
    traits=(STATEFUL, READS, RAISES),
    doc="Return all keys and all values of a table, in the order of insertion.",
)

