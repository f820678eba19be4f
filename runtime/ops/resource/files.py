"""Op definitions that read and write files, and records of comma-separated values.

The contents of a file are not known statically: these ops run when the graph does, in program
order.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops.array.constants import constant, convert_to_tensor
from runtime.ops.op import RAISES, READS, STATEFUL, Missing, define
from runtime.ops.rules.inference import nothing
from runtime.ops.rules.samples import case
from runtime.types.aliases import TensorLike
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import DType, as_dtype, float32, float64, int32, int64, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

__all__ = ["decode_csv", "matching_files", "read_file", "write_file"]

_NO_SAMPLES = Missing("it needs files")
_TEXT = TensorSpec(SCALAR_SHAPE, string)


def _path(name: Any) -> str:
    if np.ndim(name):
        raise InvalidArgumentError(f"a file's name must be a scalar, got shape {np.shape(name)}")
    return os.fsdecode(name[()])


def _read(filename: Any) -> Any:
    path = _path(filename)
    with file_errors(path), open(path, "rb") as file:
        return as_object_scalar(file.read())


def _scalar_text(name: TensorSpec, *others: TensorSpec) -> TensorSpec:
    for spec in (name, *others):
        if not spec.shape.is_compatible_with(()):
            raise InvalidArgumentError(f"read_file and write_file take scalars, got {spec}")
    return _TEXT


read_file = define(
    "read_file",
    inputs="filename",
    dtype_kinds="O",
    same_dtype_inputs=None,
    kernel=_read,
    infer=_scalar_text,
    grad=None,
    node_name="ReadFile",
    traits=(STATEFUL, READS, RAISES),
    samples=_NO_SAMPLES,
    doc="""Read a whole file.

Args:
    filename: scalar of dtype string.
Returns:
    Scalar of dtype string: the bytes of the file.
Raises:
    NotFoundError: there is no such file.
    InvalidArgumentError: ``filename`` is no scalar of dtype string.
""",
)


def _write(filename: Any, contents: Any) -> tuple[()]:
    path = _path(filename)
    folder = os.path.dirname(path)
    with file_errors(path):
        if folder:
            os.makedirs(folder, exist_ok=True)
        with replacing(path) as file:
            file.write(contents[()])
    return ()


write_file = define(
    "write_file",
    inputs="filename contents",
    dtype_kinds="O",
    same_dtype_inputs=None,
    kernel=_write,
    infer=nothing,
    grad=None,
    node_name="WriteFile",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="""Write a string to a file, in place of what it held; make folders on the way.

Readers, other writers, and a process that dies meanwhile find or leave whole old or new contents.

Args:
    filename: scalar of dtype string.
    contents: scalar of dtype string.
Returns:
    None; in a graph the operation that writes.
Raises:
    InvalidArgumentError: an input is no scalar of dtype string.
""",
)


def _matching(pattern: Any) -> Any:
    patterns = np.asarray(pattern).reshape(-1)
    found = sorted([os.fsencode(f) for p in patterns for f in glob.glob(os.fsdecode(p))])
    return np.array(found, object)


matching_files = define(
    "matching_files",
    inputs="pattern",
    dtype_kinds="O",
    same_dtype_inputs=None,
    kernel=_matching,
    infer=lambda pattern: TensorSpec([None], string),
    grad=None,
    node_name="MatchingFiles",
    traits=(STATEFUL, READS),
    samples=_NO_SAMPLES,
    doc="""Find the files whose names match a pattern, or one of several.

Args:
    pattern: tensor of dtype string: names with ``*``, ``?`` and ``[...]``.
Returns:
    Vector of dtype string: the names in ascending order, computed when the op runs.
Raises:
    InvalidArgumentError: ``pattern`` has another dtype (also a TypeError).
