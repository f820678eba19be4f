"""What branches and loops may hand on: operations, IndexedSlices, rows of ragged tensors."""

import numpy as np
import pytest

import runtime as tf


@pytest.fixture
def sess():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def slices(values, indices, size=4):
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices), tf.constant([size]))


# -- operations -----------------------------------------------------------------------------------


def test_an_operation_in_a_nest_gives_what_the_branch_was_chosen_by(sess):
    p = tf.placeholder(tf.bool, [])
    v, w = tf.Variable(1), tf.Variable(1)
    done = tf.cond(p, lambda: [v.assign(2).op, tf.constant(5)], lambda: [w.assign(3).op, 6])
    sess.run(tf.global_variables_initializer())
    assert sess.run(done, {p: True}) == [True, 5] and sess.run([v, w]) == [2, 1]
    assert sess.run(done[0], {p: False}) == np.False_ and sess.run([v, w]) == [2, 3]


@pytest.mark.parametrize("second", [True, False])
def test_an_exclusive_case_is_checked_whatever_is_fetched(sess, second):
    holds = tf.placeholder(tf.bool, [])
    pairs = [(tf.constant(True), lambda: tf.constant(1)), (holds, lambda: tf.constant(2))]
    chosen = tf.case(pairs, default=lambda: tf.constant(3), exclusive=True)
    if second:
        with pytest.raises(tf.errors.InvalidArgumentError, match="more than one predicate holds"):
            sess.run(chosen, {holds: True})
    else:
        assert sess.run(chosen, {holds: False}) == 1


def test_a_case_of_one_function_without_a_default_is_checked_too(sess):
    p = tf.placeholder(tf.bool, [])
    chosen = tf.case([(p, lambda: {"a": tf.constant(1)})])
    assert sess.run(chosen, {p: True}) == {"a": 1}
    with pytest.raises(tf.errors.InvalidArgumentError, match="no predicate holds"):
        sess.run(chosen, {p: False})


def test_tuples_wait_for_operations_and_keep_none(sess):
    v, w = tf.Variable(1), tf.Variable(1)
    sess.run(tf.global_variables_initializer())
    first, none, operation = tf.tuple([tf.constant(7), None, v.assign_add(1).op], None, [w.op])
    assert none is None and sess.run(first) == 7 and sess.run(v) == 2
    sess.run(operation)
    assert sess.run(v) == 3
    for empty in ([], [None]):
        with pytest.raises(ValueError, match="at least one tensor"):
            tf.tuple(empty)


# -- IndexedSlices --------------------------------------------------------------------------------


def grown(positive):
    chosen = tf.cond(positive, lambda: slices([1.0, 2.0], [0, 2]), lambda: slices([3.0], [1]))
    _, doubled = tf.while_loop(
        lambda k, _: k < 3,
        lambda k, s: (k + 1, tf.IndexedSlices(s.values * 2.0, s.indices, s.dense_shape)),
        (0, chosen), shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
    )  # fmt: skip
    return tf.convert_to_tensor(tf.tuple([doubled])[0])


@pytest.mark.parametrize("positive, expected", [(True, [8, 0, 16, 0]), (False, [0, 24, 0, 0])])
def test_indexed_slices_go_through_branches_and_loops(positive, expected):
    assert grown(tf.constant(positive)).numpy().tolist() == expected
    assert tf.function(grown)(tf.constant(positive)).numpy().tolist() == expected
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.placeholder(tf.bool, [])
        assert session.run(grown(p), {p: positive}).tolist() == expected


def test_branches_give_indexed_slices_both_or_none(sess):
    with pytest.raises(TypeError, match="must return the same structure"):
        tf.cond(tf.constant(True), lambda: slices([1.0], [0]), lambda: tf.constant([1.0]))


@pytest.mark.parametrize("shape", [None, [4]])
def test_sessions_fetch_and_feed_indexed_slices(sess, shape):
    parts = [tf.placeholder(tf.float32, [1]), tf.placeholder(tf.int32, [1])]
    whole = None if shape is None else tf.placeholder(tf.int32, [1])
    given = tf.IndexedSlices(*parts, whole)
    doubled = tf.IndexedSlices(given.values * 2.0, given.indices, given.dense_shape)
    fed = ([1.5], [3], shape)
    values, indices, dense = sess.run(doubled, {given: fed})
    assert (values.tolist(), indices.tolist()) == ([3.0], [3])
    assert dense is None if shape is None else dense.tolist() == shape
    again = sess.run([doubled], {given: sess.run(given, {given: fed})})
    assert again[0].values.tolist() == [3.0]


# -- invariants -----------------------------------------------------------------------------------


def test_invariants_of_tensor_arrays_say_nothing(sess):
    _, rows = tf.while_loop(
        lambda k, _: k < 2, lambda k, a: (k + 1, a.write(k, [1.0])),
        (0, tf.TensorArray(tf.float32, 2)), (tf.TensorShape([]), tf.TensorShape(None)),
    )  # fmt: skip
    assert sess.run(rows.stack()).tolist() == [[1], [1]]


def test_invariants_of_another_dtype_are_refused(sess):
    with pytest.raises(TypeError, match=r"loop_vars\[0\] has dtype float32, but .* int32"):
        tf.while_loop(lambda k: k < 2, lambda k: k + 1, [0], [tf.TensorSpec([], tf.float32)])


# -- map_fn ---------------------------------------------------------------------------------------


