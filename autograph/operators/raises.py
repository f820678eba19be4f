"""``raise``."""

from __future__ import annotations

import sys
from typing import Any

from autograph.errors import AutoGraphError, EffectError
from autograph.operators.frames import inside_try
from autograph.operators.paths import staged_path
from autograph.operators.state import Raised
from autograph.places import user_place


def raise_stmt(exception: Any) -> Any:
    """The exception to raise now; on a staged path it is staged, and the path ends."""
    backend = staged_path()
    if backend is None or isinstance(exception, Raised):
        return exception
    if isinstance(exception, type) and issubclass(exception, BaseException):
        exception = exception()
    if not isinstance(exception, BaseException):
        return exception  # Python says that exceptions must derive from BaseException
    refuse_in_try(f"raise {type(exception).__name__}")
    backend.raise_(exception)
    return Raised()


def pass_on() -> None:
    """Raise an error of staging again, which a jump out of a ``finally`` would drop."""
    error = sys.exc_info()[1]
    if isinstance(error, AutoGraphError):
        raise error


def refuse_in_try(what: str) -> None:
    """Refuse to stage an exception where converted code stands ready to catch it.

    Handlers run while tracing; a staged exception is raised later, past them.
    """
    place = inside_try()
    if place is not None:
        raise EffectError(
            f"'{what}' depends on a staged value and stands inside the 'try' of line {place[1]}, "
            "whose handlers cannot run in a graph",
            where=user_place(),
            help="move it out of the 'try', or return a flag and test that",
        )
