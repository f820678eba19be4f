"""Rules of normalization."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import NeedsValueError, reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.arithmetic import number
from runtime.export.onnx_models.reading.shapes import rank_of
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.indexing import getitem


def _per_channel(value: Any, rank: int, dtype: Any) -> Any:
    value = cast(convert_to_tensor(value), dtype)
    for _ in range(rank - 2):
        value = ops.expand_dims(value, axis=-1)
    return value


@reader("BatchNormalization")
def _batch(node: OnnxNode, x: Any, scale: Any, bias: Any, mean: Any, variance: Any) -> Any:
    x = convert_to_tensor(x)
    rank = rank_of(x)
    if node.attr("training_mode", 0):
        return _batch_training(node, x, scale, bias, mean, variance)
    scale, bias, mean, variance = (
        _per_channel(v, rank, x.dtype) for v in (scale, bias, mean, variance)
    )
    factor = scale * ops.rsqrt(variance + number(node.attr("epsilon", 1e-5), x))
    return (x - mean) * factor + bias


def _batch_training(
    node: OnnxNode, x: Any, scale: Any, bias: Any, mean: Any, variance: Any
) -> Any:
    rank = rank_of(x)
    axes = (0, *range(2, rank))
    own_mean = ops.reduce_mean(x, axis=axes, keepdims=False)
    own_variance = ops.reduce_variance(x, axis=axes, keepdims=False)
    momentum = number(node.attr("momentum", 0.9), x)
    rest = number(1, x) - momentum
    centred = x - _per_channel(own_mean, rank, x.dtype)
    factor = ops.rsqrt(own_variance + number(node.attr("epsilon", 1e-5), x))
    y = centred * _per_channel(factor, rank, x.dtype) * _per_channel(scale, rank, x.dtype)
    y = y + _per_channel(bias, rank, x.dtype)
    running = (mean * momentum + own_mean * rest, variance * momentum + own_variance * rest)
    return (y, *running)


@reader("InstanceNormalization")
def _instance(node: OnnxNode, x: Any, scale: Any, bias: Any) -> Any:
    x = convert_to_tensor(x)
    rank = rank_of(x)
    axes = tuple(range(2, rank))
    centred = x - ops.reduce_mean(x, axis=axes, keepdims=True)
    variance = ops.reduce_mean(ops.square(centred), axis=axes, keepdims=True)
    normal = centred * ops.rsqrt(variance + number(node.attr("epsilon", 1e-5), x))
    return normal * _per_channel(scale, rank, x.dtype) + _per_channel(bias, rank, x.dtype)


@reader("LRN")
def _local_response(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    size = node.attr("size")
    alpha, beta, bias = (node.attr(n, d) for n, d in (("alpha", 1e-4), ("beta", 0.75),
                                                      ("bias", 1.0)))  # fmt: skip
    low = (size - 1) // 2
    widths = np.zeros((rank_of(x), 2), np.int64)
    widths[1] = low, size - 1 - low
    squares = ops.pad(ops.square(x), widths, number(0, x), mode="CONSTANT")
    channels = x.shape.dims[1]
    if channels is None:
        raise NeedsValueError("the number of channels is not known before the run")
    total = None
    for k in range(size):
        piece = getitem(squares, (slice(None), slice(k, k + channels)))
        total = piece if total is None else total + piece
    base = number(bias, x) + number(alpha / size, x) * total
    return x / ops.pow(base, number(beta, x))


@reader("LpNormalization")
def _lp(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    axis, p = (node.attr("axis", -1),), node.attr("p", 2)
    if p == 1:
        size = ops.reduce_sum(ops.abs(x), axis=axis, keepdims=True)
    else:
        size = ops.sqrt(ops.reduce_sum(ops.square(x), axis=axis, keepdims=True))
    return ops.divide_no_nan(x, size)
