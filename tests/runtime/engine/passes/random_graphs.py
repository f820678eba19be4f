"""Random graphs that run the same before and after the passes.

As many as wanted: ``python -m tests.runtime.engine.passes.random_graphs 20000 [FIRST SEED]``.
A graph is built twice from one seed, run as it was recorded and run optimised: values to the bit,
dtypes, printed text, variables, and the exception with its whole text must be equal.
"""

from __future__ import annotations

import io
import random
import sys
from typing import Any

import numpy as np

import runtime as tf
from runtime.engine.passes import reuse_buffers as reuse
from runtime.types import flags
from tests.runtime.engine.passes.makers import Maker


def arguments(seed: int) -> list[Any]:
    """What is fed: floats, whole numbers, truth values, of several shapes."""
    rng = np.random.default_rng(seed)
    special = np.array([0.0, -0.0, 1.0, -2.5, np.inf, np.nan, 3.0, 0.25], np.float32)
    return [
        special[rng.integers(0, 8, 3)], special[rng.integers(0, 8, (2, 3))],
        np.float32(special[rng.integers(0, 8)]), rng.integers(-3, 4, 3).astype(np.int32),
        np.int32(rng.integers(-2, 4)), np.bool_(rng.integers(0, 2)), rng.integers(0, 2, 3) > 0,
    ]  # fmt: skip


def shapes(seed: int, given: list[Any]) -> list[Any]:
    """What the graph knows of their shapes."""
    rng = random.Random(seed)
    blurred = []
    for value in given:
        dims: Any = list(np.shape(value))
        roll = rng.random()
        if roll < 0.25:
            dims = [None] * len(dims)
        elif roll < 0.3:
            dims = None
        blurred.append(dims)
    return blurred


def described(value: Any) -> Any:
    """Dtype, shape and bits."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.name == "bfloat16":
        array = np.where(np.isnan(array.astype(np.float32)), array.dtype.type(np.nan), array)
    if array.dtype.kind in "fc":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return array.dtype.name, array.shape, array.tobytes()


def outcome(run: Any, out: io.StringIO, state: Any) -> Any:
    """What a run gives, prints, raises and leaves."""
    result = error = None
    try:
        result = [described(value) for value in run()]
    except Exception as raised:
        notes = getattr(raised, "__notes__", [])
        where = getattr(getattr(raised, "op", None), "name", None)
        error = type(raised).__name__, str(raised), notes, where
    return result, out.getvalue(), error, state()


def in_session(seed: int) -> list[Any]:
    """Two runs of a graph in a session, for other values."""
    out = io.StringIO()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(7)
        given = arguments(seed)
        holders = [
            tf.placeholder(tf.as_dtype(v.dtype), dims)
            for v, dims in zip(given, shapes(seed, given), strict=True)
        ]
        variables = [tf.Variable([1.0, 2.0, 3.0]), tf.Variable([-0.0, 0.5, 1.0])]
        maker = Maker(seed, variables, out)
        pool = list(holders)
        maker.grow(pool, maker.budget)
        choose = random.Random(seed)
        count = min(len(pool), choose.randint(1, 6))
        fetched: list[Any] = [choose.choice(pool[len(holders) :] or pool)]
        fetched += choose.sample(pool, count)
        effects = [o for o in session.graph.get_operations() if o.stateful]
        fetched += choose.sample(effects, min(len(effects), choose.randint(0, 4)))
        session.run([v.initializer for v in variables])

        def state() -> Any:
            return [described(session.run(v)) for v in variables]

        return [
            outcome(lambda: session.run(fetched, dict(zip(holders, values))), out, state)  # noqa: B023
            for values in (given, arguments(seed + 1))
        ]


def function_of(seed: int) -> tuple[Any, list[Any], io.StringIO]:
    """A function that holds the graph, its variables, and what it prints to."""
    out = io.StringIO()
    tf.set_random_seed(7)
    given = arguments(seed)
    variables = [tf.Variable([1.0, 2.0, 3.0]), tf.Variable([-0.0, 0.5, 1.0])]
    maker = Maker(seed, variables, out)

    def program(*values: Any) -> Any:
        pool = list(values)
        maker.grow(pool, maker.budget)
        return random.Random(seed).sample(pool, min(len(pool), 5))

    specs = [
        tf.TensorSpec(dims, v.dtype) for v, dims in zip(given, shapes(seed, given), strict=True)
    ]
    return tf.function(program, autograph=False, input_signature=specs), variables, out


def graph_of(seed: int) -> Any:
    """The graph of that function."""
    function, _, _ = function_of(seed)
    return function.get_concrete_function().graph


def as_function(seed: int) -> list[Any]:
    """Two calls of a function that holds the graph."""
    function, variables, out = function_of(seed)

    def state() -> Any:
        return [described(v.numpy()) for v in variables]

    return [
        outcome(lambda: function(*map(tf.constant, values)), out, state)  # noqa: B023
        for values in (arguments(seed), arguments(seed + 1))
    ]


def check(seed: int) -> Any:
    """Assert that a graph runs the same before and after the passes; what happens when it runs."""
    run = as_function if seed % 3 == 0 else in_session
    with flags.OPTIMIZE(False):
        reference = run(seed)
    large, reuse.LARGE = reuse.LARGE, 0 if seed % 2 else reuse.LARGE  # small ones count as large
    try:
        with flags.OPTIMIZE(True):
            optimized = run(seed)
    finally:
        reuse.LARGE = large
    for one, other in zip(reference, optimized, strict=True):
        assert one == other, f"seed {seed}:\n{one}\n{other}"
    return reference


def main() -> None:
    """Check as many graphs as asked for, and say how many raised."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    raised = sum(result[0][2] is not None for result in map(check, range(first, first + count)))
    print(f"{count} graphs agree before and after; {raised} of them raise")


if __name__ == "__main__":
    main()
