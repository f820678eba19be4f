"""Comparisons: ``==``, ``!=``, ``in``, ``not in``, order of tuples and lists, and chains of them.

    x in items           =>  ag__.in_(x, items)

The truth tests that Python makes on the way are staged.
"""

from __future__ import annotations

import operator
import types
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from autograph.conversion.convert_hook import converted, from_library
from autograph.library import counters, lists
from autograph.operators.containers.base_views import base_view, overrides
from autograph.operators.containers.map_ops import searched_copy
from autograph.operators.containers.sequences import in_range
from autograph.operators.control.conditionals import if_stmt, testing_backend, truth
from autograph.operators.control.logical import and_, not_, or_
from autograph.operators.control.optionals import is_, is_not
from autograph.operators.state.special_methods import COMPARED, special
from autograph.staging.joined_number import JoinedNumber
from autograph.staging.protocol import Backend
from autograph.staging.registry import (
    EAGER,
    owning_backend,
    python_type,
    staging_backend,
    staging_backend_of,
    tracing_backend,
)
from autograph.staging.staged_list import StagedList, kind_of
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedReference, StagedUnion
from autograph.staging.unsupported import check_supported
from autograph.tracing import TRACES

_CONTAINERS = (tuple, list, dict)
_COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__iter__", "__len__")
_SEQUENCES = (tuple, list)
_COMPARED_DICTS = (dict, OrderedDict, defaultdict)


def eq(left: Any, right: Any) -> Any:
    """``left == right``; tuples, lists and dicts that hold staged values compare item by item."""
    if isinstance(left, StagedReference):
        return left.ag__apply_to_each(lambda alternative: eq(alternative, right))
    if isinstance(right, StagedReference):
        return right.ag__apply_to_each(lambda alternative: eq(left, alternative))
    if _has_staged_map(left, right):
        return StagedMap.equal(left, right)  # type: ignore[attr-defined]
    if _are_alike(left, right):
        return _equal_containers(left, right)
    if kind_of(left) is kind_of(right) is Counter and tracing_backend() is not None:
        return equal_counters(left, right)
    if isinstance(left, StagedUnion) and kind_of(right) in _CONTAINERS:
        return left.ag__apply_to_each(lambda alternative: eq(alternative, right))
    if isinstance(right, StagedUnion) and kind_of(left) in _CONTAINERS:
        return right.ag__apply_to_each(lambda alternative: eq(left, alternative))
    return left == right


def _are_alike(left: Any, right: Any) -> bool:
    """Whether both are tuples, lists or dicts, which are compared item by item."""
    kind = kind_of(left)
    if kind in _COMPARED_DICTS:
        return kind_of(right) in _COMPARED_DICTS
    if kind in _CONTAINERS and kind is kind_of(right):
        return True
    return isinstance(left, tuple) and isinstance(right, tuple) and _are_as_tuples(left, right)


def _are_as_tuples(*values: tuple[Any, ...]) -> bool:
    """Whether the classes, such as those of named tuples, leave it to tuple to compare."""
    kinds = [type(value) for value in values]
    return all(getattr(k, name) is getattr(tuple, name) for k in kinds for name in _COMPARING)


def _has_staged_map(left: Any, right: Any) -> bool:
    """Whether one is a staged dict or set, or a view of one that compares as a set."""
    if isinstance(left, StagedMap) or isinstance(right, StagedMap):
        return True
    return is_set_view(left) or is_set_view(right)


def is_set_view(value: Any) -> bool:
    """Whether a value is ``keys()`` or ``items()`` of a staged dict."""
    return isinstance(value, StagedSequence) and value.what in ("dict_keys", "dict_items")


def not_eq(left: Any, right: Any) -> Any:
    """``left != right``, as ``eq``."""
    if _has_staged_map(left, right) or StagedReference in (type(left), type(right)):
        return not_(eq(left, right))
    if _are_alike(left, right):
        if _staged_lists(left, right) or staged_inside(left) or staged_inside(right):
            return not_(_equal_containers(left, right))
    if kind_of(left) is kind_of(right) is Counter:
        return not_(eq(left, right))
    # Python derives != from __eq__, which has to be called converted
    if _inherits_ne(type(left)) and special(left, "__eq__") is not None:
        return not_(eq(left, right))  # as object.__ne__, which must know that __eq__ gave no answer
    if isinstance(left, StagedUnion) and kind_of(right) in _CONTAINERS:
        return not_(eq(left, right))
    if isinstance(right, StagedUnion) and kind_of(left) in _CONTAINERS:
        return not_(eq(left, right))
    return left != right


