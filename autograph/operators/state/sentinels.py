"""Sentinels for paths without a value: NEVER, BREAK, and ``MaybeValue``."""

from __future__ import annotations

from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import JoinError
from autograph.staging.protocol import Backend


class _Named:
    """Value with a name for messages."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


NEVER = _Named("NEVER")
"""The outcome of a path that always raises: it joins with anything."""

BREAK = _Named("BREAK")
"""What a loop body returns to end its loop."""


class MaybeValue:
    """Staged value that may be absent: ``ag__present`` is a staged bool."""

    __slots__ = ("ag__value", "ag__present", "ag__backend")

    def __init__(self, value: Any, present: Any, backend: Backend) -> None:
        self.ag__value = value
        self.ag__present = present
        self.ag__backend = backend

    def __bool__(self) -> bool:
        raise JoinError(
            "a value that is None or undefined on one path was used as a Python bool",
            where=user_line(),
            help="give the variable a value on every path",
        )
