"""``runtime.keras.losses``: losses with Keras' names, as classes and as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.keras.identifiers import identified
from runtime.keras.losses.circle import circle as circle
from runtime.keras.losses.classes import (
    CTC as CTC,
)
from runtime.keras.losses.classes import (
    BinaryCrossentropy as BinaryCrossentropy,
)
from runtime.keras.losses.classes import (
    BinaryFocalCrossentropy as BinaryFocalCrossentropy,
)
from runtime.keras.losses.classes import (
    CategoricalCrossentropy as CategoricalCrossentropy,
)
from runtime.keras.losses.classes import (
    CategoricalFocalCrossentropy as CategoricalFocalCrossentropy,
)
from runtime.keras.losses.classes import (
    CategoricalGeneralizedCrossEntropy as CategoricalGeneralizedCrossEntropy,
)
from runtime.keras.losses.classes import (
    CategoricalHinge as CategoricalHinge,
)
from runtime.keras.losses.classes import (
    Circle as Circle,
)
from runtime.keras.losses.classes import (
    CosineSimilarity as CosineSimilarity,
)
from runtime.keras.losses.classes import (
    Dice as Dice,
)
from runtime.keras.losses.classes import (
    Hinge as Hinge,
)
from runtime.keras.losses.classes import (
    Huber as Huber,
)
from runtime.keras.losses.classes import (
    KLDivergence as KLDivergence,
)
from runtime.keras.losses.classes import (
    LogCosh as LogCosh,
)
from runtime.keras.losses.classes import (
    MeanAbsoluteError as MeanAbsoluteError,
)
from runtime.keras.losses.classes import (
    MeanAbsolutePercentageError as MeanAbsolutePercentageError,
)
from runtime.keras.losses.classes import (
    MeanSquaredError as MeanSquaredError,
)
from runtime.keras.losses.classes import (
    MeanSquaredLogarithmicError as MeanSquaredLogarithmicError,
)
from runtime.keras.losses.classes import (
    Poisson as Poisson,
)
from runtime.keras.losses.classes import (
    SparseCategoricalCrossentropy as SparseCategoricalCrossentropy,
)
from runtime.keras.losses.classes import (
    SquaredHinge as SquaredHinge,
)
from runtime.keras.losses.classes import (
    Tversky as Tversky,
)
from runtime.keras.losses.loss import Loss as Loss
from runtime.keras.losses.loss import LossFunctionWrapper as _LossFunctionWrapper
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
    categorical_generalized_cross_entropy as categorical_generalized_cross_entropy,
)
from runtime.keras.losses.probabilistic import (
    ctc as ctc,
)
from runtime.keras.losses.probabilistic import (
    dice as dice,
)
from runtime.keras.losses.probabilistic import (
    kl_divergence as kl_divergence,
)
from runtime.keras.losses.probabilistic import (
    sparse_categorical_crossentropy as sparse_categorical_crossentropy,
)
from runtime.keras.losses.probabilistic import (
    tversky as tversky,
)
from runtime.keras.losses.regression import (
    categorical_hinge as categorical_hinge,
)
from runtime.keras.losses.regression import (
    cosine_similarity as cosine_similarity,
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
from runtime.types.annexes import explained as _explained

KLD = kld = kullback_leibler_divergence = kl_divergence
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSE = mse = mean_squared_error
MSLE = msle = mean_squared_logarithmic_error
logcosh = log_cosh

__all__ = [
    "CTC", "KLD", "MAE", "MAPE", "MSE", "MSLE",
    "BinaryCrossentropy", "BinaryFocalCrossentropy", "CategoricalCrossentropy",
    "CategoricalFocalCrossentropy", "CategoricalGeneralizedCrossEntropy", "CategoricalHinge",
    "Circle", "CosineSimilarity", "Dice", "Hinge", "Huber", "KLDivergence", "LogCosh", "Loss",
    "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredError",
    "MeanSquaredLogarithmicError", "Poisson", "SparseCategoricalCrossentropy", "SquaredHinge",
    "Tversky", "binary_crossentropy", "binary_focal_crossentropy", "categorical_crossentropy",
    "categorical_focal_crossentropy", "categorical_generalized_cross_entropy", "categorical_hinge",
    "circle", "cosine_similarity", "ctc", "deserialize", "dice", "get", "hinge", "huber",
    "kl_divergence", "kld", "kullback_leibler_divergence", "log_cosh", "logcosh", "mae", "mape",
    "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error",
    "mean_squared_logarithmic_error", "mse", "msle", "poisson", "serialize",
    "sparse_categorical_crossentropy", "squared_hinge", "tversky",
]  # fmt: skip

_NAMES: dict[str, Any] = {name: globals()[name] for name in __all__ if name in globals()}
_NAMES |= {
    "bce": binary_crossentropy, "BCE": binary_crossentropy, "kld": kl_divergence,
    "KLD": kl_divergence, "mae": mean_absolute_error, "MAE": mean_absolute_error,
    "mse": mean_squared_error, "MSE": mean_squared_error, "mape": mean_absolute_percentage_error,
    "MAPE": mean_absolute_percentage_error, "msle": mean_squared_logarithmic_error,
    "MSLE": mean_squared_logarithmic_error, "LossFunctionWrapper": _LossFunctionWrapper,
}  # fmt: skip

deserialize, get, serialize = identified("loss", _NAMES)


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
