"""TensorFlow 1's losses: weighted, summed up to a scalar, and collected in the graph."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.weighted_losses import (
    Reduction,
    add_loss,
    check_weights,
    compute_weighted_loss,
    get_losses,
    get_regularization_loss,
    get_regularization_losses,
    get_total_loss,
)
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import name_scope
from runtime.ops.array.constants import cast, convert_to_tensor, stop_gradient
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import broadcast_to, shape, squeeze
from runtime.ops.array.where import where
from runtime.ops.math.elementary import log
from runtime.ops.math.elementwise import (
    abs,
    divide_no_nan,
    maximum,
    minimum,
    square,
    squared_difference,
)
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.nn.activations_losses import (
    relu,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import float32

__all__ = [
    "Reduction", "absolute_difference", "add_loss", "compute_weighted_loss", "cosine_distance",
    "get_losses", "get_regularization_loss", "get_regularization_losses", "get_total_loss",
    "hinge_loss", "huber_loss", "log_loss", "mean_pairwise_squared_error", "mean_squared_error",
    "sigmoid_cross_entropy", "softmax_cross_entropy", "sparse_softmax_cross_entropy",
]  # fmt: skip


def _pair(labels: Any, predictions: Any, name: str) -> tuple[Any, Any]:
    """Return labels and predictions as float32 of one shape; ValueError for None."""
    for label, value in ("labels", labels), (name, predictions):
        if value is None:
            raise ValueError(f"Argument `{label}` must not be None.")
    first, second = cast(labels, float32), cast(predictions, float32)
    second.shape.assert_is_compatible_with(first.shape)
    return first, second


def absolute_difference(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    scope: str | None = None, loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute the absolute differences of labels and predictions.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape.
        weights, scope, loss_collection, reduction: see ``compute_weighted_loss``.
    Returns:
        Scalar tensor of float32.
    """
    first, second = _pair(labels, predictions, "predictions")
    return compute_weighted_loss(
        abs(second - first), weights, scope or "absolute_difference", loss_collection, reduction
    )


def cosine_distance(
    labels: TensorLike, predictions: TensorLike, axis: int | None = None,
    weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS, dim: int | None = None,
) -> Any:  # fmt: skip
    """Compute 1 minus the products of vectors, which are assumed to have length 1.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape.
        axis: axis of the vectors.
        weights, scope, loss_collection, reduction: see ``compute_weighted_loss``.
        dim: older name of ``axis``.
    Returns:
        Scalar tensor of float32.
    Raises:
        ValueError: there is no axis.
    """
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify argument `axis`.")
    first, second = _pair(labels, predictions, "predictions")
    apart = 1.0 - reduce_sum(first * second, axis=(axis,), keepdims=True)
    return compute_weighted_loss(
        apart, weights, scope or "cosine_distance_loss", loss_collection, reduction
    )


def hinge_loss(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute ``relu(1 - (2 * labels - 1) * logits)``.

    Args:
        labels: tensor of 0 and 1.
        logits: tensor of the same shape.
        weights, scope, loss_collection, reduction: see ``compute_weighted_loss``.
    Returns:
        Scalar tensor of float32.
    """
    first, second = _pair(labels, logits, "logits")
    losses = relu(1.0 - (2.0 * first - 1.0) * second)
    return compute_weighted_loss(
        losses, weights, scope or "hinge_loss", loss_collection, reduction
    )


def huber_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, delta: float = 1.0,
    scope: str | None = None, loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute half the squares of differences up to ``delta``, and their lines beyond.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape.
        weights, scope, loss_collection, reduction: see ``compute_weighted_loss``.
        delta: where squares become lines.
    Returns:
        Scalar tensor of float32.
    """
    first, second = _pair(labels, predictions, "predictions")
    apart = abs(second - first)
    inside = minimum(apart, delta)
    losses = 0.5 * square(inside) + delta * (apart - inside)
    return compute_weighted_loss(
        losses, weights, scope or "huber_loss", loss_collection, reduction
    )


def log_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, epsilon: float = 1e-7,
    scope: str | None = None, loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute the cross entropy of labels and probabilities.

    Args:
        labels: tensor of probabilities.
        predictions: tensor of the same shape.
        weights, scope, loss_collection, reduction: see ``compute_weighted_loss``.
        epsilon: number that is added inside of logarithms.
    Returns:
        Scalar tensor of float32.
    """
    first, second = _pair(labels, predictions, "predictions")
    losses = -first * log(second + epsilon) - (1.0 - first) * log(1.0 - second + epsilon)
    return compute_weighted_loss(losses, weights, scope or "log_loss", loss_collection, reduction)


def mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    scope: str | None = None, loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute the squares of the differences of labels and predictions.

    Args:
        labels: tensor of numbers.
        predictions: tensor of the same shape.
        weights, scope, loss_collection, reduction: see ``compute_weighted_loss``.
    Returns:
        Scalar tensor of float32.
    """
    first, second = _pair(labels, predictions, "predictions")
    return compute_weighted_loss(
        squared_difference(second, first), weights, scope or "mean_squared_error",
        loss_collection, reduction,
    )  # fmt: skip


def mean_pairwise_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    scope: str | None = None, loss_collection: str | None = GraphKeys.LOSSES,
) -> Any:  # fmt: skip
    """Sum up, over samples, how far differences of elements are from those of the labels.

    Args:
        labels: tensor of numbers, its first axis that of samples.
        predictions: tensor of the same shape.
        weights: number, or tensor of the rank of ``labels`` whose sizes are theirs or 1.
        scope: name scope.
        loss_collection: collection that the loss is added to.
    Returns:
        Scalar tensor of float32.
    """
    first, second = _pair(labels, predictions, "predictions")
    factors = cast(weights, float32)
    check_weights(factors.shape, second.shape)
    with name_scope(scope or "mean_pairwise_squared_error"):
        apart = second - first
        axes = list(range(1, apart.shape.rank))
        present = broadcast_to(cast(factors != 0, float32), shape(apart))
        count = reduce_sum(present, axes, keepdims=True)
        squares = reduce_sum(square(apart), axes, keepdims=True)
        total = reduce_sum(apart, axes, keepdims=True)
        means = divide_no_nan(squares, maximum(count - 1.0, 0.0))
        products = divide_no_nan(square(total), count * (count - 1.0))
        loss = reduce_sum(2.0 * (means - products) * factors)
        loss = where(reduce_sum(count) > 0, loss, zeros_like(loss))
    add_loss(loss, loss_collection)
    return loss


