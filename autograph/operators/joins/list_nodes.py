"""Layout nodes for lists: how the lists of several paths become one list.

Lists of equal length join item by item.  Others become a staged list, whose items have one layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import JoinError, StructureJoinError
from autograph.operators.joins import map_nodes, nodes
from autograph.operators.joins.dict_nodes import dict_node
from autograph.operators.joins.item_copies import (
    check_unchanged,
    is_shared_item,
    item_now,
    without_references,
)
from autograph.operators.joins.join_errors import ITEM, no_lists, of_structures, reason_of
from autograph.operators.joins.nodes import Node, converted, entered, lower_items, without_value
from autograph.operators.joins.object_nodes import was_before
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.copied_objects import putting
from autograph.operators.state.outcome import PathValues, at_the_end_of, shown_outcome
from autograph.operators.state.sentinels import NEVER
from autograph.staging.access import CHOSEN, access_of
from autograph.staging.aliases import link_sources, sources_of
from autograph.staging.control_protocol import NO_ITEM
from autograph.staging.copies import note_sharing, put
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import (
    Contents,
    Prefix,
    TracedList,
    contents_of,
    hold,
    kind_of,
)
from autograph.staging.staged_tuple import StagedTuple, with_contents
from autograph.staging.state_spec import Spec, StateSpec
from autograph.syntax.data_classes import dataclass

Make = Callable[[str, Any, Backend], Node]


def list_node(name: str, value: Any, backend: Backend, make: Make) -> Node:
    """Return the node for a list or its contents; ``make`` makes the nodes of its items."""
    if isinstance(value, StagedTuple):
        empty = GrowingList(name, None, _spec(None, backend), (), False, (), tuple)
        return empty.widen(value, backend)
    contents = _contents(value)
    inside = type(value) is Contents
    items = tuple(
        make(f"{name}[{number}]", item, backend) for number, item in enumerate(contents.items)
    )
    examples = (PathValues(contents.items, shown_outcome()),)
    sources = _with_source((), value, name.startswith(ITEM))
    node = FixedList(name, items, examples, inside, sources)
    return node if contents.prefix is None else node.widen(value, backend)


def _contents(value: Any) -> Contents:
    if type(value) is tuple:
        return Contents(None, value)
    return value if type(value) is Contents else contents_of(value)


def other_tuple(node: nodes.NestNode, value: Any, backend: Backend) -> Node:
    """Return the node for tuples of several lengths; JoinError unless all of their items are alike.
    """
    if node.kind is tuple and kind_of(value) is tuple and backend.list_spec(()) is not None:
        try:
            start = GrowingList(node.name, None, _spec(None, backend), (), False, (), tuple)
            return start.of_paths(node.examples, backend).widen(value, backend)
        except JoinError:
            pass
    mine = f"a {node.kind.__name__} of {len(node.keys)}"
    raise of_structures(node.name, mine, value, backend)


def _handed_out(
    contents: Contents, inside: bool, sources: tuple[Any, ...], kind: type = list
) -> Any:
    """Return what a path receives: the contents of a list that is there already, or a new list."""
    if kind is tuple:
        return with_contents(contents)
    if inside:
        return contents
    joined = TracedList()
    hold(joined, contents)
    link_sources(joined, sources)
    return joined


def _with_source(sources: tuple[Any, ...], value: Any, is_item: bool = False) -> tuple[Any, ...]:
    """Return the lists that a variable may be and that something else may refer to as well."""
    access = access_of(value)
    older = sources_of(value, was_before)
    if access is None:
        pass
    elif access.is_stale and not (access.home is not None and access.home.stays_known):
        access.before_read(value)
    elif access.refusal is CHOSEN and not is_item:
        note_sharing()  # what is joined of it is another copy
        older = older or [value]
    new = [candidate for candidate in older if not any(candidate is source for source in sources)]
    return (*sources, *new) if new else sources


def _other_node(node: Any, value: Any, backend: Backend) -> Node | None:
    """Return the node when a path has nothing or None for a list; None when it has a list."""
    without = without_value(node, value, backend)
    kind = getattr(node, "kind", list)
    if without is None and kind is list and not node.inside:
        without = nodes.OBJECTS["around"](node, value, backend)
    if without is None and type(value) is not Contents and kind_of(value) is not kind:
        raise of_structures(node.name, node.described(), value, backend)
    return without


@dataclass(frozen=True)
class FixedList:
    """Node for a list that has as many items on every path."""

    name: str
    items: tuple[Node, ...]
    examples: tuple[PathValues, ...]
    """The items that it holds: lists of another length need them again."""
    inside: bool
    sources: tuple[Any, ...]
    kind = list

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FixedList) or self.items != other.items:
            return False
        return len(self.sources) == len(other.sources)

    def __hash__(self) -> int:
        return hash(self.name)

    def described(self) -> str:
        """Describe the node for messages."""
        return f"a list of {len(self.items)}"

    def specs(self) -> list[Spec]:
        return [spec for item in self.items for spec in item.specs()]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        return lower_items(self.items, value, lambda value: _contents(value).items, backend)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        items = tuple([item.lift(values, backend) for item in self.items])
        return _handed_out(Contents(None, items), self.inside, self.sources)

    def widen(self, value: Any, backend: Backend) -> Node:
        if (without := _other_node(self, value, backend)) is not None:
            return without
        contents = _contents(value)
        if contents.prefix is not None or len(contents.items) != len(self.items):
            return _growing(self, value, backend)
        pairs = zip(self.items, contents.items, strict=True)
        items = tuple(nodes.OBJECTS["widened"](node, item, backend) for node, item in pairs)
        sources = _with_source(self.sources, value, self.name.startswith(ITEM))
        if items == self.items and sources is self.sources:
            return self
        examples = (*self.examples, PathValues(contents.items, shown_outcome()))
        return FixedList(self.name, items, examples, self.inside, sources)


def _growing(node: FixedList, value: Any, backend: Backend) -> Node:
    """Return the node for lists of different lengths."""
    spec = backend.list_spec(())
    if spec is None:
        raise of_structures(node.name, node.described(), _as_list(value), backend)
    for path in node.examples:
        check_unchanged(path.values)  # by this path
    start = GrowingList(node.name, None, spec, (), node.inside, node.sources)
    return start.of_paths(node.examples, backend).widen(value, backend)


def _as_list(value: Any) -> Any:
    return list(_contents(value).items)


def _spec(item: Node | None, backend: Backend) -> Spec:
    return backend.list_spec(() if item is None else tuple(item.specs()))


def _item_node(
    name: str, item: Node | None, values: Iterable[Any], backend: Backend
) -> Node | None:
    """Return the node that also holds these items of the list ``name``."""
    try:
        for value in values:
            wider = entered if item is None else nodes.OBJECTS["widened"]
            item = wider(item or ITEM, value, backend)
    except JoinError as error:
        raise StructureJoinError(
            f"'{name}' grows or shrinks on a path that depends on a staged value, and its items "
            f"cannot be one value: {reason_of(error)}",
            help="give all items one dtype and structure, or use one list for each kind",
            subject=name,
        ) from None
    return item


def _item_node_here(
    name: str, item: Node | None, values: Iterable[Any], backend: Backend
) -> Node | None:
    """As ``_item_node``, for a list that the user's current line gives to a backend."""
    try:
        return _item_node(name, item, values, backend)
    except StructureJoinError as error:
        error.where = error.where or user_line()
        raise


