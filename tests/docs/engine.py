"""What docs/engine.md and docs/engine_stages.md show: `collatz` at each stage of the engine."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import runtime as tf
from examples.collatz import collatz
from runtime.engine.llvm.debug import compiled_line


def llvm_ir() -> str:
    """The head of the loop, up to where a branch has to run by itself."""
    lines = tf.jit(collatz).llvm_ir(27).splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("head"))
    end = next(k for k, line in enumerate(lines) if line.startswith("again"))
    return "\n".join([*lines[start : end + 2], "  ..."])


def graph() -> str:
    """The trace for an int after the passes."""
    return str(tf.jit(collatz).get_concrete_function(27).optimized_graph)


SHOWN: dict[str, Callable[[], str]] = {
    "engine source": lambda: inspect.getsource(collatz),
    "engine graph": graph,
    "engine kernel ir": lambda: tf.jit(collatz).kernel_ir(27),
    "engine llvm ir": llvm_ir,
    "engine report": lambda: "runtime: " + compiled_line("collatz", 12, 1480, 0.0142),
}
