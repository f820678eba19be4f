"""Staging of recursion: functions that call themselves at run time.

An optional part of the staging protocol; ``operators.calls.recursion`` detects such functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging.state_spec import Spec


class StagesCalls:
    """What a backend implements for recursion; without it, staged recursion is an error."""

    stages_calls = False
    """Whether the backend implements the methods below."""

    def callee(self, name: str) -> Any:
        """Declare a function, which may be called before it is defined."""
        raise NotImplementedError

    def trace_callee(
        self, callee: Any, specs: Sequence[Spec], body: Callable[[Sequence[Any]], None]
    ) -> None:
        """Trace ``body`` for values of these specs; this replaces an earlier trace.

        Values of enclosing traces may be used in it.
        """
        raise NotImplementedError

    def complete(self, callee: Any) -> bool:
        """Return whether calls of ``callee`` in its own trace pass all that it uses of other
        traces.

        If not, the body has to be traced again.
        """
        raise NotImplementedError

    def finish_callee(self, callee: Any, outputs: Callable[[], Sequence[Any]]) -> None:
        """Set the outputs of the function; ``outputs()`` must be called in its trace."""
        raise NotImplementedError

    def reaches(self, callee: Any) -> bool:
        """Return whether the values of other traces that ``callee`` uses are available in this one.
        """
        raise NotImplementedError

    def call_callee(
        self, callee: Any, values: Sequence[Any], results: Sequence[Spec]
    ) -> Sequence[Any]:
        """Record a call.  At run time, too deep recursion raises RecursionError."""
        raise NotImplementedError
