"""The two loops of L-BFGS over the last 100 steps, on vectors of 10,000 numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Call, Line, Target
from benchmarks.against_peers.systems import function, jax, jit, numba, tensorflow

IN_C = """
void work(float *slope, float *steps, float *changes, int count, int n, float *along) {
    float ratios[count];
    for (int i = 0; i < n; i++) along[i] = -slope[i];
    for (int k = count - 1; k >= 0; k--) {
        float *s = steps + k * n, *y = changes + k * n, sa = 0, sy = 0;
        for (int i = 0; i < n; i++) sa += s[i] * along[i], sy += s[i] * y[i];
        ratios[k] = sa / sy;
        for (int i = 0; i < n; i++) along[i] -= ratios[k] * y[i];
    }
    for (int k = 0; k < count; k++) {
        float *s = steps + k * n, *y = changes + k * n, ya = 0, sy = 0;
        for (int i = 0; i < n; i++) ya += y[i] * along[i], sy += s[i] * y[i];
        for (int i = 0; i < n; i++) along[i] += (ratios[k] - ya / sy) * s[i];
    }
}
"""


def in_c(slope: Any, steps: Any, changes: Any) -> CCall:
    """Give the call of the C code."""
    along = np.zeros_like(slope)
    count, size = map(np.int32, steps.shape)
    return CCall(IN_C, slope, steps, changes, count, size, along, answer=along, flags="-ffast-math")


def by_arrays(slope: Any, steps: Any, changes: Any) -> Any:
    """Give the direction by NumPy; also numba's program."""
    along = -slope
    ratios = np.zeros(len(steps), np.float32)
    for k in range(len(steps) - 1, -1, -1):
        ratios[k] = np.dot(steps[k], along) / np.dot(steps[k], changes[k])
        along = along - ratios[k] * changes[k]
    for k in range(len(steps)):
        back = np.dot(changes[k], along) / np.dot(steps[k], changes[k])
        along = along + (ratios[k] - back) * steps[k]
    return along


def with_tensors(tf: Any) -> Any:
    """Give the direction by loops over tensors."""

    def direction(slope, steps, changes):
        along = -slope
        count = steps.shape[0]
        ratios = tf.TensorArray(tf.float32, count)
        for k in tf.range(count - 1, -1, -1):
            ratio = tf.reduce_sum(steps[k] * along) / tf.reduce_sum(steps[k] * changes[k])
            ratios = ratios.write(k, ratio)
            along = along - ratio * changes[k]
        for k in tf.range(count):
            back = tf.reduce_sum(changes[k] * along) / tf.reduce_sum(steps[k] * changes[k])
            along = along + (ratios.read(k) - back) * steps[k]
        return along

    return direction


def in_jax(jax: Any) -> Any:
    """Give the direction by scans."""
    np = jax.numpy

    def direction(slope: Any, steps: Any, changes: Any) -> Any:
        def down(along: Any, pair: Any) -> Any:
            s, y = pair
            ratio = np.dot(s, along) / np.dot(s, y)
            return along - ratio * y, ratio

        def up(along: Any, known: Any) -> Any:
            s, y, ratio = known
            return along + (ratio - np.dot(y, along) / np.dot(s, y)) * s, None

        along, ratios = jax.lax.scan(down, -slope, (steps, changes), reverse=True)
        return jax.lax.scan(up, along, (steps, changes, ratios))[0]

    return direction


def by_lists(product: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Give the direction by lists of vectors, operation by operation; each has its own memory, as
    steps that were taken one after the other have.
    """

    def direction(slope: Any, steps: Any, changes: Any) -> Any:
        along, ratios = -slope, []
        for s, y in zip(reversed(steps), reversed(changes)):
            ratios.append(product(s, along) / product(s, y))
            along = along - ratios[-1] * y
        for s, y in zip(steps, changes):
            along = along + (ratios.pop() - product(y, along) / product(s, y)) * s
        return along

    return direction


def lists_in_numpy(slope: Any, steps: Any, changes: Any) -> Call:
    """Give the call by lists of arrays."""
    direction = by_lists(np.dot)
    s, y = ([row.copy() for row in rows] for rows in (steps, changes))
    return lambda: direction(slope, s, y)


def lists_in_torch(slope: Any, steps: Any, changes: Any) -> Call:
    """Give the call by lists of torch's tensors."""
    import torch

    torch.set_num_threads(1)
    direction = by_lists(torch.dot)
    along, s, y = map(torch.as_tensor, (slope, steps, changes))
    s, y = ([row.clone() for row in rows] for rows in (s, y))
    return lambda: direction(along, s, y)


def lists_of_tensors(slope: Any, steps: Any, changes: Any) -> Call:
    """Give the call by lists of our tensors."""
    import runtime as tf

    direction = by_lists(lambda a, b: tf.tensordot(a, b, 1))
    along, s, y = tf.constant(slope), list(map(tf.constant, steps)), list(map(tf.constant, changes))
    return lambda: direction(along, s, y)


def sizes(history: int, size: int) -> tuple[Any, ...]:
    """Give a slope, and steps and changes of slopes that belong to a convex function."""
    draw = np.random.default_rng(0)
    steps = draw.normal(0, 1, (history, size))
    changes = steps * draw.uniform(0.5, 2, size)
    slope = draw.normal(0, 1, size)
    return slope.astype(np.float32), steps.astype(np.float32), changes.astype(np.float32)


LINES = [
    Line(
        "L-BFGS, history 100, eager",
        inputs=lambda: sizes(100, 10_000),
        small=lambda: sizes(3, 10),
        systems={
            "NumPy": lists_in_numpy,
            "torch": lists_in_torch,
            "runtime eager": lists_of_tensors,
        },
        targets=(Target("runtime eager", 0.7, "torch"),),
        tolerance=1e-3,
    ),
    Line(
        "L-BFGS, history 100, in a graph",
        inputs=lambda: sizes(100, 10_000),
        small=lambda: sizes(3, 10),
        systems={
            "C": in_c,
            "numba": numba(by_arrays),
            "JAX": jax(in_jax),
            "TensorFlow": tensorflow(with_tensors),
            "runtime.function": function(with_tensors),
            "runtime.jit": jit(by_arrays),
        },
        targets=(Target("runtime.function", 1, "numba"),),
        tolerance=1e-3,
    ),
]
