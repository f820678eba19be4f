"""How runs come to use the passes, and the switches."""

import numpy as np
import pytest

import runtime as tf
from runtime.engine import optimizer_options as switches
from runtime.engine.executable import executable
from runtime.engine.passes.pipeline import LAST, PASSES, prepare
from runtime.graph.run_request import RunRequest, request_for
from runtime.types import flags


def steps(fetch, feed):
    """The rows that a plan runs."""
    return rows_of(RunRequest(fetch.graph, [fetch], [feed]))


def rows_of(request):
    """The rows that a request runs."""
    return [s.operation.op_def.name for s in executable(request).plan.steps]


def graph_of(build):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2, 3], name="x")
        return x, build(x)


def test_sessions_run_the_optimized_graph():
    x, y = graph_of(lambda x: tf.exp(x) + tf.exp(x) * 1.0)
    before = str(x.graph)
    assert steps(y, x) == ["exp", "add"]
    assert str(x.graph) == before


def test_the_flag_gives_the_reference():
    x, y = graph_of(lambda x: tf.exp(x) * 1.0)
    with tf.Session(graph=x.graph) as sess:
        fast = sess.run(y, {x: np.ones((2, 3))})
        with flags.OPTIMIZE(False):
            assert steps(y, x) == ["exp", "multiply"]
            assert np.array_equal(sess.run(y, {x: np.ones((2, 3))}), fast)
        assert len(sess._executables) == 2


def test_functions_run_the_optimized_graph():
    @tf.function
    def f(x):
        return tf.exp(x) + tf.exp(x) * 1.0

    concrete = f.get_concrete_function(tf.TensorSpec([2], tf.float32))
    assert np.allclose(concrete(tf.constant([0.0, 1.0])), 2 * np.exp([0, 1]))
    assert rows_of(request_for(concrete.graph)) == ["exp", "add"]
    with flags.OPTIMIZE(False):
        assert rows_of(request_for(concrete.graph)) == ["exp", "exp", "multiply", "add"]


def test_what_is_fed_in_place_of_a_computed_tensor_is_not_guessed():
    x, y = graph_of(lambda x: tf.fill(tf.constant([2], name="dims"), 1.0))
    dims = x.graph.get_tensor_by_name("dims:0")
    assert prepare(RunRequest(x.graph, [y], [dims])).graph is x.graph
    assert tf.Session(graph=x.graph).run(y, {dims: [3]}).shape == (3,)


def test_errors_name_the_users_operation():
    with tf.Graph().as_default() as g, tf.Session() as sess:
        x = tf.placeholder(tf.int32, [None], name="x")
        y = tf.identity(x)[5]
        with pytest.raises(tf.errors.InvalidArgumentError, match="strided_slice") as caught:
            sess.run(y, {x: [1]})
    assert caught.value.op is y.op
    assert g.get_operations()[-1] is y.op


def test_graphs_show_what_runs_in_their_place():
    x, y = graph_of(lambda x: tf.exp(x) * 1.0)
    shown = x.graph.optimized(y, x)
    assert str(shown) == (
        "graph(x: float32[2, 3]):\n  Exp = exp(x) : float32[2, 3]\n  return Exp\n"
    )
    assert shown.get_operation_by_name("Exp").origin is y.graph.get_operation_by_name("Exp")
    assert [o.op_def.name for o in x.graph.optimized().operations] == ["placeholder", "exp"]
    assert shown.optimized() is shown

    @tf.function
    def f(x):
        return tf.identity(x) + 0

    concrete = f.get_concrete_function(tf.TensorSpec([2], tf.int32, "x"))
    assert str(concrete.optimized_graph) == "f(x: int32[2]):\n  return x\n"
    assert "identity" in str(concrete.graph)


@pytest.fixture
def options():
    yield tf.config.optimizer.set_experimental_options
    switches.forget()


def test_groups_of_passes_are_switched_as_in_tensorflow(options):
    x, y = graph_of(lambda x: tf.exp(x) + tf.exp(x) * (tf.constant(2.0) - 1.0))
    assert steps(y, x) == ["exp", "add"]
    options({"constant_folding": False})
    assert tf.config.optimizer.get_experimental_options() == {"constant_folding": False}
    assert steps(y, x) == ["exp", "subtract", "multiply", "add"]
    options({"arithmetic_optimization": False})
    assert steps(y, x) == ["exp", "exp", "subtract", "multiply", "add"]
    options({"constant_folding": True, "arithmetic_optimization": True})
    assert steps(y, x) == ["exp", "add"]
    options({"disable_meta_optimizer": True})
    assert y.graph.optimized(y, x) is y.graph


def test_every_pass_has_its_switch():
    options = {*switches.PASSES_ON, *switches.PASSES_OFF} - {"disable_meta_optimizer"}
    assert options == {one.option for one in (*PASSES, *LAST)}


def test_options_that_there_are_not(options):
    with pytest.raises(ValueError, match="no optimizer option 'folding'; there are arithmetic"):
        options({"folding": True})
    with pytest.raises(tf.errors.UnimplementedError, match="takes away the program's assertions"):
        options({"debug_stripper": True})
    options({"layout_optimizer": True})


def test_settings_reach_functions_that_ran_before(options):
    @tf.function
    def f(x):
        return tf.exp(x) * 1.0

    concrete = f.get_concrete_function(tf.TensorSpec([2], tf.float32))
    f(tf.constant([1.0, 2.0]))
    options({"arithmetic_optimization": False})
    assert rows_of(request_for(concrete.graph)) == ["exp", "multiply"]
