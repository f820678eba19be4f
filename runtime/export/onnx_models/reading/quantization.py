"""Rules of quantization: integers that stand for floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.element_types import dtype_of
from runtime.export.onnx_models.interpreter import reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.products import product
from runtime.export.onnx_models.reading.shapes import rank_of
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.types.dtypes import float32, int32, uint8
from runtime.types.errors import UnimplementedError


def _along(value: Any, x: Any, axis: int, block: int) -> Any:
    """Return a scale or zero point so that it fits an array: one number, one a place, or blocks."""
    value = convert_to_tensor(value)
    rank = rank_of(x)
    if block:
        return ops.repeat(value, np.int64(block), axis=axis % rank)
    if rank_of(value) != 1:
        return value
    if value.shape.dims == (1,):
        return ops.reshape(value, np.zeros(0, np.int64))
    for _ in range(rank - 1 - axis % rank):
        value = ops.expand_dims(value, axis=-1)
    return value


@reader("QuantizeLinear")
def _quantize(node: OnnxNode, x: Any, scale: Any, zero: Any = None) -> Any:
    x = convert_to_tensor(x)
    axis, block = node.attr("axis", 1), node.attr("block_size", 0)
    dtype = uint8 if zero is None else convert_to_tensor(zero).dtype
    wanted = dtype_of(node.attr("output_dtype", 0))
    if zero is None and node.attr("output_dtype", 0):
        if wanted is None:
            raise UnimplementedError("the runtime has no elements of this type")
        dtype = wanted
    if not dtype.is_integer:
        raise UnimplementedError("floats of 8 bits are not known here")
    steps = ops.round(cast(x, float32) / cast(_along(scale, x, axis, block), float32))
    if zero is not None:
        steps = steps + cast(_along(zero, x, axis, block), float32)
    low, high = np.float32(dtype.min), np.float32(dtype.max)
    return cast(ops.minimum(ops.maximum(steps, low), high), dtype)


@reader("DequantizeLinear")
def _dequantize(node: OnnxNode, x: Any, scale: Any, zero: Any = None) -> Any:
    x, scale = convert_to_tensor(x), convert_to_tensor(scale)
    if not x.dtype.is_integer:
        raise UnimplementedError("floats of 8 bits are not known here")
    axis, block = node.attr("axis", 1), node.attr("block_size", 0)
    steps = cast(x, int32)
    if zero is not None:
        steps = steps - cast(_along(zero, x, axis, block), int32)
    result = cast(steps, scale.dtype) * _along(scale, x, axis, block)
    wanted = dtype_of(node.attr("output_dtype", 0))
    return result if wanted is None else cast(result, wanted)


@reader("DynamicQuantizeLinear")
def _dynamic(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    zero = np.float32(0)
    low = ops.minimum(ops.reduce_min(x, axis=None, keepdims=False), zero)
    high = ops.maximum(ops.reduce_max(x, axis=None, keepdims=False), zero)
    scale = (high - low) / np.float32(255)
    point = ops.round(ops.minimum(ops.maximum(zero - low / scale, zero), np.float32(255)))
    steps = ops.round(x / scale) + point
    y = cast(ops.minimum(ops.maximum(steps, zero), np.float32(255)), uint8)
    return y, scale, cast(point, uint8)


@reader("QLinearMatMul")
def _product(node: OnnxNode, a: Any, scale_a: Any, zero_a: Any, b: Any, scale_b: Any, zero_b: Any,
             scale_y: Any, zero_y: Any) -> Any:  # fmt: skip
    left = cast(convert_to_tensor(a), int32) - cast(convert_to_tensor(zero_a), int32)
    right = cast(convert_to_tensor(b), int32) - cast(convert_to_tensor(zero_b), int32)
    total = cast(product(left, right), float32)
    factor = cast(convert_to_tensor(scale_a), float32) * cast(convert_to_tensor(scale_b), float32)
    steps = ops.round(total * (factor / cast(convert_to_tensor(scale_y), float32)))
    dtype = convert_to_tensor(zero_y).dtype
    steps = steps + cast(convert_to_tensor(zero_y), float32)
    low, high = np.float32(dtype.min), np.float32(dtype.max)
    return cast(ops.minimum(ops.maximum(steps, low), high), dtype)
