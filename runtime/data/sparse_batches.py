"""Sparse components at run time: their indices, values and shapes, put together and taken apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.types.errors import InvalidArgumentError


def sparse_stacked(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Sparse components as one with an axis more, of the largest sizes among them.

    InvalidArgumentError where their ranks differ.
    """
    ranks = {len(sizes) for _, _, sizes in rows}
    if len(ranks) > 1:
        raise InvalidArgumentError(
            f"Cannot batch sparse tensors of different ranks: {sorted(ranks)}"
        )
    numbers = np.repeat(np.arange(len(rows)), [len(indices) for indices, _, _ in rows])
    places = np.concatenate([indices for indices, _, _ in rows])
    largest = np.max([sizes for _, _, sizes in rows], 0)
    return [
        np.concatenate([numbers[:, None], places], 1),
        np.concatenate([values for _, values, _ in rows]),
        np.concatenate([[len(rows)], largest]).astype(np.int64),
    ]


def sparse_entries(component: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """The entries of a sparse component along its first axis: each a component."""
    indices, values, sizes = component
    order = np.argsort(indices[:, 0], kind="stable")
    ends = np.searchsorted(indices[order, 0], np.arange(sizes[0] + 1))
    for start, end in itertools.pairwise(ends):
        entry = order[start:end]
        yield indices[entry, 1:], values[entry], sizes[1:]
