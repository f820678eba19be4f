"""What the current trace can carry from call to call: lists, dicts and sets from outside.

What traces functions for later calls says so here; ``slices`` asks before it changes a dict of
Python's own at a staged key.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class _Carrying(threading.local):
    """The question whether a container can be carried, in this thread."""

    def __init__(self) -> None:
        self.can: Callable[[Any], bool] | None = None


_carrying = _Carrying()


def can_carry(holder: Any) -> bool:
    """Whether the trace that is being made could carry a list, dict or set."""
    return _carrying.can is not None and _carrying.can(holder)


@contextmanager
def carrying(can: Callable[[Any], bool]) -> Iterator[None]:
    """Within the block, ask ``can`` whether a container can be carried."""
    before, _carrying.can = _carrying.can, can
    try:
        yield
    finally:
        _carrying.can = before