def _inherits_ne(kind: Any) -> bool:
    return kind.__ne__ is object.__ne__


def _staged_lists(left: Any, right: Any) -> bool:
    return isinstance(left, StagedList) or isinstance(right, StagedList)


def _equal_containers(left: Any, right: Any) -> Any:
    if _staged_lists(left, right):
        return StagedList.equal(left, right)  # type: ignore[attr-defined]
    backend = staged_inside(left) or staged_inside(right)
    if backend is None:
        return left == right
    if len(left) != len(right):
        return False
    if isinstance(left, dict):
        if left.keys() != right.keys():
            return False
        if kind_of(left) is kind_of(right) is OrderedDict and [*left] != [*right]:
            return False
        pairs = [(left[key], right[key]) for key in left]
    else:
        pairs = list(zip(left, right, strict=True))
    return truth(and_(True, *(lambda a=a, b=b: same_or_equal(a, b) for a, b in pairs)))


def same_or_equal(left: Any, right: Any) -> Any:
    """Compare as Python compares items: ``left is right or left == right``."""
    if left is right:
        return True
    if _has_staged_map(left, right):
        return eq(left, right)
    if _staged_lists(left, right):
        # a backend would compare a number with each item, as its arrays do
        counterpart = right if isinstance(left, StagedList) else left
        return False if python_type(counterpart) is not None else eq(left, right)
    backend = staging_backend_of((left, right))
    return eq(left, right) if backend is None else backend.equal(left, right)


def staged_inside(value: Any) -> Any:
    """Return the backend of a staged value in a collection, or None."""
    if isinstance(value, StagedList):
        return value.backend
    items = value.values() if isinstance(value, dict) else value
    for item in items:
        backend = testing_backend(item)
        if backend is None and kind_of(item) in _CONTAINERS:
            backend = staged_inside(item)
        if backend is not None:
            return backend
    return None


def in_(item: Any, container: Any) -> Any:
    """``item in container``; staged where items must be compared at run time."""
    kind = type(container)
    if not (EAGER or TRACES):
        return item in container
    if isinstance(container, StagedMap):
        return container.contains(item)  # type: ignore[attr-defined]
    if kind is StagedText:
        return in_(item, container.staged())
    if kind is str:
        return _in_text(item, container)
    # a hash finds a known key without a comparison, even of keys among staged ones
    if type(item) in _SIMPLE if kind in _HASHED else tracing_backend() is None:
        return item in container
    is_inside = _contains(container, item)
    return item in container if is_inside is NotImplemented else is_inside


def _in_text(item: Any, text: str) -> Any:
    """``item in text``."""
    if type(item) is str:
        return item in text
    value = item.staged() if type(item) is StagedText else item
    backend = staging_backend(value)
    is_inside = NotImplemented
    if backend is not None and backend.python_type(value) is str:
        is_inside = backend.builtins[operator.contains](text, value)
    return item in text if is_inside is NotImplemented else is_inside


def not_in(item: Any, container: Any) -> Any:
    """``item not in container``, as ``in_``."""
    return not_(in_(item, container))


_HASHED: tuple[type, ...] = (
    set, frozenset, dict, Counter, OrderedDict, defaultdict, type({}.keys()),
)  # fmt: skip
_LISTED: tuple[type, ...] = (tuple, list, range, type({}.values()))


