"""Traces a ``try`` and records it: used by staging.py alone."""

from __future__ import annotations

from typing import Any

from autograph.staging import Attempt
from runtime.control_flow.abstract_value import Spec
from runtime.graph import raise_tracking as attempts
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import Input, record_try, set_outputs, trace
from runtime.ops import dispatch as interpreter
from runtime.ops.control_flow.try_except import Saved

ROUNDS = 20
"""How often the body is traced at most.  What is saved only grows, and rarely more than once."""


def staged_try(attempt: Attempt) -> list[SymbolicTensor]:
    """The values of the joined outcome of a ``try``."""
    saved = Saved(attempt)
    body = _traced_body(attempt, saved)
    with body.as_default():
        _, values = attempt.ended()
        set_outputs(body, values)
    inputs = [(t.spec, t.weak) for t in body.outputs]
    ways = [trace("branch", "otherwise", lambda *v: attempt.otherwise(v), inputs)[0]]
    counts = []
    for number, own in enumerate(attempt.handlers):
        specs = _inputs([*attempt.specs, *own])
        ways.append(trace("branch", "handler", _handler(attempt, number), specs)[0])
        counts.append(len(specs))
    attempt.join()
    for way, graph in enumerate(ways):
        with graph.as_default():
            set_outputs(graph, attempt.outputs(way))
    return record_try(body, ways[0], list(zip(ways[1:], counts, strict=True)), saved)


def _handler(attempt: Attempt, number: int) -> Any:
    return lambda *values: attempt.handler(number, values)


def _inputs(specs: list[Spec]) -> list[Input]:
    return [(spec.tensor_spec, spec.weak) for spec in specs]


def _traced_body(attempt: Attempt, saved: Saved) -> FuncGraph:
    for _ in range(ROUNDS):
        with attempts.tracing(saved) as home:

            def body() -> None:
                home.append(interpreter.current())
                attempt.body()

            graph, _ = trace("branch", "body", body)
        if attempt.settled():
            return graph
    raise RuntimeError(f"what a staged try saves still changed its type after {ROUNDS} traces")
