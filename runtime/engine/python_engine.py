"""Engine that compiles plans which run often to one Python function (python_codegen.py).

Writing and compiling a function costs as much as many runs.  So the first runs of an executable go
by the reference engine, and a loop with many turns is written while it runs.  Where machine code
can be made, a hot run is begun again as such; one with effects goes on, its loops as machine code.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.engine.llvm.engine import Promotion
from runtime.engine.plan import ExecutionPlan
from runtime.engine.protocol import CompiledBody, Executable, Refusal, RunGraph, Span
from runtime.engine.purity import repeatable
from runtime.engine.python_codegen import (
    MAX_LINES,
    CompiledPlan,
    PlanOf,
    compile_loop,
    compile_plan,
)
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.engine.reference import ReferenceExecutable, loop_inputs, run_iterations
from runtime.graph.operation import Operation
from runtime.graph.run_request import RunRequest
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.control_flow.cond_while import while_op
from runtime.types.flags import CHECK_KERNELS, WRITE_AFTER

if TYPE_CHECKING:
    from runtime.engine.llvm.native import NativeCode


LONGEST_REPEATED = 0.04
"""Time that a run may take after it has become hot and still be begun again."""

RECURSIVE_CALLS = 300
"""Calls of a function by itself after which it is hot."""


class _Running(threading.local):
    """Executable that a thread runs and that may be promoted, and since when."""

    executable: PythonExecutable | None = None
    begin = 0.0


class _Restart(BaseException):
    """The run is abandoned; it begins again as machine code."""


_running = _Running()


class PythonExecutable:
    """Executable that interprets its plan at first, and compiles it after some runs."""

    __slots__ = (
        "_compiled_plan", "_depth", "_fastest", "_function", "_left", "_limit", "_plan_of",
        "_promoted", "_promotion", "_recursive", "_returns", "_seconds", "_then", "native", "plan",
        "reference", "refusals", "stateful",
    )  # fmt: skip

    def __init__(
        self, reference: ReferenceExecutable, plan_of: PlanOf, runs: int, promotion: Promotion,
        promoted: bool, recursive: bool,
    ) -> None:  # fmt: skip
        self.reference = reference
        """Executable that interprets the plan."""
        self.plan = reference.plan
        """Plan that is interpreted, or was compiled."""
        self.refusals = reference.refusals
        self.stateful = reference.stateful
        self._plan_of = plan_of
        self._left = runs
        """Number of runs until the plan is compiled."""
        self._compiled_plan: CompiledPlan | None = None
        self._function: Callable[..., list[Any]] | None = None
        self._promotion = promotion
        self._promoted = promoted
        operations = [step.operation for step in self.plan.steps]
        self._limit = promotion.seconds(operations) if promoted else math.inf
        """Time after which machine code is made."""
        self._seconds = 0.0
        """Time that all runs took, until it is decided whether to make machine code."""
        self._fastest = math.inf
        """Time that the fastest of them took."""
        self._recursive = recursive
        """Whether it is a function that may call itself, as a part of another graph."""
        self._depth = self._returns = 0
        """Calls of itself that are under way, and that have returned."""
        self.native: NativeCode | None = None
        self._then: Callable[[], object] = _nothing

    @property
    def engine(self) -> str:
        """Name of the engine that runs it now."""
        return "python_codegen" if self.native is None else "llvm"

    @property
    def progress(self) -> str:
        """Text about the way it runs now."""
        if self.native is not None:
            return "machine code"
        if self._function is not None:
            return "written out"
        if self._left <= 0:
            return "on the reference engine, where large operations run side by side"
        return f"on the reference engine for {self._left} more runs"

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        if self.native is not None:
            return list(self.native(arrays))
        if not self._promoted:
            return self._run(arrays)
        if _running.executable is not None:
            return self._run_inside(arrays)
        _running.executable = self  # graphs inside are a part of it, and not promoted alone
        try:
            begin = _running.begin = time.perf_counter()
            found = self._run(arrays)
            if self._seconds >= 0:
                spent = time.perf_counter() - begin
                self._seconds += spent
                self._fastest = min(self._fastest, spent)
                if self._seconds > self._limit:
                    self._promote()
            return found
        except _Restart:
            assert self.native is not None
            return list(self.native(arrays))
        finally:
            _running.executable = None

    def restart_if_hot(self) -> None:
        """Begin the current run again as machine code once the runs took as long as making it.

        Loops call this.  A run that has effects goes on, and so does one that took much longer.
        """
        seconds, limit = time.perf_counter() - _running.begin, self._limit
        if not limit < self._seconds + seconds or seconds > limit + LONGEST_REPEATED:
            return
        if all(repeatable(step.operation) for step in self.plan.steps):
            self._promote()
            if self.native is not None:
                raise _Restart

    @property
    def compile_seconds(self) -> float:
        """Seconds that it is expected to take to become machine code; 0 if it does not."""
        return self._limit if math.isfinite(self._limit) and self.native is None else 0.0

    def promote(self, seconds: float) -> None:
        """Become machine code now; ``seconds`` is the time of a run in another way."""
        if self._promoted and self._seconds >= 0:
            self._fastest = seconds
            self._promote()

    def _promote(self) -> None:
        """Make machine code of the plan, or note why not."""
        self._seconds = -math.inf
        is_known = math.isfinite(self._fastest) and not self.reference.parallel
        fastest = self._fastest if is_known else 0.0
        found = self._promotion.plan(self.plan, self._plan_of, self.reference, fastest)
        rest = [one for one in self.refusals if one.engine != "llvm"]
        if isinstance(found, str):
            self.refusals = (Refusal("llvm", found), *rest)
        else:
            self.native, self.refusals = found, tuple(rest)
            self._then()

    def _run_inside(self, arrays: Sequence[Any]) -> list[Any]:
        """Run as a part of another graph.  A function that calls itself often is promoted alone:
        the graph around it would take long to come to its end.
        """
        if not self._recursive or self._seconds < 0:
            return self._run(arrays)
        self._depth += 1
        try:
            return self._run(arrays)
        finally:
            self._depth -= 1
            self._returns += self._depth > 0
            if self._returns > RECURSIVE_CALLS and self._seconds >= 0:
                self._promote()

    def _run(self, arrays: Sequence[Any]) -> list[Any]:
        function = self._function
        if function is None:
            left = self._left = self._left - 1
            if left > 0 or self.reference.parallel:
                return self.reference(arrays)
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
        """Run one operation after the other; return the arrays and the span of each operation."""
        return self.reference.profile(arrays)

    def when_native(self, then: Callable[[], object]) -> None:
        """Call a function once this becomes machine code."""
        self._then = then
        if self.native is not None:  # by a call of another thread
            then()

    def warm_up(self) -> None:
        """Compile the plan now."""
        if self._function is None:
            self._write()


def _nothing() -> None:
    """Do nothing: nobody asked."""


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
        found: Any = self._compiled(graph)
        return found.plan

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
        "_body", "_compiled", "_compiled_plan", "_left", "_limit", "_native", "_node", "_plan_of",
        "_promotion", "_seconds", "_split", "_test",
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

    def __call__(self, *inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        state, for_test, for_body = loop_inputs(inputs, len(self._node.outputs), self._split)
        test = self._compiled(self._node.attrs["test_graph"])
        body = self._compiled(self._node.attrs["body_graph"])
        if test is not self._test or body is not self._body:
            self._test, self._body = test, body
            self._reset()
        while self._left > 0:
            begin = time.perf_counter()
            walked = _walked(test), _walked(body)
            state, self._left = run_iterations(*walked, state, for_test, for_body, self._left)
            self._seconds += time.perf_counter() - begin
            if self._left > 0:
                return tuple(state)
            self._promote()
        if self._native is not None:
            return tuple(self._native((*state, *for_test, *for_body)))
        if self._compiled_plan is not None:
            return tuple(self._compiled_plan.run((*state, *for_test, *for_body)))
        return self._interpreted((*state, *for_test, *for_body))

    def _interpreted(self, inputs: Sequence[Any]) -> tuple[Any, ...]:
        assert self._test is not None and self._body is not None
        state, for_test, for_body = loop_inputs(inputs, len(self._node.outputs), self._split)
        return tuple(run_iterations(self._test, self._body, state, for_test, for_body)[0])

    def _promote(self) -> None:
        """Compile the loop, or interpret more iterations until machine code pays."""
        if _running.executable is not None:
            _running.executable.restart_if_hot()
        if self._seconds < self._limit:
            self._left = WRITE_AFTER.value
            return
        found: NativeCode | str = ""
        if math.isfinite(self._seconds):
            found = self._promotion.loop(self._node, self._plan_of, self._interpreted)
        if isinstance(found, str):
            self._compiled_plan = compile_loop(self._node, self._plan_of)
        else:
            self._native = found


def _walked(found: Executable) -> Executable:
    """Return the executable that interprets the plan of another."""
    return found.reference if isinstance(found, PythonExecutable) else found
