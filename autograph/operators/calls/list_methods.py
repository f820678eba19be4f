"""Methods of staged lists that are written as loops over the items (``index``, ``count`` ...).

    l.index(x)           =>  ag__.call(l.index)(x)

They are installed in ``StagedList`` beside those of ``list_ops``, on which they build.
"""

from __future__ import annotations

import functools
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.containers import list_ops
from autograph.operators.containers.sequences import range_
from autograph.operators.control.conditionals import if_exp, if_stmt
from autograph.operators.control.logical import and_, not_
from autograph.operators.control.raises import raise_stmt
from autograph.operators.iteration import sorting
from autograph.operators.iteration.comparisons import eq, order, same_or_equal
from autograph.operators.iteration.iterables import gathered
from autograph.operators.iteration.loops import for_stmt, opened
from autograph.operators.iteration.spreads import is_unsized
from autograph.operators.state.closure_cells import Local
from autograph.operators.state.sentinels import BREAK
from autograph.staging.copies import note_sharing
from autograph.staging.registry import (
    python_type,
    staging_backend,
    tracing_backend,
)
from autograph.staging.staged_list import StagedList, TracedList, contents_of, hold, kind_of
from autograph.staging.staged_list import length as length_of_list
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_tuple import as_list, as_tuple


def repeated(items: Any, count: Any) -> Any:
    """``items * count`` of a list or tuple, for a staged integer; or of a staged list."""
    backend = staging_backend(count) or getattr(items, "backend", None)
    number = _repetitions(count, backend)
    if number is None or backend is None:
        return NotImplemented
    if kind_of(items) is tuple:
        return as_tuple(repeated(as_list(items), number))
    made = TracedList()
    _note_shared_items(items)
    for_stmt(range_(backend, number), lambda _: made.extend(items), (), (made,))
    return made


def _repetitions(count: Any, backend: Any) -> Any:
    """Return a number of repetitions as a Python int, staged or not; None for another value."""
    if type(count) in (int, bool):
        return int(count)
    if backend is None:
        return None
    try:
        number = backend.number(backend.read(count), integer=False)
    except TypeError:
        return None
    return number if python_type(number) is int else None


def repeat(items: Any, count: Any) -> Any:
    """``items *= count`` of a list."""
    made = items * count
    if isinstance(made, list):
        hold(items, contents_of(made))
        return items
    return made


def _note_shared_items(items: Any) -> None:
    """Note that all repetitions have the same inner lists: to change one of them is an error."""
    contents = contents_of(items)
    inside = (*contents.items, *(() if contents.prefix is None else contents.prefix.examples))
    if any(kind_of(item) is dict for item in inside):
        raise EffectError(
            "a list with dicts in it is repeated a staged number of times: all repetitions would "
            "have the same dicts",
            where=user_line(),
            help="make a dict for each: [{} for _ in range(n)]",
        )
    if any(kind_of(item) is list for item in inside):
        note_sharing()


def index(
    holder: Any, value: Any, start: Any = 0, stop: Any = None, message: Any = None, /
) -> Any:
    """``holder.index(value, start, stop)``; ``message`` is the error's where it is none."""
    whole = stop is None and type(start) is int and start == 0
    part = holder if whole else holder[start:stop]
    position, there = _find(part, value)

    def found() -> Any:
        return position if whole else position + _begin(start, length_of_list(holder))

    def missing() -> Any:
        not_there = StagedText(((value, "r", ""), " is not in list"))
        raise raise_stmt(ValueError(not_there if message is None else message))

    return if_exp(there, found, missing)()


def _begin(start: Any, length: Any) -> Any:
    """Return where a slice with this start begins."""

    def from_the_end() -> Any:
        return if_exp(order(start + length, "<", 0), lambda: 0, lambda: start + length)()

    return if_exp(order(start, "<", 0), from_the_end, lambda: start)()


def _find(holder: Any, value: Any) -> tuple[Any, Any]:
    """Return the index of the first item that is equal to a value, and whether there is one."""
    position, there = Local("the index", 0), Local("whether it is there", False)

    def iteration(item: Any) -> Any:
        def hit() -> Any:
            there.value = True
            return BREAK

        def miss() -> None:
            position.value = position.value + 1

        return if_stmt(same_or_equal(item, value), hit, miss, (position, there), (iteration,))()

    for_stmt(holder, iteration, (position, there))
    return position.value, there.value


def count(holder: Any, value: Any, /) -> Any:
    """``holder.count(value)``."""
    total = Local("the count", 0)

    def iteration(item: Any) -> None:
        def more() -> None:
            total.value = total.value + 1

        if_stmt(same_or_equal(item, value), more, None, (total,), (iteration,))()

    for_stmt(holder, iteration, (total,))
    return total.value


def remove(holder: Any, value: Any, /) -> None:
    """``holder.remove(value)``."""
    position, there = _find(holder, value)

    def take() -> None:
        del holder[position]

    def missing() -> Any:
        raise raise_stmt(ValueError("list.remove(x): x not in list"))

    if_stmt(there, take, missing, (), (holder,))()


def reverse(holder: Any) -> None:
    """``holder.reverse()``."""
    hold(holder, contents_of(holder[::-1]))


def sort(holder: Any, /, *, key: Any = None, reverse: Any = False) -> None:
    """``holder.sort()``."""
    made = sorting.staged_sorted(holder.backend, holder, key=key, reverse=reverse)
    hold(holder, contents_of(made if isinstance(made, TracedList) else gathered(made)))


def equal(left: Any, right: Any) -> Any:
    """``left == right`` for two lists, at least one of them staged."""
    if left is right:
        return True
    if kind_of(left) is not kind_of(right):
        return False
    sizes = [length_of_list(one) if isinstance(one, StagedList) else len(one)
             for one in (left, right)]  # fmt: skip
    return and_(eq(*sizes), lambda: _equal_items(left, right, sizes[0]))


