"""What staging gives to graphs: hooks that ``runtime.staging`` fills when it is loaded.

It is loaded before the first function is converted.  Until then no converted code records and no
array is staged, which is what the hooks say as they stand here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.errors import UnconvertedError
from autograph.tracing import load_announced

CheckArrays = Callable[[Any], object]
"""Raises EffectError if an array from outside of a graph is left with contents from inside."""


def _nothing_to_check(graph: Any) -> None:
    """No array can be staged."""


def _explain_when_loaded(error: UnconvertedError, *replacement: Any) -> UnconvertedError:
    load_announced()  # the backend, which fills the hooks
    return STAGING.explain(error, *replacement)


class StagingHooks:
    """What graphs ask of staging."""

    def __init__(self) -> None:
        self.run_id: Callable[[], int] = int
        """Gives the run id of the converted code that records now; 0 outside of such code."""
        self.watch_arrays: Callable[[], CheckArrays] = lambda: _nothing_to_check
        """Watches over arrays from now on, and gives what checks them when a body is traced."""
        self.explain: Callable[..., UnconvertedError] = _explain_when_loaded
        """Adds to an error which code asked for the value of a symbolic tensor, and why it is not
        converted.  A second argument names what does on tensors what a function in C does on
        arrays, or gives None for it.  The first call costs an import.
        """


STAGING = StagingHooks()
