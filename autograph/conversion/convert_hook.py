"""Hook by which operators convert the user's callbacks (a sort key, ``__exit__``) before a call.

Operators need them below ``operators.calls``, so the package installs them when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.conversion.conversion import staged_version

_calls: list[Callable[[Any], Any]] = []
_starred: list[Callable[[Any], Any]] = []
_convert: list[Callable[[Any], Any]] = []


def use(
    call: Callable[[Any], Any], starred: Callable[[Any], Any], convert: Callable[[Any], Any]
) -> None:
    """Install the functions that look up conversions, also for starred calls, and make them."""
    _calls[:] = [call]
    _starred[:] = [starred]
    _convert[:] = [convert]


def converted_anyway(function: Any) -> Any:
    """Return the staged version of a function, even of one of a skipped library."""
    return staged_version(_convert[0](function))


def converted(function: Any) -> Any:
    """Return what to call instead of ``function``."""
    return _calls[0](function)


def converted_for_star(function: Any) -> Any:
    """Return what to call instead of ``function`` where an argument may be a Spread."""
    return _starred[0](function)
