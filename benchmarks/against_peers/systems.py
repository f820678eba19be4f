"""How each system runs a program: its arrays, its compiler, and when a call is finished.

Programs of libraries are functions of the library that give the function to run, so that one
text serves TensorFlow and us: ``def program(tf): def f(x): return tf.tanh(x); return f``.
Programs in plain Python are given as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from benchmarks.against_peers.line import Call, Line, System

Program = Callable[[Any], Callable[..., Any]]


def bound(function: Callable[..., Any], arguments: list[Any]) -> Call:
    """A call of a function with arguments."""
    return lambda: function(*arguments)


def python(function: Callable[..., Any]) -> System:
    """Plain Python, or NumPy."""
    return lambda *inputs: bound(function, list(inputs))


def numba(function: Callable[..., Any]) -> System:
    """Compiled by numba."""

    def build(*inputs: Any) -> Call:
        from numba import njit

        return bound(njit(function), list(inputs))

    return build


_CHOICE: list[bool | None] = [True]
"""The last one is ``jit_compile`` of our functions that do not say it."""


@contextmanager
def compiled(choice: bool | None) -> Iterator[None]:
    """Build our systems with another value of ``jit_compile`` meanwhile."""
    _CHOICE.append(choice)
    yield
    _CHOICE.pop()


def jit(function: Callable[..., Any]) -> System:
    """Plain Python compiled by us."""

    def build(*inputs: Any) -> Call:
        import runtime

        choice = _CHOICE[-1]  # where it is False, the reference executor is meant, not Python
        compiled_function = runtime.jit(function, jit_compile=choice, strict=choice is False)
        return bound(compiled_function, list(inputs))

    return build


def eager(program: Program) -> System:
    """Our tensors, operation by operation."""

    def build(*inputs: Any) -> Call:
        import runtime

        return bound(program(runtime), [runtime.constant(x) for x in inputs])

    return build


def function(program: Program, **options: Any) -> System:
    """Our graphs, as machine code if the options do not say otherwise."""

    def build(*inputs: Any) -> Call:
        import runtime

        decorate = runtime.function(**{"jit_compile": _CHOICE[-1], **options})
        return bound(decorate(program(runtime)), [runtime.constant(x) for x in inputs])

    return build


def tensorflow(program: Program, staged: bool = True) -> System:
    """TensorFlow's ``function``, or its eager operations."""

    def build(*inputs: Any) -> Call:
        import tensorflow as tf

        found = program(tf)
        return bound(tf.function(found) if staged else found, [tf.constant(x) for x in inputs])

    return build


def jax(program: Program, staged: bool = True, wide: bool = False) -> System:
    """JAX: compiled, or operation by operation; ``wide`` if numbers of 64 bits stay so."""

    def build(*inputs: Any) -> Call:
        import jax

        def call() -> Any:
            with jax.enable_x64(wide):
                return jax.block_until_ready(compute(*arguments))

        with jax.enable_x64(wide):
            compute = jax.jit(program(jax)) if staged else program(jax)
            arguments = [jax.numpy.asarray(x) for x in inputs]
        return call if wide else lambda: jax.block_until_ready(compute(*arguments))

    return build


def torch(program: Program) -> System:
    """The operations of torch, one by one."""

    def build(*inputs: Any) -> Call:
        import torch

        torch.set_num_threads(1)
        return bound(program(torch), [torch.as_tensor(x) for x in inputs])

    return build


def tape_gradient(program: Program, *watched: int) -> Program:
    """The derivatives of a program's sum by the inputs of these numbers: TensorFlow's and ours."""

    def build(tf: Any) -> Callable[..., Any]:
        value = program(tf)

        def gradient(*inputs):
            sources = [inputs[k] for k in watched]
            with tf.GradientTape() as tape:
                for source in sources:
                    tape.watch(source)
                total = tf.reduce_sum(value(*inputs))
            return tape.gradient(total, sources)

        return gradient

    return build


def jax_gradient(program: Program, *watched: int) -> Program:
    """The same by JAX."""

    def build(jax: Any) -> Callable[..., Any]:
        value = program(jax)
        return jax.grad(lambda *inputs: jax.numpy.sum(value(*inputs)), watched)

    return build


def torch_gradient(program: Program, *watched: int) -> Program:
    """The same by torch."""

    def build(torch: Any) -> Callable[..., Any]:
        value = program(torch)

        def gradient(*inputs: Any) -> Any:
            sources = [inputs[k].detach().requires_grad_() for k in watched]
            held = list(inputs)
            for k, source in zip(watched, sources):
                held[k] = source
            return torch.autograd.grad(value(*held).sum(), sources)

        return gradient

    return build


def arrays(answer: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays of an answer: of a tensor, a number, or a nest of them; None has none."""
    if answer is None:
        return []
    if isinstance(answer, list | tuple):
        return [array for item in answer for array in arrays(item)]
    return [np.array(answer.detach() if hasattr(answer, "detach") else answer)]


def agree(line: Line, found: list[Any], wanted: list[Any]) -> bool:
    """Whether the arrays of two answers are the same, as exactly as the line asks for."""
    if [array.shape for array in found] != [array.shape for array in wanted]:
        return False
    for array, other in zip(found, wanted):
        limit = line.tolerance * float(np.max(np.abs(other), initial=0))
        if np.mean(~np.isclose(array, other, 0, limit)) > line.differing:
            return False
    return True
