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


def test_how_many_values_there_are_does_not_count():
    seen = []

    @tf.function
    def total(x):
        seen.append(x.shape.as_list())
        return tf.reduce_sum(x.flat_values)

    rows = [[[1], [2, 3, 4]], [[1, 2], [3]], [[], []]]
    calls = [total(tf.ragged.constant(r, tf.int32, ragged_rank=1)) for r in rows]
    assert [t.numpy() for t in calls] == [10, 6, 0]
    total(tf.ragged.constant([[1], [2], [3]]))
    total(tf.ragged.constant([[[1], [2]], []]))
    total(tf.ragged.constant([[], [[1, 5], [2]]]))
    assert seen == [[2, None], [3, None], [2, None, None]]
    (change,) = total.explain().traces[1].changes
    assert (change.argument, change.kind) == ("x", "shape")
    assert change.new == "RaggedTensorSpec(TensorShape([3, None]), tf.int32, 1, tf.int64)"


def test_the_number_of_rows_becomes_unknown_by_reduce_retracing():
    same = tf.function(lambda x: x, reduce_retracing=True)
    for count in range(1, 6):
        assert same(tf.ragged.constant([[1]] * count)).to_list() == [[1]] * count
    assert same.experimental_get_tracing_count() == 2
    signature = "(x: RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64))"
    assert signature in same.pretty_printed_concrete_signatures(verbose=False)


def test_ragged_arguments_in_nests_functions_and_tapes():
    v = tf.Variable([1.0, 2.0])
    inner = tf.function(lambda x: tf.reduce_sum(tf.gather(v, x.flat_values)))
    outer = tf.function(lambda nest: inner(nest["rows"][0]))
    for rows in ([[0], [1, 1]], [[1, 0], [0, 1]]):
        with tf.GradientTape() as tape:
            y = outer({"rows": [tf.ragged.constant(rows)]})
        counts = [sum(rows, []).count(k) for k in (0, 1)]
        assert tf.convert_to_tensor(tape.gradient(y, v)).numpy().tolist() == counts
    assert outer.experimental_get_tracing_count() == 1
