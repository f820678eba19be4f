"""Sums, extremes and their positions along rows of few elements are NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")


@tf.function(jit_compile=True)
def combine(x: Any) -> tuple[Any, ...]:
    """Combine the elements of rows and columns."""
    return (
        tf.reduce_sum(x, 1), tf.reduce_sum(x * x, 0), tf.reduce_max(x, 1), tf.reduce_min(x, 0),
        tf.reduce_mean(x, [0, 1]), tf.reduce_prod(x, 1), tf.nn.softmax(x),
    )  # fmt: skip


@pytest.mark.parametrize("length", [1, 3, 4, 8, 12, 16, 24, 64, 128])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_combinations(length: int, dtype: str) -> None:
    x = np.random.default_rng(length).normal(1, 0.1, (5, length)).astype(dtype)
    x[2, length // 2] = np.nan
    x[3] = -np.inf
    with np.errstate(invalid="ignore"):
        powers = np.exp(x - x.max(1, keepdims=True))
        wanted = (
            x.sum(1), (x * x).sum(0), x.max(1), x.min(0), x.mean(), x.prod(1),
            powers / powers.sum(1, keepdims=True),
        )  # fmt: skip
    for result, expected in zip(combine(x), wanted, strict=True):
        np.testing.assert_allclose(result, expected, 1e-5 if dtype == "float32" else 1e-12)


@tf.function(jit_compile=True)
def places(x: Any) -> tuple[Any, Any]:
    """Find the extremes of rows."""
    return tf.argmax(x, 1), tf.argmin(x, 1)


@pytest.mark.parametrize("length", [1, 3, 8, 9, 31, 32, 33, 100])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint64", "bool"])
def test_places(length: int, dtype: str) -> None:
    draw = np.random.default_rng(length)
    x = draw.integers(0, 4, (12, length)).astype(dtype)
    x[0] = draw.integers(0, 100, length).astype(dtype)
    if np.dtype(dtype).kind == "f":
        x[1] = np.where(draw.random(length) < 0.5, 0.0, -0.0)
        x[2, draw.integers(0, length, 3)] = np.nan
        x[3], x[4] = np.inf, -np.inf
    greatest, least = places(x)
    np.testing.assert_array_equal(greatest, x.argmax(1))
    np.testing.assert_array_equal(least, x.argmin(1))


def test_llvm_reports_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    from runtime.types.flags import JIT_CACHE

    with JIT_CACHE("0"):
        for shape in ((30, 8), (30, 64), (2, 128)):
            tf.function(lambda x: combine.python_function(x), jit_compile=True)(np.ones(shape))
    assert capfd.readouterr().err == ""


@tf.function(jit_compile=True)
def greatest(x: Any, k: Any) -> Any:
    """Find the greatest elements of rows."""
    return tf.math.top_k(x, k)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint16", "int64"])
def test_greatest(dtype: str) -> None:
    draw = np.random.default_rng(1)
    x = draw.integers(0, 100, (6, 203)).astype(dtype)
    x[1], x[2] = np.sort(x[1]), np.sort(x[2])[::-1]
    if np.dtype(dtype).kind == "f":
        x[3, 20:23], x[4, 100], x[5] = np.nan, np.inf, -np.inf
    for k in (1, 3, 8, 16):
        values, positions = greatest(x, k)
        order = np.argsort(np.where(np.isnan(x), -np.inf, -x.astype(float)), 1, kind="stable")
        np.testing.assert_array_equal(positions, order[:, :k])
        np.testing.assert_array_equal(values, np.take_along_axis(x, order[:, :k], 1))
