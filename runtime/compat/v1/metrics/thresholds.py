"""Streaming counts at several thresholds of probabilities, and precision and recall there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.compat.v1.metrics.streaming import (
    Collections,
    collected,
    is_of_kind,
    metric_scope,
    metric_variable,
    pair,
    weights_like,
)
from runtime.graph.default_graph import control_dependencies
from runtime.ops.array.constants import cast, constant, identity
from runtime.ops.array.shape import reshape
from runtime.ops.control_flow.assertions import assert_greater_equal, assert_less_equal
from runtime.ops.math.reduction import reduce_sum
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import bool_, float32

__all__ = [
    "false_negatives_at_thresholds", "false_positives_at_thresholds", "precision_at_thresholds",
    "recall_at_thresholds", "true_negatives_at_thresholds", "true_positives_at_thresholds",
]  # fmt: skip

_KINDS = ("true_positives", "false_negatives", "true_negatives", "false_positives")
EDGE = 1e-7
"""How far the outermost thresholds are beyond 0 and 1; also what keeps divisors from 0."""


def counts_at(
    labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any,
    kinds: Sequence[str] = _KINDS,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """Return sums of weights by kind, each a vector over thresholds, and their updates."""
    truth, chances = pair(cast(labels, bool_), cast(predictions, float32))
    checks = [
        assert_greater_equal(chances, 0.0, message="predictions must be in [0, 1]"),
        assert_less_equal(chances, 1.0, message="predictions must be in [0, 1]"),
    ]
    with control_dependencies([check for check in checks if check is not None]):
        chances = identity(chances)
    factors = reshape(weights_like(1.0 if weights is None else weights, chances), [1, -1])
    is_positive = reshape(chances, [1, -1]) > reshape(constant(thresholds, float32), [-1, 1])
    is_true = reshape(truth, [1, -1])
    values, updates = {}, {}
    for kind in kinds:
        is_counted = is_of_kind(kind, is_true, is_positive)
        count = metric_variable([len(thresholds)], kind)
        values[kind] = identity(count)
        sums = reduce_sum(cast(is_counted, float32) * factors, 1)
        updates[kind] = identity(count.assign_add(sums))
    return values, updates


def _count_at(
    kind: str, labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any,
    metrics: Collections, updates: Collections, name: str | None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of the elements of one kind for each threshold."""
    with metric_scope(name, kind):
        counts = counts_at(labels, predictions, thresholds, weights, [kind])
        value, update_op = (count[kind] for count in counts)
        return collected(value, update_op, metrics, updates)


def _share_of_hits_at(
    misses: str, labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any,
    metrics: Collections, updates: Collections,
) -> tuple[Any, Any]:  # fmt: skip
    """Divide the true positives by them and the misses of a kind, for each threshold."""
    hits = "true_positives"
    counts = counts_at(labels, predictions, thresholds, weights, [hits, misses])
    value, update_op = (count[hits] / (EDGE + count[hits] + count[misses]) for count in counts)
    return collected(value, update_op, metrics, updates)


def true_positives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Sequence[float],
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are true, and predicted to be, for each threshold.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        thresholds: numbers; a prediction above is positive.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Vectors of float32, one item for each threshold: the sums, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    return _count_at("true_positives", labels, predictions, thresholds, weights,
                     metrics_collections, updates_collections, name)  # fmt: skip


def true_negatives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Sequence[float],
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are false, and predicted to be, for each threshold.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        thresholds: numbers; a prediction above is positive.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Vectors of float32, one item for each threshold: the sums, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    return _count_at("true_negatives", labels, predictions, thresholds, weights,
                     metrics_collections, updates_collections, name)  # fmt: skip


def false_positives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Sequence[float],
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are false, but predicted to be true, for each threshold.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        thresholds: numbers; a prediction above is positive.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Vectors of float32, one item for each threshold: the sums, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    return _count_at("false_positives", labels, predictions, thresholds, weights,
                     metrics_collections, updates_collections, name)  # fmt: skip


def false_negatives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Sequence[float],
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are true, but predicted to be false, for each threshold.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        thresholds: numbers; a prediction above is positive.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Vectors of float32, one item for each threshold: the sums, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    return _count_at("false_negatives", labels, predictions, thresholds, weights,
                     metrics_collections, updates_collections, name)  # fmt: skip


def precision_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Sequence[float],
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the precision for each threshold.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        thresholds: numbers; a prediction above is positive.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Vectors of float32, one item for each threshold: the precision, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    with metric_scope(name, "precision_at_thresholds"):
        return _share_of_hits_at(
            "false_positives", labels, predictions, thresholds, weights, metrics_collections,
            updates_collections,
        )  # fmt: skip


def recall_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Sequence[float],
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the recall for each threshold.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, of probabilities.
        thresholds: numbers; a prediction above is positive.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Vectors of float32, one item for each threshold: the recall, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
        InvalidArgumentError: predictions that are not in [0, 1].
    """
    with metric_scope(name, "recall_at_thresholds"):
        return _share_of_hits_at(
            "false_negatives", labels, predictions, thresholds, weights, metrics_collections,
            updates_collections,
        )  # fmt: skip
