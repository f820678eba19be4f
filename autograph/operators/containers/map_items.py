"""Items of Python's own dicts at staged keys, and the choice of one of several items.

    units[name]          =>  ag__.getitem(units, name)

Used by ``slices``.  A subclass of dict is asked by its ``__missing__``.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import JoinError
from autograph.operators.containers import map_keys, map_ops
from autograph.operators.containers.base_views import base_view, overrides
from autograph.operators.containers.homes import note_home
from autograph.operators.containers.known_keys import NewKeyError, equal_key, has_key, position_of
from autograph.operators.control.conditionals import if_exp, staged_if
from autograph.operators.joins.array_nodes import held_class, is_array_class
from autograph.operators.joins.join_errors import EXPRESSION, ITEM, reason_of
from autograph.operators.state.carrying import can_carry
from autograph.operators.state.special_methods import special
from autograph.staging.access import TracedContainer
from autograph.staging.aliases import link_chosen
from autograph.staging.copies import chosen
from autograph.staging.protocol import Backend
from autograph.staging.registry import owning_backend, staging_backend
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import TracedCounter, TracedDict, TracedMap
from autograph.staging.staged_string import StagedText


def item_of_map(holder: Any, key: Any) -> Any:
    """``dict.__getitem__(holder, key)``; NotImplemented for a key of Python's own."""
    missing = hasattr(holder, "__missing__")
    if missing or kind_of(key) is tuple or type(key) is StagedText:
        backend = map_keys.key_backend(key) if map_keys.is_key(key) else None
        if backend is not None:
            if isinstance(holder, TracedMap):
                map_ops.give(holder, backend)
                return holder[key]  # type: ignore[index]
            on_missing = special(holder, "__missing__")
            if on_missing is None and kind_of(holder) is defaultdict and can_carry(holder):
                raise map_keys.change_of(holder)
            is_counter = isinstance(holder, Counter) and on_missing is None
            copy: Any = TracedCounter(holder) if is_counter else TracedDict(base_view(holder))
            map_ops.give(copy, backend)
            if on_missing is not None:
                return map_ops.value_or(copy, key, functools.partial(on_missing, key))
            if getattr(holder, "default_factory", None) is not None:
                return map_ops.value_or(copy, key, map_ops.raising(NewKeyError.of(key)))
            return copy[key]
    return NotImplemented if owning_backend(key) is None else _of_dict(holder, key)


def choose(backend: Backend, items: Sequence[Any], position: Any, container: str) -> Any:
    """Return the item at a staged position in a list of items."""
    try:
        keeps_identity = are_chosen(items, backend) or _are_mixed_containers(items)
        chosen_item = _half(backend, items, position, keeps_identity)
        copy = chosen_item if any(chosen_item is item for item in items) else chosen(chosen_item)
        link_chosen(copy, items)
        note_home(copy, backend, items, position)
        return copy
    except JoinError as error:
        raise JoinError(
            f"the items of {container}, indexed by a staged value, cannot be one value: "
            f"{reason_of(error)}",
            where=user_line(),
            help="give all items one dtype and structure, or choose with 'if' and 'elif'",
        ) from None


FEW_ARRAYS = 4
"""Arrays of which one is chosen by conditions: of more, staged code gathers a copy."""


def are_chosen(items: Sequence[Any], backend: Backend) -> bool:
    """Whether items are arrays, of which the one at a staged position can be changed in place."""
    kinds = [held_class(item, backend) for item in items[: FEW_ARRAYS + 1]]
    return 0 < len(kinds) <= FEW_ARRAYS and all(map(is_array_class, kinds))


def _are_mixed_containers(items: Sequence[Any]) -> bool:
    """Whether a list, dict or set is among items of other classes, so that no copy stands for all.

    A copy of one of several lists knows which of them to change with it (``note_home``).
    """
    return len(set(map(kind_of, items))) > 1 and any(map(_holds_container, items))


def _holds_container(value: Any) -> bool:
    if kind_of(value) is tuple:
        return any(map(_holds_container, value))
    return isinstance(value, (TracedContainer, list, dict, set))


def _half(backend: Backend, items: Sequence[Any], position: Any, keeps_identity: bool) -> Any:
    if len(items) < 2:
        return items[0] if items else None  # without items, ``position`` raises
    middle = len(items) // 2
    return staged_if(
        backend,
        position < middle,
        lambda: _half(backend, items[:middle], position, keeps_identity),
        lambda: _half(backend, items[middle:], position - middle, keeps_identity),
        # a list is copied, and knows its home; an array is one of several storages, which are older
        owners=(tuple(items),) if keeps_identity else (),
        result=EXPRESSION if keeps_identity else ITEM,
    )


def _of_dict(holder: dict[Any, Any], key: Any) -> Any:
    """``holder[key]`` for a tensor, which has no hash: return the item of the key that is equal."""
    backend = staging_backend(key)
    if backend is None:
        return _of_equal_key(holder, key)
    on_missing, plain = special(holder, "__missing__"), base_view(holder)
    if on_missing is not None:
        return if_exp(
            has_key(backend, plain, key), lambda: _of_dict(plain, key),
            functools.partial(on_missing, key),
        )()
    copy = map_ops.searched_copy(plain, key)
    if copy is not None:
        return copy[key]  # type: ignore[index]
    makes = hasattr(holder, "__missing__") and getattr(holder, "default_factory", key) is not None
    missing = NewKeyError.of(key) if makes else KeyError(key)
    position = position_of(backend, plain, key, missing)
    return choose(backend, list(plain.values()), position, "a dict")


def _of_equal_key(holder: dict[Any, Any], key: Any) -> Any:
    try:
        equal = equal_key(holder, key)
    except KeyError:
        if not overrides(holder, "__missing__"):
            raise
        return holder.__missing__(key)  # type: ignore[attr-defined]
    return holder[equal]
