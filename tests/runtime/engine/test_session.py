"""Sessions: fetches, feeds, effects in program order, errors."""

import collections
import threading

import numpy as np
import pytest

import runtime as tf
from autograph.staging.run_id import Run
from autograph.tracing import load_announced
from runtime import errors
from runtime.graph.session_stack import session_stack
from tests.support.nightly import always

Pair = collections.namedtuple("Pair", "a b")
EAGER = tf.constant(1)


@pytest.fixture
def sess():
    with tf.Session(graph=tf.Graph()) as session:
        yield session


def test_nests_of_fetches(sess):
    x = tf.placeholder(tf.float32, [2])
    y = x * 2.0
    done = tf.print("x", output_stream=open("/dev/null", "w"))
    values = sess.run({"p": Pair(y, [x]), "n": y.name, "op": done}, {x: [1, 2]})
    assert values["p"].a.tolist() == [2, 4] and values["p"].b[0].tolist() == [1, 2]
    assert values["n"].tolist() == [2, 4] and values["op"] is None
    assert type(sess.run(tf.reduce_sum(x), {x: [1, 2]})) is np.float32


def test_feeding_in_mid_graph(sess):
    x = tf.placeholder(tf.float32, name="x")
    y = x + 1.0
    z = y * 2.0
    assert sess.run(z, {y: 10.0}) == 20
    assert sess.run([y, z], {y: 10.0}) == [10, 20]
    assert sess.run(z, {"x:0": 1.0}) == 4
    first, second = tf.unstack(tf.stack([x, x]), num=2)
    assert sess.run([first, second], {x: 1.0, second: 7.0}) == [1, 7]


def test_what_is_fetched_is_not_taken_for_what_is_fed(sess):
    x = tf.placeholder_with_default(2, [])
    y = x + 1
    assert sess.run([y, x]) == [3, 2]
    assert sess.run([y], {x: 7}) == [8]
    assert sess.run([y, x], {y: 1}) == [1, 2]


def test_results_belong_to_the_caller(sess):
    c = tf.constant([1, 2])
    sess.run(c)[0] = 9
    assert sess.run(c).tolist() == [1, 2]


def test_unfed_placeholder_is_named(sess):
    x = tf.placeholder(tf.float32, [2], name="features")
    with pytest.raises(errors.InvalidArgumentError) as caught:
        sess.run(x + 1.0)
    assert "placeholder tensor 'features' with dtype float32 and shape (2,)" in str(caught.value)
    assert f"{__file__}:" in str(caught.value)
    assert caught.value.op is x.op


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ([1.0, 2.0, 3.0], ValueError, r"shape \(3,\) for Tensor x:0, which has shape \(2,\)"),
        (["a", "b"], TypeError, "Cannot feed"),
        ([1j, 2], TypeError, "Cannot feed"),
    ],
)
def test_bad_feeds(sess, value, error, text):
    x = tf.placeholder(tf.float32, [2], name="x")
    with pytest.raises(error, match=text):
        sess.run(x, {x: value})


def test_bad_keys_and_fetches(sess):
    x = tf.placeholder(tf.float32)
    with pytest.raises(TypeError, match="Cannot interpret feed_dict key"):
        sess.run(x, {3: 1.0})
    with pytest.raises(TypeError, match="cannot be a symbolic tensor"):
        sess.run(x, {x: x})
    with pytest.raises(TypeError, match="NoneType"):
        sess.run([x, None], {x: 1.0})
    with pytest.raises(TypeError, match="invalid type float"):
        sess.run(1.5)
    with pytest.raises(TypeError, match=r"numpy\(\), or make it inside"):
        sess.run(EAGER)
    with tf.Graph().as_default():
        foreign = tf.constant(1)
    with pytest.raises(ValueError, match="not an element of this graph"):
        sess.run(foreign)
    with pytest.raises(TypeError, match="not an element of this graph"):
        sess.run(x, {foreign: 1})


