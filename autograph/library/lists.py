"""Methods of lists in plain Python, for lists whose length only the run knows.

``operators.calls.list_methods`` calls them, converted, for staged lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import lt
from typing import Any

from autograph.library.equality import same_or_equal


def contains(items: Iterable[Any], value: Any, /) -> Any:
    """``value in items``."""
    is_there = False
    for item in items:
        if same_or_equal(item, value):
            is_there = True
            break
    return is_there


def count(items: Iterable[Any], value: Any, /) -> Any:
    """``items.count(value)``."""
    number = 0
    for item in items:
        if same_or_equal(item, value):
            number += 1
    return number


def index(items: Any, value: Any, message: str | None, /) -> Any:
    """``items.index(value)``; ``message`` is the error's where it is not that of lists."""
    place = 0
    for item in items:
        if same_or_equal(item, value):
            break
        place += 1
    if place == len(items):
        raise ValueError(f"{value!r} is not in list" if message is None else message)
    return place


def index_from(items: Any, value: Any, start: Any, stop: Any, message: str | None, /) -> Any:
    """``items.index(value, start, stop)``."""
    place = index(items[start:stop], value, message)
    if start < 0:
        start = max(start + len(items), 0)
    return start + place


def remove(
    items: list[Any], value: Any, message: str = "list.remove(x): x not in list", /
) -> None:
    """``items.remove(value)``."""
    del items[index(items, value, message)]


def repeat(items: Iterable[Any], turns: Iterable[int], /) -> list[Any]:
    """``items * len(turns)``."""
    repeated: list[Any] = []
    for _ in turns:
        repeated.extend(items)
    return repeated


def have_equal_items(left: Any, right: Any, /) -> Any:
    """Whether two lists of one length have the same or equal items."""
    are_equal = True
    for place, item in enumerate(left):
        if not same_or_equal(item, right[place]):
            are_equal = False
            break
    return are_equal


def order(left: Any, right: Any, compare: Callable[[Any, Any], Any], /) -> Any:
    """``left < right``, where ``compare`` is ``operator.lt``, and the like."""
    for item, counterpart in zip(left, right):
        if not same_or_equal(item, counterpart):
            return compare(item, counterpart)
    return compare(len(left), len(right))


def set_slice(items: list[Any], key: slice, values: Iterable[Any], /) -> None:
    """``items[key] = values`` for a slice with a step."""
    if key.step == 1:
        items[key.start : key.stop] = values
    else:
        places, values = places_in(items, key), list(values)
        size, count = len(values), len(places)
        if size != count:
            raise ValueError(
                f"attempt to assign sequence of size {size} to extended slice of size {count}"
            )
        for number, place in enumerate(places):
            items[place] = values[number]


def delete_slice(items: list[Any], key: slice, /) -> None:
    """``del items[key]`` for a slice with a step."""
    for number, place in enumerate(places_in(items, key)):
        del items[place - number if key.step > 0 else place]


def places_in(items: list[Any], key: slice, /) -> list[int]:
    """Return the indexes in a slice."""
    return [place for place in range(len(items))][key]  # noqa: C416  list() would give a view


def sort(
    items: Iterable[Any], measure: Callable[[Any], Any], compared: Callable[[Any], Any],
    reverse: Any, /,
) -> list[Any]:
    """``sorted(items, key=measure, reverse=reverse)`` by insertion.

    Marks are compared by what ``compared`` makes of them.
    """
    marks: list[Any] = []
    ordered: list[Any] = []
    for item in items:
        mark = measure(item)
        place = 0
        for before in marks:
            first, second = (before, mark) if reverse else (mark, before)
            if lt(compared(first), compared(second)):
                break
            place += 1
        marks.insert(place, mark)
        ordered.insert(place, item)
    return ordered


def sort_either_way(items: Any, key: Any, reverse: Any, /) -> Any:
    """``sorted(items, key=key, reverse=reverse)`` where only the run knows which way."""
    if reverse:
        items = sorted(items, key=key, reverse=True)
    else:
        items = sorted(items, key=key, reverse=False)
    return items


def join(separator: str, texts: Iterable[str], /) -> str:
    """``separator.join(texts)``."""
    text = ""
    has_begun = False
    for item in texts:
        if has_begun:
            text = text + separator + item
        else:
            text = text + item
            has_begun = True
    return text
