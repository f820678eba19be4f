"""``CsvDataset`` and ``make_csv_dataset``: records of comma-separated values in files."""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.data.creation import Creation, files_matching
from runtime.data.elements import Layout
from runtime.data.files import names_of, of_files, path_of
from runtime.data.formats.compression import compression_of, opened
from runtime.data.formats.csv import (
    UnclosedQuote,
    column_default,
    fields_of,
    one_byte,
    parse_fields,
)
from runtime.ops.array.constants import constant
from runtime.ops.resource.dataset import DatasetSource, Row
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import DType, float32, float64, int32, int64, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec


def _records(file: Any, delimiter: bytes, quotes: bool) -> Iterator[Any]:
    """The fields of each record, which may go on over line ends within quotes; or its error."""
    pending = b""
    for line in file:
        pending += line
        record = pending.removesuffix(b"\n").removesuffix(b"\r")
        try:
            fields: Any = fields_of(record, delimiter, quotes)
        except UnclosedQuote:
            continue
        except InvalidArgumentError as error:
            fields = error
        pending = b""
        yield fields
    if pending:
        yield UnclosedQuote(f"Reached the end of the file within quotes: {pending!r}")


class _Rows:
    """The rows of one file; after one that could not be made the next follow."""

    def __init__(
        self, name: Any, defaults: Sequence[Any], compression: str, header: bool,
        delimiter: bytes, quotes: bool, missing: bytes, columns: Any, excluded: Any,
    ) -> None:
        self._records = _records(opened(path_of(name), compression), delimiter, quotes)
        self._defaults, self._missing = defaults, missing
        self._columns, self._excluded = columns, excluded
        self._number = -1
        self._header, self._name = header, name

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        if self._header:
            self._header = False
            if next(self._records, None) is None:
                raise InvalidArgumentError(f"Can't read header of file {path_of(self._name)}")
        fields = next(self._records)
        self._number += 1
        if isinstance(fields, Exception):
            raise fields
        if self._excluded:
            fields = [field for k, field in enumerate(fields) if k not in self._excluded]
        row = parse_fields(fields, self._number, self._defaults, self._missing, self._columns)
        return tuple([as_object_scalar(v) if isinstance(v, bytes) else v for v in row])


def _read(source: DatasetSource, *defaults: Any, **settings: Any) -> DatasetSource:
    return of_files(source, lambda name: _Rows(name, defaults, **settings))


def CsvDataset(
    filenames: Any, record_defaults: Sequence[Any], compression_type: str | None = None,
    buffer_size: Any = None, header: bool = False, field_delim: str = ",",
    use_quote_delim: bool = True, na_value: str = "", select_cols: Sequence[int] | None = None,
    exclude_cols: Sequence[int] | None = None,
) -> Any:
    """Make a dataset of the records of comma-separated files, as ``io.decode_csv`` reads them.

    Args:
        filenames: strings, or a dataset of strings.
        record_defaults: for each column a default, or a dtype if the field is required.
        compression_type: '', 'GZIP' or 'ZLIB'.
        buffer_size: without effect.
        header: whether the first line of each file is skipped.
        field_delim: character between fields.
        use_quote_delim: whether quotes may enclose delimiters and line ends.
        na_value: text that, like an empty field, means the default.
        select_cols: ascending numbers of the columns to read; all by default.
        exclude_cols: ascending numbers of the columns not to read.
    Returns:
        Dataset of tuples of scalars; going through it raises InvalidArgumentError for a malformed
        record.
    Raises:
        InvalidArgumentError: both ``select_cols`` and ``exclude_cols`` are given, or are not
            ascending.
    """
    if select_cols is not None and exclude_cols is not None:
        raise InvalidArgumentError("Either select_cols or exclude_cols should be empty.")
    for chosen in (select_cols, exclude_cols):
        if chosen is not None and list(chosen) != sorted({int(c) for c in chosen if c >= 0}):
            raise InvalidArgumentError(
                f"select_cols and exclude_cols must be strictly increasing and 0 or more, got "
                f"{list(chosen)}"
            )
    defaults = [column_default(default) for default in record_defaults]
    layout = Layout(tuple([TensorSpec((), default.dtype) for default in defaults]))
    build = functools.partial(
        _read, compression=compression_of(compression_type), header=bool(header),
        delimiter=one_byte(field_delim), quotes=bool(use_quote_delim), missing=na_value.encode(),
        columns=select_cols, excluded=exclude_cols,
    )  # fmt: skip
    return names_of(filenames)._then("Csv", build, layout, defaults)


