"""Heat and the game of life by loops over two arrays that are exchanged after each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import jit, numba, python

Array = np.ndarray[Any, Any]


def heat(start: Array, steps: int) -> Array:
    """Spread heat by the explicit method of Euler."""
    u, v = start.copy(), start.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                v[i, j] = u[i, j] + 0.2 * (around - 4.0 * u[i, j])
        u, v = v, u
    return u


def life(start: Array, steps: int) -> Array:
    """Play Conway's game of life on a torus."""
    rows, columns = start.shape
    now, then = start.copy(), start.copy()
    for _ in range(steps):
        for i in range(rows):
            for j in range(columns):
                up, down = (i - 1) % rows, (i + 1) % rows
                left, right = (j - 1) % columns, (j + 1) % columns
                count = (
                    now[up, left] + now[up, j] + now[up, right] + now[i, left]
                    + now[i, right] + now[down, left] + now[down, j] + now[down, right]
                )  # fmt: skip
                if now[i, j] == 1:
                    then[i, j] = 1 if count == 2 or count == 3 else 0
                else:
                    then[i, j] = 1 if count == 3 else 0
        now, then = then, now
    return now


def line(
    title: str, program: Callable[..., Any], start: Callable[[int], Array], sizes: tuple[int, int]
) -> Line:
    """Give the line of a program, for a square of a width and a number of steps."""
    width, steps = sizes
    return Line(
        title,
        inputs=lambda: (start(width), steps),
        small=lambda: (start(6), 2),
        systems={"Python": python(program), "numba": numba(program), "runtime.jit": jit(program)},
        targets=(Target("runtime.jit", 0.9, BEST_PEER),),
        tolerance=1e-12,
    )


def temperatures(width: int) -> Array:
    """Draw a square of temperatures."""
    return np.random.default_rng(0).random((width, width))


def cells(width: int) -> Array:
    """Draw a square of cells."""
    return np.random.default_rng(0).integers(0, 2, (width, width))


LINES = [
    line("heat on 128x128, 50 steps", heat, temperatures, (128, 50)),
    line("game of life on 64x64, 20 steps", life, cells, (64, 20)),
]
