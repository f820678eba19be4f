"""``a[i]``, ``t[i] = v`` and ``t[i] += v`` where the index is staged or the value is immutable.

Reading a Python sequence at a staged index joins all its items; assigning an item there joins each
item with the new one.  A tensor has no item assignment: the backend makes a changed copy, and the
variable then refers to the copy.
"""

from __future__ import annotations

import builtins
import enum
import functools
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.library import in_place
from autograph.operators.containers import map_keys, map_ops
from autograph.operators.containers.base_views import base_view, overrides
from autograph.operators.containers.known_keys import NewKeyError, equal_key, position_of
from autograph.operators.containers.list_ops import is_part_of, item_to_change, set_slice, slice_of
from autograph.operators.containers.map_items import are_chosen, choose, item_of_map
from autograph.operators.containers.strings import percent_in_place
from autograph.operators.control.conditionals import staged_if
from autograph.operators.joins.join_errors import ITEM
from autograph.operators.state.carrying import can_carry
from autograph.operators.state.outside_arrays import check_array_item
from autograph.operators.state.outside_world import refuse_outside_world
from autograph.operators.state.unknown_effects import check_change
from autograph.staging.access import is_own, unguarded_class
from autograph.staging.aliases import link_sources
from autograph.staging.copies import forget_value, outdate_values
from autograph.staging.joined_number import JoinedNumber
from autograph.staging.protocol import Backend
from autograph.staging.registry import owning_backend, staging_backend, staging_backend_of
from autograph.staging.staged_list import StagedList, TracedList, kind_of
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_union import StagedUnion
from autograph.staging.unsupported import check_supported
from autograph.syntax.inline_cache import InlineCache

slice = builtins.slice

_PLAIN_KEYS = frozenset((int, str, bool, float, bytes, type(None), frozenset))
_BY_INDEX = frozenset((list, tuple, str, bytes, range, bytearray))
_INPLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd, "-=": in_place.isub, "*=": operator.imul, "/=": operator.itruediv,
    "//=": operator.ifloordiv, "%=": percent_in_place, "**=": operator.ipow, "@=": operator.imatmul,
    "&=": in_place.iand, "|=": in_place.ior, "^=": in_place.ixor, "<<=": operator.ilshift,
    ">>=": operator.irshift,
}  # fmt: skip
_SEQUENCES = {
    list.__getitem__: "list index out of range",
    tuple.__getitem__: "tuple index out of range",
    range.__getitem__: "range object index out of range",
    str.__getitem__: "string index out of range",
}
"""Python's own sequences, by their method: a class that has another knows by itself."""


def getitem(value: Any, key: Any) -> Any:
    """``value[key]``; staged where the key is, also for Python's sequences and dicts."""
    return value[key] if type(key) in _PLAIN_KEYS else _getitem(value, key)


def item_at_key(cache: InlineCache, value: Any, key: Any) -> Any:
    """As ``getitem``; the inline cache recognises the type of keys that Python takes."""
    if type(key) in _PLAIN_KEYS:
        cache.fill(type(key), None)
    return getitem(value, key)


def item_of(cache: InlineCache, value: Any, key: Any) -> Any:
    """As ``getitem``; the inline cache recognises the type of values that take any index."""
    if type(value) in _BY_INDEX:
        cache.fill(type(value), None)
    return getitem(value, key)


def _getitem(value: Any, key: Any) -> Any:
    if isinstance(value, (StagedList, StagedMap)) and not isinstance(key, StagedUnion):
        return value[key]  # type: ignore[index]
    if isinstance(value, StagedUnion):
        return value.ag__apply_to_each(lambda alternative: getitem(alternative, key))
    if overrides(value, "__getitem__"):
        return value[key]
    method = getattr(kind_of(value), "__getitem__", None)
    if method is dict.__getitem__ and (item := item_of_map(value, key)) is not NotImplemented:
        return item
    if type(key) is tuple:
        return _of_several(value, key)
    if isinstance(value, enum.EnumMeta) and map_keys.key_backend(key) is not None:
        return ENUMS[0](value, key)
    backend = _backend_of(key)
    if backend is not None and isinstance(value, list | tuple):
        value = base_view(value)
    if type(key) is slice and (method is list.__getitem__ or type(value) in (str, tuple)):
        return slice_of(value, key)
    if isinstance(key, JoinedNumber) and method in _SEQUENCES:
        kind_name = _SEQUENCES[method].partition(" ")[0]
        but = "not {kind!r}" if kind_name == "string" else "not {kind}"
        or_slices = "" if kind_name == "string" else " or slices"
        index = key.ag__index(f"{kind_name} indices must be integers{or_slices}, {but}")
        return getitem(value, index)
    if isinstance(key, StagedUnion) and method in _READABLE:
        return key.ag__apply_to_each(lambda chosen: getitem(value, chosen))
    if backend is None:
        return value[key]
    if method in _SEQUENCES:
        check_supported(operator.getitem, value, key)
    in_place = method in (list.__getitem__, tuple.__getitem__) and are_chosen(value, backend)
    item = NotImplemented if in_place else backend.item(value, key)
    if item is not NotImplemented:
        return item
    text = _SEQUENCES.get(method)  # type: ignore[arg-type]
    if text is None:
        return value[key]
    items, kind = list(value), kind_of(value).__name__
    return choose(backend, items, backend.position(key, len(items), text), f"a {kind}")


