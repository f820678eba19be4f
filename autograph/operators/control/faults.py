"""Faults of staging among exceptions: no handler or manager of the user's may swallow them.

Below ``raises``, ``with_statements`` and the statements that catch.
"""

from __future__ import annotations

from autograph.diagnostics.internal_faults import is_internal, speaks_of_staging
from autograph.errors import AutoGraphError
from autograph.staging.protocol import Backend


def is_fault(error: BaseException, backend: Backend) -> bool:
    """Whether no handler may catch an error: eager execution does not raise it."""
    if isinstance(error, AutoGraphError) or is_internal(error):
        return True
    return isinstance(error, (TypeError, AttributeError, ValueError)) and blames(error, backend)


def blames(error: Exception, backend: Backend) -> bool:
    """Whether an error is about a staged value, and not about what it is combined with."""
    if not all(isinstance(arg, str) for arg in error.args):
        return False  # Python says what is wrong in words
    if speaks_of_staging(error):
        return True
    text = str(error)
    if "unsupported operand" in text or "not supported between" in text:
        return False  # nor could a concrete value be combined with that
    return any(f"'{name}'" in text or f" {name}" in text for name in backend.staged_types)
