"""Input signatures of what consists of several tensors: ragged tensors, tensor arrays, datasets."""

import pytest

import runtime as tf

ROWS = tf.RaggedTensorSpec([None, None], tf.int32)


def traced(spec):
    """An identity with a signature, and what it saw while tracing."""
    seen = []

    @tf.function(input_signature=[spec])
    def same(x):
        seen.append(x)
        return x

    return same, seen


def test_a_signature_of_ragged_tensors_has_one_trace():
    same, seen = traced(ROWS)
    for rows in ([[1], [2, 3]], [[4, 5, 6]], []):
        given = tf.ragged.constant(rows, tf.int32, ragged_rank=1)
        assert same(given).to_list() == rows
    assert len(seen) == 1
    assert seen[0].flat_values.shape.as_list() == [None]


def test_levels_keep_their_order():
    same, seen = traced(tf.RaggedTensorSpec([None, None, None], tf.int32))
    for rows in ([[[1], [2, 3]], [[4]]], [[[], [5]]]):
        assert same(tf.ragged.constant(rows)).to_list() == rows
    assert len(seen) == 1


@pytest.mark.parametrize(
    "other", [tf.ragged.constant([[1.0]]), tf.constant([[1]]), tf.ragged.constant([[[1]]]), 3, None]
)
def test_other_types_are_refused(other):
    same, _ = traced(ROWS)
    with pytest.raises(TypeError, match=r"'x' does not fit .* expected RaggedTensorSpec"):
        same(other)


def test_numbers_of_rows_may_be_declared():
    same, _ = traced(tf.RaggedTensorSpec([2, None], tf.int32))
    assert same(tf.ragged.constant([[1], [2, 3]])).nrows().numpy() == 2
    with pytest.raises(TypeError, match="does not fit"):
        same(tf.ragged.constant([[1]]))


@pytest.mark.parametrize("declared", [True, False])
def test_concrete_functions_take_values_of_their_specs(declared):
    same = traced(ROWS)[0] if declared else tf.function(lambda x: x)
    concrete = same.get_concrete_function(*([] if declared else [ROWS]))
    assert concrete.structured_input_signature == ((ROWS,), {})
    assert concrete(tf.ragged.constant([[5], [6, 7]])).to_list() == [[5], [6, 7]]
    with pytest.raises(TypeError):
        concrete(tf.ragged.constant([[5.0]]))


def test_tensor_arrays_and_nests():
    array = tf.TensorArraySpec([], tf.float32, dynamic_size=True)
    numbers = tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))

    @tf.function(input_signature=[{"array": array, "rows": ROWS, "numbers": numbers}])
    def total(parts):
        sum_ = tf.constant(0, tf.int64)
        for x in parts["numbers"]:
            sum_ += x
        return parts["array"].write(1, 1.0).stack(), tf.reduce_sum(parts["rows"].flat_values), sum_

    written = tf.TensorArray(tf.float32, 1, dynamic_size=True, element_shape=[]).write(0, 3.0)
    rows = tf.ragged.constant([[1], [2]])
    found = total({"array": written, "rows": rows, "numbers": tf.data.Dataset.range(4)})
    assert [t.numpy().tolist() for t in found] == [[3.0, 1.0], 3, 6]