def _equal_items(left: Any, right: Any, size: Any) -> Any:
    backend = tracing_backend()
    assert backend is not None
    for one in (left, right):
        if not isinstance(one, StagedList) and not len(one):
            return True  # so is the other
    first, second = (_readable(one, backend) for one in (left, right))
    differs = Local("whether they differ", False)

    def iteration(number: Any) -> Any:
        def other() -> Any:
            differs.value = True
            return BREAK

        same = same_or_equal(list_ops.item_at(first, number), list_ops.item_at(second, number))
        return if_stmt(same, lambda: None, other, (differs,), (iteration,))()

    for_stmt(range_(backend, size), iteration, (differs,))
    return not_(differs.value)


def ordered(sign: str, left: Any, right: Any) -> Any:
    """``left < right``, or another sign, of two lists or tuples, at least one of them staged."""
    if kind_of(left) is not kind_of(right):
        return NotImplemented
    backend = tracing_backend()
    assert backend is not None
    first, second = (_readable(one, backend) for one in (left, right))
    sizes = length_of_list(first), length_of_list(second)
    position, differs = Local("the index", 0), Local("whether they differ", False)

    def iteration(number: Any) -> Any:
        def on() -> None:
            position.value = position.value + 1

        def other() -> Any:
            differs.value = True
            return BREAK

        same = same_or_equal(list_ops.item_at(first, number), list_ops.item_at(second, number))
        return if_stmt(same, on, other, (position, differs), (iteration,))()

    if first.prefix.item is not None and second.prefix.item is not None:
        both = range_(backend, backend.minimum(*sizes))
        for_stmt(both, iteration, (position, differs))

    def by_item() -> Any:
        place = position.value
        return order(list_ops.item_at(first, place), sign, list_ops.item_at(second, place))

    return if_exp(differs.value, by_item, lambda: order(sizes[0], sign, sizes[1]))()


def set_steps(holder: Any, key: slice, items: Any) -> None:
    """``holder[key] = items`` for a slice with a step; one of 1 takes any number of items."""
    if isinstance(key.step, int):
        _set_places(holder, key, items)
        return
    adjacent, owners = key.step == 1, (holder,)
    if_stmt(
        adjacent, lambda: list_ops.setitem(holder, slice(key.start, key.stop), items),
        lambda: _set_places(holder, key, items), (), owners,
    )()  # fmt: skip


def _set_places(holder: Any, key: slice, items: Any) -> None:
    """Set as many items as there are places in a slice; ValueError for another number."""
    backend = holder.backend
    new, places = _readable(as_list(items), backend), _places(holder, key)
    size, wanted = length_of_list(new), length_of_list(places)

    def other_size() -> Any:
        parts = "attempt to assign sequence of size ", " to extended slice of size "
        text: Any = StagedText((parts[0], (size, "r", ""), parts[1], (wanted, "r", "")))
        raise raise_stmt(ValueError(text))

    def put(number: Any) -> None:
        holder[list_ops.item_at(places, number)] = list_ops.item_at(new, number)

    if_stmt(size != wanted, other_size, None, (), ())()
    for_stmt(range_(backend, size), put, (), (holder,))


def del_steps(holder: Any, key: slice) -> None:
    """``del holder[key]`` for a slice with a step."""
    places = _places(holder, key)

    def take(number: Any) -> None:
        place = list_ops.item_at(places, number)
        del holder[if_exp(order(key.step, ">", 0), lambda: place - number, lambda: place)()]

    for_stmt(range_(holder.backend, length_of_list(places)), take, (), (holder,))


def _places(holder: Any, key: slice) -> Any:
    """Return a list of the indexes in a slice."""
    numbers: Any = TracedList()
    size = length_of_list(list_ops.as_staged_list(holder))
    for_stmt(range_(holder.backend, size), numbers.append, (), (numbers,))
    return _readable(numbers, holder.backend)[key]


def _readable(items: Any, backend: Any) -> Any:
    """Return a list that can be read at a staged index."""
    if isinstance(items, StagedList):
        return list_ops.as_staged_list(items)
    copy: Any = TracedList(items)
    list_ops.give(copy, backend)
    return copy


def join(separator: str, iterable: Any) -> Any:
    """``separator.join(iterable)`` of a staged number of texts."""
    text, begun = Local("the text", ""), Local("whether it has begun", False)

    def iteration(item: Any) -> None:
        def more() -> None:
            text.value = text.value + separator + item

        def first() -> None:
            text.value = text.value + item
            begun.value = True

        if_stmt(begun.value, more, first, (text, begun), (iteration,))()

    for_stmt(iterable, iteration, (text, begun))
    return text.value


def listed(iterable: Any) -> Any:
    """Return a list of the items of an iterable that Python cannot go through; others as they are.
    """
    if isinstance(iterable, list | tuple):
        return iterable
    iterable = opened(iterable)
    if not is_unsized(iterable):
        return iterable
    return gathered(iterable)


def _by_sign(left: Any, sign: str, right: Any) -> Any:
    return ordered(sign, left, right)


_METHODS = {
    "__imul__": repeat, "__mul__": repeated, "__rmul__": repeated,
    "count": count, "equal": staticmethod(equal),
    "index": index, "remove": remove, "reverse": reverse, "sort": sort,
    "listed": staticmethod(listed), "set_steps": set_steps, "del_steps": del_steps,
    "repeat": staticmethod(repeat), "times": staticmethod(repeated),
}  # fmt: skip

for _name, _method in _METHODS.items():
    setattr(StagedList, _name, _method)
for _name, _sign in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
    setattr(StagedList, _name, functools.partialmethod(_by_sign, _sign))
