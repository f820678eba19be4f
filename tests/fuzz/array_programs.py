"""Random programs written with NumPy: as functions of ``runtime.jit`` they do what NumPy does.

``program(seed)`` is the source of a function ``f(a, b, k, v, w, n)``: two matrices of floats and
one of ints, two vectors, an int.  Floats stay small halves or whole numbers, so that sums are
exact in any order.  As many as wanted: ``python -m tests.fuzz.array_programs 1000 [FIRST SEED]``.
"""

from __future__ import annotations

import linecache
import random
import re
import sys
import warnings
from typing import Any

import numpy as np

import runtime as tf
from autograph.errors import EffectError
from runtime.types import flags
from tests.fuzz.array_inputs import elements, laid_out
from tests.fuzz.scalar_graphs import OPTIMIZED, optimized
from tests.runtime.engine.passes.random_graphs import described

HEADER = '''
import numpy as np


def scale(x, y):
    return np.clip(np.rint(x * y), -8.0, 8.0)


def fill(x, s):
    x[0, 0] = s
    return x.sum()

'''
MATRICES = (
    "a;b;c;c;(M + M);(M - M);scale(M, M);np.maximum(M, M);np.where(M > M, M, M);abs(M);-M;"
    "np.rint(M * 0.5);(M + V);(M - U[:, None]);np.minimum(M, V[None, :]);(M > S) * 1.0;"
    "M[::-1];M[:, ::-1];M.copy();np.zeros_like(M);np.clip(M, -1.0, 2.0);"
    "k.astype(np.float64);(k % 5) * 0.5;np.concatenate([M[:1], M[1:]]);np.sign(M);"
    "np.full_like(M, S);(M.T + 1.0).T;M[...];np.sqrt(np.clip(np.rint(abs(M)), 4.0, 4.0));"
    "np.stack([V, V])[:1] + M;np.roll(M, 1, 0);(M * 2.0 + 1.0 - M);np.add(M, M)"
)
VECTORS = (
    "v;w;v;M.sum(axis=0);M.max(axis=0);M[I];M[-1];(V + V);scale(V, V);np.where(V > S, V, -V);"
    "V[::-1];np.cumsum(np.clip(V, -8, 8));M.min(0);V.copy();np.arange(len(v)) * 0.5;"
    "(M > 0.0).sum(axis=0) * 1.0;np.maximum(V, S);np.concatenate([V[1:], V[:1]]);"
    "np.sort(V);(V - S);abs(V);np.rint(V);np.concatenate([V[:H], V[H:]]);M[H:][-1:].sum(0);"
    "np.flip(V)"
)
COLUMNS = "M.sum(axis=1);M[:, J];M.max(1);M[:, -1];(U + U);scale(U, U);M.min(axis=1);-U"
NUMBERS = (
    "s;s;M.sum();V.sum();M[I, J];V[J];float(n);V.max();M.min();1.5;2.0;(S + S);(S - S);abs(S);"
    "float(M.shape[0]);np.rint(V * 0.5).sum();U.sum();(V > S).sum() * 1.0;float(k[I, J]);t;"
    "float(k.sum());fill(c, S);(M * 0.5).sum();V @ np.rint(V / 8.0);max(S, S);k[I].max() * 0.5;"
    "M[I, :H] @ np.rint(V[:H] / 8.0);M[H:, J].sum();(V[H:] * 0.5).sum();float(k[I, H:].sum());"
    "np.rint(M[:H, J] * 0.125) @ M[:H, J];(V[H::-1] > S).sum() * 1.0"
)
WRITES = (
    "X = M;X = M;Z = V;Z = V;s = S;X += M;X -= M;Z += V;X[I, J] = S;X[I, J] += S;X[I] = V;"
    "X[I] += V;X[:, J] = U;Z[J] = S;Z[J] += S;X[1:] = M[:-1];X[1:] += M[:-1];Z[1:] = V[:-1];"
    "Z[::2] = V[::2];Z[:-1] += V[1:];X[1:-1, 1:-1] = M[:-2, 2:];Z[Z > S] = 1.0;X[:] = M;"
    "X[...] = S;X[0], X[-1] = M[-1] + 0.0, M[0] + 0.0;s += S;t = S;Z[0], Z[-1] = Z[-1], Z[0];"
    "c = M;c[I, J] = S;c[I, J] -= S;fill(c, S);k[I, J] = n;k += k % 3;k[I] = k[-1] + 1;"
    "k = np.where(k > n, k, k * 2) % 7;X = np.zeros((len(a), len(v)));n += 1;Z *= 2.0;"
    "Z = np.rint(Z * 0.25);s = s * 0.0 + 1.0;X[:, ::2] = -M[:, ::2];Z[:] = V;k[:, J] += 1;"
    "X[I, :H] -= M[I, :H];X[:H, J] = U[:H];X[I, H:] = V[H:];Z[:H] += V[:H];Z[H:] = Z[H:][::-1];"
    "Z[:H][::-1] = V[:H];X[H:, :H] = S;X[H:] -= X[I];X[:H] = M[:H][::-1];k[I, H::2] += 1;"
    "X[H, 1:] = X[H, :-1];X[H:, H:] -= scale(U[H:, None], V[H:]);"
    "c = c[::-1];Z = X[I];Z = M[I] + 0.0;X[X > S] = S;X[I][J] = S;X = c;s = min(s, 99.0)"
)
RESULTS = (
    "a, b, c, v, w, s", "c, s", "s", "v, s, t", "a.sum(axis=0), b.max(), k", "c, c + 1.0, v",
    "k, v", "a[::2], w", "a, a, b.T",
)  # fmt: skip


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0
        self.counters: list[str] = []
        self.budget = self.random.randint(3, 14)

    def fill(self, templates: str, depth: int) -> str:
        """One of the templates, its capital letters replaced by values of their kinds."""
        choices = templates.split(";")
        template = self.random.choice(choices if depth < 3 else choices[:3]).strip()
        bounds = "n % 3", "2 - n % 4", "-1 - n % 2", *(f"{c} - 1" for c in self.counters)
        template = re.sub(r"\bH\b", self.random.choice(bounds), template)
        kinds = {
            "M": lambda: self.fill(MATRICES, depth + 1), "V": lambda: self.vector(depth + 1),
            "U": lambda: self.column(depth + 1), "S": lambda: self.number(depth + 1),
            "I": lambda: self.index("0", "-1", "len(a) - 1", "n % len(a)", "1"),
            "J": lambda: self.index("0", "-1", "len(v) - 1", "n % len(v)", "2"),
        }  # fmt: skip
        target = self.random.choice("abcc"), self.random.choice("vwu".replace("u", "w"))
        template = template.replace("X", target[0]).replace("Z", target[1])
        return re.sub(r"\b[MVUSIJ]\b", lambda found: kinds[found.group()](), template)

    def vector(self, depth: int) -> str:
        return self.random.choice("vw") if depth > 2 else self.fill(VECTORS, depth)

    def column(self, depth: int) -> str:
        return f"{self.random.choice('abc')}[:, 0]" if depth > 2 else self.fill(COLUMNS, depth)

    def number(self, depth: int) -> str:
        return self.random.choice(("s", "1.0", "-0.5")) if depth > 2 else self.fill(NUMBERS, depth)

    def index(self, *choices: str) -> str:
        return self.random.choice((*choices, *(f"{c} % len(v)" for c in self.counters)))

    def block(self, indent: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(indent)
        return lines

    def statement(self, indent: int) -> list[str]:
        """The lines of one statement."""
        pad, chance = "    " * indent, self.random.random()
        self.budget -= 1
        if self.budget <= 0 or indent > 3 or chance < 0.65:
            return [pad + self.fill(WRITES, 0)]
        if chance < 0.78:
            lines = [f"{pad}if {self.number(1)} > {self.number(1)}:", *self.block(indent + 1)]
            if self.random.random() < 0.5:
                lines += [f"{pad}else:", *self.block(indent + 1)]
            return lines
        self.loops += 1
        name = f"i{self.loops}"
        self.counters.append(name)
        over = self.random.choice(("3", "n % 5", "len(a)", "len(v)", "0, len(v), 2", "1, len(a)"))
        lines = [f"{pad}for {name} in range({over}):", *self.block(indent + 1)]
        if self.random.random() < 0.2:
            lines += [f"{pad}    if {self.number(1)} > 40.0:", f"{pad}        break"]
        self.counters.remove(name)
        return lines


def program(seed: int) -> str:
    """The source of one program."""
    writer = Writer(seed)
    start = ["    c, s, t = a + 0.0, 1.0, 0.5"]
    body = [line for _ in range(writer.random.randint(1, 4)) for line in writer.statement(1)]
    result = writer.random.choice(RESULTS)
    return "\n".join([
        HEADER, "def f(a, b, k, v, w, n):", *start, *body, f"    return {result}", "",
    ])  # fmt: skip


def load(seed: int) -> Any:
    """The function of a program, its source known to linecache."""
    source, name = program(seed), f"<array program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict[str, Any] = {"__name__": "random_program"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def arguments(seed: int, run: int) -> list[Any]:
    """What is passed in one run; arrays that can be written to."""
    rng = random.Random(f"{seed} {run}")
    rows, width = rng.choice((1, 2, 3, 3, 4, 5, 9)), rng.choice((1, 2, 3, 4, 5, 8, 17))
    if run == 2:
        rows, width = rng.choice(((0, 3), (2, 1), (1, 1), (3, 0)))
    shapes = [[rows, width]] * 3 + [[width]] * 2
    dtypes = ("float64", "float64", "int64", "float64", "float64")
    found: list[Any] = []
    for shape, dtype in zip(shapes, dtypes):
        array = laid_out(elements(rng, dtype, shape, False), rng)
        usable = array.flags.writeable and array.dtype.isnative
        found.append(array if usable else array.astype(dtype))
    return [*found, rng.randint(0, 9)]


def outcome(function: Any, args: list[Any]) -> tuple[Any, Any, Any]:
    """What a call gives, raises, and leaves of its arguments.

    Numbers are described without their types: one that a branch or a loop may leave as it was is
    NumPy's everywhere in a staged function.
    """
    results = error = None
    try:
        with np.errstate(all="ignore"):
            found = tf.nest.flatten(function(*args))
        results = [described(v if np.ndim(v) else np.float64(v)) for v in found]
    except EffectError as refused:
        error = EffectError, refused.where is not None, ""
    except Exception as raised:
        error = type(raised), str(raised), getattr(raised, "__notes__", [])
    return results, error, [described(v) for v in args]


def check(seed: int) -> int:
    """Assert that a program does the same with machine code, without, and as NumPy computes it;
    return how many of its four calls return.
    """
    function = load(seed)
    compiled, interpreted = tf.jit(function), tf.jit(function)
    returned = 0
    for run in (0, 1, 2, 0):
        with flags.JIT("never"):
            expected = outcome(interpreted, arguments(seed, run))
        with flags.JIT("always"), flags.JIT_CACHE("0"), optimized(seed % OPTIMIZED == 0):
            found = outcome(compiled, arguments(seed, run))
        assert found == expected, (seed, run)
        plain = outcome(function, arguments(seed, run))
        if found[1] is None and plain[1] is None:
            assert found == plain, (seed, run)
            returned += 1
    return returned


def main() -> None:
    """Check as many programs as asked for, and say how many calls returned."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    warnings.simplefilter("ignore")
    returned, wrong = 0, 0
    for seed in range(first, first + count):
        try:
            returned += check(seed)
        except AssertionError as error:
            wrong += 1
            print(f"{str(error)[:2000]}", flush=True)
    print(f"{count} programs from {first}: {wrong} differ, {returned} calls return")
    assert not wrong


if __name__ == "__main__":
    main()
