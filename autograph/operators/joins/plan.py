"""State layouts and specs: how the outcomes of several paths become one.

``nodes`` joins single values; this module joins whole states of variables, heap slots and results.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from autograph.errors import EffectError
from autograph.operators.joins.aliases import NO_ALIASES, Aliases, aliases_of, check_parts
from autograph.operators.joins.array_nodes import (
    array_node,
    is_concrete_array,
    is_shared_array,
    rebound_node,
)
from autograph.operators.joins.descriptions import describing
from autograph.operators.joins.join_errors import RESULT
from autograph.operators.joins.nodes import LeafNode, Node, SameNode, alone, entered
from autograph.operators.joins.number_nodes import NumberNode as NumberNode
from autograph.operators.joins.object_nodes import joining
from autograph.operators.joins.variant_nodes import widened
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.heap import Heap, HeapSlot
from autograph.operators.state.holders import CONTENT
from autograph.operators.state.optional_attributes import may_be_optional
from autograph.operators.state.outcome import Outcome, at_the_end_of
from autograph.operators.state.sentinels import NEVER
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import storage_of
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import TracedMap
from autograph.staging.state_spec import StagedValue, StateSpec
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True)
class StateLayout:
    """Layout of a state: one node for each variable, each slot, and the result."""

    nodes: tuple[Node, ...]
    slots: tuple[HeapSlot, ...] = ()
    aliases: Aliases = NO_ALIASES
    """What is one object on some path."""


def state_spec(layout: StateLayout) -> StateSpec:
    """Return the spec of states with this layout."""
    specs, names = [], []
    for node in layout.nodes:
        own_specs = node.specs()
        specs += own_specs
        names += [node.name] * len(own_specs)
    return StateSpec(specs, names, layout)


def lower(spec: StateSpec, state: Any, heap: Heap) -> list[Any]:
    """Convert a state to the backend's values; must be called in the trace that made the state."""
    layout: StateLayout = spec.layout
    values = _parts(layout, state, heap)
    with at_the_end_of(state):
        leaves = [
            leaf
            for node, value in zip(layout.nodes, values, strict=True)
            for leaf in node.lower(value, heap.backend)
        ]
        for leaf in leaves:
            if isinstance(leaf, StagedValue):
                raise TypeError(f"{leaf!r} is no tensor and cannot be the value of a staged path")
    return heap.backend.convert(leaves, spec.specs)


def lift(spec: StateSpec, values: Sequence[Any], backend: Backend) -> Outcome:
    """Rebuild the state from the backend's values."""
    layout: StateLayout = spec.layout
    iterator = iter(values)
    joined = [node.lift(iterator, backend) for node in layout.nodes]
    layout.aliases.link(joined, backend)
    variables = len(joined) - len(layout.slots) - 1
    effects = dict(zip(layout.slots, joined[variables:-1], strict=True))
    return Outcome(joined[:variables], effects, joined[-1])


def widen(spec: StateSpec, state: Any, heap: Heap) -> StateSpec:
    """Return the spec that also holds another state: the same spec if nothing had to change."""
    backend, before = heap.backend, spec.layout
    with joining(heap):
        layout = before if state is NEVER else _with_slots(before, state.effects, heap)
    values = _parts(layout, state, heap)
    with joining(heap), at_the_end_of(state), describing(backend, values):
        nodes = tuple(
            widened(node, value, backend) for node, value in zip(layout.nodes, values, strict=True)
        )
        aliases = layout.aliases
        if state is not NEVER:
            aliases |= aliases_of(values, backend)
    if nodes == before.nodes and aliases == before.aliases:
        return spec
    return state_spec(StateLayout(nodes, layout.slots, aliases))


def alike_but_results(left: StateSpec, right: StateSpec) -> bool:
    """Whether states of two specs have the same values, perhaps of other specs, in front of those
    of their results.
    """
    before, after = left.layout, right.layout
    if before.slots != after.slots or before.aliases != after.aliases:
        return False
    pairs = zip(before.nodes[:-1], after.nodes[:-1], strict=True)
    return all(a == b or isinstance(a, LeafNode) and isinstance(b, LeafNode) for a, b in pairs)


def _with_slots(layout: StateLayout, effects: dict[HeapSlot, Any], heap: Heap) -> StateLayout:
    """Add slots for what a path changed in objects."""
    new = tuple(slot for slot in effects if slot not in layout.slots)
    if not new:
        return layout
    nodes = tuple(
        entered(slot.label, _held(heap.before(slot), slot), heap.backend) for slot in new
    )
    *of_layout, result = layout.nodes
    # the result moves behind the new slots
    aliases = layout.aliases.moved(len(of_layout), len(new))
    return StateLayout((*of_layout, *nodes, result), (*layout.slots, *new), aliases)


