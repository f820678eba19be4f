"""Random graphs of arrays, and their gradients: machine code does what the reference does.

As many as wanted: ``python -m tests.fuzz.array_graphs 50000 [FIRST SEED]``; from
seed 2,000,000 on, they have any definitions (``table_maker``).  Values are equal to
the bit; what is rough (see ``array_maker``) is compared with a tolerance.
"""

from __future__ import annotations

import random
import sys
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
from runtime.engine import thread_pool
from runtime.engine.llvm.arrays import fusion_tasks
from runtime.engine.passes import reuse_buffers as reuse
from runtime.types import flags
from tests.fuzz.array_inputs import TABLE, arguments, signature
from tests.fuzz.array_maker import ArrayMaker
from tests.fuzz.scalar_graphs import optimized
from tests.fuzz.table_maker import TableMaker
from tests.runtime.engine.passes.makers import kind_of
from tests.runtime.engine.passes.random_graphs import described

RUNS = 3
OPTIMIZED = 16
"""One of so many graphs is compiled with LLVM's optimisation."""


class Function(NamedTuple):
    """A function that holds a graph, which of its results are rough, known when it is traced, and
    its variables.
    """

    call: Any
    rough: list[bool]
    variables: list[Any]

    def reset(self) -> None:
        """Give the variables the values that they start with."""
        for variable, value in zip(self.variables, STARTS):
            variable.assign(value)


STARTS = (
    np.arange(10, dtype="float64").reshape(5, 2), np.arange(3, dtype="int64"),
    np.full((3, 17), 0.5, "float32"),
)  # fmt: skip


def function_of(seed: int) -> Function:
    """The function of a seed."""
    smooth = is_smooth(seed)
    rough: list[bool] = []
    variables = [tf.Variable(value) for value in STARTS]

    def program(*values: Any) -> Any:
        maker = TableMaker(seed, smooth, variables) if seed >= TABLE else ArrayMaker(seed)
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

    call = tf.function(program, autograph=False, input_signature=signature(seed))
    return Function(call, rough, variables)


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


def without_inputs(error: Any) -> Any:
    """An error without what it says of the operation's inputs, which passes change."""
    return error and (error[0], error[1].partition("\n  inputs:")[0])


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
        if one.dtype.kind == "c":  # infinity times 1 + 0j, as BLAS multiplies, is not a number
            lost = ~np.isfinite(one) & ~np.isfinite(other)
            one, other = (np.where(lost, 0, np.stack([v.real, v.imag])) for v in (one, other))
        allowed = allowed or 1e4 * float(np.finfo(one.dtype).eps)
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(one, other, allowed, allowed * largest)


EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7}


def widened(array: Any) -> Any:
    """The same numbers in a dtype that NumPy knows."""
    return array.astype(np.float32) if array.dtype.name in EPSILON else array


def check(seed: int) -> bool:
    """Assert that a graph gives the same on both engines; return whether a run raised."""
    function = function_of(seed)
    inputs = [arguments(seed, k, not is_smooth(seed)) for k in range(RUNS)]

    def runs(choice: str) -> list[Any]:
        function.reset()
        with flags.JIT(choice):
            found = [run(function.call, values) for values in inputs]
            again = [[described(v) for v in results or ()] for results, _ in found]
            states.append([described(v.numpy()) for v in function.variables])
            run(function.call, inputs[0])  # does not change what the first call gave
            assert again == [[described(v) for v in results or ()] for results, _ in found]
            return found

    states: list[Any] = []

    with flags.OPTIMIZE(seed % 4 != 2):
        expected = runs("never")
    with pytest.MonkeyPatch.context() as patch:
        if seed % 2:
            patch.setattr(reuse, "LARGE", 0)  # small ones count as large
        if seed >= TABLE and seed % 5 == 0:  # and so they do for threads
            patch.setattr(fusion_tasks, "LARGE", 256)
            patch.setattr(fusion_tasks, "TASK", 64)
            patch.setattr(thread_pool, "_asked", {**thread_pool._asked, "intra": 1 + seed % 2})
        with optimized(seed % OPTIMIZED == 0), flags.JIT_CACHE("0"):
            found = runs("always")
    for (results, error), (wanted, wanted_error) in zip(found, expected, strict=True):
        if seed >= TABLE:
            error, wanted_error = map(without_inputs, (error, wanted_error))
        assert error == wanted_error, f"{error}\n{wanted_error}"
        compare(results, wanted, function.rough)
    assert states[0] == states[1], "variables differ"
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
            print(f"seed {seed}: {type(error).__name__} {error!s:.800}", flush=True)
    print(f"{count} graphs from {first}: {wrong} differ, {raised} of them raise")
    assert not wrong


if __name__ == "__main__":
    main()
