"""Rules of shapes, and of arrays that are joined, split, repeated and turned."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.element_types import dtype_of
from runtime.export.onnx_models.interpreter import NeedsValueError, ints, reader, static
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.arithmetic import number
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.dtypes import int64
from runtime.types.errors import UnimplementedError


def rank_of(x: Any) -> int:
    """Return the number of dimensions; UnimplementedError where it is not known."""
    rank = x.shape.rank
    if rank is None:
        raise NeedsValueError("the number of dimensions is not known before the run")
    return int(rank)


def sizes(x: Any) -> Any:
    """Return the sizes of a tensor as a vector of int64."""
    return ops.shape(convert_to_tensor(x), out_type=int64)


@reader("Constant")
def _constant(node: OnnxNode) -> Any:
    for name in ("value", "sparse_value"):
        if name in node.attrs:
            return node.attrs[name]
    for name, dtype in (("value_float", np.float32), ("value_floats", np.float32),
                        ("value_int", np.int64), ("value_ints", np.int64)):  # fmt: skip
        if name in node.attrs:
            return np.array(node.attrs[name], dtype)
    texts = node.attrs.get("value_strings", node.attrs.get("value_string"))
    if texts is None:
        raise UnimplementedError("a constant has no value")
    return np.array(texts, object)


@reader("Shape")
def _shape(node: OnnxNode, x: Any) -> Any:
    start, end = node.attr("start", 0), node.attr("end")
    whole = sizes(x)
    return whole if start == 0 and end is None else getitem(whole, (slice(start, end),))


@reader("Size")
def _size(node: OnnxNode, x: Any) -> Any:
    return ops.size(x, out_type=int64)


@reader("Reshape")
def _reshape(node: OnnxNode, x: Any, shape: Any = None) -> Any:
    x = convert_to_tensor(x)
    if shape is None:
        shape = np.array(node.attr("shape"), np.int64)
    if node.attr("allowzero", 0):
        return ops.reshape(x, shape)
    known = shape if isinstance(shape, np.ndarray) else convert_to_tensor(shape)
    value = known if isinstance(known, np.ndarray) else _known(known)
    if value is not None:
        if not np.any(value == 0):
            return ops.reshape(x, value)
        dims = x.shape.dims
        kept = [dims[i] if n == 0 and dims is not None else n for i, n in enumerate(value.tolist())]
        if None not in kept:
            return ops.reshape(x, np.array(kept, np.int64))
    shape = convert_to_tensor(shape)
    count = shape.shape.dims[0]
    own = sizes(x)
    rank = rank_of(x)
    if count is None:
        raise NeedsValueError("the number of sizes is not known before the run")
    own = getitem(own, (slice(0, count),))
    if rank < count:
        own = ops.concat(own, np.zeros(count - rank, np.int64), axis=0)
    return ops.reshape(x, ops.where(ops.equal(shape, np.int64(0)), own, shape))


def _known(x: Any) -> Any:
    try:
        return static(x, "")
    except UnimplementedError:
        return None


def flattened(x: Any, axis: int) -> Any:
    """Return a matrix: the axes before ``axis``, and the others."""
    rank = rank_of(x)
    at = axis + rank if axis < 0 else axis
    dims = x.shape.dims
    if None not in dims[:at]:
        rows = int(np.prod(dims[:at], dtype=np.int64))
        columns = -1 if None in dims[at:] else int(np.prod(dims[at:], dtype=np.int64))
        return ops.reshape(x, np.array([rows, columns]))
    width = int(np.prod(dims[at:], dtype=np.int64)) if None not in dims[at:] else 0
    if width:
        return ops.reshape(x, np.array([-1, width]))
    own = sizes(x)
    pair = [ops.reduce_prod(getitem(own, (s,)), axis=None, keepdims=False)
            for s in (slice(0, at), slice(at, None))]  # fmt: skip
    return ops.reshape(x, ops.stack(*pair, axis=0))


@reader("Flatten")
def _flatten(node: OnnxNode, x: Any) -> Any:
    return flattened(convert_to_tensor(x), node.attr("axis", 1))


def axes_of(node: OnnxNode, axes: Any) -> list[int] | None:
    """Return the axes of a node: an attribute, or in later versions an input."""
    return node.attr("axes") if axes is None else ints(axes, "the axes")


@reader("Squeeze")
def _squeeze(node: OnnxNode, x: Any, axes: Any = None) -> Any:
    named = axes_of(node, axes)
    return ops.squeeze(x, axis=None if named is None else tuple(named))


@reader("Unsqueeze")
def _unsqueeze(node: OnnxNode, x: Any, axes: Any = None) -> Any:
    x = convert_to_tensor(x)
    named = axes_of(node, axes) or []
    rank = rank_of(x) + len(named)
    for axis in sorted(a % rank for a in named):
        x = ops.expand_dims(x, axis=axis)
    return ops.identity(x)


@reader("Transpose")
def _transpose(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    order = node.attr("perm") or list(range(rank_of(x)))[::-1]
    return ops.transpose(x, np.array(order, np.int64))


@reader("Concat")
def _concat(node: OnnxNode, *inputs: Any) -> Any:
    return ops.concat(*inputs, axis=int(node.attr("axis", 1)))


@reader("Split")
def _split(node: OnnxNode, x: Any, split: Any = None) -> Any:
    x = convert_to_tensor(x)
    axis = int(node.attr("axis", 0))
    count = len(node.outputs)
    lengths = node.attr("split") if split is None else ints(split, "the sizes of the parts")
    size = x.shape.dims[axis] if x.shape.dims is not None else None
    if lengths is None:
        if size is None:
            raise NeedsValueError("the size of the axis is not known before the run")
        each = -(-size // count)
        lengths = [min(each, max(size - k * each, 0)) for k in range(count)]
    ends = np.cumsum([0, *lengths])
    before = (slice(None),) * (axis % rank_of(x))
    parts = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    return tuple(getitem(x, (*before, slice(a, b))) for a, b in parts)


@reader("Expand")
def _expand(node: OnnxNode, x: Any, shape: Any) -> Any:
    x = convert_to_tensor(x)
    if x.dtype.name in ("bool", "string"):
        known = ints(shape, "the shape")
        return ops.broadcast_to(x, np.array(np.broadcast_shapes(tuple(x.shape.as_list()),
                                                                tuple(known or []))))  # fmt: skip
    ones = ops.fill(shape, number(1, x))
    target = ops.broadcast_dynamic_shape(sizes(x), sizes(ones))
    return ops.broadcast_to(x, target)


@reader("Tile")
def _tile(node: OnnxNode, x: Any, repeats: Any, axis: Any = None) -> Any:
    return ops.tile(x, repeats)


@reader("Pad")
def _pad(node: OnnxNode, x: Any, pads: Any = None, value: Any = None, axes: Any = None) -> Any:
    x = convert_to_tensor(x)
    amounts: Any = ints(pads, "the pads")
    if amounts is None:
        amounts = node.attr("pads", node.attr("paddings"))
    rank = rank_of(x)
    named = ints(axes, "the axes")
    places = list(range(rank)) if named is None else [a % rank for a in named]
    half = len(amounts) // 2
    edges = [(0, 0)] * rank
    for k, axis in enumerate(places):
        edges[axis] = amounts[k], amounts[half + k]
    mode = node.attr("mode", "constant")
    if value is None:
        value = number(node.attr("value", 0), x)
    value = ops.reshape(value, np.zeros(0, np.int64))
    return _padded(x, edges, mode, value)


def _padded(x: Any, edges: list[tuple[int, int]], mode: str, value: Any) -> Any:
    if any(low < 0 or high < 0 for low, high in edges):  # negative ones cut off
        key = tuple(
            slice(-low if low < 0 else None, high if high < 0 else None) for low, high in edges
        )
        x = getitem(x, key)
        edges = [(max(low, 0), max(high, 0)) for low, high in edges]
    paddings = np.array(edges, np.int64)
    if mode == "constant":
        return ops.pad(x, paddings, value, mode="CONSTANT")
    dims = x.shape.dims
    for axis, (low, high) in enumerate(edges):
        if low or high:
            size = dims[axis]
            if size is None:
                raise NeedsValueError("the size of an axis is not known before the run")
            kind: Any = mode
            places = np.pad(np.arange(size), (low, high), mode=kind)
            x = ops.gather(x, places, axis=axis, batch_dims=0)
    return ops.identity(x)


@reader("Range")
def _range(node: OnnxNode, start: Any, limit: Any, delta: Any) -> Any:
    scalars = [ops.reshape(value, np.zeros(0, np.int64)) for value in (start, limit, delta)]
    return ops.range(*scalars)


@reader("ConstantOfShape")
def _constant_of_shape(node: OnnxNode, shape: Any) -> Any:
    value = node.attrs.get("value", np.zeros(1, np.float32))
    return ops.fill(shape, np.asarray(value).reshape(()))


@reader("EyeLike")
def _eye_like(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    dtype = dtype_of(node.attr("dtype", 0)) or x.dtype
    rows, columns = (getitem(sizes(x), (k,)) for k in (0, 1))
    one, k = np.int64(1), np.int64(node.attr("k", 0))
    down = ops.expand_dims(ops.range(np.int64(0), rows, one), axis=1)
    across = ops.range(np.int64(0), columns, one)
    return cast(ops.equal(down + k, across), dtype)


@reader("Trilu")
def _trilu(node: OnnxNode, x: Any, k: Any = None) -> Any:
    x = convert_to_tensor(x)
    shift = np.int64(0) if k is None else ops.reshape(k, np.zeros(0, np.int64))
    one = np.int64(1)
    rows, columns = (getitem(sizes(x), (axis,)) for axis in (-2, -1))
    down = ops.expand_dims(ops.range(np.int64(0), rows, one), axis=1)
    distance = ops.range(np.int64(0), columns, one) - down
    kept = ops.greater_equal(distance, shift) if node.attr("upper", 1) else ops.less_equal(
        distance, shift)  # fmt: skip
    return ops.where(kept, x, number(0, x))


@reader("DepthToSpace")
def _depth_to_space(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    block = node.attr("blocksize")
    n, channels, height, width = _known_dims(x)
    depth = channels // (block * block)
    if node.attr("mode", "DCR") == "DCR":
        parts = ops.reshape(x, np.array([n, block, block, depth, height, width]))
        turned = ops.transpose(parts, np.array([0, 3, 4, 1, 5, 2]))
    else:
        parts = ops.reshape(x, np.array([n, depth, block, block, height, width]))
        turned = ops.transpose(parts, np.array([0, 1, 4, 2, 5, 3]))
    return ops.reshape(turned, np.array([n, depth, height * block, width * block]))


@reader("SpaceToDepth")
def _space_to_depth(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    block = node.attr("blocksize")
    n, channels, height, width = _known_dims(x)
    rows, columns = height // block, width // block
    parts = ops.reshape(x, np.array([n, channels, rows, block, columns, block]))
    if node.attr("mode", "DCR") == "DCR":
        turned = ops.transpose(parts, np.array([0, 3, 5, 1, 2, 4]))
    else:
        turned = ops.transpose(parts, np.array([0, 1, 3, 5, 2, 4]))
    return ops.reshape(turned, np.array([n, channels * block * block, rows, columns]))


def _known_dims(x: Any) -> list[int]:
    """Return the sizes, of which the first may be -1 for an unknown one."""
    first, *others = x.shape.dims
    if None in others:
        raise NeedsValueError("the sizes are not known before the run")
    return [-1 if first is None else first, *others]


@reader("CenterCropPad")
def _center(node: OnnxNode, x: Any, shape: Any) -> Any:
    x = convert_to_tensor(x)
    rank = rank_of(x)
    target = ints(shape, "the shape") or []
    axes = node.attr("axes") or list(range(len(target)))
    edges = [(0, 0)] * rank
    for axis, wanted in zip(axes, target, strict=True):
        size = x.shape.dims[axis]
        extra = wanted - size
        low = extra // 2 if extra >= 0 else -((-extra) // 2)
        edges[axis % rank] = low, extra - low
    return _padded(x, edges, "constant", number(0, x))

