"""Wire format of protocol buffers: a message is its fields, one after the other, as tag and value.

Files of events write it, messages.py and the records of examples read and write it.  Protobuf's own
runtime would need compiled descriptions of all messages; these functions need no library.
Source: https://protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.types.dtypes import Array
from runtime.types.errors import DataLossError

_MASK = (1 << 64) - 1
_LONGEST = 10
"""Bytes that 64 bits take at most."""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types: how the bytes of a field are delimited."""


def varint(value: int) -> bytes:
    """Encode an int, seven bits a byte, the least significant ones first."""
    value &= _MASK
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def whole_number(field: int, value: int) -> bytes:
    """Encode a field that is an int, a bool or an item of an enumeration."""
    return varint(field << 3) + varint(value)


def double(field: int, value: float) -> bytes:
    """Encode a field that is a float64."""
    return varint(field << 3 | FIXED64) + struct.pack("<d", value)


def single(field: int, value: float) -> bytes:
    """Encode a field that is a float32."""
    return varint(field << 3 | FIXED32) + struct.pack("<f", value)


def nested(field: int, value: bytes) -> bytes:
    """Encode a field that is a message, or bytes."""
    return varint(field << 3 | BYTES) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    """Encode a field that is a text."""
    return nested(field, value.encode("utf-8", "replace"))


def packed_doubles(field: int, values: list[float]) -> bytes:
    """Encode a repeated field of float64s."""
    return nested(field, struct.pack(f"<{len(values)}d", *values))


def packed_varints(field: int, values: Sequence[int]) -> bytes:
    """Encode a repeated field of ints."""
    return nested(field, b"".join(map(varint, values)))


# -- reading --------------------------------------------------------------------------------------


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """Return the int at a position, from 0 to 2**64 - 1, and the position behind it.

    DataLossError when the bytes end within it, or it has more than 64 bits.
    """
    value = shift = 0
    for byte in data[position : position + _LONGEST]:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & _MASK, position + shift // 7
    raise DataLossError(f"no message: there is no number at byte {position}")


def read_fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """Yield number, wire type and value of each field: an int, or the field's bytes.

    DataLossError where the bytes are no message.
    """
    position, size = 0, len(data)
    while position < size:
        tag, position = read_varint(data, position)
        number, kind = tag >> 3, tag & 7
        if not number:
            raise DataLossError(f"no message: there is no field 0, at byte {position}")
        if kind == VARINT:
            value, position = read_varint(data, position)
            yield number, kind, value
            continue
        if kind == BYTES:
            length, position = read_varint(data, position)
        elif kind in (FIXED32, FIXED64):
            length = 4 if kind == FIXED32 else 8
        else:
            raise DataLossError(f"no message: byte {position} follows a tag of kind {kind}")
        if position + length > size:
            raise DataLossError(f"no message: a field of {length} bytes begins at byte {position}, "
                                f"of {size}")  # fmt: skip
        yield number, kind, data[position : position + length]
        position += length


def read_varints(data: bytes) -> Array:
    """Decode ints one behind the other to an array of int64; DataLossError when the last is cut."""
    octets = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(octets < 0x80)
    if len(ends) == len(octets):
        return octets.astype(np.int64)
    starts = np.concatenate([[0], ends + 1])[: len(ends)]
    lengths = ends + 1 - starts
    if octets[-1] >= 0x80 or lengths.max() > _LONGEST:
        raise DataLossError("no message: a number in a list of numbers has no end")
    shifts = 7 * (np.arange(len(octets)) - np.repeat(starts, lengths))
    parts = (octets & 0x7F).astype(np.uint64) << shifts.astype(np.uint64)
    return np.add.reduceat(parts, starts).view(np.int64)


def signed(value: int) -> int:
    """Return a number of 64 bits as the int64 that has these bits."""
    return value - (1 << 64) if value >> 63 else value