_TYPES = (int32, int64, float32, float64, string)
"""What a column may be, the first that holds all of its fields being taken."""


def _holds(kind: DType, field: bytes) -> bool:
    """Whether a field can be of a type."""
    if kind is string:
        return True
    try:
        if kind.is_integer:
            limits = np.iinfo(kind.as_numpy_dtype)
            return limits.min <= int(field) <= limits.max
        return bool(np.isfinite(kind.as_numpy_dtype(float(field))))
    except (ValueError, OverflowError):
        return False


def _first_records(name: str, count: int, **reading: Any) -> list[list[bytes]]:
    """The first records of a file; those that cannot be read raise."""
    delimiter, quotes, compression = (reading[k] for k in ("delimiter", "quotes", "compression"))
    with opened(name, compression) as file:
        records = list(itertools.islice(_records(file, delimiter, quotes), count))
    for fields in records:
        if isinstance(fields, Exception):
            raise fields
    return records


def _header(names: Sequence[str], **reading: Any) -> list[str]:
    """The names in the first line of all files; ValueError where they differ."""
    lines = [_first_records(name, 1, **reading) for name in names]
    if any(line != lines[0] for line in lines) or not lines[0]:
        raise ValueError("make_csv_dataset: the files must begin with the same line of names, got "
                         f"{lines}")  # fmt: skip
    return [field.decode() for field in lines[0][0]]


def _infer_defaults(
    names: Sequence[str], columns: Sequence[int], width: int, header: bool, count: int | None,
    missing: bytes, **reading: Any,
) -> list[Any]:
    """A default for each column, of the type that holds the first fields of all files."""
    tried = [0] * len(columns)
    seen = [False] * len(columns)
    remaining = sys.maxsize if count is None else count
    with np.errstate(over="ignore"):
        for name in names:
            records = _first_records(name, min(remaining + header, sys.maxsize), **reading)[header:]
            remaining -= len(records)
            for fields in records:
                if len(fields) != width:
                    raise ValueError(
                        f"make_csv_dataset: a record has {len(fields)} fields, but there are "
                        f"{width} columns"
                    )
                for k, column in enumerate(columns):
                    field = fields[column]
                    if field and field != missing:
                        seen[k] = True
                        tried[k] = next(
                            at for at in range(tried[k], len(_TYPES)) if _holds(_TYPES[at], field)
                        )
    kinds = [_TYPES[at] if was_seen else string for at, was_seen in zip(tried, seen)]
    return [constant([b"" if kind is string else 0], kind) for kind in kinds]


def _columns(titles: list[str], select: Sequence[Any] | None, label: str | None) -> list[int]:
    """The numbers of the columns that are asked for; ValueError for names that do not fit."""
    if len(set(titles)) != len(titles):
        raise ValueError(f"make_csv_dataset: Cannot have duplicate column names: {titles}")
    unknown = [c for c in select or () if c not in titles and c not in range(len(titles))]
    if unknown:
        raise ValueError(f"make_csv_dataset: select_columns {unknown} are none of {titles}")
    selected = range(len(titles)) if select is None else select
    columns = sorted([c if isinstance(c, int) else titles.index(c) for c in selected])
    if label is not None and label not in [titles[column] for column in columns]:
        raise ValueError(f"make_csv_dataset: `label_name` provided must be one of the columns: "
                         f"{label!r} is none of {titles}")  # fmt: skip
    return columns


def _rows(
    names: Sequence[str], records: Callable[[Any], Any], order: tuple[int, int | None] | None,
    parallel: int, ignore_errors: bool,
) -> Any:  # fmt: skip
    """Make a dataset of the records of files; ``order`` is the buffer size and seed to shuffle."""
    files = Creation.from_tensor_slices(names)
    if order is not None:
        files = files.shuffle(len(names), order[1])
    rows = files.interleave(lambda name: records(name), parallel)
    if ignore_errors:
        rows = rows.ignore_errors()
    return rows if order is None else rows.shuffle(*order)


