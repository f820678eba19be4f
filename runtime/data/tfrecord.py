"""Files of records in TensorFlow's format: each with its length and checks for both.

A record is its length (8 bytes), a check of that, the bytes and a check of them; numbers are
little-endian, checks are CRC-32C, turned and shifted.
"""

from __future__ import annotations

import gzip
import os
import struct
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from runtime.data.checksums import crc32c
from runtime.types.errors import DataLossError

__all__ = ["TFRecordOptions", "TFRecordWriter"]

_HEAD = struct.Struct("<QI")
_CHECK = struct.Struct("<I")


def _check(data: bytes) -> int:
    found = crc32c(data)
    return ((found >> 15 | found << 17) + 0xA282EAD8) & 0xFFFFFFFF


def encoded(record: bytes) -> bytes:
    """A record as it stands in a file."""
    length = struct.pack("<Q", len(record))
    return length + _CHECK.pack(_check(length)) + record + _CHECK.pack(_check(record))


def decoded(file: Any, name: str) -> Iterator[bytes]:
    """The records of an open file, which is closed at the end; DataLossError for a damaged one."""
    with file:
        place = 0
        while head := file.read(_HEAD.size):
            if len(head) < _HEAD.size:
                raise DataLossError(f"truncated record at {place} in {name}")
            length, check = _HEAD.unpack(head)
            if check != _check(head[:8]):
                raise DataLossError(f"corrupted record at {place} in {name}")
            record = file.read(length)
            tail = file.read(_CHECK.size)
            if len(record) < length or len(tail) < _CHECK.size:
                raise DataLossError(f"truncated record at {place} in {name}")
            if _CHECK.unpack(tail)[0] != _check(record):
                raise DataLossError(f"corrupted record at {place} in {name}")
            yield record
            place = file.tell()


class TFRecordOptions:
    """How a file of records is compressed: '' or None, 'GZIP' or 'ZLIB'.

    The settings of buffers have no effect; ValueError for another compression.
    """

    def __init__(
        self, compression_type: Any = None, flush_mode: Any = None, input_buffer_size: Any = None,
        output_buffer_size: Any = None, window_bits: Any = None,
        compression_level: int | None = None, compression_method: Any = None,
        mem_level: Any = None, compression_strategy: Any = None,
    ) -> None:
        if compression_type not in (None, "", "GZIP", "ZLIB"):
            raise ValueError(
                f"Not a valid compression_type: {compression_type!r}: '', GZIP or ZLIB"
            )
        self.compression_type = compression_type or ""
        self.compression_level = compression_level


class TFRecordWriter:
    """Writes records to a file, for ``data.TFRecordDataset``; ``with`` closes it.

    ``options`` is a TFRecordOptions or the kind of compression.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        chosen = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)
        level = 6 if chosen.compression_level is None else chosen.compression_level
        self._file: Any = open(os.fspath(path), "wb")  # noqa: SIM115 - close() does
        self._outer: Any = None
        self._deflate: Any = None
        if chosen.compression_type == "GZIP":
            self._outer = self._file
            self._file = gzip.GzipFile(fileobj=self._outer, mode="wb", compresslevel=level)
        elif chosen.compression_type == "ZLIB":
            self._deflate = zlib.compressobj(level)

    def write(self, record: bytes | str) -> None:
        """Write one record; TypeError for other than bytes and texts."""
        if isinstance(record, str):
            record = record.encode()
        if not isinstance(record, bytes | bytearray | memoryview):
            raise TypeError(f"a record must be bytes, got {record!r}")
        data = encoded(bytes(record))
        self._file.write(data if self._deflate is None else self._deflate.compress(data))

    def flush(self) -> None:
        """Bring what was written to the file."""
        if self._deflate is not None:
            self._file.write(self._deflate.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self) -> None:
        """Finish the file."""
        if self._file.closed:
            return
        if self._deflate is not None:
            self._file.write(self._deflate.flush())
        self._file.close()
        if self._outer is not None:
            self._outer.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