def sums(ragged):
    first = tf.map_fn(tf.reduce_sum, ragged, fn_output_signature=tf.int32)
    pairs = tf.map_fn(lambda e: tf.size(e[0]) + e[1], (ragged, tf.constant([10, 20, 30])), tf.int32)
    return first, pairs, tf.foldl(lambda a, row: a * 2 + tf.size(row), ragged, 0)


def test_rows_of_ragged_tensors_are_elements():
    expected = [[3, 3, 0], [12, 21, 30], 10]
    rows = [[1, 2], [3], []]
    found = sums(tf.ragged.constant(rows, tf.int32))
    assert [x.numpy().tolist() for x in found] == expected
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(sums(tf.ragged.constant(rows, tf.int32)))
    assert [x.tolist() for x in found] == expected


def test_results_of_map_fn_are_laid_out_as_the_signature_says():
    x = tf.constant([1, 2])
    with pytest.raises(TypeError, match="must return the structure of fn_output_signature"):
        tf.map_fn(lambda e: (e, e), x, fn_output_signature=[tf.int32, tf.int32])
    with pytest.raises(ValueError, match="must return the structure of fn_output_signature"):
        tf.map_fn(lambda e: (e, e), x, fn_output_signature=tf.int32)
    with pytest.raises(TypeError, match="fn returned a RaggedTensor, and these cannot be stacked"):
        tf.map_fn(lambda e: tf.ragged.constant([[1], [2, 3]]), x)
    with pytest.raises(TypeError, match="elems holds a TensorArray, which has no rows"):
        tf.map_fn(lambda e: e, tf.TensorArray(tf.int32, 2))


def ragged_rows(counts):
    flat = tf.RaggedTensorSpec([None], tf.int32)
    rows = tf.map_fn(tf.range, counts, fn_output_signature=flat)
    nested = tf.map_fn(
        lambda n: tf.RaggedTensor.from_row_lengths(tf.range(n * 2), [n, n]), counts,
        fn_output_signature=tf.RaggedTensorSpec([None, None], tf.int32),
    )  # fmt: skip
    return rows, tf.map_fn(lambda row: row * 2, rows, fn_output_signature=flat), nested


LISTS = [
    [[0, 1], [], [0]],
    [[0, 2], [], [0]],
    [[[0, 1], [2, 3]], [[], []], [[0], [1]]],
]


@pytest.mark.parametrize("counts", [[2, 0, 1], []])
def test_results_of_different_lengths_are_the_rows_of_a_ragged_tensor(counts):
    expected = LISTS if counts else [[], [], []]
    as_lists = lambda found: [r.to_list() for r in found]
    given = tf.constant(counts, tf.int32)
    assert as_lists(ragged_rows(given)) == expected
    assert as_lists(tf.function(ragged_rows)(given)) == expected
    with tf.Graph().as_default(), tf.Session() as session:
        c = tf.placeholder(tf.int32, [None])
        assert as_lists(session.run(ragged_rows(c), {c: counts})) == expected


def test_rows_of_a_ragged_result_have_a_derivative_and_fit_the_signature():
    x = tf.constant([1.0, 2.0, 3.0])
    spec = tf.RaggedTensorSpec([None], tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.map_fn(lambda e: tf.fill([tf.cast(e, tf.int32)], e), x, fn_output_signature=spec)
        total = tf.reduce_sum(rows.flat_values)
    assert tape.gradient(total, x).numpy().tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="rows of ragged rank 0, but fn returned a RaggedTensor"):
        tf.map_fn(lambda e: tf.ragged.constant([[1.0]]), x, fn_output_signature=spec)
    with pytest.raises(ValueError, match=r"rows of shape \(None,\), got \(1, 1\)"):
        tf.map_fn(lambda e: tf.reshape(e, [1, 1]), x, fn_output_signature=spec)
    with pytest.raises(ValueError, match=r"rows of shape \(None,\), got \(\)"):
        tf.map_fn(lambda e: e, x, fn_output_signature=spec)


def test_vectorized_map_repeats_what_has_length_1():
    def f(x, y):
        return tf.vectorized_map(lambda e: e[0] * e[1]["y"], (x, {"y": y}))

    for call in (f, tf.function(f)):
        found = call(tf.constant([[1, 2]]), tf.constant([[1], [10], [100]])).numpy().tolist()
        assert found == [[1, 2], [10, 20], [100, 200]]
    with pytest.raises(ValueError, match="elems must have one length"):
        f(tf.constant([1, 2]), tf.constant([1, 2, 3]))


def test_branches_are_chosen_by_whole_numbers():
    with pytest.raises(TypeError, match="branch_index must be an integer, got .* float32"):
        tf.switch_case(tf.constant(1.5), [lambda: 1, lambda: 2])
    with pytest.raises(ValueError, match="a number is given twice"):
        tf.switch_case(tf.constant(1), [(1, lambda: 1), (1, lambda: 2)])


def clipped(x):
    if x > 2:
        x = x * 0 + 2
    return x


def test_functions_given_to_map_fn_are_converted_in_converted_code():
    @tf.function
    def f(x):
        total = tf.foldl(lambda a, e: a + clipped(e), x, 0)
        return tf.map_fn(clipped, x), tf.scan(lambda a, e: clipped(a) + clipped(e), x), total

    mapped, scanned, total = f(tf.constant([1, 5, 3]))
    assert (mapped.numpy().tolist(), scanned.numpy().tolist()) == ([1, 2, 2], [1, 3, 4])
    assert total.numpy() == 5
