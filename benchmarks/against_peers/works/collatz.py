"""Collatz sequences: a loop of integers with a branch, in graphs and with Python's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import function, jax, jit, numba, python, tensorflow

TOTAL_IN_C = """
int work(int most) {
    int count = 0;
    for (int k = 1; k <= most; k++)
        for (int n = k; n != 1; count++)
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return count;
}
"""


def steps(n: Any) -> Any:
    """Count the steps to 1."""
    count = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    return count


def total(most: Any) -> Any:
    """Count the steps of the sequences from 1 to a number."""
    count = 0
    for k in range(1, most + 1):
        n = k
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            count += 1
    return count


def staged_total(tf: Any) -> Any:
    """Give the same on tensors."""

    def staged(most):
        count = 0
        for k in tf.range(1, most + 1):
            n = k
            while n != 1:
                if n % 2 == 0:
                    n = n // 2
                else:
                    n = 3 * n + 1
                count += 1
        return count

    return staged


def steps_in_jax(jax: Any) -> Any:
    """Count the steps to 1."""

    def turn(state: Any) -> Any:
        n, count = state
        return jax.numpy.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

    return lambda n: jax.lax.while_loop(lambda state: state[0] != 1, turn, (n, 0))[1]


def total_in_jax(jax: Any) -> Any:
    """Count the steps of the sequences from 1 to a number."""
    count = steps_in_jax(jax)
    return lambda most: jax.lax.fori_loop(1, most + 1, lambda k, total: total + count(k), 0)


LINES = [
    Line(
        "Collatz 1..3000 in a graph",
        inputs=lambda: (np.int32(3000),),
        small=lambda: (np.int32(30),),
        systems={
            "C": lambda most: CCall(TOTAL_IN_C, most, result="int32"),
            "numba": numba(total),
            "JAX": jax(total_in_jax),
            "TensorFlow": tensorflow(staged_total),
            "runtime.function": function(staged_total),
            "runtime.jit": lambda most: jit(total)(int(most)),
        },
        targets=(Target("runtime.function", 1.1, "C"),),
    ),
    Line(
        "Collatz of 27, one call",
        inputs=lambda: (27,),
        small=lambda: (3,),
        systems={
            "Python": python(steps),
            "numba": numba(steps),
            "JAX": jax(steps_in_jax),
            "TensorFlow": tensorflow(lambda tf: steps),
            "runtime.function": function(lambda tf: steps),
            "runtime.function, no llvmlite": function(lambda tf: steps, jit_compile=False),
            "runtime.jit": jit(steps),
        },
        targets=(
            Target("runtime.function, no llvmlite", 2, "Python"),
            Target("runtime.jit", 1, "numba"),
            Target("runtime.function", 0.3, "JAX", of="first call"),
        ),
    ),
]
