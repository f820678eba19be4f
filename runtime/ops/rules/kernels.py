"""Wrappers that make a NumPy function a kernel.

A kernel raises on whatever the definition's ``infer`` raises on: eager execution runs the kernel
alone, and must not give a value where a graph gives an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.rules.inference import normal_axis
from runtime.types.dtypes import Array
from runtime.types.shapes import TensorSpec


def once_rounded(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that computes float16 in float32 and rounds its result once."""

    def run(*arrays: Array, **attrs: Any) -> Any:
        if not any(a.dtype == np.float16 for a in arrays):
            return kernel(*arrays, **attrs)
        wide = [a.astype(np.float32) if a.dtype == np.float16 else a for a in arrays]
        return kernel(*wide, **attrs).astype(np.float16)

    return run


def checked(kernel: Callable[..., Any], infer: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that lets ``infer`` look at the inputs first, and so refuses what it refuses.

    For ops that are not called in a hurry.
    """

    def run(*arrays: Array, **attrs: Any) -> Any:
        infer(*[TensorSpec(a.shape, a.dtype, None, np.asarray(a)) for a in arrays], **attrs)
        return kernel(*arrays, **attrs)

    return run


def check_axes(x: Array, axis: Any) -> None:
    """InvalidArgumentError for an axis out of range; NumPy takes axis 0 of a scalar."""
    for number in (axis,) if isinstance(axis, int) else axis or ():
        normal_axis(number, x.ndim, "reduction axis")


def reducing(function: Callable[..., Any], keep_dtype: bool = True) -> Callable[..., Any]:
    """A reduction along ``axis`` by a NumPy function, in the dtype of the input by default.

    NumPy takes axis 0 of a scalar, and sums small integers in larger ones; this does not.
    """

    def kernel(x: Array, *, axis: Any, keepdims: bool) -> Any:
        if axis is not None:
            check_axes(x, axis)
        if keep_dtype:
            return function(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
        return function(x, axis=axis, keepdims=keepdims)

    return kernel


def add_rows(target: Array, rows: Array, values: Array) -> None:
    """Add ``values[i]`` to ``target[rows[i]]``, one after the other; ``target`` is contiguous.

    Element by element: NumPy's ``add.at`` is 20 times slower on whole rows.
    """
    if not len(rows):
        return
    width = values.size // len(rows)
    places = rows.astype(np.int64).reshape(-1)
    if width != 1:
        places = (places[:, None] * width + np.arange(width)).reshape(-1)
    np.add.at(target.reshape(-1), places, values.reshape(-1))
