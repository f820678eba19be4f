"""Hook by which operators convert the user's callbacks (a sort key, ``__exit__``) before a call.

Operators need them below ``operators.calls``, so the package installs them when it is complete.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.conversion.conversion import Converter, staged_version

_calls: list[Callable[[Any], Any]] = []
_starred: list[Callable[[Any], Any]] = []
_converter: list[Converter] = []


def use(
    call: Callable[[Any], Any], starred: Callable[[Any], Any], converter: Converter
) -> None:
    """Install the functions that look up conversions, also for starred calls, and what makes them.
    """
    _calls[:] = [call]
    _starred[:] = [starred]
    _converter[:] = [converter]


def converted_anyway(function: Any) -> Any:
    """Return the staged version of a function, even of one of a skipped library."""
    return staged_version(_converter[0].function(function))


def converted(function: Any) -> Any:
    """Return what to call instead of ``function``."""
    return _calls[0](function)


def converted_for_star(function: Any) -> Any:
    """Return what to call instead of ``function`` where an argument may be a Spread."""
    return _starred[0](function)


def from_library(function: Any) -> Callable[..., Any]:
    """Return what calls the staged version of a function of ``autograph.library``, made once.

    It is no call of the program's: no recursion of it is staged, and it changes nothing outside.
    """
    staged: list[Callable[..., Any]] = []

    @functools.wraps(function, assigned=("__name__", "__doc__"), updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        if not staged:
            staged.append(_converter[0].staged(function))
        return staged[0](*args, **kwargs)

    return call
