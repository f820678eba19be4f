"""Operations on staged lists, and the lists that converted code makes.

    [x]                  =>  ag__.list_([x])

They are installed in ``StagedList``.  Its own storage holds the items appended since the backend
took over the rest: ``append`` is Python's, and every other operation first hands them over.
"""

from __future__ import annotations

import operator
from typing import Any

from autograph.diagnostics.runtime_exceptions import raise_as_python
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.operators.containers.homes import lend
from autograph.operators.control.raises import raise_stmt
from autograph.operators.joins.item_copies import objects_of
from autograph.operators.joins.join_errors import no_lists
from autograph.operators.joins.list_nodes import (
    as_prefix,
    by_value,
    handle_of,
    holding,
    holds_lists,
)
from autograph.operators.joins.nodes import converted
from autograph.operators.joins.object_nodes import attributes
from autograph.operators.state.copied_objects import putting
from autograph.staging.access import TracedContainer, access_of
from autograph.staging.copies import (
    chosen,
    is_swap,
    note_change,
    note_copy,
    note_removed,
    note_sharing,
    put,
)
from autograph.staging.joined_number import JoinedNumber
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend, staging_backend_of, tracing_backend
from autograph.staging.staged_array import StagedArray
from autograph.staging.staged_list import (
    Contents,
    Prefix,
    StagedList,
    TracedList,
    contents_of,
    hold,
    kind_of,
    length,
)
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_tuple import StagedTuple, as_tuple, with_contents
from autograph.staging.unsupported import check_supported

_READ = ("list index out of range",) * 2
_READ_TUPLE = ("tuple index out of range",) * 2
_ASSIGNED = ("list assignment index out of range",) * 2
_POPPED = ("pop index out of range", "pop from empty list")
_NAME = "the list"


def list_(items: list[Any]) -> list[Any]:
    """Return a list that converted code makes: one that can become staged, if a backend records."""
    if tracing_backend() is None or isinstance(items, TracedList):
        return items
    return TracedList(items)


def as_staged_list(holder: Any, handle: Any = None, backend: Backend | None = None) -> Any:
    """Return a list whose items a backend holds: as ``holder``, or as a prefix with a handle.

    ``backend`` takes the items of a list that is not staged yet.
    """
    prefix = holder if isinstance(holder, Prefix) else _prefix_of(holder, backend)
    prefix_of_all = _with(prefix, prefix.handle if handle is None else handle)
    if isinstance(holder, StagedTuple):
        return with_contents(Contents(prefix_of_all, ()))
    return _new_list(prefix_of_all, prefix_of_all.handle)


def _prefix_of(holder: Any, backend: Backend | None = None) -> Prefix:
    return as_prefix(contents_of(holder), _NAME, backend or holder.backend)


def _new_list(prefix: Prefix, handle: Any) -> StagedList:
    """Return a new list with the entries of a handle, laid out as those of a prefix."""
    new_list: Any = TracedList()
    hold(new_list, Contents(_with(prefix, handle), ()))
    return new_list


def _with(prefix: Prefix, handle: Any) -> Prefix:
    return Prefix(handle, prefix.item, prefix.spec, prefix.examples, prefix.backend)


def _change(holder: StagedList, prefix: Prefix, handle: Any) -> None:
    hold(holder, Contents(_with(prefix, handle), ()))


def item_at(
    holder: StagedList, index: Any, messages: tuple[str, str] = _READ, own: bool = False
) -> Any:
    """``holder[index]``; lists in it cannot be changed, unless the item becomes one's ``own``."""
    if type(index) is int and -list.__len__(holder) <= index < 0:
        return list.__getitem__(holder, index)
    prefix = _prefix_of(holder)
    if messages is _READ and isinstance(holder, StagedTuple):
        messages = _READ_TUPLE
    if prefix.item is None:  # nothing was ever put into it
        raise raise_stmt(IndexError(messages[1]))
    values = prefix.backend.list_item(prefix.handle, _number(index), prefix.spec, messages)
    item = prefix.lift(values)
    if own:
        return item
    copied_item = chosen(item)
    if isinstance(copied_item, TracedContainer) and kind_of(copied_item) is not tuple:
        lend(copied_item, holder, index)
        note_copy(copied_item)
    return copied_item


def item_to_change(holder: StagedList, index: Any) -> Any:
    """Return an item of its own, to be assigned when it is changed: ``holder[index][j] = v``."""
    item = item_at(holder, index, own=True)
    if isinstance(item, TracedContainer) and kind_of(item) is not tuple:
        note_change()
    return item


