"""Masks of attention, True where a query attends to a key."""

from __future__ import annotations

from typing import Any

from runtime.ops.array.creation import range as range_
from runtime.ops.array.shape import expand_dims
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.math import elementwise
from runtime.ops.math.comparison import less, less_equal
from runtime.ops.math.logical import logical_and


def combined(first: Any, second: Any) -> Any:
    """Return where both masks are True; None stands for a mask that is True everywhere."""
    if first is None or second is None:
        return second if first is None else first
    return logical_and(first, second)


def causal_mask(scores: Any) -> Any:
    """Return which keys are not later than the query, for scores (..., queries, keys)."""
    rows, columns = _places(scores)
    return less_equal(columns, rows)


def near_mask(scores: Any, width: int) -> Any:
    """Return which keys are less than ``width`` steps from the query."""
    rows, columns = _places(scores)
    return less(elementwise.abs(rows - columns), width)


def _places(scores: Any) -> tuple[Any, Any]:
    """Return the numbers of the queries as a column, and those of the keys as a row."""
    sizes = shape_of(scores)
    return expand_dims(range_(sizes[-2]), 1), expand_dims(range_(sizes[-1]), 0)
