"""Small exponents: squares, cubes and roots of many numbers, with and without gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import (
    eager,
    function,
    jax,
    jax_gradient,
    python,
    tape_gradient,
    tensorflow,
    torch_gradient,
)
from benchmarks.against_peers.systems import torch as torch_eager


def powers(x: Any) -> Any:
    """Give a sum of powers, in any library."""
    return x**2 + x**3 + x**0.5


def program(_: Any) -> Callable[..., Any]:
    """Give the powers: no library's function is needed."""
    return powers


def numbers(count: int) -> tuple[Any, ...]:
    """Give positive numbers."""
    return (np.linspace(0.1, 2, count, dtype=np.float32),)


def line(title: str, systems: dict[str, Any]) -> Line:
    """Give a line of 524,288 numbers."""
    return Line(
        title,
        inputs=lambda: numbers(524_288),
        small=lambda: numbers(100),
        systems=systems,
        targets=(Target("runtime.function", 0.9, BEST_PEER),),
        tolerance=1e-5,
    )


LINES = [
    line("x ** 2 + x ** 3 + x ** 0.5 of 524,288 float32", {
        "NumPy": python(powers),
        "JAX": jax(program),
        "TensorFlow": tensorflow(program),
        "torch": torch_eager(program),
        "runtime eager": eager(program),
        "runtime.function": function(program),
    }),
    line("gradient of the powers", {
        "JAX": jax(jax_gradient(program, 0)),
        "TensorFlow": tensorflow(tape_gradient(program, 0)),
        "torch": torch_eager(torch_gradient(program, 0)),
        "runtime eager": eager(tape_gradient(program, 0)),
        "runtime.function": function(tape_gradient(program, 0)),
    }),
]  # fmt: skip
