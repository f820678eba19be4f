"""Arrays keep what Python leaves in them and their byte order; gradients of NumPy values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime


def written_before_it_fails(a: Any) -> Any:
    a[0] = 5.0
    a[0:2] = np.ones(3)
    return a


def list_before_it_fails(a: Any, values: Any) -> Any:
    values.append(7)
    a[1] = 2.0
    raise KeyError("key")


@pytest.mark.parametrize("stage", [runtime.jit, runtime.function])
def test_what_a_failing_trace_leaves_in_arrays(stage: Callable[..., Any]) -> None:
    a, staged = np.arange(4.0), stage(written_before_it_fails)
    for _ in range(3):
        a[:] = np.arange(4.0)
        with pytest.raises(ValueError, match="broadcast"):
            staged(a)
        assert a.tolist() == [5.0, 1.0, 2.0, 3.0]


def test_what_a_failing_trace_leaves_in_lists() -> None:
    a, values, staged = np.zeros(2), [1], runtime.jit(list_before_it_fails)
    with pytest.raises(KeyError) as caught:
        staged(a, values)
    assert (a.tolist(), values) == ([0.0, 2.0], [1, 7])
    assert caught.value.__context__ is None


def views(a: Any, n: Any) -> Any:
    return a[1:3], a[::-1], a.copy(), a.reshape(2, 2), a + 1, a[n], a


@pytest.mark.parametrize("dtype", [">f8", ">i4", "<i2", ">c8"])
@pytest.mark.parametrize("compiled", [False, None])
def test_views_keep_the_byte_order(dtype: str, compiled: bool | None) -> None:
    a, staged = np.arange(4).astype(dtype), runtime.jit(views, jit_compile=compiled)
    for given in (a, a.astype(a.dtype.newbyteorder("=")), a):
        for _ in range(2):
            result, expected = staged(given, 1), views(given, 1)
            for one, other in zip(result, expected, strict=True):
                assert one.dtype.str == other.dtype.str
                assert np.array_equal(one, other)


def test_gradients_of_numpy_values_say_what_to_write() -> None:
    square = runtime.jit(lambda x: x * x)
    for value in (np.arange(3.0), np.float64(2.0), 2.0):
        with runtime.GradientTape() as tape:
            result = square(value)
        with pytest.raises(TypeError, match=r"f\(runtime.constant\(x\)\)"):
            tape.gradient(result, runtime.constant(1.0))
    x = runtime.constant(3.0)
    with runtime.GradientTape() as tape:
        tape.watch(x)
        result = square(x)
    assert tape.gradient(result, x).numpy() == 6.0
