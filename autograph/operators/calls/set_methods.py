"""Methods of staged sets.

    seen.add(n)          =>  ag__.call(seen.add)(n)

Installed by ``map_constructors``; written with the operations of ``map_ops``.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.calls.dict_methods import clear, copy
from autograph.operators.containers import map_ops
from autograph.operators.containers.base_views import base_view
from autograph.operators.containers.map_keys import change_of, key_backend
from autograph.operators.containers.map_ops import key_error
from autograph.operators.control.logical import and_, not_
from autograph.operators.iteration.iterables import is_staged
from autograph.operators.iteration.loops import for_stmt
from autograph.operators.iteration.spreads import Spread
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_map import StagedMap, StagedSet, TracedSet, hold_map, map_contents
from autograph.staging.staged_string import StagedText
from autograph.staging.wrapped_set import WrappedSet, is_in_place


def set_(*args: Any) -> Any:
    """``set(iterable)``."""
    if tracing_backend() is None or len(args) > 1:
        return set(*args)
    items_set = TracedSet()
    for items in args:
        if isinstance(items, StagedSet):
            return copy(items)
        items = items.staged() if isinstance(items, StagedText) else items
        if isinstance(items, StagedMap) or is_staged(items):
            set_update(items_set, items)
        else:
            for item in items:
                map_ops.add(items_set, item)
    return items_set


def set_with(*items: Any) -> Any:
    """A display with ``*`` in it: each Spread stands for the items of its value."""
    if not any(type(item) is Spread for item in items):
        return map_ops.set_of(*items)
    items_set = TracedSet()
    for item in items:
        if type(item) is Spread:
            set_update(items_set, item.value)
        else:
            map_ops.add(items_set, item)
    return items_set


def discard(holder: Any, item: Any) -> None:
    """``holder.discard(item)``."""
    map_ops.drop(holder, item, None)


def remove(holder: Any, item: Any) -> None:
    """``holder.remove(item)``."""
    map_ops.drop(holder, item, key_error(item))


def _pop_any(holder: Any) -> Any:
    """``holder.pop()``: an error, as the item depends on the history of the set."""
    raise ConcreteValueError(
        "pop() of a set of staged items removes an item that is known only at run time",
        where=user_line(),
        help="use a list or a dict, or take min() or max() of the set and remove() it",
    )


def set_update(holder: Any, *iterables: Any) -> None:
    """``holder.update(items)``."""
    for iterable in iterables:
        for_stmt(iterable, lambda item: map_ops.add(holder, item), (), (holder,))


def _as_set(value: Any) -> Any:
    """Convert an iterable to a set; return a set unchanged."""
    return value if isinstance(value, set | frozenset) else set_(value)


def _pair(left: Any, right: Any) -> tuple[Any, Any]:
    backend = next(operand.backend for operand in (left, right) if isinstance(operand, StagedMap))
    return map_ops.as_staged_set(left, backend), map_ops.as_staged_set(right, backend)


def combine_sets(name: str, left: Any, right: Any) -> Any:
    """Return the result of a set method for two sets, at least one of them staged."""
    first_set, second_set = _pair(left, right)
    first, second = map_ops.same_class(first_set, second_set)
    result = copy(first_set)
    map_ops.with_keys(result, first, result.backend.set_combine(name, first.handle, second.handle))
    return result


def compare_sets(name: str, left: Any, right: Any) -> Any:
    """Return the result of a comparison of two sets, at least one of them staged."""
    first_set, second_set = _pair(left, right)
    first, second = map_ops.same_class(first_set, second_set)
    return first_set.backend.set_compare(name, first.handle, second.handle)


def method_of(name: str) -> Callable[..., Any]:
    """Return a method such as ``union``, which takes any number of iterables."""

    def method(holder: Any, *iterables: Any) -> Any:
        result = holder.copy()
        for iterable in iterables:
            if _is_plain(result, iterable):
                result = getattr(WrappedSet, name)(result, iterable)
            else:
                result = combine_sets(name, result, _as_set(iterable))
        return result

    return method


def _is_plain(*values: Any) -> bool:
    """Return whether sets and iterables hold no staged values."""
    for value in values:
        if isinstance(value, StagedMap | StagedText) or is_staged(value):
            return False
        if isinstance(value, list | tuple) and any(map(key_backend, value)):
            return False
    return True


def _operand(value: Any) -> Any:
    """Return what an operator of sets takes: a set, or one of a view's items; else None."""
    if isinstance(value, VIEWS):
        return set_(value)
    return value if isinstance(value, set | frozenset) else None


