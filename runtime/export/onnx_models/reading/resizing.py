"""Rules of resizing: along each axis a product with a matrix of weights, known before the run.

Source of the weights: the definition of ``Resize`` in ONNX (version 19), and for cubic ones R. G.
Keys, Cubic convolution interpolation for digital image processing, 1981.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import NeedsValueError, ints, reader, static
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.shapes import rank_of
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.types.dtypes import float32


@reader("Resize")
def _resize(node: OnnxNode, x: Any, *rest: Any) -> Any:
    if node.version < 11:
        roi, scales, sizes = None, rest[0], None
    else:
        roi, scales, sizes = [*rest, None, None, None][:3]
    return _resized(node, convert_to_tensor(x), roi, scales, sizes)


@reader("Upsample")
def _upsample(node: OnnxNode, x: Any, scales: Any = None) -> Any:
    factors = np.array(node.attr("scales"), np.float32) if scales is None else scales
    return _resized(node, convert_to_tensor(x), None, factors, None)


def _resized(node: OnnxNode, x: Any, roi: Any, scales: Any, sizes: Any) -> Any:
    rank = rank_of(x)
    axes = [a % rank for a in node.attr("axes") or range(rank)]
    dims = [x.shape.dims[axis] for axis in axes]
    targets: list[int | None]
    factors: Any = static(scales, "the scales")
    if factors is not None and np.size(factors):
        factors = [float(f) for f in factors]
        targets = [None if d is None else math.floor(d * f) for d, f in zip(dims, factors)]
    else:
        if None in dims:
            raise NeedsValueError("the sizes are not known before the run")
        targets, factors = _by_sizes(node, dims, ints(sizes, "the sizes") or [])
    box = static(roi, "the region of interest")
    ends = [(0.0, 1.0)] * len(axes)
    if box is not None and np.size(box):
        ends = [(float(box[k]), float(box[len(axes) + k])) for k in range(len(axes))]
    is_cropped = node.attr("coordinate_transformation_mode") == "tf_crop_and_resize"
    dtype = x.dtype
    result = cast(x, float32) if not dtype.is_floating else x
    outside = []
    for axis, size, target, factor, (low, high) in zip(
        axes, dims, targets, factors, ends, strict=True
    ):
        if not is_cropped and (size == target or (size is None and factor == 1.0)):
            continue
        if size is None or target is None:
            raise NeedsValueError("the size of an axis is not known before the run")
        weights, beyond = _weights(node, size, target, factor, low, high)
        outside.append((axis, beyond))
        result = _along(result, axis, weights.astype(result.dtype.as_numpy_dtype))
    if is_cropped:
        value = np.asarray(node.attr("extrapolation_value", 0.0), result.dtype.as_numpy_dtype)
        for axis, beyond in outside:
            shape = [1] * rank
            shape[axis] = len(beyond)
            result = ops.where(beyond.reshape(shape), value, result)
    if dtype is result.dtype:
        return result
    return cast(ops.round(result), dtype)


def _by_sizes(
    node: OnnxNode, dims: Any, wanted: list[int]
) -> tuple[list[int | None], list[float]]:
    policy = node.attr("keep_aspect_ratio_policy", "stretch")
    factors = [w / d for w, d in zip(wanted, dims, strict=True)]
    if policy != "stretch":
        factor = min(factors) if policy == "not_larger" else max(factors)
        factors = [factor] * len(dims)
        wanted = [math.floor(factor * d + 0.5) for d in dims]
    return [*wanted], factors


def _along(x: Any, axis: int, weights: Any) -> Any:
    """Multiply an axis with a matrix (places after, places before)."""
    rank = rank_of(x)
    order = [*[a for a in range(rank) if a != axis], axis]
    turned = ops.transpose(x, np.array(order))
    product = ops.matmul(turned, weights, transpose_a=False, transpose_b=True)
    return ops.transpose(product, np.argsort(order))


def _weights(node: OnnxNode, size: int, target: int, factor: float, low: float,
             high: float) -> tuple[Any, Any]:  # fmt: skip
    """Return a matrix of weights, and which places lie beyond the axis."""
    mode = node.attr("mode", "nearest")
    matrix = np.zeros((target, size))
    beyond = np.zeros(target, bool)
    antialias = bool(node.attr("antialias", 0)) and factor < 1
    for place in range(target):
        at = _source(node, place, size, target, factor, low, high)
        beyond[place] = at < 0 or at > size - 1
        if mode == "nearest":
            matrix[place, min(max(_nearest(node, at), 0), size - 1)] = 1
            continue
        taps = _taps(node, mode, at, factor if antialias else 1.0)
        if node.attr("exclude_outside", 0):
            taps = [(k, w) for k, w in taps if 0 <= k < size]
            total = sum(w for _, w in taps)
            taps = [(k, w / total) for k, w in taps]
        for k, weight in taps:
            matrix[place, min(max(k, 0), size - 1)] += weight
    return matrix, beyond


def _source(node: OnnxNode, place: int, size: int, target: int, factor: float, low: float,
            high: float) -> float:  # fmt: skip
    """Return where a place lies in the array before."""
    default = "half_pixel" if node.version >= 11 else "asymmetric"
    mode = node.attr("coordinate_transformation_mode", default)
    if mode == "align_corners":
        return 0.0 if target == 1 else place * (size - 1) / (factor * size - 1)
    if mode == "asymmetric":
        return place / factor
    if mode == "tf_crop_and_resize":
        if target == 1:
            return (high - low) * (size - 1) / 2
        return low * (size - 1) + place * (high - low) * (size - 1) / (factor * size - 1)
    if mode == "pytorch_half_pixel" and target == 1:
        return -0.5
    if mode == "half_pixel_symmetric":
        width = factor * size
        centre = size / 2 * (1 - target / width)
        return centre + (place + 0.5) / factor - 0.5
    return (place + 0.5) / factor - 0.5


def _nearest(node: OnnxNode, at: float) -> int:
    mode = node.attr("nearest_mode", "round_prefer_floor" if node.version >= 11 else "floor")
    if mode == "floor":
        return math.floor(at)
    if mode == "ceil":
        return math.ceil(at)
    if mode == "round_prefer_ceil":
        return math.floor(at + 0.5)
    return math.ceil(at - 0.5)


def _taps(node: OnnxNode, mode: str, at: float, factor: float) -> list[tuple[int, float]]:
    """Return the places that one is made of, with their weights, whose sum is 1."""
    reach = (1 if mode in ("linear", "bilinear") else 2) / factor
    first, last = math.floor(at - reach) + 1, math.ceil(at + reach) - 1
    kernel = _linear if mode in ("linear", "bilinear") else _cubic
    coefficient = node.attr("cubic_coeff_a", -0.75)
    pairs = [(k, kernel((k - at) * factor, coefficient)) for k in range(first, last + 1)]
    total = sum(weight for _, weight in pairs)
    return [(k, weight / total) for k, weight in pairs]


def _linear(distance: float, coefficient: float) -> float:
    return max(0.0, 1 - abs(distance))


def _cubic(distance: float, a: float) -> float:
    d = abs(distance)
    if d <= 1:
        return (a + 2) * d**3 - (a + 3) * d**2 + 1
    if d < 2:
        return a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
    return 0.0
