"""Staged maps: dicts and sets whose keys depend on staged values.

While a backend is tracing, converted code makes traced dicts and sets.  They are Python's own until
a key is staged or a staged path changes which keys one has: then the same object is a staged one,
of which the backend holds the keys and the values as two lists, in the order of insertion.

``operators.containers.map_ops`` installs the methods of staged maps; backends know the classes
because they return and print such maps.
"""

from __future__ import annotations

import inspect
from collections import Counter, defaultdict
from typing import Any, NoReturn

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.staging.list_aliasing import stale
from autograph.staging.protocol import Backend
from autograph.staging.staged_collection import StagedCollection
from autograph.staging.staged_list import (
    MAPS,
    Contents,
    Seen,
    contents_of,
    refuse_change,
)
from autograph.staging.wrapped_set import WrappedSet, own_set


class MapContents:
    """Contents of a dict or set; ``backend`` is None while Python holds them."""

    __slots__ = ("backend", "keys", "values")

    def __init__(self, keys: Contents, values: Contents, backend: Backend | None = None) -> None:
        self.keys = keys
        self.values = values
        self.backend = backend

    def same(self, other: object) -> bool:
        """Return whether another map holds the very same objects."""
        return (
            type(other) is MapContents
            and self.keys.same(other.keys)
            and self.values.same(other.values)
        )


class TracedMap:
    """Base of dicts and sets made in converted code while a backend records."""

    _held: MapContents
    """Contents of a staged map."""
    _staged: type[Any]
    _fixed: type[Any]
    _refusing: type[Any]

    def __reduce_ex__(self, protocol: Any) -> Any:
        kind: Any = type(self)
        if kind._kind is defaultdict:
            return defaultdict, (self.default_factory, dict(self))  # type: ignore[attr-defined, call-overload]
        plain = list if kind._kind is set else dict
        return kind._kind, (plain(self),)  # type: ignore[call-overload]


class StagedMap(StagedCollection, TracedMap):
    """Base of dicts and sets whose keys are known only at run time."""

    @property
    def backend(self) -> Backend:
        """Return the backend that holds the keys and values."""
        backend = self._held.backend
        assert backend is not None
        return backend

    def __repr__(self) -> str:
        return f"<{type(self)._kind.__name__} of staged keys>"  # type: ignore[attr-defined]

    def _unknown(self, what: str) -> Exception:
        kind = type(self)._kind.__name__  # type: ignore[attr-defined]
        return ConcreteValueError(
            f"a {kind} has staged keys: {what} is known only at run time",
            where=user_line(),
            help="in a converted function use 'for', 'in', len(), indexes and its methods; "
            "outside of it, return it",
        )


