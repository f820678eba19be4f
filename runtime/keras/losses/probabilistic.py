"""Losses of probabilities: each function gives the losses of samples, without the class axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.composite.ctc import ctc_loss
from runtime.keras.config import epsilon
from runtime.keras.layers.base.masks import set_mask
from runtime.keras.losses.regression import described, pair
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import one_hot, zeros_like
from runtime.ops.array.shape import expand_dims, shape, squeeze
from runtime.ops.array.where import where
from runtime.ops.docstrings import documented
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.comparison import not_equal
from runtime.ops.math.elementary import log, sigmoid
from runtime.ops.math.elementwise import pow
from runtime.ops.math.reduction import reduce_mean, reduce_sum
from runtime.ops.nn import activations_losses as nn
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import int64

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor

_LOGITS = {"from_logits": "whether predictions are logits, not probabilities"}
_SMOOTHING = {"label_smoothing": "part of each label that is spread over all classes"}
_AXIS = {"axis": "axis of the classes"}
_SHAPES = "ValueError: the shapes of labels and predictions do not fit"


def _check_shapes(target: Any, output: Any) -> None:
    """Raise ValueError unless two tensors have one shape."""
    if not target.shape.is_compatible_with(output.shape):
        raise ValueError(
            "Arguments `y_true` and `y_pred` must have the same shape. Received: "
            f"y_true.shape={target.shape}, y_pred.shape={output.shape}"
        )


def _smoothed(labels: Any, smoothing: float, classes: Any) -> Any:
    """Return labels with a part spread over the classes."""
    return labels * (1.0 - smoothing) + smoothing / classes if smoothing else labels


def _inside(probabilities: Any) -> Any:
    """Return probabilities kept away from 0 and 1."""
    return clip_by_value(probabilities, epsilon(), 1.0 - epsilon())


def _binary(target: Any, output: Any, from_logits: bool) -> Any:
    """Return the binary cross entropy of each element."""
    _check_shapes(target, output)
    if from_logits:
        return nn.sigmoid_cross_entropy_with_logits(target, output)
    output = _inside(output)
    return -(target * log(output) + (1.0 - target) * log(1.0 - output))


@described(_SHAPES, **_LOGITS, **_SMOOTHING, axis="axis of the mean")
def binary_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, from_logits: bool = False,
    label_smoothing: float = 0.0, axis: int = -1,
) -> Tensor:
    """Average the cross entropies of labels between 0 and 1."""
    y_true, y_pred = pair(y_true, y_pred)
    y_true = _smoothed(y_true, label_smoothing, 2.0)
    return reduce_mean(_binary(y_true, y_pred, from_logits), axis=axis)


@described(
    _SHAPES, apply_class_balancing="whether to weight both classes by ``alpha``",
    alpha="weight of the class 1, and 1 minus that of 0",
    gamma="exponent: how little samples count that are predicted well",
    **_LOGITS, **_SMOOTHING, axis="axis of the mean",
)  # fmt: skip
def binary_focal_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, apply_class_balancing: bool = False,
    alpha: float = 0.25, gamma: float = 2.0, from_logits: bool = False,
    label_smoothing: float = 0.0, axis: int = -1,
) -> Tensor:
    """Average the cross entropies, weighted by ``(1 - p) ** gamma``, p the label's probability."""
    y_true, y_pred = pair(y_true, y_pred)
    y_true = _smoothed(y_true, label_smoothing, 2.0)
    y_pred = sigmoid(y_pred) if from_logits else y_pred
    loss = _binary(y_true, y_pred, False)
    right = y_true * y_pred + (1.0 - y_true) * (1.0 - y_pred)
    loss = pow(1.0 - right, gamma) * loss
    if apply_class_balancing:
        loss = (y_true * alpha + (1.0 - y_true) * (1.0 - alpha)) * loss
    return reduce_mean(loss, axis=axis)


def _classes(y_pred: Any, axis: int) -> float:
    """Return the number of classes; ValueError where it is not known."""
    size = y_pred.shape[axis]
    if size is None:
        raise ValueError(f"label_smoothing needs a known number of classes: {y_pred.shape}")
    return float(size)


def _class_axis(y_pred: Any, axis: int) -> int:
    """Return the class axis, -1 if it is the last one; ValueError for one that is not there."""
    rank = y_pred.shape.rank
    if rank is not None and not -rank <= axis < rank:
        raise ValueError(f"there is no axis {axis} in predictions of shape {y_pred.shape}")
    return -1 if rank is not None and axis == rank - 1 else axis


@described(_SHAPES, **_LOGITS, **_SMOOTHING, **_AXIS)
def categorical_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, from_logits: bool = False,
    label_smoothing: float = 0.0, axis: int = -1,
) -> Tensor:
    """Compute the cross entropies of labels that are probabilities of classes."""
    y_pred = convert_to_tensor(y_pred)
    y_true = cast(y_true, y_pred.dtype)
    _check_shapes(y_true, y_pred)
    axis = _class_axis(y_pred, axis)
    if label_smoothing:
        y_true = _smoothed(y_true, label_smoothing, _classes(y_pred, axis))
    if from_logits:
        return nn.softmax_cross_entropy_with_logits(y_true, y_pred, axis=axis)
    y_pred = y_pred / reduce_sum(y_pred, axis=axis, keepdims=True)
    return -reduce_sum(y_true * log(_inside(y_pred)), axis=axis)


