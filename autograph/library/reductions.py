"""Builtins that reduce an iterable to one value, in plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def any(iterable: Iterable[Any], /) -> Any:
    """``any(iterable)``."""
    is_any = False
    for item in iterable:
        if item:
            is_any = True
            break
    return is_any


def all(iterable: Iterable[Any], /) -> Any:
    """``all(iterable)``."""
    are_all = True
    for item in iterable:
        if not item:
            are_all = False
            break
    return are_all


def sum(iterable: Iterable[Any], start: Any, /) -> Any:
    """``sum(iterable, start)``."""
    total = start
    for item in iterable:
        total = total + item
    return total
