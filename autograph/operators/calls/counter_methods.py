"""Arithmetic of staged ``Counter``s, and of those that meet one.

    left + right         =>  left + right

Installed by ``map_constructors``; as Python's, they keep positive counts only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from autograph.operators.calls.dict_methods import get
from autograph.operators.containers import map_ops
from autograph.operators.containers.map_views import view
from autograph.operators.containers.sequences import range_
from autograph.operators.containers.slices import getitem
from autograph.operators.control.conditionals import if_exp, if_stmt
from autograph.operators.iteration.comparisons import in_
from autograph.operators.iteration.loops import for_stmt
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import TracedList
from autograph.staging.staged_map import StagedMap, TracedCounter, hold_map, map_contents

Combine = Callable[[Any, Any], Any]


def _pairs(counter: Any) -> Any:
    return view(counter, "dict_items") if isinstance(counter, StagedMap) else [*counter.items()]


def _count_of(counter: Any, key: Any) -> Any:
    """Return the count of an item; 0 where there is none."""
    if isinstance(counter, StagedMap):
        return get(counter, key, 0)
    return if_exp(in_(key, counter), lambda: getitem(counter, key), lambda: 0)()


def _combined(combine: Combine, both: bool) -> Callable[[Any, Any], Any]:
    """An operator: only positive counts stay; with ``both``, also those of the right alone."""

    def operator(left: Any, right: Any) -> Any:
        if not isinstance(right, Counter):
            return NotImplemented
        made = TracedCounter()

        def put(key: Any, number: Any) -> None:
            if_stmt(number > 0, lambda: map_ops.set_at(made, key, number), None, (), (made,))()

        def of_left(pair: Any) -> None:
            put(pair[0], combine(pair[1], _count_of(right, pair[0])))

        def of_right(pair: Any) -> None:
            new = lambda: put(pair[0], combine(0, pair[1]))
            if_stmt(in_(pair[0], left), lambda: None, new, (), (made, put))()

        for_stmt(_pairs(left), of_left, (), (made,))
        if both:
            for_stmt(_pairs(right), of_right, (), (made,))
        return made

    return operator


def _in_place(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def change(holder: Any, other: Any) -> Any:
        found = operator(holder, other)
        if found is not NotImplemented:
            hold_map(holder, map_contents(found))
            return holder
        return found

    return change


def _greater(one: Any, other: Any) -> Any:
    return if_exp(one > other, lambda: one, lambda: other)()


def _smaller(one: Any, other: Any) -> Any:
    return if_exp(one < other, lambda: one, lambda: other)()


def elements(holder: Any) -> Any:
    """``holder.elements()``, as a list."""
    backend = tracing_backend()
    made = TracedList()

    def several(pair: Any) -> None:
        counter = range_(backend, pair[1]) if backend is not None else range(pair[1])
        for_stmt(counter, lambda _: made.append(pair[0]), (), (made,))

    for_stmt(_pairs(holder), several, (), (made,))
    return made


_OPERATORS = {
    "add": _combined(lambda one, other: one + other, True),
    "sub": _combined(lambda one, other: one - other, True),
    "or": _combined(_greater, True),
    "and": _combined(_smaller, False),
}
ARITHMETIC: dict[str, Any] = {
    **{f"__{name}__": operator for name, operator in _OPERATORS.items()},
    **{f"__i{name}__": _in_place(operator) for name, operator in _OPERATORS.items()},
}
"""The operators of counters that converted code makes."""
