"""Run ids: which outermost call of converted code the current operations belong to.

The effects of a run belong together with what it returns, so backends that record into one
long-lived graph note the run with each operation.  The outermost call of a staged version
announces its run in a context variable; each thread has its own, and a task that outlives the run
sees that it ended.

Converted code also runs where nothing announces it: lambdas, generators that are resumed from
elsewhere, functions of converted files, unstaged versions that open a graph.  There the call stack
is searched.
"""

from __future__ import annotations

import itertools
import sys
import threading
import types
from contextvars import ContextVar, Token

from autograph.syntax.code_markers import is_converted_frame, may_be_converted


class Run:
    """Block in which a staged version is called: a run, or a part of the run around it.

    The block adds no frame to tracebacks, as a function that calls the other would.
    """

    __slots__ = ("_token", "number")

    def __init__(self) -> None:
        self.number = 0
        """The run's id; 0 before it begins, and when it is over."""
        self._token: Token[Run] | None = None

    def __enter__(self) -> None:
        if not RUN.get().number:
            self.number = _unannounced() or next(_numbers)
            self._token = RUN.set(self)

    def __exit__(self, *raised: object) -> None:
        if self._token is not None:
            RUN.reset(self._token)
            self.number = 0


_NO_RUN = Run()
RUN: ContextVar[Run] = ContextVar("run", default=_NO_RUN)
"""The run that the current context belongs to; its number is 0 where none was announced."""

_numbers = itertools.count(1)


def current_run() -> int:
    """Return the id of the run that the caller belongs to; 0 outside of converted code."""
    return RUN.get().number or _unannounced()


class _Latest(threading.local):
    """Outermost frame of this thread's latest unannounced run, and its id."""

    frame: types.FrameType | None = None
    number = 0


_latest = _Latest()
_plain: dict[int, types.CodeType] = {}
"""Code objects by their ids, which they keep: of functions that were not converted."""
_MOST = 4096


def _unannounced() -> int:
    """Return the id of the run found on the stack; 0 when no converted function is on it."""
    if "autograph.operators.namespaces" not in sys.modules:
        return 0  # nothing was converted yet
    if len(_plain) >= _MOST:
        _plain.clear()
    outermost: types.FrameType | None = None
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if id(code) not in _plain:
            if not may_be_converted(code):
                _plain[id(code)] = code
            elif is_converted_frame(frame):
                outermost = frame
        frame = frame.f_back
    if outermost is None:
        _latest.frame = None
        return 0
    # the frame is held, so that no later one can be taken for it
    if _latest.frame is not outermost:
        _latest.number = next(_numbers)
        _latest.frame = outermost
    return _latest.number
