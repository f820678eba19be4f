"""Snapshots of objects that hold staged values: taken while tracing, rebuilt at run time.

The text of an object may depend on everything that the object refers to.  To print it at run time,
a backend rebuilds a copy with concrete values in place of the staged ones and calls the copy's own
``__str__``, ``__repr__`` or ``__format__``.
"""

from __future__ import annotations

import collections
import enum
import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

from autograph.diagnostics.runtime_exceptions import is_stand_in, like
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.state.attributes import has_members, members, set_member
from autograph.operators.state.holders import in_order
from autograph.operators.state.skip_list import is_skipped
from autograph.staging.registry import owning_backend
from autograph.staging.staged_list import StagedList, kind_of
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_union import StagedChoice, StagedOptional, StagedVariant
from autograph.staging.wrapped_set import own_set
from autograph.syntax.heap_types import is_heap_type

MOST_OBJECTS = 2000
"""The largest number of objects in one snapshot."""

_SEQUENCES = (list, tuple, collections.deque, set, frozenset)
_MAPPINGS = (dict, collections.OrderedDict, collections.defaultdict)
_ATOMS = (bool, int, float, complex, str, bytes, type(None), types.FunctionType, types.ModuleType)
_LIBRARY = (types.SimpleNamespace, collections.UserDict, collections.UserList,
            collections.ChainMap, collections.Counter)  # fmt: skip

Test = Callable[[Any], bool]
Keep = Callable[[Any], Any]
Reference = Callable[[list[Any], dict[int, Any]], Any]


class Dismantled:
    """Snapshot of a value: its staged ``leaves``, and ``rebuild`` from concrete ones."""

    def __init__(self, value: Any, is_staged: Test, keep: Keep) -> None:
        self.leaves: list[Any] = []
        self.copies = False
        """Whether anything is made anew."""
        self._is_staged = is_staged
        self._keep = keep
        self._places: dict[int, int] = {}
        self._nodes: dict[int, _Node] = {}
        self._waiting: list[_Node] = []
        self._root = self._reference(value, keep)
        while self._waiting and len(self._nodes) - len(self._waiting) < MOST_OBJECTS:
            node = self._waiting.pop()
            # nobody knows what an object does with its attributes: they stay as they are
            inside = keep if node.kind is node.base else _as_it_is
            node.take_apart(functools.partial(self._reference, keep=inside))
        if self.leaves and self._waiting:
            raise ConcreteValueError(
                f"the text of a {type(value).__name__} refers to more than {MOST_OBJECTS} objects",
                where=user_line(),
                help="print or format the values that matter",
            )
        ending = next((n.kind for n in self._nodes.values() if hasattr(n.kind, "__del__")), None)
        if self.leaves and ending is not None:
            raise ConcreteValueError(
                f"the text of a {ending.__name__} is made from a copy at run time, and the __del__ "
                "of the class would run for the copy, too",
                where=user_line(),
                help="print or format the values that matter",
            )

    def rebuild(self, values: Sequence[Any]) -> Any:
        """Return a copy of the value with these values in place of the leaves."""
        return self._root(list(values), {})

    def _union(self, value: Any, keep: Keep) -> Reference:
        """Take a union apart: its index, or the flag of a value that is present, is a leaf."""
        if isinstance(value, StagedOptional):
            number, alternatives = value.ag__present, [None, value.ag__value]
        else:
            number, alternatives = value.ag__index, list(value.ag__alternatives)
        chosen = self._reference(number, keep)
        references = [self._reference(alternative, keep) for alternative in alternatives]
        return lambda values, objects: references[int(chosen(values, objects))](values, objects)

    def _reference(self, value: Any, keep: Keep) -> Reference:
        if isinstance(value, (StagedChoice, StagedVariant, StagedOptional)):
            self.copies = True
            return self._union(value, keep)
        if self._is_staged(value):
            number = self._places.setdefault(id(value), len(self.leaves))
            if number == len(self.leaves):
                self.leaves.append(value)
            return lambda values, objects: values[number]
        base = _base(value)
        if base is None:
            constant = keep(value)
            return lambda values, objects: constant
        node = self._nodes.get(id(value))
        if node is None:
            self.copies = True
            node = self._nodes[id(value)] = _Node(value, base)
            self._waiting.append(node)
        return node.make


