"""Arrays that are no arguments of a traced function, and that staged values would change in place.

Used by ``slices``.  Such an array is a constant of the trace: it cannot hold a staged value.
"""

from __future__ import annotations

from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging.protocol import Backend
from autograph.staging.registry import TRACES, staging_backend


def check_array_item(holder: Any, value: Any, of_key: Backend | None) -> None:
    """EffectError for an item of an array that is given a staged value, or has a staged index."""
    if not TRACES:
        return
    backend = of_key or staging_backend(value)
    if backend is None or not isinstance(holder, backend.array_types):
        return
    if of_key is None or backend.is_staged(value):
        what = "is given a staged value"
    else:
        what = "changes at a staged index"
    raise EffectError(
        f"an array that tracing found as a constant {what}",
        where=user_line(),
        help="pass the array as an argument, or make one of the staged values: np.array([x, y])",
    )
