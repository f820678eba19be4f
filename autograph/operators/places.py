"""Where in the user's code an operator was called."""

from __future__ import annotations

import sys
from types import FrameType

from autograph.errors import AutoGraphError
from autograph.operators.frames import HERE


def user_place() -> tuple[str, int] | None:
    """File and line of the innermost frame outside this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(HERE):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def located(error: AutoGraphError) -> AutoGraphError:
    """The error, with the user's line added unless it has one."""
    if error.where is None:
        error.where = user_place()
    return error
