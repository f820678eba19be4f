"""A convolution by Fourier transforms, and the exponential of a matrix by its series."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import function, jax, jit, numba, python, tensorflow
from benchmarks.against_peers.systems import torch as torch_eager

HALVINGS, TERMS = 6, 12


def convolution_in_numpy(x: Any, kernel: Any) -> Any:
    """Convolve round a circle."""
    return np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(kernel), len(x))


def convolution_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the convolution by TensorFlow's names."""
    fft = tf.signal
    return lambda x, kernel: fft.irfft(fft.rfft(x) * fft.rfft(kernel), [x.shape[0]])


def convolution_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the convolution by JAX."""
    fft = jax.numpy.fft
    return lambda x, kernel: fft.irfft(fft.rfft(x) * fft.rfft(kernel), len(x))


def convolution_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the convolution by torch."""
    fft = torch.fft
    return lambda x, kernel: fft.irfft(fft.rfft(x) * fft.rfft(kernel), len(x))


def signals(count: int) -> tuple[Any, ...]:
    """Draw a signal and a kernel."""
    draw = np.random.default_rng(0)
    x, kernel = draw.normal(0, 1, (2, count)).astype(np.float32)
    return x, kernel


def exponential(a: Any) -> Any:
    """Add the series for a small part of the matrix, by Horner, and square it; also numba's."""
    small = a / 2.0**HALVINGS
    result = np.eye(a.shape[0])
    for k in range(TERMS, 0, -1):
        result = np.eye(a.shape[0]) + small @ result / k
    for _ in range(HALVINGS):
        result = result @ result
    return result


def exponential_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the series in staged loops."""

    def expm(a):
        unit = tf.eye(a.shape[0], dtype=a.dtype)
        small, result = a / 2.0**HALVINGS, unit
        for k in tf.range(TERMS, 0, -1):
            result = unit + tf.matmul(small, result) / tf.cast(k, a.dtype)
        for _ in tf.range(HALVINGS):
            result = tf.matmul(result, result)
        return result

    return expm


def exponential_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the series in loops of JAX's."""
    np = jax.numpy

    def expm(a: Any) -> Any:
        unit = np.eye(len(a))
        small = a / 2.0**HALVINGS

        def add(k: Any, result: Any) -> Any:
            return unit + small @ result / (TERMS - k)

        result = jax.lax.fori_loop(0, TERMS, add, unit)
        return jax.lax.fori_loop(0, HALVINGS, lambda _, r: r @ r, result)

    return expm


def exponential_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the series of torch's operations, one by one."""

    def expm(a: Any) -> Any:
        unit = torch.eye(len(a), dtype=a.dtype)
        small, result = a / 2.0**HALVINGS, unit
        for k in range(TERMS, 0, -1):
            result = unit + small @ result / k
        for _ in range(HALVINGS):
            result = result @ result
        return result

    return expm


def matrix(width: int) -> tuple[Any, ...]:
    """Draw a matrix."""
    return (np.random.default_rng(0).normal(0, width**-0.5, (width, width)),)


LINES = [
    Line(
        "convolution of 65,536 numbers by Fourier transforms",
        inputs=lambda: signals(65_536),
        small=lambda: signals(8),
        systems={
            "NumPy": python(convolution_in_numpy),
            "JAX": jax(convolution_in_jax),
            "TensorFlow": tensorflow(convolution_with_tensors),
            "torch": torch_eager(convolution_in_torch),
            "runtime.function": function(convolution_with_tensors),
            "runtime.jit": jit(convolution_in_numpy),
        },
        targets=(Target("runtime.function", 0.9, BEST_PEER),),
        tolerance=1e-4,
    ),
    Line(
        "exponential of a matrix of 64x64",
        inputs=lambda: matrix(64),
        small=lambda: matrix(3),
        systems={
            "NumPy": python(exponential),
            "numba": numba(exponential),
            "JAX": jax(exponential_in_jax, wide=True),
            "TensorFlow": tensorflow(exponential_with_tensors),
            "torch": torch_eager(exponential_in_torch),
            "runtime.function": function(exponential_with_tensors),
            "runtime.jit": jit(exponential),
        },
        targets=(Target("runtime.function", 0.9, BEST_PEER),),
        tolerance=1e-10,
    ),
]
