"""``runtime.compat.v1.nn``: ``runtime.nn`` with TensorFlow 1's arguments."""

from __future__ import annotations

import importlib
from typing import Any

from runtime.compat.v1.older_arguments import with_arguments
from runtime.ops.array.constants import stop_gradient
from runtime.ops.linalg.products import matmul
from runtime.ops.nn import activations_losses as today
from runtime.types.aliases import TensorLike

_CONVOLUTION = "input filter strides padding use_cudnn_on_gpu data_format dilations name filters"
_TRANSPOSED = (
    "value filter output_shape strides padding data_format name input filters dilations"
)
_POOLING = "value ksize strides padding data_format name input"
_ARGUMENTS = {
    "avg_pool": _POOLING,
    "avg_pool1d": "input ksize strides padding data_format name",
    "avg_pool2d": _POOLING,
    "conv1d": "value filters stride padding use_cudnn_on_gpu data_format name input dilations",
    "conv2d": _CONVOLUTION,
    "conv2d_transpose": _TRANSPOSED,
    "conv3d": "input filter strides padding data_format dilations name filters",
    "conv3d_transpose": _TRANSPOSED,
    "convolution": "input filter padding strides dilation_rate name data_format filters dilations",
    "crelu": "features name axis",
    "depthwise_conv2d": "input filter strides padding rate name data_format dilations",
    "embedding_lookup": "params ids partition_strategy name validate_indices max_norm",
    "in_top_k": "predictions targets k name",
    "l2_normalize": "x axis epsilon name dim",
    "log_softmax": "logits axis name dim",
    "max_pool": _POOLING,
    "moments": "x axes shift name keep_dims keepdims",
    "separable_conv2d": (
        "input depthwise_filter pointwise_filter strides padding rate name data_format dilations"
    ),
    "softmax": "logits axis name dim",
    "sufficient_statistics": "x axes shift keep_dims name keepdims",
    "weighted_cross_entropy_with_logits": "labels logits pos_weight name targets",
    "weighted_moments": "x axes frequency_weights name keep_dims keepdims",
}
"""Arguments of TensorFlow 1's functions, in their order."""

_RENAMED = {
    "convolution": {"dilation_rate": "dilations"},
    "depthwise_conv2d": {"filter": "filter", "rate": "dilations"},
    "in_top_k": {"targets": "targets"},
    "separable_conv2d": {"rate": "dilations"},
}
_OWN = (
    "dropout", "relu_layer", "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2", "sparse_softmax_cross_entropy_with_logits",
    "xw_plus_b",
)  # fmt: skip


_RECURRENT = (
    "bidirectional_dynamic_rnn", "dynamic_rnn", "static_bidirectional_rnn", "static_rnn",
)  # fmt: skip


def dropout(
    x: TensorLike, keep_prob: Any = None, noise_shape: Any = None, seed: int | None = None,
    name: str | None = None, rate: Any = None,
) -> Any:  # fmt: skip
    """Set elements to zero at random, and scale up the others.

    Args:
        x: tensor of floats.
        keep_prob: probability that an element is kept.
        noise_shape: shape of the random decisions, which broadcasts with ``x``.
        seed: seed of the random numbers.
        rate: 1 minus ``keep_prob``, in its place.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        ValueError: both ``keep_prob`` and ``rate`` are given, or none.
    """
    if (keep_prob is None) == (rate is None):
        raise ValueError("dropout takes `keep_prob`, or `rate` in its place")
    share = 1.0 - keep_prob if rate is None else rate
    return today.dropout(x, share, noise_shape=noise_shape, seed=seed, name=name)


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, dim: int = -1,
    name: str | None = None, axis: int | None = None,
) -> Any:  # fmt: skip
    """Compute the cross entropy of labels and the softmax of logits; no gradient goes to labels.

    Args:
        _sentinel: nothing: the others are given by name.
        labels: tensor of probabilities.
        logits: tensor of the same shape and dtype.
        dim: axis of the classes.
        axis: the same.
    Returns:
        Tensor of the shape without that axis.
    Raises:
        ValueError: arguments are given without their names, or not at all.
    """
    _check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    return today.softmax_cross_entropy_with_logits(
        labels=stop_gradient(labels), logits=logits, axis=dim if axis is None else axis, name=name
    )


def softmax_cross_entropy_with_logits_v2(
    labels: TensorLike, logits: TensorLike, axis: int | None = None, name: str | None = None,
    dim: int | None = None,
) -> Any:  # fmt: skip
    """Compute the cross entropy of labels and the softmax of logits.

    Args:
        labels: tensor of probabilities.
        logits: tensor of the same shape and dtype.
        axis: axis of the classes, the last one by default.
        dim: the same.
    Returns:
        Tensor of the shape without that axis.
    """
    chosen = dim if axis is None else axis
    return today.softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, axis=-1 if chosen is None else chosen, name=name
    )


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Compute the cross entropy of classes and the softmax of logits.

    Args:
        _sentinel: nothing: the others are given by name.
        labels: ints, the classes.
        logits: tensor with one more axis, that of the classes.
    Returns:
        Tensor of the shape of ``labels``.
    Raises:
        ValueError: arguments are given without their names, or not at all.
    """
    _check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    return today.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def _check_named(function: str, sentinel: Any, labels: Any, logits: Any) -> None:
    if sentinel is not None:
        raise ValueError(
            f"Only call `{function}` with named arguments (labels=..., logits=..., ...)"
        )
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def xw_plus_b(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Any:
    """Compute ``matmul(x, weights) + biases``.

    Args:
        x: matrix.
        weights: matrix.
        biases: vector.
    Returns:
        Matrix.
    """
    return today.bias_add(matmul(x, weights), biases, name=name)


def relu_layer(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Any:
    """Compute ``relu(matmul(x, weights) + biases)``.

    Args:
        x: matrix.
        weights: matrix.
        biases: vector.
    Returns:
        Matrix.
    """
    return today.relu(xw_plus_b(x, weights, biases), name=name)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "rnn_cell":
        return importlib.import_module("runtime.compat.v1.rnn_cell")
    if name in _RECURRENT:
        return getattr(importlib.import_module("runtime.compat.v1.recurrent.functions"), name)
    function = getattr(importlib.import_module("runtime").nn, name)
    if name not in _ARGUMENTS:
        return function
    globals()[name] = with_arguments(function, name, _ARGUMENTS[name], _RENAMED.get(name))
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*dir(importlib.import_module("runtime").nn), *_OWN, *_RECURRENT, "rnn_cell"})
