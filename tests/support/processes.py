"""Child processes that end: each has a time limit, and can be interrupted."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import Any

LIMIT = 120


@contextlib.contextmanager
def child(
    command: Sequence[Any], limit: float = LIMIT, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """A process that SIGINT ends, killed at the time limit (its pipes end then) or on exit.

    A shell's background jobs ignore SIGINT, and so would their children.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, **options)
    finally:
        signal.signal(signal.SIGINT, before)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    try:
        with process:
            try:
                yield process
            finally:
                process.kill()
    finally:
        timer.cancel()
