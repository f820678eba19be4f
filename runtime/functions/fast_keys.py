"""Marks of fast calls, and what each of them does to the arrays of its key.

Nothing here needs a trace: functions that were never traced share it.
"""

from __future__ import annotations

from typing import Any

MISS = object()
"""What a fast call gives where the general way has to be taken."""

KEYWORD = object()
"""Marker in front of the name of a keyword argument, in a key."""


def with_copies(arrays: list[Any]) -> list[Any]:
    """Return the arrays of a key for a run, with copies of the caller's, which stand in tuples.

    The caller may change them, and the result be the same array.
    """
    return [array[0].copy() if type(array) is tuple else array for array in arrays]
