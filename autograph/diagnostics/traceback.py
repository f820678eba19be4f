"""Shortens tracebacks: removes the frames of autograph and its backends.

The user's frames remain, and the frame that the user's code called.  With AUTOGRAPH_DEBUG=1 nothing
is removed.
"""

from __future__ import annotations

from types import FrameType

from autograph import flags
from autograph.diagnostics.user_frame import is_own
from autograph.syntax.code_markers import in_prologue


def shorten(error: BaseException) -> None:
    """Remove the frames of autograph and backends from a traceback, below the one that handles it.
    """
    entry = error.__traceback__
    if flags.DEBUG.value:
        return
    while entry is not None:
        following = entry.tb_next
        while following is not None and _is_machinery(following.tb_frame):
            following = following.tb_next
        entry.tb_next = following
        entry = following


def _is_machinery(frame: FrameType) -> bool:
    return is_own(frame.f_code.co_filename) or in_prologue(frame)
