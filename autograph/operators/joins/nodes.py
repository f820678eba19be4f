"""Layout nodes: how the values of one variable on several paths become one staged value.

- ``LeafNode``: one value of the backend; dtype and shape are joined by the backend;
- ``SameNode``: one and the same Python object on every path, nothing to stage;
- ``NestNode``: a tuple or namedtuple of values, joined item by item;
- ``MaybeNode``: undefined on one path (or no ``break`` taken): the value and a flag;
- ``NullableNode``: None on one path: the value and a flag;
- ``NumberNode``: numbers of different Python types; see ``number_nodes``;
- ``ChoiceNode``, ``ObjectNode``: different functions, variables, objects; see ``object_nodes``;
- ``ReferenceNode``: different lists, dicts or sets; see ``reference_nodes``.

Anything else cannot join: the error names the variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import Any, Self

from autograph.operators.joins.descriptions import is_array, items_of, keys_of, spec_of
from autograph.operators.joins.exact_joins import join_specs
from autograph.operators.joins.identity import same
from autograph.operators.joins.join_errors import ITEM, cannot, of_dtypes
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.outcome import Outcome, PathValues, at_the_end_of, shown_outcome
from autograph.operators.state.sentinels import BREAK, NEVER, MaybeValue
from autograph.staging.joined_number import JoinedNumber
from autograph.staging.possible_numbers import is_possible_number, marked_as_number
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import StagedArray, StaleContent
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import TracedMap
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedChoice, StagedOptional
from autograph.staging.state_spec import MISSING, Spec, StagedValue
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True)
class LeafNode:
    """Node for a value that the backend stages."""

    name: str
    spec: Spec
    may_be_number: bool = False
    """Whether it is a Python number on some paths, and an array or another number on others."""

    def specs(self) -> list[Spec]:
        return [self.spec]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if isinstance(value, JoinedNumber):
            return [value.ag__operand()]
        return [MISSING if value is NEVER or value is UNDEFINED else value]

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        value = next(values)
        return marked_as_number(value, backend) if self.may_be_number else value

    def widen(self, value: Any, backend: Backend) -> Node:
        if (wider := without_value(self, value, backend)) is not None:
            return wider
        spec = spec_of(value, backend)
        if spec is not self.spec or spec is None:
            if (wider := NUMBERS["joined"](self, value, backend)) is not None:
                return wider
        if self.spec is not None and spec is not None and is_array(value, backend):
            return ARRAYS["mixed"](self.name, self.spec, value, backend)
        if spec is self.spec and spec is not None and not is_possible_number(value, backend):
            return self
        if spec is None and not isinstance(value, StagedValue):
            raise cannot(self.name, backend, self.spec, value)
        try:
            if spec is None or self.spec is None:
                raise TypeError("it is a range or another staged sequence, which is no tensor")
            joined = join_specs(self.spec, spec, backend)
        except TypeError as error:
            raise of_dtypes(self.name, error) from None
        left, right = map(backend.number_type, (self.spec, spec))
        is_possible = self.may_be_number or left != right or is_possible_number(value, backend)
        return LeafNode(self.name, joined, is_possible)


class UnstagedNode:
    """Base of nodes that hold no values of the backend."""

    def specs(self) -> list[Spec]:
        return []

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        return []


@dataclass(frozen=True, eq=False)
class SameNode(UnstagedNode):
    """Node for one Python object that is the same on every path.

    ``outcome`` is the end of the path with that object, whose contents may differ at other ends.
    """

    name: str
    value: Any
    outcome: Outcome | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameNode) and same(self.value, other.value)

    def __hash__(self) -> int:
        return hash(self.name)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        return self.value

    def widen(self, value: Any, backend: Backend) -> Node:
        if value is NEVER or same(value, self.value):
            return self
        if self.value is NEVER:
            return unjoined(self.name, value, backend)
        if self.value is UNDEFINED or (self.value is None and _is_break(value)):
            return absent(self.name, backend).widen(value, backend)
        if isinstance(self.value, MaybeValue):
            return self.built(absent(self.name, backend).widen, backend).widen(value, backend)
        if value is UNDEFINED or isinstance(value, MaybeValue):
            return maybe(self._alone(backend), backend).widen(value, backend)
        if self.value is BREAK and value is None:
            return maybe(self, backend)
        if self.value is None or isinstance(self.value, StagedOptional):
            start = NullableNode(self.name, spec_of(True, backend))
            return self.built(start.widen, backend).widen(value, backend)
        if value is None or isinstance(value, StagedOptional):
            return nullable(self._alone(backend), backend).widen(value, backend)
        if isinstance(self.value, StagedChoice) or isinstance(value, StagedChoice):
            return OBJECTS["joined"](self, value, backend)
        if (of_several := OBJECTS["reference"](self, value, backend)) is not None:
            return of_several
        node = self.built(partial(nested, self.name), backend)
        if isinstance(node, SameNode):
            return OBJECTS["joined"](self, value, backend)
        return node.widen(value, backend)

    def _alone(self, backend: Backend) -> Node:
        return self.built(partial(alone, self.name), backend)

    def built(self, make: Callable[[Any, Backend], Node], backend: Backend) -> Node:
        """Call ``make`` with the value as it was where it was found."""
        if self.outcome is None:
            return make(self.value, backend)
        with at_the_end_of(self.outcome):
            return make(self.value, backend)


@dataclass(frozen=True)
class NestNode:
    """Node for a collection, joined item by item."""

    name: str
    kind: Any
    keys: tuple[Any, ...]
    items: tuple[Node, ...]
    examples: tuple[PathValues, ...] = field(default=(), compare=False, kw_only=True)
    """The tuples that it holds: those of another length need their items again."""

    def specs(self) -> list[Spec]:
        return [spec for item in self.items for spec in item.specs()]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        return lower_items(self.items, value, lambda value: items_of(value, self.keys), backend)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        values_of_items: Any = [item.lift(values, backend) for item in self.items]
        if issubclass(self.kind, dict):
            values_of_items = zip(self.keys, values_of_items, strict=True)
        return getattr(self.kind, "_make", self.kind)(values_of_items)

    def widen(self, value: Any, backend: Backend) -> Node:
        if (without := without_value(self, value, backend)) is not None:
            return without
        if kind_of(value) is not self.kind or keys_of(value) != self.keys:
            return OBJECTS["other_tuple"](self, value, backend)
        pairs = zip(self.items, items_of(value, self.keys), strict=True)
        items = tuple(OBJECTS["widened"](item, value_item, backend) for item, value_item in pairs)
        examples = (*self.examples, PathValues(value, shown_outcome())) if self.examples else ()
        return NestNode(self.name, self.kind, self.keys, items, examples=examples)


@dataclass(frozen=True)
class _Flagged:
    """Node for a value and whether there is one; ``inner`` is None as long as there never was."""

    name: str
    flag: Spec
    inner: Node | None = None

    def specs(self) -> list[Spec]:
        return [self.flag, *(self.inner.specs() if self.inner else [])]

    def flagged(self, present: Any, value: Any, backend: Backend) -> list[Any]:
        """Return the flag, and the value as far as there is one."""
        inner = self.inner.lower(value, backend) if self.inner else []
        return [present, *inner]

    def holding(self, value: Any, backend: Backend) -> Self:
        """Return the node that holds this value, too."""
        if self.inner is None:
            node = alone(self.name, value, backend)
        else:
            node = OBJECTS["widened"](self.inner, value, backend)
        return type(self)(self.name, self.flag, node)


@dataclass(frozen=True)
class MaybeNode(_Flagged):
    """Node for a value that may be absent."""

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if isinstance(value, MaybeValue):
            return self.flagged(value.ag__present, value.ag__value, backend)
        missing = value is UNDEFINED or value is NEVER or self._has_no_break(value)
        return self.flagged(not missing, UNDEFINED if missing else value, backend)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        present = next(values)
        value = self.inner.lift(values, backend) if self.inner else UNDEFINED
        return MaybeValue(value, present, backend)

    def widen(self, value: Any, backend: Backend) -> Node:
        if isinstance(value, MaybeValue):
            value = value.ag__value
        if value is UNDEFINED or value is NEVER or self._has_no_break(value):
            return self
        return self.holding(value, backend)

    def _has_no_break(self, value: Any) -> bool:
        return value is None and self.inner is not None and _is_break(self.inner)


@dataclass(frozen=True)
class NullableNode(_Flagged):
    """Node for a value that may be None."""

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if isinstance(value, StagedOptional):
            return self.flagged(value.ag__present, value.ag__value, backend)
        missing = value is UNDEFINED or value is NEVER or value is None
        return self.flagged(not missing, UNDEFINED if missing else value, backend)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        present = next(values)
        value = self.inner.lift(values, backend) if self.inner else None
        return StagedOptional(value, present, backend)

    def widen(self, value: Any, backend: Backend) -> Node:
        if value is None or value is NEVER:
            return self
        if value is UNDEFINED or isinstance(value, MaybeValue):
            return maybe(self, backend).widen(value, backend)
        present_value = value.ag__value if isinstance(value, StagedOptional) else value
        return self.holding(present_value, backend)


Node = Any
"""One of the classes of this module and of ``objects``."""

OBJECTS: dict[str, Callable[..., Any]] = {}
"""How functions, objects and tuples of several lengths join; filled by modules on top of this."""
ARRAYS: dict[str, Callable[..., Any]] = {}
"""How staged arrays join; filled by ``array_nodes``, likewise."""
NUMBERS: dict[str, Callable[..., Any]] = {}
"""How numbers of different types join; filled by ``number_nodes``, likewise."""


def absent(name: str, backend: Backend) -> MaybeNode:
    """Return the node for a value that is absent so far."""
    return MaybeNode(name, spec_of(True, backend))


def maybe(node: Node, backend: Backend) -> MaybeNode:
    """Return the node for a value that ``node`` holds, or that is absent."""
    return MaybeNode(node.name, spec_of(True, backend), node)


def nullable(node: Node, backend: Backend) -> NullableNode:
    """Return the node for a value that ``node`` holds, or None."""
    return NullableNode(node.name, spec_of(True, backend), node)


def is_shared(value: Any) -> bool:
    """Whether a value is an older list, dict or set, which stays itself when joined with None."""
    is_kept = kind_of(value) in (list, dict) or isinstance(value, TracedMap)
    return is_kept and OBJECTS["was_before"](value)


def alone(name: str, value: Any, backend: Backend) -> Node:
    """Return the node for the only path's value: an older list or dict, if no item, is itself."""
    if name.startswith(ITEM):
        return entered(name, value, backend)  # a number as it is would stand for all items
    if is_shared(value):
        return SameNode(name, value, shown_outcome())
    return unjoined(name, value, backend)


