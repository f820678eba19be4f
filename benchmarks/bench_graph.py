"""What graphs cost: a small run, scalar loops, recording and memory per operation, parallel runs.

``--million`` also builds and runs graphs of a million operations, a chain and a wide one.
TensorFlow is a peer only when it is installed; its ``Session.run(x + 1)`` was 76 us where the
targets were set.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import medians, pin, report, spoken

import runtime

TURNS = 1000
NODES = 20_000


def libraries() -> dict[str, Any]:
    """The libraries at hand, with TensorFlow 1's names."""
    found: dict[str, Any] = {"runtime": runtime}
    if importlib.util.find_spec("tensorflow"):
        import tensorflow.compat.v1 as tf

        tf.disable_eager_execution()
        found["TensorFlow"] = tf
    return found


def small_run(tf: Any) -> Callable[[], object]:
    """``Session.run(x + 1)`` with a feed."""
    session = tf.Session(graph=tf.Graph())
    with session.graph.as_default():
        x = tf.placeholder(tf.float32, [])
        y = x + 1
    return lambda: session.run(y, {x: 1.0})


def fetching_many(tf: Any) -> Callable[[], object]:
    """A run of 20 operations on vectors that fetches a dict of them."""
    session = tf.Session(graph=tf.Graph())
    with session.graph.as_default():
        x = tf.placeholder(tf.float32, [100])
        known = {"0": x}
        for number in range(20):
            known[str(number + 1)] = tf.tanh(known[str(number)]) * 2.0
    fed = np.ones(100, np.float32)
    return lambda: session.run(known, {x: fed})


def scalar_loop(tf: Any) -> Callable[[], object]:
    """A loop of 1000 turns that adds up squares."""
    session = tf.Session(graph=tf.Graph())
    with session.graph.as_default():
        n = tf.placeholder(tf.int32, [])
        total = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i * i), [0, 0])[1]
    return lambda: session.run(total, {n: TURNS})


def python_loop() -> object:
    """The same in plain Python, on NumPy's numbers as in the graph."""
    i = s = np.int32(0)
    one = np.int32(1)
    with np.errstate(all="ignore"):
        while i < TURNS:
            i, s = i + one, s + i * i
    return s


def record(tf: Any, nodes: int = NODES) -> Any:
    """A chain of so many additions."""
    graph = tf.Graph()
    with graph.as_default():
        x = y = tf.placeholder(tf.float32, [])
        for _ in range(nodes):
            y = y + x
    return graph, x, y


def resident() -> int:
    """The bytes of memory that this process uses now (Linux only, else 0)."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def memory_per_node(tf: Any) -> float:
    """Bytes for each operation of a recorded graph."""
    record(tf, 100)
    gc.collect()
    before = resident()
    kept = record(tf, 5 * NODES)
    used = resident() - before
    del kept
    return used / (5 * NODES)


def side_by_side() -> None:
    """Eight independent chains on a million numbers: one thread, or as many as there are cores."""
    threads = runtime.config.threading
    threads.set_intra_op_parallelism_threads(1)
    candidates = {}
    fed = np.linspace(0, 1, 1_000_000, dtype=np.float32)
    for number in (1, 0):
        config = runtime.ConfigProto(inter_op_parallelism_threads=number)
        session = runtime.Session(graph=runtime.Graph(), config=config)
        with session.graph.as_default():
            x = runtime.placeholder(runtime.float32, [None])
            rows = [runtime.reduce_sum(runtime.tanh(x * float(k))) for k in range(8)]
            total = runtime.add_n(rows)
        label = f"{number or 'all'} thread{'' if number == 1 else 's'}"
        candidates[label] = lambda s=session, t=total, x=x: s.run(t, {x: fed})
    for run in candidates.values():
        for _ in range(6):  # the first runs are timed
            run()
    report("8 chains of a million numbers", medians(candidates, rounds=7), "1 thread")


def million() -> None:
    """Graphs of a million operations: built, run first, run again."""
    for shape in ("chain", "wide"):
        gc.collect()
        before = resident()
        start = time.perf_counter()
        if shape == "chain":
            graph, x, y = record(runtime, 1_000_000)
        else:
            graph = runtime.Graph()
            with graph.as_default():
                x = runtime.placeholder(runtime.float32, [])
                y = runtime.add_n([x + x for _ in range(1_000_000)])
        steps = [time.perf_counter() - start]
        memory = (resident() - before) / 2**20
        session = runtime.Session(graph=graph)
        for _ in range(2):
            start = time.perf_counter()
            session.run(y, {x: 1.0})
            steps.append(time.perf_counter() - start)
        built, first, again = map(spoken, steps)
        print(f"a million operations, {shape}: built in {built} ({memory:.0f} MiB), "
              f"run in {first}, again in {again}")  # fmt: skip


def main() -> None:
    """Runs all on one core, but for the parallel runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", action="store_true")
    asked = parser.parse_args()
    side_by_side()
    pin()
    found = libraries()
    for title, make in (
        ("Session.run(x + 1)", small_run),
        ("Session.run of 20 operations, all fetched", fetching_many),
        (f"a scalar loop of {TURNS} turns", scalar_loop),
    ):
        candidates = {name: make(tf) for name, tf in found.items()}
        if make is scalar_loop:
            candidates["plain Python"] = python_loop
        for run in candidates.values():
            for _ in range(200):  # plans that run often get faster
                run()
        report(title, medians(candidates), "runtime")
    recording = {name: lambda tf=tf: record(tf) for name, tf in found.items()}
    results = {n: t / NODES for n, t in medians(recording, rounds=3).items()}
    report("recording, per operation", results, "runtime")
    for name, tf in found.items():
        print(f"memory per recorded operation, {name}: {memory_per_node(tf):.0f} bytes")
    if asked.million:
        million()


if __name__ == "__main__":
    main()
