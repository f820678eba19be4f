"""Rules of reductions, and of softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import ints, reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.shapes import axes_of, flattened
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.dtypes import bool_, int64


def _reduction(name: str, compute: Any) -> None:
    @reader(name)
    def read(node: OnnxNode, x: Any, axes: Any = None) -> Any:
        x = convert_to_tensor(x)
        named = axes_of(node, axes)
        keepdims = bool(node.attr("keepdims", 1))
        if not named:
            if named is not None or axes is None:
                named = None
            if node.attr("noop_with_empty_axes", 0):
                return compute(x, (), False)
        return compute(x, None if named is None else tuple(named), keepdims)


def _by(op: str) -> Any:
    def compute(x: Any, axis: Any, keepdims: bool) -> Any:
        if x.dtype is bool_:
            logical = {"reduce_max": ops.reduce_any, "reduce_min": ops.reduce_all}[op]
            return logical(x, axis=axis, keepdims=keepdims)
        return getattr(ops, op)(x, axis=axis, keepdims=keepdims)

    return compute


_sum = _by("reduce_sum")
_reduction("ReduceSum", _sum)
_reduction("ReduceProd", _by("reduce_prod"))
_reduction("ReduceMax", _by("reduce_max"))
_reduction("ReduceMin", _by("reduce_min"))
_reduction("ReduceMean", _by("reduce_mean"))
_reduction("ReduceLogSumExp", lambda x, axis, k: ops.reduce_logsumexp(x, axis=axis, keepdims=k))
_reduction("ReduceL1", lambda x, axis, k: _sum(ops.abs(x), axis, k))
_reduction("ReduceL2", lambda x, axis, k: _root(_sum(ops.square(x), axis, k)))
_reduction("ReduceSumSquare", lambda x, axis, k: _sum(ops.square(x), axis, k))
_reduction("ReduceLogSum", lambda x, axis, k: ops.log(_sum(x, axis, k)))


def _root(x: Any) -> Any:
    return ops.sqrt(x)


@reader("ArgMax", "ArgMin")
def _argmax(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    axis = node.attr("axis", 0)
    last = bool(node.attr("select_last_index", 0))
    source = ops.reverse(x, axis=(axis,)) if last else x
    place = (ops.argmax if node.op_type == "ArgMax" else ops.argmin)(
        source, axis=axis, output_type=int64
    )
    if last:
        size = ops.shape(x, out_type=int64)
        place = getitem(size, (axis,)) - np.int64(1) - place
    return ops.expand_dims(place, axis=axis) if node.attr("keepdims", 1) else place


@reader("CumSum", "CumProd")
def _cumulative(node: OnnxNode, x: Any, axis: Any) -> Any:
    (at,) = ints(axis, "the axis") or [0]
    op = ops.cumsum if node.op_type == "CumSum" else ops.cumprod
    exclusive, reverse = bool(node.attr("exclusive", 0)), bool(node.attr("reverse", 0))
    return op(x, axis=at, exclusive=exclusive, reverse=reverse)


@reader("Softmax", "LogSoftmax", "Hardmax")
def _softmax(node: OnnxNode, x: Any) -> Any:
    x = convert_to_tensor(x)
    if node.version >= 13:
        return _weights(node, x, node.attr("axis", -1))
    flat = _weights(node, flattened(x, node.attr("axis", 1)), -1)
    return ops.reshape(flat, ops.shape(x, out_type=int64))


def _weights(node: OnnxNode, x: Any, axis: int) -> Any:
    if node.op_type == "Softmax":
        return ops.softmax(x, axis=axis)
    if node.op_type == "LogSoftmax":
        return ops.log_softmax(x, axis=axis)
    greatest = ops.expand_dims(ops.argmax(x, axis=axis, output_type=int64), axis=axis)
    places = ops.cumsum(ops.ones_like(x, dtype=int64), axis=axis, exclusive=True, reverse=False)
    return cast(ops.equal(places, greatest), x.dtype)