def _parts(layout: StateLayout, state: Any, heap: Heap) -> Sequence[Any]:
    if state is NEVER:
        return [NEVER] * len(layout.nodes)
    slots = [_held(state.effects.get(slot, heap.before(slot)), slot) for slot in layout.slots]
    return [*state.values, *slots, state.result]


def _held(value: Any, slot: HeapSlot) -> Any:
    """Return the value of a slot, which is UNDEFINED only where an attribute may be optional."""
    if value is UNDEFINED and not may_be_optional(slot.holder, slot.key):
        raise EffectError(
            f"'{slot.label}' exists on only one path, which depends on a staged value",
            help="set it before the statement, or on every path",
            subject=slot.label,
        ).of(slot.holder)
    return value


def spec_of_branches(
    heap: Heap, names: Sequence[str], left: Any, right: Any, result: str = RESULT
) -> StateSpec:
    """Return the spec that holds the outcomes of two branches; ``result`` names their result."""
    if left is NEVER:
        left, right = right, left
    if left is NEVER:
        return state_spec(StateLayout(tuple(SameNode(name, NEVER) for name in (*names, result))))
    effects = left.effects if right is NEVER else {**left.effects, **right.effects}
    slots = tuple(effects)
    labels = (*names, *(slot.label for slot in slots), result)
    values = _parts(StateLayout((), slots), left, heap)
    pairs = zip(labels, values, strict=True)
    if right is not NEVER:
        nodes = tuple(SameNode(name, value, left) for name, value in pairs)
        with joining(heap), at_the_end_of(left):
            aliases = aliases_of(values, heap.backend)
        start = StateSpec((), (), StateLayout(nodes, slots, aliases))
        with describing(heap.backend, values):
            return widen(start, right, heap)
    with joining(heap), at_the_end_of(left), describing(heap.backend, values):
        nodes = tuple(alone(name, value, heap.backend) for name, value in pairs)
        aliases = aliases_of(values, heap.backend)
    return state_spec(StateLayout(nodes, slots, aliases))


def spec_of_paths(heap: Heap, names: Sequence[str], outcomes: Sequence[Any]) -> StateSpec:
    """Return the spec that holds the outcomes of any number of paths."""
    first, second, *further = [*(o for o in outcomes if o is not NEVER), NEVER, NEVER]
    spec = spec_of_branches(heap, names, first, second)
    for outcome in further:
        spec = widen(spec, outcome, heap)
    return spec


def spec_of_loop(
    heap: Heap, names: Sequence[str], state: Outcome, codes: Sequence[types.CodeType]
) -> StateSpec:
    """Return the narrowest spec for a loop that starts with ``state`` and runs these code objects.

    Where iterations assign items, arrays normally stay the same and their contents change;
    elsewhere an iteration binds the variables to other arrays.
    """
    heap.repeats = heap.iterates = True
    values = (*state.values, state.result)
    start = Outcome((), {}, None)
    storages = [storage for part in values if (storage := storage_of(part)) is not None]
    in_place = bool(storages) and any(map(_assigns_items, codes))
    with describing(heap.backend, values):
        nodes = [
            _entering(name, value, start, heap.backend, in_place)
            for name, value in zip((*names, RESULT), values, strict=True)
        ]
    if not in_place:
        check_parts(values, heap)
        with joining(heap):
            aliases = aliases_of(values, heap.backend)
        return state_spec(StateLayout(tuple(nodes), (), aliases))
    slots = tuple({
        id(array_storage): HeapSlot(array_storage, id(array_storage), CONTENT, name)
        for name, part in zip(names, state.values, strict=True)
        if (storage := storage_of(part)) is not None
        for array_storage in storage.storages  # one of several holds nothing itself
        if heap.knows(array_storage)
    }.values())  # fmt: skip
    nodes[-1:-1] = [entered(slot.label, heap.before(slot), heap.backend) for slot in slots]
    check_parts(values, heap)
    with joining(heap):
        contents = (*state.values, *map(heap.before, slots), state.result)
        aliases = aliases_of(contents, heap.backend)
    return state_spec(StateLayout(tuple(nodes), slots, aliases))


def _entering(
    name: str, value: Any, start: Outcome, backend: Backend, in_place: bool
) -> Node:
    """Assume that what can be changed is one object in all iterations, unless one gives another."""
    if is_concrete_array(value, backend):
        return array_node(name, value, backend, refusal="")
    if is_shared_array(value) and not in_place:
        return rebound_node(name, value, backend)
    is_container = kind_of(value) in (list, dict) or isinstance(value, TracedMap)
    same = is_container or is_shared_array(value)
    return SameNode(name, value, start) if same else entered(name, value, backend)


def _assigns_items(code: types.CodeType) -> bool:
    """Whether converted code, or a body in it, assigns items."""
    if not _ITEMS.isdisjoint(code.co_names):
        return True
    return any(_assigns_items(c) for c in code.co_consts if isinstance(c, types.CodeType))


_ITEMS = frozenset(("setitem", "setitem_in", "update_item", "update_item_in"))
