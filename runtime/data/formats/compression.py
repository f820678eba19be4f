"""Compressed files as streams: GZIP (RFC 1952) and ZLIB (RFC 1950), cut or damaged ones refused.

All file formats of datasets read by ``opened`` and write by ``Compressed``.
"""

from __future__ import annotations

import io
import zlib
from types import TracebackType
from typing import Any

from runtime.types.atomic_files import file_errors
from runtime.types.errors import DataLossError, InvalidArgumentError

_WINDOW_BITS = {"GZIP": 31, "ZLIB": 15}
_CHUNK = 1 << 18
"""Bytes that are read from a file at once."""


def compression_of(kind: str | None) -> str:
    """Return the name of a compression: '', 'GZIP' or 'ZLIB'.

    InvalidArgumentError for any other.
    """
    if kind not in (None, "", *_WINDOW_BITS):
        raise InvalidArgumentError(f"Unsupported compression_type: {kind!r}: '', GZIP or ZLIB")
    return kind or ""


def opened(path: str, compression: str) -> Any:
    """Open a file for reading, as a buffered stream of its decompressed bytes.

    NotFoundError, PermissionDeniedError or FailedPreconditionError when it cannot be opened.
    Reading raises DataLossError where the compressed data are cut or damaged.
    """
    with file_errors(path):
        file = open(path, "rb")  # noqa: SIM115 - the stream closes it
        if not compression:
            return file
        return io.BufferedReader(_Decompressed(file, path, compression), _CHUNK)


class _Decompressed(io.RawIOBase):
    """Decompressed bytes of an open file."""

    def __init__(self, file: Any, path: str, compression: str) -> None:
        self._file, self._path, self._compression = file, path, compression
        self._data = b""
        self._inflate: Any = zlib.decompressobj(_WINDOW_BITS[compression])

    def readable(self) -> bool:
        """Whether it can be read: yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; 0 at the end of the last member."""
        while True:
            if self._inflate.eof and not self._next_member():
                return 0
            at_end = not self._data and not self._fill()
            try:
                chunk = self._inflate.decompress(self._data, len(buffer))
            except zlib.error as error:
                raise self._lost(str(error)) from None
            self._data = self._inflate.unconsumed_tail
            if chunk:
                buffer[: len(chunk)] = chunk
                return len(chunk)
            if at_end and not self._inflate.eof:
                raise self._lost("it ends within the compressed data")

    def _fill(self) -> bool:
        self._data = self._file.read(_CHUNK)
        return bool(self._data)

    def _next_member(self) -> bool:
        """Begin with the next member, if there is one; zeros at the end are no member."""
        self._data = self._inflate.unused_data.lstrip(b"\0")
        while not self._data:
            if not self._fill():
                return False
            self._data = self._data.lstrip(b"\0")
        if self._compression == "ZLIB":
            raise self._lost("other bytes follow the compressed data")
        self._inflate = zlib.decompressobj(_WINDOW_BITS["GZIP"])
        return True

    def _lost(self, reason: str) -> DataLossError:
        return DataLossError(f"{self._path} is no whole {self._compression} file: {reason}")

    def close(self) -> None:
        """Close the file, too."""
        self._file.close()
        super().close()


class Compressed:
    """Writes bytes to an open file, compressed; ``close`` ends the data, and leaves the file open.

    ``level`` is zlib's: from 0, none, to 9, the smallest; -1 is its default.
    """

    def __init__(self, file: Any, compression: str, level: int = -1) -> None:
        self._file = file
        self._deflate: Any = None
        if compression:
            bits = _WINDOW_BITS[compression]
            self._deflate = zlib.compressobj(level, zlib.DEFLATED, bits)

    def write(self, data: bytes) -> None:
        """Write bytes."""
        self._file.write(data if self._deflate is None else self._deflate.compress(data))

    def flush(self) -> None:
        """Bring what was written to the file."""
        if self._deflate is not None:
            self._file.write(self._deflate.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self) -> None:
        """Write the end of the compressed data."""
        if self._deflate is not None:
            self._file.write(self._deflate.flush())
            self._deflate = None

    def __enter__(self) -> Compressed:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