def sigmoid_cross_entropy(
    multi_class_labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0,
    label_smoothing: float = 0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute the cross entropy of labels and the sigmoids of logits.

    Args:
        multi_class_labels: tensor of 0 and 1.
        logits: tensor of the same shape.
        weights, scope, loss_collection, reduction: see ``compute_weighted_loss``.
        label_smoothing: how far labels move towards 1/2.
    Returns:
        Scalar tensor of the dtype of ``logits``.
    """
    scores = convert_to_tensor(logits)
    labels = cast(multi_class_labels, scores.dtype)
    scores.shape.assert_is_compatible_with(labels.shape)
    if label_smoothing:
        labels = labels * (1.0 - label_smoothing) + 0.5 * label_smoothing
    losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=scores)
    return compute_weighted_loss(
        losses, weights, scope or "sigmoid_cross_entropy_loss", loss_collection, reduction
    )


def softmax_cross_entropy(
    onehot_labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0,
    label_smoothing: float = 0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute the cross entropy of labels and the softmax of logits.

    Args:
        onehot_labels: tensor of probabilities of classes, in the last axis; no gradient goes there.
        logits: tensor of the same shape.
        weights: number, or one for each sample.
        scope, loss_collection, reduction: see ``compute_weighted_loss``.
        label_smoothing: how far labels move towards equal probabilities.
    Returns:
        Scalar tensor of the dtype of ``logits``.
    """
    scores = convert_to_tensor(logits)
    labels = cast(onehot_labels, scores.dtype)
    scores.shape.assert_is_compatible_with(labels.shape)
    if label_smoothing:
        classes = cast(shape(labels)[-1], scores.dtype)
        labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
    losses = softmax_cross_entropy_with_logits(labels=stop_gradient(labels), logits=scores)
    return compute_weighted_loss(
        losses, weights, scope or "softmax_cross_entropy_loss", loss_collection, reduction
    )


def sparse_softmax_cross_entropy(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:  # fmt: skip
    """Compute the cross entropy of classes and the softmax of logits.

    Args:
        labels: ints, the classes; a last axis of size 1 is left out.
        logits: tensor with one more axis, that of the classes.
        weights: number, or one for each sample.
        scope, loss_collection, reduction: see ``compute_weighted_loss``.
    Returns:
        Scalar tensor of the dtype of ``logits``.
    """
    scores, classes = convert_to_tensor(logits), convert_to_tensor(labels)
    factors = convert_to_tensor(weights)
    rank = classes.shape.rank
    if rank is not None and rank == scores.shape.rank:
        classes = squeeze(classes, [-1])
    if factors.shape.rank and factors.shape.rank == (classes.shape.rank or 0) + 1:
        factors = squeeze(factors, [-1])
    losses = sparse_softmax_cross_entropy_with_logits(labels=classes, logits=scores)
    return compute_weighted_loss(
        losses, factors, scope or "sparse_softmax_cross_entropy_loss", loss_collection, reduction
    )
