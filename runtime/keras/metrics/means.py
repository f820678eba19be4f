"""Metrics that are means of losses, and correlations of labels and predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.keras.config import epsilon
from runtime.keras.losses.loss import same_rank
from runtime.keras.losses.probabilistic import (
    binary_crossentropy,
    categorical_crossentropy,
    kl_divergence,
    sparse_categorical_crossentropy,
)
from runtime.keras.losses.regression import (
    categorical_hinge,
    cosine,
    hinge,
    log_cosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    pair,
    poisson,
    squared_hinge,
)
from runtime.keras.metrics.metric import Mean, MeanMetricWrapper, as_dtype_of
from runtime.ops.docstrings import documented
from runtime.ops.math.elementwise import sqrt, square
from runtime.ops.math.reduction import reduce_mean
from runtime.types.aliases import DTypeLike, TensorLike

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor

_AXES = {
    "y_true": "labels, of the shape of ``y_pred``", "y_pred": "predictions, of a floating dtype",
    "axis": "axis along which they are compared",
}  # fmt: skip


@documented("Tensor without the axis, between -1 and 1", **_AXES)
def pearson_correlation(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """Compute the linear correlation of labels and predictions."""
    y_true, y_pred = pair(y_true, y_pred)
    centred = [y - reduce_mean(y, axis=axis, keepdims=True) for y in (y_true, y_pred)]
    unit = [y / (sqrt(reduce_mean(square(y), axis=axis, keepdims=True))) for y in centred]
    return reduce_mean(unit[0] * unit[1], axis=axis)


@documented("Tensor without the axis, between -1 and 1", **_AXES)
def concordance_correlation(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """Compute the correlation of labels and predictions, less for other means and variances."""
    y_true, y_pred = pair(y_true, y_pred)
    means = [reduce_mean(y, axis=axis, keepdims=True) for y in (y_true, y_pred)]
    first, second = y_true - means[0], y_pred - means[1]
    covariance = reduce_mean(first * second, axis=axis)
    variances = reduce_mean(square(first), axis=axis) + reduce_mean(square(second), axis=axis)
    apart = reduce_mean(square(means[0] - means[1]), axis=axis)
    return 2.0 * covariance / (variances + apart + epsilon())


class MeanSquaredError(MeanMetricWrapper):
    """Metric: the mean of ``(y_true - y_pred) ** 2``."""

    def __init__(
        self, name: str | None = "mean_squared_error", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(mean_squared_error, name, dtype)


class MeanAbsoluteError(MeanMetricWrapper):
    """Metric: the mean of ``abs(y_true - y_pred)``."""

    def __init__(
        self, name: str | None = "mean_absolute_error", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(mean_absolute_error, name, dtype)


class MeanAbsolutePercentageError(MeanMetricWrapper):
    """Metric: the mean of ``100 * abs((y_true - y_pred) / y_true)``."""

    def __init__(
        self, name: str | None = "mean_absolute_percentage_error",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(mean_absolute_percentage_error, name, dtype)


class MeanSquaredLogarithmicError(MeanMetricWrapper):
    """Metric: the mean of ``(log(y_true + 1) - log(y_pred + 1)) ** 2``."""

    def __init__(
        self, name: str | None = "mean_squared_logarithmic_error",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(mean_squared_logarithmic_error, name, dtype)


class LogCoshError(MeanMetricWrapper):
    """Metric: the mean of ``log(cosh(y_pred - y_true))``."""

    def __init__(self, name: str | None = "logcosh", dtype: DTypeLike | None = None) -> None:
        super().__init__(log_cosh, name, dtype)


class Poisson(MeanMetricWrapper):
    """Metric: the mean of ``y_pred - y_true * log(y_pred)``."""

    def __init__(self, name: str | None = "poisson", dtype: DTypeLike | None = None) -> None:
        super().__init__(poisson, name, dtype)


class KLDivergence(MeanMetricWrapper):
    """Metric: the mean of ``sum(y_true * log(y_true / y_pred))``."""

    def __init__(self, name: str | None = "kl_divergence", dtype: DTypeLike | None = None) -> None:
        super().__init__(kl_divergence, name, dtype)


class Hinge(MeanMetricWrapper):
    """Metric: the mean of ``max(1 - y_true * y_pred, 0)``."""

    def __init__(self, name: str | None = "hinge", dtype: DTypeLike | None = None) -> None:
        super().__init__(hinge, name, dtype)


class SquaredHinge(MeanMetricWrapper):
    """Metric: the mean of ``max(1 - y_true * y_pred, 0) ** 2``."""

    def __init__(self, name: str | None = "squared_hinge", dtype: DTypeLike | None = None) -> None:
        super().__init__(squared_hinge, name, dtype)


class CategoricalHinge(MeanMetricWrapper):
    """Metric: the mean margin by which another class is within 1 of the label's."""

    def __init__(
        self, name: str | None = "categorical_hinge", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(categorical_hinge, name, dtype)


class BinaryCrossentropy(MeanMetricWrapper):
    """Metric: the mean cross entropy of labels between 0 and 1."""

    def __init__(
        self, name: str | None = "binary_crossentropy", dtype: DTypeLike | None = None,
        from_logits: bool = False, label_smoothing: float = 0,
    ) -> None:
        super().__init__(
            binary_crossentropy, name, dtype, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip


class CategoricalCrossentropy(MeanMetricWrapper):
    """Metric: the mean cross entropy of labels that are probabilities of classes."""

    def __init__(
        self, name: str | None = "categorical_crossentropy", dtype: DTypeLike | None = None,
        from_logits: bool = False, label_smoothing: float = 0, axis: int = -1,
    ) -> None:
        super().__init__(
            categorical_crossentropy, name, dtype, from_logits=from_logits,
            label_smoothing=label_smoothing, axis=axis,
        )  # fmt: skip


class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """Metric: the mean cross entropy of labels that are indices of classes.

    The loss of samples with the label ``ignore_class`` is 0.
    """

    def __init__(
        self, name: str | None = "sparse_categorical_crossentropy",
        dtype: DTypeLike | None = None, from_logits: bool = False,
        ignore_class: int | None = None, axis: int = -1,
    ) -> None:
        super().__init__(
            sparse_categorical_crossentropy, name, dtype, from_logits=from_logits,
            ignore_class=ignore_class, axis=axis,
        )  # fmt: skip


class CosineSimilarity(MeanMetricWrapper):
    """Metric: the mean cosine of the angle between labels and predictions."""

    def __init__(
        self, name: str | None = "cosine_similarity", dtype: DTypeLike | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(cosine, name, dtype, axis=axis)


class PearsonCorrelation(MeanMetricWrapper):
    """Metric: the mean linear correlation of labels and predictions along ``axis``."""

    def __init__(
        self, name: str | None = "pearson_correlation", dtype: DTypeLike | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(pearson_correlation, name, dtype, axis=axis)


class ConcordanceCorrelation(MeanMetricWrapper):
    """Metric: the mean correlation, less for other means and variances, along ``axis``."""

    def __init__(
        self, name: str | None = "concordance_correlation", dtype: DTypeLike | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(concordance_correlation, name, dtype, axis=axis)


class RootMeanSquaredError(Mean):
    """Metric: the root of the mean of ``(y_true - y_pred) ** 2``."""

    def __init__(
        self, name: str | None = "root_mean_squared_error", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(name, dtype)

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels and predictions, and their weights."""
        y_true, y_pred = same_rank(
            as_dtype_of(y_true, self._dtype), as_dtype_of(y_pred, self._dtype)
        )
        super().update_state(square(y_pred - y_true), sample_weight)

    def result(self) -> Any:
        """Return the root of the mean, a scalar."""
        return sqrt(super().result())
