"""Accuracies: how many predictions are right, as functions of samples and as metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.keras.config import floatx
from runtime.keras.losses.loss import same_rank
from runtime.keras.metrics.metric import MeanMetricWrapper
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import reshape, shape, squeeze
from runtime.ops.array.sorting import in_top_k
from runtime.ops.docstrings import documented
from runtime.ops.math.comparison import equal
from runtime.ops.math.reduction import argmax, reduce_any
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import int64

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor

_RIGHT = "Tensor of 1 for what is right and 0 for what is wrong, of the dtype ``floatx()``"
_LABELS = "labels, a tensor of the shape of ``y_pred``"
_INDICES = "indices of classes, of the shape of ``y_pred`` without the last axis"
_SCORES = "scores of classes along the last axis"


@documented(_RIGHT, y_true=_LABELS, y_pred="predictions")
def accuracy(y_true: TensorLike, y_pred: TensorLike) -> Any:
    """Compare predictions with labels."""
    y_pred = convert_to_tensor(y_pred)
    y_true, y_pred = same_rank(cast(y_true, y_pred.dtype), y_pred)
    return cast(equal(y_true, y_pred), floatx())


@documented(_RIGHT, y_true=_LABELS, y_pred="numbers, of which those above the threshold mean 1",
            threshold="number above which a prediction is 1")  # fmt: skip
def binary_accuracy(y_true: TensorLike, y_pred: TensorLike, threshold: float = 0.5) -> Tensor:
    """Compare predictions of 0 and 1 with labels."""
    y_pred = convert_to_tensor(y_pred)
    if not y_pred.dtype.is_floating:
        y_pred = cast(y_pred, floatx())
    y_true, y_pred = same_rank(convert_to_tensor(y_true), y_pred)
    return cast(equal(y_true, cast(y_pred > threshold, y_true.dtype)), floatx())


@documented(_RIGHT, y_true="probabilities of classes along the last axis", y_pred=_SCORES)
def categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Compare the class of the greatest score with that of the greatest label."""
    return sparse_categorical_accuracy(argmax(y_true, axis=-1), y_pred)


@documented(_RIGHT, y_true=_INDICES, y_pred=_SCORES)
def sparse_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Compare the class of the greatest score with the label."""
    y_pred = convert_to_tensor(y_pred)
    labels = _indices(y_true, y_pred)
    return cast(equal(labels, argmax(y_pred, axis=-1)), floatx())


@documented(_RIGHT, y_true="probabilities of classes along the last axis", y_pred=_SCORES,
            k="number of classes that count as right")  # fmt: skip
def top_k_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike, k: int = 5) -> Tensor:
    """Find whether the class of the greatest label is among the ``k`` greatest scores."""
    return sparse_top_k_categorical_accuracy(argmax(y_true, axis=-1), y_pred, k)


@documented(_RIGHT, y_true=_INDICES, y_pred=_SCORES, k="number of classes that count as right",
            from_sorted_ids="whether predictions are classes, the best first")  # fmt: skip
def sparse_top_k_categorical_accuracy(
    y_true: TensorLike, y_pred: TensorLike, k: int = 5, from_sorted_ids: bool = False
) -> Tensor:
    """Find whether the label is among the ``k`` greatest scores."""
    y_pred = convert_to_tensor(y_pred)
    labels = _indices(y_true, y_pred)
    flat = reshape(labels, [-1])
    rows = reshape(y_pred, [-1, y_pred.shape[-1] or shape(y_pred)[-1]])
    if from_sorted_ids:
        matches = reduce_any(equal(reshape(flat, [-1, 1]), cast(rows[:, :k], int64)), axis=1)
    else:
        matches = in_top_k(flat, rows, k)
    return cast(reshape(matches, shape(labels)), floatx())


def _indices(y_true: TensorLike, y_pred: Any) -> Any:
    """Return labels as ints, without a last axis of size 1."""
    labels = cast(y_true, int64)
    if labels.shape.rank is not None and labels.shape.rank == y_pred.shape.rank:
        if labels.shape[-1] == 1:
            labels = squeeze(labels, axis=-1)
    return labels


class Accuracy(MeanMetricWrapper):
    """Metric: the part of predictions that equal their labels."""

    def __init__(self, name: str | None = "accuracy", dtype: DTypeLike | None = None) -> None:
        super().__init__(accuracy, name, dtype)


class BinaryAccuracy(MeanMetricWrapper):
    """Metric: the part of predictions on the right side of a threshold, by labels 0 and 1."""

    def __init__(
        self, name: str | None = "binary_accuracy", dtype: DTypeLike | None = None,
        threshold: float = 0.5,
    ) -> None:
        super().__init__(binary_accuracy, name, dtype, threshold=threshold)


class CategoricalAccuracy(MeanMetricWrapper):
    """Metric: the part of samples whose greatest score is that of the label, one of several."""

    def __init__(
        self, name: str | None = "categorical_accuracy", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(categorical_accuracy, name, dtype)


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """Metric: the part of samples whose greatest score is that of the label, an index."""

    def __init__(
        self, name: str | None = "sparse_categorical_accuracy", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(sparse_categorical_accuracy, name, dtype)


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """Metric: the part of samples with the label, one of several, among the ``k`` best."""

    def __init__(
        self, k: int = 5, name: str | None = "top_k_categorical_accuracy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(top_k_categorical_accuracy, name, dtype, k=k)
        self.k = k


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """Metric: the part of samples with the label, an index, among the ``k`` best."""

    def __init__(
        self, k: int = 5, name: str | None = "sparse_top_k_categorical_accuracy",
        dtype: DTypeLike | None = None, from_sorted_ids: bool = False,
    ) -> None:
        super().__init__(
            sparse_top_k_categorical_accuracy, name, dtype, k=k, from_sorted_ids=from_sorted_ids
        )
        self.k, self.from_sorted_ids = k, from_sorted_ids
