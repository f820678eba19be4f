"""Files of records in TensorFlow's format (TFRecord): each with its length and checks for both.

A record is its length (8 bytes), a check of that (4), the bytes and a check of them (4).  Numbers
are little-endian.  Checks are CRC-32C, rotated by 15 bits and shifted by a constant, as the
documentation of TensorFlow's ``tf.data`` lays down.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from runtime.data.formats.compression import Compressed
from runtime.types.atomic_files import file_errors
from runtime.types.checksums import crc32c
from runtime.types.errors import DataLossError

__all__ = ["TFRecordOptions", "TFRecordWriter"]

_HEAD = struct.Struct("<QI")
_CHECK = struct.Struct("<I")
_CHUNK = 1 << 24
"""Bytes that are read at once: a damaged length may ask for more than there is memory."""


def _check(data: bytes) -> int:
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def encode_record(record: bytes) -> bytes:
    """Return a record as it stands in a file."""
    length = struct.pack("<Q", len(record))
    return length + _CHECK.pack(_check(length)) + record + _CHECK.pack(_check(record))


def decode_records(file: Any, name: str) -> Iterator[bytes]:
    """Iterate over the records of an open file, which is closed at the end.

    DataLossError, with the position, for a record that is damaged or cut.
    """
    with file:
        position = 0
        while head := file.read(_HEAD.size):
            if len(head) < _HEAD.size:
                raise DataLossError(f"truncated record at {position} in {name}")
            length, check = _HEAD.unpack(head)
            if check != _check(head[:8]):
                raise DataLossError(f"corrupted record at {position} in {name}")
            record = _read(file, length)
            tail = file.read(_CHECK.size)
            if len(record) < length or len(tail) < _CHECK.size:
                raise DataLossError(f"truncated record at {position} in {name}")
            if _CHECK.unpack(tail)[0] != _check(record):
                raise DataLossError(f"corrupted record at {position} in {name}")
            yield record
            position += _HEAD.size + length + _CHECK.size


def _read(file: Any, length: int) -> bytes:
    """Read so many bytes, or as many as are left."""
    if length <= _CHUNK:
        data: bytes = file.read(length)
        return data
    chunks: list[bytes] = []
    while length and (chunk := file.read(min(length, _CHUNK))):
        chunks.append(chunk)
        length -= len(chunk)
    return b"".join(chunks)


class TFRecordOptions:
    """Compression of a file of records: '' or None, 'GZIP' or 'ZLIB'.

    ``compression_level`` is zlib's, from 0 to 9.  The settings of buffers have no effect;
    ValueError for another compression.
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
    """Writer of a file of records, for ``data.TFRecordDataset``; ``with`` closes it.

    ``options`` is a TFRecordOptions or the kind of compression.  Opening and writing raise the
    OpError of what the file system reports: NotFoundError, PermissionDeniedError,
    ResourceExhaustedError.
    """

    def __init__(self, path: Any, options: TFRecordOptions | str | None = None) -> None:
        chosen = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)
        level = 6 if chosen.compression_level is None else chosen.compression_level
        self._path = os.fsdecode(path)
        with file_errors(self._path):
            self._file = open(path, "wb")  # noqa: SIM115 - close() does
        self._out = Compressed(self._file, chosen.compression_type, level)

    def write(self, record: bytes | str) -> None:
        """Write one record: bytes, or a text in UTF-8; TypeError for anything else."""
        if isinstance(record, str):
            record = record.encode()
        if not isinstance(record, bytes | bytearray | memoryview):
            raise TypeError(f"a record must be bytes, got {record!r}")
        with file_errors(self._path):
            self._out.write(encode_record(bytes(record)))

    def flush(self) -> None:
        """Bring what was written to the file."""
        with file_errors(self._path):
            self._out.flush()

    def close(self) -> None:
        """Finish the file."""
        if self._file.closed:
            return
        with file_errors(self._path):
            try:
                self._out.close()
            finally:
                self._file.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
