"""Execution plans: the operations that a request needs, as steps over numbered slots.

An :class:`ExecutionPlan` lists the steps once, in program order; running it needs no recursion, so
chains of any length run.  A slot is cleared after its last use.  reference.py runs plans step by
step, python_codegen.py compiles them to Python functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.graph.operation import Operation
from runtime.graph.order import topological_order
from runtime.graph.run_request import RunRequest
from runtime.ops.array.constants import constant_op
from runtime.ops.op import HIGHER_ORDER


class PlanStep(NamedTuple):
    """Step of a plan: one operation, with the slots that it reads, writes and clears."""

    kernel: Callable[..., Any]
    attrs: dict[str, Any]
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    dead: tuple[int, ...]
    operation: Operation


class ExecutionPlan:
    """Steps that compute a run request.  A plan does not change once it is made.

    ``kernel_of`` chooses the kernel of an operation; ``run_graph`` is passed to the kernels of
    higher-order operations; ``check`` compares each result with its inferred type.
    """

    def __init__(
        self,
        request: RunRequest,
        kernel_of: Callable[[Operation], Callable[..., Any]],
        run_graph: Callable[[Any, Sequence[Any]], list[Any]],
        check: bool,
    ) -> None:
        graph, fetches, feeds, operations = request
        fed = frozenset(id(t) for t in feeds)
        targets = [*operations, *(t.op for t in fetches if id(t) not in fed)]
        nodes = topological_order(graph, targets, fed)
        self._kernel_of = kernel_of
        self._run_graph = run_graph
        self.check = check
        slots: dict[int, int] = {}
        for tensor in feeds:
            slots.setdefault(id(tensor), len(slots))
        self.feeds = tuple(feeds)
        self.fetches = tuple(fetches)
        self.feed_slots = [slots[id(t)] for t in feeds]
        constants: list[tuple[int, Any]] = []
        work: list[Operation] = []
        for node in nodes:
            for tensor in node.outputs:
                slots.setdefault(id(tensor), len(slots))
            if node.op_def is constant_op:
                if id(node.outputs[0]) not in fed:
                    constants.append((slots[id(node.outputs[0])], node.attrs["value"]))
            elif not (len(node.outputs) == 1 and id(node.outputs[0]) in fed):
                work.append(node)
        self.graph = graph
        self.stateful = any(node.stateful for node in work)
        self.fetch_slots = [slots[id(t)] for t in fetches]
        self.start: list[Any] = [None] * len(slots)
        for slot, value in constants:
            array = isinstance(value, np.ndarray) and value.dtype.kind != "O"
            self.start[slot] = value[()] if array else value
        self.steps = self._steps(work, slots, fed, {slot for slot, _ in constants})

    def of(self, request: RunRequest) -> ExecutionPlan:
        """Return the plan of another request, made in the same way."""
        return ExecutionPlan(request, self._kernel_of, self._run_graph, self.check)

    def _steps(self, work: list[Operation], slots: dict[int, int], fed: frozenset[int],
               keep: set[int]) -> list[PlanStep]:  # fmt: skip
        """Make the steps; each clears the slots that it is the last to read."""
        seen = set(self.fetch_slots) | keep
        steps: list[PlanStep] = []
        spare = len(self.start)
        for node in reversed(work):
            sources = tuple([slots[id(t)] for t in node.inputs])
            targets = tuple([slots[id(t)] if id(t) not in fed else spare for t in node.outputs])
            dead = tuple({p for p in (*sources, *targets) if p not in seen})
            if dead:
                seen.update(dead)
            attrs = node.attrs
            if HIGHER_ORDER in node.op_def.traits:
                attrs = {**attrs, "run": self._run_graph}
            steps.append(PlanStep(self._kernel_of(node), attrs, sources, targets, dead, node))
        self.start.append(None)  # the slot of outputs whose value is fed instead
        steps.reverse()
        return steps
