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


class TraceTooLongError(StagingError):
    """A trace was given up."""


@contextlib.contextmanager
def trace_budget(seconds: float) -> Iterator[None]:
    """Raise TraceTooLongError once a trace in the block has taken so long and become that large."""
    end, start = time.perf_counter() + seconds, THREAD.recorded
    few = start + seconds * OPERATIONS_A_SECOND

    def check() -> None:
        if THREAD.recorded > few and time.perf_counter() > end:
            raise TraceTooLongError(
                f"tracing was given up after {seconds:.1f} s and {THREAD.recorded - start:,} "
                "operations",
                where=user_line(),
                help="with strict=True, tracing takes as long as it takes",
            )
        THREAD.checkpoint = THREAD.recorded + EVERY

    before = THREAD.checkpoint, THREAD.check
    THREAD.checkpoint, THREAD.check = THREAD.recorded + EVERY, check
    try:
        yield
    finally:
        THREAD.checkpoint, THREAD.check = before
