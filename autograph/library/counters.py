"""Methods of counters in plain Python, for counters whose keys only the run knows."""

from __future__ import annotations

from collections import Counter
from typing import Any


def add(left: Any, right: Any, /) -> Any:
    """``left + right``."""
    if not isinstance(right, Counter):
        return NotImplemented
    total: Any = Counter()
    for key, number in left.items():
        number = number + right.get(key, 0)
        if number > 0:
            total[key] = number
    for key, number in right.items():
        if key not in left and number > 0:
            total[key] = number
    return total


def subtract(left: Any, right: Any, /) -> Any:
    """``left - right``."""
    if not isinstance(right, Counter):
        return NotImplemented
    difference: Any = Counter()
    for key, number in left.items():
        number = number - right.get(key, 0)
        if number > 0:
            difference[key] = number
    for key, number in right.items():
        if key not in left and number < 0:
            difference[key] = -number
    return difference


def union(left: Any, right: Any, /) -> Any:
    """``left | right``."""
    if not isinstance(right, Counter):
        return NotImplemented
    greatest: Any = Counter()
    for key, number in left.items():
        counterpart = right.get(key, 0)
        number = number if number > counterpart else counterpart
        if number > 0:
            greatest[key] = number
    for key, number in right.items():
        if key not in left and number > 0:
            greatest[key] = number
    return greatest


def intersection(left: Any, right: Any, /) -> Any:
    """``left & right``."""
    if not isinstance(right, Counter):
        return NotImplemented
    least: Any = Counter()
    for key, number in left.items():
        counterpart = right.get(key, 0)
        number = number if number < counterpart else counterpart
        if number > 0:
            least[key] = number
    return least


def update(counts: Any, source: Any, /) -> None:
    """``counts.update(source)``."""
    if isinstance(source, dict):
        for key, number in source.items():
            counts[key] = counts[key] + number
    else:
        for key in source:
            counts[key] = counts[key] + 1


def take(counts: Any, source: Any, /) -> None:
    """``counts.subtract(source)``."""
    if isinstance(source, dict):
        for key, number in source.items():
            counts[key] = counts[key] - number
    else:
        for key in source:
            counts[key] = counts[key] - 1


def equal(left: Any, right: Any, /) -> Any:
    """``left == right``: an item that is missing is one that is counted 0 times."""
    are_equal = True
    for key, number in left.items():
        if number != right.get(key, 0):
            are_equal = False
            break
    for key, number in right.items():
        if number != 0 and key not in left:
            are_equal = False
            break
    return are_equal


def is_within(left: Any, right: Any, /) -> Any:
    """``left <= right``."""
    if not isinstance(right, Counter):
        return NotImplemented
    is_less = True
    for key, number in left.items():
        if number > right.get(key, 0):
            is_less = False
            break
    for key, number in right.items():
        if number < 0 and key not in left:
            is_less = False
            break
    return is_less


def contains(left: Any, right: Any, /) -> Any:
    """``left >= right``."""
    return is_within(right, left) if isinstance(right, Counter) else NotImplemented


def is_strictly_within(left: Any, right: Any, /) -> Any:
    """``left < right``."""
    if not isinstance(right, Counter):
        return NotImplemented
    return is_within(left, right) and not is_within(right, left)


def strictly_contains(left: Any, right: Any, /) -> Any:
    """``left > right``."""
    return is_strictly_within(right, left) if isinstance(right, Counter) else NotImplemented


def positive(counts: Any, /) -> Any:
    """``+counts``."""
    counter: Any = Counter()
    for key, number in counts.items():
        if number > 0:
            counter[key] = number
    return counter


def negative(counts: Any, /) -> Any:
    """``-counts``."""
    counter: Any = Counter()
    for key, number in counts.items():
        if number < 0:
            counter[key] = -number
    return counter


def elements(counts: Any, /) -> list[Any]:
    """``counts.elements()``, as a list."""
    items: list[Any] = []
    for key, number in counts.items():
        for _ in range(number):
            items.append(key)
    return items