@dataclass(frozen=True)
class GrowingList:
    """Node for a list that the backend holds; ``item`` is None while it is empty on all paths."""

    name: str
    item: Node | None
    spec: Spec
    examples: tuple[Any, ...]
    inside: bool
    sources: tuple[Any, ...]
    kind: type = list

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GrowingList) or self.item != other.item:
            return False
        return len(self.sources) == len(other.sources) and self.kind is other.kind

    def __hash__(self) -> int:
        return hash(self.name)

    def described(self) -> str:
        """Describe the node for messages."""
        return f"a {self.kind.__name__}"

    def specs(self) -> list[Spec]:
        return [self.spec]

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if value is NEVER or value is UNDEFINED:
            return [backend.list_new(self.spec, ())]
        return [handle_of(_contents(value), self.item, self.spec, backend)]

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        prefix = Prefix(next(values), self.item, self.spec, self.examples, backend)
        return _handed_out(Contents(prefix, ()), self.inside, self.sources, self.kind)

    def widen(self, value: Any, backend: Backend) -> Node:
        if (without := _other_node(self, value, backend)) is not None:
            return without
        contents = _contents(value)
        before = () if contents.prefix is None else contents.prefix.examples
        is_item = self.name.startswith(ITEM)
        sources = () if self.kind is tuple else _with_source(self.sources, value, is_item)
        return self._with((*before, *contents.items), sources, backend)

    def of_paths(self, paths: Iterable[PathValues], backend: Backend) -> GrowingList:
        """Return the node that also holds these items, each as its path left it."""
        node = self
        for path in paths:
            with at_the_end_of(path.outcome):
                node = node._with(path.values, node.sources, backend)
        return node

    def _with(
        self, values: Iterable[Any], sources: tuple[Any, ...], backend: Backend
    ) -> GrowingList:
        examples, item = self.examples, self.item
        values = tuple(values)
        check_unchanged(values)
        for value in values:
            if kind_of(value) is list and is_shared_item(value):
                note_sharing()
            wider = _item_node(self.name, item, (value,), backend)
            if wider != item:
                item, examples = wider, (*examples, item_now(value))
        if item == self.item and sources is self.sources:
            return self
        spec = _spec(item, backend)
        return GrowingList(self.name, item, spec, examples, self.inside, sources, self.kind)


