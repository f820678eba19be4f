"""The reference executor: runs a graph's operations by their kernels, one after the other.

Every other engine and every pass must agree with it.  A :class:`Plan` lists once which operations
a set of fetches needs, in program order; running it walks the list without recursion, so chains of
any length run.  Values are dropped after their last use.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.engine.error_location import checked, located
from runtime.engine.parallel import Pace
from runtime.engine.python_codegen import Written, written_loop, written_plan
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.order import topological_order
from runtime.ops import dispatch as interpreter
from runtime.ops.array.constants import constant_op
from runtime.ops.control_flow.cond_while import while_op
from runtime.ops.op import HIGHER_ORDER
from runtime.types.conversion import boxed
from runtime.types.errors import InternalError
from runtime.types.flags import CHECK_KERNELS, WRITE_AFTER


class Step(NamedTuple):
    """One operation of a plan, its values being numbered places."""

    kernel: Callable[..., Any]
    attrs: dict[str, Any]
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    dead: tuple[int, ...]
    operation: Operation


class Span(NamedTuple):
    """When an operation ran: seconds since 1970, and how long it took."""

    name: str
    begin: float
    seconds: float


class Wanted(NamedTuple):
    """What a run is asked for: the values of ``fetches``, given those of ``feeds``.

    ``operations`` run as well: those that were fetched, and the effects that belong to the run.
    All are of ``graph``.
    """

    graph: Graph
    fetches: Sequence[SymbolicTensor]
    feeds: Sequence[SymbolicTensor]
    operations: Sequence[Operation] = ()


Preparation = Callable[[Wanted], Wanted]
_preparations: list[Preparation] = []
_settings: list[Callable[[], Any]] = []


def install_preparation(
    preparation: Preparation, settings: Callable[[], Any] = lambda: None
) -> None:
    """Let every plan be made for what ``preparation`` makes of what is wanted: optimiser passes.

    It gives something equivalent, whose fetches and feeds stand in the same order, usually of
    another graph.  It changes neither the graph nor the operations that it is given.  Operations
    that it makes keep the ``name`` and ``location`` of those they stand for, and have the user's
    operation as ``origin``: errors name these.  What it does depends on ``settings()`` besides.
    """
    _preparations[:] = [preparation]
    _settings[:] = [settings]


def settings() -> Any:
    """What plans depend on besides what is wanted: a part of the keys under which they are kept."""
    return _settings[0]() if _settings else None


def prepared(wanted: Wanted) -> Wanted:
    """What is wanted, after the optimiser passes."""
    for prepare in _preparations:
        wanted = prepare(wanted)
    return wanted


def make_plan(wanted: Wanted) -> Plan:
    """The plan for what is wanted, prepared: the one way from graphs to runs.

    Whoever calls keeps the plan: sessions for each set of fetches and feeds, sub-graphs as
    ``graph.plan``.
    """
    return Plan(*prepared(wanted))


class Plan:
    """What to run for a set of fetches, given a set of feeds.  Frozen once made."""

    def __init__(
        self,
        graph: Graph,
        fetches: Sequence[SymbolicTensor],
        feeds: Sequence[SymbolicTensor],
        operations: Iterable[Operation] = (),
    ) -> None:
        fed = frozenset(id(t) for t in feeds)
        wanted = [*operations, *(t.op for t in fetches if id(t) not in fed)]
        nodes = topological_order(graph, wanted, fed)
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
        self._runs = 0
        self._written: Written | None = None
        """The plan as a Python function, once it has run often."""
        self._pace = Pace()
        self.holds: Any = None  # what the plan's keeper wants to live as long
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
                attrs = {**attrs, "run": interpreter.run_graph}
            kernel = _looping(node) if node.row is while_op else kernel_of(node)
            steps.append(Step(kernel, attrs, sources, targets, dead, node))
        self.start.append(None)  # the place of outputs whose value is fed instead
        steps.reverse()
        return steps

    def run(self, values: Sequence[Any]) -> list[Any]:
        """The fetches' arrays, for the feeds' arrays."""
        with np.errstate(all="ignore"):
            return self.run_silenced(values)

    def run_silenced(self, values: Sequence[Any]) -> list[Any]:
        """As ``run``, where NumPy's warnings are off already: in a plan that is being run."""
        written = self._written
        if written is None and self._runs < WRITE_AFTER.value:
            self._runs += 1
            if self._runs >= WRITE_AFTER.value and self._pace.schedule is None:
                written = self._written = written_plan(self, subgraph_plan)
        if written is not None and not CHECK_KERNELS.value:
            return written.run(values)
        env = self.start.copy()
        for place, value in zip(self.feed_places, values, strict=True):
            env[place] = value
        self._pace.run(self.steps, self._walk, env, values)
        return [env[place] for place in self.fetch_places]

    def run_traced(self, values: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """As ``run``, one operation after the other; also tells when each of them ran."""
        env = self.start.copy()
        for place, value in zip(self.feed_places, values, strict=True):
            env[place] = value
        spans: list[Span] = []
        with np.errstate(all="ignore"):
            for step in self.steps:
                begin, start = time.time(), time.perf_counter()
                self._walk(env, (step,))
                spans.append(Span(step.operation.name, begin, time.perf_counter() - start))
        return [env[place] for place in self.fetch_places], spans

    @staticmethod
    def _walk(env: list[Any], steps: Iterable[Step]) -> None:
        check = CHECK_KERNELS.value
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


def _looping(node: Operation) -> Callable[..., tuple[Any, ...]]:
    """The kernel of a loop, which goes on as a written one when there are many turns."""
    test_graph, body_graph = node.attrs["test_graph"], node.attrs["body_graph"]
    split = node.attrs["splits"][0]
    count = len(node.outputs)

    known: list[tuple[Plan, Plan, Written | None]] = []

    def kernel(*inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        numbers = [value[()] if type(value) is np.ndarray and not value.ndim and (
            value.dtype.kind != "O") else value for value in inputs]  # fmt: skip
        state: Sequence[Any] = numbers[:count]
        captures = numbers[count:]
        for_test, for_body = captures[:split], captures[split:]
        test, body = subgraph_plan(test_graph), subgraph_plan(body_graph)
        left = WRITE_AFTER.value
        while not known or known[-1][:2] != (test, body):
            if not test.run_silenced((*state, *for_test))[0]:
                return tuple(state)
            state = body.run_silenced((*state, *for_body))
            left -= 1
            if left <= 0 < WRITE_AFTER.value and not CHECK_KERNELS.value:
                known[:] = [(test, body, written_loop(node, subgraph_plan))]
        written = known[-1][2]
        if written is not None:
            return tuple(written.run((*state, *captures)))
        while test.run_silenced((*state, *for_test))[0]:
            state = body.run_silenced((*state, *for_body))
        return tuple(state)

    return kernel


def subgraph_plan(graph: Any) -> Plan:
    """The plan of a traced sub-graph: its outputs, and everything in it that has effects."""
    known = graph.plan
    if known is not None and known[0] == len(graph.operations):
        if graph.prepared or known[2] == settings():
            return known[1]
    current = settings()
    plan = make_plan(whole(graph))
    graph.plan = (len(graph.operations), plan, current)
    return plan


def whole(graph: Any) -> Wanted:
    """What a run of a sub-graph asks for: its outputs, and everything in it that has effects."""
    effects = [node for node in graph.operations if graph.complete or node.stateful]
    return Wanted(graph, graph.outputs, graph.inputs, effects)


def run_subgraph(graph: Any, arrays: Sequence[Any]) -> list[Any]:
    """The outputs of a sub-graph for arrays given to its inputs (arguments, then captures).

    Whoever calls has turned NumPy's warnings off.
    """
    plan = subgraph_plan(graph)
    if len(arrays) != len(plan.feed_places):
        raise InternalError(
            f"{graph.title} takes {len(plan.feed_places)} inputs, got {len(arrays)}"
        )
    return plan.run_silenced(arrays)


interpreter.install_runner(run_subgraph)
