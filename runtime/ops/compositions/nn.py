"""Softmax, and losses made of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims_op
from runtime.ops.array.where import where_op
from runtime.ops.compositions.reduction import axes_of, logsumexp, top_of, zero
from runtime.ops.gradients.dynamic_shapes import same_static_shape
from runtime.ops.math.comparison import equal, greater_equal, less
from runtime.ops.math.elementary import exp
from runtime.ops.math.elementwise import negative
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import all_op, sum_op
from runtime.ops.rules.lowering import Guarded
from runtime.types.dtypes import int64


def softmax(x: Any, *, axis: int) -> Any:
    """Weights, divided by their sum."""
    axes = axes_of(x, axis)
    weights = exp(x - top_of(x, axes))
    return weights / sum_op(weights, axis=axes, keepdims=True)


def log_softmax(x: Any, *, axis: int) -> Any:
    """The distance from the logarithm of the sum."""
    return x - logsumexp(x, axis=(axis,), keepdims=True)


def softmax_loss(labels: Any, logits: Any, *, axis: int) -> Any:
    """The sum of the logarithms, weighed by the labels."""
    if not same_static_shape(labels, logits):
        return None
    terms = labels * log_softmax(logits, axis=axis)
    return negative(sum_op(terms, axis=(axis,), keepdims=False))


def sparse_softmax_loss(labels: Any, logits: Any) -> Any:
    """The sum over the classes of which one is the label's; the kernel raises for other labels."""
    *rows, classes = logits.shape.dims
    if None in (*rows, classes) or labels.shape.dims != tuple(rows):
        return None
    terms = log_softmax(logits, axis=-1)
    places = cast(labels, int64)
    are_classes = logical_and(greater_equal(places, np.int64(0)), less(places, np.int64(classes)))
    if rows:
        are_classes = all_op(are_classes, axis=None, keepdims=False)
    hot = equal(expand_dims_op(places, axis=-1), np.arange(classes))
    terms = where_op(hot, terms, zero(logits))
    return Guarded(are_classes, negative(sum_op(terms, axis=(-1,), keepdims=False)))