def _backend_of(key: Any) -> Backend | None:
    """The backend of a staged index, or of the first that is part of a slice, tuple or list."""
    if type(key) is slice:
        return staging_backend_of((key.start, key.stop, key.step))
    if type(key) is tuple or type(key) is TracedList:
        return next(filter(None, map(_backend_of, key)), None)
    return staging_backend(key)


def _of_several(value: Any, key: tuple[Any, ...]) -> Any:
    """``value[i, j]``: a tensor or array supports it, a dict cannot."""
    backend = _backend_of(key)
    if backend is None:
        return value[key]
    if isinstance(value, dict):
        raise ConcreteValueError(
            "a dict cannot be searched for a tuple with a staged value in it",
            where=user_line(),
            help="use a dict of dicts, or compute one number to be the key",
        )
    item = backend.item(value, key)
    return value[key] if item is NotImplemented else item


ENUMS: list[Callable[[Any, Any], Any]] = []
"""The member of an enumeration that has a staged name; filled by ``enums``."""

_READABLE = (*_SEQUENCES, dict.__getitem__)


def setitem(value: Any, holder: Any, key: Any) -> Any:
    """``holder[key] = value``; return the holder, or the changed copy of an immutable one."""
    kind, of = type(key), type(holder)
    if (kind is int or kind is str) and (of is list or of is dict):  # fast path of the common case
        holder[key] = value
        return holder
    if refuse_outside_world.value:
        check_change(holder)
    if isinstance(holder, StagedUnion):
        return holder.ag__apply_to_each(lambda chosen: setitem(value, chosen, key))
    backend = owning_backend(holder)
    if backend is not None:
        changed = backend.setitem(holder, key, value)
        if changed is not NotImplemented:
            return changed
    elif kind not in _PLAIN_KEYS:
        if isinstance(key, JoinedNumber) and isinstance(holder, list):
            key = key.ag__index("list indices must be integers or slices, not {kind}")
        elif isinstance(key, JoinedNumber):
            key.ag__apply_to_each(lambda alternative: _assign(value, holder, alternative))
            return holder
        if isinstance(key, StagedUnion):
            key = key.ag__operand()
        backend = owning_backend(key) or map_keys.key_backend(key)
        if backend is not None and _set_staged(backend, value, holder, key):
            return holder
    check_array_item(holder, value, backend)
    if kind is slice and (isinstance(holder, list) or _is_staged_for_c(value, holder)):
        set_slice(holder, key, value)
    else:
        holder[key] = value
    return holder


def _is_staged_for_c(value: Any, holder: Any) -> bool:
    """Whether a staged list is assigned in an object of a class that stores items in C."""
    method = getattr(type(holder), "__setitem__", None)
    return isinstance(value, StagedList) and isinstance(method, types.WrapperDescriptorType)


def _assign(value: Any, holder: Any, key: Any) -> None:
    setitem(value, holder, key)


def _set_staged(backend: Backend, value: Any, holder: Any, key: Any) -> bool:
    """Assign the item of a list or dict at a staged key; return False when Python can do it."""
    method = getattr(unguarded_class(holder), "__setitem__", None)
    staged = backend.is_staged(key)
    if method is dict.__setitem__:
        if map_ops.becomes_staged(holder, key):
            holder[key] = value
            return True
        if can_carry(holder):
            raise map_keys.change_of(holder)
        if not staged:
            holder[equal_key(holder, key)] = value
            return True
        position, keys = position_of(backend, holder, key, NewKeyError.of(key)), list(holder)
    elif method is list.__setitem__ and staged and is_own(holder):
        check_supported(operator.getitem, [], key)
        size = list.__len__(holder)
        position = backend.position(key, size, "list assignment index out of range")
        keys = list(range(size))
    else:
        return False
    for number, candidate in enumerate(keys):
        old = holder[candidate]
        item = staged_if(
            backend, position == number, lambda: value, just(old), owners=(), result=ITEM
        )
        holder[candidate] = item
        if kind_of(item) is list and item is not old and item is not value:
            link_sources(item, (old, value))
    return True


