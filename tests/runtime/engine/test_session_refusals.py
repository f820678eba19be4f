"""What sessions and graphs refuse: with TensorFlow's classes, and words that say what to do."""

import numpy as np
import pytest

import runtime as tf
from runtime import errors
from runtime.engine.feeds import feedable


@pytest.fixture
def sess():
    with tf.Session(graph=tf.Graph()) as session:
        yield session


@pytest.fixture
def foreign():
    with tf.Graph().as_default():
        return tf.constant(1, name="elsewhere")


@pytest.mark.parametrize(
    ("fetch", "error", "text"),
    [
        ("nobody", ValueError, "'nobody' refers to an Operation not in the graph"),
        ("nobody:0", ValueError, "'nobody:0' refers to a Tensor which does not exist"),
        ("x:7", ValueError, "has 1 outputs"),
        ("x:y", ValueError, "not a valid tensor name"),
        (3, TypeError, "invalid type int.*Can not convert a int"),
        ([{"deep": (None,)}], TypeError, "NoneType.*Cannot be None"),
        ({1, 2}, TypeError, "invalid type set"),
        (iter([]), TypeError, "list_iterator"),
    ],
)
def test_fetches(sess, fetch, error, text):
    tf.placeholder(tf.float32, name="x")
    with pytest.raises(error, match=text):
        sess.run(fetch)


def test_elements_of_other_graphs(sess, foreign):
    x = tf.placeholder(tf.float32, name="x")
    for fetch in (foreign, foreign.op):
        with pytest.raises(ValueError, match="is not an element of this graph"):
            sess.run([fetch])
    with pytest.raises(TypeError, match="feed_dict key as Tensor.*not an element of this graph"):
        sess.run(x, {foreign: 1})
    with pytest.raises(ValueError, match="given session: its graph is different"):
        foreign.eval(session=sess)
    with pytest.raises(ValueError, match="default session: its graph is different"):
        foreign.op.run()
    with pytest.raises(ValueError, match="belongs to another graph"):
        with tf.control_dependencies([foreign]):
            pass


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("nobody:0", "does not exist"),
        ("x", "refers to an Operation, not a Tensor"),
        (3, "Can not convert a int into a Tensor"),
    ],
)
def test_feed_keys(sess, key, text):
    x = tf.placeholder(tf.float32, name="x")
    with pytest.raises(TypeError, match=f"Cannot interpret feed_dict key as Tensor: .*{text}"):
        sess.run(x, {key: 1.0})
    with pytest.raises(TypeError, match="feed_dict must be a dict"):
        sess.run(x, [1.0])
    with pytest.raises(TypeError, match="feed_dict key as Tensor"):
        sess.run(x, {x.op: 1.0})


def test_feeding_a_variable(sess):
    v = tf.Variable(1.0)
    with pytest.raises(TypeError, match=r"variable\.load"):
        feedable(sess.graph, v)
    v.load(2.0, sess)
    assert sess.run(v + 1.0) == 3


@pytest.mark.parametrize(
    ("dtype", "value", "text"),
    [
        (tf.int32, 1.5, "int32 does not hold"),
        (tf.int32, np.float32(2.5), "int32 does not hold"),
        (tf.int32, 2**40, "does not fit"),
        (tf.uint8, -1, "uint8"),
        (tf.uint8, np.int64(300), "does not hold np.int64.300"),
        (tf.float32, 1 + 1j, "does not hold"),
        (tf.bool, 2, "bool does not hold"),
        (tf.float32, "1", "text cannot become float32"),
        (tf.string, 1, "numbers cannot become string"),
    ],
)
def test_values_that_a_dtype_does_not_hold(sess, dtype, value, text):
    x = tf.placeholder(dtype, name="x")
    with pytest.raises(TypeError, match=f"Cannot feed .* to tensor 'x:0'.*{text}"):
        sess.run(x, {x: value})


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        (tf.int32, 2.0, np.int32(2)),
        (tf.int64, np.float64([1, 2]), np.int64([1, 2])),
        (tf.int64, 2**40, np.int64(2**40)),
        (tf.uint64, 2**64 - 1, np.uint64(2**64 - 1)),
        (tf.float32, True, np.float32(1)),
        (tf.int32, np.bool_([True, False]), np.int32([1, 0])),
        (tf.bool, [1, 0], np.bool_([True, False])),
        (tf.float16, np.float64(0.1), np.float16(0.1)),
        (tf.float32, 2**24 + 1, np.float32(2**24)),
        (tf.float32, np.float64("nan"), np.float32("nan")),
        (tf.complex64, 1, np.complex64(1)),
        (tf.float32, [], np.float32([])),
        (tf.string, "a", b"a"),
        (tf.string, np.array(["a", "b"]), np.array([b"a", b"b"], object)),
    ],
)
def test_values_that_are_converted(sess, dtype, value, expected):
    x = tf.placeholder(dtype)
    result = sess.run(x, {x: value})
    np.testing.assert_array_equal(result, expected)
    assert np.asarray(result).dtype == np.asarray(expected).dtype or dtype is tf.string


def test_none_as_a_value(sess):
    x = tf.placeholder(tf.float32, name="x")
    with pytest.raises(ValueError, match="None values not supported"):
        sess.run(x, {x: None})
    with pytest.raises(ValueError, match="non-rectangular"):
        sess.run(x, {x: [[1], [2, 3]]})


