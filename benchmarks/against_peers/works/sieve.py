"""The sieve of Eratosthenes over a list that the function builds."""

from __future__ import annotations

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Line, Target
from benchmarks.against_peers.systems import jit, numba, python

IN_C = """
long work(long n) {
    static char flags[100000];
    long count = 0;
    memset(flags, 1, n);
    for (long i = 2; i < n; i++)
        if (flags[i]) {
            count++;
            for (long j = i * i; j < n; j += i) flags[j] = 0;
        }
    return count;
}
"""


def primes(n: int) -> int:
    """Count the primes below a number."""
    flags = [True] * n
    count = 0
    for i in range(2, n):
        if flags[i]:
            count += 1
            for j in range(i * i, n, i):
                flags[j] = False
    return count


def typed(n: int) -> object:
    """Give the sieve over numba's typed list."""
    from numba import njit
    from numba.typed import List

    @njit
    def primes(n: int) -> int:
        flags = List()
        for _ in range(n):
            flags.append(True)
        count = 0
        for i in range(2, n):
            if flags[i]:
                count += 1
                for j in range(i * i, n, i):
                    flags[j] = False
        return count

    return lambda: primes(n)


LINES = [
    Line(
        "sieve over a list of 10,000",
        inputs=lambda: (10_000,),
        small=lambda: (30,),
        systems={
            "Python": python(primes),
            "C": lambda n: CCall(IN_C, np.int64(n), result="int64"),
            "numba": numba(primes),
            "numba, typed list": typed,
            "runtime.jit": jit(primes),
        },
        targets=(Target("runtime.jit", 3, "numba"),),
    ),
]
