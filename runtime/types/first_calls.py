"""What a first call does while it takes long: a line on a terminal or in a notebook, then gone.

At the bottom of the package: functions say that they trace, the native engine that it compiles.
Only first calls come here; calls of what is compiled already pay nothing.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import TextIO

from runtime.types.flags import FIRST_CALLS

AFTER = 0.5
"""Seconds after which a phase is long enough to be told."""

_phases: list[str] = []
_lock = threading.RLock()


def _output() -> TextIO | None:
    """Return where the line goes; None if nobody would see it, or the flag is off."""
    if not FIRST_CALLS.value:
        return None
    stream = sys.stderr
    try:
        seen = stream is not None and (stream.isatty() or _is_of_notebook(stream))
    except ValueError:  # it is closed
        return None
    return stream if seen else None


def _is_of_notebook(stream: TextIO) -> bool:
    return type(stream).__module__.partition(".")[0] == "ipykernel"


@contextlib.contextmanager
def phase(text: str) -> Iterator[None]:
    """Say within the block what is done, once that has taken half a second."""
    stream = _output()
    if stream is None:
        yield
        return
    shown: list[str] = []

    def show() -> None:
        with _lock:
            if _phases and _phases[-1] == text:
                shown.append(text)
                _write(stream, f"\r{text} ...")

    timer = threading.Timer(AFTER, show)
    timer.daemon = True
    _phases.append(text)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with _lock:
            _phases.pop()
            if shown:
                _write(stream, "\r" + " " * (len(text) + 4) + "\r")


def _write(stream: TextIO, text: str) -> None:
    with contextlib.suppress(ValueError):  # closed meanwhile
        stream.write(text)
        stream.flush()
