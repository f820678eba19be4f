"""Datasets in files: lines, records, names, and datasets that were saved."""

import gzip

import pytest

import runtime as tf
from tests.support.ways import elements, in_function, in_session

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
    with pytest.raises(tf.errors.InvalidArgumentError, match="has body length 13 bytes, which is"):
        elements(tf.data.FixedLengthRecordDataset(str(texts / "r"), 2))


def test_names_of_files(texts):
    expected = [str(texts / name).encode() for name in ("a.txt", "b.txt")]
    pattern = str(texts / "*.txt")
    assert elements(D.list_files(pattern, shuffle=False)) == expected
    both = [pattern, str(texts / "b*")]  # what matches both is there twice, as in TensorFlow
    assert sorted(elements(D.list_files(both, seed=1))) == [*expected, expected[1]]
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


def test_paths_and_what_is_no_name(texts):
    assert elements(tf.data.TextLineDataset([texts / "b.txt"])) == [b"three"]
    assert elements(D.list_files(texts / "b*", shuffle=False)) == [str(texts / "b.txt").encode()]
    for names in ([1, 2], tf.constant(1), D.range(2)):
        with pytest.raises(TypeError, match="must contain `tf.string` elements. Got `tf.int"):
            tf.data.TextLineDataset(names)
    with tf.Graph().as_default():
        names = D.list_files(tf.constant(str(texts / "*.txt")))
        assert int(tf.get_static_value(names.cardinality()) or 2) == 2
        with pytest.raises(TypeError, match="patterns must be known when the dataset is made"):
            D.list_files(tf.placeholder(tf.string))


def test_shards_of_saved_datasets(tmp_path):
    D.range(6).save(tmp_path, shard_func=lambda x: x // 3)
    assert elements(D.load(tmp_path)) == [0, 3, 1, 4, 2, 5]
    assert len(D.load(tmp_path)) == 6
    one_by_one = D.load(tmp_path, reader_func=lambda shards: shards.flat_map(lambda shard: shard))
    assert elements(one_by_one) == [0, 1, 2, 3, 4, 5]
    assert elements(D.load(tmp_path, reader_func=lambda shards: shards.take(1).flat_map(
        lambda shard: shard.map(lambda x: -x)))) == [0, -1, -2]  # fmt: skip
    with pytest.raises(TypeError, match="reader_func must return a dataset"):
        D.load(tmp_path, reader_func=lambda shards: 1)
    with pytest.raises(ValueError, match="`wait` is only supported"):
        D.load(tmp_path, wait=True)
    with pytest.raises(NotImplementedError, match="no checkpoints"):
        D.range(3).save(tmp_path, checkpoint_args={"directory": "x"})
    with pytest.raises(NotImplementedError, match="give reader_func and shard_func to load"):
        D.range(3).snapshot(tmp_path, reader_func=lambda shards: shards)


def test_saving_ragged_elements(tmp_path):
    D.from_tensor_slices((tf.ragged.constant([[1], [2, 3], []]), [1, 2, 3])).batch(2).save(tmp_path)
    first, second = D.load(tmp_path)
    assert first[0].to_list() == [[1], [2, 3]] and second[0].to_list() == [[]]


def test_saving_in_functions_and_sessions(tmp_path):
    @tf.function
    def write(n):
        D.range(n).map(lambda x: x * x).save(tmp_path / "a")

    write(tf.constant(4, tf.int64))
    assert elements(D.load(tmp_path / "a")) == [0, 1, 4, 9]
    with tf.Graph().as_default(), tf.Session() as session:
        operation = D.range(3).save(tmp_path / "b")
        with pytest.raises(tf.errors.NotFoundError, match="holds no saved dataset"):
            D.load(tmp_path / "b")
        session.run(operation)
    assert elements(D.load(tmp_path / "b")) == [0, 1, 2]
