"""Files of records: checks by known sums, and what is written comes back."""

import gzip
import struct
import zlib

import numpy as np
import pytest

import runtime as tf
from runtime.types import checksums
from runtime.types.checksums import crc32c
from tests.support.ways import elements, in_function, in_session

TFRecordDataset = tf.data.TFRecordDataset
RECORDS = [b"one", b"", b"three" * 50, bytes(range(256))]


@pytest.fixture
def name(tmp_path):
    with tf.io.TFRecordWriter(tmp_path / "r.tfrecord") as writer:
        for record in RECORDS:
            writer.write(record)
    return str(tmp_path / "r.tfrecord")


@pytest.mark.parametrize("function", [crc32c, checksums.by_bytes])
def test_the_checksum_is_castagnoli_s(function):
    # the check value of the catalogue of CRCs, and those of RFC 3720
    assert function(b"123456789") == 0xE3069283
    assert function(bytes(32)) == 0x8A9136AA and function(b"\xff" * 32) == 0x62A8AB43


def by_definition(data):
    """The checksum bit by bit, as RFC 3720 defines it."""
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (state & 1) * 0x82F63B78
    return state ^ 0xFFFFFFFF


def test_all_ways_to_the_checksum_agree():
    data = np.random.default_rng(1).integers(0, 256, 70_000, np.uint8).tobytes()
    for size in (*range(70), 255, 256, 4097, 70_000):
        part = data[len(data) - size :]
        assert checksums.by_bytes(part) == crc32c(part)
        if size < 5000:
            assert checksums.by_bytes(part) == by_definition(part)


def test_a_record_s_bytes(tmp_path):
    with tf.io.TFRecordWriter(str(tmp_path / "r")) as writer:
        writer.write("123456789")
    data = (tmp_path / "r").read_bytes()
    length, _, record, check = struct.unpack("<QI9sI", data)
    turned = (0xE3069283 >> 15 | 0xE3069283 << 17) & 0xFFFFFFFF
    assert (length, record, check) == (9, b"123456789", (turned + 0xA282EAD8) & 0xFFFFFFFF)


def test_what_is_written_comes_back(name):
    assert elements(TFRecordDataset(name)) == in_session(lambda: TFRecordDataset(name)) == RECORDS
    assert in_function(lambda: TFRecordDataset([name, name])) == [(r,) for r in RECORDS * 2]


@pytest.mark.parametrize(("kind", "pack"), [("GZIP", gzip.compress), ("ZLIB", zlib.compress)])
def test_compressed(name, tmp_path, kind, pack):
    with open(name, "rb") as file, open(tmp_path / "packed", "wb") as packed:
        packed.write(pack(file.read()))
    assert elements(TFRecordDataset(tmp_path / "packed", kind)) == RECORDS
    writer = tf.io.TFRecordWriter(str(tmp_path / "own"), tf.io.TFRecordOptions(kind))
    for record in RECORDS:
        writer.write(record)
        writer.flush()
    writer.close()
    writer.close()
    assert elements(TFRecordDataset(tmp_path / "own", kind)) == RECORDS


@pytest.mark.parametrize(("place", "text"), [
    (3, "corrupted record at 0"), (13, "corrupted record at 0"), (20, "corrupted record at 19"),
])  # fmt: skip
def test_damage_is_noticed(name, place, text):
    with open(name, "r+b") as file:
        file.seek(place)
        byte = file.read(1)
        file.seek(place)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(tf.errors.DataLossError, match=text):
        elements(TFRecordDataset(name))


def test_what_is_cut_off_is_noticed_and_can_be_left_out(name):
    with open(name, "r+b") as file:
        file.truncate(330)
    with pytest.raises(tf.errors.DataLossError, match="truncated record at"):
        elements(TFRecordDataset(name))
    assert elements(TFRecordDataset([name, name]).ignore_errors()) == RECORDS[:3] * 2


def test_what_writers_refuse(tmp_path):
    with tf.io.TFRecordWriter(tmp_path / "r") as writer, pytest.raises(TypeError, match="be bytes"):
        writer.write(3)
    with pytest.raises(ValueError, match="Not a valid compression_type"):
        tf.io.TFRecordWriter(tmp_path / "r", "RAR")