@described(
    _SHAPES, alpha="factor of the losses",
    gamma="exponent: how little samples count that are predicted well",
    **_LOGITS, **_SMOOTHING, **_AXIS,
)  # fmt: skip
def categorical_focal_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, alpha: float = 0.25, gamma: float = 2.0,
    from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
) -> Tensor:
    """Compute cross entropies, weighted by ``alpha * (1 - p) ** gamma``, p the prediction."""
    y_pred = convert_to_tensor(y_pred)
    y_true = cast(y_true, y_pred.dtype)
    _check_shapes(y_true, y_pred)
    if label_smoothing:
        y_true = _smoothed(y_true, label_smoothing, _classes(y_pred, axis))
    y_pred = nn.softmax(y_pred, axis=axis) if from_logits else y_pred
    y_pred = _inside(y_pred / reduce_sum(y_pred, axis=axis, keepdims=True))
    weight = alpha * pow(1.0 - y_pred, gamma)
    return reduce_sum(weight * (-y_true * log(y_pred)), axis=axis)


@described(
    _SHAPES, **_LOGITS, ignore_class="label of samples whose loss is 0", **_AXIS,
)  # fmt: skip
def sparse_categorical_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, from_logits: bool = False,
    ignore_class: int | None = None, axis: int = -1,
) -> Tensor:
    """Compute the cross entropies of labels that are the indices of classes.

    ``y_true`` has the shape of ``y_pred`` without the axis of the classes, which is the last one.
    """
    y_pred = convert_to_tensor(y_pred)
    if _class_axis(y_pred, axis) != -1:
        raise ValueError(
            f"Only axis=-1 is currently supported. Received: axis={axis}"
        )
    labels = _indices(y_true, y_pred)
    valid = None
    if ignore_class is not None:
        valid = labels != ignore_class
        labels = where(valid, labels, 0)
        y_pred = y_pred * cast(expand_dims(valid, -1), y_pred.dtype)
    logits = y_pred if from_logits else log(_inside(y_pred))
    loss = nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    if valid is not None:
        loss = where(valid, loss, 0.0)
        set_mask(loss, valid)  # metrics leave these samples and their weights out
    return loss


@described(_SHAPES, q="number between 0, cross entropy, and 1, absolute error")
def categorical_generalized_cross_entropy(
    y_true: TensorLike, y_pred: TensorLike, q: float
) -> Tensor:
    """Compute ``(1 - p ** q) / q``, p the probability of the label's class.

    ``y_true`` has the indices of classes, in the shape of ``y_pred`` without the last axis.
    """
    y_pred = convert_to_tensor(y_pred)
    labels = _indices(y_true, y_pred)
    right = one_hot(labels, y_pred.shape[-1] or shape(y_pred)[-1], dtype=y_pred.dtype)
    return (1.0 - pow(reduce_sum(right * y_pred, axis=-1), q)) / q


def _indices(y_true: TensorLike, y_pred: Any) -> Any:
    """Return labels as ints, without a last axis of size 1; ValueError if they do not fit."""
    labels = convert_to_tensor(y_true)
    if labels.shape.rank is not None and labels.shape.rank == y_pred.shape.rank:
        if labels.shape[-1] == 1:
            labels = squeeze(labels, axis=-1)
    if y_pred.shape.rank is not None and not labels.shape.is_compatible_with(y_pred.shape[:-1]):
        raise ValueError(
            "Argument `y_true` must have the shape of `y_pred` without its last axis. Received: "
            f"y_true.shape={labels.shape}, y_pred.shape={y_pred.shape}"
        )
    return cast(labels, int64)


@described()
def kl_divergence(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Sum ``y_true * log(y_true / y_pred)`` along the last axis."""
    y_true, y_pred = pair(y_true, y_pred)
    labels, predicted = (clip_by_value(y, epsilon(), 1.0) for y in (y_true, y_pred))
    return reduce_sum(labels * log(labels / predicted), axis=-1)


@described(axis="axes of the sums, None for all")
def dice(y_true: TensorLike, y_pred: TensorLike, axis: Any = None) -> Tensor:
    """Compute 1 minus twice the overlap of labels and predictions, divided by their sums."""
    y_true, y_pred = pair(y_true, y_pred)
    overlap = reduce_sum(y_true * y_pred, axis=axis)
    sums = reduce_sum(y_true, axis=axis) + reduce_sum(y_pred, axis=axis)
    return 1.0 - 2.0 * overlap / (sums + epsilon())


@described(
    alpha="weight of what is there and not predicted",
    beta="weight of what is predicted and not there", axis="axes of the sums, None for all",
)  # fmt: skip
def tversky(
    y_true: TensorLike, y_pred: TensorLike, alpha: float = 0.5, beta: float = 0.5, axis: Any = None
) -> Tensor:
    """Compute 1 minus the overlap, divided by the overlap and the weighted rests."""
    y_true, y_pred = pair(y_true, y_pred)
    overlap = reduce_sum(y_true * y_pred, axis=axis)
    missed = reduce_sum(y_true * (1.0 - y_pred), axis=axis)
    wrong = reduce_sum((1.0 - y_true) * y_pred, axis=axis)
    return 1.0 - overlap / (overlap + alpha * missed + beta * wrong + epsilon())


@documented(
    "Tensor of shape ``[batch]``",
    "ValueError: the rank of labels is not 2, or of predictions not 3",
    y_true="classes of shape ``[batch, labels]``; 0 is the blank, which is not counted",
    y_pred="logits of shape ``[batch, frames, classes]``",
)  # fmt: skip
def ctc(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Compute the losses of connectionist temporal classification, as ``runtime.nn.ctc_loss``."""
    labels, logits = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    logits = cast(logits, "float32") if logits.dtype.size < 4 else logits
    counts = reduce_sum(cast(not_equal(labels, 0), int64), axis=-1)
    frames = zeros_like(counts) + cast(shape(logits)[1], int64)
    return ctc_loss(cast(labels, int64), logits, counts, frames, logits_time_major=False)
