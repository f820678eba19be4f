"""Streaming means: of values, of hits, and of errors."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.metrics.streaming import (
    Collections,
    collected,
    metric_scope,
    metric_variable,
    pair,
    quotient,
    weights_like,
    without_last_one,
)
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.shape import size
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import abs, sqrt, squared_difference
from runtime.ops.math.reduction import reduce_sum
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import float32

__all__ = [
    "accuracy", "mean", "mean_absolute_error", "mean_cosine_distance", "mean_relative_error",
    "mean_squared_error", "mean_tensor", "percentage_below", "root_mean_squared_error",
]  # fmt: skip


def mean(
    values: TensorLike, weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the weighted mean of all elements of all batches.

    Args:
        values: tensor of numbers.
        weights: tensor whose shape broadcasts with that of ``values``.
        metrics_collections: collections that the value is added to.
        updates_collections: collections that the update is added to.
        name: name of the scope.
    Returns:
        Scalars of float32: the mean up to now, and the operation that takes in a batch and returns
        the mean with it.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: the weights do not broadcast.
    """
    return _mean(values, weights, metrics_collections, updates_collections, name, "mean")


def _mean(
    values: Any, weights: Any, metrics: Collections, updates: Collections, name: str | None,
    default: str,
) -> tuple[Any, Any]:  # fmt: skip
    with metric_scope(name, default):
        numbers = cast(values, float32)
        total, count = metric_variable([], "total"), metric_variable([], "count")
        if weights is None:
            added = cast(size(numbers), float32)
        else:
            factors = weights_like(weights, numbers)
            numbers, added = numbers * factors, reduce_sum(factors)
        new_total, new_count = total.assign_add(reduce_sum(numbers)), count.assign_add(added)
        value = quotient(total, count, "value")
        return collected(value, quotient(new_total, new_count, "update_op"), metrics, updates)


def mean_tensor(
    values: TensorLike, weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the weighted mean of batches, element by element.

    Args:
        values: tensor of a known shape.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Tensors of float32 in the shape of ``values``: the mean, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: the weights do not broadcast, or the shape has unknown sizes.
    """
    with metric_scope(name, "mean"):
        numbers = cast(values, float32)
        total = metric_variable(numbers.shape, "total_tensor")
        count = metric_variable(numbers.shape, "count_tensor")
        added = ones_like(numbers)
        if weights is not None:
            factors = weights_like(weights, numbers)
            numbers, added = numbers * factors, added * factors
        new_total, new_count = total.assign_add(numbers), count.assign_add(added)
        value = quotient(total, count, "value")
        update_op = quotient(new_total, new_count, "update_op")
        return collected(value, update_op, metrics_collections, updates_collections)


def accuracy(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute how often predictions equal labels.

    Args:
        labels: tensor.
        predictions: tensor of that shape; it is cast to the dtype of ``labels``.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the share of equal elements, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    truth, classes = pair(labels, predictions)
    hits = truth == cast(classes, truth.dtype)
    return _mean(hits, weights, metrics_collections, updates_collections, name, "accuracy")


def percentage_below(
    values: TensorLike, threshold: Any, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the share of values below a threshold.

    Args:
        values: tensor of numbers.
        threshold: scalar.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the share, from 0 to 1, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: the weights do not broadcast.
    """
    is_below = convert_to_tensor(values) < threshold
    return _mean(is_below, weights, metrics_collections, updates_collections, name,
                 "percentage_below_threshold")  # fmt: skip


def mean_absolute_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the mean of the absolute differences of labels and predictions.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape and dtype.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the mean, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    truth, numbers = pair(labels, predictions)
    return _mean(abs(numbers - truth), weights, metrics_collections, updates_collections, name,
                 "mean_absolute_error")  # fmt: skip


def mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the mean of the squared differences of labels and predictions.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape and dtype.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the mean, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    truth, numbers = pair(labels, predictions)
    return _mean(squared_difference(truth, numbers), weights, metrics_collections,
                 updates_collections, name, "mean_squared_error")  # fmt: skip


def root_mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the root of the mean of the squared differences of labels and predictions.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape and dtype.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the root of the mean, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    truth, numbers = pair(labels, predictions)
    squares = squared_difference(truth, numbers)
    value, update_op = _mean(squares, weights, None, None, name, "root_mean_squared_error")
    return collected(sqrt(value), sqrt(update_op), metrics_collections, updates_collections)


def mean_relative_error(
    labels: TensorLike, predictions: TensorLike, normalizer: TensorLike,
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the mean of absolute differences divided by a normalizer; 0 where that is 0.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape and dtype.
        normalizer: tensor of the same shape and dtype.
        weights, metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the mean, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    truth, numbers = pair(labels, predictions)
    numbers, divisors = without_last_one(numbers, normalizer)
    numbers.shape.assert_is_compatible_with(divisors.shape)
    is_zero = divisors == 0
    quotients = abs(truth - numbers) / where(is_zero, ones_like(divisors), divisors)
    return _mean(where(is_zero, zeros_like(quotients), quotients), weights, metrics_collections,
                 updates_collections, name, "mean_relative_error")  # fmt: skip


def mean_cosine_distance(
    labels: TensorLike, predictions: TensorLike, dim: int, weights: TensorLike | None = None,
    metrics_collections: Collections = None, updates_collections: Collections = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute 1 minus the mean product of vectors, which are assumed to have length 1.

    Args:
        labels: tensor of floats.
        predictions: tensor of the same shape and dtype.
        dim: axis of the vectors.
        weights: tensor that broadcasts with the shape in which that axis has size 1.
        metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalars of float32: the distance, and the update.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    truth, numbers = pair(labels, predictions)
    products = reduce_sum(numbers * truth, axis=[dim], keepdims=True)
    value, update_op = _mean(products, weights, None, None, name, "mean_cosine_distance")
    return collected(1.0 - value, 1.0 - update_op, metrics_collections, updates_collections)