def _files(pattern: Any) -> list[str]:
    """Return the names of the files that match; ValueError if there is none."""
    try:
        return files_matching(pattern, "make_csv_dataset")
    except InvalidArgumentError as error:
        raise ValueError(f"make_csv_dataset: {error}") from None


def _titles(
    names: Sequence[str], explicit: Sequence[str] | None, header: bool, reading: dict[str, Any]
) -> list[str]:
    """Return the names of the columns: those given, or those in the first line of the files."""
    if explicit is not None:
        return list(explicit)
    if not header:
        raise ValueError("make_csv_dataset: Cannot infer column names without a header line.")
    return _header(names, **reading)


def make_csv_dataset(
    file_pattern: Any, batch_size: Any, column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None, label_name: str | None = None,
    select_columns: Sequence[Any] | None = None, field_delim: str = ",",
    use_quote_delim: bool = True, na_value: str = "", header: bool = True,
    num_epochs: int | None = None, shuffle: bool = True, shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None, prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None, sloppy: bool = False,
    num_rows_for_inference: int | None = 100, compression_type: str | None = None,
    ignore_errors: bool = False, encoding: str = "utf-8",
) -> Any:
    """Make a dataset of batches of the columns of comma-separated files.

    Args:
        file_pattern: patterns of file names.
        batch_size: number of records of a batch.
        column_names: names of the columns; by default the first line.
        column_defaults: for each column a default or a dtype; by default a dtype that holds the
            first records.
        label_name: name of the column that is the label.
        select_columns: names or numbers of the columns to read; all by default.
        field_delim, use_quote_delim, na_value, compression_type: as for ``CsvDataset``.
        header: whether the first line of each file holds names.
        num_epochs: number of repetitions; None repeats for ever and drops an incomplete last batch.
        shuffle, shuffle_seed: whether files and records are shuffled, and the seed of the order.
        shuffle_buffer_size: number of records that are shuffled at a time.
        prefetch_buffer_size: number of batches to read ahead.
        num_parallel_reads: number of files that are read by turns.
        num_rows_for_inference: number of records read to infer dtypes; None reads all.
        ignore_errors: whether malformed records are skipped.
        sloppy, encoding: without effect; the order is always the same, texts are UTF-8.
    Returns:
        Dataset of dicts from names to vectors; with ``label_name``, of pairs (dict, label).
    Raises:
        ValueError: no file matches, or names are missing, unknown or not unique.
    """
    form = one_byte(field_delim), use_quote_delim, compression_of(compression_type)
    reading = dict(zip(("delimiter", "quotes", "compression"), form, strict=True))
    names = _files(file_pattern)
    titles = _titles(names, column_names, header, reading)
    columns = _columns(titles, select_columns, label_name)
    defaults = column_defaults
    if defaults is None:
        defaults = _infer_defaults(
            names, columns, len(titles), header, num_rows_for_inference, na_value.encode(),
            **reading,
        )  # fmt: skip
    records = functools.partial(
        CsvDataset, record_defaults=defaults, compression_type=compression_type, header=header,
        field_delim=field_delim, use_quote_delim=use_quote_delim, na_value=na_value,
        select_cols=None if select_columns is None else columns,
    )  # fmt: skip
    order = (shuffle_buffer_size, shuffle_seed) if shuffle else None
    rows = _rows(names, records, order, num_parallel_reads or 1, ignore_errors)
    if num_epochs != 1:
        rows = rows.repeat(num_epochs)
    batches = rows.batch(batch_size, drop_remainder=num_epochs is None)
    by_name = functools.partial(_by_name, [titles[column] for column in columns], label_name)
    ahead = 1 if prefetch_buffer_size is None else prefetch_buffer_size
    return batches.map(by_name).prefetch(ahead)


def _by_name(titles: Sequence[str], label_name: str | None, *values: Any) -> Any:
    features = dict(zip(titles, values, strict=True))
    return features if label_name is None else (features, features.pop(label_name))
