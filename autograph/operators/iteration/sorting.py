"""``sorted`` and ``list.sort`` while a backend is tracing.

A known number of staged values is sorted by a sorting network.  A staged number of items is
gathered in a staged list and sorted by one operation of the backend or by insertion sort.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any

from autograph.conversion.convert_hook import converted, from_library
from autograph.library import lists
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.iteration.comparisons import order, staged_inside
from autograph.operators.iteration.iterables import (
    LOOPS,
    gather,
    is_staged,
    is_unlisted,
    transform,
)
from autograph.operators.iteration.staged_iterators import items_of, list_
from autograph.operators.state.closure_cells import Local
from autograph.operators.state.object_snapshot import dismantle
from autograph.operators.state.special_methods import special
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend, tracing_backend
from autograph.staging.staged_list import StagedList, TracedList, kind_of
from autograph.staging.state_spec import StagedValue

_CmpKey = type(functools.cmp_to_key(lambda left, right: 0))
"""What ``functools.cmp_to_key`` gives: its objects hold a function, and cannot be staged."""


def sorted_(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """``sorted`` of a Python iterable; with staged values in it by a sorting network."""
    if is_unlisted(iterable):
        iterable = gather(iterable)
    if staging_backend(reverse) is not None:
        return _sort_either_way(iterable, key, reverse)
    if isinstance(iterable, StagedList):
        return staged_sorted(iterable.backend, iterable, key=key, reverse=reverse)
    if is_staged(iterable) or staging_backend(iterable) is not None:
        return NotImplemented
    items = builtins.list(iterable)
    measure = None if key is None else converted(key)
    if isinstance(key, _CmpKey) and _compares_staged(items):
        pairs, compared = [(item, item) for item in items], measure
    else:
        pairs, compared = [(measure(item) if measure else item, item) for item in items], None
    # Python's own sort takes fewer comparisons than a network, and each that is staged is recorded
    if compared is None and not _compares_staged([pair[0] for pair in pairs]):
        pairs.sort(key=lambda pair: pair[0], reverse=reverse)
        return TracedList([pair[1] for pair in pairs])
    sign = ">" if reverse else "<"
    for end in range(1, len(pairs)):
        for position in range(end, 0, -1):
            _exchange(pairs, position, sign, compared)
    return TracedList([pair[1] for pair in pairs])


_sort_either_way = from_library(lists.sort_either_way)


def _compares_staged(keys: list[Any]) -> bool:
    """Whether the order of keys depends on staged values, in them or in objects."""
    if staged_inside(keys) is not None:
        return True
    objects = [key for key in keys if special(key, "__lt__") is not None]
    return dismantle(objects, lambda value: staging_backend(value) is not None) is not None


def _exchange(pairs: list[Any], position: int, sign: str, compared: Any) -> None:
    """Put two neighbours in order: by what ``compared``, if it is a function, makes of the marks.
    """
    left, right = Local("an item", pairs[position - 1]), Local("an item", pairs[position])

    def exchange() -> None:
        left.value, right.value = pairs[position], pairs[position - 1]

    marks = right.value[0], left.value[0]
    first, second = marks if compared is None else map(compared, marks)
    test = order(first, sign, second)
    if_stmt(test, exchange, None, (left, right), ())()
    pairs[position - 1 : position + 1] = left.value, right.value


def staged_sorted(
    backend: Backend, iterable: Any, /, *, key: Any = None, reverse: Any = False
) -> Any:
    """``sorted`` of a staged value: numbers in one operation, others by comparisons."""
    value = backend.read(iterable)
    if staging_backend(reverse) is not None:
        return _sort_either_way(value, key, reverse)
    if not isinstance(value, StagedList):
        if key is None and type(reverse) is bool and not isinstance(value, StagedValue):
            in_order_of_backend = backend.sorted(value, reverse)
            if in_order_of_backend is not NotImplemented:
                return list_(backend, in_order_of_backend)
        value = items_of(value, backend)
        if isinstance(value.count, int):
            return sorted_(builtins.list(value), key=key, reverse=reverse)
        value = gather(value)
    if isinstance(key, _CmpKey):
        return in_order(value, key=key, reverse=reverse)
    marks = value if key is None else gather(transform("", value, converted(key)))
    # one operation of the backend sorts numbers; insertion needs a comparison for each pair
    numbers: Any = NotImplemented
    if isinstance(marks, StagedList) and type(reverse) is bool:
        numbers = backend.sorting_order(marks, reverse)
    if numbers is NotImplemented:
        return in_order(value, key=key, reverse=reverse)
    return gather(transform("", numbers, lambda number: value[number]))


def in_order(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """``sorted`` of a staged number of items, by insertion: works for any comparable items."""
    measure: Callable[[Any], Any] = (lambda item: item) if key is None else converted(key)
    compared: Callable[[Any], Any] = lambda mark: mark
    if isinstance(key, _CmpKey):  # the items are the marks, and are wrapped to be compared
        measure, compared = compared, measure
    return _sort(iterable, measure, compared, reverse)


_sort = from_library(lists.sort)


def sort(items: list[Any], /, *, key: Any = None, reverse: Any = False) -> None:
    """``list.sort``."""
    if tracing_backend() is None or kind_of(items) is not list:
        list.sort(items, key=key, reverse=reverse)
        return
    if isinstance(items, StagedList):
        items.sort(key=key, reverse=reverse)
        return
    items[:] = sorted_(items, key=key, reverse=reverse)


LOOPS[sorted] = sorted_
