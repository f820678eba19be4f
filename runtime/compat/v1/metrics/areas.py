"""Streaming metrics of the curve that thresholds of probabilities draw: areas and points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.compat.v1.metrics.streaming import Collections, collected, metric_scope
from runtime.compat.v1.metrics.thresholds import EDGE, counts_at
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like
from runtime.ops.array.where import where
from runtime.ops.math.elementary import log
from runtime.ops.math.elementwise import abs, divide_no_nan, maximum, minimum
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import argmax, argmin, reduce_min, reduce_sum
from runtime.ops.math.scans import cumsum
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import int64

__all__ = ["auc", "sensitivity_at_specificity", "specificity_at_sensitivity"]


def _between(count: int) -> list[float]:
    """Return thresholds at equal distances, the outermost beyond 0 and 1."""
    return [-EDGE, *((i + 1) / (count - 1) for i in range(count - 2)), 1.0 + EDGE]


def sensitivity_at_specificity(
    labels: TensorLike, predictions: TensorLike, specificity: float,
    weights: TensorLike | None = None, num_thresholds: int = 200,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the recall at the threshold whose specificity is nearest to a number.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        specificity: number from 0 to 1.
        num_thresholds: number of thresholds.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the recall, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit, and a number that is not from 0 to 1.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    if not 0 <= specificity <= 1:
        raise ValueError(f"`specificity` must be in the range [0, 1], got {specificity}")

    def recall(c: dict[str, Any]) -> Any:
        shares = c["true_negatives"] / (c["true_negatives"] + c["false_positives"] + EDGE)
        chosen = argmin(abs(shares - specificity), 0)
        hits = c["true_positives"][chosen]
        return hits / (hits + c["false_negatives"][chosen] + EDGE)

    with metric_scope(name, "sensitivity_at_specificity"):
        counts = counts_at(labels, predictions, _between(num_thresholds), weights)
        value, update_op = (recall(c) for c in counts)
        return collected(value, update_op, metrics_collections, updates_collections)


def specificity_at_sensitivity(
    labels: TensorLike, predictions: TensorLike, sensitivity: float,
    weights: TensorLike | None = None, num_thresholds: int = 200,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the specificity at the last threshold whose recall is nearest to a number.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        sensitivity: number from 0 to 1.
        num_thresholds: number of thresholds.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the specificity, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit, and a number that is not from 0 to 1.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    if not 0 <= sensitivity <= 1:
        raise ValueError(f"`sensitivity` must be in the range [0, 1], got {sensitivity}")

    def share_of_negatives(c: dict[str, Any]) -> Any:
        shares = c["true_positives"] / (c["true_positives"] + c["false_negatives"] + EDGE)
        distances = abs(shares - sensitivity)
        chosen = argmax(cumsum(cast(distances == reduce_min(distances), int64)), 0)
        hits = c["true_negatives"][chosen]
        return hits / (hits + c["false_positives"][chosen] + EDGE)

    with metric_scope(name, "specificity_at_sensitivity"):
        counts = counts_at(labels, predictions, _between(num_thresholds), weights)
        value, update_op = (share_of_negatives(c) for c in counts)
        return collected(value, update_op, metrics_collections, updates_collections)


def auc(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    num_thresholds: int = 200, metrics_collections: Collections = None,
    updates_collections: Collections = None, curve: str = "ROC", name: str | None = None,
    summation_method: str = "trapezoidal", thresholds: Sequence[float] | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the area under the curve of hits over misses, or of precision over recall.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        num_thresholds: number of thresholds, at equal distances.
        curve: "ROC" (recall over the share of false positives) or "PR" (precision over recall).
        summation_method: "trapezoidal", "minoring", "majoring", or "careful_interpolation", which
            for "PR" is that of Davis and Goadrich (2006).
        thresholds: numbers from 0 to 1, in place of ``num_thresholds``.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the area, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit, another curve or method.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    if curve not in ("ROC", "PR"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    if summation_method not in ("careful_interpolation", *_HEIGHTS):
        raise ValueError(
            f"Invalid summation_method: {summation_method}. It is 'trapezoidal', "
            "'careful_interpolation', 'minoring', or 'majoring'"
        )
    inner = _between(num_thresholds) if thresholds is None else sorted(thresholds)
    limits = inner if thresholds is None else [-EDGE, *inner, 1.0 + EDGE]
    with metric_scope(name, "auc"):
        counts = counts_at(labels, predictions, limits, weights)
        if (curve, summation_method) == ("PR", "careful_interpolation"):
            value, update_op = (_interpolated_area(c) for c in counts)
        else:
            height = _HEIGHTS.get(summation_method, _HEIGHTS["trapezoidal"])
            value, update_op = (_area(c, curve, height) for c in counts)
        return collected(value, update_op, metrics_collections, updates_collections)


_HEIGHTS: dict[str, Callable[[Any, Any], Any]] = {
    "trapezoidal": lambda left, right: (left + right) / 2.0,
    "minoring": minimum,
    "majoring": maximum,
}
"""Height of the area between two points of a curve, by the method."""


def _area(c: dict[str, Any], curve: str, height: Callable[[Any, Any], Any]) -> Any:
    """Sum the areas between points of a curve; 1e-6 keeps shares of nothing at 1, as there."""
    hits, misses, epsilon = c["true_positives"], c["false_positives"], 1e-6
    recalls = (hits + epsilon) / (hits + c["false_negatives"] + epsilon)
    if curve == "ROC":
        x, y = misses / (misses + c["true_negatives"] + epsilon), recalls
    else:
        x, y = recalls, (hits + epsilon) / (hits + misses + epsilon)
    return reduce_sum((x[:-1] - x[1:]) * height(y[:-1], y[1:]))


def _interpolated_area(c: dict[str, Any]) -> Any:
    """Return the area under precision over recall; between points, hits are linear in positives."""
    hits = c["true_positives"]
    positives = hits + c["false_positives"]
    steps = hits[:-1] - hits[1:]
    slope = divide_no_nan(steps, maximum(positives[:-1] - positives[1:], 0.0))
    intercept = hits[1:] - slope * positives[1:]
    ratio = where(
        logical_and(positives[:-1] > 0, positives[1:] > 0),
        divide_no_nan(positives[:-1], maximum(positives[1:], 0.0)), ones_like(positives[1:]),
    )  # fmt: skip
    total = maximum(hits[1:] + c["false_negatives"][1:], 0.0)
    return reduce_sum(divide_no_nan(slope * (steps + intercept * log(ratio)), total))
