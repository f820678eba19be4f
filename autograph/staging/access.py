"""Access to the lists, dicts and sets that converted code makes: what one may be, who may use it.

Most of them are free.  One that may be the same as others, or that is a copy of an item, has an
``Access``: the methods of its class, a guarded one, ask it first.

    x = m[i]                 a copy, with the home ``m[i]``: to change it is to change that item
    if n > 0: t = x = [n]    afterwards ``x`` and ``t`` are joined lists, which may be one: when one
    else: t, x = [1], [2]    of them is changed the other is out of date, and using it is an error
"""

from __future__ import annotations

import functools
import inspect
import re
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.staged_collection import kind_of
from autograph.syntax.data_classes import dataclass

Line = tuple[str, int] | None
Path = tuple[Any, ...]
"""Indexes and keys, from the outermost."""


@dataclass(frozen=True, eq=False)
class RefusedChange:
    """Why a list, dict or set cannot be changed: texts that name its class as ``{what}``."""

    message: str
    remedy: str

    def error(self, holder: Any) -> EffectError:
        """Return the error for a change on the user's current line."""
        kind_name = kind_of(holder).__name__
        place = "put it in its place: 'a[i] = x'" if kind_name == "set" else (
            "use an index on the left: 'a[i][j] = v'"
        )
        return EffectError(
            self.message.format(what=kind_name), where=user_line(),
            help=self.remedy.format(what=kind_name, place=place),
        )  # fmt: skip


CHOSEN = RefusedChange(
    "a {what} that a staged value chose from several is changed: which one is not known",
    "change a copy, {what}(x), or {place}",
)
_PUT = (
    "a {what} is changed although it was put into a list or dict of staged length: that holds "
    "a copy",
    "change a copy, {what}(x), or {place}",
)
PUT: dict[type, RefusedChange] = {list: RefusedChange(*_PUT), dict: RefusedChange(*_PUT)}
"""For what was put into a list, and for what was put into a dict."""
SHARED = RefusedChange(
    "a {what} is changed that is another {what} on some staged path",
    "change a copy, {what}(x), or give the variable a {what} of its own on every path",
)
OF_OUTSIDE = RefusedChange(
    "a {what} is changed that comes from outside of the function on some staged path",
    "change a copy, {what}(x)",
)


_container_classes: list[type[TracedContainer]] = []
_on_container_class: list[Callable[[type[TracedContainer]], object]] = []


def each_container_class(do: Callable[[type[TracedContainer]], object]) -> None:
    """Call ``do`` with each class of containers, those to come included.

    Libraries know collections by their class: a backend registers what may be in a result.
    """
    _on_container_class.append(do)
    for kind in _container_classes:
        do(kind)


class TracedContainer:
    """Base of the lists, dicts and sets that converted code makes while a backend records."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _container_classes.append(cls)
        for do in _on_container_class:
            do(cls)

    access: Access | None
    _classes: tuple[type, type]
    """The class of those whose items Python holds, and of those whose items a backend holds."""

    def _is_in_backend(self) -> bool:
        """Whether a backend holds items of it."""
        raise NotImplementedError


class Home:
    """Where a copy was taken out: what is changed when the copy is."""

    holder: Any
    """The list or dict that holds it; None if there are several."""
    key: Any = None
    is_left = False
    """Whether the item was removed, so that nothing but the copy stands for it."""
    contents: tuple[Any, ...] = ()
    """What the holder contains while the item is in its place: before and after changes of it."""

    def is_in_place(self, contents: Any) -> bool:
        """Whether the item is in its place in a holder of these contents."""
        return any(earlier.same(contents) for earlier in self.contents)

    stays_known = False
    """Whether a copy that is out of date still says which item it was: it can be changed, but not
    read."""

    def before_read(self) -> None:
        """Raise EffectError if what was taken out is out of date."""

    def change(
        self, copy: Any, path: Path, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a method of the item that a copy was made of, or of what lies at ``path`` in it."""
        raise NotImplementedError


