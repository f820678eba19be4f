"""Replacements for functions that inspect their callers' frames, such as ``sys._getframe``.

The local functions that conversion adds, and the operators, have frames of their own.  A function
that asks for the caller of its caller must see the user's frames only.
"""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

from autograph.diagnostics.source_lines import is_operand
from autograph.diagnostics.user_frame import PACKAGE_FOLDER
from autograph.syntax.code_markers import ADDED, AG, in_prologue, is_added, is_converted


def is_users(frame: types.FrameType) -> bool:
    """Whether a frame exists in the unconverted program, too."""
    code = frame.f_code
    if code.co_filename.startswith(PACKAGE_FOLDER) or is_added(code) or in_prologue(frame):
        return False
    if AG not in frame.f_globals or is_converted(code):
        return True
    # in converted files, bodies are known by name alone, and lambdas by their position
    if code.co_name == "<lambda>":
        return not is_operand(frame)
    return not ADDED.match(code.co_name)


def getframe(depth: int = 0, /) -> types.FrameType:
    """``sys._getframe``: the frame ``depth`` callers up, counting the user's functions only."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_users(frame):
            if depth <= 0:
                return frame
            depth -= 1
        frame = frame.f_back
    raise ValueError("call stack is not deep enough")


def getframemodulename(depth: int = 0) -> str | None:
    """``sys._getframemodulename``: the module of the function ``depth`` callers up."""
    try:
        name = getframe(depth).f_globals.get("__name__")
    except ValueError:
        return None
    return name if isinstance(name, str) else None


def warn(
    message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any
) -> None:
    """``warnings.warn``: ``stacklevel`` counts the user's functions only."""
    level, remaining = 2, max(stacklevel, 1)
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        # of a function and its bodies, the innermost frame is at the line that runs
        inside = is_users(frame) or not frame.f_code.co_filename.startswith(PACKAGE_FOLDER)
        if inside and remaining == 1:
            break
        remaining -= is_users(frame)
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, level, source, **options)


STAND_INS: dict[Any, Any] = {sys._getframe: getframe, warnings.warn: warn}
if hasattr(sys, "_getframemodulename"):
    STAND_INS[sys._getframemodulename] = getframemodulename