def test_closed_session():
    session = tf.Session(graph=tf.Graph())
    session.close()
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run([])


def test_default_sessions():
    assert tf.get_default_session() is None
    with tf.Graph().as_default():
        x = tf.constant(3)
        with pytest.raises(ValueError, match="no session is the default"):
            x.eval()
        with tf.Session() as session:
            assert tf.get_default_session() is session and x.eval() == 3
    interactive = tf.InteractiveSession(graph=tf.Graph())
    try:
        assert tf.constant(4).eval() == 4 and not tf.executing_eagerly()
    finally:
        interactive.close()
    assert tf.get_default_session() is None and tf.executing_eagerly()


def test_interactive_sessions_end_in_any_order(recwarn):
    first = tf.InteractiveSession(graph=tf.Graph())
    assert not recwarn
    with pytest.warns(RuntimeWarning, match="interactive session is already active"):
        second = tf.InteractiveSession(graph=tf.Graph())
    first.close()
    assert tf.get_default_session() is second and tf.get_default_graph() is second.graph
    assert tf.constant(4).eval() == 4
    second.close()
    assert tf.get_default_session() is None and tf.executing_eagerly()


def test_default_sessions_are_left_in_the_reverse_order(sess):
    outer, inner = tf.Session().as_default(), tf.Session().as_default()
    outer.__enter__()
    session = inner.__enter__()
    with pytest.raises(AssertionError, match="Nesting violated"):
        outer.__exit__(None, None, None)
    assert tf.get_default_session() is session
    inner.__exit__(None, None, None)
    tf.get_default_session().close()
    assert session_stack().pop() is not sess


def test_names_may_be_bytes(sess):
    five = tf.constant(5, name=b"five")
    assert five.name == "five:0" and sess.run(b"five:0") == 5


def test_errors_describe_the_operation(sess):
    x = tf.placeholder(tf.float32, name="x")
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(x + 1.0)
    assert caught.value.node_def.name == "x" and caught.value.node_def.op == "Placeholder"


def test_print_runs_when_fetched_and_in_program_order(sess, capsys):
    x = tf.placeholder(tf.float32)
    first = tf.print("x is", x, [x, "a"], sep="|")
    tf.print("not fetched")
    second = tf.print("second", tf.constant([1.5, 2.0, 0.1]))
    sess.run([second, first], {x: 2.0})
    assert capsys.readouterr().err == "x is|2|[2, 'a']\nsecond [1.5 2 0.1]\n"


def test_constants_wait_for_control_dependencies(sess, capsys):
    with tf.control_dependencies([tf.print("before")]):
        c = tf.constant(7)
    assert sess.run(c) == 7
    assert capsys.readouterr().err == "before\n"
    assert sess.run(c + 1, {c: 1}) == 2
    assert capsys.readouterr().err == ""


def test_print_shows_the_value_of_variables(sess, capsys):
    v = tf.Variable([1, 2])
    sess.run(v.initializer)
    shown = tf.print("v:", v, {"twice": [v * 2]})
    sess.run(v.assign([3, 4]))
    sess.run(shown)
    assert capsys.readouterr().err == "v: [3 4] {'twice': [[6 8]]}\n"


def test_placeholder_with_default(sess):
    x = tf.placeholder_with_default([1, 2], [None])
    assert str(x) == 'Tensor("PlaceholderWithDefault:0", shape=(None,), dtype=int32)'
    assert sess.run(x * 2).tolist() == [2, 4]
    assert sess.run(x * 2, {x: [5]}).tolist() == [10]
    with pytest.raises(ValueError, match="not compatible with the requested shape"):
        tf.placeholder_with_default([1, 2], [3])


