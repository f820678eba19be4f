"""Staging of control flow: what a conditional or a loop offers to a backend.

A part of the staging protocol; ``operators.control.conditionals`` and ``operators.iteration.loops``
implement it.
Each call passes a whole state between the packages: a flat list of values that the statement's
``StateSpec`` describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from autograph.staging.state_spec import StateSpec


class _NoItem:
    """Item of an iteration of ``while``, which has none."""


NO_ITEM = _NoItem()


class StagedCond(Protocol):
    """Conditional that a backend stages."""

    def trace(self, branch: bool) -> None:
        """Trace the branch for a true test (``branch``) or a false one.  Called in a new trace.

        A branch may be traced again; the last trace counts.
        """

    def join(self) -> StateSpec:
        """Return the joined layout of the outcomes of both branches, which have been traced."""

    def outputs(self, branch: bool) -> list[Any]:
        """Return the outcome of a branch, laid out as :meth:`join` says.  Called in the branch's
        trace.
        """


class StagedLoop(Protocol):
    """Loop that a backend stages.

    The backend traces ``body`` until it returns outputs.  When it returns None, ``spec`` has been
    widened, and the body must be traced again for inputs of the new spec (rarely more than twice).
    """

    @property
    def spec(self) -> StateSpec:
        """Return the layout of the loop's state."""

    @property
    def before(self) -> Sequence[Any]:
        """Return the values of the variables before the loop, not yet converted to the layout."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that ``set_loop_options`` set in the body: ``maximum_iterations``,
        ``shape_invariants``, ``parallel_iterations``, ``swap_memory``, ``checkpoint``."""

    def body(self, values: Sequence[Any], item: Any = NO_ITEM) -> list[Any] | None:
        """Return the state after one iteration; None if ``spec`` was too narrow.  Called in a new
        trace.

        Where the backend ``judges_traces``, it may return outputs though ``spec`` has grown: see
        there.  Values that are new in it are the last ones, and the body does not use them.
        ``item`` is the number of the iteration in a counted loop, or the item of an iterable.
        """

    def test(self, values: Sequence[Any]) -> Any:
        """Return whether there is another iteration: a staged scalar, or a Python bool.

        Called in a new trace, after ``body`` has returned outputs.
        """

    def start(self) -> list[Any]:
        """Return the initial state.  Called outside of the traces, after ``body`` has returned
        outputs.
        """
