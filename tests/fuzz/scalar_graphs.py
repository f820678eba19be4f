"""Random graphs of numbers, lists and array elements: machine code does what the reference does.

As many as wanted: ``python -m tests.fuzz.scalar_graphs 20000 [FIRST SEED]``.  Graphs are built
without conversion of Python code, so that thousands of them run in a minute.  Each runs on several
inputs, on the reference engine and as machine code: values to the bit, dtypes, printed text, and
the exception with its whole text must be equal.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import machine_code
from runtime.graph.python_values import as_python_value, weak_constant
from runtime.ops.op import lookup
from runtime.ops.resource import lists
from runtime.types import flags
from tests.runtime.engine.passes.makers import BINARY, ORDER, Maker, kind_of
from tests.runtime.engine.passes.random_graphs import outcome

UNARY = {
    "f": "negative abs floor ceil rint sqrt square sign reciprocal is_nan is_inf is_finite "
    "identity relu zeros_like ones_like",
    "i": "negative abs square sign identity zeros_like ones_like invert",
    "b": "logical_not identity",
}
DTYPES = ("float64", "float32", "int64", "int32", "int8", "uint8", "uint64", "bool")
SPECIAL = {
    "f": (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e300, 5e-324, 3.0, 2.0**53 + 2, 0.1),
    "i": (0, 1, 2, 3, -1, -7, 10, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 2**53 + 1, 2**62),
    "b": (False, True),
}
ARRAYS = {(4,): ("float64", "int64", "bool", "uint8"), (2, 3): ("float32", "int64")}
RUNS = 3
OPTIMIZED = 8
"""One of so many graphs is compiled with LLVM's optimisation."""


def number(rng: random.Random, dtype: str) -> Any:
    """A scalar of a dtype, often a special one."""
    kind = np.dtype(dtype).kind.replace("u", "i")
    value = rng.choice(SPECIAL[kind]) if rng.random() < 0.5 or kind == "b" else rng.randint(-9, 9)
    with np.errstate(all="ignore"):
        return np.array(value).astype(dtype)[()]


def arguments(seed: int) -> list[Any]:
    """What is fed: a number of each dtype, two more for Python's numbers, and some arrays."""
    rng = random.Random(seed)
    found = [number(rng, dtype) for dtype in (*DTYPES, "int64", "float64", "bool")]
    for shape, dtypes in ARRAYS.items():
        for dtype in dtypes:
            items = [number(rng, dtype) for _ in range(int(np.prod(shape)))]
            array = np.array(items, dtype).reshape(shape)
            found.append(np.repeat(array, 2, -1)[..., ::2] if rng.random() < 0.3 else array)
    return found