def of_view(view: Any, sign: str, items: Any) -> Any:
    """``view sign items``; views of dicts are in C, which goes through the items."""
    is_asked = isinstance(items, StagedMap) and isinstance(view, VIEWS)
    return _COMBINE[sign](TracedSet(view) if is_asked else view, items)


_COMBINE: dict[str, Callable[[Any, Any], Any]] = {
    "&": operator.and_, "|": operator.or_, "-": operator.sub, "^": operator.xor,
}  # fmt: skip
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.items()))
"""Views of dicts that are operands of sets."""


def _operator(name: str) -> Callable[..., Any]:
    def apply(left: Any, right: Any) -> Any:
        right = _operand(right)
        return NotImplemented if right is None else combine_sets(name, left, right)

    return apply


def _reflected(name: str) -> Callable[..., Any]:
    """Return an operator whose left operand is of Python's own classes."""

    def apply(right: Any, left: Any) -> Any:
        left = _operand(left)
        if left is None:
            return NotImplemented
        if isinstance(left, frozenset):
            no_frozenset()
        if is_in_place(sys._getframe(1)):
            raise change_of(left)
        return combine_sets(name, base_view(left), right)

    return apply


def no_frozenset(*args: Any, **kwargs: Any) -> NoReturn:
    """Refuse to make a frozenset."""
    raise ConcreteValueError(
        "a frozenset of staged items is not supported", where=user_line(), help="use set()"
    )


def changing_operator(name: str) -> Callable[..., Any]:
    """Return an operator that changes the set in place; with a view it makes another set."""
    change, combine = changing(name), _operator(name)

    def apply(left: Any, right: Any) -> Any:
        return change(left, right) if isinstance(right, set | frozenset) else combine(left, right)

    return apply


def changing(name: str) -> Callable[..., Any]:
    """Return a method that changes the set in place."""

    def method(holder: Any, *iterables: Any) -> Any:
        hold_map(holder, map_contents(method_of(name)(holder, *iterables)))
        return holder

    return method


def updating(name: str) -> Callable[..., None]:
    """As ``changing``, for a method that returns None."""
    change = changing(name)

    def method(holder: Any, *iterables: Any) -> None:
        change(holder, *iterables)

    return method


def _relation(name: str, turned: bool = False, strict: bool = False) -> Callable[..., Any]:
    def relation(left: Any, right: Any) -> Any:
        right = _operand(right) if strict else _as_set(right)
        if right is None:
            return NotImplemented
        return compare_sets(name, *((right, left) if turned else (left, right)))

    return relation


def _proper(turned: bool) -> Callable[..., Any]:
    subset = _relation("issubset", turned, strict=True)

    def relation(left: Any, right: Any) -> Any:
        is_subset = subset(left, right)
        if is_subset is NotImplemented:
            return is_subset
        return and_(is_subset, lambda: not_(compare_sets("__eq__", left, right)))

    return relation


NAMES = ("union", "intersection", "difference", "symmetric_difference")
SET: dict[str, Any] = {
    "__and__": _operator("intersection"), "__ge__": _relation("issubset", True, True),
    "__gt__": _proper(True), "__iand__": changing_operator("intersection"),
    "__ior__": changing_operator("union"), "__isub__": changing_operator("difference"),
    "__ixor__": changing_operator("symmetric_difference"),
    "__le__": _relation("issubset", False, True), "__lt__": _proper(False),
    "__or__": _operator("union"), "__rand__": _reflected("intersection"),
    "__ror__": _reflected("union"), "__rsub__": _reflected("difference"),
    "__rxor__": _reflected("symmetric_difference"), "__sub__": _operator("difference"),
    "__xor__": _operator("symmetric_difference"), "add": map_ops.add, "clear": clear, "copy": copy,
    **{f"{name}_update": updating(name) for name in NAMES[1:]},
    "discard": discard, "isdisjoint": _relation("isdisjoint"), "issubset": _relation("issubset"),
    "issuperset": _relation("issubset", True), "pop": _pop_any, "remove": remove,
    "update": set_update,
}  # fmt: skip
"""The methods of staged sets."""
