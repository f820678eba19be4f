"""Normalizations of ``keras.ops`` by the elements of one example."""

from __future__ import annotations

from typing import Any

from runtime.keras.config import epsilon as default_epsilon
from runtime.keras.ops.promotion import as_wide_float
from runtime.keras.ops.shapes import rank_of
from runtime.keras.ops.statistics import axes_of
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import reshape
from runtime.ops.docstrings import documented
from runtime.ops.math import elementwise, reduction

_SAME_SHAPE = "Tensor of the shape and dtype of ``x``, computed in float32 or float64"
_AXIS = "an axis, or several"
_EPSILON = "added under the root; None: ``keras.config.epsilon()``"


def _along(parameter: Any, x: Any, axes: list[int]) -> Any:
    """Return a parameter of the features on its axes of ``x``."""
    sizes = [x.shape[axis] if axis in axes else 1 for axis in range(rank_of(x))]
    sizes = [-1 if size is None else size for size in sizes]
    return reshape(cast(convert_to_tensor(parameter), x.dtype), sizes)


@documented(_SAME_SHAPE, x="tensor", gamma="factors; None: one", beta="added; None: nothing",
            axis=_AXIS, epsilon=_EPSILON)  # fmt: skip
def layer_normalization(
    x: Any, gamma: Any = None, beta: Any = None, axis: Any = -1, epsilon: float | None = None
) -> Any:
    """Give the elements along axes the mean 0 and the variance 1."""
    x = convert_to_tensor(x)
    wide, axes = as_wide_float(x), axes_of(x, axis)
    centred = wide - reduction.reduce_mean(wide, axes, keepdims=True)
    variance = reduction.reduce_mean(elementwise.square(centred), axes, keepdims=True)
    least = default_epsilon() if epsilon is None else epsilon
    y = centred * elementwise.rsqrt(variance + least)
    y = y if gamma is None else y * _along(gamma, wide, axes)
    return cast(y if beta is None else y + _along(beta, wide, axes), x.dtype)


@documented(_SAME_SHAPE, x="tensor", scale="factors; None: one", axis=_AXIS, epsilon=_EPSILON)
def rms_normalization(
    x: Any, scale: Any = None, axis: Any = -1, epsilon: float | None = None
) -> Any:
    """Divide the elements along axes by the root of the mean of their squares."""
    x = convert_to_tensor(x)
    wide, axes = as_wide_float(x), axes_of(x, axis)
    mean_square = reduction.reduce_mean(elementwise.square(wide), axes, keepdims=True)
    least = default_epsilon() if epsilon is None else epsilon
    y = wide * elementwise.rsqrt(mean_square + least)
    return cast(y if scale is None else y * _along(scale, wide, axes), x.dtype)
