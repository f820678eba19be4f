"""No test of several processes may wait for ever."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import NoReturn

import pytest

SECONDS = 540
"""Many times what the longest test needs on busy cores."""


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """Fail a test that takes too long; what it waits for is in the traceback."""
    if not hasattr(signal, "SIGALRM"):  # Windows
        yield
        return

    def fail(*_: object) -> NoReturn:
        raise TimeoutError(f"the test takes more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
