"""Layout node for references: a variable that is one of several lists, dicts or sets.

    c = a if n > 2 else b       ``c`` is the number of one of its alternatives, ``a`` and ``b``:
    c.append(n)                 what is done to ``c`` is staged for each of them

What existed before the statement is an alternative itself.  What a path makes leaves the path by
value, as all that it makes: one more alternative, if the value may be an older one instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from autograph.errors import EffectError
from autograph.operators.joins import nodes
from autograph.operators.joins.descriptions import spec_of
from autograph.operators.joins.join_errors import ITEM, of_structures
from autograph.operators.joins.nodes import LeafNode, Node, SameNode, alone
from autograph.operators.joins.object_nodes import is_joining, is_replaced, was_before
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.sentinels import NEVER
from autograph.staging.access import TracedContainer, access_of
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import TracedList, kind_of
from autograph.staging.staged_tuple import StagedTuple
from autograph.staging.staged_union import StagedReference
from autograph.staging.state_spec import Spec
from autograph.syntax.data_classes import dataclass


def is_container(value: Any) -> bool:
    """Whether a value is a list, dict or set that may be one of several; tuples do not change."""
    if type(value) is dict:
        return True
    return isinstance(value, TracedContainer) and not isinstance(value, StagedTuple)


def is_copy(value: Any) -> bool:
    """Whether a value is a copy of an item of a staged list, or of one of several."""
    access = access_of(value) if isinstance(value, TracedList) else None
    return access is not None and access.is_copy


def is_older(value: Any) -> bool:
    """Whether a value is a container from before the statement, or one of several."""
    if isinstance(value, StagedReference):
        return True
    return is_container(value) and was_before(value)


def joined(same: SameNode, right: Any, backend: Backend) -> Node | None:
    """Return the node for two containers of which one is older; None if they join by value."""
    name, left = same.name, same.value
    if name.startswith(ITEM) or not (is_older(left) or is_older(right)):
        return None
    for value in (left, right):
        if not (isinstance(value, StagedReference) or is_container(value)):
            return None
        if is_copy(value) and not is_older(value):
            return None
    older = is_older(left) and is_older(right)
    if not older and not isinstance(left, StagedReference):
        if is_replaced(name, left if is_older(left) else right):
            return None
    return same.built(partial(of_reference, name), backend).widen(right, backend)


def of_reference(name: str, value: Any, backend: Backend) -> Node:
    """Return the node for a container that may be one of several, or will be."""
    return ReferenceNode(name, spec_of(0, backend), _kind(value), (), None).widen(value, backend)


def around(node: Any, value: Any, backend: Backend) -> Node | None:
    """Return the node for a container of a path's own, or an older one; None if they join by value.
    """
    if node.name.startswith(ITEM) or not is_older(value):
        return None
    if not isinstance(value, StagedReference) and is_replaced(node.name, value):
        return None
    if getattr(node, "sources", ()):
        return None  # a copy
    reference = ReferenceNode(node.name, spec_of(0, backend), node.kind, (), node)
    return reference.widen(value, backend)


def _kind(value: Any) -> type:
    return kind_of(value.ag__alternatives[0] if isinstance(value, StagedReference) else value)


@dataclass(frozen=True, eq=False)
class ReferenceNode:
    """Node for one of several containers: its number, and the value of what a path has made."""

    name: str
    number: Spec
    kind: type
    alternatives: tuple[Any, ...]
    new: Node | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReferenceNode) or self.new != other.new:
            return False
        return len(self.alternatives) == len(other.alternatives)

    def __hash__(self) -> int:
        return hash(self.name)

    def specs(self) -> list[Spec]:
        return [self.number, *([] if self.new is None else self.new.specs())]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        index: Any = UNDEFINED
        new: Any = UNDEFINED
        if isinstance(value, StagedReference):
            numbers = [self._number(container) for container in value.ag__alternatives]
            in_order = numbers == [*range(len(numbers))]
            index = value.ag__index if in_order else value.ag__apply_to_each(self._number)
            if len(self.alternatives) in numbers:
                new = self._copy_of_new(value)
        elif value is not NEVER and value is not UNDEFINED:
            index = self._number(value)
            new = value if index == len(self.alternatives) else UNDEFINED
        leaves = LeafNode(self.name, self.number).lower(index, backend)
        return leaves if self.new is None else [*leaves, *self.new.lower(new, backend)]

    def _copy_of_new(self, reference: StagedReference) -> Any:
        """Return a copy of what a path has made; where the value is an older one, of anything."""
        new_ones = [
            container for container in reference.ag__alternatives
            if self._number(container) == len(self.alternatives)
        ]  # fmt: skip
        return reference.ag__apply_to_each(
            lambda it: (it if any(it is new for new in new_ones) else new_ones[0]).copy()
        )

    def _number(self, value: Any) -> int:
        numbers = (n for n, container in enumerate(self.alternatives) if container is value)
        return next(numbers, len(self.alternatives))

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        index = next(values)
        new = () if self.new is None else (self.new.lift(values, backend),)
        return StagedReference((*self.alternatives, *new), index, backend)

    def widen(self, value: Any, backend: Backend) -> Node:
        if (without := nodes.without_value(self, value, backend)) is not None:
            return without
        alternatives, new = self.alternatives, self.new
        several = isinstance(value, StagedReference)
        for container in value.ag__alternatives if several else (value,):
            if not is_container(container) or kind_of(container) is not self.kind:
                raise of_structures(self.name, f"a {self.kind.__name__}", value, backend)
            if is_copy(container) and is_joining() and not was_before(container):
                raise _unknown_object(self.name, self.kind.__name__)
            if is_joining() and not was_before(container):
                if new is None:
                    new = alone(self.name, container, backend)
                else:
                    new = new.widen(container, backend)
            elif not any(container is alternative for alternative in alternatives):
                alternatives = (*alternatives, container)
        if new is self.new and alternatives is self.alternatives:
            return self
        return ReferenceNode(self.name, self.number, self.kind, alternatives, new)


def _unknown_object(name: str, kind: str) -> EffectError:
    return EffectError(
        f"'{name}' may be one of several {kind}s, and on another staged path it is a copy of an "
        f"item or a {kind} that a loop replaces: which object it is, is not known",
        help=f"give the variable a {kind} of its own on every path, {kind}(x)",
        subject=name,
    )


nodes.MAKERS[StagedReference] = lambda name, value, backend, make: of_reference(
    name, value, backend
)
nodes.OBJECTS.update(reference=joined, around=around)
