"""The sum of the even ones of 10,000 numbers: a loop with a ``continue`` over an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import eager, function, jax, jit, numba, python, tensorflow

IN_C = """
int work(int *numbers, int count) {
    int total = 0;
    for (int i = 0; i < count; i++)
        if (numbers[i] % 2 == 0) total += numbers[i];
    return total;
}
"""


def sum_even(numbers: Any) -> Any:
    """Add the even ones."""
    total = 0
    for number in numbers:
        if number % 2 != 0:
            continue
        total += number
    return total


def in_jax(jax: Any) -> Any:
    """Add the even ones, one after the other."""

    def turn(total: Any, number: Any) -> Any:
        return jax.lax.select(number % 2 != 0, total, total + number), None

    return lambda numbers: jax.lax.scan(turn, 0, numbers)[0]


LINES = [
    Line(
        "sum_even of 10,000 integers in a graph",
        inputs=lambda: (np.arange(10_000, dtype=np.int32),),
        small=lambda: (np.arange(10, dtype=np.int32),),
        systems={
            "C": lambda x: CCall(IN_C, x, np.int32(len(x)), result="int32"),
            "Python, a list": lambda x: python(sum_even)(x.tolist()),
            "numba": numba(sum_even),
            "JAX": jax(in_jax),
            "TensorFlow": tensorflow(lambda tf: sum_even),
            "runtime eager": eager(lambda tf: sum_even),
            "runtime.function": function(lambda tf: sum_even),
            "runtime.jit": jit(sum_even),
        },
        targets=(Target("runtime.function", 2, "C"),),
    ),
]