def is_part_of(item: Any, holder: Any, key: Any) -> bool:
    """Whether changing ``item`` changes ``holder[key]``: a view, or a list taken out of it."""
    if isinstance(item, StagedArray):
        return item.is_part_of(holder, key)
    home = getattr(access_of(item), "home", None)
    return home is not None and (home.stays_known or home.holder is holder)


def _sharing(prefix: Prefix | None) -> None:
    """Note that a list with these items is copied: both have the same lists in them."""
    if prefix is not None and prefix.item is not None and holds_lists(prefix.item):
        note_sharing()


def _number(index: Any) -> Any:
    if staging_backend(index) is not None:
        return index
    try:
        return operator.index(index)
    except TypeError as error:
        raise_as_python(error)


def _index(key: Any) -> Any:
    """Return an index or a slice of ints; Python's TypeError for others, such as floats."""
    if type(key) is slice:
        bounds = [
            bound.ag__index(_NO_BOUND) if isinstance(bound, JoinedNumber) else bound
            for bound in (key.start, key.stop, key.step)
        ]
        for bound in bounds:
            check_supported(lambda at: [][at:], bound)
        return slice(*bounds)
    check_supported([].__getitem__, key)
    if not hasattr(type(key), "__index__") and staging_backend(key) is None:
        kind = kind_of(key).__name__
        raise_as_python(TypeError(f"list indices must be integers or slices, not {kind}"))
    return key


_NO_BOUND = "slice indices must be integers or None or have an __index__ method"


def getitem(holder: StagedList, key: Any) -> Any:
    """``holder[key]`` for an index or a slice."""
    key = _index(key)
    if type(key) is not slice:
        return item_at(holder, key)
    prefix = _prefix_of(holder)
    _sharing(prefix)
    return _new_list(prefix, prefix.backend.list_slice(prefix.handle, key))


def slice_of(value: Any, key: Any) -> Any:
    """``value[i:j]`` of a list, tuple or text of Python's."""
    copy = TracedList(value)
    if not by_index(copy, key):
        return value[key]
    if type(value) is str:
        return StagedText((value,)).staged()[key]
    return as_tuple(copy[key]) if type(value) is tuple else copy[key]


def setitem(holder: StagedList, key: Any, value: Any) -> None:
    """``holder[key] = value`` for an index or a slice."""
    key = _index(key)
    if type(key) is slice:
        if _has_step(key):
            holder.set_steps(key, value)  # type: ignore[attr-defined]
        else:
            _splice(holder, key, value)
        return
    prefix = holding(_prefix_of(holder), (value,), _NAME)
    if not is_swap(holder, key, value):
        put(value)
    with putting(True):
        entry = converted(prefix.item, value, prefix.backend)
    handle = prefix.backend.list_set(prefix.handle, _number(key), entry, _ASSIGNED)
    _change(holder, prefix, handle)


def _has_step(key: slice) -> bool:
    return key.step is not None and not (isinstance(key.step, int) and key.step == 1)


def _splice(holder: StagedList, key: slice, items: Any) -> None:
    """Replace the items of a slice."""
    is_staged = isinstance(items, StagedList)
    new_items = contents_of(items) if is_staged else Contents(None, tuple(items))
    _sharing(new_items.prefix)
    before = new_items.prefix.examples if new_items.prefix is not None else ()
    prefix = holding(_prefix_of(holder), (*before, *new_items.items), _NAME)
    backend = prefix.backend
    new = handle_of(new_items, prefix.item, prefix.spec, backend)
    _change(holder, prefix, backend.list_splice(prefix.handle, key, new))


def set_slice(holder: Any, key: slice, items: Any) -> None:
    """``holder[key] = items`` for any holder: a traced list becomes staged, others cannot."""
    items = StagedList.listed(items)  # type: ignore[attr-defined]
    if isinstance(holder, TracedList):
        if isinstance(items, StagedList) and not isinstance(holder, StagedList):
            give(holder, items.backend)
        by_index(holder, key)
    elif isinstance(items, StagedList):
        raise ConcreteValueError(
            f"a slice of a {type(holder).__name__} is assigned a list whose items are known only "
            "at run time",
            where=user_line(),
            help="assign to a slice of a list that the function makes",
        )
    holder[key] = items


def delitem(holder: StagedList, key: Any) -> None:
    """``del holder[key]``."""
    key = _index(key)
    if type(key) is slice and _has_step(key):
        holder.del_steps(key)  # type: ignore[attr-defined]
    elif type(key) is slice:
        _splice(holder, key, ())
    else:
        _take(holder, key, _ASSIGNED)


