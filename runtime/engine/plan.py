"""Plans of the reference engine: which operations a request needs, as steps over numbered places.

A :class:`Plan` lists them once, in program order; walking it needs no recursion, so chains of any
length run.  Values are dropped after their last use.  engine/reference.py walks plans, written.py
writes them out as Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.engine.error_location import checked, located
from runtime.graph.operation import Operation
from runtime.graph.order import topological_order
from runtime.graph.run_request import RunRequest
from runtime.ops.array.constants import constant_op
from runtime.ops.op import HIGHER_ORDER
from runtime.types.conversion import boxed


class Step(NamedTuple):
    """One operation of a plan, its values being numbered places."""

    kernel: Callable[..., Any]
    attrs: dict[str, Any]
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    dead: tuple[int, ...]
    operation: Operation


class Plan:
    """Steps of a run of a request.  Frozen once made.

    ``kernel_of`` chooses an operation's kernel; ``run_graph`` is what kernels of operations that
    hold graphs are given; ``check`` lets results be compared with what was inferred.
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
        wanted = [*operations, *(t.op for t in fetches if id(t) not in fed)]
        nodes = topological_order(graph, wanted, fed)
        self._kernel_of = kernel_of
        self._run_graph = run_graph
        self._check = check
        places: dict[int, int] = {}
        for tensor in feeds:
            places.setdefault(id(tensor), len(places))
        self.feed_places = [places[id(t)] for t in feeds]
        constants: list[tuple[int, Any]] = []
        work: list[Operation] = []
        for node in nodes:
            for tensor in node.outputs:
                places.setdefault(id(tensor), len(places))
            if node.row is constant_op:
                if id(node.outputs[0]) not in fed:
                    constants.append((places[id(node.outputs[0])], node.attrs["value"]))
            elif not (len(node.outputs) == 1 and id(node.outputs[0]) in fed):
                work.append(node)
        self.stateful = any(node.stateful for node in work)
        self.fetch_places = [places[id(t)] for t in fetches]
        self.start: list[Any] = [None] * len(places)
        for place, value in constants:
            array = isinstance(value, np.ndarray) and value.dtype.kind != "O"
            self.start[place] = value[()] if array else value
        self.steps = self._steps(work, places, fed, {place for place, _ in constants})

    def _steps(self, work: list[Operation], places: dict[int, int], fed: frozenset[int],
               keep: set[int]) -> list[Step]:  # fmt: skip
        """The steps, each with the places it is the last to read."""
        seen = set(self.fetch_places) | keep
        steps: list[Step] = []
        spare = len(self.start)
        for node in reversed(work):
            sources = tuple([places[id(t)] for t in node.inputs])
            targets = tuple([places[id(t)] if id(t) not in fed else spare for t in node.outputs])
            dead = tuple({p for p in (*sources, *targets) if p not in seen})
            if dead:
                seen.update(dead)
            attrs = node.attrs
            if HIGHER_ORDER in node.row.traits:
                attrs = {**attrs, "run": self._run_graph}
            steps.append(Step(self._kernel_of(node), attrs, sources, targets, dead, node))
        self.start.append(None)  # the place of outputs whose value is fed instead
        steps.reverse()
        return steps

    def walk(self, env: list[Any], steps: Iterable[Step]) -> None:
        """Run some of the steps on the values that are known so far."""
        check = self._check
        for kernel, attrs, sources, targets, dead, node in steps:
            try:
                result = kernel(*[env[s] for s in sources], **attrs)
                if check:
                    checked(result, node)
            except Exception as error:
                raise located(error, node, [env[s] for s in sources]) from error.__cause__
            if type(result) is not tuple:
                env[targets[0]] = boxed(result) if type(result) is bytes else result
            else:
                for place, value in zip(targets, result, strict=True):
                    env[place] = boxed(value) if type(value) is bytes else value
            for place in dead:
                env[place] = None
