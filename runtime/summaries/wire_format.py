"""Wire format of protocol buffers: a message is its fields, one after the other.

Only what event files need.  Source: https://protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import struct

_MASK = (1 << 64) - 1


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
    return varint(field << 3 | 1) + struct.pack("<d", value)


def single(field: int, value: float) -> bytes:
    """Encode a field that is a float32."""
    return varint(field << 3 | 5) + struct.pack("<f", value)


def nested(field: int, value: bytes) -> bytes:
    """Encode a field that is a message, or bytes."""
    return varint(field << 3 | 2) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    """Encode a field that is a text."""
    return nested(field, value.encode("utf-8", "replace"))


def packed_doubles(field: int, values: list[float]) -> bytes:
    """Encode a repeated field of float64s."""
    return nested(field, struct.pack(f"<{len(values)}d", *values))
