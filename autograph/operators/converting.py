"""What operators call for the user's sake is converted, too: the way up to ``calls``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_calls: list[Callable[[Any], Any]] = []


def use(call: Callable[[Any], Any]) -> None:
    """Say what looks up conversions; the package does, once it has made it."""
    _calls[:] = [call]


def converted(function: Any) -> Any:
    """What to call instead of ``function``."""
    return _calls[0](function)
