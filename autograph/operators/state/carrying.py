"""What the current trace can carry from call to call: lists, dicts and sets from outside.

What traces functions for later calls says so here; ``slices`` asks before it changes a dict of
Python's own at a staged key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.syntax.thread_setting import ThreadSetting

carrying = ThreadSetting[Callable[[Any], bool] | None](None)
"""``with carrying(can)``: within the block, ``can`` says whether a container can be carried."""


def can_carry(holder: Any) -> bool:
    """Whether the trace that is being made could carry a list, dict or set."""
    can = carrying.value
    return can is not None and can(holder)
