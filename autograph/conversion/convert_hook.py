"""Hook by which operators convert the user's callbacks (a sort key, ``__exit__``) before a call.

Operators need them below ``operators.calls``, so they are installed by a module above them all,
which is loaded when the first conversion is asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.conversion.conversion import Converter, staged_version
from autograph.named_tuples import NamedTuple


class _Hook(NamedTuple):
    """What looks up conversions, also for starred calls, and what makes them."""

    call: Callable[[Any], Any]
    starred: Callable[[Any], Any]
    converter: Converter


_installed: list[_Hook] = []
_loaders: list[Callable[[], None]] = []


def use(call: Callable[[Any], Any], starred: Callable[[Any], Any], converter: Converter) -> None:
    """Install the functions that look up conversions, also for starred calls, and what makes them.
    """
    _installed[:] = [_Hook(call, starred, converter)]


def use_later(load: Callable[[], None]) -> None:
    """Register the function that installs them."""
    _loaders[:] = [load]


def _hook() -> _Hook:
    if not _installed:
        _loaders[0]()
    return _installed[0]


def converted_anyway(function: Any) -> Any:
    """Return the staged version of a function, even of one of a skipped library."""
    return staged_version(_hook().converter.function(function))


def converted(function: Any) -> Any:
    """Return what to call instead of ``function``."""
    return _hook().call(function)


def converted_for_star(function: Any) -> Any:
    """Return what to call instead of ``function`` where an argument may be a Spread."""
    return _hook().starred(function)


def from_library(function: Any) -> Callable[..., Any]:
    """Return what calls the staged version of a function of ``autograph.library``, made once.

    It is no call of the program's: no recursion of it is staged, and it changes nothing outside.
    """
    staged: list[Callable[..., Any]] = []

    @functools.wraps(function, assigned=("__name__", "__doc__"), updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        if not staged:
            staged.append(_hook().converter.staged(function))
        return staged[0](*args, **kwargs)

    return call
