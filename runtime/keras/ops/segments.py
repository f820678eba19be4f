"""Reductions of ``keras.ops`` over rows that belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.docstrings import documented
from runtime.ops.math import reduction, scans
from runtime.types.dtypes import int32

_VERBS = {"max": "Return the greatest rows", "min": "Return the least rows",
          "prod": "Multiply the rows", "sum": "Add up the rows"}  # fmt: skip


def _segment_reduction(kind: str) -> Callable[..., Any]:
    reduce = getattr(scans, f"unsorted_segment_{kind}")

    def segments(
        data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False
    ) -> Any:
        data, ids = convert_to_tensor(data), cast(convert_to_tensor(segment_ids), int32)
        count = reduction.reduce_max(ids) + 1 if num_segments is None else num_segments
        return reduce(data, ids, count)

    segments.__name__ = segments.__qualname__ = f"segment_{kind}"
    segments.__doc__ = f"{_VERBS[kind]} of each segment."
    return documented(
        "Tensor with a row for each segment", data="tensor", segment_ids="segment of each row",
        num_segments="their number; None: as the ids say", sorted="without effect",
    )(segments)  # fmt: skip


globals().update({f"segment_{kind}": _segment_reduction(kind) for kind in _VERBS})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
