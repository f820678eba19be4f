"""Rules of convolution and pooling: the channels, which ONNX has first, are turned to the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import NeedsValueError, reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.arithmetic import number
from runtime.export.onnx_models.reading.shapes import rank_of, sizes
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.dtypes import float64, int32, int64

Edges = list[tuple[int, int]]


def last(x: Any) -> Any:
    """Return an array with the channels last."""
    rank = rank_of(x)
    return ops.transpose(x, np.array([0, *range(2, rank), 1]))


def first(x: Any) -> Any:
    """Return an array with the channels first again."""
    rank = rank_of(x)
    return ops.transpose(x, np.array([0, rank - 1, *range(1, rank - 1)]))


def edges_of(node: OnnxNode, places: Any, windows: list[int], strides: list[int],
             dilations: list[int]) -> Any:  # fmt: skip
    """Return how many places are added around each axis, "SAME" where the sizes are not known."""
    count = len(windows)
    mode = node.attr("auto_pad", "NOTSET")
    if mode in ("NOTSET", ""):
        pads = node.attr("pads") or [0] * (2 * count)
        return [(pads[k], pads[count + k]) for k in range(count)]
    if mode == "VALID":
        return [(0, 0)] * count
    edges: Edges = []
    for size, window, stride, dilation in zip(places, windows, strides, dilations, strict=True):
        if size is None:
            if mode == "SAME_UPPER":
                return "SAME"
            raise NeedsValueError("the sizes of the places are not known before the run")
        span = (window - 1) * dilation + 1
        total = max((-(-size // stride) - 1) * stride + span - size, 0)
        low = total // 2 if mode == "SAME_UPPER" else total - total // 2
        edges.append((low, total - low))
    return edges


def _numbers(node: OnnxNode, count: int) -> tuple[list[int], list[int]]:
    return node.attr("strides") or [1] * count, node.attr("dilations") or [1] * count


def convolution(node: OnnxNode, x: Any, w: Any, bias: Any = None) -> Any:
    """Return a convolution."""
    x, w = convert_to_tensor(x), convert_to_tensor(w)
    count = rank_of(x) - 2
    strides, dilations = _numbers(node, count)
    windows = list(w.shape.dims[2:])
    edges = edges_of(node, x.shape.dims[2:], windows, strides, dilations)
    filters = ops.transpose(w, np.array([*range(2, count + 2), 1, 0]))
    padding = edges if edges == "SAME" else tuple(edges)
    result = ops.conv(last(x), filters, strides=tuple(strides), padding=padding,
                      dilations=tuple(dilations))  # fmt: skip
    if bias is not None:
        result = result + bias
    return first(result)


@reader("Conv")
def _conv(node: OnnxNode, x: Any, w: Any, bias: Any = None) -> Any:
    return convolution(node, x, w, bias)


@reader("ConvInteger")
def _conv_integer(node: OnnxNode, x: Any, w: Any, zero_x: Any = None, zero_w: Any = None) -> Any:
    wide = []
    for value, zero in ((x, zero_x), (w, zero_w)):
        value = cast(convert_to_tensor(value), float64)
        if zero is not None:
            shift = cast(convert_to_tensor(zero), float64)
            for _ in range(rank_of(value) - 1 if shift.shape.rank and value is not x else 0):
                shift = shift if shift.shape.rank == 0 else ops.expand_dims(shift, axis=-1)
            value = value - shift
        wide.append(value)
    return cast(convolution(node, *wide), int32)


@reader("ConvTranspose")
def _conv_transpose(node: OnnxNode, x: Any, w: Any, bias: Any = None) -> Any:
    x, w = convert_to_tensor(x), convert_to_tensor(w)
    count = rank_of(x) - 2
    strides, dilations = _numbers(node, count)
    windows, group = list(w.shape.dims[2:]), node.attr("group", 1)
    places = x.shape.dims[2:]
    if None in places:
        raise NeedsValueError("the sizes of the places are not known before the run")
    extra = node.attr("output_padding") or [0] * count
    pads = node.attr("pads") or [0] * (2 * count)
    wanted = node.attr("output_shape")
    mode = node.attr("auto_pad", "NOTSET")
    targets, edges = [], []
    for k, size in enumerate(places):
        reach = (size - 1) * strides[k] + extra[k] + (windows[k] - 1) * dilations[k] + 1
        low, high = pads[k], pads[count + k]
        target = reach - low - high
        if wanted or mode in ("SAME_UPPER", "SAME_LOWER"):
            target = wanted[k] if wanted else size * strides[k]
            total = max(reach - target, 0)
            # The odd place is added as ONNX' text of ConvTranspose says: SAME_UPPER at the end.
            low = total // 2 if mode == "SAME_UPPER" or wanted and mode != "SAME_LOWER" else (
                total - total // 2)  # fmt: skip
            high = total - low
        targets.append(target)
        edges.append((low, high))
    channels = w.shape.dims[1]
    batch = getitem(sizes(x), (slice(0, 1),))
    parts = []
    depth = (x.shape.dims[1] or 0) // group
    for g in range(group):
        piece = getitem(x, (slice(None), slice(g * depth, (g + 1) * depth)))
        kernel = getitem(w, (slice(g * depth, (g + 1) * depth),))
        filters = ops.transpose(kernel, np.array([*range(2, count + 2), 1, 0]))
        parts.append(_backwards(last(piece), filters, batch, [*targets], edges, strides, dilations,
                                channels))  # fmt: skip
    result = parts[0] if group == 1 else ops.concat(*parts, axis=-1)
    if bias is not None:
        result = result + bias
    return first(result)


def _backwards(dy: Any, filters: Any, batch: Any, targets: list[int], edges: Edges,
               strides: list[int], dilations: list[int], channels: int) -> Any:  # fmt: skip
    """Return the gradient of a convolution, of padded places, without what is padded."""
    padded = [t + low + high for t, (low, high) in zip(targets, edges, strict=True)]
    spans = [(f - 1) * d + 1 for f, d in zip(filters.shape.dims, dilations)]
    sizes_in = list(dy.shape.dims[1:-1])
    needed = [
        max(p, (n - 1) * s + span)
        for p, n, s, span in zip(padded, sizes_in, strides, spans, strict=False)
    ]
    # More places than the stride reaches are zeros: the convolution forward would have more there.
    reached = [(n - 1) * s + span for n, s, span in zip(sizes_in, strides, spans, strict=False)]
    shape = ops.concat(batch, np.array([*reached, channels], np.int64), axis=0)
    whole = ops.conv_to_input(dy, filters, shape, strides=tuple(strides), padding="VALID",
                              dilations=tuple(dilations))  # fmt: skip
    rest = [n - r for n, r in zip(needed, reached, strict=True)]
    if any(rest):
        widths = np.array([(0, 0), *[(0, r) for r in rest], (0, 0)], np.int64)
        whole = ops.pad(whole, widths, number(0, whole), mode="CONSTANT")
    key = [slice(low, low + t) for t, (low, _) in zip(targets, edges, strict=True)]
    return getitem(whole, (slice(None), *key, slice(None)))


def _pool_edges(
    node: OnnxNode, places: Any, windows: list[int], strides: list[int], dilations: list[int]
) -> tuple[Any, bool]:
    """Return what is added, and whether ``ceil_mode`` adds more at the end."""
    edges = edges_of(node, places, windows, strides, dilations)
    if not node.attr("ceil_mode", 0) or edges == "SAME" or node.attr("auto_pad", "NOTSET") not in (
        "NOTSET", ""
    ):  # fmt: skip
        return edges, False
    wider = []
    for k, (low, high) in enumerate(edges):
        size = places[k]
        if size is None:
            raise NeedsValueError("the sizes of the places are not known before the run")
        span = (windows[k] - 1) * dilations[k] + 1
        count = -(-(size + low + high - span) // strides[k]) + 1
        if (count - 1) * strides[k] >= size + low:  # it would begin behind the last place
            count -= 1
        wider.append((low, max((count - 1) * strides[k] + span - size - low, 0)))
    return wider, wider != edges


@reader("MaxPool")
def _max_pool(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    windows = node.attr("kernel_shape")
    strides, dilations = _numbers(node, len(windows))
    edges, _ = _pool_edges(node, x.shape.dims[2:], windows, strides, dilations)
    attrs = {"window": tuple(windows), "strides": tuple(strides), "dilations": tuple(dilations),
             "padding": edges if edges == "SAME" else tuple(edges)}  # fmt: skip
    result = first(ops.max_pool(last(x), **attrs))
    if len(node.outputs) < 2:
        return result
    flat = _column_major(x) if node.attr("storage_order", 0) else None
    places = first(ops.max_pool_places(last(x), **attrs))
    return result, _first_places(x, places, flat)


def _first_places(x: Any, places: Any, order: Any) -> Any:
    """Return indices into the array as ONNX has it from those into one with the channels last."""
    dims = x.shape.dims
    if None in dims:
        raise NeedsValueError("the sizes are not known before the run")
    numbers = np.arange(int(np.prod(dims))).reshape(dims) if order is None else order
    table = np.moveaxis(numbers, 1, -1).reshape(-1)
    return ops.gather(table, cast(places, int64), axis=0, batch_dims=0)


def _column_major(x: Any) -> Any:
    dims = x.shape.dims
    size = int(np.prod(dims[2:]))
    inner = np.arange(size).reshape(dims[2:][::-1]).transpose()
    outer = np.arange(int(np.prod(dims[:2]))).reshape(dims[:2]) * size
    return outer.reshape(*dims[:2], *[1] * (len(dims) - 2)) + inner


@reader("AveragePool")
def _average_pool(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    windows = node.attr("kernel_shape")
    strides, dilations = _numbers(node, len(windows))
    places = x.shape.dims[2:]
    edges, is_wider = _pool_edges(node, places, windows, strides, dilations)
    attrs = {"window": tuple(windows), "strides": tuple(strides), "dilations": tuple(dilations)}
    turned = last(x)
    if not node.attr("count_include_pad", 0) or edges == "SAME":
        padding = edges if edges == "SAME" else tuple(edges)
        return first(ops.avg_pool(turned, padding=padding, **attrs))
    plain = edges_of(node, places, windows, strides, dilations)
    plain = [(low, min(high, w[1])) for (low, high), w in zip(plain, edges, strict=True)]
    turned = _zero_padded(turned, plain)
    rest = [(0, w[1] - p[1]) for w, p in zip(edges, plain, strict=True)] if is_wider else None
    padding = tuple(rest) if rest else "VALID"
    return first(ops.avg_pool(turned, padding=padding, **attrs))


def _zero_padded(x: Any, edges: Edges) -> Any:
    widths = np.array([(0, 0), *edges, (0, 0)], np.int64)
    return ops.pad(x, widths, number(0, x), mode="CONSTANT")


@reader("LpPool")
def _lp_pool(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    p = number(node.attr("p", 2), x)
    windows = node.attr("kernel_shape")
    strides, dilations = _numbers(node, len(windows))
    edges, _ = _pool_edges(node, x.shape.dims[2:], windows, strides, dilations)
    powers = last(ops.pow(ops.abs(x), p))
    powers = powers if edges == "SAME" else _zero_padded(powers, edges)
    padding = "SAME" if edges == "SAME" else "VALID"
    mean = ops.avg_pool(powers, window=tuple(windows), strides=tuple(strides), padding=padding,
                        dilations=tuple(dilations))  # fmt: skip
    total = mean * number(int(np.prod(windows)), x)
    return first(ops.pow(total, number(1, x) / p))


def _global(name: str, op: str) -> None:
    @reader(name)
    def read(node: OnnxNode, x: Any) -> Any:
        x = convert_to_tensor(x)
        axes = tuple(range(2, rank_of(x)))
        return getattr(ops, op)(x, axis=axes, keepdims=True)


_global("GlobalAveragePool", "reduce_mean")
_global("GlobalMaxPool", "reduce_max")
