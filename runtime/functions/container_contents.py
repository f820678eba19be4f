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


def contents_held(made: Any) -> Any:
    """Return the identities of the items of a list or dict of a trace.

    EffectError for a list that may have changed as another one.
    """
    if staging.is_traced_deque(made):
        made = made.items
    if isinstance(made, OrderedDict):
        return None, tuple(made), tuple(made.values())
    if isinstance(made, TracedList):
        check_usable(made)
        contents = contents_of(made)
        return None if contents.prefix is None else contents.prefix.handle, contents.items
    held = map_contents(made)
    if held.backend is not None:
        return held.keys.prefix, (held,), ()
    return None, held.keys.items, held.values.items


def items_of(made: Any) -> Any:
    """Return what stands for a container of the caller's; of a deque, the list of its items."""
    return made.items if staging.is_traced_deque(made) else made


def is_same(one: Any, other: Any) -> bool:
    """Return whether contents are the same objects in the same order."""
    (handle, *parts), (other_handle, *others) = one, other
    return handle is other_handle and all(
        len(mine) == len(its) and all(map(operator.is_, mine, its))
        for mine, its in zip(parts, others, strict=True)
    )


def are_distinct(values: Iterable[Any]) -> bool:
    """Return whether no list or dict is in values twice."""
    ids = [id(one) for value in values for one in _nested(value)]
    return len(set(ids)) == len(ids)


def _nested(value: Any) -> Iterator[Any]:
    """Return the lists and dicts in a value, itself among them."""
    if isinstance(value, list | dict | set | deque):
        yield value
    if isinstance(value, list | tuple | dict | deque):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _nested(item)
