"""Layout node for values of different kinds on different paths: a number or a text, two tuples.

    if n < 0:                        ``VariantNode`` holds which kind the value has, and a value of
        return "negative", n         each kind; where the value is used, each use is staged for each
    return n                         of them

Where a backend keeps the kinds of Python's values (``Backend.joins_kinds``), what no other node of
``nodes`` joins becomes a variant.  Values of one kind, such as two lists, join as they do alone.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any

from autograph.errors import JoinError
from autograph.operators.joins import nodes
from autograph.operators.joins.array_nodes import ArrayNode, held_class, is_array_class
from autograph.operators.joins.descriptions import spec_of
from autograph.operators.joins.identity import is_choosable
from autograph.operators.joins.join_errors import ITEM, RESULT, of_structures
from autograph.operators.joins.list_nodes import FixedList, GrowingList
from autograph.operators.joins.nodes import LeafNode, NestNode, Node, SameNode, alone
from autograph.operators.joins.number_nodes import NumberNode
from autograph.operators.joins.object_nodes import (
    ChoiceNode,
    ObjectNode,
    alternatives_of,
    attributes,
    is_iterating,
)
from autograph.operators.joins.reference_nodes import ReferenceNode
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.sentinels import BREAK, NEVER, MaybeValue
from autograph.staging.joined_number import JoinedNumber
from autograph.staging.protocol import Backend
from autograph.staging.staged_collection import StagedCollection
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_union import StagedChoice, StagedReference, StagedUnion, StagedVariant
from autograph.staging.state_spec import Spec
from autograph.syntax.data_classes import dataclass

Kind = Any
"""A hashable description of what values join without a variant."""

_OBJECT = "object"
"""The kind of the objects that a ``ChoiceNode`` tells apart."""
_NUMBERS = (bool, int, float, complex)
_FEWEST, _MOST = 2, 8
"""How many kinds a value may have: each use of it is staged once for each."""


@dataclass(frozen=True)
class VariantNode:
    """Node for a value of one of several kinds: the number of its kind, and a node for each."""

    name: str
    number: Spec
    kinds: tuple[Kind, ...]
    items: tuple[Node, ...]

    def specs(self) -> list[Spec]:
        return [self.number, *(spec for item in self.items for spec in item.specs())]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        index: Any = UNDEFINED
        by_kind: dict[Kind, Any] = {}
        if value is NEVER or value is UNDEFINED:
            pass
        elif is_variant(value):
            index = value.ag__index
            kinds = [self._own_kind(alternative, backend) for alternative in value.ag__alternatives]
            if kinds != [*self.kinds[: len(kinds)]]:
                index = value.ag__apply_to_each(
                    lambda alternative: self.kinds.index(self._own_kind(alternative, backend))
                )
            by_kind = dict(zip(kinds, value.ag__alternatives, strict=True))
        else:
            kind = self._own_kind(value, backend)
            index, by_kind = self.kinds.index(kind), {kind: value}
        number = LeafNode(self.name, self.number).lower(index, backend)
        pairs = zip(self.kinds, self.items, strict=True)
        return number + [
            leaf for kind, item in pairs
            for leaf in item.lower(by_kind.get(kind, UNDEFINED), backend)
        ]

    def _own_kind(self, value: Any, backend: Backend) -> Kind:
        """Return the kind of a value, which is one of the node's.

        An object that was one of several is of its class where it is joined attribute by attribute.

        Raises:
            StructureJoinError: It is of none.
        """
        kind = _kind(value, backend)
        if kind == _OBJECT and kind not in self.kinds:
            classes = {type(instance) for instance in alternatives_of(value)}
            kind = classes.pop() if len(classes) == 1 else None
        if kind not in self.kinds:
            raise of_structures(self.name, "what it is elsewhere", value, backend)
        return kind

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        index = next(values)
        return StagedVariant(tuple(i.lift(values, backend) for i in self.items), index, backend)

    def widen(self, value: Any, backend: Backend) -> Node:
        if (without := nodes.without_value(self, value, backend)) is not None:
            return without
        node = self
        for alternative in _of_one_kind(value):
            node = node._with(alternative, backend)
        return node

    def _with(self, value: Any, backend: Backend) -> VariantNode:
        """Return the node for a value of one more kind, or for one more value of a kind."""
        kind = _kind(value, backend)
        if kind not in self.kinds:
            kinds, items = (*self.kinds, kind), (*self.items, alone(self.name, value, backend))
            return VariantNode(self.name, self.number, kinds, items)
        items = tuple(
            widened(item, value, backend) if own_kind == kind else item
            for own_kind, item in zip(self.kinds, self.items, strict=True)
        )
        return VariantNode(self.name, self.number, self.kinds, items)


def is_variant(value: Any) -> bool:
    """Whether a value is of one of several kinds; several lists, or dicts, are of one kind."""
    return isinstance(value, StagedVariant) and not isinstance(value, StagedReference)


def _of_one_kind(value: Any) -> tuple[Any, ...]:
    return value.ag__alternatives if is_variant(value) else (value,)


def of_variant(name: str, value: StagedVariant, backend: Backend, make: Any) -> Node:
    """Return the node for a variant; ``make`` makes the nodes of its alternatives."""
    kinds = tuple(_kind(alternative, backend) for alternative in value.ag__alternatives)
    items = tuple(make(name, alternative, backend) for alternative in value.ag__alternatives)
    return VariantNode(name, spec_of(value.ag__index, backend), kinds, items)


def widened(node: Node, value: Any, backend: Backend) -> Node:
    """Return the node that also holds a value; a variant where no other node holds both."""
    try:
        return node.widen(value, backend)
    except JoinError:
        variant = _joined(node, value, backend) if backend.joins_kinds() else None
        if variant is None or is_iterating() and not (
            _is_result(node.name) or all(map(_is_numeric, variant.kinds))
        ):
            raise
    return variant


def becomes_scalar(node: Node, value: Any, backend: Backend) -> bool:
    """Whether a node holds a number of Python's, perhaps, and a value is an array's scalar."""
    kinds = node.kinds if isinstance(node, VariantNode) else (_kind_of_node(node, backend),)
    return "number" in kinds and _is_scalar(_kind(value, backend))


def _is_scalar(kind: Kind) -> bool:
    return isinstance(kind, tuple) and kind[0] == "scalar"


def _is_numeric(kind: Kind) -> bool:
    return kind == "number" or _is_scalar(kind)


def _is_result(name: str) -> bool:
    """Whether a value is what a function returns, or an item of a list: no iteration starts with
    it.
    """
    return name == RESULT or name.startswith((f"{RESULT}[", ITEM))


def _joined(node: Node, value: Any, backend: Backend) -> VariantNode | None:
    """Return the node for a value of another kind than a node's; None if it is of the same kind."""
    own_kind = _kind_of_node(node, backend)
    start = VariantNode(node.name, spec_of(0, backend), (own_kind,), (_settled(node, backend),))
    if own_kind is None:
        return None
    kinds = {own_kind, *(_kind(alternative, backend) for alternative in _of_one_kind(value))}
    if None in kinds or not _FEWEST <= len(kinds) <= _MOST:
        return None
    variant: VariantNode = start.widen(value, backend)
    return variant


