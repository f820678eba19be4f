"""Iterators of TensorFlow 1: initialised by a session, each session keeping its own."""

import numpy as np
import pytest

import autograph
import runtime as tf

D = tf.data.Dataset


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def rest(session, tensor):
    found = []
    while True:
        try:
            found.append(session.run(tensor))
        except tf.errors.OutOfRangeError:
            return found


def test_one_shot(session):
    x = D.range(3).map(lambda x: x * x).make_one_shot_iterator().get_next()
    assert rest(session, x) == [0, 1, 4]
    assert rest(session, x) == []
    with tf.Session() as other:
        assert rest(other, x) == [0, 1, 4]


def test_initializable_with_a_placeholder(session):
    n = tf.placeholder(tf.int64, [])
    iterator = D.range(n).batch(2).make_initializable_iterator()
    x = iterator.get_next()
    with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
        session.run(x)
    for size in (3, 4):
        session.run(iterator.initializer, {n: size})
        assert [batch.tolist() for batch in rest(session, x)] == [
            list(range(size))[k : k + 2] for k in range(0, size, 2)
        ]
    with tf.Session() as other, pytest.raises(tf.errors.FailedPreconditionError):
        other.run(x)


def test_a_staged_loop_goes_through_an_iterator(session):
    iterator = D.range(5).make_initializable_iterator()

    def total():
        result = tf.constant(0, tf.int64)
        for x in iterator:
            if x == 3:
                break
            result += x
        return result

    found = autograph.to_graph(total)()
    rest_of_it = iterator.get_next()
    session.run(iterator.initializer)
    assert session.run(found) == 3
    assert session.run(rest_of_it) == 4
    session.run(iterator.initializer)
    assert session.run(found) == 3


def test_a_nest_is_fetched_together(session):
    data = D.from_tensor_slices({"a": [1, 2], "b": (["x", "y"], [[1.0], [2.0]])})
    following = tf.data.make_one_shot_iterator(data).get_next()
    first = session.run(following)
    assert first["a"] == 1 and first["b"][0] == b"x" and first["b"][1].tolist() == [1.0]
    assert session.run([following["a"], following["b"][0]]) == [2, b"y"]  # one step for both


def test_two_get_next_take_two_elements(session):
    iterator = D.range(4).make_one_shot_iterator()
    a, b = iterator.get_next(), iterator.get_next()
    assert session.run([a, b]) == [0, 1]
    assert session.run(b) == 2


def test_one_iterator_for_several_datasets(session):
    iterator = tf.data.Iterator.from_structure(tf.int64, [])
    following = iterator.get_next()
    train = iterator.make_initializer(D.range(3))
    test = iterator.make_initializer(D.range(10, 12))
    for start, expected in ((train, [0, 1, 2]), (test, [10, 11]), (train, [0, 1, 2])):
        session.run(start)
        assert rest(session, following) == expected
    with pytest.raises(TypeError, match="Expected output types tf.int64 but got dataset with"):
        iterator.make_initializer(D.from_tensors(1.0))
    with pytest.raises(TypeError, match="Expected output shapes compatible with"):
        iterator.make_initializer(D.from_tensors(np.array([1])))
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        iterator.make_initializer(D.from_tensors((np.int64(1),)))
    with pytest.raises(ValueError, match="does not have an initializer"):
        iterator.initializer
    assert tf.data.get_output_types(iterator) is tf.int64
    assert tf.data.get_output_shapes(iterator) == tf.TensorShape([])
    assert tf.data.get_output_classes(iterator) is tf.Tensor
    with pytest.raises(TypeError, match="must be a nest as output_types"):
        tf.data.Iterator.from_structure((tf.int64, tf.int64), [None])


def test_iterators_are_fed_by_their_handles(session):
    handle = tf.placeholder(tf.string, [])
    x = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    train = D.range(3).make_one_shot_iterator()
    check = D.range(10, 12).make_initializable_iterator()
    fed = session.run([train.string_handle(), check.string_handle()])
    session.run(check.initializer)
    found = [session.run(x, {handle: fed[which]}) for which in (0, 1, 0, 0, 1)]
    assert found == [0, 10, 1, 2, 11]
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(x, {handle: fed[0]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="names no iterator"):
        session.run(x, {handle: "other"})
    for dtype, shape in ((tf.float32, []), (tf.int64, [None])):
        other = tf.data.Iterator.from_string_handle(handle, dtype, shape).get_next()
        with pytest.raises(tf.errors.InvalidArgumentError, match="gives elements of types"):
            session.run(other, {handle: fed[0]})
    assert train.string_handle() is train.string_handle()
    assert train.string_handle(name="other").op.name == "other"


def test_iterators_stay_in_their_graph(session):
    data = D.range(3)
    with tf.Graph().as_default():
        for make in (data.make_one_shot_iterator, data.make_initializable_iterator):
            with pytest.raises(ValueError, match="created in the same graph as the iterator"):
                make()


def test_many_calls_of_get_next_are_warned_of(session, recwarn):
    iterator = D.range(3).make_one_shot_iterator()
    for _ in range(32):
        iterator.get_next()
    assert not recwarn.list
    iterator.get_next()
    assert "unusually high number" in str(recwarn.pop(UserWarning).message)


def test_padding_to_what_is_fed(session):
    sizes = tf.placeholder(tf.int64, [1])
    data = D.range(1, 3).map(lambda x: tf.range(x)).padded_batch(2, sizes)
    assert data.element_spec == tf.TensorSpec([None, None], tf.int64)
    iterator = data.make_initializable_iterator()
    batch = iterator.get_next()
    for size, expected in ((3, [[0, 0, 0], [0, 1, 0]]), (-1, [[0, 0], [0, 1]])):
        session.run(iterator.initializer, {sizes: [size]})
        assert session.run(batch).tolist() == expected
    with pytest.raises(tf.errors.InvalidArgumentError, match="sizes must be 0 or more, or -1"):
        session.run(iterator.initializer, {sizes: [-5]})


def test_functions_use_the_session_s_variables(session):
    scale = tf.Variable(2, dtype=tf.int64)
    data = D.range(3).map(lambda x: x * scale, num_parallel_calls=2).prefetch(1)
    iterator = data.make_initializable_iterator()
    x = iterator.get_next()
    session.run(tf.global_variables_initializer())
    session.run(iterator.initializer)
    assert rest(session, x) == [0, 2, 4]
    session.run(scale.assign(5))
    session.run(iterator.initializer)
    assert rest(session, x) == [0, 5, 10]


def test_errors_come_from_the_session(session):
    data = D.from_tensor_slices(np.array([4, 0], np.int32)).map(lambda x: 8 // x)
    x = data.make_one_shot_iterator().get_next()
    assert session.run(x) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_sessions.py"):
        session.run(x)


def test_eagerly():
    assert [int(x) for x in D.range(2).make_one_shot_iterator()] == [0, 1]
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        D.range(2).make_initializable_iterator()
