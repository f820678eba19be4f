"""``assert``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.raises import refuse_in_try
from autograph.staging import staging_backend


def assert_stmt(test: Any, message: Callable[[], Any] | None = None) -> Any:
    """The test itself; a staged one is checked at run time and holds for now."""
    if test is True:
        return True
    backend = staging_backend(test)
    if backend is None:
        return test
    refuse_in_try("assert")
    backend.assert_(test, message)
    return True
