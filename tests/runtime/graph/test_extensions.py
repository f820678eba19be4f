"""Operations with more outputs, beside the recorded ones: a run takes one of both."""

import ast
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.graph.extensions import extend, newest
from runtime.types import flags


@pytest.fixture(params=[True, False], ids=["optimised", "as recorded"])
def session(request):
    with flags.OPTIMIZE(request.param), tf.Session(graph=tf.Graph()) as found:
        yield found


class Lines:
    """A stream that keeps what is written to it."""

    def __init__(self):
        self.lines = []

    def write(self, text):
        self.lines.append(text)

    def flush(self):
        pass

    def __deepcopy__(self, memo):
        return self


def loop(x, out, turns=3):
    """x ** (2 ** turns), which says each turn aloud."""

    def body(i, s):
        with tf.control_dependencies([tf.print("turn", i, output_stream=out)]):
            return i + 1, s * s

    return tf.while_loop(lambda i, s: i < turns, body, [0, x])[1]


def test_recorded_operations_stay_as_they_are(session):
    x = tf.placeholder(tf.float32, [])
    y = loop(x, Lines())
    node = y.op
    before = node.inputs, dict(node.attrs), node.outputs, node.attrs["body_graph"].outputs
    (g,) = tf.gradients(y, x)
    (gg,) = tf.gradients(g, x)
    assert (node.inputs, node.attrs, node.outputs) == before[:3]
    assert node.attrs["body_graph"].outputs is before[3]
    assert y.op is node and session.graph.get_operation_by_name(node.name) is node
    assert newest(node) is not node and newest(node).recorded is node
    assert newest(node).outputs[: len(node.outputs)] == node.outputs
    assert session.run([y, g, gg], {x: 1.5}) == pytest.approx([1.5**8, 8 * 1.5**7, 56 * 1.5**6])


def test_effects_happen_once(session):
    x, out = tf.placeholder(tf.float32, []), Lines()
    y = loop(x, out)
    (first,) = tf.gradients(y, x)
    (second,) = tf.gradients(first, x)
    (other,) = tf.gradients(y * y, x)
    spoken = [f"turn {i}\n" for i in range(3)]
    for fetches in (y, first, second, [y, first], [second, other, first, y], [y.op, second]):
        del out.lines[:]
        session.run(fetches, {x: 1.5})
        assert out.lines == spoken, fetches


def test_effects_keep_their_place_in_the_program(session):
    x, out = tf.placeholder(tf.float32, []), Lines()

    @autograph.to_graph
    def program(x):
        tf.print("before", output_stream=out)
        y = x
        for i in tf.range(2):
            tf.print("turn", i, output_stream=out)
            y = y * x
        tf.print("after", output_stream=out)
        return y

    y = program(x)
    (g,) = tf.gradients(y, x)
    for fetches in ([y], [g], [y, g]):
        del out.lines[:]
        values = session.run(fetches, {x: 2.0})
        assert out.lines == ["before\n", "turn 0\n", "turn 1\n", "after\n"]
        assert values == [{y: 8.0, g: 12.0}[one] for one in fetches]


def test_draws_happen_once(session):
    x = tf.placeholder(tf.float32, [])

    def noisy(i, s, total):
        noise = tf.random.uniform([], 1.0, 2.0)
        return i + 1, s * noise, total * noise

    _, y, product = tf.while_loop(lambda i, *_: i < 4, noisy, [0, x, 1.0])
    (g,) = tf.gradients(y, x)
    for _ in range(3):
        value, gradient, drawn = session.run([y, g, product], {x: 3.0})
        assert gradient == pytest.approx(drawn) and value == pytest.approx(3 * drawn)


def test_what_needs_no_derivative_runs_the_recorded_operation(session):
    x = tf.placeholder(tf.float32, [])
    y = loop(x, Lines())
    (g,) = tf.gradients(y, x)
    ran = [
        [node for node in session.graph.optimized(fetch, x).operations if "while" in node.name]
        for fetch in (y, [y, g])
    ] if flags.OPTIMIZE.value else []  # fmt: skip
    assert [len(nodes[0].outputs) for nodes in ran] in ([], [1, 2], [2, 3])
    assert session.run(y, {x: 2.0}) == 256


