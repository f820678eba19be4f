"""What the optimiser passes cost against tracing, and what loops gain by them.

    taskset -c 0 python -m benchmarks.bench_passes
"""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from benchmarks.timing import medians, pin, report
from runtime.engine.passes.pipeline import Optimizer
from runtime.graph.run_request import RunRequest, request_for
from runtime.types import flags


def chain(length: int = 3000) -> RunRequest:
    """A graph of single operations, none of which is to be optimised away."""
    graph = tf.Graph()
    with graph.as_default():
        x = y = tf.placeholder(tf.float32, [])
        for _ in range(length):
            y = y * x + x
    return RunRequest(graph, [y], [x])


def collatz(n: Any) -> Any:
    """Steps to 1: a loop of scalars with a branch."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def invariants(x: Any, w: Any, n: Any) -> Any:
    """A loop that computes much that never changes, and carries what nobody asks for."""
    total, unused, step = tf.zeros_like(x), tf.zeros_like(x), 1.0
    for _ in tf.range(n):
        scaled = tf.tanh(w) * tf.exp(-w * w) / tf.reduce_sum(w)
        unused = unused + scaled
        total = total + scaled * step if tf.size(x) > 1 else total - scaled
    return total


def main() -> None:
    """Print all of it."""
    pin()
    wanted = chain()
    traced = {"trace a chain": chain, "optimise it": lambda: Optimizer().run(wanted)}
    report("6000 operations", medians(traced, rounds=5), "trace a chain")

    vector = tf.constant(np.linspace(0, 1, 100, dtype=np.float32))
    programs = {
        "collatz": (collatz, (tf.constant(97),)),
        "invariants": (invariants, (vector, vector, tf.constant(1000))),
    }
    for name, (python, args) in programs.items():
        graph = tf.function(python).get_concrete_function(*args).graph

        def trace(python: Any = python, args: Any = args) -> Any:
            return tf.function(python).get_concrete_function(*args)

        def optimise(graph: Any = graph) -> Any:
            return Optimizer().run(request_for(graph))

        costs = medians({"trace": trace, "optimise": optimise}, rounds=7)
        report(f"{name}: its graph", costs, "trace")
        ways = {}
        for way, on in (("as recorded", False), ("optimised", True)):
            with flags.OPTIMIZE(on):
                function = tf.function(python)
                function(*args)
            ways[way] = run_with(on, function, args)
        report(f"{name}: a run", medians(ways, rounds=7), "as recorded")




def run_with(on: bool, function: Any, args: Any) -> Any:
    """A call of the function with the passes or without."""

    def run() -> Any:
        with flags.OPTIMIZE(on):
            return function(*args)

    return run


if __name__ == "__main__":
    main()
