"""Methods of dicts in plain Python, for dicts whose keys only the run knows."""

from __future__ import annotations

from typing import Any

from autograph.library.equality import same_or_equal


def equal(left: Any, right: Any, /) -> Any:
    """``left == right``."""
    return len(left) == len(right) and have_equal_items(left, right)


def have_equal_items(left: Any, right: Any, /) -> Any:
    """Whether a dict has all keys of another one, and the same or equal values there."""
    are_equal = True
    for key, value in left.items():
        is_equal = key in right and same_or_equal(right[key], value)
        if not is_equal:
            are_equal = False
            break
    return are_equal