class ScalarMaker(Maker):
    """Builds one graph, most of whose values are numbers."""

    def __init__(self, seed: int, out: io.StringIO) -> None:
        super().__init__(seed, [], out)
        self.budget = self.random.randint(4, 24)

    def constant(self) -> Any:
        """A number, strong or weak."""
        if self.random.random() < 0.5:
            return self.weak()
        return tf.constant(number(self.random, self.random.choice(DTYPES)))

    def weak(self) -> Any:
        """A Python number that is known at run time, as a graph sees it."""
        value = self.random.choice((0, 1, 2, 7, -3, 63, 1.5, -0.0, 1e308, 2**62, True))
        return weak_constant(tf.constant(0).graph, value)

    def pick(self, pool: list[Any], kinds: str = "fiub") -> Any:
        """A number of the pool, mostly a late one; or a constant."""
        found = [t for t in pool if kind_of(t) in kinds and t.shape.rank == 0]
        if not found or self.random.random() < 0.1:
            return self.constant()
        return found[max(self.random.randrange(len(found)), self.random.randrange(len(found)))]

    def step(self, pool: list[Any]) -> Any:
        """One operation, or several."""
        roll = self.random.random()
        if roll < 0.15:
            x = self.pick(pool)
            names = UNARY[kind_of(x).replace("u", "i")]
            if getattr(x, "weak", False):
                names = "negative abs identity"
            return lookup(self.random.choice(names.split()))(x)
        if roll < 0.5:
            return self.binary(pool)
        if roll < 0.62:
            return self.item(pool)
        if roll < 0.7:
            x = self.pick(pool)
            found = tf.cast(x, self.random.choice(DTYPES))
            weak = found.dtype in (tf.int64, tf.float64, tf.bool) and self.random.random() < 0.5
            return as_python_value(found) if weak and found is not x else found
        if roll < 0.72:
            return self.constant()
        if roll < 0.78:
            return self.effect(pool)
        if roll < 0.86:
            return self.listed(pool)
        if self.depth > 2 or self.budget < 0:
            return self.binary(pool)
        self.depth += 1
        try:
            return self.choice(pool) if roll < 0.93 else self.loop(pool)
        finally:
            self.depth -= 1

    def binary(self, pool: list[Any]) -> Any:
        """Arithmetic or a comparison of numbers of one dtype, or with a Python number."""
        x = self.pick(pool)
        weak, kind = getattr(x, "weak", False), kind_of(x).replace("u", "i")
        same = [
            t for t in pool if t.shape.rank == 0
            and (t.dtype == x.dtype or (weak and getattr(t, "weak", False)))
        ]  # fmt: skip
        y = self.random.choice(same) if same and self.random.random() < 0.8 else self.weak()
        if self.random.random() < 0.5:
            x, y = y, x
        names = ORDER if self.random.random() < 0.2 and kind != "b" else BINARY[kind]
        name = self.random.choice(names.split())
        if "floor" in name or "truncate" in name:
            name = name if self.random.random() < 0.3 else "maximum"
        weak = getattr(x, "weak", False) or getattr(y, "weak", False)
        slow = weak and name == "left_shift"  # Python's ints may take for ever
        if slow or name == "pow":  # and NumPy's powers are less exact than the C library's
            name = "multiply"
        return lookup(name)(x, y)

    def item(self, pool: list[Any]) -> Any:
        """An element or a row of an array."""
        arrays = [t for t in pool if t.shape.rank]
        if not arrays:
            return self.constant()
        array = self.random.choice(arrays)
        count = self.random.randint(1, array.shape.rank)
        key = tuple(self.position(pool) for _ in range(count))
        return array[key if count > 1 else key[0]]

    def position(self, pool: list[Any]) -> Any:
        """An index, often one that exists."""
        if self.random.random() < 0.3:
            return self.random.choice((0, 0, 0, 1, 1, -1, -1, -2, 2))
        index = self.pick(pool, "i")
        small = abs(index % 2) if self.random.random() < 0.97 else index
        return tf.cast(small, tf.int32) if self.random.random() < 0.5 else small

    def effect(self, pool: list[Any]) -> Any:
        """Printing and asserting."""
        if self.random.random() < 0.95:
            tf.print(self.pick(pool), self.random.randrange(9), output_stream=self.out)
        else:
            tf.debugging.Assert(self.pick(pool, "b"), [self.pick(pool)])
        return None

    def listed(self, pool: list[Any]) -> Any:
        """What is made by some operations on a list."""
        values = [self.pick(pool) for _ in range(self.random.randint(1, 4))]
        values = [v for v in values if v.spec == values[0].spec] * 2
        specs, wrong = [values[0].spec], ("index", "position")
        handle = lists.list_new(*values, width=1, count=len(values))
        left, found = len(values), [lists.list_len(handle)]
        for _ in range(self.random.randint(1, 4)):
            roll, value = self.random.random(), self.random.choice(values)
            if roll < 0.3:
                handle, left = lists.list_push(handle, value), left + 1
            elif roll < 0.5 and left > 2:
                handle, value = lists.list_pop(handle, specs=specs)
                found, left = [*found, value], left - 1
            elif roll < 0.7:
                handle = lists.list_set(handle, self.position(pool), value, messages=wrong)
            else:
                index = self.position(pool)
                found += lists.list_item(handle, index, specs=specs, messages=wrong)
        return found

    def loop(self, pool: list[Any]) -> Any:
        """A while loop of a few turns, perhaps none, whose state may stand still."""
        state = [self.pick(pool) for _ in range(self.random.randint(1, 3))]
        still = self.random.randrange(8)
        limit = self.random.choice((0, 1, 3, self.pick(pool, "i") % 5))
        count = self.random.randint(1, 5)

        def test(turn: Any, *values: Any) -> Any:
            return turn < tf.cast(limit, tf.int32)

        def body(turn: Any, *values: Any) -> Any:
            new = self.body([*pool, *values, turn], count, list(values))
            new = [v if still >> k & 1 else n for k, (v, n) in enumerate(zip(values, new))]
            return [turn + 1, *new]

        return tf.while_loop(test, body, [tf.constant(0), *state])


