"""TensorShape and TensorSpec: unknowns, merging, relaxing."""

import pickle

import pytest

import runtime as tf


def test_text():
    assert str(tf.TensorShape([2, None])) == "(2, None)"
    assert repr(tf.TensorShape([2, None])) == "TensorShape([2, None])"
    assert str(tf.TensorShape(None)) == "<unknown>"
    assert repr(tf.TensorSpec([2], tf.int32)) == "TensorSpec(shape=(2,), dtype=tf.int32, name=None)"


def test_behaves_as_a_sequence():
    shape = tf.TensorShape([2, None, 4])
    assert len(shape) == 3 and list(shape) == [2, None, 4] and shape[0] == 2
    assert shape[1:] == [None, 4]
    assert shape.rank == shape.ndims == 3
    assert shape + [5] == (2, None, 4, 5) and [1] + shape == (1, 2, None, 4)


def test_unknown_rank():
    unknown = tf.TensorShape(None)
    assert not unknown and unknown.rank is None and unknown.num_elements() is None
    with pytest.raises(ValueError, match="rank"):
        len(unknown)


def test_num_elements():
    assert tf.TensorShape([2, 3]).num_elements() == 6
    assert tf.TensorShape([]).num_elements() == 1
    assert tf.TensorShape([2, None]).num_elements() is None


def test_merge_keeps_what_either_knows():
    assert tf.TensorShape([None, 3]).merge_with([2, None]) == [2, 3]
    assert tf.TensorShape(None).merge_with([2]) == [2]
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\) are incompatible"):
        tf.TensorShape([2]).merge_with([3])


def test_join_relaxes():
    assert tf.TensorShape([2, 3]).most_specific_compatible_shape([2, 4]) == [2, None]
    assert tf.TensorShape([2, 3]).most_specific_compatible_shape([2, None]) == [2, None]
    assert tf.TensorShape([2, None]).most_specific_compatible_shape([2, 3]) == [2, None]
    assert tf.TensorShape([2]).most_specific_compatible_shape([2, 4]) == tf.TensorShape(None)


@pytest.mark.parametrize("bad", [-1, "a", [1.5], [-2], 2.0])
def test_bad_dimensions(bad):
    with pytest.raises((TypeError, ValueError), match=r"[Dd]imension"):
        tf.TensorShape(bad)


def test_spec_compatibility():
    spec = tf.TensorSpec([None, 2], tf.float32)
    assert spec.is_compatible_with(tf.constant([[1.0, 2.0]]))
    assert not spec.is_compatible_with(tf.constant([[1, 2]]))
    assert not spec.is_compatible_with(tf.constant([1.0, 2.0]))
    assert pickle.loads(pickle.dumps(spec)) == spec
