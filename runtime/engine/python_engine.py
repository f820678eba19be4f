"""Engine that compiles plans which run often to one Python function (python_codegen.py).

A loop with many turns is written while it runs; where machine code can be made, that is made of it
on another core, and the loop goes on as such once it is there.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.engine.llvm.beside import Beside
from runtime.engine.llvm.engine import Promotion
from runtime.engine.plan import ExecutionPlan
from runtime.engine.protocol import CompiledBody, Executable, Refusal, RunGraph
from runtime.engine.python_codegen import (
    MAX_LINES,
    CompiledPlan,
    PlanOf,
    compile_loop,
)
from runtime.engine.python_executable import RUNNING, PythonExecutable
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.engine.reference import ReferenceExecutable, loop_inputs, run_iterations
from runtime.graph.operation import Operation
from runtime.graph.run_request import RunRequest
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.control_flow.cond_while import while_op
from runtime.types.flags import CHECK_KERNELS, WRITE_AFTER

if TYPE_CHECKING:
    from runtime.engine.llvm.native import NativeCode


LOOK = 0.01
"""Seconds after which a loop looks whether its machine code, made on another core, is there."""


class PythonEngine:
    """Engine that compiles plans to Python functions."""

    name = "python_codegen"

    def __init__(
        self, compiled: CompiledBody, run_graph: RunGraph, promotion: Promotion
    ) -> None:
        self._compiled = compiled
        self._run_graph = run_graph
        self._promotion = promotion

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal] = ()
    ) -> Executable | Refusal:
        """Compile a request; refuse it if it is too long, or a flag switches the engine off."""
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
        promotion = self._promotion
        promoted = promotion.is_possible(request.graph)
        recursive = getattr(request.graph, "kind", "") == "function"
        return PythonExecutable(
            reference, self._plan_of, WRITE_AFTER.value, promotion, promoted, recursive
        )

    def _too_long(self, count: int) -> Refusal:
        return Refusal(
            self.name,
            f"it would have {count} lines, and functions of more than {MAX_LINES} lines take too "
            "long to compile",
        )

    def _plan_of(self, graph: Any) -> Any:
        plan: Any = self._compiled(graph)
        return plan.plan

    def _kernel_of(self, node: Operation) -> Callable[..., Any]:
        if node.op_def is while_op:
            return _LoopKernel(node, self._compiled, self._plan_of, self._promotion)
        return kernel_of(node)


class _LoopKernel:
    """Kernel of a loop, which is interpreted at first, and compiled after many iterations.

    A loop that can become machine code is interpreted until that pays; else a Python function is
    made of it.
    """

    __slots__ = (
        "_beside", "_body", "_compiled", "_compiled_plan", "_left", "_limit", "_native", "_node",
        "_plan_of", "_promotion", "_seconds", "_split", "_test",
    )  # fmt: skip

    def __init__(
        self, node: Operation, compiled: CompiledBody, plan_of: PlanOf, promotion: Promotion
    ) -> None:
        self._node = node
        self._split = node.attrs["splits"][0]
        self._compiled = compiled
        self._plan_of = plan_of
        self._promotion = promotion
        self._test: Executable | None = None
        self._body: Executable | None = None
        self._reset()

    def _reset(self) -> None:
        self._left: float = WRITE_AFTER.value
        """Number of iterations, in all runs, until the loop is compiled."""
        graphs = self._node.graph, self._node.attrs["body_graph"]
        self._seconds = 0.0 if self._promotion.is_possible(*graphs) else math.inf
        """Time that iterations took, until it is decided whether to make machine code."""
        self._limit = self._promotion.seconds([self._node])
        self._compiled_plan: CompiledPlan | None = None
        self._native: NativeCode | None = None
        self._beside: Beside | None = None
        """The compilation that goes on beside the iterations."""

    def __call__(self, *inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        state, for_test, for_body = loop_inputs(inputs, len(self._node.outputs), self._split)
        test = self._compiled(self._node.attrs["test_graph"])
        body = self._compiled(self._node.attrs["body_graph"])
        if test is not self._test or body is not self._body:
            self._test, self._body = test, body
            self._reset()
        while self._left > 0:
            begin, count = time.perf_counter(), self._left
            walked = _walked(test), _walked(body)
            state, self._left = run_iterations(*walked, state, for_test, for_body, count)
            seconds = time.perf_counter() - begin
            self._seconds += seconds
            if self._left > 0:
                return tuple(state)
            self._promote(count / max(seconds, 1e-9))
        if self._native is not None:
            return tuple(self._native((*state, *for_test, *for_body)))
        if self._compiled_plan is not None:
            return tuple(self._compiled_plan.run((*state, *for_test, *for_body)))
        return self._interpreted((*state, *for_test, *for_body))

    def _interpreted(self, inputs: Sequence[Any]) -> tuple[Any, ...]:
        assert self._test is not None and self._body is not None
        state, for_test, for_body = loop_inputs(inputs, len(self._node.outputs), self._split)
        return tuple(run_iterations(self._test, self._body, state, for_test, for_body)[0])

    def _promote(self, pace: float) -> None:
        """Compile the loop, or interpret more iterations, of which a second takes ``pace``, until
        machine code pays or, beside them, is there.
        """
        if RUNNING.executable is not None:
            RUNNING.executable.restart_if_hot()
        if self._beside is not None and self._beside.is_lost:
            self._beside, self._seconds = None, 0.0
        if self._seconds < self._limit:
            self._left = WRITE_AFTER.value
            return
        outcome: NativeCode | str = ""
        if math.isfinite(self._seconds):
            compile_code = partial(
                self._promotion.loop, self._node, self._plan_of, self._interpreted
            )
            self._beside = self._beside or Beside.start(compile_code)
            if self._beside is None:
                outcome = compile_code()
            elif self._beside.is_done:
                outcome = self._beside.outcome()
            else:
                self._left = min(max(int(pace * LOOK), 1), WRITE_AFTER.value)
                return
        if isinstance(outcome, str):
            self._compiled_plan = compile_loop(self._node, self._plan_of)
        else:
            self._native = outcome


def _walked(executable: Executable) -> Executable:
    """Return the executable that interprets the plan of another."""
    return executable.reference if isinstance(executable, PythonExecutable) else executable
