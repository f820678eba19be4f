"""Later reads: whether code that is being run refers to an object by another variable afterwards.

    ys = xs
    for i in range(n):       the list that ``ys`` is at first is seen again if ``xs`` is read below
        ys = [y + 1 for y in ys]
"""

from __future__ import annotations

import types
from typing import Any

from autograph.diagnostics.user_frame import user_frame
from autograph.syntax.code_markers import AG, in_prologue, is_added, is_converted
from autograph.syntax.instructions import instructions

_OF_VARIABLES = ("FAST", "DEREF", "CLOSURE")
"""In the names of the opcodes that load variables of functions."""


def is_seen_later(value: Any, variable: str) -> bool:
    """Whether functions that are being run may read an object by other variables than this one."""
    frame: types.FrameType | None = user_frame()
    while frame is not None:
        is_staged = AG in frame.f_code.co_names or is_converted(frame.f_code)
        if is_staged and not in_prologue(frame):
            for name, held in frame.f_locals.items():
                if held is value and name != variable and _is_read_later(frame, name):
                    return True
        frame = frame.f_back
    return False


def _is_read_later(frame: types.FrameType, name: str) -> bool:
    """Whether a frame may load a variable after the call that it is at."""
    steps = instructions(frame.f_code)
    after = [step for step in steps if step.offset > frame.f_lasti]
    if is_added(frame.f_code) or any("JUMP_BACKWARD" in step.opname for step in after):
        after = steps  # a body, or a loop: what stands before may run again
    return any(
        "LOAD" in step.opname and any(kind in step.opname for kind in _OF_VARIABLES)
        and (name in step.argval if isinstance(step.argval, tuple) else name == step.argval)
        for step in after
    )  # fmt: skip
