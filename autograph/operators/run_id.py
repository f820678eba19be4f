"""Which run of converted code the current operations belong to.

A program is one outermost call of a converted function: its effects belong together with what it
returns.  Backends that record into one long-lived graph ask for it.
"""

from __future__ import annotations

import sys
import threading
import types

from autograph.operators.caller_frames import is_converted_frame, may_be_converted


class _Program(threading.local):
    """The frame of this thread's latest program, and the program's number."""

    frame: types.FrameType | None = None
    number = 0


_latest = _Program()
_count = 0
_lock = threading.Lock()


_plain: dict[int, types.CodeType] = {}
"""Code objects by their ids, which they keep: of functions that were not converted."""
_MOST = 4096


def _note_plain(code: types.CodeType) -> None:
    if len(_plain) >= _MOST:
        _plain.clear()
    _plain[id(code)] = code


def current_program() -> int:
    """The number of the program that runs in this thread; 0 outside of converted code."""
    global _count
    outermost: types.FrameType | None = None
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:  # for each operation that is recorded: this has to be fast
        code = frame.f_code
        if id(code) not in _plain:
            if not may_be_converted(code):
                _note_plain(code)
            elif is_converted_frame(frame):
                outermost = frame
        frame = frame.f_back
    if outermost is None:
        _latest.frame = None
        return 0
    # the frame is held, so that no later one can be taken for it
    if _latest.frame is not outermost:
        with _lock:
            _count += 1
            _latest.number = _count
        _latest.frame = outermost
    return _latest.number