def test_nested_keys_need_values_alike(sess):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    assert sess.run(x + y, {(x, (y,)): (1, [2])}) == 3
    with pytest.raises(ValueError, match="same"):
        sess.run(x + y, {(x, y): (1, 2, 3)})


def test_what_was_prevented(sess):
    x = tf.placeholder(tf.float32, name="x")
    y = x + 1.0
    sess.graph.prevent_feeding(x)
    sess.graph.prevent_fetching(y.op)
    assert not sess.graph.is_feedable(x) and sess.graph.is_feedable(y)
    assert not sess.graph.is_fetchable(y) and sess.graph.is_fetchable(x.op)
    with pytest.raises(ValueError, match="x:0 may not be fed"):
        sess.run(y * 2.0, {x: 1.0})
    with pytest.raises(ValueError, match="not fetchable"):
        sess.run(y, {y: 1.0})


def test_life_of_a_session():
    session = tf.Session(graph=tf.Graph())
    with pytest.raises(RuntimeError, match="graph is empty"):
        session.run([])
    with session:
        tf.constant(1, name="one")
        with pytest.raises(RuntimeError, match="not re-entrant"):
            with session:
                pass
        with session.as_default(), session.as_default():
            assert session.run(()) == () and session.run({}) == {}
        run = session.make_callable("one:0")
        assert run() == 1
    for use in (lambda: session.run("one:0"), run):
        with pytest.raises(RuntimeError, match="closed Session"):
            use()
    session.close()
    with pytest.raises(RuntimeError, match="closed Session"), session:
        session.run("one:0")


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"graph": 3}, TypeError, "must be a Graph"),
        ({"target": 3}, TypeError, "must be a string"),
        ({"target": "grpc://far"}, errors.NotFoundError, "There is no cluster at"),
        ({"config": {}}, TypeError, "must be a ConfigProto"),
    ],
)
def test_arguments_of_sessions(arguments, error, text):
    with pytest.raises(error, match=text):
        tf.Session(**arguments)


def test_messages_say_which_fields_are_set():
    metadata = tf.RunMetadata()
    assert not metadata.HasField("step_stats")
    with tf.Graph().as_default(), tf.Session() as session:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(tf.constant(1) + 2, options=options, run_metadata=metadata)
    assert metadata.HasField("step_stats") and not metadata.HasField("cost_graph")
    with pytest.raises(ValueError, match="RunMetadata has no field 'speed'"):
        metadata.HasField("speed")


def test_options_of_runs(sess):
    x = tf.constant(1)
    assert sess.run(x, options=tf.RunOptions(), run_metadata=tf.RunMetadata()) == 1
    with pytest.raises(TypeError, match="must be a RunOptions"):
        sess.run(x, options={})
    with pytest.raises(errors.UnimplementedError, match="time limit"):
        sess.run(x, options=tf.RunOptions(timeout_in_ms=5))
    assert sess.run(x, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)) == 1
    with pytest.raises(TypeError, match="must be a RunMetadata"):
        sess.run(x, None, tf.RunOptions(trace_level=1), {})
    with pytest.raises(ValueError, match="RunOptions has no 'speed' field"):
        tf.RunOptions(speed=1)
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    assert "allow_growth=True" in repr(config) and tf.ConfigProto() == tf.ConfigProto()
    assert not tf.ConfigProto().gpu_options.allow_growth
    with pytest.raises(AttributeError, match="no field 'gpus'"):
        config.gpus = 2


def test_callables(sess):
    x, y = tf.placeholder(tf.float32, [2], name="x"), tf.placeholder(tf.float32)
    run = sess.make_callable({"sum": x + y, "op": x.op}, ["x:0", y])
    assert run([1, 2], 3.0)["sum"].tolist() == [4, 5] and run([1, 2], 3.0)["op"] is None
    with pytest.raises(ValueError, match="takes 2 values to feed, got 1"):
        run([1, 2])
    with pytest.raises(ValueError, match="Cannot feed value of shape"):
        run([1], 2)
    with pytest.raises(TypeError, match="accept_options=True"):
        run([1, 2], 3.0, options=tf.RunOptions())
    with pytest.raises(TypeError, match="feed_dict key"):
        sess.make_callable(x, [3])
    with pytest.raises(TypeError, match="must be a list"):
        sess.make_callable(x, x)


def test_partial_runs(sess):
    x = tf.constant(1)
    with pytest.raises(NotImplementedError, match="partial_run is not offered: run everything"):
        sess.partial_run_setup([x])
    with pytest.raises(NotImplementedError, match="partial_run is not offered"):
        sess.partial_run("handle", x)


def test_a_large_result_belongs_to_the_caller(sess):
    fed = np.ones(10_000, np.float32)
    x = tf.placeholder(tf.float32, [None])
    c = tf.constant(fed)
    v = tf.Variable(fed)
    sess.run(v.initializer)
    kept = v.assign(x * 2.0)
    views = tf.reshape(v, [100, 100]), tf.reshape(x, [-1])
    for fetches in ([c, c], [v, x], [kept, views[0]], [x + 1.0, views[1]]):
        for array in sess.run(fetches, {x: fed}):
            array[...] = 9
    assert sess.run(c)[0] == 1 and sess.run(v)[0] == 2 and fed[0] == 1
    sess.run(v.assign(x), {x: fed})
    fed[:] = 7
    assert sess.run(v)[0] == 1
