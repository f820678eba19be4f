"""Sub-graphs: captures, scope errors, and higher-order rows that run them."""

import pytest

import runtime as tf
from runtime import errors
from runtime.engine.executable import run_graph
from runtime.graph.func_graph import FuncGraph
from runtime.ops import dispatch, op


def test_captures_become_inputs():
    with tf.Graph().as_default():
        x = tf.constant(2.0)
        outer = FuncGraph("f")
        with outer.as_default():
            a = outer.add_input(tf.TensorSpec([], tf.float32, "a"))
            inner = FuncGraph("then", "branch")
            with inner.as_default():
                y = x * a + x
            inner.set_outputs([y])
    assert [t.name for t in inner.captured_tensors()] == ["input:0", "a:0"]
    assert outer.captured_tensors() == [x] and len(inner.inputs) == 2
    assert run_graph(inner, [2.0, 3.0]) == [8.0]


def test_leaks_are_explained():
    with tf.Graph().as_default():
        body = FuncGraph("body", "loop body")
        with body.as_default():
            leaked = tf.constant(1.0) + 1.0
        with pytest.raises(errors.InvalidArgumentError, match="out of scope.*loop body 'body'"):
            leaked + 1.0
    with pytest.raises(errors.InvalidArgumentError, match=rf"made at {__file__}:\d+"):
        leaked + 1.0
    with pytest.raises(TypeError, match="unhashable"):
        hash(leaked)


def test_foreign_tensors_cannot_be_captured():
    with tf.Graph().as_default():
        foreign = tf.constant(1.0)
    body = FuncGraph("f")
    with body.as_default(), pytest.raises(ValueError, match="must be from the same graph"):
        foreign + 1.0


def test_init_scope_steps_out():
    with FuncGraph("f").as_default():
        assert not tf.executing_eagerly()
        with tf.init_scope():
            assert tf.executing_eagerly() and tf.constant(1).numpy() == 1
    with tf.Graph().as_default() as g, FuncGraph("f").as_default(), tf.init_scope():
        assert dispatch.current() is g


@pytest.fixture
def twice():
    """A higher-order row: its graph, applied two times."""
    row = op.define(
        "test_twice",
        inputs="*xs",
        same_dtype_inputs=None,
        kernel=lambda x, *rest, graph, run: run(graph, [*run(graph, [x, *rest]), *rest])[0],
        infer=lambda x, *rest, graph: x,
        traits=(op.HIGHER_ORDER,),
    )
    yield row
    del op.TABLE["test_twice"]


def test_higher_order_rows_run_graphs(twice, capsys):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        k = tf.placeholder(tf.float32, [])
        body = FuncGraph("body")
        with body.as_default():
            a = body.add_input(tf.TensorSpec([], tf.float32))
            tf.print("run", a)
            body.set_outputs([a * k])
        y = twice(x, *body.captured_tensors(), graph=body)
        assert y.op.stateful
        with tf.Session() as sess:
            assert sess.run(y, {x: 2.0, k: 3.0}) == 18
    assert capsys.readouterr().err == "run 2\nrun 6\n"


def test_errors_inside_keep_the_inner_location(twice):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, [None])
        body = FuncGraph("body")
        with body.as_default():
            a = body.add_input(tf.TensorSpec([None], tf.int32))
            body.set_outputs([a[3]])
        y = twice(x, graph=body)
        with tf.Session() as sess, pytest.raises(errors.InvalidArgumentError) as caught:
            sess.run(y, {x: [1, 2]})
    assert caught.value.op is body.outputs[0].op and "getitem" in str(caught.value)


def test_user_exceptions_keep_their_type():
    from runtime.ops.control_flow.print_assert import raise_op

    class Custom(Exception):
        pass

    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32)
        node = raise_op(x, make=lambda v: Custom(int(v)))
        with tf.Session() as sess, pytest.raises(Custom) as caught:
            sess.run(node, {x: 5})
    assert caught.value.args == (5,) and "made at" in caught.value.__notes__[0]
