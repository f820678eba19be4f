"""Plans of the staging protocol: how the outcomes of several paths become one.

What becomes of a single value stands in ``nodes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import EffectError
from autograph.operators.joins.join_errors import RESULT
from autograph.operators.joins.nodes import Node, Same, entered, unjoined
from autograph.operators.joins.object_nodes import joining
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.heap import Heap, Slot
from autograph.operators.state.outcome import Outcome, at_the_end_of
from autograph.operators.state.sentinels import NEVER
from autograph.staging.list_aliasing import together
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import kind_of
from autograph.staging.state_spec import Spec


@dataclass(frozen=True)
class JoinPlan:
    """The plan for outcomes: one node for each variable, each slot, and the result."""

    backend: Backend
    heap: Heap = field(compare=False)
    slots: tuple[Slot, ...]
    nodes: tuple[Node, ...]
    twins: frozenset[tuple[int, int]] = frozenset()
    """Pairs of parts that are one list on some path."""

    @property
    def specs(self) -> Sequence[Spec]:
        return [spec for node in self.nodes for spec in node.specs()]

    @property
    def names(self) -> Sequence[str]:
        return [node.name for node in self.nodes for _ in node.specs()]

    def lower(self, state: Any) -> list[Any]:
        with at_the_end_of(state):
            return [
                leaf
                for node, value in zip(self.nodes, self._parts(state), strict=True)
                for leaf in node.lower(value, self.backend)
            ]

    def lift(self, values: Sequence[Any]) -> Outcome:
        iterator = iter(values)
        parts = [node.lift(iterator, self.backend) for node in self.nodes]
        for one, other in self.twins:
            together(parts[one], parts[other])
        variables = len(parts) - len(self.slots) - 1
        effects = dict(zip(self.slots, parts[variables:-1], strict=True))
        return Outcome(parts[:variables], effects, parts[-1])

    def widen(self, state: Any) -> JoinPlan:
        plan = self if state is NEVER else self._with_slots(state.effects)
        with joining(self.heap), at_the_end_of(state):
            nodes = tuple(
                node.widen(value, self.backend)
                for node, value in zip(plan.nodes, plan._parts(state), strict=True)
            )
        twins = plan.twins if state is NEVER else plan.twins | _twins(plan._parts(state))
        if nodes == self.nodes and twins == self.twins:
            return self
        return JoinPlan(self.backend, self.heap, plan.slots, nodes, twins)

    def _with_slots(self, effects: dict[Slot, Any]) -> JoinPlan:
        new = tuple(slot for slot in effects if slot not in self.slots)
        if not new:
            return self
        nodes = tuple(
            entered(slot.label, _held(self.heap.before(slot), slot), self.backend) for slot in new
        )
        *known, result = self.nodes
        last = len(known)  # the result, which moves behind the new slots
        twins = frozenset(
            (one, other + len(new) if other == last else other) for one, other in self.twins
        )
        slots = (*self.slots, *new)
        return JoinPlan(self.backend, self.heap, slots, (*known, *nodes, result), twins)

    def _parts(self, state: Any) -> Sequence[Any]:
        if state is NEVER:
            return [NEVER] * len(self.nodes)
        slots = [
            _held(state.effects.get(slot, self.heap.before(slot)), slot) for slot in self.slots
        ]
        return [*state.values, *slots, state.result]


def _twins(parts: Sequence[Any]) -> frozenset[tuple[int, int]]:
    """The pairs of parts that are one list."""
    lists = [(number, part) for number, part in enumerate(parts) if isinstance(part, list)]
    return frozenset(
        (one, other)
        for place, (one, left) in enumerate(lists)
        for other, right in lists[place + 1 :]
        if left is right
    )


def _held(value: Any, slot: Slot) -> Any:
    """The value of a slot, which must have one on every path."""
    if value is UNDEFINED:
        raise EffectError(
            f"'{slot.label}' is there on one path only, which depends on a staged value",
            help="set it before, and on every path",
            subject=slot.label,
        )
    return value


def branch_plan(
    backend: Backend, heap: Heap, names: Sequence[str], left: Any, right: Any,
    result: str = RESULT,
) -> JoinPlan:
    """The plan that holds the outcomes of two branches; ``result`` is what they hand out."""
    if left is NEVER:
        left, right = right, left
    if left is NEVER:
        nothing = tuple(Same(name, NEVER) for name in (*names, result))
        return JoinPlan(backend, heap, (), nothing)
    both = left.effects if right is NEVER else {**left.effects, **right.effects}
    labels = (*names, *(slot.label for slot in both), result)
    plan = JoinPlan(backend, heap, tuple(both), tuple(Same(label, None) for label in labels))
    parts = plan._parts(left)
    pairs = zip(labels, parts, strict=True)
    with joining(heap), at_the_end_of(left):
        if right is NEVER:
            nodes = tuple(unjoined(name, value, backend) for name, value in pairs)
        else:
            nodes = tuple(Same(name, value, left) for name, value in pairs)
    return JoinPlan(backend, heap, plan.slots, nodes, _twins(parts)).widen(right)


def joint_plan(
    backend: Backend, heap: Heap, names: Sequence[str], outcomes: Sequence[Any]
) -> JoinPlan:
    """The plan that holds the outcomes of any number of paths."""
    first, second, *others = [*(o for o in outcomes if o is not NEVER), NEVER, NEVER]
    plan = branch_plan(backend, heap, names, first, second)
    for outcome in others:
        plan = plan.widen(outcome)
    return plan


def loop_plan(backend: Backend, heap: Heap, names: Sequence[str], state: Outcome) -> JoinPlan:
    """The narrowest plan for a loop that starts with ``state``."""
    heap.repeats = True
    pairs = zip((*names, RESULT), (*state.values, state.result), strict=True)
    start = Outcome((), {}, None)
    nodes = tuple(_entering(name, value, start, backend) for name, value in pairs)
    return JoinPlan(backend, heap, (), nodes, _twins((*state.values, state.result)))


def _entering(name: str, value: Any, start: Outcome, backend: Backend) -> Node:
    """A list or dict is taken to be one object in all turns, unless a turn gives another."""
    same = kind_of(value) in (list, dict)
    return Same(name, value, start) if same else entered(name, value, backend)
