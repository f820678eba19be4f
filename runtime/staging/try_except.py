"""Staged ``try``: traces the body and the handlers, and records one operation; for backend.py."""

from __future__ import annotations

from typing import Any

from autograph.staging import StagedTry
from runtime.control_flow.abstract_value import Spec
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import Input, record_try, set_outputs, trace
from runtime.ops import dispatch
from runtime.ops.control_flow.try_except import Saved

ROUNDS = 20
"""How often the body is traced at most.  What is saved only grows, and rarely more than once."""


def staged_try(statement: StagedTry) -> list[SymbolicTensor]:
    """Record a ``try``; return the values of its joined outcome."""
    saved = Saved(statement)
    body = _traced_body(statement, saved)
    with body.as_default():
        _, values = statement.body_outputs()
        set_outputs(body, values)
    inputs = [(t.spec, t.weak) for t in body.outputs]
    branches = [trace("branch", "otherwise", lambda *v: statement.trace_else(v), inputs)[0]]
    counts = []
    for number, own_spec in enumerate(statement.handler_specs):
        specs = _inputs([*statement.saved_specs, *own_spec])
        branches.append(trace("branch", "handler", _handler(statement, number), specs)[0])
        counts.append(len(specs))
    statement.join()
    for number_of_branch, graph in enumerate(branches):
        with graph.as_default():
            set_outputs(graph, statement.outputs(number_of_branch))
    return record_try(body, branches[0], list(zip(branches[1:], counts, strict=True)), saved)


def _handler(statement: StagedTry, number: int) -> Any:
    return lambda *values: statement.trace_handler(number, values)


def _inputs(specs: list[Spec]) -> list[Input]:
    return [(spec.tensor_spec, spec.weak) for spec in specs]


def _traced_body(statement: StagedTry, saved: Saved) -> FuncGraph:
    for _ in range(ROUNDS):
        with raise_tracking.in_try_body(saved) as home:

            def body() -> None:
                home.append(dispatch.current())
                statement.trace_body()

            graph, _ = trace("branch", "body", body)
        if statement.is_resolved():
            return graph
    raise RuntimeError(f"what a staged try saves still changed its type after {ROUNDS} traces")
