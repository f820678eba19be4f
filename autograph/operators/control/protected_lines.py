"""Protected lines: whether an ``except`` or ``finally`` is around the line that a frame is at."""

from __future__ import annotations

import dis
import sys
import types
from typing import Any

from autograph.syntax.code_markers import AG, in_prologue, is_converted
from autograph.syntax.instructions import instructions


def inside_try() -> tuple[str, int] | None:
    """Return file and line of the innermost ``try`` of converted code around the current call."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        converted = is_converted(frame.f_code) or AG in frame.f_code.co_names
        if converted and not in_prologue(frame):
            line = _try_line(frame)
            if line is not None:
                return frame.f_code.co_filename, line
        frame = frame.f_back
    return None


def protects(frame: types.FrameType) -> bool:
    """Whether an ``except`` or ``finally`` protects the line that a frame is at."""
    return _try_line(frame) is not None


def _try_line(frame: types.FrameType) -> int | None:
    """Return the first line that the ``except`` or ``finally`` around a frame's line protects."""
    if not frame.f_code.co_exceptiontable:
        return None  # most functions: reading their instructions took a sixteenth of a first trace
    steps = instructions(frame.f_code)
    at = {step.offset: number for number, step in enumerate(steps)}
    bytecode: Any = dis.Bytecode(frame.f_code)
    entries = bytecode.exception_entries
    offset, seen = frame.f_lasti, set[int]()
    while True:
        target = next((e.target for e in entries if e.start <= offset < e.end), None)
        if target is None or target in seen:
            return None
        names = [i.opname for i in steps[at[target] : at[target] + 2]]
        # a ``with`` and a generator also protect their bodies, but handle nothing
        if names[0] == "PUSH_EXC_INFO" and names[1] not in _NO_HANDLERS:
            guarded = [range(e.start, e.end) for e in entries if e.target == target]
            inside = (i for i in steps if any(i.offset in span for span in guarded))
            lines = [i.positions.lineno for i in inside if i.positions and i.positions.lineno]
            return min(lines, default=frame.f_lineno)
        seen.add(target)
        offset = target  # the handler itself is protected by what is around the statement


_NO_HANDLERS = ("WITH_EXCEPT_START", "CALL_INTRINSIC_1")
