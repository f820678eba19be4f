"""Damaged files of elements and records: an error that says so, and never other data."""

from __future__ import annotations

import collections
import dataclasses
import json
import random
import struct
import zlib

import numpy as np
import pytest

import runtime as tf
from runtime.data.formats.element_file import read_elements
from runtime.data.formats.tfrecord import decode_records, encode_record
from tests.support.nightly import NIGHTLY
from tests.support.ways import elements, plain

D = tf.data.Dataset
Point = collections.namedtuple("Point", "x y")
COMPRESSIONS = ("", "GZIP", "ZLIB")
COUNTS = [pytest.param(120, id="some"), pytest.param(3400, id="many", marks=NIGHTLY)]


def varied():
    """A dataset of numbers, texts, truths, shapes that vary, None and ragged tensors."""
    def one(x):
        return {
            "n": x, "texts": tf.fill([x], tf.as_string(x)), "even": x % 2 == 0, "none": None,
            "point": Point(tf.cast(x, tf.float32) / 3.0, tf.zeros([x, 2], tf.complex64)),
        }  # fmt: skip

    ragged = D.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4]]))
    return D.zip((D.range(4).map(one), ragged.batch(1)))


def damaged(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """The bytes with one damage of a random kind."""
    at, to = sorted(rng.choices(range(len(data) + 1), k=2))
    kind = rng.randrange(10)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[to:]
    if kind == 2:
        return data[:at] + rng.randbytes(rng.randrange(1, 40)) + data[at:]
    if kind == 3:
        return data[:at] + bytes(to - at) + data[to:]
    if kind == 4:
        return data[:at] + data[at:to] + data[at:]
    if kind == 5:
        return data + rng.choice([rng.randbytes(9), b"\1", data, *others])
    if kind == 6:
        other = rng.choice(others)
        return data[:at] + other[at:]
    if kind == 7:
        return rng.choice([b"", rng.randbytes(to), rng.randbytes(12)])
    changed = bytearray(data)
    for _ in range(1 if kind == 8 else rng.randrange(1, 6)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_a_damaged_file_of_elements_gives_its_data_or_data_loss(tmp_path, compression, count):
    varied().save(tmp_path / "a", compression)
    file = tmp_path / "a" / "dataset.saved"
    expected, data = repr([plain_row(e) for e in varied()]), file.read_bytes()
    others = []
    for number in (3, 5):
        varied().take(number).repeat(2).save(tmp_path / "b", compression)
        others.append((tmp_path / "b" / "dataset.saved").read_bytes())
    rng = random.Random(f"{compression} {count}")
    refused = 0
    for _ in range(count):
        file.write_bytes(damaged(data, others, rng))
        if file.read_bytes() in (data, *others):
            continue
        try:
            found = repr([plain_row(e) for e in D.load(tmp_path / "a", compression=compression)])
        except tf.errors.DataLossError as error:
            assert "is damaged, or no file of elements" in error.message
            refused += 1
        else:
            assert found == expected
            assert compression == "GZIP", "only a gzip header has bits that mean nothing"
    assert refused > 0.8 * count


def plain_row(element):
    """An element of ``varied`` as Python's values."""
    row, ragged = element
    values = {key: part for key, part in row.items() if key not in ("none", "point")}
    return plain(values), row["none"], plain(tuple(row["point"])), ragged.to_list()


def test_what_was_saved_comes_back_with_its_types(tmp_path):
    varied().save(tmp_path)
    loaded = D.load(tmp_path)
    assert [plain_row(e) for e in loaded] == [plain_row(e) for e in varied()]
    assert loaded.element_spec == varied().element_spec
    point = next(iter(loaded))[0]["point"]
    assert type(point).__name__ == "Point" and point.x == 0.0
    same = D.load(tmp_path, element_spec=varied().element_spec)
    assert type(next(iter(same))[0]["point"]) is Point


DTYPES = [d for d in (
    tf.float16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16,
    tf.uint32, tf.uint64, tf.bool, tf.complex64, tf.complex128,
)]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_every_dtype_and_shape_comes_back(tmp_path, dtype):
    rng = np.random.default_rng(1)
    for shape in ((), (0,), (3,), (2, 0, 4), (2, 3)):
        array = (rng.normal(size=shape) * 3).astype(dtype.as_numpy_dtype)
        D.from_tensors(array).save(tmp_path)
        (found,) = D.load(tmp_path)
        assert found.dtype == dtype and found.shape == shape
        assert np.asarray(found).tobytes() == array.tobytes()


@dataclasses.dataclass
class Pair:
    left: object
    right: object


def test_classes_are_taken_from_the_reader_and_never_from_the_file(tmp_path):
    data = D.range(2).map(lambda x: Pair(x, x + 1))
    data.save(tmp_path)
    with pytest.raises(TypeError, match=r"objects of class .*Pair: give their type"):
        D.load(tmp_path)
    assert [plain(e.right) for e in D.load(tmp_path, data.element_spec)] == [1, 2]
    name = str(tmp_path / "c")
    for _ in range(2):
        assert [plain(e.right) for e in data.cache(name)] == [1, 2]
    with pytest.raises(TypeError, match="cannot be written to files"):
        D.from_tensors({(1, 2): 3}).save(tmp_path)


def test_a_cache_of_another_dataset_is_an_error(tmp_path):
    name = str(tmp_path / "c")
    assert elements(D.range(3).cache(name)) == [0, 1, 2]
    others = (
        D.range(3).map(lambda x: {"x": x}), D.range(3).batch(2), D.range(3).map(tf.as_string),
        D.range(3).map(lambda x: Pair(x, x)), D.range(3).map(lambda x: Point(x, x)),
    )  # fmt: skip
    for other in others:
        with pytest.raises(tf.errors.InvalidArgumentError, match="the cache of another dataset"):
            list(other.cache(name))
    D.range(3).save(tmp_path / "s", shard_func=lambda x: x)
    (tmp_path / "s" / "dataset.saved").rename(tmp_path / "c.cache")
    with pytest.raises(tf.errors.InvalidArgumentError, match="it holds 3 shards"):
        list(D.range(3).cache(name))


def written(path, *records):
    """A file of records with right checksums."""
    path.write_bytes(b"".join(map(encode_record, records)))
    return str(path)


HEADERS = [
    b"", b"null", b"[]", b"{}", b"[" * 100_000, b"\xff", b'{"format": 1}',
    *[json.dumps({"format": "runtime.data elements", "version": 1} | more).encode() for more in (
        {"spec": ["tensor", "int64", []]}, {"spec": ["tensor", "int64", []], "rows": [-1]},
        {"spec": ["tensor", "int64", []], "rows": ["x"]},
        {"spec": ["tensor", "int64", []], "rows": [10**30]},
        {"spec": ["tensor", "variant", []], "rows": [1]},
        {"spec": ["tensor", "int64", [10**30]], "rows": [1]},
        {"spec": ["tensor", "int64", ["x"]], "rows": [1]},
        {"spec": ["tensor", "int64", [-1]], "rows": [1]},
        {"spec": ["tensor"], "rows": [1]}, {"spec": [], "rows": [1]}, {"spec": "x", "rows": [1]},
        {"spec": ["ragged", "int64", [None], 5], "rows": [1]},
        {"spec": ["dict", [[[], ["none"]]]], "rows": [1]},
        {"spec": ["namedtuple", "1 x", ["a"], [["none"]]], "rows": [1]},
        {"spec": ["namedtuple", "x", ["__class__"], [["none"]]], "rows": [1]},
        {"spec": ["tuple", 3], "rows": [1]}, {"spec": ["none", 1], "rows": [1]},
    )],
]  # fmt: skip


@pytest.mark.parametrize("header", HEADERS, ids=range(len(HEADERS)))
def test_headers_that_make_no_sense(tmp_path, header):
    with pytest.raises(tf.errors.DataLossError, match="is damaged"):
        read_elements(written(tmp_path / "f", header, b"\1" + bytes(8)))


@pytest.mark.parametrize("block", [
    b"", b"\1", b"\2" + bytes(9), b"\1\1" + struct.pack("<Q", 2**62), b"\1\xff" + bytes(8 * 255),
    b"\1\2" + struct.pack("<QQ", 2**63, 0), b"\1\1" + struct.pack("<Q", 1) + b"\xff" * 8,
    b"\1\2" + struct.pack("<QQ", 2**40, 2**40),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["string", "int64"])
def test_lengths_that_make_no_sense(tmp_path, block, dtype):
    known = {"spec": ["tensor", dtype, None], "rows": [1]}
    header = {"format": "runtime.data elements", "version": 1} | known
    with pytest.raises(tf.errors.DataLossError, match="is damaged"):
        read_elements(written(tmp_path / "f", json.dumps(header).encode(), block))


def records_of(path, compression):
    return [bytes(np.asarray(r)[()]) for r in tf.data.TFRecordDataset(path, compression)]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_damaged_records_are_lost_and_never_others(tmp_path, compression, count):
    path, rng = str(tmp_path / "r"), random.Random(f"{compression} {count}")
    expected = [rng.randbytes(n) for n in (0, 5, 300, 1, 40)]
    with tf.io.TFRecordWriter(path, compression) as writer:
        for record in expected:
            writer.write(record)
    with open(path, "rb") as file:
        data = file.read()
    for _ in range(count):
        with open(path, "wb") as file:
            file.write(damaged(data, [data[::-1]], rng))
        try:
            found = records_of(path, compression)
        except tf.errors.DataLossError as error:
            assert path in error.message
        else:  # the format has no mark of its end: whole records may be missing, or there twice
            assert set(found) <= set(expected)


@pytest.mark.parametrize("length", [2**24 + 1, 2**40, 2**62, 2**64 - 1])
def test_a_length_beyond_the_file_is_a_cut_record(tmp_path, length):
    head = encode_record(b"")[:12]
    packed = struct.pack("<Q", length)
    check = struct.unpack("<I", encode_record(packed)[-4:])[0]
    path = tmp_path / "r"
    path.write_bytes(packed + struct.pack("<I", check) + b"some bytes")
    assert len(head) == 12
    with open(path, "rb") as file, pytest.raises(tf.errors.DataLossError, match="truncated record"):
        list(decode_records(file, str(path)))


@pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
def test_cut_compressed_texts_and_records(tmp_path, compression):
    lines = b"".join(b"line %d\n" % k for k in range(500))
    bits = {"GZIP": 31, "ZLIB": 15}[compression]
    packer = zlib.compressobj(9, zlib.DEFLATED, bits)
    data = packer.compress(lines) + packer.flush()
    path = tmp_path / "t"
    for size in (0, 1, 5, 30, len(data) // 2, len(data) - 5, len(data) - 1):
        path.write_bytes(data[:size])
        for dataset in (
            tf.data.TextLineDataset(path, compression),
            tf.data.FixedLengthRecordDataset(path, 1, compression_type=compression),
            tf.data.experimental.CsvDataset(path, [""], compression),
        ):
            with pytest.raises(tf.errors.DataLossError, match=f"is no whole {compression} file"):
                list(dataset)
    path.write_bytes(data)
    assert len(list(tf.data.TextLineDataset(path, compression))) == 500
    path.write_bytes(data + b"rest")
    with pytest.raises(tf.errors.DataLossError, match="is no whole"):
        list(tf.data.TextLineDataset(path, compression))


def test_gzip_files_of_several_members(tmp_path):
    packed = []
    for text in (b"a\nb", b"c\n", b"", b"d" * 600_000):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        packed.append(packer.compress(text) + packer.flush())
    (tmp_path / "t").write_bytes(b"".join(packed) + bytes(100))
    lines = elements(tf.data.TextLineDataset(tmp_path / "t", "GZIP"))
    assert lines == [b"a", b"bc", b"d" * 600_000]
