"""Inputs of the functions of vectors, their exact values, and errors in units in the last place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

DTYPES = ("float32", "float64")
EXTENDED = np.finfo(np.longdouble).nmant > 60
"""Whether long doubles are longer than doubles: they are the oracle for float64."""


def sigmoid(x: Any) -> Any:
    """The logistic function, without overflow."""
    return np.where(x < 0, np.exp(np.minimum(x, 0)), 1) / (1 + np.exp(-abs(x)))


EXACT: dict[str, Callable[..., Any]] = {
    "cos": np.cos, "exp": np.exp, "expm1": np.expm1, "log": np.log, "sigmoid": sigmoid,
    "sin": np.sin, "tan": np.tan, "tanh": np.tanh,
}  # fmt: skip
"""The functions in any precision of NumPy's."""

POSITIVE = {"log"}


def special(dtype: str) -> np.ndarray:
    """Zeros, infinities, NaN, subnormals, and numbers around powers of two."""
    info = np.finfo(dtype)
    least, most = info.smallest_subnormal, info.max
    numbers = [
        0.0, least, 3 * least, info.tiny / 2, info.tiny, info.eps, 0.1, 0.5, 1.0, 2.0, 3.0, 10.0,
        100.0, np.sqrt(most), most, np.inf, np.nextafter(info.tiny, np.array(0, dtype)),
        *np.nextafter(np.array(1, dtype), np.array([0, 2], dtype)),
    ]  # fmt: skip
    found = np.array(numbers, dtype)
    return np.concatenate([found, -found, np.array([np.nan], dtype)])


def numbers(op: str, dtype: str, count: int) -> np.ndarray:
    """Numbers of the whole range: of all bit patterns, of usual sizes, and around 0 and 1."""
    random = np.random.default_rng(list(map(ord, op)))
    info = np.finfo(dtype)
    whole = random.integers(0, 1 << info.bits, count, f"uint{info.bits}").view(dtype)
    most = np.log(info.max) * 1.1
    usual = random.uniform(-most, most, count)
    small = random.uniform(-1, 1, count) * np.exp2(random.uniform(-info.nmant - 4, 4, count))
    with np.errstate(invalid="ignore"):  # signalling NaNs
        found = np.concatenate([special(dtype), whole, usual, small, 1 + small]).astype(dtype)
    return abs(found) if op in POSITIVE else found


def exact(op: str, inputs: list[np.ndarray]) -> np.ndarray:
    """The function in more precision than the inputs."""
    wide = np.float64 if inputs[0].dtype == np.float32 else np.longdouble
    with np.errstate(all="ignore"):
        return np.asarray(EXACT[op](*[x.astype(wide) for x in inputs]))


def ulps(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The distances in units in the last place; infinite where only one is finite or NaN.

    A unit is the distance from the rounded exact value to the next number away from zero.
    """
    with np.errstate(all="ignore"):
        rounded = exact.astype(found.dtype)
        unit = np.spacing(abs(rounded)).astype(exact.dtype)
        distance = abs(found.astype(exact.dtype) - exact) / unit
        same = (found == rounded) | np.isnan(found) & np.isnan(rounded)
        finite = np.isfinite(rounded) & np.isfinite(found)
        return np.where(finite, distance, np.where(same, 0, np.inf)).astype(np.float64)
