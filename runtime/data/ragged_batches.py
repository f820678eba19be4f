"""Ragged components at run time: their values and splits, put together and taken apart.

A row holds for each the flat values, then the splits of all levels, outermost first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Part = Sequence[Any]
"""Flat values and splits."""


def ragged_stacked(rows: Sequence[Part]) -> list[Any]:
    """Ragged components, or tensors of different sizes, as one with a level more."""
    rows = [[np.asarray(array) for array in row] for row in rows]
    flat = np.concatenate([row[0] for row in rows])
    outer = _ends([_rows(row) for row in rows])
    levels = [_concatenate_splits([row[level] for row in rows]) for level in range(1, len(rows[0]))]
    return [flat, outer, *levels]


def _rows(row: Part) -> int:
    return len(row[1]) - 1 if len(row) > 1 else len(row[0])


def _ends(sizes: Sequence[int]) -> Any:
    return np.cumsum([0, *sizes]).astype(np.int64)


def _concatenate_splits(splits: Sequence[Any]) -> Any:
    """The splits of rows one behind the other."""
    return _ends(np.concatenate([np.diff(ends) for ends in splits]).tolist())


def ragged_entries(component: Part) -> Iterator[tuple[Any, ...]]:
    """The rows of a ragged component: each a component with a level less."""
    flat, outer, *inner = component
    for start, end in zip(outer[:-1].tolist(), outer[1:].tolist()):
        levels: list[Any] = []
        for ends in inner:
            row_ends = ends[start : end + 1]
            levels.append(row_ends - row_ends[0])
            start, end = int(row_ends[0]), int(row_ends[-1])
        yield (flat[start:end], *levels)


def ragged_of(array: Any, levels: int) -> list[Any]:
    """A tensor as a ragged component of so many levels, all rows of a level being equally long."""
    sizes = array.shape
    splits = []
    rows = 1
    for level in range(levels):
        rows *= sizes[level]
        splits.append(np.arange(rows + 1, dtype=np.int64) * sizes[level + 1])
    inner = sizes[levels + 1 :]
    return [array.reshape((rows * sizes[levels], *inner)) if levels else array, *splits]
