"""Rows about files: read, write, find; and columns of comma-separated values."""

import numpy as np
import pytest

import runtime as tf


def test_files_are_written_and_read(tmp_path):
    name = str(tmp_path / "new" / "a.txt")
    tf.io.write_file(name, "text")
    assert tf.io.read_file(name).numpy() == b"text"
    tf.io.write_file(tf.constant(name), b"\x00\xff")
    assert tf.io.read_file(name).numpy() == b"\x00\xff"
    with pytest.raises(tf.errors.NotFoundError, match="none; No such file"):
        tf.io.read_file(str(tmp_path / "none"))
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        tf.io.read_file(str(tmp_path))
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalar"):
        tf.io.read_file([name])


def test_graphs_write_and_read_in_order(tmp_path):
    @tf.function
    def twice(name):
        tf.io.write_file(name, "a")
        first = tf.io.read_file(name)
        tf.io.write_file(name, first + "b")
        return first, tf.io.read_file(name)

    found = twice(tf.constant(str(tmp_path / "f")))
    assert [text.numpy() for text in found] == [b"a", b"ab"]
    with tf.Graph().as_default(), tf.Session() as session:
        name = tf.placeholder(tf.string, [])
        assert session.run(tf.io.read_file(name), {name: str(tmp_path / "f")}) == b"ab"


def test_files_that_match(tmp_path):
    for name in ("b.txt", "a.txt", "c.md"):
        (tmp_path / name).write_text("")
    found = tf.io.matching_files([str(tmp_path / "*.txt"), str(tmp_path / "a*")])
    names = [str(tmp_path / name).encode() for name in ("a.txt", "a.txt", "b.txt")]
    assert found.numpy().tolist() == names  # one matches both patterns
    assert tf.io.matching_files(str(tmp_path / "none*")).shape == [0]


def test_columns():
    records = np.array([["1,x y,2.5", '-4,"a,""b""",'], [",,7", "3, z ,1e3"]], object)
    n, text, x = tf.io.decode_csv(records, [[9], [""], tf.constant([0.5])])
    assert n.numpy().tolist() == [[1, -4], [9, 3]] and n.dtype is tf.int32
    assert text.numpy().tolist() == [[b"x y", b'a,"b"'], [b"", b" z "]]
    assert x.numpy().tolist() == [[2.5, 0.5], [7.0, 1000.0]] and x.dtype is tf.float32
    (second,) = tf.io.decode_csv("1;NA;3", [tf.constant([8], tf.int64)], ";", na_value="NA",
                                 select_cols=[1])  # fmt: skip
    assert second == 8 and second.dtype is tf.int64
    assert tf.io.decode_csv("1e300", [1.0])[0].numpy() == np.inf
    assert [c.numpy() for c in tf.io.decode_csv('"a,b"', ["", ""], use_quote_delim=False)] == [
        b'"a', b'b"']  # fmt: skip


def test_what_is_no_column():
    for record, text in (("1,2", "Expect 1 fields but have more in record 0"),
                         ("x", "Field 0 in record 0 is not a valid int32: x"),
                         ("1\n", "Unquoted fields cannot have quotes inside, nor line ends"),
                         ("", "Field 0 is required but missing in record 0")):  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            tf.io.decode_csv(record, [tf.int32])
    with pytest.raises(ValueError, match="must be one value, or empty"):
        tf.io.decode_csv("1", [[1, 2]])
    with pytest.raises(ValueError, match="must have one length"):
        tf.io.decode_csv("1,2", [[1]], select_cols=[0, 1])
