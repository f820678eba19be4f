"""Finds the innermost frame of the user's code, whose line error messages name.

Used by everything that raises an error.  All frames count as the user's except those of autograph
and of the packages that register a backend.
"""

from __future__ import annotations

import os
import sys
from types import FrameType


def package_folder(module: str) -> str:
    """Return the folder of the package that a module belongs to, however deep its own file is."""
    package = sys.modules[module.partition(".")[0]]
    return os.path.dirname(os.path.abspath(str(package.__file__))) + os.sep


PACKAGE_FOLDER = package_folder(__name__)
_own: tuple[str, ...] = (PACKAGE_FOLDER,)


def add_folder(folder: str) -> None:
    """Mark the files of a folder as internal: no message names their lines."""
    global _own
    _own = tuple(dict.fromkeys((*_own, folder)))


def is_own(filename: str) -> bool:
    """Whether a file is internal rather than the user's."""
    return filename.startswith(_own)


def user_frame() -> FrameType | None:
    """Return the innermost frame of the user's code."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_own):
        frame = frame.f_back
    return frame


def raised_at(error: BaseException) -> tuple[str, int] | None:
    """Return file and line of the innermost user's frame that an exception passed through."""
    place = None
    traceback = error.__traceback__
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(_own):
            place = traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next
    return place


def user_line() -> tuple[str, int] | None:
    """Return file and line of the innermost frame of the user's code."""
    frame = user_frame()
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)
