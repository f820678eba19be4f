"""Streaming counts of hits and misses, and precision and recall, which are made of them."""

from __future__ import annotations

from collections.abc import Callable
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
from runtime.ops.array.constants import cast, identity
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.reduction import reduce_sum
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import bool_, float32

__all__ = [
    "false_negatives", "false_positives", "precision", "recall", "true_negatives", "true_positives",
]  # fmt: skip


def _count(
    labels: Any, predictions: Any, weights: Any, metrics: Collections, updates: Collections,
    name: str | None, kind: str,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of the elements of a kind, such as ``true_positives``."""
    with metric_scope(name, kind):
        truth, classes = pair(cast(labels, bool_), cast(predictions, bool_))
        is_counted = is_of_kind(kind, truth, classes)
        count, values = metric_variable([], "count"), cast(is_counted, float32)
        if weights is not None:
            values = values * weights_like(weights, values)
        value, update_op = identity(count), count.assign_add(reduce_sum(values))
        return collected(value, identity(update_op), metrics, updates)


def _share_of_hits(
    count_misses: Callable[..., Any], labels: Any, predictions: Any, weights: Any,
    metrics: Collections, updates: Collections,
) -> tuple[Any, Any]:  # fmt: skip
    """Divide the true positives by them and the misses."""
    hits, more_hits = true_positives(labels, predictions, weights)
    misses, more_misses = count_misses(labels, predictions, weights)
    value = divide_no_nan(hits, hits + misses, name="value")
    update_op = divide_no_nan(more_hits, more_hits + more_misses, name="update_op")
    return collected(value, update_op, metrics, updates)


def true_positives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are true, and predicted to be.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, which becomes one of bool.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the sum, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    return _count(labels, predictions, weights, metrics_collections, updates_collections, name,
                  "true_positives")  # fmt: skip


def true_negatives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are false, and predicted to be.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, which becomes one of bool.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the sum, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    return _count(labels, predictions, weights, metrics_collections, updates_collections, name,
                  "true_negatives")  # fmt: skip


def false_positives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are false, but predicted to be true.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, which becomes one of bool.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the sum, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    return _count(labels, predictions, weights, metrics_collections, updates_collections, name,
                  "false_positives")  # fmt: skip


def false_negatives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Sum the weights of elements that are true, but predicted to be false.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, which becomes one of bool.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the sum, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    return _count(labels, predictions, weights, metrics_collections, updates_collections, name,
                  "false_negatives")  # fmt: skip


def precision(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the share of true elements among those that are predicted to be true.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, which becomes one of bool.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the share, 0 where none is predicted, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    with metric_scope(name, "precision"):
        return _share_of_hits(false_positives, labels, predictions, weights, metrics_collections,
                              updates_collections)  # fmt: skip


def recall(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the share of elements that are predicted to be true among those that are true.

    Args:
        labels: tensor, which becomes one of bool.
        predictions: tensor of the same shape, which becomes one of bool.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the share, 0 where none is true, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    with metric_scope(name, "recall"):
        return _share_of_hits(false_negatives, labels, predictions, weights, metrics_collections,
                              updates_collections)  # fmt: skip
