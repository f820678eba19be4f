"""How objects of the user's classes join: as a choice between them, or attribute by attribute.

Objects that existed before the statement, or that hold nothing staged, keep their identity: the
variable is one of them (``ChoiceNode``).  An object that a path has made of staged values cannot
leave the path as it is; an ``ObjectNode`` makes a new object from the joined attributes.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterator
from typing import Any

from autograph.errors import EffectError
from autograph.operators.joins import nodes
from autograph.operators.joins.descriptions import spec_of
from autograph.operators.joins.identity import is_choosable, same
from autograph.operators.joins.join_errors import differ, of_structures
from autograph.operators.state.attributes import members, set_member
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.copied_objects import is_made, note_made, note_taken_apart
from autograph.operators.state.heap import Heap
from autograph.operators.state.later_reads import is_seen_later
from autograph.operators.state.new_objects import was_made_while_tracing
from autograph.operators.state.optional_attributes import may_be_optional
from autograph.operators.state.sentinels import NEVER, MaybeValue
from autograph.staging.protocol import Backend
from autograph.staging.registry import is_lazy
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_map import StagedMap, TracedMap
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedChoice, StagedUnion
from autograph.staging.state_spec import MISSING, Spec
from autograph.syntax.data_classes import dataclass
from autograph.syntax.heap_types import is_heap_type
from autograph.syntax.thread_setting import ThreadSetting

joining = ThreadSetting[Heap | None](None)
"""``with joining(heap)``: join a statement's outcomes in this block; the heap knows which objects
existed before."""


def was_before(value: Any) -> bool:
    """Whether an object existed before the statement whose outcomes are being joined."""
    heap = joining.value
    return heap is not None and heap.knows(value)


def is_repeated(value: Any) -> bool:
    """Whether an object existed before the loop whose iterations are being joined."""
    heap = joining.value
    return heap is not None and heap.knows(value) and heap.repeats


def is_iterating() -> bool:
    """Whether the iterations of a loop are being joined."""
    return joining.value is not None and joining.value.iterates


def is_replaced(name: str, value: Any) -> bool:
    """Whether iterations replace what only the variable ``name`` referred to before: nobody sees
    it again, as far as the variables of functions tell.
    """
    heap = joining.value
    if heap is None or not heap.iterates or heap.is_shared(value):
        return False
    return not is_seen_later(value, name)


def is_joining() -> bool:
    """Whether it is known which objects existed before."""
    return joining.value is not None


def attributes(value: Any) -> dict[str, Any] | None:
    """Return the attributes of an object of a user's class; None for other values."""
    if isinstance(value, (type, enum.Enum, *_OF_STAGING)):
        return None
    of_users = all(base is object or is_heap_type(base) for base in type(value).__mro__)
    return members(value) if of_users else None


_OF_STAGING = (StagedUnion, MaybeValue, TracedMap, StagedText)
"""Classes of ours that stand for values of Python's; a text refers to the graph that it is from."""


def _holds_staged(value: Any, backend: Backend, depth: int = 4) -> bool:
    """Whether an object or collection holds a staged value."""
    if isinstance(value, (StagedUnion, StagedList, StagedMap)) or backend.is_staged(value):
        return True
    if depth == 0 or backend.owns(value):
        return False
    if isinstance(value, dict):
        contents: Any = value.values()
    elif isinstance(value, (list, tuple)):
        contents = value
    else:
        contents = (attributes(value) or {}).values()
    return any(_holds_staged(member, backend, depth - 1) for member in contents)


def is_alternative(value: Any, backend: Backend) -> bool:
    """Whether a variable can be this very object on one path, and another one elsewhere."""
    if is_choosable(value, backend) or isinstance(value, enum.Enum):
        return True
    if backend.owns(value) or is_lazy(value) or attributes(value) is None:
        return False
    if was_before(value):
        return True
    heap = joining.value
    if heap is not None and heap.repeats and (was_made_while_tracing(value) or is_made(value)):
        return False  # each iteration makes another one
    return not _holds_staged(value, backend)


def joined(same: nodes.SameNode, right: Any, backend: Backend) -> nodes.Node:
    """Return the node for two functions or objects; JoinError when there is none."""
    name, left = same.name, same.value
    mine, its = [*alternatives_of(left)], [*alternatives_of(right)]
    possible = [*mine, *its]
    if backend.is_reference(left) and not all(is_alternative(v, backend) for v in possible):
        return nodes.LeafNode(name, spec_of(left, backend)).widen(right, backend)
    if all(is_alternative(value, backend) for value in possible):
        return one_of(name, possible, backend)
    _check_records(name, possible, backend)
    records = same.built(lambda _, backend: _records(name, mine, backend), backend)
    return _records(name, its, backend, records)


def of_choice(name: str, choice: StagedChoice, backend: Backend) -> nodes.Node:
    """Return the node for a value that is one of several objects already."""
    return one_of(name, list(choice.ag__alternatives), backend)


def alternatives_of(value: Any) -> tuple[Any, ...]:
    """Return the objects that a value may be."""
    return value.ag__alternatives if isinstance(value, StagedChoice) else (value,)


def one_of(name: str, values: list[Any], backend: Backend) -> nodes.Node:
    """Return the node for one of these functions or objects; JoinError when there is none."""
    if all(is_alternative(value, backend) for value in values):
        different: list[Any] = []
        for value in values:
            if not any(same(value, earlier) for earlier in different):
                different.append(value)
        return ChoiceNode(name, spec_of(0, backend), tuple(different))
    _check_records(name, values, backend)
    return _records(name, values, backend)


