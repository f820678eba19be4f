"""Streaming metrics of several classes: intersections over unions, and accuracies by class."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.metrics.streaming import (
    Collections,
    collected,
    metric_scope,
    metric_variable,
    pair,
    quotient,
)
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.partitions import confusion_matrix
from runtime.ops.array.shape import reshape
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.reduction import reduce_mean, reduce_sum
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import float32, float64, int64

__all__ = ["mean_iou", "mean_per_class_accuracy"]


def _matrix(labels: Any, predictions: Any, count: int, weights: Any) -> Any:
    """Return the sums of weights by label and prediction, of float64."""
    truth, classes = pair(labels, predictions)
    rows, columns = (reshape(cast(tensor, int64), [-1]) for tensor in (truth, classes))
    if weights is not None:
        weights = convert_to_tensor(weights)
        if (weights.shape.rank or 0) > 1:
            weights = reshape(weights, [-1])
        weights = cast(weights, float64)
    return confusion_matrix(rows, columns, count, weights, float64)


def mean_iou(
    labels: TensorLike, predictions: TensorLike, num_classes: int,
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the mean over classes of intersections divided by unions.

    Args:
        labels: tensor of ints from 0 to ``num_classes`` - 1.
        predictions: tensor of the same shape.
        num_classes: number of classes.
        weights: tensor of the same shape, or None.
        metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalar of float32, the mean over the classes that are there; and the operation that takes
        in a batch and returns the confusion matrix.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    with metric_scope(name, "mean_iou"):
        total = metric_variable([num_classes, num_classes], "total_confusion_matrix", float64)
        update_op = total.assign_add(_matrix(labels, predictions, num_classes, weights))
        matrix = cast(total, float32)
        both = diag_part(matrix)
        either = reduce_sum(matrix, 0) + reduce_sum(matrix, 1) - both
        present = reduce_sum(cast(either != 0, float32))
        value = divide_no_nan(
            reduce_sum(divide_no_nan(both, either)), present, name="mean_iou"
        )
        return collected(value, update_op, metrics_collections, updates_collections)


def mean_per_class_accuracy(
    labels: TensorLike, predictions: TensorLike, num_classes: int,
    weights: TensorLike | None = None, metrics_collections: Collections = None,
    updates_collections: Collections = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Compute the mean over classes of the share of elements whose class is predicted.

    Args:
        labels: tensor of ints from 0 to ``num_classes`` - 1.
        predictions: tensor of the same shape.
        num_classes: number of classes.
        weights: tensor of the same shape, or None.
        metrics_collections, updates_collections, name: see ``mean``.
    Returns:
        Scalar of float32, the mean over all classes; and the operation that takes in a batch and
        returns the shares by class.
    Raises:
        RuntimeError: under eager execution, and in functions.
        ValueError: shapes that do not fit.
    """
    with metric_scope(name, "mean_accuracy"):
        total = metric_variable([num_classes], "total")
        count = metric_variable([num_classes], "count")
        matrix = cast(_matrix(labels, predictions, num_classes, weights), float32)
        new_total = total.assign_add(reduce_sum(matrix, 1))
        new_count = count.assign_add(diag_part(matrix))
        value = reduce_mean(quotient(count, total, "accuracies"), name="mean_accuracy")
        update_op = quotient(new_count, new_total, "update_op")
        return collected(value, update_op, metrics_collections, updates_collections)
