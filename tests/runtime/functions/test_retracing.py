"""When functions are traced, and why: explain(), the warning, the bounded cache, threads."""

import gc
import re
import subprocess
import sys
import threading
import time
import warnings
import weakref

import pytest

import runtime as tf
from runtime.errors import RetracingWarning
from runtime.functions import trace_cache as traces
from runtime.types import flags


def test_explain_names_the_argument_and_both_types():
    @tf.function
    def scale(x, by=2, *rest, mode="a"):
        return x * by

    assert str(scale.explain()) == "scale has not been traced yet"
    scale(tf.constant(1))
    for _ in range(3):
        scale(tf.constant([1, 2]))
    scale(tf.constant([1.0, 2.0]))
    scale(tf.constant([1, 2]), 3)
    scale(tf.constant([1, 2]), mode="b")
    scale(tf.constant([1, 2]), 2, [tf.constant(1)])
    told = scale.explain()
    found = [[(c.argument, c.kind, c.old, c.new) for c in r.changes] for r in told.traces]
    vector = "TensorSpec(shape=(2,), dtype=tf.int32, name=None)"
    assert found == [
        [],
        [("x", "shape", "TensorSpec(shape=(), dtype=tf.int32, name=None)", vector)],
        [("x", "dtype", vector, "TensorSpec(shape=(2,), dtype=tf.float32, name=None)")],
        [("by", "value", "Literal[2]", "Literal[3]")],
        [("mode", "value", "Literal['a']", "Literal['b']")],
        [("rest_0[0]", "structure", "missing", "TensorSpec(shape=(), dtype=tf.int32, name=None)")],
    ]
    assert [r.runs for r in told.traces] == [1, 3, 1, 1, 1, 1]
    assert [r.compared for r in told.traces] == [None, 1, 2, 2, 2, 2]
    assert all(r.seconds > 0 and r.operations > 0 for r in told.traces)
    assert told.startswith("scale: 8 calls, traced 6 times, 6 traces kept\n")
    assert "why: no trace fits; trace 2 comes nearest" in told
    assert "the shape of 'x' differs: it was TensorSpec(shape=(), dtype=tf.int32" in told
    assert "runs: 3; traced in " in told and f"{__file__}:" in told
    assert told.traces[1].trace is scale.get_concrete_function(tf.constant([1, 2]))


def test_explain_tells_objects_and_what_is_not_kept():
    class Box:
        value = 1

    f = tf.function(lambda x, box: x + getattr(box, "value", 0))
    f(1, Box())
    f(1, Box())
    f.get_concrete_function(tf.TensorSpec([]), 1.5)
    f.cache_clear()
    f(1, Box())
    told = f.explain()
    assert told.traces[1].changes[0].kind == "object"
    assert "asked for by get_concrete_function" in told.traces[2].reason
    g = tf.function(lambda x: x)
    g(1)
    g.cache_clear()
    g(1)
    assert "trace 1 fits, but was dropped" in g.explain().traces[1].reason
    assert ", gone by now" in g.explain()


@pytest.mark.parametrize(
    ("calls", "cause", "help"),
    [
        ([(i, 1) for i in range(5)], "the Python value of 'x' differs", "runtime.constant(x)"),
        ([(tf.zeros([i]), 1) for i in range(5)], "the shape of 'x'", "reduce_retracing=True"),
        ([(1, lambda: i) for i in range(5)], "'y' is another object", "the same object"),
    ],
)
def test_the_warning_names_the_cause(calls, cause, help):
    @tf.function
    def runaway(x, y):
        return x

    with pytest.warns(RetracingWarning) as caught:
        for call in calls:
            runaway(*call)
    (warning,) = caught
    text = str(warning.message)
    assert "runaway was traced 5 times in its last 5 calls" in text
    assert cause in text and help in text and warning.filename == __file__


