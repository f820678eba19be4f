"""Budget of a trace: it is given up when it takes much longer than the calls it should speed up.

Tracing may take exponentially long, as for a recursion that builds a tree of objects.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from autograph.diagnostics.user_frame import user_line
from autograph.errors import StagingError
from runtime.ops.dispatch import THREAD

EVERY = 256
"""Operations between two looks at the clock."""

OPERATIONS_A_SECOND = 1_000
"""Fewest operations that a second is for: what takes longer is imports, or another program."""


LONGEST_TRACE = 1.0
"""Seconds that tracing may take, where plain calls have not taken longer."""

TRACED_AGAIN = 10
"""Once plain calls took so many times as long as a trace that was given up, it may take as long."""


class TraceTooLongError(StagingError):
    """A trace was given up."""

    next_due = 0.0
    """Seconds of plain calls after which another trace may take as long as they."""


@contextlib.contextmanager
def trace_budget(spent: float) -> Iterator[None]:
    """Raise TraceTooLongError once a trace in the block has taken too long, and become large.

    ``spent`` is the time in seconds of the plain calls so far.
    """
    seconds = max(LONGEST_TRACE, spent)
    end, start = time.perf_counter() + seconds, THREAD.recorded
    few = start + seconds * OPERATIONS_A_SECOND

    def check() -> None:
        if THREAD.recorded > few and time.perf_counter() > end:
            error = TraceTooLongError(
                f"tracing was given up after {seconds:.1f} s and {THREAD.recorded - start:,} "
                "operations",
                where=user_line(),
                help="with strict=True, tracing takes as long as it takes",
            )
            error.next_due = TRACED_AGAIN * seconds
            raise error
        THREAD.checkpoint = THREAD.recorded + EVERY

    before = THREAD.checkpoint, THREAD.check
    THREAD.checkpoint, THREAD.check = THREAD.recorded + EVERY, check
    try:
        yield
    finally:
        THREAD.checkpoint, THREAD.check = before
