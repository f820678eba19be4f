"""Settings of a thread that a block changes: what a trace allows, notes or knows meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class ThreadSetting(threading.local, Generic[T]):
    """Value of its own in each thread; ``with setting(value):`` changes it for a block."""

    def __init__(self, value: T) -> None:
        self.value = value

    @contextmanager
    def __call__(self, value: T) -> Iterator[None]:
        """Set the value for a block, in this thread."""
        before, self.value = self.value, value
        try:
            yield
        finally:
            self.value = before
