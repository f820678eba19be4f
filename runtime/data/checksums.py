"""The CRC-32C checksum that files of records carry: by google-crc32c if it is there, else NumPy.

The extra ``text`` brings google-crc32c, which uses the processor's own instruction.  Without it
long texts are cut into lanes that NumPy goes through side by side: a checksum is linear over the
bits, so that of the whole is the exclusive or of those of the lanes, each moved to its place.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.types.dtypes import Array

__all__ = ["crc32c"]

POLYNOMIAL = 0x82F63B78  # Castagnoli's, its bits reversed: RFC 3720, appendix B.4
SHORT = 2048
"""Bytes that Python goes through one by one faster than NumPy begins."""


def _byte_table() -> Array:
    """What each byte makes of a state of 0."""
    table: Array = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = table >> 1 ^ (table & 1) * np.uint32(POLYNOMIAL)
    return table


_BYTES = _byte_table()
_INTS = tuple(_BYTES.tolist())


def _applied(operator: Array, states: Array) -> Array:
    """A linear operator on states, given by what it makes of each byte in each of four places."""
    result = operator[0][states & 0xFF]
    for place in (1, 2, 3):
        result = result ^ operator[place][states >> np.uint32(8 * place) & 0xFF]
    return result


@functools.cache
def _zeros(power: int) -> Array:
    """The operator that moves a state over ``2 ** power`` bytes of zero."""
    places = np.arange(256, dtype=np.uint32) << np.array([[0], [8], [16], [24]], np.uint32)
    if power == 0:
        return _BYTES[places & 0xFF] ^ places >> np.uint32(8)
    return _applied(_zeros(power - 1), _applied(_zeros(power - 1), places))


def _by_lanes(data: bytes) -> int:
    power = (len(data) - 1).bit_length() // 2  # lanes about as many as they are long
    length = 1 << power
    lanes = 1 << (-(-len(data) // length) - 1).bit_length()
    padded = np.zeros(lanes * length, np.uint8)  # zeros in front change nothing
    whole = padded[padded.size - len(data) :]
    whole[:] = np.frombuffer(data, np.uint8)
    whole[:4] ^= 0xFF  # as a state begins with ones
    states = np.zeros(lanes, np.uint32)
    for column in np.ascontiguousarray(padded.reshape(lanes, length).T):
        states = _BYTES[(states ^ column) & 0xFF] ^ states >> np.uint32(8)
    while states.size > 1:
        states = _applied(_zeros(power), states[::2]) ^ states[1::2]
        power += 1
    return int(states[0]) ^ 0xFFFFFFFF


def _by_numpy(data: bytes) -> int:
    if len(data) > SHORT:
        return _by_lanes(data)
    found, table = 0xFFFFFFFF, _INTS
    for byte in data:
        found = table[(found ^ byte) & 0xFF] ^ found >> 8
    return found ^ 0xFFFFFFFF


@functools.cache
def _fastest() -> Callable[[bytes], int]:
    try:
        import google_crc32c
    except ImportError:
        return _by_numpy
    value: Any = google_crc32c.value
    return value


def crc32c(data: bytes) -> int:
    """The Castagnoli checksum of bytes."""
    return _fastest()(data)
