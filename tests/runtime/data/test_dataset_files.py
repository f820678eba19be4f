"""Datasets in files: lines, records, names, and datasets that were saved."""

import gzip

import pytest

import runtime as tf
from tests.runtime.data.ways import elements, in_function, in_session

D = tf.data.Dataset


@pytest.fixture
def texts(tmp_path):
    for name, content in (("a.txt", b"one\ntwo\r\n\nlast"), ("b.txt", b"three\n"), ("c.md", b"")):
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_lines(texts):
    names = [str(texts / "a.txt"), str(texts / "b.txt")]

    def lines():
        return tf.data.TextLineDataset(names)

    expected = [b"one", b"two", b"", b"last", b"three"]
    assert elements(lines()) == in_session(lines) == expected
    assert in_function(lines) == [(line,) for line in expected]
    assert elements(tf.data.TextLineDataset(names[1])) == [b"three"]
    assert elements(tf.data.TextLineDataset(D.from_tensor_slices(names[1:]))) == [b"three"]
    lengths = lines().map(tf.strings.length).filter(lambda n: n > 3)
    assert elements(lengths) == [4, 5]


def test_compressed_lines(texts):
    with gzip.open(texts / "a.gz", "wb") as file:
        file.write(b"x\ny\n")
    assert elements(tf.data.TextLineDataset(str(texts / "a.gz"), "GZIP")) == [b"x", b"y"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="compression_type"):
        tf.data.TextLineDataset(str(texts / "a.gz"), "RAR")


def test_a_file_that_is_missing(texts):
    data = tf.data.TextLineDataset([str(texts / "b.txt"), str(texts / "none")])
    iterator = iter(data)
    assert next(iterator) == b"three"
    with pytest.raises(tf.errors.NotFoundError, match="none; No such file or directory"):
        next(iterator)


def test_records(texts):
    (texts / "r").write_bytes(b"HEADabcdefEND")
    data = tf.data.FixedLengthRecordDataset(str(texts / "r"), 2, 4, 3)
    assert elements(data) == [b"ab", b"cd", b"ef"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Excess 1 bytes"):
        elements(tf.data.FixedLengthRecordDataset(str(texts / "r"), 2))


def test_names_of_files(texts):
    expected = [str(texts / name).encode() for name in ("a.txt", "b.txt")]
    pattern = str(texts / "*.txt")
    assert elements(D.list_files(pattern, shuffle=False)) == expected
    assert sorted(elements(D.list_files([pattern, str(texts / "b*")], seed=1))) == expected
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched pattern"):
        D.list_files(str(texts / "*.py"))


def test_saved_and_loaded(tmp_path):
    path = str(tmp_path / "saved")
    data = D.range(3).map(lambda x: {"x": x, "t": (tf.as_string(x), tf.fill([x], 1.0))})
    for compression in (None, "GZIP"):
        data.save(path, compression)
        loaded = D.load(path, compression=compression)
        assert loaded.element_spec == data.element_spec
        assert elements(loaded) == elements(data)
        assert len(loaded) == 3
    with pytest.raises(tf.errors.NotFoundError):
        D.load(str(tmp_path / "none"))
    with pytest.raises(TypeError, match="holds elements of"):
        D.load(path, tf.TensorSpec((), tf.int64), "GZIP")
    with pytest.raises(tf.errors.DataLossError, match="is damaged"):
        D.load(path)
    with pytest.raises(RuntimeError, match="while tracing"):
        tf.function(lambda: data.save(path))()


def test_snapshots(tmp_path):
    made = []

    def generate():
        for k in range(3):
            made.append(k)
            yield k

    for _ in range(2):
        data = D.from_generator(generate, tf.int64, ()).snapshot(str(tmp_path / "deep"))
        assert elements(data) == [0, 1, 2]
    assert made == [0, 1, 2]