def holds_lists(item: Node) -> bool:
    """Whether the items of a list are lists, or have lists in them."""
    return holds(item, (FixedList, GrowingList))


def holds(item: Node, kinds: tuple[type, ...]) -> bool:
    """Whether a node is of these classes, or has one in it that is."""
    return isinstance(item, kinds) or any(
        holds(inner, kinds) for inner in getattr(item, "items", ())
    )


def handle_of(contents: Contents, item: Any, spec: Spec, backend: Backend) -> Any:
    """Return a backend's list of these contents, laid out by ``item``."""
    for value in contents.items:
        put(value, contents.outer)
    with putting(True):
        if contents.prefix is None:
            entries = [converted(item, value, backend) for value in contents.items]
            return backend.list_new(spec, entries)
        handle = _relaid(contents.prefix, item, spec, backend)
        for value in contents.items:
            handle = backend.list_push(handle, converted(item, value, backend))
    return handle


def as_prefix(contents: Contents, name: str, backend: Backend) -> Prefix:
    """Return the contents with all items held by the backend."""
    prefix = contents.prefix
    if prefix is not None and not contents.items:
        return prefix
    item, examples = (None, ()) if prefix is None else (prefix.item, prefix.examples)
    wider = _item_node_here(name, item, contents.items, backend)
    if wider != item:
        examples = (*examples, *map(item_now, contents.items))
    spec = _spec(wider, backend)
    if spec is None:
        raise no_lists(backend)
    return Prefix(handle_of(contents, wider, spec, backend), wider, spec, examples, backend)


def holding(prefix: Prefix, values: Iterable[Any], name: str) -> Prefix:
    """Return the same list, laid out so that it can hold these values, too."""
    backend, examples = prefix.backend, (*prefix.examples, *map(item_now, values))
    item = _item_node_here(name, prefix.item, examples[len(prefix.examples) :], backend)
    return _laid_out(prefix, item, examples)


def by_value(prefix: Prefix) -> Prefix:
    """Return the same list, whose items hold what they refer to."""
    item = prefix.item
    if item is not None:
        item = without_references(item, prefix.backend)
    return _laid_out(prefix, item, prefix.examples)


def _laid_out(prefix: Prefix, item: Node | None, examples: tuple[Any, ...]) -> Prefix:
    if item == prefix.item:
        return prefix
    spec = _spec(item, prefix.backend)
    handle = _relaid(prefix, item, spec, prefix.backend)
    return Prefix(handle, item, spec, examples, prefix.backend)


def _relaid(prefix: Prefix, item: Node | None, spec: Spec, backend: Backend) -> Any:
    """Return the handle of a prefix whose items are laid out by another node."""
    if prefix.item is None:
        return backend.list_new(spec, ())
    if prefix.item == item:
        return prefix.handle
    assert item is not None

    (handle,) = backend.for_loop(
        backend.list_len(prefix.handle), _Relaying(prefix, item, spec, backend)
    )
    return handle


class _Relaying:
    """Loop that copies the items of a list into another layout: implements ``StagedLoop``."""

    options: Mapping[str, Any] = {}

    def __init__(self, prefix: Prefix, item: Node, spec: Spec, backend: Backend) -> None:
        self.prefix = prefix
        self.item = item
        self.backend = backend
        self.before = (prefix.handle,)
        self.spec = StateSpec((spec,), ("a list",))

    def start(self) -> list[Any]:
        return [self.backend.list_new(self.spec.specs[0], ())]

    def test(self, values: Sequence[Any]) -> Any:
        return True

    def body(self, values: Sequence[Any], item: Any = NO_ITEM) -> list[Any]:
        prefix = self.prefix
        entry = self.backend.list_item(prefix.handle, item, prefix.spec, ("", ""))
        again = converted(self.item, prefix.lift(entry), self.backend)
        return [self.backend.list_push(values[0], again)]


MAKERS: Mapping[type, Callable[[str, Any, Backend, Make], Node]] = {
    list: list_node, Contents: list_node, dict: dict_node,
}  # fmt: skip
nodes.MAKERS.update(MAKERS)
nodes.OBJECTS.update(other_tuple=other_tuple)
map_nodes.LISTS.append(list_node)
