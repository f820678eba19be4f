"""Profiles: spans by operation and by line, in the order of the run, on every engine."""

from __future__ import annotations

import gzip
import json
import threading

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.support import ROOT


def halve(x, limit):
    count = 0
    while tf.reduce_sum(x) > limit:
        if count % 2 == 0:
            x = tf.tanh(x) / 2.0
        else:
            x = x * 0.5
        count += 1
    return x, count


X = np.linspace(0.1, 3.0, 7).astype(np.float32)


@pytest.mark.parametrize("jit", [None, False])
def test_each_operation_of_a_loop_is_a_span(jit):
    function = tf.function(halve, jit_compile=jit)
    wanted = function(tf.constant(X), tf.constant(0.5))
    with tf.profiler.trace() as profile:
        found = function(tf.constant(X), tf.constant(0.5))
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-6)
    turns = int(found[1])
    counts = {total.name: total.runs for total in profile.by_operation()}
    assert counts["While"] == 1
    assert counts["If"] == turns == int(wanted[1]) > 2
    assert counts["Tanh"] == (turns + 1) // 2
    lines = {total.name: total.runs for total in profile.by_line()}
    start = halve.__code__.co_firstlineno
    assert lines[f"{__file__}:{start + 2}"] > turns
    assert all(total.self_seconds <= total.seconds for total in profile.by_line())
    before = profile.spans.copy()
    function(tf.constant(X), tf.constant(0.5))  # no longer recorded, and on its engine again
    assert profile.spans == before
    assert "Tanh" in str(profile)


def test_eager_operations_and_functions_of_sessions():
    x = tf.constant(X)
    with tf.profiler.trace() as profile:
        y = tf.exp(x + 1.0)
    assert [span.type for span in profile.spans] == ["AddV2", "Exp"]
    assert profile.spans[1].result == "float32[7]"
    assert profile.spans[1].location.line == profile.spans[0].location.line
    np.testing.assert_array_equal(y, tf.exp(x + 1.0))
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(tf.square(x), name="total")
        with tf.profiler.trace() as profile:
            assert session.run(y, {x: X}) == pytest.approx(float((X**2).sum()))
        assert "total" in [span.name for span in profile.spans]


@pytest.mark.parametrize("name", ["trace.json", "folder", "deep/trace.json.gz"])
def test_the_trace_for_chrome(tmp_path, name):
    with tf.profiler.trace(tmp_path / name):
        tf.function(halve)(tf.constant(X), tf.constant(0.5))
    path = tmp_path / name / "trace.json" if name == "folder" else tmp_path / name
    text = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    events = [event for event in json.loads(text)["traceEvents"] if event["ph"] == "X"]
    spans = [event for event in events if event["pid"] == 1]
    loop = next(event for event in spans if event["name"] == "While")
    inner = next(event for event in spans if event["name"] == "Tanh")
    assert loop["ts"] <= inner["ts"]
    assert inner["ts"] + inner["dur"] <= loop["ts"] + loop["dur"]
    assert inner["args"]["line"].endswith("x = tf.tanh(x) / 2.0")
    assert any(event["name"].startswith("test_profiling.py:") for event in events)


def test_an_error_ends_the_profile_and_the_trace_is_written(tmp_path):
    @tf.function
    def f(x):
        tf.debugging.assert_positive(tf.exp(x) - 2.0)
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match="test_profiling"), \
            tf.profiler.trace(tmp_path):  # fmt: skip
        f(tf.constant(0.0))
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    with tf.profiler.trace():
        pass


def test_what_cannot_be_profiled(tmp_path):
    with tf.profiler.trace(), pytest.raises(RuntimeError, match="already"), tf.profiler.trace():
        pass

    @tf.function
    def f(x):
        with tf.profiler.trace():
            return x + 1

    with pytest.raises(StagingError, match="graph is built"):
        f(tf.constant(1))
    (tmp_path / "file").write_text("")
    with pytest.raises(tf.errors.OpError, match="file"), tf.profiler.trace(tmp_path / "file" / "x"):
        raise AssertionError("it began")


def test_graphs_of_other_threads_are_recorded():
    function = tf.function(lambda x: tf.tanh(x) + 1.0)
    with tf.profiler.trace() as profile:
        threads = [threading.Thread(target=function, args=(tf.constant(X),)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found = [span.thread for span in profile.spans if span.type == "Tanh"]
    assert len(found) == len(set(found)) == 3


def test_gradients_and_variables_are_as_without_a_profile():
    weight = tf.Variable(X)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(weight) ** 2)
        weight.assign_sub(tape.gradient(loss, weight) * 0.1)
        return loss

    with tf.profiler.trace():
        first = [float(step()) for _ in range(3)]
        with tf.GradientTape() as tape:
            loss = weight[2] * weight[3]
        assert tape.gradient(loss, weight).shape == (7,)
    after = weight.numpy()
    weight.assign(X)
    assert first == pytest.approx([float(step()) for _ in range(3)])
    np.testing.assert_allclose(weight.numpy(), after, rtol=1e-6)


def test_examples_are_listed_by_their_lines():
    from examples.collatz import collatz

    with tf.profiler.trace() as profile:
        tf.function(collatz)(tf.constant(27))
    files = {total.name.rpartition(":")[0] for total in profile.by_line()}
    assert str(ROOT / "examples" / "collatz.py") in files
