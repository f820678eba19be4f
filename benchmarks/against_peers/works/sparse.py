"""A sparse matrix in rows of indices and values, times a vector, by loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import jit, numba, python

Array = np.ndarray[Any, Any]


def product(starts: Array, columns: Array, values: Array, x: Array) -> Array:
    """Multiply, row by row."""
    y = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total
    return y


def matrix(rows: int, per_row: int) -> tuple[Array, ...]:
    """Draw a square matrix, with different counts of values in its rows, and a vector."""
    draw = np.random.default_rng(0)
    starts = np.concatenate(([0], np.cumsum(draw.integers(0, 2 * per_row, rows))))
    columns = draw.integers(0, rows, starts[-1])
    return starts, columns, draw.random(starts[-1]), draw.random(rows)


def in_scipy(starts: Array, columns: Array, values: Array, x: Array) -> Any:
    """Give the call of SciPy's product."""
    from scipy.sparse import csr_array

    rows = csr_array((values, columns, starts), shape=(len(x), len(x)))
    return lambda: rows @ x


LINES = [
    Line(
        "sparse matrix, 20,000 rows of 20, times a vector",
        inputs=lambda: matrix(20_000, 20),
        small=lambda: matrix(5, 2),
        systems={
            "Python": python(product),
            "SciPy": in_scipy,
            "numba": numba(product),
            "runtime.jit": jit(product),
        },
        targets=(Target("runtime.jit", 0.9, BEST_PEER),),
        tolerance=1e-12,
    ),
]
