"""Engine of profiles: the reference engine, with a span for each operation and function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime.eager.tensor import EagerInterpreter
from runtime.engine.error_location import located
from runtime.engine.plan import ExecutionPlan, PlanStep
from runtime.engine.profiling.span_recorder import SpanRecorder, current_recorder
from runtime.engine.protocol import CompiledBody, Refusal, RunGraph
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.engine.reference import ReferenceExecutable, while_kernel
from runtime.graph.operation import Operation
from runtime.graph.run_request import RunRequest
from runtime.ops.control_flow.cond_while import while_op
from runtime.ops.op import OpDef
from runtime.types.conversion import as_object_scalar
from runtime.types.flags import CHECK_KERNELS
from runtime.types.source_location import UNKNOWN_LOCATION, user_location


class RecordingExecutable(ReferenceExecutable):
    """Executable that records a span for each operation, one after the other."""

    def __init__(self, plan: ExecutionPlan, refusals: Sequence[Refusal]) -> None:
        super().__init__(plan, refusals)
        self._scheduler = None
        self._is_function = getattr(plan.graph, "kind", "") == "function"
        self._name = getattr(plan.graph, "name", "")
        first = next((step.operation.location for step in plan.steps), UNKNOWN_LOCATION)
        self._location = first

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        recorder = current_recorder()
        if recorder is None or not self._is_function:
            return super().__call__(arrays)
        entered, results = recorder.enter(), None
        try:
            results = super().__call__(arrays)
            return results
        finally:
            recorder.leave(
                entered, "function", self._name, "", self._location, results
            )

    def _walk(self, env: list[Any], steps: Iterable[PlanStep]) -> None:
        """Run ``steps`` on the slots ``env``, in place, and record them."""
        recorder = current_recorder()
        if recorder is None:
            super()._walk(env, steps)
            return
        for step in steps:
            self._record(recorder, env, step)

    def _record(self, recorder: SpanRecorder, env: list[Any], step: PlanStep) -> None:
        kernel, attrs, sources, targets, dead, node = step
        inputs = [env[s] for s in sources]
        entered, result = recorder.enter(), None
        try:
            result = kernel(*inputs, **attrs)
        except Exception as error:
            raise located(error, node, inputs) from error.__cause__
        finally:
            user = node.origin or node
            recorder.leave(entered, "op", node.type, user.name, user.location, result)
        results = result if type(result) is tuple else (result,)
        for slot, value in zip(targets, results, strict=True):
            env[slot] = as_object_scalar(value) if type(value) is bytes else value
        for slot in dead:
            env[slot] = None


class RecordingEngine:
    """Engine of all requests while a profile is recorded."""

    name = "profiler"

    def __init__(self, compiled: CompiledBody, run_graph: RunGraph) -> None:
        self._compiled = compiled
        self._run_graph = run_graph

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal] = ()
    ) -> RecordingExecutable:
        """Compile a request; no request is refused."""
        plan = ExecutionPlan(request, self._kernel_of, self._run_graph, check=CHECK_KERNELS.value)
        return RecordingExecutable(plan, refusals)

    def _kernel_of(self, node: Operation) -> Any:
        return while_kernel(node, self._compiled) if node.op_def is while_op else kernel_of(node)


class RecordingInterpreter(EagerInterpreter):
    """Eager interpreter that records a span for each operation."""

    def __init__(self, recorder: SpanRecorder) -> None:
        self._recorder = recorder

    apply = EagerInterpreter._apply_any  # past the short cut

    def _compute(self, op: OpDef, arrays: list[Any], attrs: dict[str, Any]) -> Any:
        recorder = self._recorder
        if not recorder.open:
            return super()._compute(op, arrays, attrs)
        location = user_location()
        entered, result = recorder.enter(), None
        try:
            result = super()._compute(op, arrays, attrs)
            return result
        finally:
            recorder.leave(entered, "op", op.type_name, "", location, result)
