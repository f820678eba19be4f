"""Staged recursion: traces functions that call themselves, and records calls of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging import StagesCalls
from runtime.control_flow.abstract_value import Spec
from runtime.graph import raise_tracking
from runtime.graph.trace import set_outputs, trace
from runtime.ops import dispatch
from runtime.ops.control_flow.recursive_call import Callee, recurse_op


class RecursiveCalls(StagesCalls):
    """Part of the backend that traces functions as sub-graphs for the op ``recurse``."""

    stages_calls = True

    def callee(self, name: str) -> Callee:
        """Make a function without a graph."""
        return Callee(name)

    def trace_callee(
        self, callee: Callee, specs: Sequence[Spec], body: Callable[[Sequence[Any]], None]
    ) -> None:
        """Trace a function; captures of its last trace are inputs from the start."""
        captured = callee.captured

        def traced(*values: Any) -> None:
            graph: Any = dispatch.current()
            for tensor in captured:
                graph.capture(tensor)
            body(values)

        inputs = [(spec.tensor_spec, spec.weak) for spec in specs]
        callee.tracing = True
        try:
            with raise_tracking.suspended():
                graph, _ = trace("function", callee.name, traced, inputs)
        finally:
            callee.tracing = False
        callee.graph = graph
        callee.captured = graph.captured_tensors()
        callee.complete = len(callee.captured) == len(captured)

    def complete(self, callee: Callee) -> bool:
        """Return whether the last trace captured nothing new."""
        return callee.complete

    def finish_callee(self, callee: Callee, outputs: Callable[[], Sequence[Any]]) -> None:
        """Set the outputs."""
        with raise_tracking.suspended(), callee.graph.as_default():
            set_outputs(callee.graph, outputs())

    def reaches(self, callee: Callee) -> bool:
        """Return whether all captures belong to the current graph or an enclosing one."""
        graph: Any = dispatch.current()
        return all(t.graph is graph or graph.encloses(t.graph) for t in callee.captured)

    def call_callee(
        self, callee: Callee, values: Sequence[Any], results: Sequence[Spec]
    ) -> Sequence[Any]:
        """Record a call."""
        inputs = [*values, *callee.captured]
        specs = tuple(spec.tensor_spec for spec in results)
        recorded = dispatch.apply(recurse_op, inputs, {"callee": callee, "specs": specs})
        if not results:
            return []
        for tensor, spec in zip(recorded, results, strict=True):
            tensor.weak = spec.weak
        return list(recorded)