def without_value(node: Node, value: Any, backend: Backend) -> Node | None:
    """Return the node for ``node``'s value and for nothing or None; None where there is a value."""
    if value is NEVER:
        return node
    if value is UNDEFINED or isinstance(value, MaybeValue):
        return maybe(node, backend).widen(value, backend)
    if value is None or isinstance(value, StagedOptional):
        return nullable(node, backend).widen(value, backend)
    if type(value) is StaleContent:
        return ARRAYS["stale"](node.name, value)
    return None


def lower_items(
    items: Sequence[Node], value: Any, values_of: Callable[[Any], Sequence[Any]], backend: Backend
) -> list[Any]:
    """Return the backend values of a collection's leaves; ``values_of`` gives its items."""
    missing = value is NEVER or value is UNDEFINED
    pairs = zip(items, [value] * len(items) if missing else values_of(value), strict=True)
    return [leaf for item, value_item in pairs for leaf in item.lower(value_item, backend)]


def converted(node: Node, value: Any, backend: Backend) -> list[Any]:
    """Convert a value to the backend's own, laid out as a node says."""
    return backend.convert(node.lower(value, backend), node.specs())


def entered(name: str, value: Any, backend: Backend) -> Node:
    """Return the node for a value that the next iteration may change."""
    if isinstance(value, MaybeValue):
        return absent(name, backend).widen(value, backend)
    if isinstance(value, StagedChoice):
        return OBJECTS["of_choice"](name, value, backend)
    if isinstance(value, StagedOptional):
        return nullable(entered(name, value.ag__value, backend), backend)
    return nested(name, value, backend)


