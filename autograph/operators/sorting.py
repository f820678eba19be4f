"""``sorted`` and ``list.sort``, while a backend records, of items that Python can count.

With staged values to compare, by a network of comparisons; what is staged itself is the backend's.
"""

from __future__ import annotations

import builtins
from typing import Any

from autograph.operators.comparisons import order, staged_inside
from autograph.operators.conditionals import if_stmt
from autograph.operators.convert_hook import converted
from autograph.operators.iterables import LOOPS, is_staged
from autograph.operators.object_snapshot import dismantled
from autograph.operators.special_methods import special
from autograph.operators.state.closure_cells import Local
from autograph.staging.registry import staging_backend, tracing_backend
from autograph.staging.staged_list import StagedList, kind_of


def sorted_(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """``sorted`` of a Python iterable; with staged values in it by a network of comparisons."""
    if is_staged(iterable) or staging_backend(iterable) is not None:
        return NotImplemented
    items = builtins.list(iterable)
    measure = None if key is None else converted(key)
    pairs = [(item if measure is None else measure(item), item) for item in items]
    if not _compares_staged([pair[0] for pair in pairs]):
        pairs.sort(key=lambda pair: pair[0], reverse=reverse)
        return [pair[1] for pair in pairs]
    sign = ">" if reverse else "<"
    for end in range(1, len(pairs)):
        for position in range(end, 0, -1):
            _exchange(pairs, position, sign)
    return [pair[1] for pair in pairs]


def _compares_staged(keys: list[Any]) -> bool:
    """Whether the order of keys depends on staged values, in them or in objects."""
    if staged_inside(keys) is not None:
        return True
    objects = [key for key in keys if special(key, "__lt__") is not None]
    return dismantled(objects, lambda part: staging_backend(part) is not None) is not None


def _exchange(pairs: list[Any], position: int, sign: str) -> None:
    """Put two neighbours into order."""
    left, right = Local("an item", pairs[position - 1]), Local("an item", pairs[position])

    def exchange() -> None:
        left.value, right.value = pairs[position], pairs[position - 1]

    test = order(right.value[0], sign, left.value[0])
    if_stmt(test, exchange, None, (left, right), ())()
    pairs[position - 1 : position + 1] = left.value, right.value


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
