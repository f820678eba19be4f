"""Types of the names of ``runtime.metrics``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from collections.abc import Mapping
from runtime.keras.losses.probabilistic import binary_crossentropy as binary_crossentropy
from runtime.keras.losses.probabilistic import binary_focal_crossentropy as binary_focal_crossentropy
from runtime.keras.losses.probabilistic import categorical_crossentropy as categorical_crossentropy
from runtime.keras.losses.probabilistic import categorical_focal_crossentropy as categorical_focal_crossentropy
from runtime.keras.losses.probabilistic import kl_divergence as KLD
from runtime.keras.losses.probabilistic import kl_divergence as kl_divergence
from runtime.keras.losses.probabilistic import kl_divergence as kld
from runtime.keras.losses.probabilistic import kl_divergence as kullback_leibler_divergence
from runtime.keras.losses.probabilistic import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from runtime.keras.losses.regression import categorical_hinge as categorical_hinge
from runtime.keras.losses.regression import hinge as hinge
from runtime.keras.losses.regression import huber as huber
from runtime.keras.losses.regression import log_cosh as log_cosh
from runtime.keras.losses.regression import log_cosh as logcosh
from runtime.keras.losses.regression import mean_absolute_error as MAE
from runtime.keras.losses.regression import mean_absolute_error as mae
from runtime.keras.losses.regression import mean_absolute_error as mean_absolute_error
from runtime.keras.losses.regression import mean_absolute_percentage_error as MAPE
from runtime.keras.losses.regression import mean_absolute_percentage_error as mape
from runtime.keras.losses.regression import mean_absolute_percentage_error as mean_absolute_percentage_error
from runtime.keras.losses.regression import mean_squared_error as MSE
from runtime.keras.losses.regression import mean_squared_error as mean_squared_error
from runtime.keras.losses.regression import mean_squared_error as mse
from runtime.keras.losses.regression import mean_squared_logarithmic_error as MSLE
from runtime.keras.losses.regression import mean_squared_logarithmic_error as mean_squared_logarithmic_error
from runtime.keras.losses.regression import mean_squared_logarithmic_error as msle
from runtime.keras.losses.regression import poisson as poisson
from runtime.keras.losses.regression import squared_hinge as squared_hinge
from runtime.keras.metrics.accuracy import Accuracy as Accuracy
from runtime.keras.metrics.accuracy import BinaryAccuracy as BinaryAccuracy
from runtime.keras.metrics.accuracy import CategoricalAccuracy as CategoricalAccuracy
from runtime.keras.metrics.accuracy import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from runtime.keras.metrics.accuracy import SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy
from runtime.keras.metrics.accuracy import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from runtime.keras.metrics.accuracy import binary_accuracy as binary_accuracy
from runtime.keras.metrics.accuracy import categorical_accuracy as categorical_accuracy
from runtime.keras.metrics.accuracy import sparse_categorical_accuracy as sparse_categorical_accuracy
from runtime.keras.metrics.accuracy import sparse_top_k_categorical_accuracy as sparse_top_k_categorical_accuracy
from runtime.keras.metrics.accuracy import top_k_categorical_accuracy as top_k_categorical_accuracy
from runtime.keras.metrics.confusion import FalseNegatives as FalseNegatives
from runtime.keras.metrics.confusion import FalsePositives as FalsePositives
from runtime.keras.metrics.confusion import Precision as Precision
from runtime.keras.metrics.confusion import Recall as Recall
from runtime.keras.metrics.confusion import TrueNegatives as TrueNegatives
from runtime.keras.metrics.confusion import TruePositives as TruePositives
from runtime.keras.metrics.curves import AUC as AUC
from runtime.keras.metrics.curves import PrecisionAtRecall as PrecisionAtRecall
from runtime.keras.metrics.curves import RecallAtPrecision as RecallAtPrecision
from runtime.keras.metrics.curves import SensitivityAtSpecificity as SensitivityAtSpecificity
from runtime.keras.metrics.curves import SpecificityAtSensitivity as SpecificityAtSensitivity
from runtime.keras.metrics.iou import BinaryIoU as BinaryIoU
from runtime.keras.metrics.iou import IoU as IoU
from runtime.keras.metrics.iou import MeanIoU as MeanIoU
from runtime.keras.metrics.iou import OneHotIoU as OneHotIoU
from runtime.keras.metrics.iou import OneHotMeanIoU as OneHotMeanIoU
from runtime.keras.metrics.means import BinaryCrossentropy as BinaryCrossentropy
from runtime.keras.metrics.means import CategoricalCrossentropy as CategoricalCrossentropy
from runtime.keras.metrics.means import CategoricalHinge as CategoricalHinge
from runtime.keras.metrics.means import ConcordanceCorrelation as ConcordanceCorrelation
from runtime.keras.metrics.means import CosineSimilarity as CosineSimilarity
from runtime.keras.metrics.means import Hinge as Hinge
from runtime.keras.metrics.means import KLDivergence as KLDivergence
from runtime.keras.metrics.means import LogCoshError as LogCoshError
from runtime.keras.metrics.means import MeanAbsoluteError as MeanAbsoluteError
from runtime.keras.metrics.means import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from runtime.keras.metrics.means import MeanSquaredError as MeanSquaredError
from runtime.keras.metrics.means import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from runtime.keras.metrics.means import PearsonCorrelation as PearsonCorrelation
from runtime.keras.metrics.means import Poisson as Poisson
from runtime.keras.metrics.means import RootMeanSquaredError as RootMeanSquaredError
from runtime.keras.metrics.means import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from runtime.keras.metrics.means import SquaredHinge as SquaredHinge
from runtime.keras.metrics.means import concordance_correlation as concordance_correlation
from runtime.keras.metrics.means import pearson_correlation as pearson_correlation
from runtime.keras.metrics.metric import Mean as Mean
from runtime.keras.metrics.metric import MeanMetricWrapper as MeanMetricWrapper
from runtime.keras.metrics.metric import Metric as Metric
from runtime.keras.metrics.metric import Sum as Sum
from runtime.keras.metrics.scores import F1Score as F1Score
from runtime.keras.metrics.scores import FBetaScore as FBetaScore
from runtime.keras.metrics.scores import R2Score as R2Score
from typing import Any

def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Make the metric of a dict.

    Args:
        config: dict that ``serialize`` returned, or a name.
        custom_objects: classes and functions by name that are looked for, too.
    Returns:
        Instance of the class, or function.
    Raises:
        TypeError: nobody knows the class or function.
    """
def get(identifier: Any) -> Any:
    """Find the metric that an identifier means.

    Args:
        identifier: name, dict of ``serialize``, class, or what is called as it is; or None.
    Returns:
        Object that can be called; None for None.
    Raises:
        ValueError: there is no such metric.
    """
def serialize(obj: Any) -> Any:
    """Describe the metric as a dict that JSON can hold.

    Args:
        obj: instance of a class with ``get_config``, or function.
    Returns:
        Dict that ``deserialize`` reads.
    Raises:
        ValueError: the function is a lambda.
        TypeError: the class has no ``get_config``.
    """
