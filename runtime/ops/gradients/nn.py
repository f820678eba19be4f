"""Derivatives of activations and losses, stable where their functions are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.array.creation import one_hot_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import broadcast_to_op, expand_dims_op
from runtime.ops.array.where import where_op
from runtime.ops.gradients.dynamic_shapes import same_static_shape, sizes, summed_to
from runtime.ops.gradients.elementwise import chosen
from runtime.ops.math.comparison import greater, less
from runtime.ops.math.elementary import erf, exp, sigmoid, tanh
from runtime.ops.math.elementwise import abs, square
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import sum_op
from runtime.ops.nn.activations_losses import SELU_ALPHA, SELU_SCALE, log_softmax_op, softmax_op


def relu(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Where the input is above 0."""
    return (chosen(greater(y, 0), dy),)


def relu6(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Where the input is between 0 and 6."""
    return (chosen(logical_and(greater(y, 0), less(y, 6)), dy),)


def elu(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """Below 0 ``exp(x)``."""
    return (where_op(less(y, 0), dy * (y + 1), dy),)


def selu(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """As of elu, scaled."""
    below = dy * (y + SELU_SCALE * SELU_ALPHA)
    return (where_op(less(y, 0), below, dy * SELU_SCALE),)


def softsign(x: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """``1 / (1 + abs(x)) ** 2``."""
    return (dy / square(abs(x) + 1),)


def leaky_relu(x: Any, y: Any, dy: Any, *, alpha: float) -> tuple[Any, ...]:
    """1 above 0, else alpha."""
    return (where_op(greater(x, 0), dy, dy * alpha),)


def gelu(x: Any, y: Any, dy: Any, *, approximate: bool) -> tuple[Any, ...]:
    """The share of the distribution, and ``x`` times its density."""
    if not approximate:
        density = exp(square(x) * -0.5) / math.sqrt(2 * math.pi)
        return (dy * ((erf(x * math.sqrt(0.5)) + 1) * 0.5 + x * density),)
    scale = math.sqrt(2 / math.pi)
    bent = tanh(scale * (x + 0.044715 * x * square(x)))
    slope = (1 - square(bent)) * scale * (1 + 3 * 0.044715 * square(x))
    return (dy * 0.5 * (1 + bent + x * slope),)


def softmax(x: Any, y: Any, dy: Any, *, axis: int) -> tuple[Any, ...]:
    """The gradient's distance from its mean by the weights, times the weights."""
    return ((dy - sum_op(dy * y, axis=axis, keepdims=True)) * y,)


def log_softmax(x: Any, y: Any, dy: Any, *, axis: int) -> tuple[Any, ...]:
    """The gradient, less its sum spread by the weights."""
    return (dy - exp(y) * sum_op(dy, axis=axis, keepdims=True),)


def sigmoid_loss(labels: Any, logits: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """``sigmoid(logits) - labels``."""
    return lambda: -(dz * logits), lambda: dz * (sigmoid(logits) - labels)


def softmax_loss(
    labels: Any, logits: Any, z: Any, dz: Any, *, axis: int
) -> tuple[Any, ...]:
    """``softmax(logits) - labels``, for labels that sum up to 1."""
    wide_labels, wide = labels, logits
    if not same_static_shape(labels, logits):
        shape = sizes(labels + logits)
        wide_labels, wide = broadcast_to_op(labels, shape), broadcast_to_op(logits, shape)
    share = expand_dims_op(dz, axis=axis)

    def dlabels() -> Any:
        return summed_to(-(share * log_softmax_op(wide, axis=axis)), labels)

    def dlogits() -> Any:
        total = sum_op(wide_labels, axis=axis, keepdims=True)
        gradient = share * (softmax_op(wide, axis=axis) * total - wide_labels)
        return summed_to(gradient, logits)

    return dlabels, dlogits


def sparse_softmax_loss(labels: Any, logits: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    """``softmax(logits)``, less 1 at the label."""
    unit, zero = (np.array(n, logits.dtype.as_numpy_dtype) for n in (1, 0))
    hot = one_hot_op(labels, sizes(logits)[-1], unit, zero, axis=-1)
    return None, getitem_op(dz, key=(..., None)) * (softmax_op(logits, axis=-1) - hot)
