"""Ends a process when the one that started it is gone, however that ended.

Called in the processes of ``conversions`` and ``doctests``, which would otherwise wait for work, or
go on with a user's program, after a signal has ended the command.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

_SECONDS = 0.5


def end_with(parent_ended: Callable[[], object]) -> None:
    """End this process as soon as ``parent_ended``, which blocks until then, returns."""

    def watch() -> None:
        parent_ended()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def wait_for_parent() -> None:
    """Return when the process has another parent than it has now."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(_SECONDS)
