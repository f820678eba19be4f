"""Functions of vectors: their errors in units in the last place, and times on one core.

Nanoseconds per element, beside NumPy's and, where JAX is installed, XLA's; and greatest errors, on
many more numbers than the tests have:

    python benchmarks/vector_math.py [name ...]
    python benchmarks/vector_math.py errors [name ...]
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from benchmarks.timing import medians, pin
from runtime.engine.llvm.vector_math import functions
from runtime.engine.llvm.vector_math.processor import host
from tests.runtime.engine.vector_math import samples
from tests.runtime.engine.vector_math.compiled import compiled, narrower, raw, this_machine

SIZE = 1 << 15
NAMED = [name for name in sys.argv[1:] if name != "errors"]
OPS = NAMED or sorted([*functions.UNARY, *functions.BINARY])


def inputs_of(op: str, dtype: str) -> list[np.ndarray]:
    """Numbers of usual sizes at which the function is defined."""
    random = np.random.default_rng(0)
    low, high = samples.USUAL.get(op, (-8, 8))
    return [random.uniform(low, high, SIZE).astype(dtype) for _ in range(functions.arity(op))]


def of_jax(op: str, inputs: list[np.ndarray]) -> Callable[[], object] | None:
    """The function compiled by XLA, for one core."""
    try:
        import jax
        from jax import lax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    named = {"sigmoid": "logistic", "acos": "acos", "arctan2": "atan2"}.get(op, op)
    function: Any = getattr(lax, named, None)
    if function is None:
        return None
    arrays = [jax.numpy.asarray(x) for x in inputs]
    compiled = jax.jit(function).lower(*arrays).compile()
    return lambda: compiled(*arrays).block_until_ready()


def times() -> None:
    """Prints nanoseconds per element of each function: ours, NumPy's and XLA's."""
    pin()
    print(f"{'':<18} ours  NumPy    XLA")
    for dtype in samples.DTYPES:
        for op in OPS:
            inputs = inputs_of(op, dtype)
            out = np.empty_like(inputs[0])
            call = op, dtype, host().lanes(dtype)
            candidates: dict[str, Callable[[], object]] = {
                "ours": raw(compiled([call])[call], out, *inputs)
            }
            of_numpy = samples.NUMPY.get(op)
            if of_numpy:
                candidates["NumPy"] = lambda f=of_numpy, x=inputs, o=out: f(*x, out=o)
            other = of_jax(op, inputs)
            if other:
                candidates["XLA"] = other
            found = medians(candidates)
            row = [f"{found[k] / SIZE * 1e9:6.2f}" if k in found else "     -"
                   for k in ("ours", "NumPy", "XLA")]  # fmt: skip
            print(f"{op:<8} {dtype} {' '.join(row)}", flush=True)


def errors(count: int = 300_000) -> None:
    """Prints the greatest errors as rows of docs/vector_math.md."""
    for op in OPS:
        worst = []
        for dtype in samples.DTYPES:
            inputs = samples.numbers(op, dtype, count)
            exact = samples.exact(op, inputs)
            call = op, dtype, host().lanes(dtype)
            targets = [this_machine(), *narrower().values()]
            found = [compiled([call], target)[call](*inputs) for target in targets]
            worst.append(max(float(samples.ulps(f, exact).max()) for f in found))
        print(f"| `{op}` | " + " | ".join(f"{error:.2f}" for error in worst) + " |", flush=True)


if __name__ == "__main__":
    start = time.perf_counter()
    errors() if "errors" in sys.argv else times()
    print(f"{time.perf_counter() - start:.0f} s")
