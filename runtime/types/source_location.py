"""Source location of operations: the user's line, found cheaply and shown in every error.

Frames of this package and of autograph are skipped; converted code is compiled on the user's own
file name, so the first other frame is the user's line.
"""

from __future__ import annotations

import linecache
import sys
import threading
import types

from autograph.diagnostics import user_frame
from autograph.named_tuples import NamedTuple
from autograph.syntax.code_markers import BODY_MARK, MARK, is_added

PACKAGE_FOLDER = user_frame.package_folder(__name__)
user_frame.add_folder(PACKAGE_FOLDER)
_OURS = (PACKAGE_FOLDER, user_frame.PACKAGE_FOLDER, "<frozen")
_ours: dict[str, bool] = {}

Calls = tuple[tuple[types.CodeType, int], ...]
"""Pairs of a code object and an instruction offset, the innermost first."""


class Location(NamedTuple):
    """File and line, and the calls of converted code that led there; false when unknown.

    ``calls`` are those of converted code.
    """

    file: str
    line: int
    calls: Calls = ()

    def __bool__(self) -> bool:
        return bool(self.file)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else "an unknown place"

    def described(self) -> str:
        """Return the location with the text of the line, if that is known."""
        text = linecache.getline(self.file, self.line).strip() if self.file else ""
        return f"{self}: {text}" if text else str(self)

    def chain(self) -> list[str]:
        """Return a line for each call, the innermost first: location, function, source."""
        lines: list[str] = []
        inside = False  # a body that conversion added belongs to the function that follows
        for code, offset in self.calls:
            if not inside:
                positions = list(code.co_positions())[offset // 2]
                line = positions[0] or code.co_firstlineno
                text = linecache.getline(code.co_filename, line).strip()
                shown = f"{code.co_filename}:{line}, in {code.co_name}"
                lines.append(f"{shown}: {text}" if text else shown)
            inside = is_added(code)
        return lines


UNKNOWN_LOCATION = Location("", 0)


def _is_ours(file: str) -> bool:
    return _ours.setdefault(file, file.startswith(_OURS))


def is_machinery(code: types.CodeType) -> bool:
    """Return whether code belongs to the packages, or is a body that conversion added."""
    return _is_ours(code.co_filename) or is_added(code)


def user_location(depth: int = 1) -> Location:
    """Return the innermost line outside of the packages, and its callers in converted code.

    ``depth`` innermost frames are skipped: they are known to be the runtime's.
    """
    frame: types.FrameType | None = sys._getframe(depth)
    trace_frame, around = _traces.around[-1]
    while frame is not None:
        if frame is trace_frame:
            return around
        code = frame.f_code
        file = code.co_filename
        inside = _ours.get(file)
        if not (_is_ours(file) if inside is None else inside):
            line = frame.f_lineno
            if code.co_consts[-1:] in _MARKED:
                return Location(file, line, _calls(frame))
            latest = _latest[0]  # a loop makes many operations in one line
            if latest.file is not file or latest.line != line or latest.calls:
                latest = _latest[0] = Location(file, line)
            return latest
        frame = frame.f_back
    return UNKNOWN_LOCATION


def raised_location(error: BaseException) -> Location:
    """Return the user's line that raised an exception which left the current call."""
    location = user_location()
    calls = location.calls
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not _is_ours(code.co_filename):
            if code.co_consts[-1:] in _MARKED:
                calls = ((code, traceback.tb_lasti), *calls)
            location = Location(code.co_filename, traceback.tb_lineno, calls)
        traceback = traceback.tb_next
    return location


class _Traces(threading.local):
    """Frames of the traces in progress, each with its location: the calls around it."""

    def __init__(self) -> None:
        self.around: list[tuple[types.FrameType | None, Location]] = [(None, UNKNOWN_LOCATION)]


_traces = _Traces()


class KnownCallers:
    """Context within which the calls around the current frame are looked up only once.

    Nested branches are traced within each other: each operation would look up all calls again.
    """

    def __init__(self) -> None:
        self.depth = len(_traces.around)

    def __enter__(self) -> None:
        frame = sys._getframe(1)
        _traces.around.append((frame, user_location(2)))

    def __exit__(self, *_: object) -> None:
        del _traces.around[self.depth :]


_MARKED = ((MARK,), (BODY_MARK,))
_latest = [UNKNOWN_LOCATION]


def _calls(innermost: types.FrameType) -> Calls:
    """Return the calls of converted code from ``innermost`` outwards."""
    calls: list[tuple[types.CodeType, int]] = []
    frame: types.FrameType | None = innermost
    trace_frame, around = _traces.around[-1]
    while frame is not None:  # runs for each recorded operation: it must be fast
        if frame is trace_frame:
            return (*calls, *around.calls)
        code = frame.f_code
        inside = _ours.get(code.co_filename)
        if not (_is_ours(code.co_filename) if inside is None else inside):
            mark = code.co_consts[-1:]
            if not mark or mark[0] is not MARK and mark[0] is not BODY_MARK:
                break
            calls.append((code, frame.f_lasti))
        frame = frame.f_back
    return tuple(calls)