def _check_records(name: str, values: list[Any], backend: Backend) -> None:
    first, *further = values
    for value in values:
        if backend.owns(value) or attributes(value) is None:
            raise differ(name, first, value if value is not first else further[-1], backend)


def _records(
    name: str, values: list[Any], backend: Backend, node: nodes.Node = None
) -> nodes.Node:
    """Return the node for objects as they are, and what another node holds."""
    for value in values:
        if node is None:
            node = record(name, value, attributes(value) or {}, backend)
        else:
            node = node.widen(value, backend)
    return node


def unjoined(name: str, value: Any, backend: Backend) -> nodes.Node | None:
    """Return the node for an object that a path has made of staged values; None for all others."""
    attribute_values = None if backend.owns(value) else attributes(value)
    if attribute_values is None or is_alternative(value, backend):
        return None
    return record(name, value, attribute_values, backend)


def record(name: str, value: Any, attribute_values: dict[str, Any], backend: Backend) -> ObjectNode:
    """Return the node for an object as it is."""
    _check_alone(name, value)
    items = tuple(
        nodes.unjoined(f"{name}.{key}", attribute, backend)
        for key, attribute in attribute_values.items()
    )
    return ObjectNode(name, type(value), tuple(attribute_values), items)


def _check_alone(name: str, value: Any) -> None:
    """Refuse to replace an object that something else refers to as well."""
    heap = joining.value
    holder = heap.label_of_holder(value) if heap is not None else None
    if holder is not None and holder != name:
        raise EffectError(
            f"'{name}' is assigned another object on a path that depends on a staged value, so "
            f"whether '{holder}' refers to the same object is known only at run time",
            help=f"change the attributes of '{name}' instead, or give the object one name only",
            subject=name,
        )


@dataclass(frozen=True, eq=False)
class ChoiceNode:
    """Node for one of several functions, classes or objects: the index of the chosen one."""

    name: str
    number: Spec
    alternatives: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChoiceNode) and len(self.alternatives) == len(other.alternatives)

    def __hash__(self) -> int:
        return hash(self.name)

    def specs(self) -> list[Spec]:
        return [self.number]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if value is UNDEFINED or value is NEVER:
            return [MISSING]
        index: Any
        number = functools.partial(self._number, backend)
        if not isinstance(value, StagedChoice):
            index = number(value)
        elif [*map(number, objects := value.ag__alternatives)] == [*range(len(objects))]:
            index = value.ag__index
        else:
            index = value.ag__apply_to_each(number)
        return [index]

    def _number(self, backend: Backend, value: Any) -> int:
        for number, alternative in enumerate(self.alternatives):
            if same(alternative, value):
                return number
        raise differ(self.name, self.alternatives[0], value, backend)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        return StagedChoice(self.alternatives, next(values), backend)

    def widen(self, value: Any, backend: Backend) -> nodes.Node:
        if (without := nodes.without_value(self, value, backend)) is not None:
            return without
        return one_of(self.name, [*self.alternatives, *alternatives_of(value)], backend)


def _member(key: str, value: Any) -> Any:
    return members(value)[key]


@dataclass(frozen=True)
class ObjectNode:
    """Node for an object of a user's class, joined attribute by attribute."""

    name: str
    kind: Any
    keys: tuple[str, ...]
    items: tuple[Any, ...]

    def specs(self) -> list[Spec]:
        return [spec for item in self.items for spec in item.specs()]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        return nodes.lower_items(self.items, value, self._parts, backend)

    def _parts(self, value: Any) -> list[Any]:
        if isinstance(value, StagedChoice):
            for alternative in value.ag__alternatives:
                note_taken_apart(alternative)
            return [value.ag__apply_to_each(functools.partial(_member, key)) for key in self.keys]
        note_taken_apart(value)
        attribute_values = members(value)
        return [attribute_values.get(key, UNDEFINED) for key in self.keys]

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        joined = object.__new__(self.kind)
        for key, item in zip(self.keys, self.items, strict=True):
            set_member(joined, key, item.lift(values, backend))
        note_made(joined)
        return joined

    def widen(self, value: Any, backend: Backend) -> nodes.Node:
        if (without := nodes.without_value(self, value, backend)) is not None:
            return without
        if isinstance(value, StagedChoice):
            node: nodes.Node = self
            for alternative in value.ag__alternatives:
                node = node.widen(alternative, backend)
            return node
        attribute_values = attributes(value)
        if attribute_values is None or type(value) is not self.kind:
            raise of_structures(self.name, f"a {self.kind.__name__}", value, backend)
        keys = (*self.keys, *(key for key in attribute_values if key not in self.keys))
        has_more = len(keys) > len(attribute_values)
        if has_more and not all(may_be_optional(value, key) for key in keys):
            mine = f"a {self.kind.__name__} with {', '.join(self.keys)}"
            raise of_structures(self.name, mine, value, backend)
        _check_alone(self.name, value)
        new = [nodes.SameNode(f"{self.name}.{k}", UNDEFINED) for k in keys[len(self.keys) :]]
        items = tuple(
            item.widen(attribute_values.get(key, UNDEFINED), backend)
            for item, key in zip((*self.items, *new), keys, strict=True)
        )
        return ObjectNode(self.name, self.kind, keys, items)


nodes.OBJECTS.update(
    joined=joined, of_choice=of_choice, unjoined=unjoined, was_before=was_before
)
