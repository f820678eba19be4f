"""Lists, dicts and sets that outlive a call, and that a traced function changes as a whole.

A list that grows, or a dict or set that is changed with a staged key, is carried from call to call
by its contents: while the function is traced, every reference to it leads to a staged one, whose
items are inputs of the graph.  ``state_trace`` finds such containers.  They hold Python's numbers
and texts, tuples and lists of them; others are refused.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from autograph import staging
from autograph.errors import EffectError
from runtime.functions.carried_state import UNCHANGED, CarriedSlot, SlotInput
from runtime.functions.list_layouts import is_open, layout_of
from runtime.functions.number_arguments import ListArgument, refill
from runtime.types.dtypes import string

_KINDS = (list, dict, set, defaultdict, Counter)


class ContainerSlot:
    """Contents of a list, dict or set that outlives a call, as a slot."""

    key = None
    is_gone = False

    def __init__(self, holder: Any, label: str) -> None:
        self._holder = holder
        self.label = label
        self.identity = id(holder), None

    def holder(self) -> Any:
        """Return the list, dict or set."""
        return self._holder

    read = holder

    def write(self, contents: Any) -> None:
        """Let it hold other contents; it stays the same object."""
        if contents is not self._holder:
            refill(self._holder, contents)


class CarriedContainer(CarriedSlot):
    """List, dict or set that a function carries from call to call.

    references  what refers to it; links  the references that lead to it, or to what refers to it
    """

    def __init__(
        self, slot: Any, references: Sequence[staging.OutlivingSlot], links: Sequence[staging.Link]
    ) -> None:
        super().__init__(slot)
        self.references = references
        self.links = links
        self.proxy: Any = None
        """What stands for it in the trace that is being made."""
        self._before: Any = None
        self._last: Any = None

    def inputs_of(self, holder: Any) -> SlotInput:
        """What it holds, taken apart."""
        columns = columns_of(holder)
        if columns is None:
            raise EffectError(
                f"'{self.slot.label}', a {type(holder).__name__}, changes in each call, but holds "
                "values of several classes now, or others than numbers and texts",
                help="use a dict or list of numbers or texts of one class",
                subject=self.slot.label,
            )
        return SlotInput.of(holder, columns, type_=type(holder))

    def enter(self, leaves: Sequence[Any]) -> None:
        """Let all references refer to a staged one, whose items a graph holds."""
        self.proxy = _proxy_of(self.slot.read(), leaves)
        self._before = staging.contents_held(self.proxy)
        for reference in self.references:
            reference.write(self.proxy)

    def leave(self) -> None:
        """Let the references refer to it again."""
        for reference in self.references:
            if reference.read() is self.proxy:
                reference.write(self.slot.read())

    def final(self, at_start: Any) -> Any:
        """A copy of what stands for it, as it is now; UNCHANGED if it holds the same."""
        now = staging.contents_held(self.proxy)
        if now.same(self._before):
            return UNCHANGED
        if self._last is None or not staging.contents_held(self._last).same(now):
            self._last = _holding(type(self.slot.read()), now)
        return self._last

    def has_other_items(self) -> bool:
        """Whether it holds tensors or arrays now, or values of several classes."""
        return any(
            not _is_weak(contents) or len(_classes(contents)) > 1
            for contents in _parts(staging.contents_held(self.proxy))
        )


def columns_of(holder: Any) -> list[ListArgument] | None:
    """The items of a list or set, or keys and values of a dict, as arguments are; those of an empty
    one, whose types nothing tells, are left out.

    None for what cannot be carried.
    """
    kind = type(holder)
    if kind not in _KINDS:
        return None
    columns = [list(holder)] if kind in (list, set) else [list(holder), list(holder.values())]
    layouts = [layout_of(column) for column in columns]
    if None in layouts or any(layout and is_open(layout) for layout in layouts):
        return None
    return [ListArgument(layout, c) for layout, c in zip(layouts, columns) if layout]


def _proxy_of(holder: Any, lists: Sequence[Any]) -> Any:
    """The traced list, dict or set for the lists of its items, or keys and values, in a graph."""
    kind = type(holder)
    if kind is list:
        return lists[0] if lists else staging.TracedList()
    proxy = staging.MAP_KINDS[kind]()
    if kind is defaultdict:
        proxy.default_factory = holder.default_factory
    if lists:
        no_values = staging.Contents(None, ())  # of a set
        keys, values = [*map(staging.contents_of, lists), no_values][:2]
        staging.hold_map(proxy, staging.MapContents(keys, values, lists[0].backend))
    return proxy


def _holding(kind: type, contents: Any) -> Any:
    """A list, dict or set with these contents."""
    if kind is list:
        items = staging.TracedList()
        staging.hold(items, contents)
        return items
    holder: Any = staging.MAP_KINDS[dict if kind is not set else set]()
    staging.hold_map(holder, contents)
    return holder


def _parts(contents: Any) -> Iterable[staging.Contents]:
    is_map = type(contents) is staging.MapContents
    return (contents.keys, contents.values) if is_map else (contents,)


def _is_weak(contents: staging.Contents) -> bool:
    """Whether all items are numbers or texts of Python's, or made of such."""
    prefix = contents.prefix
    entry = () if prefix is None or prefix.item is None else prefix.spec.entry
    return all(map(_is_weak_spec, entry)) and all(map(_is_weak_item, contents.items))


def _is_weak_spec(spec: Any) -> bool:
    inner = getattr(spec, "entry", None)
    return bool(spec.weak) if inner is None else all(map(_is_weak_spec, inner))


def _is_weak_item(item: Any) -> bool:
    if isinstance(item, staging.TracedList):
        return _is_weak(staging.contents_of(item))
    if isinstance(item, tuple):
        return all(map(_is_weak_item, item))
    if isinstance(item, staging.StagedText) or type(item) in (bool, int, float, complex, str):
        return True
    return bool(getattr(item, "weak", False))


def _classes(contents: staging.Contents) -> set[Any]:
    """The classes of items; numbers, whose types join, count as one."""
    prefix = contents.prefix
    example = () if prefix is None or prefix.item is None else (prefix.lift(prefix.spec.entry),)
    return {kind for item in (*example, *contents.items) for kind in _classes_of(item)}


def _classes_of(item: Any) -> Iterable[Any]:
    if isinstance(item, staging.StagedVariant):
        return [kind for alternative in item.ag__alternatives for kind in _classes_of(alternative)]
    if isinstance(item, list | tuple) and not hasattr(item, "dtype"):
        return [staging.kind_of(item)]
    is_text = isinstance(item, str | staging.StagedText) or getattr(item, "dtype", None) is string
    return [str if is_text else complex]