def unjoined(name: str, value: Any, backend: Backend) -> Node:
    """Return the node for a value that is returned as it is: only its staged parts are staged."""
    if isinstance(value, StagedArray):
        return ARRAYS["unjoined"](name, value, backend)
    if type(value) is StaleContent:
        return ARRAYS["stale"](name, value)
    staged = backend.is_staged(value) or type(value) is StagedText
    if staged and not backend.is_reference(value):
        return LeafNode(name, spec_of(value, backend), is_possible_number(value, backend))
    if isinstance(value, MaybeValue):
        return absent(name, backend).widen(value, backend)
    if isinstance(value, StagedChoice):
        return OBJECTS["of_choice"](name, value, backend)
    if isinstance(value, StagedOptional):
        return nullable(unjoined(name, value.ag__value, backend), backend)
    node = _inside(name, value, backend, unjoined)
    return node or OBJECTS["unjoined"](name, value, backend) or SameNode(name, value)


def nested(name: str, value: Any, backend: Backend) -> Node:
    """Return the node of a collection or a stageable value; else a ``SameNode``."""
    if backend.is_reference(value):
        return SameNode(name, value)
    spec = None if value is None or value is UNDEFINED else spec_of(value, backend)
    if spec is not None:
        if is_array(value, backend):
            return ARRAYS["joined"](name, value, backend)
        return LeafNode(name, spec, is_possible_number(value, backend))
    if type(value) is StaleContent:
        return ARRAYS["stale"](name, value)
    return _inside(name, value, backend, entered) or SameNode(name, value)


MAKERS: dict[type, Callable[..., Any]] = {}
"""Makes the nodes of collections other than tuples; filled by ``list_nodes``."""


def _inside(name: str, value: Any, backend: Backend, make: Callable[..., Node]) -> Node:
    """Return the node of a collection, else None; ``make`` makes the nodes of its items."""
    kind = kind_of(value)
    if kind in MAKERS:
        return MAKERS[kind](name, value, backend, make)
    if kind is tuple and type(value) is not tuple:
        return MAKERS[list](name, value, backend, make)
    if not (kind is tuple or (issubclass(kind, tuple) and hasattr(kind, "_make"))):
        return None
    keys = keys_of(value)
    pairs = zip(keys, items_of(value, keys), strict=True)
    items = tuple(make(f"{name}[{key!r}]", value_item, backend) for key, value_item in pairs)
    examples = (PathValues(value, shown_outcome()),) if kind is tuple else ()
    return NestNode(name, kind, keys, items, examples=examples)


def _is_break(value: Any) -> bool:
    value = value.ag__value if isinstance(value, MaybeValue) else value
    return value is BREAK or (isinstance(value, SameNode) and value.value is BREAK)
