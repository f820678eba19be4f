"""Aliases: which lists, dicts and sets may be one object, as far as staging joins their contents.

    if n > 0: t = x = [n]    ``x`` and ``t`` are joined one by one, and linked here; ``access`` says
    else: t, x = [1], [2]    what follows when one of them changes

A variable that is one of several older ones is a ``StagedReference`` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.staging.access import TracedContainer, access_of, at, restricted, stored_items
from autograph.staging.staged_collection import kind_of
from autograph.syntax.thread_setting import ThreadSetting

given_containers: ThreadSetting[list[Any]] = ThreadSetting([])
"""What stands for the lists, dicts and sets among the arguments of the call that is traced: other
calls of the trace may pass one object as two of them."""

def may_be_same(first: Any, second: Any) -> bool:
    """Whether two lists, dicts or sets stand for arguments, which may be one object."""
    proxies = [*map(id, given_containers.value)]
    return id(first) in proxies and id(second) in proxies and kind_of(first) is kind_of(second)


def sources_of(holder: Any, is_older: Callable[[Any], bool]) -> list[Any]:
    """Return the older lists among those that a list was joined of: itself, if it is one."""
    if is_older(holder):
        return [holder]
    older, seen = [], {id(holder)}
    waiting = [*getattr(access_of(holder), "sources", ())]
    for source in waiting:
        if id(source) in seen:
            continue
        seen.add(id(source))
        if is_older(source):
            older.append(source)
        else:
            waiting += getattr(access_of(source), "sources", ())
    return older


def link_sources(joined: Any, sources: Iterable[Any]) -> None:
    """Record that a list that was joined just now may be one of these."""
    sources = list(sources)
    if sources or access_of(joined) is not None:
        restricted(joined).sources = sources
    for source in sources:
        if isinstance(source, TracedContainer):
            restricted(source).others.append(joined)


def link_chosen(copy: Any, items: Iterable[Any]) -> None:
    """Record that what was chosen from several items is a copy of one of them."""
    items = list(items)
    if any(copy is item for item in items):
        return
    if isinstance(copy, TracedContainer):
        link_sources(copy, items)
    for key, inner in stored_items(copy):
        link_chosen(inner, [at(item, (key,)) for item in items])


def _is_traced_list(value: Any) -> bool:
    return isinstance(value, TracedContainer) and isinstance(value, list)


def link_aliases(first: Any, second: Any) -> None:
    """Record that two parts of an outcome, one list on some path, may be the same."""
    if first is not second and _is_traced_list(first) and _is_traced_list(second):
        restricted(first).others.append(second)
        restricted(second).others.append(first)
