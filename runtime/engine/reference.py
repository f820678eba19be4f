"""Reference engine: calls the kernels of operations one after the other.

It takes every request; all other engines and passes must agree with it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.engine.error_location import checked, located
from runtime.engine.parallel import MOST_STEPS, AdaptiveScheduler
from runtime.engine.plan import ExecutionPlan, PlanStep
from runtime.engine.protocol import (
    CompiledBody,
    Executable,
    Refusal,
    RunGraph,
    SettledExecutable,
    Span,
)
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.graph.operation import Operation
from runtime.graph.run_request import RunRequest
from runtime.ops.control_flow.cond_while import while_op
from runtime.types.conversion import as_object_scalar
from runtime.types.flags import CHECK_KERNELS


class ReferenceExecutable(SettledExecutable):
    """Executable that follows an execution plan; long operations may run in parallel."""

    __slots__ = ("_scheduler", "plan", "refusals", "stateful")

    engine = "reference"
    progress = ""

    def __init__(self, plan: ExecutionPlan, refusals: Sequence[Refusal]) -> None:
        self.plan = plan
        self.refusals = refusals
        self.stateful = plan.stateful
        may_gain = 2 <= len(plan.steps) <= MOST_STEPS
        self._scheduler = AdaptiveScheduler() if may_gain else None

    @property
    def parallel(self) -> bool:
        """Whether operations run in parallel."""
        return self._scheduler is not None and self._scheduler.schedule is not None

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        plan = self.plan
        env = plan.start.copy()
        for slot, value in zip(plan.feed_slots, arrays, strict=True):
            env[slot] = value
        if self._scheduler is None:
            self._walk(env, plan.steps)
        else:
            self._scheduler.run(plan.steps, self._walk, env, arrays)
        return [env[slot] for slot in plan.fetch_slots]

    def _walk(self, env: list[Any], steps: Iterable[PlanStep]) -> None:
        """Run ``steps`` on the slots ``env``, in place; errors name the user's line."""
        check = self.plan.check
        for kernel, attrs, sources, targets, dead, node in steps:
            try:
                result = kernel(*[env[s] for s in sources], **attrs)
                if check:
                    checked(result, node)
            except Exception as error:
                raise located(error, node, [env[s] for s in sources]) from error.__cause__
            if type(result) is not tuple:
                env[targets[0]] = as_object_scalar(result) if type(result) is bytes else result
            else:
                for slot, value in zip(targets, result, strict=True):
                    env[slot] = as_object_scalar(value) if type(value) is bytes else value
            for slot in dead:
                env[slot] = None

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run one operation after the other; return the arrays and the span of each operation."""
        plan = self.plan
        env = plan.start.copy()
        for slot, value in zip(plan.feed_slots, arrays, strict=True):
            env[slot] = value
        spans: list[Span] = []
        for step in plan.steps:
            begin, start = time.time(), time.perf_counter()
            self._walk(env, (step,))
            spans.append(Span(step.operation.name, begin, time.perf_counter() - start))
        return [env[slot] for slot in plan.fetch_slots], spans


class ReferenceEngine:
    """Engine that calls the kernels themselves."""

    name = "reference"

    def __init__(self, compiled: CompiledBody, run_graph: RunGraph) -> None:
        self._compiled = compiled
        self._run_graph = run_graph

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal] = ()
    ) -> ReferenceExecutable:
        """Compile a request; no request is refused."""
        plan = ExecutionPlan(request, self._kernel_of, self._run_graph, check=CHECK_KERNELS.value)
        return ReferenceExecutable(plan, refusals)

    def _kernel_of(self, node: Operation) -> Callable[..., Any]:
        return while_kernel(node, self._compiled) if node.op_def is while_op else kernel_of(node)


def while_kernel(node: Operation, compiled: CompiledBody) -> Callable[..., tuple[Any, ...]]:
    """Return the kernel of a loop, which looks its executables up once for all iterations."""
    test_graph, body_graph = node.attrs["test_graph"], node.attrs["body_graph"]
    split, count = node.attrs["splits"][0], len(node.outputs)

    def kernel(*inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        state, for_test, for_body = loop_inputs(inputs, count, split)
        test, body = compiled(test_graph), compiled(body_graph)
        return tuple(run_iterations(test, body, state, for_test, for_body)[0])

    return kernel


def run_iterations(
    test: Executable, body: Executable, state: Sequence[Any], for_test: Sequence[Any],
    for_body: Sequence[Any], most: float = math.inf,
) -> tuple[Sequence[Any], float]:  # fmt: skip
    """Run at most ``most`` iterations of a loop; return the last state and the iterations left.

    0 is left when the limit stopped the loop; the test of the next iteration has not run then.
    """
    while most > 0 and test((*state, *for_test))[0]:
        state = body((*state, *for_body))
        most -= 1
    return state, most


def loop_inputs(
    inputs: Sequence[Any], count: int, split: int
) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
    """Split the inputs of a loop: state, captures of the test, captures of the body.

    Arrays without dimensions become NumPy scalars, with which NumPy computes faster.
    """
    numbers = [
        value[()] if type(value) is np.ndarray and not value.ndim and value.dtype.kind != "O"
        else value
        for value in inputs
    ]  # fmt: skip
    captures = numbers[count:]
    return numbers[:count], captures[:split], captures[split:]
