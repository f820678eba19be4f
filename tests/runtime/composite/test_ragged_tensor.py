"""RaggedTensor: what it is made of, rows, tensors of it; as argument and result of functions."""

import numpy as np
import pytest

import runtime as tf


def ragged():
    return tf.ragged.constant([[1, 2], [], [3]])


def test_parts():
    r = ragged()
    assert repr(r) == "<tf.RaggedTensor [[1, 2], [], [3]]>"
    assert r.values.numpy().tolist() == [1, 2, 3]
    assert r.row_splits.numpy().tolist() == [0, 2, 2, 3] and r.row_splits.dtype is tf.int64
    assert r.row_lengths().numpy().tolist() == [2, 0, 1]
    assert r.row_starts().numpy().tolist() == [0, 2, 2]
    assert r.nrows().numpy() == 3 and r.bounding_shape().numpy().tolist() == [3, 2]
    assert (r.shape.as_list(), r.dtype, r.ragged_rank) == ([3, None], tf.int32, 1)
    assert [row.numpy().tolist() for row in r] == [[1, 2], [], [3]]
    assert r[0].numpy().tolist() == [1, 2] and r[-1, 0].numpy() == 3
    assert r[tf.constant(2)].numpy().tolist() == [3]


def test_to_tensor():
    assert ragged().to_tensor().numpy().tolist() == [[1, 2], [0, 0], [3, 0]]
    assert ragged().to_tensor(-1, shape=[None, 1]).numpy().tolist() == [[1], [-1], [3]]
    words = tf.strings.split(["a b", "c"])
    assert words.to_tensor().numpy().tolist() == [[b"a", b"b"], [b"c", b""]]


def test_deeper():
    r = tf.ragged.constant([[[1], [2, 3]], [], [[4]]])
    assert r.to_list() == [[[1], [2, 3]], [], [[4]]] and r.ragged_rank == 2
    assert r[0].to_list() == [[1], [2, 3]] and r[0, 1].numpy().tolist() == [2, 3]
    assert r[2].to_list() == [[4]]
    dense = [[[1, 0], [2, 3]], [[0, 0], [0, 0]], [[4, 0], [0, 0]]]
    assert r.to_tensor().numpy().tolist() == dense
    assert r.row_lengths(axis=2).to_list() == [[1, 2], [], [1]]


def test_map_flat_values():
    doubled = tf.ragged.map_flat_values(tf.add, ragged(), 1)
    assert doubled.to_list() == [[2, 3], [], [4]]
    upper = tf.ragged.map_flat_values(tf.strings.upper, tf.strings.split(["a b", "c"]))
    assert upper.to_list() == [[b"A", b"B"], [b"C"]]


def test_made_of_lengths_and_splits():
    assert tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 2]).to_list() == [[1], [2, 3]]
    assert tf.RaggedTensor.from_row_splits([1, 2], [0, 0, 2]).to_list() == [[], [1, 2]]
    for splits in ([1, 2], [0, 3], [0, 2, 1]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="valid RaggedTensor"):
            tf.RaggedTensor.from_row_splits([1, 2], splits)


def test_functions_take_and_give_them():
    @tf.function
    def f(r):
        return r.with_values(r.values * 2), r.row_lengths()

    doubled, lengths = f(ragged())
    assert doubled.to_list() == [[2, 4], [], [6]] and lengths.numpy().tolist() == [2, 0, 1]
    f(tf.ragged.constant([[5, 6], [7], [8]]))
    with tf.Graph().as_default(), tf.Session() as session:
        words = tf.strings.split(tf.placeholder(tf.string, [None], name="texts"))
        found = session.run([words, words.to_tensor()], {"texts:0": ["a b", "c"]})
    assert found[0].to_list() == [[b"a", b"b"], [b"c"]]
    np.testing.assert_array_equal(found[1], [[b"a", b"b"], [b"c", b""]])


def test_other_ways_to_say_where_rows_are():
    values = [1, 2, 3, 4]
    made = tf.RaggedTensor
    expected = [[1, 2], [], [3, 4]]
    assert made.from_row_limits(values, [2, 2, 4]).to_list() == expected
    assert made.from_row_starts(values, [0, 2, 2]).to_list() == expected
    assert made.from_value_rowids(values, [0, 0, 2, 2]).to_list() == expected
    assert made.from_value_rowids([1], [0], nrows=3).to_list() == [[1], [], []]
    assert made.from_uniform_row_length(values, 2).to_list() == [[1, 2], [3, 4]]
    nested = made.from_nested_row_splits(values, [[0, 1, 2], [0, 3, 4]])
    assert nested.to_list() == [[[1, 2, 3]], [[4]]]
    assert [t.numpy().tolist() for t in nested.nested_row_lengths()] == [[1, 1], [3, 1]]
    assert ragged().value_rowids().numpy().tolist() == [0, 0, 2]
    dense = [[1, 2, 0], [0, 0, 0], [0, 3, 0]]
    assert made.from_tensor(dense, padding=0).to_list() == [[1, 2], [], [0, 3]]
    assert made.from_tensor(dense, lengths=[1, 0, 2]).to_list() == [[1], [], [0, 3]]
    assert made.from_tensor(dense).to_list() == dense
    assert tf.ragged.range([3, 0, 2]).to_list() == [[0, 1, 2], [], [0, 1]]
    assert tf.ragged.range([1, 5], [4, 4], [2, -1]).to_list() == [[1, 3], [5]]