def function_of(seed: int) -> tuple[Any, io.StringIO]:
    """A function that holds the graph, and what it prints to."""
    out = io.StringIO()
    maker = ScalarMaker(seed, out)

    def program(*values: Any) -> Any:
        weak = [as_python_value(tf.identity(v)) for v in values[len(DTYPES) :][:3]]
        pool = [*values[: len(DTYPES)], *values[len(DTYPES) + 3 :], *weak]
        start = len(pool)
        maker.grow(pool, maker.budget)
        made = [t for t in pool[start:] if t.shape.rank is not None]
        return random.Random(seed).sample(made, min(len(made), 5)) or pool[:1]

    blur = random.Random(seed)
    specs = [
        tf.TensorSpec([None if blur.random() < 0.3 else n for n in v.shape], v.dtype)
        for v in arguments(seed)
    ]
    return tf.function(program, autograph=False, input_signature=specs), out


@contextlib.contextmanager
def optimized(wanted: bool) -> Iterator[None]:
    """Compile without LLVM's optimisation if that is not wanted: in a tenth of the time."""

    def compiled(compiler: Any, text: str, effort: int) -> bytes:
        compiler.llvm.initialize_native_asmprinter()
        machine = compiler._quick_machine = compiler._quick_machine or compiler._machine(0)
        found: bytes = machine.emit_object(compiler.llvm.parse_assembly(text))
        return found

    with pytest.MonkeyPatch.context() as patch:
        if not wanted:
            patch.setattr(machine_code._Compiler, "_compile", compiled)
            patch.setattr(machine_code, "PASSES_VERSION", "none")
        yield


def check(seed: int) -> bool:
    """Assert that a graph gives the same on both engines; return whether a run raised."""
    function, out = function_of(seed)

    def runs(choice: str) -> list[Any]:
        out.seek(0)
        out.truncate()
        with flags.JIT(choice):
            return [
                outcome(lambda: function(*map(tf.constant, values)), out, lambda: None)  # noqa: B023
                for values in map(arguments, range(seed, seed + RUNS))
            ]

    expected = runs("never")
    with optimized(seed % OPTIMIZED == 0), flags.JIT_CACHE("0"):
        found = runs("always")
    for one, other in zip(expected, found, strict=True):
        assert one == other, f"seed {seed}:\n{one}\n{other}"
    return any(one[2] is not None for one in expected)


def main() -> None:
    """Check as many graphs as asked for, and say how many raised."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    warnings.simplefilter("ignore")
    raised, wrong = 0, 0
    for seed in range(first, first + count):
        try:
            raised += check(seed)
        except AssertionError as error:
            wrong += 1
            print(error, flush=True)
    print(f"{count} graphs from {first}: {wrong} differ, {raised} of them raise")
    assert not wrong


if __name__ == "__main__":
    main()
