"""Arrays that are constants of a trace, and that staged values would change in place.

Used by ``slices`` and ``array_methods``.  Such an array cannot hold a staged value; one that the
function makes is staged when the function is traced again (array_creations.py).
"""

from __future__ import annotations

from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend
from autograph.staging.staged_union import StagedUnion
from autograph.tracing import TRACES


def check_array_item(holder: Any, value: Any, of_key: Backend | None) -> None:
    """EffectError for an item of an array that is given a staged value, or has a staged index."""
    if not TRACES:
        return
    is_union = isinstance(value, StagedUnion)
    backend = of_key or (value.ag__backend if is_union else staging_backend(value))
    if backend is None or not isinstance(holder, backend.array_types):
        return
    if of_key is None or is_union or backend.is_staged(value):
        change = "is given a staged value"
    else:
        change = "changes at a staged index"
    raise constant_changes(holder, change)


def constant_changes(holder: Any, change: str) -> EffectError:
    """Return the error for an array that is a constant of the trace."""
    return EffectError(
        f"an array that tracing found as a constant {change}",
        where=user_line(),
        help="pass the array as an argument, or make one of the staged values: np.array([x, y])",
    ).of(holder)