def dismantle(value: Any, is_staged: Test, keep: Keep | None = None) -> Dismantled | None:
    """Take a value apart; return None when nothing in it is staged.

    ``keep`` receives every part that is not staged, except attributes of objects, and returns what
    stands for it in the copy.
    """
    if kind_of(value) in _ATOMS:
        return None
    dismantled = Dismantled(value, is_staged, keep or _as_it_is)
    return dismantled if dismantled.leaves else None


def _as_it_is(value: Any) -> Any:
    return value


class _Node:
    """Object in a snapshot: what it refers to, and how to make another one like it."""

    def __init__(self, value: Any, base: type) -> None:
        self.value = value
        self.kind = kind_of(value)
        self.base = base
        self.items: list[Reference] = []
        self.keys: list[Any] = []
        self.members: dict[str, Reference] = {}

    def take_apart(self, reference: Callable[[Any], Reference]) -> None:
        """Find what the object refers to."""
        value: Any = self.value
        base: Any = self.base
        if base in _MAPPINGS:
            contents = in_order(value)
            self.keys = list(contents)
            self.items = [reference(item) for item in contents.values()]
        elif base in _SEQUENCES:
            self.items = [reference(item) for item in base.__iter__(own_set(value))]
        elif issubclass(base, BaseException):
            self.items = [reference(item) for item in value.args]
        if self.kind is type(value) and has_members(value):  # internal attributes of a traced list
            self.members = {name: reference(item) for name, item in members(value).items()}

    def make(self, values: list[Any], objects: dict[int, Any]) -> Any:
        """Make a copy of the object."""
        finished = objects.get(id(self))
        return self._make(values, objects) if finished is None else finished

    def _make(self, values: list[Any], objects: dict[int, Any]) -> Any:
        base: Any = self.base
        kind = self.kind
        result: Any
        if base in (tuple, frozenset):
            result = base.__new__(kind, [item(values, objects) for item in self.items])
        elif issubclass(base, BaseException):
            result = like(self.value, [item(values, objects) for item in self.items], {})
        else:
            result = base.__new__(kind)
        objects[id(self)] = result
        if base in _MAPPINGS:
            if base is collections.defaultdict:
                result.default_factory = self.value.default_factory
            for key, item in zip(self.keys, self.items, strict=True):
                base.__setitem__(result, key, item(values, objects))
        elif base is collections.deque:
            collections.deque.__init__(result, (), self.value.maxlen)
        if base in (list, collections.deque):
            base.extend(result, [item(values, objects) for item in self.items])
        elif base is set:
            set.update(result, [item(values, objects) for item in self.items])
        for name, member in self.members.items():
            set_member(result, name, member(values, objects))
        return result


def _base(value: Any) -> type | None:
    """Return the class in C that an object builds on; None for objects that are not taken apart."""
    kind = kind_of(value)
    if kind in _ATOMS or isinstance(value, type | StagedList | StagedMap) or is_stand_in(value):
        return None
    if kind in _SEQUENCES or kind in _MAPPINGS or kind is types.SimpleNamespace:
        return kind
    base = next(base for base in kind.__mro__ if not is_heap_type(base))
    if not issubclass(base, BaseException):
        if is_skipped(kind.__module__) and kind not in _LIBRARY:
            return None
        if not is_heap_type(kind) or owning_backend(value) is not None:
            return None
        if base is not object and base not in _SEQUENCES and base not in _MAPPINGS:
            return None
        if isinstance(value, enum.Enum) or (base is object and not members(value)):
            return None  # they are known by their identity
    return base
