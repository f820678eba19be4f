"""Types of the names of ``runtime.losses``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from collections.abc import Mapping
from runtime.compat.v1.weighted_losses import Reduction as Reduction
from runtime.compat.v1.weighted_losses import add_loss as add_loss
from runtime.compat.v1.weighted_losses import get_losses as get_losses
from runtime.compat.v1.weighted_losses import get_regularization_losses as get_regularization_losses
from runtime.eager.tensor import Tensor
from runtime.keras.losses.circle import circle as circle
from runtime.keras.losses.classes import BinaryCrossentropy as BinaryCrossentropy
from runtime.keras.losses.classes import BinaryFocalCrossentropy as BinaryFocalCrossentropy
from runtime.keras.losses.classes import CTC as CTC
from runtime.keras.losses.classes import CategoricalCrossentropy as CategoricalCrossentropy
from runtime.keras.losses.classes import CategoricalFocalCrossentropy as CategoricalFocalCrossentropy
from runtime.keras.losses.classes import CategoricalGeneralizedCrossEntropy as CategoricalGeneralizedCrossEntropy
from runtime.keras.losses.classes import CategoricalHinge as CategoricalHinge
from runtime.keras.losses.classes import Circle as Circle
from runtime.keras.losses.classes import CosineSimilarity as CosineSimilarity
from runtime.keras.losses.classes import Dice as Dice
from runtime.keras.losses.classes import Hinge as Hinge
from runtime.keras.losses.classes import Huber as Huber
from runtime.keras.losses.classes import KLDivergence as KLDivergence
from runtime.keras.losses.classes import LogCosh as LogCosh
from runtime.keras.losses.classes import MeanAbsoluteError as MeanAbsoluteError
from runtime.keras.losses.classes import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from runtime.keras.losses.classes import MeanSquaredError as MeanSquaredError
from runtime.keras.losses.classes import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from runtime.keras.losses.classes import Poisson as Poisson
from runtime.keras.losses.classes import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from runtime.keras.losses.classes import SquaredHinge as SquaredHinge
from runtime.keras.losses.classes import Tversky as Tversky
from runtime.keras.losses.loss import Loss as Loss
from runtime.keras.losses.probabilistic import binary_crossentropy as binary_crossentropy
from runtime.keras.losses.probabilistic import binary_focal_crossentropy as binary_focal_crossentropy
from runtime.keras.losses.probabilistic import categorical_crossentropy as categorical_crossentropy
from runtime.keras.losses.probabilistic import categorical_focal_crossentropy as categorical_focal_crossentropy
from runtime.keras.losses.probabilistic import categorical_generalized_cross_entropy as categorical_generalized_cross_entropy
from runtime.keras.losses.probabilistic import ctc as ctc
from runtime.keras.losses.probabilistic import dice as dice
from runtime.keras.losses.probabilistic import kl_divergence as KLD
from runtime.keras.losses.probabilistic import kl_divergence as kl_divergence
from runtime.keras.losses.probabilistic import kl_divergence as kld
from runtime.keras.losses.probabilistic import kl_divergence as kullback_leibler_divergence
from runtime.keras.losses.probabilistic import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from runtime.keras.losses.probabilistic import tversky as tversky
from runtime.keras.losses.regression import categorical_hinge as categorical_hinge
from runtime.keras.losses.regression import cosine_similarity as cosine_similarity
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
from runtime.keras.losses.regression import mean_squared_error as mse
from runtime.keras.losses.regression import mean_squared_logarithmic_error as MSLE
from runtime.keras.losses.regression import mean_squared_logarithmic_error as mean_squared_logarithmic_error
from runtime.keras.losses.regression import mean_squared_logarithmic_error as msle
from runtime.keras.losses.regression import poisson as poisson
from runtime.keras.losses.regression import squared_hinge as squared_hinge
from runtime.types.aliases import TensorLike
from typing import Any

def absolute_difference(labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def compute_weighted_loss(losses: TensorLike, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def cosine_distance(labels: TensorLike, predictions: TensorLike, axis: int | None = None, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights', dim: int | None = None) -> Tensor: ...
def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Make the loss of a dict.

    Args:
        config: dict that ``serialize`` returned, or a name.
        custom_objects: classes and functions by name that are looked for, too.
    Returns:
        Instance of the class, or function.
    Raises:
        TypeError: nobody knows the class or function.
    """
def get(identifier: Any) -> Any:
    """Find the loss that an identifier means.

    Args:
        identifier: name, dict of ``serialize``, class, or what is called as it is; or None.
    Returns:
        Object that can be called; None for None.
    Raises:
        ValueError: there is no such loss.
    """
def get_regularization_loss(scope: str | None = None, name: str = 'total_regularization_loss') -> Tensor: ...
def get_total_loss(add_regularization_losses: bool = True, name: str = 'total_loss', scope: str | None = None) -> Tensor: ...
def hinge_loss(labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def huber_loss(labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, delta: float = 1.0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def log_loss(labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, epsilon: float = 1e-07, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def mean_pairwise_squared_error(labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = 'losses') -> Tensor: ...
def mean_squared_error(labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def serialize(obj: Any) -> Any:
    """Describe the loss as a dict that JSON can hold.

    Args:
        obj: instance of a class with ``get_config``, or function.
    Returns:
        Dict that ``deserialize`` reads.
    Raises:
        ValueError: the function is a lambda.
        TypeError: the class has no ``get_config``.
    """
def sigmoid_cross_entropy(multi_class_labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, label_smoothing: float = 0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def softmax_cross_entropy(onehot_labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, label_smoothing: float = 0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
def sparse_softmax_cross_entropy(labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights') -> Tensor: ...
