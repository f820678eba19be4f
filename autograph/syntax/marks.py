"""How code objects say that conversion made them: by their last constant.

Written by ``load``; read by whoever meets a function and asks whether it is converted.
"""

from __future__ import annotations

import types

MARK = "converted by autograph"
"""The last constant of the code of a converted function, and of the functions inside it."""

BODY_MARK = "added by autograph"
"""The last constant of the code of a local function that conversion added."""


def is_converted(code: types.CodeType) -> bool:
    """Whether conversion made a code object."""
    constants = code.co_consts
    return bool(constants) and constants[-1] in (MARK, BODY_MARK)


def is_added(code: types.CodeType) -> bool:
    """Whether a code object is a local function that conversion added."""
    constants = code.co_consts
    return bool(constants) and constants[-1] == BODY_MARK
