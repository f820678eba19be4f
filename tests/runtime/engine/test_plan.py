"""The reference executor: plans, and the check of kernels against inference."""

import numpy as np
import pytest

import runtime as tf
from runtime.engine.executable import executable, run_graph
from runtime.engine.passes import pipeline
from runtime.graph.func_graph import FuncGraph
from runtime.graph.run_request import RunRequest, request_for
from runtime.ops import op
from runtime.types import flags


def executable_of(*request):
    """The executable for a request that no pass has touched."""
    with flags.OPTIMIZE(False):
        return executable(RunRequest(*request))


def test_values_are_dropped_after_their_last_use():
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, [])
        y = x + x
        z = y * y
        run = executable_of(g, [z], [x])
    assert [len(step.dead) for step in run.plan.steps] == [1, 1]
    assert run([np.float32(3)]) == [36]
    assert run([np.float32(1)]) == [4]


def test_fed_tensors_cut_what_is_above_them():
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, [])
        y = x + 1.0
        assert executable_of(g, [y * 2.0], [y])([np.float32(3)]) == [6]
        assert [s.operation.op_def.name for s in executable_of(g, [y], [y]).plan.steps] == []


def test_function_graphs_run_all_their_effects(capsys):
    body = FuncGraph("f")
    with body.as_default():
        a = body.add_input(tf.TensorSpec([], tf.int32))
        tf.print("effect", a)
        unused = a * 2
        body.set_outputs([a + 1])
    assert run_graph(body, [np.int32(1)]) == [2]
    assert capsys.readouterr().err == "effect 1\n"
    assert unused.op not in [s.operation for s in executable(request_for(body)).plan.steps]


def test_kernels_are_checked_against_inference_when_asked():
    row = op.define("test_liar", kernel=lambda x: x[:1], infer=lambda x: x)
    try:
        with tf.Session(graph=tf.Graph()) as sess:
            x = tf.placeholder(tf.float32, [2])
            y = row(x)
            assert sess.run(y, {x: [1, 2]}).shape == (1,)
            with flags.CHECK_KERNELS(True):
                with pytest.raises(tf.errors.InternalError, match="inferred"):
                    sess.run(y, {x: [1, 2]})
    finally:
        del op.TABLE["test_liar"]


def test_no_numpy_warnings(recwarn):
    with tf.Session(graph=tf.Graph()) as sess:
        x = tf.placeholder(tf.float32, [])
        assert np.isinf(sess.run(x * x, {x: 3e38}))
    assert not recwarn.list


def test_plans_are_made_for_what_was_prepared(monkeypatch):
    seen = []

    def prepare(wanted):
        seen.append(wanted)
        return wanted._replace(fetches=[t.op.inputs[0] for t in wanted.fetches])

    monkeypatch.setattr(pipeline, "prepare", prepare)
    with tf.Session(graph=tf.Graph()) as sess:
        x = tf.placeholder(tf.float32, [])
        y = x * 2.0 + 1.0
        assert sess.run(y, {x: 3.0}) == sess.run(y, {x: 3.0}) == 6
    assert [(w.graph, [*w.fetches], [*w.feeds]) for w in seen] == [(sess.graph, [y], [x])]


def test_errors_name_the_origin_of_what_a_pass_made(monkeypatch):
    def prepare(wanted):
        for node in wanted.graph.operations:
            node.origin = user
        return wanted

    monkeypatch.setattr(pipeline, "prepare", prepare)
    with tf.Session(graph=tf.Graph()) as sess:
        x = tf.placeholder(tf.int32, [None])
        user = (x + 1).op
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            sess.run(x[3], {x: [1]})
    assert caught.value.op is user
