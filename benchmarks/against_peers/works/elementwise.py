"""A chain of element-wise operations on a million numbers: one loop, if a compiler fuses them."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import eager, function, jax, jit, numba, python, tensorflow
from benchmarks.against_peers.systems import torch as torch_eager

IN_C = """
void work(float *x, long count, float *y) {
    for (long i = 0; i < count; i++)
        y[i] = tanhf(x[i]) / (1 + expf(-x[i])) + expf(-x[i] * x[i]);
}
"""


def in_c(x: Any) -> CCall:
    """Give the call of the C code, with the C library's functions of vectors."""
    y = np.zeros_like(x)
    return CCall(IN_C, x, np.int64(len(x)), y, answer=y, flags="-ffast-math")


def in_numpy(x: Any) -> Any:
    """Give the formula by NumPy."""
    return np.tanh(x) / (np.float32(1) + np.exp(-x)) + np.exp(-x * x)


def program(library: Any) -> Any:
    """Give the formula by a library with TensorFlow's or torch's names."""
    return lambda x: library.tanh(x) * library.sigmoid(x) + library.exp(-x * x)


def in_jax(jax: Any) -> Any:
    """Give the formula by JAX."""
    return lambda x: jax.numpy.tanh(x) * jax.nn.sigmoid(x) + jax.numpy.exp(-x * x)


LINES = [
    Line(
        "tanh(x) * sigmoid(x) + exp(-x * x) of 1,000,000 float32",
        inputs=lambda: (np.linspace(-8, 8, 1_000_000, dtype=np.float32),),
        small=lambda: (np.linspace(-8, 8, 100, dtype=np.float32),),
        systems={
            "NumPy": python(in_numpy),
            "C": in_c,
            "numba": numba(in_numpy),
            "JAX": jax(in_jax),
            "TensorFlow": tensorflow(program),
            "torch": torch_eager(program),
            "runtime eager": eager(program),
            "runtime.function": function(program),
            "runtime.jit": jit(in_numpy),
        },
        targets=(Target("runtime.function", 0.8, "JAX"),),
        tolerance=1e-5,
    ),
]
