"""CRC-32C checksum of records: by google-crc32c where it is installed, else by NumPy.

The extra ``text`` brings google-crc32c, which uses the processor's own instruction.  Without it a
checksum is read from a table: as it is linear over the bits, it is the exclusive or of what each
byte contributes at its distance from the end.  Of long texts the table gives checksums of pieces,
which are moved to their places and combined pair by pair.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.types.dtypes import Array

__all__ = ["crc32c"]

POLYNOMIAL = 0x82F63B78  # Castagnoli's, its bits reversed: RFC 3720, appendix B.4
_WHOLE = 2048
"""Bytes up to which a text is looked up at once: the table has 256 numbers for each."""
_POWER = 9
_PIECE = 1 << _POWER
"""Bytes of a piece of a longer text: the table's part for it fits into a processor's cache."""
_SHORT = 24
"""Bytes that Python goes through faster than NumPy begins."""
_BATCH = 256
"""Pieces that are looked up at once."""


def _byte_table() -> Array:
    """What each byte makes of a state of 0."""
    table: Array = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = table >> 1 ^ (table & 1) * np.uint32(POLYNOMIAL)
    return table


_BYTES = _byte_table()
_INTS = tuple(_BYTES.tolist())


@functools.cache
def _table() -> tuple[Array, Array]:
    """What each byte contributes at each place, the last place last, and where places begin."""
    rows = [_BYTES]
    for _ in range(_WHOLE - 1):
        rows.append(_BYTES[rows[-1] & 0xFF] ^ rows[-1] >> np.uint32(8))
    return np.concatenate(rows[::-1]), np.arange(_WHOLE, dtype=np.intp) * 256


def _apply(operator: Array, states: Array) -> Array:
    """A linear operator on states, given by what it makes of each byte in each of four places."""
    result = operator[0][states & 0xFF]
    for position in (1, 2, 3):
        result = result ^ operator[position][states >> np.uint32(8 * position) & 0xFF]
    return result


@functools.cache
def _zeros(power: int) -> Array:
    """The operator that moves a state over ``2 ** power`` bytes of zero."""
    places = np.arange(256, dtype=np.uint32) << np.array([[0], [8], [16], [24]], np.uint32)
    if power == 0:
        return _BYTES[places & 0xFF] ^ places >> np.uint32(8)
    return _apply(_zeros(power - 1), _apply(_zeros(power - 1), places))


def _of_pieces(data: Array) -> Array:
    """The states that whole pieces leave, each from a state of 0."""
    table, starts = _table()
    starts = starts[-_PIECE:]
    pieces = data.reshape(-1, _PIECE)
    states = np.empty(len(pieces), np.uint32)
    for first in range(0, len(pieces), _BATCH):
        batch = table[starts + pieces[first : first + _BATCH]]
        np.bitwise_xor.reduce(batch, 1, out=states[first : first + _BATCH])
    return states


def _by_numpy(data: bytes) -> int:
    if len(data) <= _SHORT:
        state = 0xFFFFFFFF
        for byte in data:
            state = _INTS[(state ^ byte) & 0xFF] ^ state >> 8
        return state ^ 0xFFFFFFFF
    if len(data) <= _WHOLE:
        table, starts = _table()
        indices = np.frombuffer(data, np.uint8).astype(np.intp)
        indices[:4] ^= 0xFF  # as a state begins with ones
        indices += starts[_WHOLE - len(data) :]
        return int(np.bitwise_xor.reduce(table[indices])) ^ 0xFFFFFFFF
    count = -(-len(data) // _PIECE)
    padded = np.zeros(count * _PIECE, np.uint8)  # zeros in front change nothing
    message = padded[padded.size - len(data) :]
    message[:] = np.frombuffer(data, np.uint8)
    message[:4] ^= 0xFF
    states, power = np.zeros(1 << (count - 1).bit_length(), np.uint32), _POWER
    states[-count:] = _of_pieces(padded)
    while states.size > 1:
        states = _apply(_zeros(power), states[::2]) ^ states[1::2]
        power += 1
    return int(states[0]) ^ 0xFFFFFFFF


@functools.cache
def _fastest() -> Callable[[bytes], int]:
    try:
        import google_crc32c
    except ImportError:
        return _by_numpy
    value: Any = google_crc32c.value
    return value


def crc32c(data: bytes) -> int:
    """Compute the Castagnoli checksum of bytes."""
    return _fastest()(data)
