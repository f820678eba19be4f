"""``raise``."""

from __future__ import annotations

from typing import Any

from autograph.operators.paths import staged_path
from autograph.operators.state import Raised


def raise_stmt(exception: Any) -> Any:
    """The exception to raise now; on a staged path it is staged, and the path ends."""
    backend = staged_path()
    if backend is None or isinstance(exception, Raised):
        return exception
    if isinstance(exception, type) and issubclass(exception, BaseException):
        exception = exception()
    if not isinstance(exception, BaseException):
        return exception  # Python says that exceptions must derive from BaseException
    backend.raise_(exception)
    return Raised()