def just(value: Any) -> Callable[[], Any]:
    """Return a function that returns the value."""
    return lambda: value


def setitem_in(value: Any, outer: Any, access: Any, key: Any) -> Any:
    """``outer.slot[key] = value``; see ``_changed_in``."""
    return _changed_in(outer, access, lambda holder: setitem(value, holder, key))


def update_item(holder: Any, key: Any, sign: str, value: Any) -> Any:
    """``holder[key] += value``, for the operator of ``sign``; as ``setitem``.

    ``value`` is a constant, or a function that is called once the item was read.
    """
    kind, of = type(key), type(holder)
    if (kind is int or kind is str) and (of is list or of is dict):
        item = holder[key]
        holder[key] = _INPLACE[sign](item, value() if callable(value) else value)
        return holder
    item = getitem(holder, key)
    changed = _INPLACE[sign](item, value() if callable(value) else value)
    if changed is item and is_part_of(item, holder, key):
        return holder  # the part has changed, and the array or list with it
    return setitem(changed, holder, key)


def update_item_in(outer: Any, access: Any, key: Any, sign: str, value: Any) -> Any:
    """``outer.slot[key] += value``; see ``_changed_in``."""
    return _changed_in(outer, access, lambda holder: update_item(holder, key, sign, value))


def _changed_in(outer: Any, access: Any, change: Callable[[Any], Any]) -> Any:
    """Change the value in a slot of ``outer``; return what ``outer`` is then.

    The slot is an attribute ``'.name'``, an item ``(key,)``, None for ``outer`` itself, or the name
    of the variable that refers to it, which is no variable of the function.
    """
    if access is None or (isinstance(access, str) and access[0] != "."):
        if change(outer) is not outer:
            raise _not_ours(access)
        return outer
    if isinstance(access, str):
        holder = getattr(outer, access[1:])
        changed = change(holder)
        if changed is not holder:
            setattr(outer, access[1:], changed)
        return outer
    key = access[0]
    if hasattr(outer, "__missing__"):
        map_ops.becomes_staged(outer, key)
    if isinstance(outer, StagedMap):
        holder = outer.own_item(key, True)  # type: ignore[attr-defined]
        outdate_values(outer)
        changed = change(holder)
        outer[key] = changed  # type: ignore[index]
        forget_value(outer, changed)
        return outer
    if isinstance(outer, StagedList) and type(key) is not slice:
        holder = item_to_change(outer, key)
        outer[key] = change(holder)
        return outer
    places = _places(outer, key)
    if places is not None:
        _change_one(staging_backend(key), outer, *places, change)
        return outer
    holder = getitem(outer, key)
    changed = change(holder)
    return outer if changed is holder else setitem(changed, outer, key)


def inplace(sign: str, item: Any, value: Any) -> Any:
    """``item += value``, or the operator of another sign."""
    return _INPLACE[sign](item, value)


def _places(outer: Any, key: Any) -> tuple[Sequence[Any], Any] | None:
    """Return the keys of a list or dict, and the position among them of a staged key."""
    backend = staging_backend(key)
    if backend is None or isinstance(key, StagedUnion):
        return None
    method = getattr(kind_of(outer), "__getitem__", None)
    items = [*outer.values()] if isinstance(outer, dict) else outer
    if method in (list.__getitem__, dict.__getitem__) and are_chosen(items, backend):
        return None
    if method is list.__getitem__:
        size = list.__len__(outer)
        return range(size), backend.position(key, size, _SEQUENCES[method])
    if method is dict.__getitem__:
        return list(outer), position_of(backend, outer, key, KeyError(key))
    return None


def _change_one(
    backend: Any, outer: Any, keys: Sequence[Any], position: Any, change: Callable[[Any], Any]
) -> None:
    """Change the item at a staged position, whether it is a list that is changed or a tensor."""
    for number, candidate in enumerate(keys):
        item = outer[candidate]
        outer[candidate] = staged_if(
            backend,
            position == number,
            functools.partial(change, item),
            just(item),
            owners=(outer,),
            result=ITEM,
        )


def _not_ours(name: str | None) -> EffectError:
    if name is None:
        return EffectError(
            "item assignment needs a tensor that a variable refers to",
            where=user_line(),
            help="assign the tensor to a variable first; its item assignment makes a changed copy",
        )
    return EffectError(
        f"item assignment to '{name}', a tensor of an enclosing function or of the module",
        where=user_line(),
        help=f"declare 'nonlocal {name}' (or 'global {name}'), or pass it in and return it",
        subject=name,
    )
