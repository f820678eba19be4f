"""What operators call for the user's sake is converted, too: the way up to ``calls``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.conversion.conversion import staged_version

_calls: list[Callable[[Any], Any]] = []
_convert: list[Callable[[Any], Any]] = []


def use(call: Callable[[Any], Any], convert: Callable[[Any], Any]) -> None:
    """Say what looks up conversions, and what makes them; the package does, once it has both."""
    _calls[:] = [call]
    _convert[:] = [convert]


def converted_anyway(function: Any) -> Any:
    """The functional half of a function's conversion, even if it belongs to a library."""
    return staged_version(_convert[0](function))


def converted(function: Any) -> Any:
    """What to call instead of ``function``."""
    return _calls[0](function)