""",
)


# -- comma-separated values ---------------------------------------------------------------------


class UnclosedQuote(InvalidArgumentError):
    """A record ends within quotes."""


def fields_of(record: bytes, delimiter: bytes, quotes: bool) -> list[bytes]:
    """The fields of a record; InvalidArgumentError for quotes where there must be none.

    In a field within quotes two quotes stand for one.
    """
    if not quotes or b'"' not in record:
        if b"\n" in record or b"\r" in record:
            raise _misplaced(record)
        return record.split(delimiter)
    found: list[bytes] = []
    place = 0
    while True:
        if record[place : place + 1] == b'"':
            field, place = _quoted(record, place + 1)
            if place < len(record) and record[place : place + 1] != delimiter:
                raise InvalidArgumentError(
                    "Quote inside a string has to be escaped by another quote: "
                    f"{record.decode(errors='replace')!r}"
                )
        else:
            end = record.find(delimiter, place)
            end = len(record) if end < 0 else end
            field, place = record[place:end], end
            if b'"' in field or b"\n" in field or b"\r" in field:
                raise _misplaced(record)
        found.append(field)
        if place >= len(record):
            return found
        place += 1


def _misplaced(record: bytes) -> InvalidArgumentError:
    return InvalidArgumentError(
        "Unquoted fields cannot have quotes inside, nor line ends: "
        f"{record.decode(errors='replace')!r}"
    )


def _quoted(record: bytes, place: int) -> tuple[bytes, int]:
    """The field that begins behind a quote, and the place behind the quote that ends it."""
    parts: list[bytes] = []
    while True:
        end = record.find(b'"', place)
        if end < 0:
            raise UnclosedQuote(
                f"A field is not closed by a quote: {record.decode(errors='replace')!r}"
            )
        if record[end + 1 : end + 2] != b'"':
            parts.append(record[place:end])
            return b"".join(parts), end + 1
        parts.append(record[place : end + 1])
        place = end + 2


def parsed(
    fields: Sequence[bytes], number: int, defaults: Sequence[Any], missing: bytes,
    columns: Sequence[int] | None,
) -> list[Any]:
    """The values of a record's fields, or of these columns, with the dtypes of the defaults.

    InvalidArgumentError for other numbers of fields, for what is no number, and where a field is
    empty or ``missing`` and its default is an empty array.
    """
    chosen = [fields[c] for c in columns if c < len(fields)] if columns is not None else fields
    if len(chosen) != len(defaults):
        have = "more" if len(chosen) > len(defaults) else str(len(chosen))
        raise InvalidArgumentError(f"Expect {len(defaults)} fields but have {have} in record "
                                   f"{number}")  # fmt: skip
    return [
        _value(field, default, place, number, missing)
        for place, (field, default) in enumerate(zip(chosen, defaults))
    ]


def _value(field: bytes, default: Any, place: int, number: int, missing: bytes) -> Any:
    if not field or field == missing:
        if not default.size:
            raise InvalidArgumentError(
                f"Field {place} is required but missing in record {number}!"
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
            f"Field {place} in record {number} is not a valid {kind.name}: "
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
        parsed(fields_of(record, field_delim, quotes), number, defaults, na_value, columns)
        for number, record in enumerate(records.reshape(-1))
    ]
    made = []
    for place, default in enumerate(defaults):
        column = np.empty(records.shape, default.dtype)
        column.reshape(-1)[:] = [row[place] for row in rows]
        made.append(column)
    return tuple(made)


def _decoded(records: TensorSpec, *defaults: TensorSpec, **_: Any) -> tuple[TensorSpec, ...]:
    return tuple([TensorSpec(records.shape, default.dtype) for default in defaults])


decode_csv_op = define(
    "decode_csv",
    inputs="records *defaults",
    same_dtype_inputs=None,
    kernel=_decode_csv,
    infer=_decoded,
    grad=None,
    node_name="DecodeCSV",
    traits=(RAISES,),
    samples=lambda: [
        case(["1,x", ",y"], [7], [""], field_delim=b",", quotes=True, na_value=b"", columns=None),
        case([['1;2.5;"a"']], np.zeros(0, np.float32), field_delim=b";", quotes=False,
             na_value=b"NA", columns=(1,)),
    ],
    doc="The fields of records of comma-separated values, a tensor for each column.",
)  # fmt: skip

_KINDS = (float32, float64, int32, int64, string)


def column_default(value: Any) -> Any:
    """A column's default as a tensor of at most one entry; empty when the field is required.

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
    """A delimiter as a byte; ValueError for anything else."""
    found = delimiter.encode()
    if len(found) != 1 or found in b'\n\r"':
        raise ValueError(f"field_delim must be one character, no quote or line end, got "
                         f"{delimiter!r}")  # fmt: skip
    return found


def decode_csv(
    records: TensorLike, record_defaults: Sequence[Any], field_delim: str = ",",
    use_quote_delim: bool = True, name: str | None = None, na_value: str = "",
    select_cols: Sequence[int] | None = None,
) -> list[Any]:
    """The columns of records of comma-separated values, each of its default's dtype.

    A field that is empty, or ``na_value``, has the default, or raises InvalidArgumentError if that
    is empty; as do other numbers of fields, misplaced quotes, and what is no number.
    ``select_cols`` are the numbers, in order, of the columns that the defaults are for.
    """
    columns = None if select_cols is None else tuple(int(column) for column in select_cols)
    if columns is not None and list(columns) != sorted(set(columns)):
        raise ValueError(f"select_cols must be strictly increasing, got {list(columns)}")
    defaults = [column_default(default) for default in record_defaults]
    if columns is not None and len(columns) != len(defaults):
        raise ValueError(f"select_cols {list(columns)} and record_defaults must have one length")
    made = decode_csv_op(
        convert_to_tensor(records, string), *defaults, field_delim=one_byte(field_delim),
        quotes=bool(use_quote_delim), na_value=na_value.encode(), columns=columns, name=name,
    )  # fmt: skip
    return list(made)