def test_control_dependencies_pull_effects_in(sess, capsys):
    x = tf.constant(1)
    with tf.control_dependencies([tf.print("before")]):
        y = x + 1
    assert sess.run(y) == 2
    assert capsys.readouterr().err == "before\n"
    y.op._add_control_input(tf.print("later"))
    assert sess.run(y) == 2
    assert capsys.readouterr().err == "before\nlater\n"


def test_control_cycle(sess):
    a = tf.constant(1) + 1
    b = a + 1
    a.op._add_control_input(b.op)
    with pytest.raises(ValueError, match="cycle"):
        sess.run(b)


def test_effects_of_a_program_run_with_its_fetches(sess, capsys):
    x = tf.placeholder(tf.float32)
    unfed = tf.placeholder(tf.float32)
    load_announced()  # as the first conversion does: graphs ask the backend for runs
    with Run():
        y = x + 1.0
        tf.print("of y", y)
        tf.print("needs more", unfed)
    with Run():
        z = x * 3.0
        tf.print("of z")
    assert sess.run(y, {x: 1.0}) == 2 and capsys.readouterr().err == "of y 2\n"
    assert sess.run(z, {x: 1.0}) == 3 and capsys.readouterr().err == "of z\n"
    assert sess.run(x + 5.0, {x: 1.0}) == 6 and capsys.readouterr().err == ""


def test_assertions(sess):
    x = tf.placeholder(tf.int32, [None])
    check = tf.Assert(x < 3, [x])
    sess.run(check, {x: [1, 2]})
    with pytest.raises(errors.InvalidArgumentError, match=r"assertion failed: \[\[1 5\]\]") as e:
        sess.run(check, {x: [1, 5]})
    assert "made at" in e.value.__notes__[0] and e.value.op is check


def test_kernel_errors_are_located(sess):
    x = tf.placeholder(tf.float32)
    y = tf.placeholder(tf.float32)
    z = tf.matmul(x, y, name="product")
    with pytest.raises(errors.InvalidArgumentError) as caught:
        sess.run(z, {x: np.ones((2, 3)), y: np.ones((4, 5))})
    text = str(caught.value)
    assert "inner dimensions must be equal, but are 3 and 4. [Op:matmul]" in text
    assert f"in operation 'product' (matmul), made at {__file__}:" in text


def test_only_what_is_needed_runs(sess):
    x = tf.placeholder(tf.float32, [], name="x")
    _ = x + tf.placeholder(tf.float32, [], name="other")
    assert sess.run(x * 2.0, {x: 2.0}) == 4


@pytest.mark.parametrize("length", always([10_000], [10_000, 100_000]))
def test_long_chain(sess, length):
    x = tf.placeholder(tf.float64, [])
    y = x
    for _ in range(length):
        y = y + x
    assert sess.run(y, {x: 1.0}) == length + 1
    assert sess.run(y, {x: 0.5}) == (length + 1) / 2


def test_threads_share_a_session(sess):
    x = tf.placeholder(tf.float32)
    y = x * x
    results = {}

    def work(i):
        results[i] = [sess.run(y, {x: float(i)}) for _ in range(20)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == {i: [i * i] * 20 for i in range(4)}


def test_make_callable(sess):
    x = tf.placeholder(tf.float32)
    double = sess.make_callable(x * 2.0, [x])
    assert double(4.0) == 8


def test_a_traced_run_tells_when_operations_ran(sess):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.Variable(0.0)
    sess.run(v.initializer)
    y = tf.reduce_sum(tf.tanh(x, name="curve"), name="total") + v.assign_add(1.0)
    told = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    assert sess.run(y, {x: [0.0]}, options, told) == 1 and sess.run(v) == 1
    (device,) = told.step_stats.dev_stats
    names = [node.node_name for node in device.node_stats]
    assert names.index("curve") < names.index("total") and device.device.endswith("CPU:0")
    starts = [node.all_start_micros for node in device.node_stats]
    assert starts == sorted(starts) and min(starts) > 1e15
    assert all(node.all_end_rel_micros >= 0 for node in device.node_stats)
