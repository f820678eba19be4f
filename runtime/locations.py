"""Where in the user's source an operation was made: found cheaply, shown in every error.

Frames of this package and of autograph are skipped; converted code is compiled on the user's own
file name, so the first other frame is the user's line.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_AUTOGRAPH = os.path.join(os.path.dirname(os.path.dirname(_HERE)), "autograph") + os.sep
_ours: dict[str, bool] = {}


class Location(NamedTuple):
    """A file and a line; false when not known."""

    file: str
    line: int

    def __bool__(self) -> bool:
        return bool(self.file)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else "an unknown place"


NOWHERE = Location("", 0)


def _is_ours(file: str) -> bool:
    return _ours.setdefault(file, file.startswith((_HERE, _AUTOGRAPH, "<frozen")))


def user_location() -> Location:
    """The innermost line that belongs neither to the runtime nor to autograph."""
    frame = sys._getframe(1)
    while True:
        file = frame.f_code.co_filename
        inside = _ours.get(file)
        if not (_is_ours(file) if inside is None else inside):
            return Location(file, frame.f_lineno)
        if frame.f_back is None:
            return NOWHERE
        frame = frame.f_back
