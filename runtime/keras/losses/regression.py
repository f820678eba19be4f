"""Losses of numbers: each function gives the losses of samples, the means along the last axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.control_flow.cond import cond
from runtime.keras.config import epsilon, floatx
from runtime.keras.losses.loss import same_rank
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.where import where
from runtime.ops.docstrings import Function, documented
from runtime.ops.math.elementary import log, softplus
from runtime.ops.math.elementwise import abs, maximum, square
from runtime.ops.math.logical import logical_or
from runtime.ops.math.reduction import reduce_all, reduce_max, reduce_mean, reduce_sum
from runtime.ops.nn.activations_losses import l2_normalize
from runtime.types.aliases import TensorLike

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor


def described(raises: str = "", **parameters: str) -> Callable[[Function], Function]:
    """Return a decorator that adds to a docstring what losses take and give."""
    return documented(
        "Tensor of the shape of ``y_pred`` without the axis, and of its dtype",
        raises,
        y_true="labels, of the shape of ``y_pred``",
        y_pred="predictions, a tensor of a floating dtype",
        **parameters,
    )


def pair(y_true: TensorLike, y_pred: TensorLike) -> tuple[Any, Any]:
    """Return labels and predictions as tensors of the predictions' dtype and of one rank.

    Ints and bools become floats, so that means of them are none of ints.
    """
    predicted = convert_to_tensor(y_pred)
    if not (predicted.dtype.is_floating or predicted.dtype.is_complex):
        predicted = cast(predicted, floatx())
    labels = convert_to_tensor(y_true)
    labels = labels if labels.dtype == predicted.dtype else cast(labels, predicted.dtype)
    return same_rank(labels, predicted)


@described()
def mean_squared_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``(y_true - y_pred) ** 2`` along the last axis."""
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_mean(square(y_true - y_pred), axis=-1)


@described()
def mean_absolute_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``abs(y_true - y_pred)`` along the last axis."""
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_mean(abs(y_true - y_pred), axis=-1)


@described()
def mean_absolute_percentage_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``100 * abs((y_true - y_pred) / y_true)`` along the last axis."""
    y_true, y_pred = pair(y_true, y_pred)
    ratio = abs((y_true - y_pred) / maximum(abs(y_true), epsilon()))
    return 100.0 * reduce_mean(ratio, axis=-1)


@described()
def mean_squared_logarithmic_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``(log(y_true + 1) - log(y_pred + 1)) ** 2`` along the last axis."""
    y_true, y_pred = pair(y_true, y_pred)
    of_labels, of_predictions = (log(maximum(y, epsilon()) + 1.0) for y in (y_true, y_pred))
    return reduce_mean(square(of_predictions - of_labels), axis=-1)


@described()
def log_cosh(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``log(cosh(y_pred - y_true))`` along the last axis."""
    y_true, y_pred = pair(y_true, y_pred)
    x = y_pred - y_true
    return reduce_mean(x + softplus(-2.0 * x) - math.log(2.0), axis=-1)


@described(delta="where squares end and lines begin")
def huber(y_true: TensorLike, y_pred: TensorLike, delta: float = 1.0) -> Tensor:
    """Average half the squares of small errors, and large errors linearly."""
    y_true, y_pred = pair(y_true, y_pred)
    x = abs(y_pred - y_true)
    return reduce_mean(where(x <= delta, 0.5 * square(x), delta * x - 0.5 * delta * delta), axis=-1)


@described(axis="axis of the vectors")
def cosine_similarity(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """Compute minus the cosine of the angle between vectors."""
    return -cosine(y_true, y_pred, axis)


def cosine(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Any:
    """Return the cosine of the angle between vectors."""
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_sum(l2_normalize(y_true, axis) * l2_normalize(y_pred, axis), axis=axis)


@described()
def poisson(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``y_pred - y_true * log(y_pred)`` along the last axis."""
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_mean(y_pred - y_true * log(y_pred + epsilon()), axis=-1)


@described()
def hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``max(1 - y_true * y_pred, 0)`` along the last axis; labels 0 and 1 are -1 and 1."""
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_mean(maximum(1.0 - _signs(y_true) * y_pred, 0.0), axis=-1)


@described()
def squared_hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Average ``max(1 - y_true * y_pred, 0) ** 2``; labels 0 and 1 are -1 and 1."""
    y_true, y_pred = pair(y_true, y_pred)
    return reduce_mean(square(maximum(1.0 - _signs(y_true) * y_pred, 0.0)), axis=-1)


@described()
def categorical_hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Compute by how much another class's prediction is within 1 of the label's."""
    y_true, y_pred = pair(y_true, y_pred)
    right = reduce_sum(y_true * y_pred, axis=-1)
    wrong = reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return maximum(wrong - right + 1.0, 0.0)


def _signs(labels: Any) -> Any:
    """Return labels of which all are 0 or 1 as -1 and 1, others as they are."""
    binary = reduce_all(logical_or(labels == 0, labels == 1))
    return cond(binary, lambda: 2.0 * labels - 1.0, lambda: labels)
