"""Datasets in files: lines of texts, records of one size, and TensorFlow's records."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

from runtime.data.base import Base
from runtime.data.creation import Creation, as_texts
from runtime.data.elements import Layout
from runtime.data.formats.compression import compression_of, opened
from runtime.data.formats.tfrecord import decode_records
from runtime.data.int_arguments import whole
from runtime.data.sources import flat_mapped
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.shape import reshape
from runtime.ops.resource.dataset import DatasetSource, Row
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec

_TEXT = Layout(TensorSpec((), string))


def _line(text: bytes) -> Row:
    return (as_object_scalar(text.removesuffix(b"\n").removesuffix(b"\r")),)


def _lines(source: DatasetSource, *, compression: str) -> DatasetSource:
    """The lines of files, whose names are the rows."""
    return of_files(source, lambda name: map(_line, opened(path_of(name), compression)))


def path_of(name: Any) -> str:
    """The path that a row holds."""
    return os.fsdecode(name[()])


def of_files(source: DatasetSource, rows: Callable[[Any], Iterator[Row]]) -> DatasetSource:
    """What ``rows`` gives for each of the files whose names are the rows of a source."""
    return flat_mapped(source, lambda name: (DatasetSource(lambda: rows(name)),))


def _records(
    source: DatasetSource, size: Any, header: Any, footer: Any, *, compression: str
) -> DatasetSource:
    """Records of one size, between a header and a footer."""
    if size < 1:
        raise InvalidArgumentError(f"record_bytes must be positive, got {size}")

    def rows(name: Any) -> Iterator[Row]:
        with opened(path_of(name), compression) as file:
            data = file.read()
        body = data[int(header) : len(data) - int(footer)]
        if len(body) % size:
            raise InvalidArgumentError(
                f"Excluding the header ({int(header)} bytes) and footer ({int(footer)} bytes), "
                f'input file "{path_of(name)}" has body length {len(body)} bytes, which is '
                f"not an exact multiple of the record length ({int(size)} bytes)."
            )
        return ((as_object_scalar(body[k : k + size]),) for k in range(0, len(body), int(size)))

    return of_files(source, rows)


def names_of(filenames: Any) -> Any:
    """A dataset of the names of files; TypeError for other than texts and paths."""
    if not isinstance(filenames, Base):
        names = convert_to_tensor(as_texts(filenames))
        filenames = Creation.from_tensor_slices(reshape(names, [-1])) if _is_text(names) else names
    names_spec = filenames.element_spec if isinstance(filenames, Base) else filenames
    if not _is_text(names_spec):
        raise TypeError(
            "The `filenames` argument must contain `tf.string` elements. Got "
            f"`{getattr(names_spec, 'dtype', names_spec)!r}` elements."
        )
    return filenames


def _is_text(value: Any) -> bool:
    return getattr(value, "dtype", None) is string


def TextLineDataset(
    filenames: Any, compression_type: str | None = None, buffer_size: Any = None,
    num_parallel_reads: Any = None, name: str | None = None,
) -> Any:
    """Make a dataset of the lines of text files, without line ends.

    Args:
        filenames: strings, or a dataset of strings.
        compression_type: '', 'GZIP' or 'ZLIB'.
        buffer_size: without effect.
        num_parallel_reads: without effect.
    Returns:
        Dataset of scalar strings; going through it raises NotFoundError for a missing file.
    Raises:
        TypeError: the names are no strings.
    """
    build = functools.partial(_lines, compression=compression_of(compression_type))
    return names_of(filenames)._then("TextLine", build, _TEXT, name=name)


def _tf_records(source: DatasetSource, *, compression: str) -> DatasetSource:
    def rows(name: Any) -> Iterator[Row]:
        path = path_of(name)
        records = decode_records(opened(path, compression), path)
        return ((as_object_scalar(record),) for record in records)

    return of_files(source, rows)


def TFRecordDataset(
    filenames: Any, compression_type: str | None = None, buffer_size: Any = None,
    num_parallel_reads: Any = None, name: str | None = None,
) -> Any:
    """Make a dataset of the records of files as ``io.TFRecordWriter`` writes them.

    Args:
        filenames: strings, or a dataset of strings.
        compression_type: '', 'GZIP' or 'ZLIB'.
        buffer_size: without effect.
        num_parallel_reads: without effect.
    Returns:
        Dataset of scalar strings; going through it raises DataLossError for a damaged file.
    Raises:
        TypeError: the names are no strings.
    """
    build = functools.partial(_tf_records, compression=compression_of(compression_type))
    return names_of(filenames)._then("TFRecord", build, _TEXT, name=name)


def FixedLengthRecordDataset(
    filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
    buffer_size: Any = None, compression_type: str | None = None, num_parallel_reads: Any = None,
    name: str | None = None,
) -> Any:
    """Make a dataset of the records of files, each of as many bytes.

    Args:
        filenames: strings, or a dataset of strings.
        record_bytes: number of bytes of a record.
        header_bytes: number of bytes to skip at the start of a file.
        footer_bytes: number of bytes to skip at the end of a file.
        buffer_size: without effect.
        compression_type: '', 'GZIP' or 'ZLIB'.
        num_parallel_reads: without effect.
    Returns:
        Dataset of scalar strings; going through it raises InvalidArgumentError for a file that is
        not made of such records.
    Raises:
        TypeError: the names are no strings.
    """
    sizes = [
        whole(record_bytes, "record_bytes"),
        whole(0 if header_bytes is None else header_bytes, "header_bytes"),
        whole(0 if footer_bytes is None else footer_bytes, "footer_bytes"),
    ]
    build = functools.partial(_records, compression=compression_of(compression_type))
    return names_of(filenames)._then("FixedLengthRecord", build, _TEXT, sizes, name=name)
