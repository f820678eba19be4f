"""Rules of random numbers and prints: their kernels are called in the run (host_calls.py)."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.host_calls import draw, print_later
from runtime.engine.xla.interpreter import (
    TRACE,
    PlanInterpreter,
    inferred,
    operation_rule,
    spec_of,
    static,
)
from runtime.graph.operation import Operation
from runtime.ops.random_seed import STRIDE

_DISTRIBUTIONS = (
    "uniform", "normal", "truncated_normal", "parameterized_truncated_normal", "gamma", "poisson",
    "binomial", "uniform_full_int",
)  # fmt: skip
_DRAWS = (
    *(f"{prefix}random_{name}" for name in _DISTRIBUTIONS for prefix in ("", "stateless_")),
    "random_shuffle", "stateless_shuffle", "random_categorical", "stateless_random_categorical",
)  # fmt: skip
_SIZES = {"shape", "num_samples"}
"""Inputs that say how many numbers are drawn."""


@operation_rule(*_DRAWS)
def _draw(run: PlanInterpreter, node: Operation, *inputs: Any) -> Any:
    known = [
        static(x, "how many numbers it draws") if name in _SIZES else x
        for name, x in zip(node.op_def.inputs, inputs, strict=True)
    ]
    return draw(node, known, inferred(node, [spec_of(x) for x in known]))


@operation_rule("rng_read_and_skip")
def _read_and_skip(run: PlanInterpreter, node: Operation, delta: Any) -> Any:
    variables, storage = TRACE.frames[-1].variables, node.attrs["storage"]
    before = variables[storage]
    words = jnp.asarray(before).astype(np.uint64)
    low = words[0] + jnp.asarray(delta).astype(np.uint64) * np.uint64(STRIDE)
    high = words[1] + (low < words[0]).astype(np.uint64)
    variables[storage] = jnp.stack([low, high, words[2]]).astype(np.int64)
    return before


@operation_rule("print")
def _print(run: PlanInterpreter, node: Operation, *inputs: Any) -> Any:
    print_later(node, inputs)
    return ()
