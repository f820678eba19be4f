"""Aliasing of dicts: a joined dict that is one of several dicts, known at run time.

Where a variable is different dicts on different paths, staging makes a dict of joined items.  A
staged flag for each source says whether the joined dict is that source.  An item set in the joined
dict is set in a source where its flag holds; changes of the sources are seen in the joined dict.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.access import stale
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import Seen


@dataclass
class Tie:
    """Link of a joined dict to a dict that it may be, with the contents seen last."""

    source: dict[Any, Any]
    flag: Any
    before: dict[Any, Any] | None = None


class _Joined(threading.local):
    """Joined dicts of a thread, and how many of them have noted what they may be."""

    def __init__(self) -> None:
        self.dicts: list[weakref.ref[JoinedDict]] = []
        self.noted = 0
        self.blocks = 0


_joined = _Joined()


def note_joined() -> None:
    """Note what joined dicts may be, after a statement has set all that it changes."""
    for reference in _joined.dicts[_joined.noted :]:
        made = reference()
        for tie in made.ties if made is not None else ():
            tie.before = dict(dict.items(tie.source))
    if not _joined.blocks:
        _joined.dicts.clear()  # no longer referenced
    _joined.noted = len(_joined.dicts)


@contextmanager
def looking_at_joined(others: Iterable[JoinedDict]) -> Iterator[None]:
    """At the end of a block, synchronise the dicts that were joined in it, and others."""
    known = len(_joined.dicts)
    _joined.blocks += 1
    try:
        yield
        for reference in _joined.dicts[known:]:
            made = reference()
            if made is not None:
                made.look()
        for other in others:
            other.look()
    finally:
        _joined.blocks -= 1
        del _joined.dicts[known:]
        _joined.noted = min(_joined.noted, known)


SELECT: list[Callable[[Backend, Any, Any, Any], Any]] = []
"""``select(backend, flag, value, other)``, staged; filled by ``conditionals``."""


LOOKED_AT: list[Callable[[Any], object]] = []
"""Called with a joined dict that is used; filled by ``joins.twins``."""


class JoinedDict(dict[Any, Any], metaclass=Seen):
    """Dict that may be the same as others."""

    _kind = dict

    def __init__(self, items: dict[Any, Any], ties: Iterable[Tie], backend: Backend) -> None:
        super().__init__(items)
        self.ties = list(ties)
        self.backend = backend
        if self.ties:
            _joined.dicts.append(weakref.ref(self))

    def look(self) -> None:
        """Take over the changes of the dicts that this one may be."""
        for check in LOOKED_AT:
            check(self)
        for tie in self.ties:
            if isinstance(tie.source, JoinedDict):
                tie.source.look()
            now, before = dict(dict.items(tie.source)), tie.before
            if now.keys() != dict.keys(self):
                raise stale("dict")
            for key, value in now.items():
                if before is not None and value is not before[key]:
                    self._take(key, tie.flag, value)
            tie.before = now

    def _take(self, key: Any, flag: Any, value: Any) -> None:
        mine = dict.__getitem__(self, key)
        if value is not mine:
            dict.__setitem__(self, key, SELECT[0](self.backend, flag, value, mine))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.look()
        if self.ties and not dict.__contains__(self, key):
            raise _other_keys()
        dict.__setitem__(self, key, value)
        for tie in self.ties:  # one may be another one: it must have taken over that change
            tie.source[key] = SELECT[0](self.backend, tie.flag, value, tie.source[key])
        for tie in self.ties:
            tie.before = dict(dict.items(tie.source))

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Set items of other dicts or pairs."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        self.update(other)
        return self

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the item of a key; set it to a default if there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)


def _other_keys() -> EffectError:
    return EffectError(
        "keys are added to or removed from a dict that is another dict on some staged path",
        where=user_line(),
        help="change a copy, dict(x), or give the variable a dict of its own on every path",
    )


def _reading(name: str) -> Callable[..., Any]:
    plain = getattr(dict, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.look()
        return plain(self, *args, **kwargs)

    return method


def _dropping(name: str) -> Callable[..., Any]:
    plain = getattr(dict, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.look()
        if self.ties:
            raise _other_keys()
        return plain(self, *args, **kwargs)

    return method


for _name in (
    "__getitem__", "__iter__", "__len__", "__contains__", "__eq__", "__ne__", "__or__", "__ror__",
    "__reversed__", "__repr__", "get", "items", "keys", "values", "copy",
):  # fmt: skip
    setattr(JoinedDict, _name, _reading(_name))
for _name in ("__delitem__", "pop", "popitem", "clear"):
    setattr(JoinedDict, _name, _dropping(_name))
