"""Tracebacks of errors on their way to the user: the frames of the machinery are left out.

What remains are the user's lines, and the frame where the user's code met the machinery.
AUTOGRAPH_DEBUG leaves everything in.
"""

from __future__ import annotations

from autograph import flags
from autograph.places import is_own


def shorten(error: BaseException) -> None:
    """Take the machinery's frames out of an error's traceback, below the one that handles it."""
    entry = error.__traceback__
    if flags.DEBUG.value:
        return
    while entry is not None:
        following = entry.tb_next
        while following is not None and is_own(following.tb_frame.f_code.co_filename):
            following = following.tb_next
        entry.tb_next = following
        entry = following
