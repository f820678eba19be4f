"""Reader of event files for tests: messages as dicts of lists by the number of the field."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from runtime.data.formats.tfrecord import decode_records


def fields(message: bytes) -> dict[int, list]:
    found: dict[int, list] = {}
    place = 0
    while place < len(message):
        key, place = varint(message, place)
        kind = key & 7
        if kind == 0:
            value, place = varint(message, place)
        elif kind == 1:
            value, place = struct.unpack_from("<d", message, place)[0], place + 8
        elif kind == 5:
            value, place = struct.unpack_from("<f", message, place)[0], place + 4
        else:
            size, place = varint(message, place)
            value, place = message[place : place + size], place + size
        found.setdefault(key >> 3, []).append(value)
    return found


def varint(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 0x7F) << shift
        shift, place = shift + 7, place + 1
        if byte < 0x80:
            return value, place


def events(folder: Path) -> list[dict[int, list]]:
    """All events of the files of a folder, in the order of the files' names."""
    files = sorted(folder.glob("events.out.tfevents.*"))
    return [
        fields(event) for path in files for event in decode_records(open(path, "rb"), str(path))
    ]


def summaries(folder: Path) -> list[tuple[int, str, dict[int, list]]]:
    """Step, tag and fields of each value."""
    return [
        (event.get(2, [0])[0], value[1][0].decode(), value)
        for event in events(folder) for message in event.get(5, ())
        for value in map(fields, fields(message)[1])
    ]  # fmt: skip


TYPES = {1: np.float32, 2: np.float64, 3: np.int32, 9: np.int64}


def array(value: dict[int, list]):
    """The tensor of a value: an array, or a list of bytes."""
    tensor = fields(value[8][0])
    if tensor[1] == [7]:
        return tensor[8]
    dims = [fields(dim).get(1, [0])[0] for dim in fields(tensor[2][0]).get(2, ())]
    return np.frombuffer(tensor[4][0], TYPES[tensor[1][0]]).reshape(dims)


def scalars(folder: Path) -> list[tuple[int, str, float]]:
    return [(step, tag, float(array(value))) for step, tag, value in summaries(folder)]


def plugin(value: dict[int, list]) -> str:
    return fields(fields(value[9][0])[1][0])[1][0].decode()
