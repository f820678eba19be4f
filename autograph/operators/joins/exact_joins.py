"""Joins that keep types: a number of Python's joins no array's scalar, nor one shape another.

Where a loop is staged that Python could run, its variables must keep the types that Python gives
them; see ``long_loops``.
"""

from __future__ import annotations

from autograph.staging.protocol import Backend
from autograph.staging.state_spec import Spec
from autograph.syntax.thread_setting import ThreadSetting

joining_exactly = ThreadSetting(False)
"""``with joining_exactly(True)``: refuse other joins within the block."""


def join_specs(left: Spec, right: Spec, backend: Backend) -> Spec:
    """Join two specs as the backend does; TypeError with the reason if that is not possible."""
    if joining_exactly.value and left != right:
        raise TypeError(f"it is {left!r} on one path and {right!r} on the other")
    return backend.join(left, right)
