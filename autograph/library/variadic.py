"""Functions of any number of arguments, as converted code calls them for a staged number of those.

They give what Python's own functions give, which are written in C.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


def range(*args: Any) -> Any:
    """``range(*args)``."""
    count = len(args)
    if count == 0:
        raise TypeError("range expected at least 1 argument, got 0")
    if count > 3:
        raise TypeError(f"range expected at most 3 arguments, got {count}")
    start = 0 if count == 1 else args[0]
    stop = args[0] if count == 1 else args[1]
    step = args[2] if count == 3 else 1
    return builtins.range(start, stop, step)


def map(function: Callable[..., Any], /, *iterables: Any) -> Any:
    """``map(function, *iterables)``."""
    if len(iterables) == 0:
        raise TypeError("map() must have at least two arguments.")
    return itertools.starmap(function, zip(*iterables))


def gcd(*integers: Any) -> Any:
    """``math.gcd(*integers)``."""
    return functools.reduce(math.gcd, integers, 0)


def lcm(*integers: Any) -> Any:
    """``math.lcm(*integers)``."""
    return functools.reduce(math.lcm, integers, 1)


def hypot(*coordinates: Any) -> Any:
    """``math.hypot(*coordinates)``, which rounds as ``math.dist`` does."""
    return math.dist(coordinates, [0.0] * len(coordinates))


def chain(*iterables: Any) -> Any:
    """``itertools.chain(*iterables)``."""
    return itertools.chain.from_iterable(iterables)


def product(*iterables: Any, repeat: int = 1) -> Iterator[Any]:
    """``itertools.product(*iterables)``."""
    pools = [list(iterable) for iterable in iterables]
    chosen: list[tuple[Any, ...]] = [()]
    for _ in builtins.range(repeat):
        for pool in pools:
            chosen = [(*before, item) for before in chosen for item in pool]
    return iter(chosen)


def zip_longest(*iterables: Any, fillvalue: Any = None) -> Iterator[Any]:
    """``itertools.zip_longest(*iterables)``."""
    lists = [list(iterable) for iterable in iterables]
    longest = max([len(items) for items in lists], default=0)
    return iter([
        tuple([items[place] if place < len(items) else fillvalue for items in lists])
        for place in builtins.range(longest)
    ])  # fmt: skip


def unbound(method: Callable[..., Any], name: str, *sets: Any) -> Any:
    """``set.union(*sets)``, or another method of sets that is not asked of an object."""
    if len(sets) == 0:
        raise TypeError(f"unbound method set.{name}() needs an argument")
    return method(*sets)


def union(items: Any, *iterables: Any) -> Any:
    """``items.union(*others)`` of sets."""
    result = items.union()
    for iterable in iterables:
        result = result.union(iterable)
    return result


def intersection(items: Any, *iterables: Any) -> Any:
    """``items.intersection(*others)`` of sets."""
    result = items.intersection()
    for iterable in iterables:
        result = result.intersection(iterable)
    return result


def difference(items: Any, *iterables: Any) -> Any:
    """``items.difference(*others)`` of sets."""
    result = items.difference()
    for iterable in iterables:
        result = result.difference(iterable)
    return result


def update(items: Any, *iterables: Any) -> None:
    """``items.update(*others)`` of sets."""
    for iterable in iterables:
        items.update(iterable)


# -- zip -------------------------------------------------------------------------------------------


def lists_of(rows: Iterable[Any]) -> list[Any]:
    """Return each of several iterables as a list."""
    return [list(row) for row in rows]


def shortest(rows: Sequence[Any]) -> Any:
    """Return how many items the shortest of several sequences has; 0 without sequences."""
    return min([len(row) for row in rows], default=0)


def column(rows: Sequence[Any], place: Any) -> tuple[Any, ...]:
    """Return the items at one place of several sequences."""
    return tuple([row[place] for row in rows])


def check_lengths(rows: Sequence[Any]) -> None:
    """Raise what ``zip(*rows, strict=True)`` raises for sequences of different lengths."""
    least = shortest(rows)
    for number, row in enumerate(rows, 1):
        if (len(row) > least) if len(rows[0]) == least else (len(row) == least):
            word = "longer" if len(row) > least else "shorter"
            before = "argument 1" if number == 2 else f"arguments 1-{number - 1}"
            raise ValueError(f"zip() argument {number} is {word} than {before}")