def _settled(node: Node, backend: Backend) -> Node:
    """Return the node of a value that no path changes any more."""
    return node._alone(backend) if isinstance(node, SameNode) else node


def _kind_of_node(node: Node, backend: Backend) -> Kind:
    """Return the kind of the values that a node holds; None for those that join no others."""
    if isinstance(node, SameNode):
        return _kind(node.value, backend)
    if isinstance(node, ArrayNode):
        return _kind_of_array(node.held)
    if isinstance(node, LeafNode):
        return None if node.spec is None else _kind_of_spec(node.spec, backend)
    if isinstance(node, NumberNode):
        return "number"
    if isinstance(node, ChoiceNode):
        return _OBJECT
    if isinstance(node, ObjectNode):
        return node.kind
    if isinstance(node, NestNode):
        return _kind_of_nest(node.kind, node.keys)
    if isinstance(node, ReferenceNode):
        return node.kind
    if isinstance(node, GrowingList):
        return (node.kind, "staged") if node.kind is tuple else list
    return list if isinstance(node, FixedList) else getattr(node, "kind", None)


def _kind(value: Any, backend: Backend) -> Kind:
    """Return the kind of a value; None for those that join no others."""
    if isinstance(value, JoinedNumber) or type(value) in _NUMBERS:
        return "number"
    if isinstance(value, StagedChoice):
        return _OBJECT
    if value is NEVER or value is UNDEFINED or value is BREAK or value is None:
        return None
    if isinstance(value, StagedReference):
        return _kind(value.ag__alternatives[0], backend)
    if isinstance(value, MaybeValue | StagedUnion):
        return None
    spec = spec_of(value, backend)
    if spec is not None and not backend.is_reference(value):
        numpy_class = held_class(value, backend)
        return _kind_of_spec(spec, backend) if numpy_class is None else _kind_of_array(numpy_class)
    kind = kind_of(value)
    if kind is tuple and isinstance(value, StagedCollection):
        return tuple, "staged"
    if issubclass(kind, tuple):
        return _kind_of_nest(kind, tuple(range(len(value))))
    if issubclass(kind, list | dict | set):
        return kind
    if is_choosable(value, backend) or isinstance(value, enum.Enum):
        return _OBJECT
    return None if backend.owns(value) or attributes(value) is None else type(value)


def _kind_of_nest(kind: type, keys: tuple[Any, ...]) -> Kind:
    return kind if issubclass(kind, dict) else (kind, len(keys))


def _kind_of_array(numpy_class: type | None) -> Kind:
    is_array = numpy_class is None or is_array_class(numpy_class)
    return "array" if is_array else ("scalar", numpy_class)


def _kind_of_spec(spec: Spec, backend: Backend) -> Kind:
    if backend.number_kind(spec) is not None:
        return "number"
    return "text" if spec == spec_of("", backend) else "array"


nodes.OBJECTS.update(widened=widened)
nodes.MAKERS[StagedVariant] = of_variant
