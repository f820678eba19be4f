"""Plans written out as Python: what stands in the lines, and that they do what walking does."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph
import runtime as tf
from runtime import errors
from runtime.engine.executable import executable
from runtime.engine.python_codegen import CodeEmitter
from runtime.graph.run_request import RunRequest, request_for
from runtime.ops.op import TABLE, define
from runtime.types import flags
from tests.support.nightly import examples


def lines(fetches, feeds):
    """The lines of a plan, without indentation of the function."""
    writer = CodeEmitter(lambda graph: executable(request_for(graph)).plan)
    with flags.OPTIMIZE(False):
        plan = executable(RunRequest(fetches[0].graph, fetches, feeds)).plan
        results = writer.plan(plan, [f"i{n}" for n in range(len(feeds))], 0)
    return [*writer.lines, f"return {', '.join(results)}"]


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


def both(run):
    """The results of a run that walks and of one that is written, as lists."""
    with flags.WRITE_AFTER(0):
        walked = run()
    with flags.WRITE_AFTER(1):
        written = run()
    for a, b in zip(walked, written, strict=True):
        np.testing.assert_array_equal(a, b)
        assert type(a) is type(b) and np.asarray(a).dtype == np.asarray(b).dtype
    return written


def test_a_loop(graph):
    n = tf.placeholder(tf.int32, [])
    total = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i * i), [0, 0])
    assert lines(total, [n]) == [
        "s3, s4, s5 = c1, c2, i0[()]",
        "while True:",
        "    v6 = s3 < s5",
        "    if not v6: break",
        "    v8 = s3 + c7",
        "    v9 = s3 * s3",
        "    v10 = s4 + v9",
        "    s3, s4 = v8, v10",
        "return s3, s4",
    ]
    assert both(lambda: tf.Session().run(total, {n: 5})) == [5, 30]


def test_branches_calls_and_texts(graph):
    x, name = tf.placeholder(tf.float32, []), tf.placeholder(tf.string, [])
    square = tf.function(lambda v: tf.identity(v * v))
    y = tf.cond(x > 0.0, lambda: tf.sqrt(square(x)), lambda: -x)
    z = tf.strings.join([name, "!"])
    assert lines([y, z], [x, name]) == [
        "v2 = i0 > c1",
        "if v2:",
        "    v4 = i0 * i0",
        "    v6 = k5(v4)",
        "    b3 = v6",
        "else:",
        "    v7 = -(i0)",
        "    b3 = v7",
        "v11 = only(k10(i1, c8, separator=a9))",
        "return b3, v11",
    ]
    assert both(lambda: tf.Session().run([y, z, z], {x: -3, name: "a"})) == [3, b"a!", b"a!"]


def test_arrays_are_let_go_after_their_last_use(graph):
    seen = []

    def watch(x):
        gc.collect()
        seen.append([ref() is None for ref in refs])
        refs.append(weakref.ref(x))
        return x + 0

    refs = []
    row = define("test_watch", kernel=watch, infer=lambda x: x)
    try:
        x = tf.placeholder(tf.float32, [None])
        y = row(row(row(row(x) * 2.0) * 2.0) * 2.0)
        both(lambda: (seen.clear(), refs.clear(), tf.Session().run([y], {x: np.ones(3)}))[2])
    finally:
        del TABLE["test_watch"]
    assert [sum(gone) for gone in seen] == [0, 0, 1, 2]


def test_failures_name_the_operation_inside(graph):
    @tf.function
    def pick(table, i):
        return tf.gather(table, i)

    n = tf.placeholder(tf.int32, [])
    table = tf.constant([1, 2, 3])
    total = tf.while_loop(
        lambda i, s: i < n,
        lambda i, s: (i + 1, s + tf.cond(i > 1, lambda: pick(table, i), lambda: 0)),
        [0, 0],
    )[1]
    with flags.WRITE_AFTER(1), tf.Session() as session:
        assert session.run(total, {n: 3}) == 3
        with pytest.raises(errors.InvalidArgumentError) as caught:
            session.run(total, {n: 9})
    assert caught.value.op.type == "GatherV2"
    assert "inputs: params int32[3], indices int32[]" in str(caught.value)
    assert "return tf.gather(table, i)" in str(caught.value)
    assert [e.name for e in caught.traceback if "plan" in str(e.path)] == []


def test_a_test_that_is_no_truth_value(graph):
    x = tf.placeholder(tf.bool)
    y = tf.cond(x, lambda: 1, lambda: 2)
    for after in (0, 1):
        with flags.WRITE_AFTER(after), tf.Session() as session:
            with pytest.raises(ValueError, match="ambiguous") as caught:
                session.run(y, {x: [True, False]})
        assert "in operation 'cond'" in caught.value.__notes__[0]


def test_what_is_too_long_or_too_deep_is_walked(graph):
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(700):
        y = y + 1.0
    assert executable(RunRequest(graph, [y], [x])).engine == "reference"
    deep = nested(x, 18)
    both(lambda: tf.Session().run([y, deep], {x: 10.0}))


def nested(x, depth):
    """Branches in branches."""
    if not depth:
        return x + 1.0
    return tf.cond(x > float(depth), lambda: nested(x * 1.5, depth - 1), lambda: x)


def test_loops_go_on_as_written_ones(graph):
    n = tf.placeholder(tf.int32, [])
    total = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0])[1]
    with flags.WRITE_AFTER(10), tf.Session() as session:
        for turns in (9, 10, 11, 500, 3):
            assert session.run(total, {n: turns}) == turns * (turns - 1) // 2


def test_effects_happen_in_order(graph, capsys):
    v = tf.Variable(0)
    x = tf.placeholder(tf.int32, [])

    @autograph.to_graph
    def program(n):
        for i in tf.range(n):
            v.assign_add(i)
            if v > 3:
                print("large", v.read_value() + 0)
                v.assign(0)
        return v.read_value() + 100

    with tf.Session() as session:
        result = program(x)
        shown = []
        for after in (0, 1):
            with flags.WRITE_AFTER(after):
                session.run(v.initializer)
                assert session.run(result, {x: 6}) == 100
                shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] and shown[0].count("large") == 3


NUMBERS = st.integers(-5, 5)


@st.composite
def programs(draw, depth=3):
    """Functions of two tensors, made of arithmetic, branches and loops."""
    kinds = ["leaf", "binary", "cond", "while", "unary"] if depth else ["leaf"]
    kind = draw(st.sampled_from(kinds))
    if kind == "leaf":
        which = draw(st.sampled_from(["x", "y", "number"]))
        number = draw(NUMBERS)
        return lambda x, y: {"x": x, "y": y}.get(which, x * 0 + number)
    first = draw(programs(depth - 1))
    if kind == "unary":
        function = draw(st.sampled_from([tf.negative, tf.abs, tf.identity, tf.square]))
        return lambda x, y: function(first(x, y))
    second = draw(programs(depth - 1))
    if kind == "binary":
        names = ["add", "subtract", "multiply", "maximum", "minimum", "floordiv", "floormod"]
        name = draw(st.sampled_from(names))
        if name.startswith("floor"):
            return lambda x, y: getattr(tf, name)(first(x, y), tf.abs(second(x, y)) + 1)
        return lambda x, y: getattr(tf, name)(first(x, y), second(x, y))
    if kind == "cond":
        return lambda x, y: tf.cond(
            tf.reduce_all(first(x, y) < second(x, y)), lambda: second(x, y), lambda: first(y, x)
        )
    turns = draw(st.integers(0, 3))
    return lambda x, y: tf.while_loop(
        lambda i, a: i < turns, lambda i, a: (i + 1, first(a, y) + second(x, a) * 0), [0, x]
    )[1]


@settings(max_examples=examples(60, kept=25), deadline=None)
@given(programs(), st.sampled_from(["int32", "float32", "vector"]), NUMBERS, NUMBERS)
def test_random_programs(program, kind, first, second):
    dtype = tf.float32 if kind == "float32" else tf.int32
    shape = [3] if kind == "vector" else []
    with tf.Graph().as_default():
        x, y = tf.placeholder(dtype, shape), tf.placeholder(dtype, shape)
        z = program(x, y)
        values = np.full(shape, first), np.full(shape, second)
        with np.errstate(all="ignore"):
            both(lambda: tf.Session().run([z], dict(zip([x, y], values))))