def test_branches_calls_and_tries(session):
    x, out = tf.placeholder(tf.float32, []), Lines()

    @tf.function
    def square(v):
        tf.print("square", output_stream=out)
        return tf.sin(v) * tf.sin(v)

    @autograph.to_graph
    def program(v):
        if v > 0.0:
            tf.print("positive", output_stream=out)
            v = tf.exp(v) * v
        try:
            tf.print("try", output_stream=out)
            v = tf.sin(v) * tf.exp(v)
        except ValueError:
            v = v * v
        return square(v)

    y = program(x)
    (g,) = tf.gradients(y, x)
    (gg,) = tf.gradients(g, x)

    def value(v):
        v = np.exp(v) * v
        v = np.sin(v) * np.exp(v)
        return np.sin(v) ** 2

    point, step = 0.3, 1e-3
    slope = (value(point + step) - value(point - step)) / (2 * step)
    bend = (value(point + step) - 2 * value(point) + value(point - step)) / step**2
    for fetches in ([y], [g], [gg], [y, g, gg]):
        del out.lines[:]
        found = dict(zip(fetches, session.run(fetches, {x: point}), strict=True))
        assert sorted(out.lines) == ["positive\n", "square\n", "try\n"]
        assert found.get(y, value(point)) == pytest.approx(value(point), rel=1e-5)
        assert found.get(g, slope) == pytest.approx(slope, rel=1e-3)
        assert found.get(gg, bend) == pytest.approx(bend, rel=1e-2)


def test_control_inputs_wait_for_whichever_runs(session):
    x, out = tf.placeholder(tf.float32, []), Lines()
    y = loop(x, out, turns=1)
    with tf.control_dependencies([y]):
        said = tf.print("then", output_stream=out)
    (g,) = tf.gradients(y, x)
    late = tf.identity(x)
    late.op._add_control_input(said)
    for fetches in ([said], [said, g], [g, late], [late, y]):
        del out.lines[:]
        session.run(fetches, {x: 1.5})
        assert out.lines == ["turn 0\n", "then\n"]


def test_tapes_in_functions_ask_twice():
    @tf.function
    def f(x, n):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = x
                while n > 0:
                    y = tf.sin(y) * x
                    n -= 1
                squared = y * y
            first = tape.gradient(y, x)
            again = tape.gradient(squared, x)
        return first, again, outer.gradient(first, x), outer.gradient(again, x)

    def values(x):
        y, dy, ddy = x, 1.0, 0.0
        for _ in range(3):
            s, c = np.sin(y), np.cos(y)
            y, dy, ddy = s * x, s + c * dy * x, 2 * c * dy + (c * ddy - s * dy * dy) * x
        return dy, 2 * y * dy, ddy, 2 * (dy * dy + y * ddy)

    found = f(tf.constant(0.7), tf.constant(3))
    np.testing.assert_allclose([t.numpy() for t in found], values(0.7), rtol=1e-4)


def test_only_the_newest_is_extended():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        y = loop(x, Lines())
        extend(y.op, (), dict(y.op.attrs))
        with pytest.raises(AssertionError, match="extended meanwhile"):
            extend(y.op, (), dict(y.op.attrs))


def test_derivatives_rewrite_no_operation():
    """In autodiff/ only copies get inputs, attributes and outputs; objects of its own have some."""
    wrong = []
    for path in sorted((Path(tf.__file__).parent / "autodiff").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = node.targets if isinstance(node, ast.Assign) else ()
            for target in targets:
                written = target.attr if isinstance(target, ast.Attribute) else None
                if ast.unparse(target) == f"self.{written}":
                    continue
                if written in ("inputs", "attrs", "outputs", "controls", "row"):
                    if path.name != "graph_editing.py":
                        wrong.append(f"{path.name}:{node.lineno}")
    assert not wrong


def test_gradients_in_a_stretch_that_is_taken_back(session):
    """What is inserted for a derivative does not move the end of what stays."""
    from runtime.graph import raise_tracking

    x = tf.placeholder(tf.float32, [])
    y = loop(x, Lines())
    kept = tf.cos(x)
    mark = raise_tracking.start_recording(session.graph)
    (g,) = tf.gradients(y, x)
    raise_tracking.stop_recording(mark)
    session.graph.rollback(mark.start)
    assert session.graph.operations[-1] is kept.op and g.op not in session.graph.operations
    assert session.run([y, kept], {x: 0.0}) == [0.0, 1.0]
    (again,) = tf.gradients(y, x)
    assert session.run(again, {x: 1.0}) == 8