def _refuse_change(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    kind = type(self)._kind.__name__
    raise EffectError(
        f"a {kind} is changed that is another {kind} on some staged path",
        where=user_line(),
        help=f"change a copy, {kind}(x), or give the variable a {kind} of its own on every path",
    )


class TracedDict(TracedMap, dict[Any, Any], metaclass=Seen):
    """A dict made in converted code while a backend records."""

    _kind = dict


class StagedDict(StagedMap, TracedDict):
    """A dict of staged keys."""

    _is_staged = True


class TracedDefaultDict(TracedMap, defaultdict[Any, Any], metaclass=Seen):
    """As ``TracedDict``, with a default factory."""

    _kind = defaultdict


class StagedDefaultDict(StagedMap, TracedDefaultDict):
    """A ``defaultdict`` of staged keys."""

    _is_staged = True


class TracedCounter(TracedMap, Counter[Any], metaclass=Seen):
    """As ``TracedDict``, counting."""

    _kind = Counter


class StagedCounter(StagedMap, TracedCounter):
    """A ``Counter`` of staged keys."""

    _is_staged = True


class TracedSet(TracedMap, WrappedSet, metaclass=Seen):
    """A set made in converted code while a backend records."""

    _kind = set


class StagedSet(StagedMap, TracedSet):
    """A set of staged items."""

    _is_staged = True


CHANGING = (
    "__delitem__", "__iand__", "__ior__", "__isub__", "__ixor__", "__setitem__", "add", "clear",
    "difference_update", "discard", "intersection_update", "pop", "popitem", "remove",
    "setdefault", "subtract", "symmetric_difference_update", "update",
)  # fmt: skip
"""Methods that change a dict or set."""


def _refusing(staged: Any, refuse: Any = _refuse_change) -> Any:
    """Return a class of maps that may be aliases or copies of others and cannot be changed."""
    return type(staged)(f"Chosen{staged.__name__}", (staged,), dict.fromkeys(
        (name for name in CHANGING if hasattr(staged, name)), refuse
    ))  # fmt: skip


_copies: dict[tuple[type, str], type[Any]] = {}


def refuse_changes(value: Any, why: str) -> bool:
    """Let a traced dict or set refuse its changes; whether it is one."""
    if not isinstance(value, TracedMap):
        return False
    kind: Any = type(value)
    if kind in (kind._fixed, kind._staged) and not hasattr(kind, "_why"):
        if (kind, why) not in _copies:
            pair = [_refusing(one, refuse_change) for one in (kind._fixed, kind._staged)]
            for one, made in zip((kind._fixed, kind._staged), pair, strict=True):
                made._why = why
                made._fixed, made._staged = pair
                _copies[one, why] = made
        value.__class__ = _copies[kind, why]
    return True


MAPS.append(refuse_changes)

_stale: dict[type, type[Any]] = {}


def stale_map(kind: Any) -> Any:
    """Return the class of maps that may be others that changed: every use of one is an error."""
    if kind not in _stale:
        used = [
            name for name, value in inspect.getmembers(kind, callable)
            if name not in OF_ANY_OBJECT and not isinstance(value, type)
        ]
        methods: dict[str, Any] = dict.fromkeys(used, _refuse_use)
        if hasattr(kind, "backend"):
            methods["backend"] = property(_refuse_use)
        _stale[kind] = type(kind)(f"Stale{kind.__name__}", (kind,), methods)
        _stale[_stale[kind]] = _stale[kind]
    return _stale[kind]


def check_stale(value: Any) -> None:
    """Raise EffectError for a map that may be another one that changed."""
    if _stale.get(type(value)) is type(value):
        _refuse_use(value)


def _refuse_use(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    raise stale(type(self)._kind.__name__)


OF_ANY_OBJECT = {*dir(object), "__reduce_ex__", "__class_getitem__"} - {"__eq__", "__ne__"}


KINDS: dict[type, type[Any]] = {}
"""Traced class of each of Python's classes."""

for _fixed_class, _staged_class in (
    (TracedDict, StagedDict), (TracedDefaultDict, StagedDefaultDict),
    (TracedCounter, StagedCounter), (TracedSet, StagedSet),
):  # fmt: skip
    _class: Any = _fixed_class
    _class._fixed, _class._staged = _fixed_class, _staged_class
    _class._refusing = _refusing(_staged_class)
    KINDS[_class._kind] = _class


def map_contents(holder: Any) -> MapContents:
    """Return the present contents of a traced dict or set."""
    if isinstance(holder, StagedMap):
        return holder._held
    if isinstance(holder, set):
        holder = own_set(holder)
        return MapContents(Contents(None, tuple(set.__iter__(holder))), _NOTHING)
    keys, values = tuple(dict.keys(holder)), tuple(dict.values(holder))
    return MapContents(Contents(None, keys), Contents(None, values))


_NOTHING = Contents(None, ())


def contents_held(container: Any) -> Contents | MapContents:
    """Return the present contents of a list, or of a traced dict or set."""
    return contents_of(container) if isinstance(container, list) else map_contents(container)


def hold_map(holder: Any, contents: MapContents) -> None:
    """Set the contents of a dict or set."""
    plain: Any = set if isinstance(holder, set) else dict
    plain.clear(own_set(holder))
    if contents.backend is not None:
        holder._held = contents
        if not isinstance(holder, StagedMap):
            holder.__class__ = holder._staged
        return
    if isinstance(holder, StagedMap):
        del holder._held
        holder.__class__ = holder._fixed
    if plain is set:
        set.update(own_set(holder), contents.keys.items)
    else:
        dict.update(holder, zip(contents.keys.items, contents.values.items, strict=True))
