"""Traces a ``try`` and records it: used by staging.py alone."""

from __future__ import annotations

from typing import Any

from autograph.staging import Attempt
from runtime.graph import raise_tracking as attempts
from runtime.graph.func_graph import SubGraph
from runtime.graph.trace import Input, record_try, set_outputs, trace
from runtime.ops import dispatch as interpreter
from runtime.ops.control_flow.try_except import Saved
from runtime.staging.spec import Spec

ROUNDS = 20
"""How often the body is traced at most.  What is saved only grows, and rarely more than once."""


def staged_try(attempt: Attempt) -> Any:
    """The joined outcome of a ``try``."""
    saved = Saved(attempt)
    body, after = _traced_body(attempt, saved)
    with body.as_default():
        plan = attempt.ended(after)
        set_outputs(body, plan.lower(after))
    inputs = [(t.spec, t.weak) for t in body.outputs]
    sides = [trace("branch", "otherwise", lambda *v: attempt.otherwise(v), inputs)]
    counts = []
    for number, own in enumerate(attempt.handlers):
        specs = _inputs([*attempt.specs, *own])
        sides.append(trace("branch", "handler", _handler(attempt, number), specs))
        counts.append(len(specs))
    joint = attempt.join([outcome for _, outcome in sides])
    for graph, outcome in sides:
        with graph.as_default():
            set_outputs(graph, joint.lower(outcome))
    handlers = [(graph, n) for (graph, _), n in zip(sides[1:], counts, strict=True)]
    return joint.lift(record_try(body, sides[0][0], handlers, saved))


def _handler(attempt: Attempt, number: int) -> Any:
    return lambda *values: attempt.handler(number, values)


def _inputs(specs: list[Spec]) -> list[Input]:
    return [(spec.tensor_spec, spec.weak) for spec in specs]


def _traced_body(attempt: Attempt, saved: Saved) -> tuple[SubGraph, Any]:
    for _ in range(ROUNDS):
        with attempts.tracing(saved) as home:

            def body() -> Any:
                home.append(interpreter.current())
                return attempt.body()

            graph, outcome = trace("branch", "body", body)
        if attempt.settled():
            return graph, outcome
    raise RuntimeError(f"what a staged try saves still changed its type after {ROUNDS} traces")
