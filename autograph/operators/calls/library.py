"""``heapq``, ``bisect`` and ``deque`` where a backend records: those of ``autograph.library``.

    heappush(heap, x)    =>  ag__.call(heappush)(heap, x)

The versions in C would read the storage that Python has for a staged list, and compare staged
values on the spot.
"""

from __future__ import annotations

import bisect
import collections
import functools
import heapq
import operator
from collections.abc import Callable
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.library import bisect as plain_bisect
from autograph.library import collections as plain_collections
from autograph.library import equality
from autograph.library import heapq as plain_heapq
from autograph.operators.iteration.comparisons import order, same_or_equal, staged_inside
from autograph.operators.iteration.iterables import is_staged
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import StagedList


def _where_staged(in_c: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return what calls the plain version where a backend records and an argument is staged."""

    @functools.wraps(in_c, assigned=("__name__", "__qualname__", "__doc__"), updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        if tracing_backend() is None or not _meets_staged((*args, *kwargs.values())):
            return in_c(*args, **kwargs)
        return converted(plain)(*args, **kwargs)

    return call


def _meets_staged(values: tuple[Any, ...]) -> bool:
    """Whether a value is staged, or a list or tuple with a staged value in it."""
    if any(isinstance(value, StagedList) or is_staged(value) for value in values):
        return True
    return staged_inside(values) is not None


def deque(*args: Any, **kwargs: Any) -> Any:
    """``collections.deque``: one of a list that can become staged, where a backend records."""
    if tracing_backend() is None:
        return collections.deque(*args, **kwargs)
    return converted(plain_collections.deque)(*args, **kwargs)


def _ordering(sign: str) -> Callable[..., Any]:
    """Return what compares tuples and lists of staged values, too."""
    return lambda left, right, /: order(left, sign, right)


_PUBLIC = frozenset((*heapq.__all__, *(name for name in vars(bisect) if name[0] != "_")))

STAND_INS: dict[Any, Callable[..., Any]] = {
    collections.deque: deque, equality.same_or_equal: same_or_equal,
}  # fmt: skip
STAND_INS.update(
    (getattr(module, name), _where_staged(getattr(module, name), getattr(plain, name)))
    for module, plain in ((heapq, plain_heapq), (bisect, plain_bisect))
    for name in _PUBLIC & vars(plain).keys()
)
STAND_INS.update(
    (getattr(operator, name), functools.wraps(getattr(operator, name))(_ordering(sign)))
    for name, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
)
