"""Files of elements: what ``Dataset.save``, ``cache`` and ``snapshot`` write, and how it is read.

A file is a sequence of records (tfrecord.py), compressed as a whole if that was asked for:

    header   JSON: {"format": "runtime.data elements", "version": 1, "spec": ..., "rows": [3, 2]}
             with the type of the elements (spec_description.py) and the number of rows per shard
    blocks   the rows of all shards, one after the other, in records of about a megabyte
    digest   the SHA-256 of the contents of the records before it

A row begins with a byte of value 1.  Its values follow in the order of the flattened type.  A
value whose static shape is not known begins with its rank (one byte) and its sizes (eight bytes
each).  Numbers are little-endian; strings are a length of eight bytes and as many bytes each.

A file is read to its end, and compared with its digest, before the first row is given: a file that
is damaged, cut, or put together of others is a DataLossError and never other data.  Reading makes
arrays and types only, and calls nothing that a file names.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.data.elements import Layout
from runtime.data.formats.compression import Compressed, opened
from runtime.data.formats.spec_description import ClassNeededError, describe, spec_from
from runtime.data.formats.tfrecord import decode_records, encode_record
from runtime.ops.resource.dataset import Row
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import string
from runtime.types.errors import DataLossError, ResourceExhaustedError
from runtime.types.shapes import TensorSpec

_FORMAT, _VERSION = "runtime.data elements", 1
_BLOCK = 1 << 20
_SIZE = struct.Struct("<Q")
_MARK = b"\1"

Shards = Sequence[Sequence[Row]]


class _DamagedError(Exception):
    """A file does not hold what its format asks for."""


class Elements(NamedTuple):
    """What a file holds: the layout of the elements, and the rows of each shard."""

    layout: Layout
    shards: list[list[Row]]


# -- writing --------------------------------------------------------------------------------------


def write_elements(path: str, layout: Layout, shards: Shards, compression: str = "") -> None:
    """Write rows to a file, which takes the place of ``path`` once it is complete.

    TypeError for elements of a type that has no description, ResourceExhaustedError for a full
    disk, PermissionDeniedError where nothing can be written.
    """
    header = {
        "format": _FORMAT, "version": _VERSION, "spec": describe(layout.spec),
        "rows": [len(rows) for rows in shards],
    }  # fmt: skip
    digest = hashlib.sha256()
    blocks = itertools.chain([json.dumps(header).encode()], _blocks(layout, shards))
    with (
        file_errors(path),
        replacing(path, durable=True) as file,
        Compressed(file, compression) as out,
    ):
        for block in blocks:
            digest.update(block)
            out.write(encode_record(block))
        out.write(encode_record(digest.digest()))


def _blocks(layout: Layout, shards: Shards) -> Iterator[bytes]:
    """Rows as bytes, in pieces of some size."""
    block = bytearray()
    for rows in shards:
        for row in rows:
            block += _MARK
            for value, spec in zip(row, layout.rows, strict=True):
                block += _bytes_of(value, spec)
            if len(block) >= _BLOCK:
                yield bytes(block)
                block.clear()
    if block:
        yield bytes(block)


def _bytes_of(value: Any, spec: TensorSpec) -> bytes:
    array = np.asarray(value, spec.dtype.as_numpy_dtype)
    head = b""
    if not spec.shape.is_fully_defined():
        head = bytes([array.ndim]) + struct.pack(f"<{array.ndim}Q", *array.shape)
    if spec.dtype is string:
        texts = array.reshape(-1).tolist()
        return head + b"".join([piece for text in texts for piece in (_SIZE.pack(len(text)), text)])
    return head + _little_endian(array).tobytes()


def _little_endian(array: Any) -> Any:
    return array if sys.byteorder == "little" else array.byteswap()


# -- reading --------------------------------------------------------------------------------------


def read_elements(path: str, compression: str = "", element_spec: Any = None) -> Elements:
    """Read the rows of a file.

    ``element_spec`` gives the classes of elements that are objects; without it those raise
    TypeError.  NotFoundError when there is no file, DataLossError for anything but a whole file
    that ``write_elements`` has written.
    """
    try:
        return _read(path, compression, element_spec)
    except ClassNeededError as error:
        raise ClassNeededError(f"{path}: {error}") from None
    except (_DamagedError, DataLossError) as error:
        raise DataLossError(f"{path} is damaged, or no file of elements ({error})") from None
    except MemoryError:
        raise ResourceExhaustedError(f"{path} holds more than there is memory for") from None


def _read(path: str, compression: str, element_spec: Any) -> Elements:
    with file_errors(path):
        records = decode_records(opened(path, compression), path)
        header = next(records, b"")
        layout, counts = _header(header, element_spec)
        blocks = _Blocks(header, records)
        shards = [[blocks.row(layout) for _ in range(count)] for count in counts]
        blocks.end()
    return Elements(layout, shards)


def _header(data: bytes, element_spec: Any) -> tuple[Layout, list[int]]:
    """The layout of the elements, and how many there are in each shard."""
    try:
        header = json.loads(data)
        if header["format"] != _FORMAT or header["version"] != _VERSION:
            raise _DamagedError("the header is of another format")
        counts = header["rows"]
        if not all(type(count) is int and count >= 0 for count in counts):
            raise _DamagedError("the header has no numbers of elements")
        return Layout(spec_from(header["spec"], element_spec)), counts
    except ClassNeededError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise _DamagedError(f"the header cannot be read: {error}") from None


class _Blocks:
    """The contents of the records behind the header, read piece by piece."""

    def __init__(self, header: bytes, records: Iterator[bytes]) -> None:
        self._digest = hashlib.sha256(header)
        self._records = records
        self._block = b""
        self._at = 0

    def row(self, layout: Layout) -> Row:
        """The next row."""
        if self._take(1) != _MARK:
            raise _DamagedError("an element begins at a wrong position")
        return tuple([self._value(spec) for spec in layout.rows])

    def end(self) -> None:
        """Check that only the digest follows, and that it is right."""
        digest = next(self._records, b"")
        if self._at < len(self._block) or digest != self._digest.digest():
            raise _DamagedError("the contents do not agree with the digest")
        if next(self._records, None) is not None:
            raise _DamagedError("records follow the digest")

    def _take(self, count: int) -> bytes:
        """So many bytes, which stand in one block."""
        if not count:
            return b""
        if self._at == len(self._block):
            self._block, self._at = next(self._records, b""), 0
            self._digest.update(self._block)
        start, self._at = self._at, self._at + count
        if self._at > len(self._block):
            raise _DamagedError("a value is longer than its record")
        return self._block[start : self._at]

    def _value(self, spec: TensorSpec) -> Any:
        shape = self._shape(spec)
        if spec.dtype is string:
            return self._texts(shape)
        kind = np.dtype(spec.dtype.as_numpy_dtype)
        data = self._take(math.prod(shape) * kind.itemsize)
        if spec.dtype.is_bool and data.strip(b"\0\1"):
            raise _DamagedError("a truth is neither 0 nor 1")
        try:
            array = np.frombuffer(data, kind).reshape(shape) if data else np.empty(shape, kind)
        except (ValueError, OverflowError) as error:
            raise _DamagedError(str(error)) from None
        return np.array(_little_endian(array))[()]

    def _shape(self, spec: TensorSpec) -> tuple[int, ...]:
        dims = spec.shape.dims
        if spec.shape.is_fully_defined() and dims is not None:
            return tuple([int(size or 0) for size in dims])
        rank = self._take(1)[0]
        shape = struct.unpack(f"<{rank}Q", self._take(8 * rank))
        if not spec.shape.is_compatible_with(shape):
            raise _DamagedError(f"a value of shape {shape} where {spec.shape} is expected")
        return shape

    def _texts(self, shape: tuple[int, ...]) -> Any:
        count = math.prod(shape)
        if count * _SIZE.size > len(self._block) - self._at and count:
            raise _DamagedError("more strings than their record has room for")
        texts = [self._take(_SIZE.unpack(self._take(_SIZE.size))[0]) for _ in range(count)]
        if not shape:
            return as_object_scalar(texts[0])
        array = np.empty(count, object)
        array[:] = texts
        try:
            return array.reshape(shape)
        except (ValueError, OverflowError) as error:
            raise _DamagedError(str(error)) from None
