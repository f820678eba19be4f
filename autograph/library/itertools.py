"""Iterators of ``itertools`` as generator functions, which converted code can stage."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any


def accumulate(
    iterable: Iterable[Any], func: Callable[[Any, Any], Any] | None = None, *, initial: Any = None
) -> Iterator[Any]:
    """``itertools.accumulate``."""
    combine = operator.add if func is None else func
    if initial is not None:
        total = initial
        yield total
        for item in iterable:
            total = combine(total, item)
            yield total
    else:
        begun = False
        for item in iterable:
            # without a first value, which an item need not have a common type with
            total = combine(total, item) if begun else item
            begun = True
            yield total


def pairwise(iterable: Iterable[Any], /) -> Iterator[Any]:
    """``itertools.pairwise``."""
    before: Any
    begun = False
    for item in iterable:
        if begun:
            yield before, item  # noqa: F821
        before = item
        begun = True


def from_iterable(iterable: Iterable[Any], /) -> Iterator[Any]:
    """``itertools.chain.from_iterable``."""
    for items in iterable:
        yield from items


def compress(data: Iterable[Any], selectors: Iterable[Any]) -> Iterator[Any]:
    """``itertools.compress``."""
    for item, selected in zip(data, selectors):
        if selected:
            yield item


def takewhile(predicate: Callable[[Any], Any], iterable: Iterable[Any], /) -> Iterator[Any]:
    """``itertools.takewhile``."""
    for item in iterable:
        if predicate(item):
            yield item
        else:
            break


def dropwhile(predicate: Callable[[Any], Any], iterable: Iterable[Any], /) -> Iterator[Any]:
    """``itertools.dropwhile``."""
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def filterfalse(predicate: Any, iterable: Iterable[Any], /) -> Iterator[Any]:
    """``itertools.filterfalse``."""
    test = bool if predicate is None else predicate
    for item in iterable:
        if not test(item):
            yield item


def groupby(iterable: Iterable[Any], key: Callable[[Any], Any] | None = None) -> Iterator[Any]:
    """``itertools.groupby``: each group is complete when it is handed out."""
    current: Any
    group: list[Any]
    begun = False
    for item in iterable:
        mark = item if key is None else key(item)
        if begun and mark == current:  # noqa: F821
            group.append(item)  # noqa: F821
        else:
            if begun:
                yield current, iter(group)  # noqa: F821
            current = mark
            group = [item]
            begun = True
    if begun:
        yield current, iter(group)


def islice(iterable: Iterable[Any], start: Any, stop: Any, step: Any) -> Iterator[Any]:
    """``itertools.islice`` from a start."""
    number = 0
    if stop is None or stop > 0:
        for item in iterable:
            if number >= start and (number - start) % step == 0:
                yield item
            number += 1
            if stop is not None and number >= stop:
                break


def count(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """``itertools.count``."""
    number = start
    while True:
        yield number
        number += step


def cycle(iterable: Iterable[Any], /) -> Iterator[Any]:
    """``itertools.cycle``."""
    items = list(iterable)
    if items:
        while True:
            yield from items


def repeat(value: Any, times: Any) -> Iterator[Any]:
    """``itertools.repeat`` with a number of times."""
    for _ in range(times):
        yield value


def product(*iterables: Any, repeat: int = 1) -> Iterator[Any]:
    """``itertools.product``."""
    return product_of([list(iterable) for iterable in iterables] * repeat)


def product_of(pools: list[Any]) -> Iterator[Any]:
    """Yield each choice of one item from every list."""
    if not pools:
        yield ()
    else:
        for item in pools[0]:
            for further in product_of(pools[1:]):
                yield item, *further


def combinations(iterable: Iterable[Any], r: int) -> Iterator[Any]:
    """``itertools.combinations``."""
    return rising_choices(list(iterable), 0, r, 1)


def combinations_with_replacement(iterable: Iterable[Any], r: int) -> Iterator[Any]:
    """``itertools.combinations_with_replacement``."""
    return rising_choices(list(iterable), 0, r, 0)


def rising_choices(items: list[Any], start: Any, size: int, gap: int) -> Iterator[Any]:
    """Yield ``size`` items from an index on; each index is at least ``gap`` more than the last."""
    if size == 0:
        yield ()
    else:
        for place in range(start, len(items)):
            for further in rising_choices(items, place + gap, size - 1, gap):
                yield items[place], *further


def permutations(iterable: Iterable[Any], r: int) -> Iterator[Any]:
    """``itertools.permutations`` of a number of items."""
    return arrangements(list(iterable), r, ())


def arrangements(items: list[Any], size: int, places: tuple[Any, ...]) -> Iterator[Any]:
    """Yield ``size`` items of different indexes, none of them among those ``places``."""
    if size == 0:
        yield ()
    else:
        for place in range(len(items)):
            if place not in places:
                for further in arrangements(items, size - 1, (*places, place)):
                    yield items[place], *further


def zip_longest(*iterables: Any, fillvalue: Any = None) -> Iterator[Any]:
    """``itertools.zip_longest``."""
    lists = [list(iterable) for iterable in iterables]
    for place in range(max([len(items) for items in lists])):
        yield tuple([items[place] if place < len(items) else fillvalue for items in lists])
