"""Decorator ``dataclass``, as ``dataclasses`` has it, which waits for the first instance.

Modules that the first call needs define dozens of data classes, each of whose methods Python
compiles from text; most programs make instances of few of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograph.syntax.fork_safe_lock import fork_safe_lock

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """Declare a data class; options as those of ``dataclasses.dataclass`` other than slots."""
        if cls is None:
            return lambda cls: _declared(cls, options)
        return _declared(cls, options)


_lock = fork_safe_lock()
_LATER = "__make_data_class__"
"""Attribute of a class with what makes its methods."""


def _declared(cls: type, options: dict[str, bool]) -> type:
    """Return a class that becomes a data class before its first instance is initialised."""
    own: Any = cls

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        make()
        own.__init__(self, *args, **kwargs)

    def make() -> None:
        for base in cls.__mro__[1:]:  # whose fields it has
            _make(base)
        with _lock:
            if _LATER in vars(cls):  # no other thread has come first
                before = dict(vars(cls))
                try:
                    del own.__init__
                    dataclasses.dataclass(**options)(cls)
                    delattr(cls, _LATER)
                except BaseException:  # an interrupt: the next instance begins anew
                    _restore(cls, before)
                    raise

    if "__init__" in vars(cls):
        return dataclasses.dataclass(**options)(cls)
    setattr(cls, _LATER, make)
    setattr(cls, "__init__", __init__)  # noqa: B010 - typed as a method
    return cls


def _restore(cls: type, before: dict[str, Any]) -> None:
    """Give a class the attributes that it had."""
    for name in vars(cls).keys() - before.keys():
        delattr(cls, name)
    for name, value in before.items():
        if vars(cls).get(name) is not value:
            setattr(cls, name, value)


def _make(cls: type) -> None:
    """Make the methods of a class, if it waits for them."""
    make: Callable[[], None] | None = vars(cls).get(_LATER)
    if make is not None:
        make()
