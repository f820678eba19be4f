"""Control flow as backends stage it: what a staged statement offers them.

A part of the staging protocol; operators make the statements.  Each function that a backend calls
here crosses the wall between the packages once, with a whole state: flat lists of values, which
the statement's ``StateSpec`` describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from autograph.staging.state_spec import StateSpec


class _NoItem:
    """What a turn of a ``while`` is for."""


NO_ITEM = _NoItem()


class StagedCond(Protocol):
    """A conditional on its way to a backend."""

    def trace(self, taken: bool) -> None:
        """Run the body of the side for a test that is ``taken`` (or not), in a trace of its own.

        A side may be traced again; the last trace counts.
        """

    def join(self) -> StateSpec:
        """How the outcomes of both sides, which were traced, are laid out."""

    def outputs(self, taken: bool) -> list[Any]:
        """The outcome of a side as the values of :meth:`join`; to be called in its trace."""


class StagedLoop(Protocol):
    """A loop on its way to a backend.

    To be traced until ``body`` has outputs: each time it gives None, ``spec`` has become wider,
    and the body is traced again for inputs that it describes (rarely more than twice).
    """

    @property
    def spec(self) -> StateSpec:
        """How the state of a turn is laid out."""

    @property
    def before(self) -> Sequence[Any]:
        """The values of the variables before the loop, as the program has them."""

    @property
    def options(self) -> Mapping[str, Any]:
        """What ``set_loop_options`` said in the body: ``maximum_iterations``,
        ``shape_invariants``, ``parallel_iterations``, ``swap_memory``, ``checkpoint``."""

    def body(self, values: Sequence[Any], item: Any = NO_ITEM) -> list[Any] | None:
        """The state after one more turn, in the trace of the body; None: ``spec`` was too narrow.

        ``item`` is the number of the turn in a loop that counts, or else what the turn is for.
        """

    def test(self, values: Sequence[Any]) -> Any:
        """Whether there is another turn: a staged scalar, or a Python bool.

        Asked when the spec has settled, in a trace of its own.
        """

    def start(self) -> list[Any]:
        """The state before the first turn, to be called outside of the traces when settled."""