def _contains(container: Any, item: Any) -> Any:
    """Whether an item is inside; NotImplemented where the answer needs no staged value."""
    if not overrides(container, "__contains__"):
        container = base_view(container)
    kind = kind_of(container)
    backend = staged_inside(item) if kind_of(item) in _CONTAINERS else testing_backend(item)
    if isinstance(container, StagedUnion):
        return container.ag__apply_to_each(lambda alternative: in_(item, alternative))
    if isinstance(item, JoinedNumber):
        return item.ag__apply_to_each(lambda alternative: in_(alternative, container))
    if kind in _HASHED:
        if kind_of(item) is tuple and backend is not None:
            # the run knows its hash: it is compared with the keys that it may be equal to
            return _any_equal([key for key in container if type(key) is tuple], item)
        if owning_backend(item) is None and type(item) is not StagedText:
            return NotImplemented
        copy = searched_copy(container, item) if isinstance(container, (set, dict)) else None
        if copy is not None:
            return in_(item, copy)
        return _any_equal([key for key in container if isinstance(key, _SIMPLE)], item)
    owner = staging_backend(container)
    if owner is None and kind in _LISTED:
        # the backend of the item; else of an item inside, for which all have to be looked at
        if backend is None:
            backend = None if kind is range else staged_inside(container)
        if backend is None:
            return NotImplemented
        return _by_backend(backend, container, item, lambda: _any_equal(list(container), item))
    if owner is not None:
        return _by_backend(owner, container, item, lambda: _is_in(container, item))
    method = getattr(kind, "__contains__", None)
    if isinstance(method, types.FunctionType):
        return truth(converted(method)(container, item))
    if method is None and (hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")):
        return _is_in(container, item)
    return NotImplemented


def _by_backend(
    backend: Backend, container: Any, item: Any, otherwise: Callable[[], Any]
) -> Any:
    """Ask the range, the sequence or the backend itself; if it does not know, compare the items."""
    is_inside = NotImplemented
    if isinstance(container, StagedSequence):
        is_inside = NotImplemented if container.contains is None else container.contains(item)
    elif type(container) is range:
        is_inside = in_range(backend, container.start, container.stop, container.step, item)
    elif operator.contains in backend.builtins:
        is_inside = backend.builtins[operator.contains](container, item)
    return otherwise() if is_inside is NotImplemented else is_inside


_SIMPLE = (bool, int, float, complex, str, bytes)
"""The keys that a tensor may be equal to; as ``mapping[t]`` does, it looks for them by value."""


_is_in = from_library(lists.contains)
equal_counters = from_library(counters.equal)


def _any_equal(items: Sequence[Any], item: Any) -> Any:
    """Whether one of the items is ``item``, or equals it."""
    if any(candidate is item for candidate in items):
        return True
    return truth(_first_of([partial(same_or_equal, candidate, item) for candidate in items]))


def _first_of(tests: Sequence[Callable[[], Any]]) -> Any:
    """``or`` of many tests, nested as little as possible."""
    if len(tests) < 2:
        return tests[0]() if tests else False
    middle = len(tests) // 2
    return or_(_first_of(tests[:middle]), lambda: _first_of(tests[middle:]))


def order(left: Any, sign: str, right: Any) -> Any:
    """``left < right`` and the like; tuples and lists are compared up to their first difference."""
    kind = kind_of(left)
    if isinstance(left, StagedUnion) and kind_of(right) in _SEQUENCES:
        return left.ag__apply_to_each(lambda alternative: order(alternative, sign, right))
    if isinstance(right, StagedUnion) and kind in _SEQUENCES:
        return right.ag__apply_to_each(lambda alternative: order(left, sign, alternative))
    if not _are_ordered_alike(left, right):
        if kind in _CONTAINERS and python_type(right) is not None:
            check_supported(ORDERS[sign], left, right)
        return ORDERS[sign](left, right)
    if _staged_lists(left, right) or tracing_backend() is None:
        return ORDERS[sign](left, right)
    if not (staged_inside(left) or staged_inside(right)):
        return ORDERS[sign](left, right)
    return _order_from(0, left, sign, right)


def _are_ordered_alike(left: Any, right: Any) -> bool:
    """Whether both are lists, or both tuples, which are ordered item by item."""
    kind = kind_of(left)
    if kind in _SEQUENCES and kind is kind_of(right):
        return True
    return isinstance(left, tuple) and isinstance(right, tuple) and _are_as_tuples(left, right)


def _order_from(position: int, left: Sequence[Any], sign: str, right: Sequence[Any]) -> Any:
    # The loop of library.lists.order would record 37 operations for pairs instead of 15, and a
    # converted function that calls itself takes three times as long to trace for 30 items.
    if position >= len(left) or position >= len(right):
        return ORDERS[sign](len(left), len(right))
    a, b = left[position], right[position]
    result = None

    def equal() -> None:
        nonlocal result
        result = _order_from(position + 1, left, sign, right)

    def different() -> None:
        nonlocal result
        result = order(a, sign, b)

    if_stmt(same_or_equal(a, b), equal, different, ("result",))()
    return result


ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
COMPARED["__eq__"] = eq
COMPARED.update(
    (f"__{compare.__name__}__", partial(lambda sign, a, b: order(a, sign, b), sign))
    for sign, compare in ORDERS.items()
)

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    **ORDERS,
    "is": is_,
    "is not": is_not,
    "in": in_,
    "not in": not_in,
}


def compare(left: Any, sign: str, right: Any, *further: Any) -> Any:
    """Compare a chain ``left sign right others...``; later operands are evaluated only when needed.

    ``further`` alternates signs and functions of no argument.
    """
    result = COMPARISONS[sign](left, right)
    if not further:
        return result
    next_sign, operand, *remaining = further
    return and_(result, lambda: compare(right, next_sign, operand(), *remaining))
