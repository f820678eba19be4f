"""Kernels of parse_example.py: the lists of values of serialized examples, as arrays.

They read the wire format at once, without messages in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.data.formats.features import FeaturePlan
from runtime.types import wire_format as wire
from runtime.types.dtypes import Array, as_dtype
from runtime.types.errors import DataLossError, InvalidArgumentError

_KIND_OF = {"string": 1, "float32": 2, "int64": 3}
_NAME_OF = {number: name for name, number in _KIND_OF.items()}
Lists = dict[str, bytes]
"""Features of a record by name, as bytes."""


def entries(data: bytes, field: int) -> Lists:
    """Return the map of bytes that is a field's of a message; the last one counts of each key."""
    result: Lists = {}
    for number, _, value in wire.read_fields(data):
        if number == field:
            pair = {part: content for part, _, content in wire.read_fields(value)}
            result[bytes(pair.get(1, b"")).decode("utf-8", "replace")] = pair.get(2, b"")
    return result


def message_field(data: bytes, field: int) -> bytes:
    """Return the bytes of a message within a message; several are one behind the other."""
    return b"".join([value for number, _, value in wire.read_fields(data) if number == field])


def decode_values(feature: bytes, plan_key: str, dtype: str) -> Array | None:
    """Return the values of a feature; None if it has none of any kind.

    InvalidArgumentError for values of another kind.
    """
    content: tuple[int, bytes] | None = None
    for number, _, value in wire.read_fields(feature):
        if number in _NAME_OF:
            content = number, value
    if content is None:
        return None
    kind, data = content
    if kind != _KIND_OF[dtype]:
        raise InvalidArgumentError(
            f"Key: {plan_key}. Data types don't match. Data type: {_NAME_OF[kind]} but expected "
            f"type: {dtype}"
        )
    fields = list(wire.read_fields(data))
    if kind == 1:
        return object_vector([bytes(value) for number, _, value in fields if number == 1])
    if kind == 2:
        floats = [np.frombuffer(value, "<f4") for number, _, value in fields if number == 1]
        return _joined(floats, np.float32)
    ints = [
        wire.read_varints(value) if how == wire.BYTES else np.array([wire.signed(value)])
        for number, how, value in fields if number == 1
    ]  # fmt: skip
    return _joined(ints, np.int64)


def object_vector(values: Sequence[Any]) -> Array:
    """Return a vector of objects."""
    vector = np.empty(len(values), object)
    vector[:] = values
    return vector


def _joined(parts: list[Any], dtype: Any) -> Array:
    if len(parts) == 1:
        whole: Array = parts[0]
        return whole
    return np.concatenate([np.zeros(0, dtype), *parts])


def empty(dtype: str) -> Array:
    """Return a vector of no values."""
    return np.zeros(0, as_dtype(dtype).as_numpy_dtype)


def features_of(record: bytes, field: int) -> Lists:
    """Return the features of a record: field 1 of an Example, the context of a SequenceExample.

    InvalidArgumentError for bytes that are no record.
    """
    try:
        return entries(message_field(record, field), 1)
    except DataLossError as error:
        raise InvalidArgumentError(
            f"Could not parse example input, value: {record[:100]!r}: {error}"
        ) from None


Rows = list[Array | None]


def rows_of(records: Sequence[Lists], key: str, dtype: str) -> Rows:
    """Return the values of a feature in each record."""
    return [
        decode_values(record[key], key, dtype) if key in record else None for record in records
    ]


def column(records: Sequence[Lists], plan: FeaturePlan, defaults: Sequence[Array]) -> list[Array]:
    """Return the arrays of a feature in a batch of records, the parts of its tensor."""
    rows = rows_of(records, plan.key, plan.dtype)
    if plan.kind == "fixed":
        return [_fixed(rows, plan, defaults)]
    if plan.kind == "sequence":
        return [_padded(rows, plan, defaults)]
    if plan.kind == "var":
        return sparse_parts(rows, plan.dtype)
    if plan.kind == "sparse":
        return _sparse(records, rows, plan)
    return ragged_parts(records, rows, plan)


def _fixed(rows: Rows, plan: FeaturePlan, defaults: Sequence[Array]) -> Array:
    size = int(np.prod(plan.dims, dtype=np.int64))
    result = np.empty((len(rows), size), as_dtype(plan.dtype).as_numpy_dtype)
    for number, row in enumerate(rows):
        if row is None:
            if plan.default < 0:
                raise InvalidArgumentError(
                    f"Feature: {plan.key} (data type: {plan.dtype}) is required but could not be "
                    f"found in record {number}."
                )
            result[number] = np.broadcast_to(defaults[plan.default], plan.dims).reshape(-1)
            continue
        if len(row) != size:
            raise InvalidArgumentError(
                f"Key: {plan.key}, Index: {number}. Number of {plan.dtype} values != expected. "
                f"Values size: {len(row)} but output shape: {list(plan.dims)}"
            )
        result[number] = row
    return result.reshape(len(rows), *plan.dims)