class Access:
    """What a list, dict or set may be besides itself, and who may read and change it."""

    __slots__ = ("changed_at", "check", "home", "is_stale", "others", "refusal", "sources")

    def __init__(self) -> None:
        self.sources: list[Any] = []
        """What it was joined of: it may be one of these."""
        self.others: list[Any] = []
        """What it, or what it may be, was joined into."""
        self.home: Home | None = None
        self.refusal: RefusedChange | None = None
        """Why it cannot be changed itself: it is a copy."""
        self.is_stale = False
        """Whether something else was changed that it may be, or that it is a copy of."""
        self.changed_at: Line = None
        self.check: Callable[[Any], None] | None = None
        """Looks for changes of what it may be; see ``joins.may_alias``."""

    @property
    def is_copy(self) -> bool:
        """Whether it is a copy of another one, or joined of several."""
        return self.refusal is not None or bool(self.sources)

    def before_read(self, holder: Any, where: Line = None) -> None:
        """Raise EffectError if what it holds is out of date."""
        if self.is_stale:
            if self.home is not None and self.home.stays_known:
                raise _not_read()
            raise stale(kind_of(holder).__name__, where)
        if self.home is not None:
            self.home.before_read()
        if self.check is not None:
            self.check(holder)

    def change(
        self, holder: Any, plain: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a method that changes a list, dict or set, where that may be."""
        if self.home is not None:
            return self.home.change(holder, (), name, args, kwargs)
        self.before_read(holder)
        if self.refusal is not None:
            raise self.refusal.error(holder)
        for alias in possibly_same(holder):
            if not isinstance(alias, TracedContainer):
                raise OF_OUTSIDE.error(alias)
            mark_stale(alias)
        return plain(holder, *args, **kwargs)


CHANGING = frozenset((
    "append", "extend", "insert", "remove", "reverse", "sort", "__imul__", "__iadd__",
    "__delitem__", "__iand__", "__ior__", "__isub__", "__ixor__", "__setitem__", "add", "clear",
    "difference_update", "discard", "intersection_update", "pop", "popitem", "setdefault",
    "subtract", "symmetric_difference_update", "update",
))  # fmt: skip
"""Methods that change a list, dict or set; ``+=`` of a Counter makes another one."""

_OF_ANY_OBJECT = {*dir(object), "__class_getitem__"} - {
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__",
}  # fmt: skip


def access_of(value: Any) -> Access | None:
    """Return the access to a list, dict or set; None for a free one, and for other values."""
    return value.access if isinstance(value, TracedContainer) else None


def restricted(holder: Any) -> Access:
    """Return the access to a list, dict or set, which is free no longer."""
    if holder.access is None:
        holder.access = Access()
        settle_class(holder)
    access: Access = holder.access
    return access


@contextmanager
def freely(holder: Any) -> Iterator[None]:
    """Use a list, dict or set in this block as if it was free."""
    access, holder.access = holder.access, None
    settle_class(holder)
    try:
        yield
    finally:
        holder.access = access
        settle_class(holder)


def settle_class(holder: Any) -> None:
    """Give a list, dict or set the class for what it is now: fixed or staged, free or guarded.

    Nothing else changes the class of an object.  One class would do but for C: it reads what a
    list or dict stores, and calls the methods of a class that has its own.  So a free list of known
    length has none, and one that C must not read has them all.
    """
    fixed, staged = type(holder)._classes
    kind = staged if holder._is_in_backend() else fixed
    kind = kind if holder.access is None else _guarded(kind)
    if type(holder) is not kind:
        holder.__class__ = kind


_guarded_classes: dict[Any, Any] = {}


_METHODS = (
    types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
    functools.partialmethod,
)  # fmt: skip


def _guarded(kind: Any) -> Any:
    """Return the class of lists, dicts or sets like these whose methods ask for access."""
    if kind not in _guarded_classes:
        methods: dict[str, Any] = {
            name: _asking(kind, name) for name in dir(kind)
            if isinstance(inspect.getattr_static(kind, name), _METHODS)
            and name not in _OF_ANY_OBJECT and not re.match("_[^_]", name)
        }  # fmt: skip
        if hasattr(kind, "backend"):
            methods["backend"] = property(_asking(kind, "backend", kind.backend.fget))
        _guarded_classes[kind] = type(kind)(kind.__name__, (kind,), {"__slots__": (), **methods})
    return _guarded_classes[kind]


def unguarded_class(holder: Any) -> type:
    """Return the class of a value, as it would be if it was free."""
    kind = type(holder)
    return kind.__mro__[1] if _guarded_classes.get(kind.__mro__[1]) is kind else kind


def is_own(holder: Any) -> bool:
    """Whether a change of a list, dict or set changes nothing but what it holds itself."""
    access = access_of(holder)
    return access is None or access.home is None and access.refusal is None


def _asking(kind: Any, name: str, plain: Any = None) -> Callable[..., Any]:
    plain = plain or getattr(kind, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        access = self.access
        if name in CHANGING:
            return access.change(self, plain, name, args, kwargs)
        access.before_read(self)
        return plain(self, *args, **kwargs)

    return method


# -- what may be the same --------------------------------------------------------------------------


COPY_OBJECT = (
    "change a copy, copy.copy(x), or give the variable an object of its own on every path"
)


def stale(kind: str = "list", where: Line = None, is_object: bool = False) -> EffectError:
    """Return the error for the use of a stale list, dict or object, here or at ``where``."""
    return EffectError(
        f"this {kind} may be the same object as another {kind} that was changed on a staged path",
        where=where or user_line(),
        help=COPY_OBJECT if is_object else (
            f"change a copy, {kind}(x), or give the variable a {kind} of its own on every path"
        ),
    )  # fmt: skip


def _not_read() -> EffectError:
    return EffectError(
        "a list that a staged index chose from several is read after one of them changed",
        where=user_line(),
        help="take it out again before it is read: row = m[i]",
    )


def mark_stale(holder: Any) -> None:
    """Record that the user's current line changes what a list, dict or set may be."""
    access = restricted(holder)
    access.is_stale = True
    access.changed_at = access.changed_at or user_line()


def check_usable(holder: Any) -> None:
    """Raise EffectError for what would have changed with another one, with that line."""
    access = access_of(holder)
    if access is not None and access.is_stale:
        access.before_read(holder, access.changed_at)


def changed_line(value: Any) -> Line:
    """Return the line that made a list, dict or set in a nest stale, if one is."""
    access = access_of(value)
    if access is not None and access.is_stale:
        return access.changed_at
    if isinstance(value, list):
        items = list.__iter__(value)
    elif isinstance(value, dict):
        items = iter(dict.values(value))
    else:
        items = iter(value if isinstance(value, tuple) else ())
    return next(filter(None, map(changed_line, items)), None)


def possibly_same(holder: Any) -> list[Any]:
    """Return the other lists that a list may be: its sources, and the lists it was joined into."""
    possible, seen = [holder], {id(holder)}
    for relation in ("sources", "others"):
        for container in possible:
            for related in getattr(access_of(container), relation, ()):
                if id(related) not in seen:
                    seen.add(id(related))
                    possible.append(related)
    return possible[1:]


def stored_items(container: Any) -> Iterator[tuple[Any, Any]]:
    """Return the indexes or keys of what a list, tuple or dict stores, with the items."""
    if isinstance(container, list):
        yield from enumerate(list.__iter__(container))
    elif type(container) is tuple:
        yield from enumerate(container)
    elif isinstance(container, dict):
        yield from dict.items(container)


def at(container: Any, path: Path) -> Any:
    """Return what lies at a path in lists, tuples and dicts, whoever may read them."""
    for key in path:
        kind: Any = list if isinstance(container, list) else dict
        kind = tuple if isinstance(container, tuple) else kind
        container = kind.__getitem__(container, key)
    return container


def refuse_changes(holder: Any, refusal: RefusedChange) -> None:
    """Let a list, dict or set refuse its changes from now on, for the first reason given."""
    access = restricted(holder)
    access.refusal = access.refusal or refusal
