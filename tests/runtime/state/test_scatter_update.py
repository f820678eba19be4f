"""Parts of variables: scatter methods, slices, counters; eagerly, in functions and in sessions."""

import sys
import threading

import numpy as np
import pytest

import autograph
import runtime as tf

START = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
ROWS = {
    "add": [[11, 22], [3, 4], [35, 46]], "sub": [[-9, -18], [3, 4], [-25, -34]],
    "mul": [[10, 40], [3, 4], [150, 240]], "div": [[0.1, 0.1], [3, 4], [5 / 30, 6 / 40]],
    "min": [[1, 2], [3, 4], [5, 6]], "max": [[10, 20], [3, 4], [30, 40]],
    "update": [[10, 20], [3, 4], [30, 40]],
}  # fmt: skip


def ways(program, start, *args):
    """What a program of a variable returns and leaves in it: eagerly, as function, in a session."""
    variable = tf.Variable(start)
    eager = program(variable, *map(tf.constant, args))
    yield np.asarray(eager), variable.numpy()
    variable = tf.Variable(start)
    yield np.asarray(tf.function(program)(variable, *map(tf.constant, args))), variable.numpy()
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable(start)
        holders = [tf.placeholder(tf.constant(a).dtype, np.shape(a)) for a in args]
        result = autograph.to_graph(program)(variable, *holders)
        session.run(tf.global_variables_initializer())
        found = session.run(tf.convert_to_tensor(result), dict(zip(holders, args)))
        yield found, session.run(variable)


def check(program, start, args, result, left):
    for found, after in ways(program, start, *args):
        np.testing.assert_allclose(found, result, rtol=1e-6)
        np.testing.assert_allclose(after, left, rtol=1e-6)


@pytest.mark.parametrize("how", ROWS)
def test_rows(how):
    def program(v, values):
        getattr(v, f"scatter_{how}")(tf.IndexedSlices(values, [0, 2]))
        return v.sparse_read([2, 0])

    expected = np.float32(ROWS[how])
    check(program, START, ([[10.0, 20.0], [30.0, 40.0]],), expected[[2, 0]], expected)


def test_rows_that_recur():
    def program(v):
        v.scatter_add(tf.IndexedSlices([1.0, 2.0, 4.0], [1, 1, 0]))
        v.scatter_mul(tf.IndexedSlices([3.0, 3.0], [1, 1]))
        return v.scatter_update(tf.IndexedSlices(7.0, [2])) + 0.0

    check(program, [1.0, 1.0, 1.0], (), [5, 36, 7], [5, 36, 7])


def test_whole_numbers_divide_towards_zero():
    v = tf.Variable([7, -7])
    assert v.scatter_div(tf.IndexedSlices([2, 2], [0, 1])).numpy().tolist() == [3, -3]


def test_places():
    def program(v):
        v.scatter_nd_add([[0, 0], [2, 1]], [10.0, 20.0])
        v.scatter_nd_sub([[1]], [[1.0, 1.0]])
        v.scatter_nd_max([[0, 1]], [5.0])
        v.scatter_nd_min([[2, 0]], [0.0])
        v.scatter_nd_update([[1, 1]], [-1.0])
        return v.gather_nd([[0, 0], [1, 1]])

    check(program, START, (), [11, -1], [[11, 5], [2, -1], [0, 26]])


def test_batches():
    v = tf.Variable([[1, 2, 3], [4, 5, 6]])
    v.batch_scatter_update(tf.IndexedSlices([[10, 30], [50, 40]], [[0, 2], [1, 0]]))
    assert v.numpy().tolist() == [[10, 2, 30], [40, 50, 6]]


def test_slices_in_loops_and_branches():
    def program(v, n):
        for i in tf.range(n):
            if i % 2 == 0:
                v[i].assign([0.5, tf.cast(i, tf.float32)])
            else:
                v[i, 1].assign(-1)
        v[:, 0].assign(v[:, 0] * 2)
        return tf.reduce_sum(v)

    left = [[1, 0], [6, -1], [1, 2]]
    check(program, START, (3,), np.sum(left), left)


def test_tensorflow_1_functions():
    v = tf.Variable([1.0, 2.0])
    tf.scatter_add(v, [0], [1.0])
    tf.scatter_nd_update(v, [[1]], [9.0])
    assert tf.scatter_sub(v, [1], [1.0]).numpy().tolist() == [2, 8]
    assert tf.assign_add(v, [1, 1]).numpy().tolist() == [3, 9]


def test_count_up_to():
    def program(v, limit):
        first = v.count_up_to(3)
        v.count_up_to(3)
        return first

    check(program, 1, (0,), 1, 3)
    v = tf.Variable(3)
    with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 3"):
        v.count_up_to(3)
    with pytest.raises(TypeError, match="whole number"):
        tf.Variable(1.0).count_up_to(3)


def test_what_does_not_fit_is_refused():
    for value in (["a"], [True]):
        with pytest.raises(TypeError, match="scatter_add does not take dtype"):
            tf.scatter_add(tf.Variable(value), [0], value)
    v = tf.Variable(START, name="v")
    with pytest.raises(TypeError, match="must be a `tf.IndexedSlices`"):
        v.scatter_add([1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[1\] = 3 is not in"):
        v.scatter_add(tf.IndexedSlices([[1.0, 1.0]] * 2, [0, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"updates.shape \(2,\)"):
        v.scatter_add(tf.IndexedSlices([1.0, 1.0], [0]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="broadcast"):
        v[0].assign([1.0, 2.0, 3.0])
    with pytest.raises(AttributeError, match=r"variable\[key\].assign"):
        tf.constant([1.0])[0].assign(1.0)
    assert not hasattr(tf.constant(1.0), "assign")
    assert v.numpy().tolist() == START


def test_indexed_slices_are_a_tensor():
    rows = tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1, 1]), [3, 2])
    assert tf.convert_to_tensor(rows).numpy().tolist() == [[0, 0], [4, 6], [0, 0]]
    assert (-rows).values.numpy().tolist() == [[-1, -2], [-3, -4]] and rows.dtype is tf.float32
    assert rows.shape.as_list() == [3, 2] and "CPU" in rows.device
    assert tf.IndexedSlices([[1.0]], [0]).shape.as_list() == [None, 1]
    with pytest.raises(ValueError, match="dense_shape"):
        tf.convert_to_tensor(tf.IndexedSlices([[1.0]], [0]))


def test_initialized_value():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(3)
        value = v.initialized_value()
        assert session.run(value) == 3
        session.run(tf.global_variables_initializer())
        session.run(v.assign(5))
        assert session.run(value) == 5


def test_threads_change_parts_of_one_variable():
    in_use = sys.getswitchinterval()
    v = tf.Variable([0, 0, 0])

    def work():
        for _ in range(150):
            v.scatter_add(tf.IndexedSlices([1], [0]))
            v.scatter_nd_add([[1]], [2])
            v[2].assign(7)

    threads = [threading.Thread(target=work) for _ in range(4)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(in_use)
    assert v.numpy().tolist() == [600, 1200, 7]


def test_gradients_do_not_go_through_what_is_assigned():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        v.scatter_add(tf.IndexedSlices([2.0], [0]))
        v[1].assign(5.0)
        y = tf.reduce_sum(v * v)
    assert tape.gradient(y, v).numpy().tolist() == [6, 10]
