"""Engine of written Python: what has run often becomes one Python function (written.py).

Writing and compiling a function costs as much as many runs.  So the first runs of an executable go
by the reference engine, and a loop with many turns is written while it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.engine.plan import ExecutionPlan
from runtime.engine.protocol import CompiledBody, Executable, Refusal, RunGraph, Span
from runtime.engine.python_codegen import (
    MAX_LINES,
    CompiledPlan,
    PlanOf,
    compile_loop,
    compile_plan,
)
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.engine.reference import ReferenceExecutable, loop_inputs
from runtime.graph.operation import Operation
from runtime.graph.run_request import RunRequest
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.control_flow.cond_while import while_op
from runtime.types.flags import CHECK_KERNELS, WRITE_AFTER


class PythonExecutable:
    """ExecutionPlan that is walked at first, and runs as a Python function once it is warm."""

    __slots__ = (
        "_compiled_plan", "_function", "_left", "_plan_of", "_reference", "plan", "refusals",
        "stateful",
    )  # fmt: skip

    engine = "python_codegen"

    def __init__(self, reference: ReferenceExecutable, plan_of: PlanOf, runs: int) -> None:
        self._reference = reference
        self.plan = reference.plan
        """ExecutionPlan that is walked, or was written out."""
        self.refusals = reference.refusals
        self.stateful = reference.stateful
        self._plan_of = plan_of
        self._left = runs
        """Runs until the plan is written out."""
        self._compiled_plan: CompiledPlan | None = None
        self._function: Callable[..., list[Any]] | None = None

    @property
    def progress(self) -> str:
        """How it runs now, in words."""
        if self._function is not None:
            return "written out"
        if self._left <= 0:
            return "on the reference engine, where large operations run side by side"
        return f"on the reference engine for {self._left} more runs"

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Arrays of the fetches, for the arrays of the feeds."""
        function = self._function
        if function is None:
            left = self._left = self._left - 1
            if left > 0 or self._reference.parallel:
                return self._reference(arrays)
            function = self._write()
        try:
            return function(*arrays)
        except Exception as error:
            assert self._compiled_plan is not None
            raise self._compiled_plan.failure(error) from error.__cause__

    def _write(self) -> Callable[..., list[Any]]:
        written = self._compiled_plan = compile_plan(self.plan, self._plan_of)
        self._function = written.function
        return written.function

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """As a call, one operation after the other; also tells when each of them ran."""
        return self._reference.profile(arrays)

    def warm_up(self) -> None:
        """Write the plan out now."""
        if self._function is None:
            self._write()


class PythonEngine:
    """Engine that writes plans out as Python functions."""

    name = "python_codegen"

    def __init__(self, compiled: CompiledBody, run_graph: RunGraph) -> None:
        self._compiled = compiled
        self._run_graph = run_graph

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal] = ()
    ) -> Executable | Refusal:
        """Executable for a request, unless it is too long, or a flag keeps to the kernels."""
        if not WRITE_AFTER.value:
            return Refusal(self.name, "RUNTIME_WRITE_AFTER is 0")
        if CHECK_KERNELS.value:
            return Refusal(self.name, "RUNTIME_CHECK_KERNELS is on, and the reference checks")
        if len(request.operations) > MAX_LINES:
            ops = [node.op_def for node in request.operations]
            least = sum(op is not constant_op and op is not placeholder_op for op in ops)
            if least > MAX_LINES:  # a plan of it need not be made
                return self._too_long(least)
        plan = ExecutionPlan(request, self._kernel_of, self._run_graph, check=False)
        if len(plan.steps) > MAX_LINES:
            return self._too_long(len(plan.steps))
        reference = ReferenceExecutable(plan, refusals)
        return PythonExecutable(reference, self._plan_of, WRITE_AFTER.value)

    def _too_long(self, count: int) -> Refusal:
        return Refusal(
            self.name,
            f"it would have {count} lines, and functions of more than {MAX_LINES} lines take too "
            "long to compile",
        )

    def _plan_of(self, graph: Any) -> Any:
        found: Any = self._compiled(graph)
        return found.plan

    def _kernel_of(self, node: Operation) -> Callable[..., Any]:
        return self._while_kernel(node) if node.op_def is while_op else kernel_of(node)

    def _while_kernel(self, node: Operation) -> Callable[..., tuple[Any, ...]]:
        """Kernel of a loop, which goes on as a written one when there are many turns."""
        test_graph, body_graph = node.attrs["test_graph"], node.attrs["body_graph"]
        split, count = node.attrs["splits"][0], len(node.outputs)
        patience = WRITE_AFTER.value
        known: list[tuple[Executable, Executable, CompiledPlan | None]] = []

        def kernel(*inputs: Any, **attrs: Any) -> tuple[Any, ...]:
            state, for_test, for_body = loop_inputs(inputs, count, split)
            test, body = self._compiled(test_graph), self._compiled(body_graph)
            left = patience
            while not known or known[-1][0] is not test or known[-1][1] is not body:
                if not test((*state, *for_test))[0]:
                    return tuple(state)
                state = body((*state, *for_body))
                left -= 1
                if left <= 0:
                    known[:] = [(test, body, compile_loop(node, self._plan_of))]
            written = known[-1][2]
            if written is not None:
                return tuple(written.run((*state, *for_test, *for_body)))
            while test((*state, *for_test))[0]:
                state = body((*state, *for_body))
            return tuple(state)

        return kernel
