"""Reads the instructions of a code object, also where a constant has no decimal text.

Used by operators that read the bytecode of the user's functions.
"""

from __future__ import annotations

import dis
import types
from typing import Any


def instructions(code: types.CodeType) -> list[dis.Instruction]:
    """Return the instructions of ``code``; integers too long to be printed are shown as 1."""
    try:
        return list(dis.get_instructions(code))
    except ValueError:  # dis prints constants, and Python limits the digits
        constants = tuple(map(_printable, code.co_consts))
        return list(dis.get_instructions(code.replace(co_consts=constants)))


def _printable(constant: Any) -> Any:
    if isinstance(constant, tuple):
        return tuple(map(_printable, constant))
    if isinstance(constant, frozenset):
        return frozenset(map(_printable, constant))
    try:
        repr(constant)
    except ValueError:
        return 1
    return constant
