"""Arrays without axes that ``runtime.jit`` returns are arrays, as NumPy's are, and no scalars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError


def complex_constant(a: Any) -> Any:
    return np.asarray(1j)


def added(a: Any) -> Any:
    z = np.array(2.0)
    z += a[0]
    return z


def constant_added(a: Any) -> Any:
    z = np.array(2.0)
    z += 1
    return z


def assigned(a: Any) -> Any:
    z = np.array(2.0)
    z[...] = 3
    return z


def assigned_by_no_index(a: Any) -> Any:
    z = np.zeros(())
    z[()] = a[1]
    return z


def written_to(a: Any) -> Any:
    z = np.array(2.0)
    np.add(a[0], 1, z)
    return z


def scalar_of_it(a: Any) -> Any:
    return np.array(2.0) + a[0]


def reshaped(a: Any) -> Any:
    return a[:1].reshape(())


@pytest.mark.parametrize(
    "function",
    [
        complex_constant, added, constant_added, assigned, assigned_by_no_index, written_to,
        scalar_of_it, reshaped,
    ],
)  # fmt: skip
def test_results_without_axes_have_numpys_type(function: Any) -> None:
    compiled, a = tf.jit(function, strict=True), np.array([-1.0, 0.5, 2.0])
    expected = function(a)
    for _ in range(4):  # later calls are made by code of their own
        result = compiled(a)
        assert type(result) is type(expected)
        assert result == expected and result.dtype == expected.dtype


def test_clip_into_an_array_is_refused() -> None:
    def clipped(a: Any) -> Any:
        out = np.zeros(3)
        np.clip(a, 0, 1, out)
        return out

    with pytest.raises(ConcreteValueError, match="'out'"):
        tf.jit(clipped, strict=True)(np.array([-1.0, 0.5, 2.0]))
