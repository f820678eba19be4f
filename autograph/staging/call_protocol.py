"""Recursion as backends stage it: functions that call themselves at run time.

A part of the staging protocol; ``operators.recursion`` decides what is such a function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging.state_spec import Spec


class StagesCalls:
    """What a backend does for recursion; without it, recursion is refused."""

    stages_calls = False
    """Whether it can do so."""

    def callee(self, name: str) -> Any:
        """A function that is to be defined, and may be called before."""
        raise NotImplementedError

    def trace_callee(
        self, callee: Any, specs: Sequence[Spec], body: Callable[[Sequence[Any]], None]
    ) -> None:
        """Trace ``body`` for values of these specs, in place of what was traced before.

        Values of enclosing traces may be used in it.
        """
        raise NotImplementedError

    def complete(self, callee: Any) -> bool:
        """Whether calls of ``callee`` in its own trace pass all that it uses of other traces.

        Else the body has to be traced again.
        """
        raise NotImplementedError

    def finish_callee(self, callee: Any, outputs: Callable[[], Sequence[Any]]) -> None:
        """Say what the function returns; ``outputs`` is to be called in its trace."""
        raise NotImplementedError

    def reaches(self, callee: Any) -> bool:
        """Whether what ``callee`` uses of other traces is at hand in the current one."""
        raise NotImplementedError

    def call_callee(
        self, callee: Any, values: Sequence[Any], results: Sequence[Spec]
    ) -> Sequence[Any]:
        """Record a call.  At run time, too many calls inside each other are a RecursionError."""
        raise NotImplementedError
