"""Check that a traced function does not change the lists, dicts and objects among its arguments.

concrete_function.py calls it after each trace.  The function works on copies of its arguments, and
runs of the trace execute no Python, so the caller would not see changes that plain Python makes.
"""

from __future__ import annotations

import inspect
import operator
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from autograph import staging
from autograph.errors import EffectError
from runtime.functions.cache_key import named_leaves
from runtime.graph.operation import SymbolicTensor
from runtime.types import treedef
from runtime.types.composite import Composite, may_be_written
from runtime.types.node_types import NODE_TYPES

Copy = tuple[str, Any, Any]
"""Copy that a trace works on: how messages call it, what it was before the trace, and the copy."""

Change = tuple[str, Any]
"""Collection that a trace has changed: how messages call it, and what it was before."""


def first_change(copies: Iterable[Copy]) -> Change | None:
    """Return the first collection in copies that a trace changed, or None."""
    changes = (_change_of(*copy) for copy in copies)
    return next((change for change in changes if change is not None), None)


class ChangedArgumentError(EffectError, ValueError):
    """Error for a change of an argument that the caller would not see."""


def refusal(function: str, path: str, value: Any, python: Any) -> ChangedArgumentError:
    """Return the error for a change of the argument, or part of one, that ``path`` spells."""
    code = getattr(inspect.unwrap(python), "__code__", None)
    return ChangedArgumentError(
        f"{function}() should not modify its Python input arguments, but it changes {path!r}: "
        f"a call works on a copy, so the caller would not see the change. Let {function}() "
        f"change {_copy(path, value)} instead, and return that.",
        where=None if code is None else (code.co_filename, code.co_firstlineno),
        subject=path,
    )


class LeafContents:
    """What the sets, deques and byte arrays among the leaves of a call held before a trace."""

    def __init__(self, names: Iterable[str], values: Iterable[Any]) -> None:
        self._before = [
            (label, leaf, _items(leaf))
            for name, value in zip(names, values, strict=True)
            for label, leaf in _leaves(name, value)
            if isinstance(leaf, _CHANGEABLE)
        ]

    def first_change(self) -> Change | None:
        """Restore all; return one that a trace changed, or None."""
        change = None
        for label, holder, before in self._before:
            now = _items(holder)
            if len(now) != len(before) or not all(map(operator.is_, now, before)):
                base = _base(holder)
                base.clear(holder)
                getattr(base, "update" if base is set else "extend")(holder, before)
                change = label, holder
        return change


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The leaves of an argument, and of the lists and dicts that a trace may change."""
    for label, leaf in named_leaves(name, value):
        yield label, leaf
        for inner in getattr(leaf, "leaves", ()) if isinstance(leaf, Composite) else ():
            yield from _leaves(label, inner)


_CHANGEABLE = (set, deque, bytearray)


def _items(holder: Any) -> list[Any]:
    return [*_base(holder).__iter__(holder)]


def _base(holder: Any) -> Any:
    return next(kind for kind in _CHANGEABLE if isinstance(holder, kind))


def inner_nests(before: Any, copy: Any, path: str = "") -> Iterator[Copy]:
    """Return the dataclass objects and the like in two copies of a list, tuple or dict: with
    where they are, those of the one copy and those of the other.
    """
    kind = NODE_TYPES[type(before)]
    if before is copy or kind is None or kind.opaque:
        return
    if path and kind.cls not in (list, tuple, dict):
        yield path, before, copy
        return
    (items, data, _), (item_copies, _, _) = kind.flatten(before), kind.flatten(copy)
    for key, item, item_copy in zip(kind.keys(data, len(items)), items, item_copies, strict=True):
        yield from inner_nests(item, item_copy, path + kind.step(key))


def _change_of(name: str, before: Any, after: Any) -> Change | None:
    todo = [(name, before, after)]
    while todo:
        path, was, now = todo.pop()
        kind = NODE_TYPES[type(was)]
        if was is now or kind is None or kind.opaque or may_be_written(was):
            continue
        items, data, attributes = kind.flatten(was)
        items_now, data_now, attributes_now = kind.flatten(now)
        keys = list(kind.keys(data, len(items)))
        if keys != list(kind.keys(data_now, len(items_now))):
            return path, was
        if not all(map(_is_as_before, items, items_now)):
            return path, was
        if data != data_now:  # the order of a dict's keys
            return path, was
        if not kind.composite and not _same_attributes(attributes, attributes_now):
            return path, was
        paths = [path + kind.step(key) for key in keys]
        todo += reversed([*zip(paths, items, items_now)])
    return None


def _is_as_before(item: Any, item_now: Any) -> bool:
    """Whether an entry is unchanged; collections are copies, whose entries are compared later."""
    return item is item_now or type(item) is type(item_now) and NODE_TYPES[type(item)] is not None


def _same_attributes(attributes: Any, attributes_now: Any) -> bool:
    """Whether the attributes of a dataclass instance other than its fields are unchanged."""
    if not (isinstance(attributes, dict) or isinstance(attributes_now, dict)):
        return True
    before, after = attributes or {}, attributes_now or {}
    return before.keys() == after.keys() and all(before[name] is after[name] for name in before)


def _copy(path: str, value: Any) -> str:
    """Return an expression that copies a collection."""
    if type(value) in (list, dict):
        return f"`{type(value).__name__}({path})`"
    return f"`copy.copy({path})`"


def objects_among(names: Iterable[str], values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Return the arguments of a trace, and the parts of them, that are no collections, with their
    names in messages.
    """
    for name, value in zip(names, values, strict=True):
        if isinstance(value, SymbolicTensor):
            continue
        value = value.items if staging.is_traced_deque(value) else value
        leaves, structure = treedef.flatten(value, lambda v: isinstance(v, staging.StagedList))
        for label, leaf in zip(structure.labels(name), leaves, strict=True):
            if staging.is_traced_deque(leaf):
                yield from objects_among([label], [leaf])
            elif not isinstance(leaf, staging.StagedList):
                yield label, leaf
