"""``IndexedSlices`` where tensors can be: in functions, branches, loops and nests."""

import pytest

import runtime as tf


def rows(whole=True):
    dense_shape = tf.constant([4]) if whole else None
    return tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 3]), dense_shape)


def parts(slices):
    assert isinstance(slices, tf.IndexedSlices)
    shape = slices.dense_shape
    return (
        slices.values.numpy().tolist(),
        slices.indices.numpy().tolist(),
        None if shape is None else shape.numpy().tolist(),
    )


@pytest.mark.parametrize("whole", [True, False])
def test_functions_take_and_return_them(whole):
    given = rows(whole)
    doubled = tf.function(lambda s: tf.IndexedSlices(s.values * 2.0, s.indices, s.dense_shape))
    assert parts(tf.function(lambda s: s)(given)) == parts(given)
    assert parts(tf.function(lambda: given)()) == parts(given)
    assert parts(doubled(given))[0] == [2.0, 4.0]
    doubled(rows(whole))
    assert doubled.experimental_get_tracing_count() == 1


def test_branches_and_loops_carry_them():
    @tf.function
    def chosen(flag, slices):
        if flag:
            slices = tf.IndexedSlices(-slices.values, slices.indices, slices.dense_shape)
        for _ in tf.range(2):
            slices = tf.IndexedSlices(slices.values * 3.0, slices.indices, slices.dense_shape)
        return slices

    assert parts(chosen(tf.constant(True), rows()))[0] == [-9.0, -18.0]
    assert parts(chosen(tf.constant(False), rows()))[0] == [9.0, 18.0]


def test_a_function_scatters_what_it_is_given():
    v = tf.Variable([1.0, 1.0, 1.0, 1.0])

    @tf.function
    def step(slices):
        v.scatter_sub(slices)

    step(rows())
    assert v.numpy().tolist() == [0.0, 1.0, 1.0, -1.0]


def test_sessions_fetch_them():
    with tf.Graph().as_default(), tf.Session() as session:
        fetched = session.run(rows())
        assert fetched.values.tolist() == [1.0, 2.0]
        assert fetched.dense_shape.tolist() == [4]