def pop(holder: StagedList, index: Any = -1, /) -> Any:
    """``holder.pop(index)``."""
    check_supported(lambda at: [None].pop(at), index)
    is_last = type(index) is int and index == -1
    if is_last and list.__len__(holder):
        return list.pop(holder)
    return _take(holder, index, _POPPED)


def _take(holder: StagedList, index: Any, messages: tuple[str, str]) -> Any:
    prefix = _prefix_of(holder)
    item = item_at(_new_list(prefix, prefix.handle), index, messages)
    handle = prefix.backend.list_without(prefix.handle, _number(index), messages)
    _change(holder, prefix, handle)
    return note_removed(item)


def insert(holder: StagedList, index: Any, value: Any, /) -> None:
    """``holder.insert(index, value)``."""
    check_supported(lambda at: [None].insert(at, None), index)
    _splice(holder, slice(index, index), (value,))


def clear(holder: StagedList) -> None:
    """``holder.clear()``."""
    hold(holder, Contents(None, ()))


def copy(holder: StagedList) -> Any:
    """``holder.copy()``."""
    _sharing(_prefix_of(holder))
    new_list = TracedList()
    hold(new_list, contents_of(holder))
    return new_list


def tuple_of(holder: StagedList) -> Any:
    """``tuple(holder)``."""
    return holder if isinstance(holder, StagedTuple) else as_tuple(copy(holder))


def extend(holder: StagedList, items: Any, /) -> None:
    """``holder.extend(items)``."""
    items = holder.listed(items)  # type: ignore[attr-defined]
    if isinstance(items, StagedList):
        _splice(holder, slice(length(holder), None), items)
    else:
        list.extend(holder, items)


def joined(left: TracedList, right: Any) -> Any:
    """``left + right``, at least one of them staged."""
    if not isinstance(right, list):
        return NotImplemented
    sum_of_both = TracedList()
    hold(sum_of_both, contents_of(left))
    _sharing(contents_of(left).prefix)
    if not isinstance(sum_of_both, StagedList) and isinstance(right, StagedList):
        prefix = as_prefix(contents_of(sum_of_both), _NAME, right.backend)
        hold(sum_of_both, Contents(prefix, ()))
    sum_of_both.extend(right)
    return sum_of_both


def changed_list() -> EffectError:
    """Return the error for a change of a list while a loop goes through it."""
    return EffectError(
        "a list changes its length on a staged path while a loop iterates over it",
        where=user_line(),
        help="loop over a copy, list(x), or collect the changes in another list",
    )


def by_index(holder: TracedList, key: Any) -> bool:
    """Hand the items to the backend of a staged index, or of a staged bound of a slice."""
    bounds = (key.start, key.stop, key.step) if type(key) is slice else (key,)
    backend = staging_backend_of(bounds) if type(key) is not int else None
    if backend is None:
        return False
    give(holder, backend)
    return True


def give(holder: TracedList, backend: Backend) -> None:
    """Hand the items of a list to a backend."""
    if backend.list_spec(()) is None:
        raise no_lists(backend)
    hold(holder, Contents(as_prefix(contents_of(holder), _NAME, backend), ()))


def _iadd(holder: StagedList, items: Any) -> StagedList:
    extend(holder, items)
    return holder


def _deep_copy(holder: StagedList, memo: dict[int, Any]) -> Any:
    """``copy.deepcopy(holder)`` of a list, or of a tuple."""
    prefix = _prefix_of(holder)
    copied = _copied_with_items(prefix)
    if isinstance(holder, StagedTuple):
        return holder if copied is prefix else with_contents(Contents(copied, ()))
    return as_staged_list(copied)


def _copied_with_items(prefix: Prefix) -> Prefix:
    """Return what a deep copy holds: the backend holds most items by value."""
    objects = () if prefix.item is None else objects_of(prefix.item)
    if any(attributes(value) is not None for value in objects):
        raise EffectError(
            "a list or tuple of staged length is copied with the objects in it",
            where=user_line(),
            help="copy the objects one by one, into a list of their own",
        )
    copied = by_value(prefix)
    if copied is not prefix:
        note_sharing()  # several items may be the one copy of what they refer to
    return copied


_METHODS = {
    "__add__": joined, "__copy__": copy, "__deepcopy__": _deep_copy, "__delitem__": delitem,
    "__getitem__": getitem, "__iadd__": _iadd, "__setitem__": setitem,
    "by_index": staticmethod(by_index), "clear": clear, "copy": copy, "extend": extend,
    "give": staticmethod(give), "insert": insert, "item_of": staticmethod(item_at),
    "joined": staticmethod(joined), "pop": pop,
}  # fmt: skip

for _name, _method in _METHODS.items():
    setattr(StagedList, _name, _method)
