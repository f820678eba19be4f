"""Traces one path of a converted statement: set the variables, run the body, read them again.

Also knows, per thread, whether a staged path is being traced, which is when ``raise`` and
``set_loop_options`` mean something for run time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from autograph.errors import AutoGraphError
from autograph.operators.joins import NEVER
from autograph.operators.places import located
from autograph.operators.state import Raised, State
from autograph.staging import Backend

Outcome = Any  # a tuple (values of the state..., result of the body), or NEVER


class _Staged(threading.local):
    """The backends whose staged paths are being traced now, innermost last."""

    def __init__(self) -> None:
        self.backends: list[Backend] = []
        self.loops: list[dict[str, Any]] = []


_staged = _Staged()


def staged_path() -> Backend | None:
    """The backend on whose staged branch or loop body the current code lies, or None."""
    return _staged.backends[-1] if _staged.backends else None


def loop_options() -> dict[str, Any] | None:
    """The options of the innermost loop that is being traced, or None."""
    return _staged.loops[-1] if _staged.loops else None


class Paths:
    """The paths through one staged statement."""

    def __init__(self, backend: Backend, names: tuple[str, ...], bodies: tuple[Any, ...]) -> None:
        self.backend = backend
        self.state = State(names, bodies)
        self.variables = self.state.variables()
        self.before = self.state.read()

    def trace(
        self,
        body: Callable[..., Any] | None,
        values: list[Any] | None = None,
        args: tuple[Any, ...] = (),
        options: dict[str, Any] | None = None,
    ) -> Outcome:
        """Run a body from the given values (those before the statement when None)."""
        self.reset()
        if values is not None:
            self.state.write(values)
        _staged.backends.append(self.backend)
        if options is not None:
            _staged.loops.append(options)
        try:
            result = body(*args) if body is not None else None
            return (*self.state.read(), result)
        except Raised:
            return NEVER
        finally:
            _staged.backends.pop()
            if options is not None:
                _staged.loops.pop()

    def reset(self) -> None:
        """Put all variables back to what they were before the statement."""
        self.state.restore(self.variables)
        self.state.write(self.before)

    def fail(self, error: BaseException) -> None:
        """Leave the variables as they were, and say where, when staging did not work out."""
        self.reset()
        if isinstance(error, AutoGraphError):
            located(error)

    def finish(self, outcome: Outcome) -> Any:
        """Set the variables to the joined outcome and return the joined result."""
        if outcome is NEVER or outcome[-1] is NEVER:
            raise Raised
        *values, result = outcome
        self.state.forget(self.variables)
        self.state.write(values)
        return result

