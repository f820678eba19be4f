"""Names that go away: for one minor version they warn, and name their successor.

At the bottom of the package, for both packages.  CONTRIBUTING.md has the policy.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

DEPRECATED: dict[str, str] = {}
"""Full name of what is deprecated -> the version in which it is gone."""


def deprecated(successor: str, gone: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of a function or class whose calls warn, at the caller's line.

    Args:
        successor: what to use instead, as the caller writes it.
        gone: the version in which the name is gone, at least one minor version later.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = f"{function.__module__}.{function.__qualname__}"
        DEPRECATED[name] = gone

        @functools.wraps(function)
        def warning(*args: P.args, **kwargs: P.kwargs) -> R:
            warn(function.__qualname__, successor, gone, 2)
            return function(*args, **kwargs)

        return warning

    return decorate


def warn(name: str, successor: str, gone: str, depth: int = 1) -> None:
    """Warn of a name, or of an argument, at the line of ``depth`` calls around the caller."""
    text = f"{name} is deprecated and gone in version {gone}: use {successor}"
    warnings.warn(text, DeprecationWarning, stacklevel=depth + 1)


def is_due(gone: str, version: str) -> bool:
    """Return whether a version is that in which a name is gone, or a later one."""
    return _numbers(version) >= _numbers(gone)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("+")[0].split(".")[:3])