def test_no_warning_for_few_traces_or_many_calls():
    f = tf.function(lambda x: x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for i in range(6):
            for _ in range(4):
                f(i)
        g = tf.function(lambda x: x)
        for i in range(10):
            g.get_concrete_function(i)
    assert f.experimental_get_tracing_count() == 6


def test_at_most_two_warnings():
    f = tf.function(lambda x: x)
    with pytest.warns(RetracingWarning) as caught:
        for i in range(40):
            f(i)
    assert len(caught) == 2


def test_making_functions_in_a_loop_is_noticed():
    with pytest.warns(RetracingWarning, match=r"5 runtime.functions were made of <lambda> .*loop"):
        for i in range(5):
            tf.function(lambda x: x + 1)(tf.constant(i))


def test_the_cache_is_bounded(monkeypatch):
    monkeypatch.setattr(traces, "MAX_TRACES", 4)
    f = tf.function(lambda x: x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(10):
            f(i)
            f(0)  # in use all the time, so it stays
    assert f.experimental_get_tracing_count() == 10
    info = f.cache_info()
    assert (info.hits, info.misses, info.currsize) == (10, 10, 4)
    assert f.explain().startswith("<lambda>: 20 calls, traced 10 times, 4 traces kept")
    f.cache_clear()
    assert f.cache_info() == (10, 10, info.maxsize, 0)
    assert f(0).numpy() == 0 and f.experimental_get_tracing_count() == 11


def test_memory_does_not_grow_with_traces(monkeypatch):
    monkeypatch.setattr(traces, "MAX_TRACES", 4)
    graphs = []

    @tf.function
    def step(x, k):
        graphs.append(weakref.ref(tf.get_default_graph()))
        if x > 0:
            return x * k
        return x

    x = tf.constant(1.0)
    for i in range(20):
        step(x, i)
    gc.collect()
    assert len(graphs) == 20
    assert [graph() is not None for graph in graphs] == [i >= 16 for i in range(20)]


def test_objects_are_not_kept_alive():
    class Box:
        def __init__(self):
            self.value = tf.constant(3)

    f = tf.function(lambda box: box.value + 1)
    box = Box()
    assert f(box).numpy() == 4 and f.cache_info().currsize == 1
    ref = weakref.ref(box)
    del box
    gc.collect()
    assert ref() is None and f.cache_info().currsize == 0


def test_threads_trace_each_signature_once():
    traced = []

    @tf.function
    def inner(x):
        traced.append("inner")
        return x + 1

    @tf.function
    def f(x):
        traced.append((x.dtype, x.shape.as_list()))
        time.sleep(0.002)
        return inner(x) * 2 if x.shape.rank else inner(x)

    kinds = (tf.int32, tf.float32)
    values = [tf.zeros(shape, dtype) for shape in ([], [1], [2, 2]) for dtype in kinds]
    barrier = threading.Barrier(8)
    failures = []

    def work(offset):
        barrier.wait()
        for k in range(12):
            value = values[(k + offset) % len(values)]
            result = f(value).numpy()
            if result.ravel()[0] != (2 if value.shape.rank else 1):
                failures.append(result)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(traced) == 12 and f.experimental_get_tracing_count() == 6
    assert f.cache_info().hits + f.cache_info().misses == 8 * 12


def test_threads_whose_functions_trace_each_other_do_not_wait_for_ever():
    gates = threading.Barrier(2, timeout=10)

    def make(name):
        @tf.function(autograph=False)
        def traced(x, other):
            if other is not None:
                if not done:
                    done.append(gates.wait())
                return other(x, None) + 1
            return x

        done = []
        return traced

    one, two = make("one"), make("two")
    results = {}

    def work(key, first, second):
        results[key] = first(tf.constant(key), second).numpy()

    threads = [
        threading.Thread(target=work, args=(1, one, two), daemon=True),
        threading.Thread(target=work, args=(2, two, one), daemon=True),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert results == {1: 2, 2: 3}


def test_a_failed_trace_leaves_nothing():
    fail = True

    @tf.function
    def inner(x):
        y = x + outer_tensor
        if fail:
            raise KeyError("inner")
        return y

    @tf.function
    def f(x):
        return inner(x * 2)

    outer_tensor = tf.constant(1)
    for _ in range(2):
        with pytest.raises(KeyError, match="inner"):
            f(tf.constant(1))
        assert f.experimental_get_tracing_count() == 0 and f.cache_info().currsize == 0
        assert tf.executing_eagerly() and "not been traced" in f.explain()
    fail = False
    assert f(tf.constant(1)).numpy() == 3
    assert f.experimental_get_tracing_count() == inner.experimental_get_tracing_count() == 1


def test_a_failed_trace_inside_a_caught_exception_leaves_the_graph_as_it_was():
    @tf.function
    def inner(x):
        tf.exp(tf.cast(x, tf.float32))
        raise KeyError("inner")

    @tf.function
    def f(x):
        y = x * 2
        try:
            return inner(y)
        except KeyError:
            return y + 1

    assert f(tf.constant(1)).numpy() == 3
    graph = f.get_concrete_function(tf.constant(1)).graph
    assert not re.search("exp|call", str(graph)) and not graph.captures


def lines_about_engines(function):
    """What is said about engines, but for the native one, which stands there for every trace."""
    lines = function.explain().split("\n")
    assert any(line.startswith("    not llvm: ") for line in lines)
    return [
        line for line in lines
        if "engine: " in line or ("not " in line and not line.startswith("    not llvm: "))
    ]  # fmt: skip


def test_explain_says_which_engine_runs_a_trace():
    f = tf.function(lambda x: x + 1)
    f(1)
    trace = f.get_concrete_function(1)
    assert trace.executable.engine == "python_codegen"
    assert [refusal.engine for refusal in trace.executable.refusals] == ["llvm"]
    assert lines_about_engines(f) == [
        "  engine: python_codegen: on the reference engine for 99 more runs"
    ]
    for _ in range(99):
        f(1)
    assert lines_about_engines(f) == ["  engine: python_codegen: written out"]


def test_explain_says_why_a_faster_engine_does_not_run_a_trace():
    @tf.function
    def long(x):
        for _ in range(700):
            x = tf.sin(x)
        return x

    long(tf.constant(1.0))
    assert lines_about_engines(long) == [
        "  engine: reference",
        "    not python_codegen: it would have 700 lines, and functions of more than 600 lines "
        "take too long to compile",
    ]
    short = tf.function(lambda x: x + 1)
    with flags.WRITE_AFTER(0):
        short(1)
        assert lines_about_engines(short)[1] == "    not python_codegen: RUNTIME_WRITE_AFTER is 0"
    with flags.CHECK_KERNELS(True):
        assert lines_about_engines(short)[1].startswith("    not python_codegen: RUNTIME_CHECK_K")
    assert lines_about_engines(short)[0].startswith("  engine: python_codegen")


FIRST = """
import runtime as tf

f = tf.function(lambda x: x)
f.get_concrete_function(tf.TensorSpec([]))
print(f.explain())
"""


def test_the_line_is_the_user_s_in_the_first_call_of_a_process(tmp_path):
    script = tmp_path / "first.py"
    script.write_text(FIRST)
    shown = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert f"by the call at {script}:5\n" in shown
