"""Methods of staged lists, most of them those of ``autograph.library.lists``, converted.

    l.index(x)           =>  ag__.call(l.index)(x)

They are installed in ``StagedList`` beside those of ``list_ops``, on which they build.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.conversion.convert_hook import from_library
from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.library import lists
from autograph.operators.containers import list_ops
from autograph.operators.containers.sequences import range_
from autograph.operators.control.logical import and_
from autograph.operators.iteration import sorting
from autograph.operators.iteration.comparisons import ORDERS, eq
from autograph.operators.iteration.iterables import gather
from autograph.operators.iteration.loops import open_iterable
from autograph.operators.iteration.spreads import is_unsized
from autograph.staging.copies import note_sharing
from autograph.staging.registry import (
    python_type,
    staging_backend,
    tracing_backend,
)
from autograph.staging.staged_list import StagedList, TracedList, contents_of, hold, kind_of
from autograph.staging.staged_list import length as length_of_list
from autograph.staging.staged_tuple import as_list, as_tuple

count, remove, join = map(from_library, (lists.count, lists.remove, lists.join))
_index, _index_from = from_library(lists.index), from_library(lists.index_from)
_repeat, _order = from_library(lists.repeat), from_library(lists.order)
_have_equal_items = from_library(lists.have_equal_items)
_set_slice, _delete_slice = from_library(lists.set_slice), from_library(lists.delete_slice)


def repeated(items: Any, count: Any) -> Any:
    """``items * count`` of a list or tuple, for a staged integer; or of a staged list."""
    backend = staging_backend(count) or getattr(items, "backend", None)
    number = _repetitions(count, backend)
    if number is None or backend is None:
        return NotImplemented
    if kind_of(items) is tuple:
        return as_tuple(repeated(as_list(items), number))
    _note_shared_items(items)
    return _repeat(items, range_(backend, number))


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
    repetitions = items * count
    if isinstance(repetitions, list):
        hold(items, contents_of(repetitions))
        return items
    return repetitions


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
    """``holder.index(value, start, stop)``; ``message`` is the error's, if not the usual one."""
    if message is None and kind_of(holder) is tuple:
        message = "tuple.index(x): x not in tuple"
    if stop is None and type(start) is int and start == 0:
        return _index(holder, value, message)
    return _index_from(holder, value, start, stop, message)


def reverse(holder: Any) -> None:
    """``holder.reverse()``."""
    hold(holder, contents_of(holder[::-1]))


def sort(holder: Any, /, *, key: Any = None, reverse: Any = False) -> None:
    """``holder.sort()``."""
    in_order = sorting.staged_sorted(holder.backend, holder, key=key, reverse=reverse)
    hold(holder, contents_of(in_order if isinstance(in_order, TracedList) else gather(in_order)))


def equal(left: Any, right: Any) -> Any:
    """``left == right`` for two lists, at least one of them staged."""
    if left is right:
        return True
    if kind_of(left) is not kind_of(right):
        return False
    sizes = _length(left), _length(right)
    if _is_empty(left) or _is_empty(right):
        return eq(*sizes)
    return and_(eq(*sizes), lambda: _have_equal_items(*_both_readable(left, right)))


def compare_order(left: Any, compare: Callable[[Any, Any], Any], right: Any) -> Any:
    """``compare(left, right)`` of two lists or tuples, at least one of them staged."""
    if kind_of(left) is not kind_of(right):
        return NotImplemented
    if _is_empty(left) or _is_empty(right):
        return compare(_length(left), _length(right))
    return _order(*_both_readable(left, right), compare)


def _is_empty(items: Any) -> bool:
    """Whether nothing was ever put into a list, so that there is no layout of its items."""
    return not len(items) if not isinstance(items, StagedList) else (
        items.prefix.item is None and not list.__len__(items)
    )


def _length(items: Any) -> Any:
    return length_of_list(items) if isinstance(items, StagedList) else len(items)


def _both_readable(*lists: Any) -> list[Any]:
    backend = tracing_backend()
    assert backend is not None
    return [_readable(items, backend) for items in lists]


def set_steps(holder: Any, key: slice, items: Any) -> None:
    """``holder[key] = items`` for a slice with a step; one of 1 takes any number of items."""
    _set_slice(holder, key, _readable(as_list(items), holder.backend))


def _readable(items: Any, backend: Any) -> Any:
    """Return a list that can be read at a staged index."""
    if isinstance(items, StagedList):
        return list_ops.as_staged_list(items)
    copy: Any = TracedList(items)
    list_ops.give(copy, backend)
    return copy


def list_items(iterable: Any) -> Any:
    """Return a list of the items of an iterable that Python cannot go through; others as they are.
    """
    if isinstance(iterable, list | tuple):
        return iterable
    iterable = open_iterable(iterable)
    if not is_unsized(iterable):
        return iterable
    return gather(iterable)


_METHODS = {
    "__imul__": repeat, "__mul__": repeated, "__rmul__": repeated,
    "count": count, "equal": staticmethod(equal),
    "index": index, "remove": remove, "reverse": reverse, "sort": sort,
    "listed": staticmethod(list_items), "set_steps": set_steps, "del_steps": _delete_slice,
    "repeat": staticmethod(repeat), "times": staticmethod(repeated),
}  # fmt: skip

for _name, _method in _METHODS.items():
    setattr(StagedList, _name, _method)
for _sign, _compare in ORDERS.items():
    _method = functools.partialmethod(compare_order, _compare)
    setattr(StagedList, f"__{_compare.__name__}__", _method)
