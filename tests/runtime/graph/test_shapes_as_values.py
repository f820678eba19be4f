"""Shapes where tensors are asked for, and what shapes answer beyond their sizes."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime import errors


def test_a_known_shape_becomes_a_tensor():
    for shape in ([2, 3], [], [2**40]):
        found = tf.convert_to_tensor(tf.TensorShape(shape))
        assert found.numpy().tolist() == shape
        assert found.dtype is (tf.int64 if shape == [2**40] else tf.int32)
    assert tf.reduce_prod(tf.TensorShape([2, 3])).numpy() == 6
    assert tf.constant(tf.TensorShape([2]), tf.int64).dtype is tf.int64


def test_a_function_returns_a_shape_as_a_tensor():
    assert tf.function(lambda x: x.shape)(tf.zeros([4, 2])).numpy().tolist() == [4, 2]


def test_a_shape_with_unknown_sizes_is_no_tensor():
    with pytest.raises(ValueError, match="partially known TensorShape"):
        tf.convert_to_tensor(tf.TensorShape([1, None]))


def test_ranks_are_asserted():
    shape, unknown = tf.TensorShape([1, 2]), tf.TensorShape(None)
    assert shape.with_rank_at_least(2) == shape == shape.with_rank_at_most(2)
    assert unknown.with_rank_at_least(2) == unknown == unknown.with_rank_at_most(2)
    shape.assert_has_rank(2)
    shape.assert_same_rank([5, 6])
    unknown.assert_same_rank([5, 6])
    for asked, words in [
        (lambda: shape.with_rank_at_least(3), "at least 3"),
        (lambda: shape.with_rank_at_most(1), "at most 1"),
        (lambda: shape.assert_has_rank(1), "must have rank 1"),
        (lambda: shape.assert_same_rank([1]), "same rank"),
    ]:
        with pytest.raises(ValueError, match=words):
            asked()


def test_slices_of_an_unknown_shape_have_the_rank_that_their_ends_say():
    unknown = tf.TensorShape(None)
    assert unknown[2:5].as_list() == [None] * 3
    assert unknown[:2].as_list() == [None] * 2
    assert unknown[1:].rank is unknown[-2:].rank is unknown[:-1].rank is None


def test_common_supertype():
    shapes = [tf.TensorShape([1, 3]), tf.TensorShape([1, 2])]
    assert tf.TensorShape([1, 2]).most_specific_common_supertype(shapes).as_list() == [1, None]


@pytest.mark.parametrize("value", [object(), [1, "a"], {1, 2}, [None], [1, None]])
def test_what_is_no_tensor_is_a_type_error_and_a_value_error(value):
    for kind in (TypeError, ValueError, errors.UnfitValueError):
        with pytest.raises(kind):
            tf.constant(value)


def test_truth_counts_as_a_number_beside_numbers():
    assert tf.constant(True, tf.float32).numpy() == 1.0
    assert (tf.constant([1, 2]) + True).numpy().tolist() == [2, 3]
    assert (tf.constant([1.5]) * False).numpy().tolist() == [0.0]
    assert tf.function(lambda x: x + True)(tf.constant([1, 2])).numpy().tolist() == [2, 3]
    with pytest.raises(TypeError, match="dtype bool"):
        tf.constant(1, tf.bool)


def test_dtypes_have_tensorflows_numbers():
    for number, dtype in [(1, tf.float32), (3, tf.int32), (10, tf.bool), (19, tf.float16)]:
        assert tf.as_dtype(number) is dtype
        assert dtype.as_datatype_enum == number
    assert not tf.int8.is_quantized and tf.string.size == 0
    for wrong in (0, 99, -1):
        with pytest.raises(TypeError, match="DType"):
            tf.as_dtype(wrong)
