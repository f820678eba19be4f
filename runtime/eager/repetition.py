"""Repetition of Python's sequences by one integer: ``[0] * n``, ``n * (1,)`` and ``"-" * n``.

The operator ``*`` of tensors asks here: one integer repeats a sequence, as in Python and as NumPy's
scalars do; any other tensor multiplies its items.  ``a *= n`` reaches the same method; it has to
change the list ``a`` itself, so the caller's instruction tells which of both it is.
"""

from __future__ import annotations

import types
from functools import lru_cache
from typing import Any

from autograph.diagnostics import user_frame
from autograph.syntax.instructions import instructions


def counts(value: Any) -> bool:
    """Return whether an eager tensor is one integer or bool, which repeats a list beside it."""
    array = getattr(value, "_array", None)
    return array is not None and array.ndim == 0 and array.dtype.kind in "iub"


def repeated(sequence: Any, count: int) -> Any:
    """Return ``sequence * count``; a list itself where its caller says ``sequence *= count``."""
    if type(sequence) is not list or not is_in_place():
        return sequence * count
    sequence *= count
    return sequence


def is_in_place() -> bool:
    """Return whether the operator that is being computed is an in-place one of the user's code."""
    frame = user_frame.user_frame()
    return frame is not None and frame.f_lasti in _in_place(frame.f_code)


@lru_cache(maxsize=256)
def _in_place(code: types.CodeType) -> frozenset[int]:
    """Return the offsets of the instructions ``*=``."""
    return frozenset(
        one.offset for one in instructions(code) if one.argrepr == "*="
    )