def _padded(rows: Rows, plan: FeaturePlan, defaults: Sequence[Array]) -> Array:
    """Steps of each record, filled up at the end to the most steps."""
    size = int(np.prod(plan.dims, dtype=np.int64))
    wholes = [empty(plan.dtype) if row is None else row for row in rows]
    for number, row in enumerate(wholes):
        if size and len(row) % size:
            raise InvalidArgumentError(
                f"Key: {plan.key}, Index: {number}. {len(row)} values are no whole number of "
                f"steps of shape {list(plan.dims)}"
            )
    steps = [len(row) // size if size else 0 for row in wholes]
    result = filled((len(rows), max(steps, default=0) * size), plan, defaults)
    for number, row in enumerate(wholes):
        result[number, : len(row)] = row
    return result.reshape(len(rows), -1 if size and len(rows) else 0, *plan.dims)


def filled(sizes: tuple[int, ...], plan: FeaturePlan, defaults: Sequence[Array]) -> Array:
    """Return an array of a feature's default."""
    result = np.zeros(sizes, as_dtype(plan.dtype).as_numpy_dtype)
    if plan.default >= 0:
        result[...] = defaults[plan.default].reshape(-1)[0]
    elif result.dtype == object:
        result[...] = b""
    return result


def sparse_parts(rows: Sequence[Array | None], dtype: str) -> list[Array]:
    """Return indices, values and shape of rows as a sparse matrix."""
    lengths = np.array([0 if row is None else len(row) for row in rows], np.int64)
    numbers = np.repeat(np.arange(len(rows)), lengths)
    places = np.arange(len(numbers)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    values = np.concatenate([empty(dtype), *[row for row in rows if row is not None]])
    sizes = np.array([len(rows), lengths.max(initial=0)], np.int64)
    return [np.stack([numbers, places], 1).astype(np.int64), values, sizes]


def _sparse(records: Sequence[Lists], rows: Rows, plan: FeaturePlan) -> list[Array]:
    """Indices, values and shape of a sparse tensor whose indices are features, too."""
    index_rows = [rows_of(records, key, "int64") for _, key in plan.partitions]
    indices, values = [np.zeros((0, 1 + len(plan.dims)), np.int64)], [empty(plan.dtype)]
    for number, row in enumerate(rows):
        value_row = empty(plan.dtype) if row is None else row
        place_rows = [axis[number] for axis in index_rows]
        places = [empty("int64") if place is None else place for place in place_rows]
        for (_, key), place, size in zip(plan.partitions, places, plan.dims):
            if len(place) != len(value_row):
                raise InvalidArgumentError(
                    f"Key: {plan.key}, Index: {number}. {len(value_row)} values but {len(place)} "
                    f"indices in {key}"
                )
            if len(place) and not 0 <= place.min() <= place.max() < size:
                raise InvalidArgumentError(
                    f"Key: {key}, Index: {number}. An index is not in [0, {size})"
                )
        order = np.lexsort(places[::-1])
        indices.append(np.stack([np.full(len(value_row), number), *places], 1)[order])
        values.append(value_row[order])
    sizes = np.array([len(records), *plan.dims], np.int64)
    return [np.concatenate(indices), np.concatenate(values), sizes]


def ragged_parts(records: Sequence[Lists], rows: Rows, plan: FeaturePlan) -> list[Array]:
    """Return the values of rows and the splits of all levels, outermost first."""
    lengths: list[list[Array]] = [[] for _ in range(len(plan.partitions) + 1)]
    for number, row in enumerate(rows):
        size = 0 if row is None else len(row)
        for level in range(len(plan.partitions), 0, -1):
            inner = _row_lengths(records[number], *plan.partitions[level - 1], size)
            if inner.sum() != size or (inner < 0).any():
                raise InvalidArgumentError(
                    f"Key: {plan.key}, Index: {number}. {plan.partitions[level - 1][0]} does not "
                    f"divide {size} values into rows"
                )
            lengths[level].append(inner)
            size = len(inner)
        lengths[0].append(np.array([size]))
    values = np.concatenate([empty(plan.dtype), *[row for row in rows if row is not None]])
    return [values, *[splits_of(np.concatenate([empty("int64"), *level])) for level in lengths]]


def splits_of(lengths: Array) -> Array:
    """Return where rows of these lengths begin and end."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _row_lengths(record: Lists, kind: str, key: Any, size: int) -> Array:
    """Return the lengths of the rows that a partition makes of so many values."""
    if kind == "UniformRowLength":
        return np.full(size // key if key else 0, key, np.int64)
    values = decode_values(record[key], key, "int64") if key in record else None
    numbers = empty("int64") if values is None else values
    if kind == "RowLengths":
        return numbers
    if kind == "RowSplits":
        return np.diff(numbers)
    if kind == "RowLimits":
        return np.diff(numbers, prepend=0)
    if kind == "RowStarts":
        return np.diff(numbers, append=size)
    return np.bincount(numbers, minlength=0) if len(numbers) else numbers
