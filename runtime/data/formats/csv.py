"""Comma-separated values: fields of records (RFC 4180), their types, and the op ``decode_csv``.

``io.decode_csv`` uses it, and the datasets of data/csv.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops.array.constants import constant, convert_to_tensor
from runtime.ops.op import RAISES, define
from runtime.ops.rules.samples import case
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import DType, as_dtype, float32, float64, int32, int64, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["decode_csv"]


class UnclosedQuote(InvalidArgumentError):
    """A record ends within quotes."""


def fields_of(record: bytes, delimiter: bytes, quotes: bool) -> list[bytes]:
    """Split a record into its fields; InvalidArgumentError for quotes where there must be none.

    In a field within quotes two quotes stand for one.
    """
    if not quotes or b'"' not in record:
        if b"\n" in record or b"\r" in record:
            raise _misplaced_quote(record)
        return record.split(delimiter)
    fields: list[bytes] = []
    position = 0
    while True:
        if record[position : position + 1] == b'"':
            field, position = _quoted_field(record, position + 1)
            if position < len(record) and record[position : position + 1] != delimiter:
                raise InvalidArgumentError(
                    "Quote inside a string has to be escaped by another quote: "
                    f"{record.decode(errors='replace')!r}"
                )
        else:
            end = record.find(delimiter, position)
            end = len(record) if end < 0 else end
            field, position = record[position:end], end
            if b'"' in field or b"\n" in field or b"\r" in field:
                raise _misplaced_quote(record)
        fields.append(field)
        if position >= len(record):
            return fields
        position += 1


def _misplaced_quote(record: bytes) -> InvalidArgumentError:
    return InvalidArgumentError(
        "Unquoted fields cannot have quotes inside, nor line ends: "
        f"{record.decode(errors='replace')!r}"
    )


def _quoted_field(record: bytes, position: int) -> tuple[bytes, int]:
    """The field that begins behind a quote, and the place behind the quote that ends it."""
    pieces: list[bytes] = []
    while True:
        end = record.find(b'"', position)
        if end < 0:
            raise UnclosedQuote(
                f"A field is not closed by a quote: {record.decode(errors='replace')!r}"
            )
        if record[end + 1 : end + 2] != b'"':
            pieces.append(record[position:end])
            return b"".join(pieces), end + 1
        pieces.append(record[position : end + 1])
        position = end + 2


def parse_fields(
    fields: Sequence[bytes], number: int, defaults: Sequence[Any], missing: bytes,
    columns: Sequence[int] | None,
) -> list[Any]:
    """Convert a record's fields, or those of some columns, to the dtypes of the defaults.

    InvalidArgumentError for other numbers of fields, for what is no number, and where a field is
    empty or ``missing`` and its default is an empty array.
    """
    chosen = [fields[c] for c in columns if c < len(fields)] if columns is not None else fields
    if len(chosen) != len(defaults):
        have = "more" if len(chosen) > len(defaults) else str(len(chosen))
        raise InvalidArgumentError(f"Expect {len(defaults)} fields but have {have} in record "
                                   f"{number}")  # fmt: skip
    return [
        _value(field, default, position, number, missing)
        for position, (field, default) in enumerate(zip(chosen, defaults))
    ]


def _value(field: bytes, default: Any, position: int, number: int, missing: bytes) -> Any:
    if not field or field == missing:
        if not default.size:
            raise InvalidArgumentError(
                f"Field {position} is required but missing in record {number}!"
            )
        return default.reshape(-1)[0]
    kind = default.dtype
    if kind.kind == "O":
        return field
    try:
        value = int(field) if kind.kind == "i" else float(field)
    except ValueError:
        value = None
    limits = np.iinfo(kind) if kind.kind == "i" else None
    if value is None or (limits is not None and not limits.min <= value <= limits.max):
        raise InvalidArgumentError(
            f"Field {position} in record {number} is not a valid {kind.name}: "
            f"{field.decode(errors='replace')}"
        )
    with np.errstate(over="ignore"):  # a number that is too large is infinite, as in TensorFlow
        return kind.type(value)


def _decode_csv(
    records: Any, *defaults: Any, field_delim: bytes, quotes: bool, na_value: bytes,
    columns: tuple[int, ...] | None,
) -> tuple[Any, ...]:
    records = np.asarray(records, object)
    rows = [
        parse_fields(fields_of(record, field_delim, quotes), number, defaults, na_value, columns)
        for number, record in enumerate(records.reshape(-1))
    ]
    columns_out = []
    for position, default in enumerate(defaults):
        column = np.empty(records.shape, default.dtype)
        column.reshape(-1)[:] = [row[position] for row in rows]
        columns_out.append(column)
    return tuple(columns_out)


def _decoded_specs(records: TensorSpec, *defaults: TensorSpec, **_: Any) -> tuple[TensorSpec, ...]:
    return tuple([TensorSpec(records.shape, default.dtype) for default in defaults])


decode_csv_op = define(
    "decode_csv",
    inputs="records *defaults",
    same_dtype_inputs=None,
    kernel=_decode_csv,
    infer=_decoded_specs,
    grad=None,
    node_name="DecodeCSV",
    traits=(RAISES,),
    samples=lambda: [
        case(["1,x", ",y"], [7], [""], field_delim=b",", quotes=True, na_value=b"", columns=None),
        case([['1;2.5;"a"']], np.zeros(0, np.float32), field_delim=b";", quotes=False,
             na_value=b"NA", columns=(1,)),
    ],
    doc="Convert records of comma-separated values to a tensor for each column.",
)  # fmt: skip

_KINDS = (float32, float64, int32, int64, string)


def column_default(value: Any) -> Any:
    """Return a column's default as a tensor of at most one entry; empty for a required field.

    TypeError for a dtype that fields do not have, ValueError for more entries.
    """
    if isinstance(value, DType | type | np.dtype):
        tensor = constant([], as_dtype(value))
    else:
        empty = isinstance(value, list | tuple) and not value
        tensor = constant([], float32) if empty else convert_to_tensor(value)
    if tensor.dtype not in _KINDS:
        raise TypeError(f"decode_csv: a column cannot be of type {tensor.dtype.name}; it is of "
                        f"{', '.join(kind.name for kind in _KINDS)}")  # fmt: skip
    if not (tensor.shape.is_compatible_with(TensorShape([])) or (
        tensor.shape.rank == 1 and (tensor.shape[0] or 0) < 2
    )):
        raise ValueError(
            f"decode_csv: a default must be one value, or empty where there must be a field, got "
            f"{value!r}"
        )
    return tensor


def one_byte(delimiter: str) -> bytes:
    """Return a delimiter as a byte; ValueError for anything else."""
    byte = delimiter.encode()
    if len(byte) != 1 or byte in b'\n\r"':
        raise ValueError(f"field_delim must be one character, no quote or line end, got "
                         f"{delimiter!r}")  # fmt: skip
    return byte


def decode_csv(
    records: TensorLike, record_defaults: Sequence[Any], field_delim: str = ",",
    use_quote_delim: bool = True, name: str | None = None, na_value: str = "",
    select_cols: Sequence[int] | None = None,
) -> list[Any]:
    """Convert records of comma-separated values (RFC 4180) to a tensor for each column.

    Args:
        records: string tensor of any shape; each entry is a record.
        record_defaults: a default for each column, of dtype float32, float64, int32, int64 or
            string: a scalar, a vector of one entry, or an empty vector for a required field.
        field_delim: the character between fields.
        use_quote_delim: whether fields may stand within double quotes.
        na_value: a text that stands for an empty field.
        select_cols: the numbers, in order, of the columns that the defaults are for.

    Returns:
        A list of tensors, one for each default, with its dtype and the shape of `records`.

    Raises:
        InvalidArgumentError: a required field is empty, a record has another number of fields, a
            quote is misplaced, or a field is no number.
        TypeError: a default has another dtype.
        ValueError: `select_cols` is not increasing, or a default has more than one entry.
    """
    columns = None if select_cols is None else tuple(int(column) for column in select_cols)
    if columns is not None and list(columns) != sorted(set(columns)):
        raise ValueError(f"select_cols must be strictly increasing, got {list(columns)}")
    defaults = [column_default(default) for default in record_defaults]
    if columns is not None and len(columns) != len(defaults):
        raise ValueError(f"select_cols {list(columns)} and record_defaults must have one length")
    tensors = decode_csv_op(
        convert_to_tensor(records, string), *defaults, field_delim=one_byte(field_delim),
        quotes=bool(use_quote_delim), na_value=na_value.encode(), columns=columns, name=name,
    )  # fmt: skip
    return list(tensors)
