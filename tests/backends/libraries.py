"""The three libraries, as tests of all of them use them: arrays, traced calls, results."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import autograph


class Library(NamedTuple):
    """A library's arrays of 32 bits, and its way to trace a function and to call the trace."""

    name: str
    array: Callable[[Any], Any]
    traced: Callable[..., Any]


def library(name: str) -> Library:
    """A library; the test is skipped where it is not installed, or the process holds its rival.

    TensorFlow and PyTorch crash each other in one process, by the LLVM that both bring.
    """
    rival = {"tensorflow": "torch", "torch": "tensorflow"}.get(name)
    if rival in sys.modules:
        pytest.skip(f"{rival} is imported in this process: run 'pytest -k {name}'")
    pytest.importorskip(name, reason=f"{name} is not installed")
    return {"jax": _jax, "tensorflow": _tensorflow, "torch": _torch}[name]()


def _jax() -> Library:
    import jax

    def traced(function: Any, *args: Any) -> Any:
        result = jax.block_until_ready(jax.jit(autograph.to_graph(function))(*args))
        jax.effects_barrier()
        return result

    return Library("jax", jax.numpy.asarray, traced)


def _tensorflow() -> Library:
    import tensorflow as tf

    return Library("tensorflow", tf.constant, lambda function, *args: tf.function(
        autograph.to_graph(function), autograph=False
    )(*args))  # fmt: skip


def _torch() -> Library:
    import torch

    class Model(torch.nn.Module):
        def __init__(self, function: Any) -> None:
            super().__init__()
            self.function = autograph.to_graph(function)

        def forward(self, *args: Any) -> Any:
            return self.function(*args)

    return Library("torch", torch.tensor, lambda function, *args: torch.export.export(
        Model(function), args
    ).module()(*args))  # fmt: skip
