"""Rules of ordering: the greatest elements, and distinct ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import reader, static
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.shapes import rank_of
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.dtypes import int64


@reader("TopK")
def _top_k(node: OnnxNode, x: Any, k: Any = None) -> Any:
    x = convert_to_tensor(x)
    count = np.int64(node.attr("k", 1)) if k is None else ops.reshape(k, np.zeros(0, np.int64))
    axis = node.attr("axis", -1) % rank_of(x)
    largest = bool(node.attr("largest", 1))
    order = ops.argsort(x, axis=axis, descending=largest)
    key = (*(slice(None),) * axis, slice(0, count))
    places = cast(getitem(order, key), int64)
    return ops.take_along(x, places, axis=axis), places


@reader("Unique")
def _unique(node: OnnxNode, x: Any) -> Any:
    """Compute the distinct elements of an array that is known: their number decides on shapes."""
    array = np.asarray(static(x, "the array"))
    axis = node.attr("axis")
    if axis is None:
        array = array.reshape(-1)
    values, first, inverse, counts = np.unique(
        array, return_index=True, return_inverse=True, return_counts=True,
        axis=0 if axis is None else axis,
    )  # fmt: skip
    inverse = inverse.reshape(-1)
    if not node.attr("sorted", 1):
        order = np.argsort(first)
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        values = np.take(values, order, axis=0 if axis is None else axis)
        first, counts, inverse = first[order], counts[order], back[inverse]
    return (convert_to_tensor(values), *[np.asarray(v, np.int64) for v in (first, inverse, counts)])
