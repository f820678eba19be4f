"""The Mandelbrot set, 256 by 256: a loop of operations on whole arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import eager, function, jax, jit, numba, python, tensorflow
from benchmarks.against_peers.systems import torch as torch_eager

TURNS = 100

# Four of gcc's vectors of sixteen points at a time, as each waits for its own last turn.
IN_C = """
void work(float *re, float *im, int count, int turns, int *inside_for) {
    typedef float numbers __attribute__((vector_size(64), aligned(4), may_alias));
    typedef int counts __attribute__((vector_size(64), aligned(4), may_alias));
    enum { WIDTH = 16, VECTORS = 4 };
    for (int p = 0; p < count; p += WIDTH * VECTORS) {
        numbers *a = (numbers *)(re + p), *b = (numbers *)(im + p);
        numbers x[VECTORS] = {0}, y[VECTORS] = {0};
        counts n[VECTORS] = {0};
        for (int t = 0; t < turns; t++)
            for (int k = 0; k < VECTORS; k++) {
                numbers xx = x[k] * x[k], yy = y[k] * y[k];
                numbers nx = xx - yy + a[k], ny = 2 * x[k] * y[k] + b[k];
                counts inside = xx + yy <= 4;
                n[k] -= inside;
                x[k] = (numbers)(((counts)nx & inside) | ((counts)x[k] & ~inside));
                y[k] = (numbers)(((counts)ny & inside) | ((counts)y[k] & ~inside));
            }
        memcpy(inside_for + p, n, sizeof n);
    }
}
"""


def in_c(re: Any, im: Any) -> CCall:
    """Give the call of the C code."""
    found = np.zeros(re.shape, np.int32)
    sizes = np.int32(re.size), np.int32(TURNS)
    return CCall(IN_C, re, im, *sizes, found, answer=found, flags="-ffp-contract=off")


def in_numpy(re: Any, im: Any) -> Any:
    """Move the whole picture in a loop."""
    x, y, turns = np.zeros_like(re), np.zeros_like(im), np.zeros(re.shape, np.int32)
    for _ in range(TURNS):
        inside = x * x + y * y <= 4
        turns += inside
        x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2 * x * y + im, y)
    return turns


def by_points(re: Any, im: Any) -> Any:
    """Move point by point, each until it escapes."""
    turns = np.zeros(re.shape, np.int32)
    for i in range(re.shape[0]):
        for j in range(re.shape[1]):
            x = y = np.float32(0)
            n = 0
            while n < TURNS and x * x + y * y <= 4:
                x, y = x * x - y * y + re[i, j], 2 * x * y + im[i, j]
                n += 1
            turns[i, j] = n
    return turns


def with_tensors(tf: Any) -> Any:
    """Give the loop over the whole picture."""

    def mandelbrot(re, im):
        x, y, turns = tf.zeros_like(re), tf.zeros_like(im), tf.zeros_like(re, dtype=tf.int32)
        for _ in tf.range(TURNS):
            inside = x * x + y * y <= 4.0
            turns += tf.cast(inside, tf.int32)
            new_x, new_y = x * x - y * y + re, 2.0 * x * y + im
            x, y = tf.where(inside, new_x, x), tf.where(inside, new_y, y)
        return turns

    return mandelbrot


def in_jax(jax: Any) -> Any:
    """Give the loop over the whole picture."""
    np = jax.numpy

    def mandelbrot(re: Any, im: Any) -> Any:
        def turn(_: Any, state: Any) -> Any:
            x, y, turns = state
            inside = x * x + y * y <= 4
            new_x, new_y = x * x - y * y + re, 2 * x * y + im
            return np.where(inside, new_x, x), np.where(inside, new_y, y), turns + inside

        start = np.zeros_like(re), np.zeros_like(im), np.zeros(re.shape, np.int32)
        return jax.lax.fori_loop(0, TURNS, turn, start)[2]

    return mandelbrot


def in_torch(torch: Any) -> Any:
    """Give the loop over the whole picture."""

    def mandelbrot(re: Any, im: Any) -> Any:
        x, y = torch.zeros_like(re), torch.zeros_like(im)
        turns = torch.zeros_like(re, dtype=torch.int32)
        for _ in range(TURNS):
            inside = x * x + y * y <= 4
            turns += inside
            new_x, new_y = x * x - y * y + re, 2 * x * y + im
            x, y = torch.where(inside, new_x, x), torch.where(inside, new_y, y)
        return turns

    return mandelbrot


def plane(width: int) -> tuple[Any, ...]:
    """Give the points of the picture."""
    re, im = np.meshgrid(np.linspace(-2, 0.5, width), np.linspace(-1.25, 1.25, width))
    return re.astype(np.float32), im.astype(np.float32)


LINES = [
    Line(
        "Mandelbrot 256x256, 100 turns of whole arrays",
        inputs=lambda: plane(256),
        small=lambda: plane(8),
        systems={
            "NumPy": python(in_numpy),
            "C": in_c,
            "numba, by points": numba(by_points),
            "JAX": jax(in_jax),
            "TensorFlow": tensorflow(with_tensors),
            "torch": torch_eager(in_torch),
            "runtime eager": eager(with_tensors),
            "runtime.function": function(with_tensors),
            "runtime.jit, by points": jit(by_points),
        },
        targets=(Target("runtime.function", 0.3, "JAX"),),
        differing=0.005,  # products that are added at once move points at the border
    ),
]
