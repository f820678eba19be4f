"""``runtime.keras.metrics``: metrics with Keras' names, as classes and as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.keras.identifiers import by_name, identified
from runtime.keras.losses.probabilistic import (
    binary_crossentropy as binary_crossentropy,
)
from runtime.keras.losses.probabilistic import (
    binary_focal_crossentropy as binary_focal_crossentropy,
)
from runtime.keras.losses.probabilistic import (
    categorical_crossentropy as categorical_crossentropy,
)
from runtime.keras.losses.probabilistic import (
    categorical_focal_crossentropy as categorical_focal_crossentropy,
)
from runtime.keras.losses.probabilistic import (
    kl_divergence as kl_divergence,
)
from runtime.keras.losses.probabilistic import (
    sparse_categorical_crossentropy as sparse_categorical_crossentropy,
)
from runtime.keras.losses.regression import (
    categorical_hinge as categorical_hinge,
)
from runtime.keras.losses.regression import (
    hinge as hinge,
)
from runtime.keras.losses.regression import (
    huber as huber,
)
from runtime.keras.losses.regression import (
    log_cosh as log_cosh,
)
from runtime.keras.losses.regression import (
    mean_absolute_error as mean_absolute_error,
)
from runtime.keras.losses.regression import (
    mean_absolute_percentage_error as mean_absolute_percentage_error,
)
from runtime.keras.losses.regression import (
    mean_squared_error as mean_squared_error,
)
from runtime.keras.losses.regression import (
    mean_squared_logarithmic_error as mean_squared_logarithmic_error,
)
from runtime.keras.losses.regression import (
    poisson as poisson,
)
from runtime.keras.losses.regression import (
    squared_hinge as squared_hinge,
)
from runtime.keras.metrics.accuracy import (
    Accuracy as Accuracy,
)
from runtime.keras.metrics.accuracy import (
    BinaryAccuracy as BinaryAccuracy,
)
from runtime.keras.metrics.accuracy import (
    CategoricalAccuracy as CategoricalAccuracy,
)
from runtime.keras.metrics.accuracy import (
    SparseCategoricalAccuracy as SparseCategoricalAccuracy,
)
from runtime.keras.metrics.accuracy import (
    SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy,
)
from runtime.keras.metrics.accuracy import (
    TopKCategoricalAccuracy as TopKCategoricalAccuracy,
)
from runtime.keras.metrics.accuracy import (
    binary_accuracy as binary_accuracy,
)
from runtime.keras.metrics.accuracy import (
    categorical_accuracy as categorical_accuracy,
)
from runtime.keras.metrics.accuracy import (
    sparse_categorical_accuracy as sparse_categorical_accuracy,
)
from runtime.keras.metrics.accuracy import (
    sparse_top_k_categorical_accuracy as sparse_top_k_categorical_accuracy,
)
from runtime.keras.metrics.accuracy import (
    top_k_categorical_accuracy as top_k_categorical_accuracy,
)
from runtime.keras.metrics.confusion import (
    FalseNegatives as FalseNegatives,
)
from runtime.keras.metrics.confusion import (
    FalsePositives as FalsePositives,
)
from runtime.keras.metrics.confusion import (
    Precision as Precision,
)
from runtime.keras.metrics.confusion import (
    Recall as Recall,
)
from runtime.keras.metrics.confusion import (
    TrueNegatives as TrueNegatives,
)
from runtime.keras.metrics.confusion import (
    TruePositives as TruePositives,
)
from runtime.keras.metrics.curves import (
    AUC as AUC,
)
from runtime.keras.metrics.curves import (
    PrecisionAtRecall as PrecisionAtRecall,
)
from runtime.keras.metrics.curves import (
    RecallAtPrecision as RecallAtPrecision,
)
from runtime.keras.metrics.curves import (
    SensitivityAtSpecificity as SensitivityAtSpecificity,
)
from runtime.keras.metrics.curves import (
    SpecificityAtSensitivity as SpecificityAtSensitivity,
)
from runtime.keras.metrics.iou import (
    BinaryIoU as BinaryIoU,
)
from runtime.keras.metrics.iou import (
    IoU as IoU,
)
from runtime.keras.metrics.iou import (
    MeanIoU as MeanIoU,
)
from runtime.keras.metrics.iou import (
    OneHotIoU as OneHotIoU,
)
from runtime.keras.metrics.iou import (
    OneHotMeanIoU as OneHotMeanIoU,
)
from runtime.keras.metrics.means import (
    BinaryCrossentropy as BinaryCrossentropy,
)
from runtime.keras.metrics.means import (
    CategoricalCrossentropy as CategoricalCrossentropy,
)
from runtime.keras.metrics.means import (
    CategoricalHinge as CategoricalHinge,
)
from runtime.keras.metrics.means import (
    ConcordanceCorrelation as ConcordanceCorrelation,
)
from runtime.keras.metrics.means import (
    CosineSimilarity as CosineSimilarity,
)
from runtime.keras.metrics.means import (
    Hinge as Hinge,
)
from runtime.keras.metrics.means import (
    KLDivergence as KLDivergence,
)
from runtime.keras.metrics.means import (
    LogCoshError as LogCoshError,
)
from runtime.keras.metrics.means import (
    MeanAbsoluteError as MeanAbsoluteError,
)
from runtime.keras.metrics.means import (
    MeanAbsolutePercentageError as MeanAbsolutePercentageError,
)
from runtime.keras.metrics.means import (
    MeanSquaredError as MeanSquaredError,
)
from runtime.keras.metrics.means import (
    MeanSquaredLogarithmicError as MeanSquaredLogarithmicError,
)
from runtime.keras.metrics.means import (
    PearsonCorrelation as PearsonCorrelation,
)
from runtime.keras.metrics.means import (
    Poisson as Poisson,
)
from runtime.keras.metrics.means import (
    RootMeanSquaredError as RootMeanSquaredError,
)
from runtime.keras.metrics.means import (
    SparseCategoricalCrossentropy as SparseCategoricalCrossentropy,
)
from runtime.keras.metrics.means import (
    SquaredHinge as SquaredHinge,
)
from runtime.keras.metrics.means import (
    concordance_correlation as concordance_correlation,
)
from runtime.keras.metrics.means import (
    pearson_correlation as pearson_correlation,
)
from runtime.keras.metrics.metric import (
    Mean as Mean,
)
from runtime.keras.metrics.metric import (
    MeanMetricWrapper as MeanMetricWrapper,
)
from runtime.keras.metrics.metric import (
    Metric as Metric,
)
from runtime.keras.metrics.metric import (
    Sum as Sum,
)
from runtime.keras.metrics.scores import (
    F1Score as F1Score,
)
from runtime.keras.metrics.scores import (
    FBetaScore as FBetaScore,
)
from runtime.keras.metrics.scores import (
    R2Score as R2Score,
)
from runtime.types.annexes import explained as _explained

KLD = kld = kullback_leibler_divergence = kl_divergence
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSE = mse = mean_squared_error
MSLE = msle = mean_squared_logarithmic_error
logcosh = log_cosh

__all__ = [
    "AUC", "KLD", "MAE", "MAPE", "MSE", "MSLE",
    "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "BinaryIoU", "CategoricalAccuracy",
    "CategoricalCrossentropy", "CategoricalHinge", "ConcordanceCorrelation", "CosineSimilarity",
    "F1Score", "FBetaScore", "FalseNegatives", "FalsePositives", "Hinge", "IoU", "KLDivergence",
    "LogCoshError", "Mean", "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanIoU",
    "MeanMetricWrapper", "MeanSquaredError", "MeanSquaredLogarithmicError", "Metric", "OneHotIoU",
    "OneHotMeanIoU", "PearsonCorrelation", "Poisson", "Precision", "PrecisionAtRecall", "R2Score",
    "Recall", "RecallAtPrecision", "RootMeanSquaredError", "SensitivityAtSpecificity",
    "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy",
    "SpecificityAtSensitivity", "SquaredHinge", "Sum", "TopKCategoricalAccuracy", "TrueNegatives",
    "TruePositives", "binary_accuracy", "binary_crossentropy", "binary_focal_crossentropy",
    "categorical_accuracy", "categorical_crossentropy", "categorical_focal_crossentropy",
    "categorical_hinge", "concordance_correlation", "deserialize", "get", "hinge", "huber",
    "kl_divergence", "kld", "kullback_leibler_divergence", "log_cosh", "logcosh", "mae", "mape",
    "mean_absolute_error", "mean_absolute_percentage_error",
    "mean_squared_error", "mean_squared_logarithmic_error", "mse", "msle", "pearson_correlation",
    "poisson",
    "serialize", "sparse_categorical_accuracy", "sparse_categorical_crossentropy",
    "sparse_top_k_categorical_accuracy", "squared_hinge", "top_k_categorical_accuracy",
]  # fmt: skip

_CLASSES = tuple(globals()[name] for name in __all__ if isinstance(globals().get(name), type))
_NAMES: dict[str, Any] = by_name(_CLASSES) | {
    "bce": BinaryCrossentropy, "BCE": BinaryCrossentropy, "mse": MeanSquaredError,
    "MSE": MeanSquaredError, "mae": MeanAbsoluteError, "MAE": MeanAbsoluteError,
    "mape": MeanAbsolutePercentageError, "MAPE": MeanAbsolutePercentageError,
    "msle": MeanSquaredLogarithmicError, "MSLE": MeanSquaredLogarithmicError,
}  # fmt: skip
_FUNCTIONS = {name: globals()[name] for name in __all__ if name in globals() and name.islower()}
_NAMES = {**_FUNCTIONS, **_NAMES}

deserialize, get, serialize = identified("metric", _NAMES)


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
