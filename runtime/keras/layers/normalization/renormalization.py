"""Batch renormalization: what ``BatchNormalization`` with ``renorm`` has besides.

Source: Ioffe, Batch Renormalization, 2017.
"""

from __future__ import annotations

from typing import Any

from runtime.keras import initializers
from runtime.ops.array.constants import cast, stop_gradient
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.elementwise import maximum, minimum, sqrt

_LIMITS = ("rmax", "rmin", "dmax")


def clipping_of(limits: Any) -> dict[str, Any]:
    """Return the limits of corrections; ValueError for other keys, and for limits that are none."""
    limits = dict(limits or {})
    if set(limits) - set(_LIMITS):
        raise ValueError(
            f"Received invalid keys for `renorm_clipping` argument: {limits}. Supported values: "
            f"{list(_LIMITS)}."
        )
    rmax, rmin, dmax = map(limits.get, _LIMITS)
    if rmax is not None and rmin is not None and rmax < rmin:
        raise ValueError(
            "rmax should be greater than rmin in the `renorm_clipping` argument. Received: "
            f"rmax={rmax}, rmin={rmin}."
        )
    if dmax is not None and dmax < 0:
        raise ValueError(
            "dmax should be non-negative in the `renorm_clipping` argument. Received: "
            f"dmax={dmax}."
        )
    return limits


def add_weights(layer: Any, sizes: tuple[int, ...]) -> None:
    """Make ``moving_stddev``, ``renorm_mean`` and ``renorm_stddev``."""

    def stddev(shape: Any, dtype: Any = None) -> Any:
        return sqrt(again(layer.moving_variance_initializer)(shape, dtype=dtype))

    for name, initializer in (
        ("moving_stddev", stddev), ("renorm_mean", again(layer.moving_mean_initializer)),
        ("renorm_stddev", stddev),
    ):  # fmt: skip
        setattr(layer, name, layer.add_weight(sizes, initializer, trainable=False, name=name))


def again(initializer: Any) -> Any:
    """Return an initializer of the same arguments, which draws the same numbers."""
    if not isinstance(initializer, initializers.Initializer):
        return initializer
    return type(initializer).from_config(initializer.get_config())


def corrections(layer: Any, mean: Any, stddev: Any) -> tuple[Any, Any]:
    """Return the factor and the offset by which outputs of a batch become those of all batches."""
    limits = layer.renorm_clipping
    usual = cast(layer.renorm_stddev, mean.dtype)
    usual = maximum(usual, cast(layer.epsilon, mean.dtype) ** 0.5)
    factor, offset = stddev / usual, (mean - cast(layer.renorm_mean, mean.dtype)) / usual
    if limits.get("rmin") is not None:
        factor = maximum(factor, limits["rmin"])
    if limits.get("rmax") is not None:
        factor = minimum(factor, limits["rmax"])
    if limits.get("dmax") is not None:
        offset = clip_by_value(offset, -limits["dmax"], limits["dmax"])
    return stop_gradient(factor), stop_gradient(offset)


def composed(correction: tuple[Any, Any], gamma: Any, beta: Any) -> tuple[Any, Any]:
    """Return the factor and the offset that also correct."""
    factor, offset = correction
    if gamma is not None:
        factor, offset = factor * gamma, offset * gamma
    return factor, offset if beta is None else offset + beta
