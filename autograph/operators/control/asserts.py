"""The ``assert`` statement: a staged test is checked at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.control.conditionals import call_truth_method, test_of
from autograph.operators.control.path_tracing import staged_path
from autograph.operators.control.raises import is_raised_by_user, raise_stmt, refuse_in_try
from autograph.operators.control.with_statements import refuse_in_with
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend


def assert_stmt(test: Any, message: Callable[[], Any] | None = None) -> Any:
    """Return the test; a staged test is checked at run time and counts as true while tracing.

    A test that fails while a staged path is traced fails at run time, if control gets there.
    """
    if test is True:
        return True
    test = test_of(call_truth_method(test))
    backend = staging_backend(test)
    if backend is None:
        if staged_path() is None or test:
            return test
        raise raise_stmt(AssertionError() if message is None else AssertionError(message()))
    refuse_in_try("assert")
    refuse_in_with("assert", (AssertionError,), None)
    backend.assert_(test, lambda: _failure(message, backend))
    return True


def _failure(message: Callable[[], Any] | None, backend: Backend) -> BaseException:
    """The exception that a failing assertion raises: what its message raises comes first."""
    if message is None:
        return AssertionError()
    try:
        return AssertionError(message())
    except BaseException as error:
        if not is_raised_by_user(error, backend):
            raise
        return error
