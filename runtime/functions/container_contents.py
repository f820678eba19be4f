"""Contents of the lists, dicts, sets and deques that stand for arguments of a call in a trace.

number_results.py compares what they hold before and after the Python function ran.
"""

from __future__ import annotations

import operator
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from typing import Any

from autograph import staging
from autograph.staging import TracedList, check_usable, contents_of, map_contents


def contents_held(proxy: Any) -> Any:
    """Return the identities of the items of a list or dict of a trace.

    EffectError for a list that may have changed as another one.
    """
    if staging.is_traced_deque(proxy):
        proxy = proxy.items
    if isinstance(proxy, OrderedDict):
        return None, tuple(proxy), tuple(proxy.values())
    if isinstance(proxy, TracedList):
        check_usable(proxy)
        contents = contents_of(proxy)
        return None if contents.prefix is None else contents.prefix.handle, contents.items
    pairs = map_contents(proxy)
    if pairs.backend is not None:
        return pairs.keys.prefix, (pairs,), ()
    return None, pairs.keys.items, pairs.values.items


def items_of(proxy: Any) -> Any:
    """Return what stands for a container of the caller's; of a deque, the list of its items."""
    return proxy.items if staging.is_traced_deque(proxy) else proxy


def is_same(before: Any, after: Any) -> bool:
    """Return whether contents are the same objects in the same order."""
    (handle, *columns), (other_handle, *other_columns) = before, after
    return handle is other_handle and all(
        len(mine) == len(its) and all(map(operator.is_, mine, its))
        for mine, its in zip(columns, other_columns, strict=True)
    )


def are_distinct(values: Iterable[Any]) -> bool:
    """Return whether no list or dict is in values twice."""
    ids = [id(container) for value in values for container in _nested(value)]
    return len(set(ids)) == len(ids)


def _nested(value: Any) -> Iterator[Any]:
    """Return the lists and dicts in a value, itself among them."""
    if isinstance(value, list | dict | set | deque):
        yield value
    if isinstance(value, list | tuple | dict | deque):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _nested(item)
