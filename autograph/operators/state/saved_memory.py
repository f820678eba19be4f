"""Memory of arrays, bytearrays, numbers of C and files: what it held, to compare and to restore.

Used by ``holders``.
"""

from __future__ import annotations

import copy
import io
import sys
import types
import zlib
from typing import Any

LARGEST = 1 << 26
"""Of larger memories, in bytes, a checksum is saved rather than a copy."""

def memory_of(value: Any) -> memoryview | None:
    """Return the memory of an array, bytearray or file in memory that may change."""
    if isinstance(value, _WITHOUT_MEMORY):
        return None
    memory = _memory(value)
    if memory is None or not memory.nbytes and hasattr(value, "shape"):
        return None
    shared = getattr(value, "base", None) is not None  # it may change through another array
    return memory if shared or not memory.readonly or isinstance(value, _FILES) else None


_WITHOUT_MEMORY = (list, dict, tuple, str, bytes, int, float, types.FunctionType)


_FILES = (io.StringIO, io.BytesIO)


def _memory(value: Any) -> memoryview | None:
    if isinstance(value, _FILES):
        return None if value.closed else memoryview(repr(value.__reduce_ex__(2)[2][:-1]).encode())
    try:
        return memoryview(value)
    except (TypeError, BufferError):
        return None
    except ValueError:  # an array of dates, or of floats that are not C's
        size = value.dtype.itemsize
        return memoryview(value.view(f"u{size}")) if size in (1, 2, 4, 8) else None


class SavedMemory:
    """What an array, bytearray or file in memory held; of a large one only a checksum."""

    __slots__ = ("_copy", "_layout", "_sum")

    def __init__(self, holder: Any, memory: memoryview) -> None:
        self._layout = memory.format, memory.shape
        large = memory.nbytes > LARGEST
        self._copy: Any = None if large else _copy_of(holder, memory)
        self._sum = _checksum(memory) if self._copy is None else None

    def same(self, saved: SavedMemory) -> bool:
        """Whether two memories held the same."""
        if self._copy is not None:
            return saved.is_in(self._copy)
        return (self._layout, self._sum) == (saved._layout, saved._sum)

    def is_in(self, holder: Any) -> bool:
        """Whether an array or bytearray holds the same."""
        memory = _memory(holder)
        if memory is None or self._layout != (memory.format, memory.shape):
            return False
        if self._copy is None:
            return self._sum == _checksum(memory)
        saved = _memory(self._copy)
        return saved is not None and _are_equal(memory, saved)

    def restore(self, holder: Any) -> None:
        """Give an array or bytearray what it held; a large one keeps what it has."""
        if self._copy is None or self.is_in(holder):
            return
        if isinstance(holder, _FILES):
            holder.__setstate__(self._copy.__getstate__())  # type: ignore[union-attr]
        elif isinstance(self._copy, memoryview):
            memoryview(holder).cast("B")[:] = self._copy.cast("B")
        elif _is_of_ctypes(holder):
            sys.modules["ctypes"].pointer(holder)[0] = self._copy
        else:
            holder[... if hasattr(holder, "shape") else slice(None)] = self._copy


def _is_of_ctypes(value: Any) -> bool:
    return any(base.__module__ == "_ctypes" for base in type(value).__mro__)


def _copy_of(holder: Any, memory: memoryview) -> Any:
    """Return a copy of an array or bytearray; of a view or a file's map, one of its memory."""
    try:
        return copy.copy(holder)
    except TypeError:
        if memory.format not in _SIMPLE_FORMATS:
            return None
        return memoryview(bytearray(memory.tobytes())).cast(memory.format, memory.shape)  # type: ignore[call-overload]


_CHUNK = 1 << 16


def _are_equal(first: memoryview, second: memoryview) -> bool:
    """Whether memories hold the same bytes; compared in parts that fit a processor's cache."""
    if first.nbytes <= _CHUNK or not (_is_flat(first) and _is_flat(second)):
        return first.tobytes() == second.tobytes()
    left, right = first.cast("B"), second.cast("B")
    return all(
        left[start : start + _CHUNK].tobytes() == right[start : start + _CHUNK].tobytes()
        for start in range(0, first.nbytes, _CHUNK)
    )


def _is_flat(memory: memoryview) -> bool:
    return memory.c_contiguous and memory.format in _SIMPLE_FORMATS


_SIMPLE_FORMATS = frozenset("?bBhHiIlLqQefd")


def _checksum(memory: memoryview) -> tuple[int, int]:
    flat = memory.cast("B") if _is_flat(memory) else memory.tobytes()
    return zlib.crc32(flat), zlib.adler32(flat)
