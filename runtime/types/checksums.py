"""CRC-32C checksum of records: by google-crc32c where it is installed, else byte by byte.

The extra ``text`` brings google-crc32c, which uses the processor's own instruction.  The twenty
lines here stay beside it because files of records and of summaries need no extra.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

__all__ = ["crc32c"]

POLYNOMIAL = 0x82F63B78  # Castagnoli's, its bits reversed: RFC 3720, appendix B.4
_ONES = 0xFFFFFFFF


def _state_after(byte: int) -> int:
    """Return the state that a byte leaves of a state of 0."""
    state = byte
    for _ in range(8):
        state = state >> 1 ^ (POLYNOMIAL if state & 1 else 0)
    return state


@functools.cache
def _table() -> tuple[int, ...]:
    return tuple(map(_state_after, range(256)))


def by_bytes(data: bytes) -> int:
    """Compute the checksum without a library."""
    state, table = _ONES, _table()
    for byte in data:
        state = table[(state ^ byte) & 0xFF] ^ state >> 8
    return state ^ _ONES


@functools.cache
def _fastest() -> Callable[[bytes], int]:
    try:
        import google_crc32c
    except ImportError:
        return by_bytes
    value: Any = google_crc32c.value
    return value


def crc32c(data: bytes) -> int:
    """Compute the Castagnoli checksum of bytes."""
    return _fastest()(data)
