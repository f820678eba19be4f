"""Random graphs of arrays, and their gradients: machine code does what the reference does.

As many as wanted: ``python -m tests.fuzz.array_graphs 50000 [FIRST SEED]``.  Values are equal to
the bit; what is rough (see ``array_maker``) is compared with a tolerance.
"""

from __future__ import annotations

import random
import sys
import warnings
from typing import Any

import numpy as np

import runtime as tf
from runtime.engine.passes import reuse_buffers as reuse
from runtime.types import flags
from tests.fuzz.array_inputs import arguments, signature
from tests.fuzz.array_maker import ArrayMaker
from tests.fuzz.scalar_graphs import optimized
from tests.runtime.engine.passes.makers import kind_of
from tests.runtime.engine.passes.random_graphs import described

RUNS = 3
OPTIMIZED = 4
"""One of so many graphs is compiled with LLVM's optimisation."""


def function_of(seed: int) -> tuple[Any, list[bool]]:
    """A function that holds the graph, and which of its results are rough, known when traced."""
    smooth = is_smooth(seed)
    rough: list[bool] = []

    def program(*values: Any) -> Any:
        maker = ArrayMaker(seed)
        values = tuple(map(tf.identity, values))
        pool = list(values)
        floats = [v for v in values if kind_of(v) == "f"]
        with tf.GradientTape() as tape:
            tape.watch(floats)
            maker.grow(pool, maker.budget)
            made = [t for t in pool[len(values) :] if t.shape.rank is not None] or pool[:1]
            made = random.Random(seed).sample(made, min(len(made), 5))
            smooth_ones = [t for t in made if t.dtype == tf.float64]
            loss = sum(tf.reduce_sum(tf.tanh(t)) for t in smooth_ones)
        rough[:] = [maker.is_rough(t) for t in made]
        if smooth and smooth_ones and floats:
            slopes = [g for g in tape.gradient(loss, floats) if g is not None]
            made, rough[:] = [*made, loss, *slopes], [*rough, True, *[True] * len(slopes)]
        return made

    return tf.function(program, autograph=False, input_signature=signature(seed)), rough


def is_smooth(seed: int) -> bool:
    """Whether the gradient is taken, too."""
    return seed % 3 == 1


def run(function: Any, values: list[Any]) -> tuple[Any, Any]:
    """The arrays that a call gives, and the exception that it raises."""
    before = [described(v) for v in values]
    results = error = None
    try:
        results = [v.numpy() for v in function(*values)]
    except Exception as raised:
        error = type(raised).__name__, str(raised), getattr(raised, "__notes__", [])
    assert [described(v) for v in values] == before, "an argument has changed"
    for result in results or ():
        assert not any(np.shares_memory(result, v) for v in values), "a result is an argument"
    return results, error


def compare(found: Any, expected: Any, rough: list[bool]) -> None:
    """Assert that results are equal; rough ones nearly."""
    assert len(found or ()) == len(expected or ())
    largest = max([1.0, *(
        float(np.abs(v[np.isfinite(v)]).max()) for v, is_rough in zip(map(widened, expected or ()),
        rough) if is_rough and v.dtype.kind in "fc" and np.isfinite(v).any()
    )])  # fmt: skip
    for one, other, is_rough in zip(found or (), expected or (), rough):
        if not is_rough or tf.as_dtype(one.dtype).kind not in "fc":
            assert described(one) == described(other)
            continue
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        allowed = 16 * EPSILON.get(one.dtype.name, 0.0)
        one, other = widened(one), widened(other)
        if one.dtype.kind == "c":
            one, other = (np.stack([v.real, v.imag]) for v in (one, other))
        allowed = allowed or 1e4 * float(np.finfo(one.dtype).eps)
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(one, other, allowed, allowed * largest)


EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7}


def widened(array: Any) -> Any:
    """The same numbers in a dtype that NumPy knows."""
    return array.astype(np.float32) if array.dtype.name in EPSILON else array


def check(seed: int) -> bool:
    """Assert that a graph gives the same on both engines; return whether a run raised."""
    function, rough = function_of(seed)
    inputs = [arguments(seed, k, not is_smooth(seed)) for k in range(RUNS)]

    def runs(choice: str) -> list[Any]:
        with flags.JIT(choice):
            found = [run(function, values) for values in inputs]
            again = [[described(v) for v in results or ()] for results, _ in found]
            run(function, inputs[0])  # does not change what the first call gave
            assert again == [[described(v) for v in results or ()] for results, _ in found]
            return found

    with flags.OPTIMIZE(seed % 4 != 2):
        expected = runs("never")
    large, reuse.LARGE = reuse.LARGE, 0 if seed % 2 else reuse.LARGE  # small ones count as large
    try:
        with optimized(seed % OPTIMIZED == 0), flags.JIT_CACHE("0"):
            found = runs("always")
    finally:
        reuse.LARGE = large
    for (results, error), (wanted, wanted_error) in zip(found, expected, strict=True):
        assert error == wanted_error, f"{error}\n{wanted_error}"
        compare(results, wanted, rough)
    return any(error for _, error in expected)


def main() -> None:
    """Check as many graphs as asked for, and say how many raised."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    warnings.simplefilter("ignore")
    raised, wrong = 0, 0
    for seed in range(first, first + count):
        try:
            raised += check(seed)
        except Exception as error:
            wrong += 1
            print(f"seed {seed}: {type(error).__name__} {error}", flush=True)
    print(f"{count} graphs from {first}: {wrong} differ, {raised} of them raise")
    assert not wrong


if __name__ == "__main__":
    main()
