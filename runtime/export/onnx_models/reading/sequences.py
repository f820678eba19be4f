"""Rules of sequences, which are lists of Python's here, and of optional values."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from runtime.export.onnx_models.interpreter import NeedsValueError, ints, reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.shapes import rank_of
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.indexing import getitem
from runtime.types.errors import InvalidArgumentError


def _place(position: Any, count: int) -> int:
    (index,) = ints(position, "the place in a sequence") or [0]
    if not -count <= index < max(count, 1):
        raise InvalidArgumentError(f"the index {index} is out of range of {count} entries")
    return index % max(count, 1)


@reader("SequenceConstruct")
def _construct(node: OnnxNode, *inputs: Any) -> Any:
    return list(inputs)


@reader("SequenceEmpty")
def _empty(node: OnnxNode) -> Any:
    return []


@reader("SequenceAt")
def _at(node: OnnxNode, sequence: Any, position: Any) -> Any:
    return sequence[_place(position, len(sequence))]


@reader("SequenceInsert")
def _insert(node: OnnxNode, sequence: Any, value: Any, position: Any = None) -> Any:
    entries = list(sequence)
    if position is None:
        return [*entries, value]
    (index,) = ints(position, "the place in a sequence") or [0]
    if not -len(entries) <= index <= len(entries):
        raise InvalidArgumentError(f"the index {index} is out of range of {len(entries)} entries")
    at = index + len(entries) if index < 0 else index
    return [*entries[:at], value, *entries[at:]]


@reader("SequenceErase")
def _erase(node: OnnxNode, sequence: Any, position: Any = None) -> Any:
    at = _place(np.int64(-1) if position is None else position, len(sequence))
    return [*sequence[:at], *sequence[at + 1 :]]


@reader("SequenceLength")
def _length(node: OnnxNode, sequence: Any) -> Any:
    return np.int64(len(sequence))


@reader("ConcatFromSequence")
def _concat(node: OnnxNode, sequence: Any) -> Any:
    axis = node.attr("axis")
    return (ops.stack if node.attr("new_axis", 0) else ops.concat)(*sequence, axis=axis)


@reader("SplitToSequence")
def _split(node: OnnxNode, x: Any, split: Any = None) -> Any:
    x = convert_to_tensor(x)
    axis = node.attr("axis", 0) % rank_of(x)
    size = x.shape.dims[axis]
    if size is None:
        raise NeedsValueError("the size of the axis is not known before the run")
    squeezes = split is None and not node.attr("keepdims", 1)
    lengths = [1] * size if split is None else ints(split, "the sizes of the parts") or []
    if split is not None and np.ndim(split) == 0:
        (each,) = lengths
        lengths = [min(each, size - k) for k in range(0, size, each)]
    ends = np.cumsum([0, *lengths]).tolist()
    before = (slice(None),) * axis
    parts = [getitem(x, (*before, slice(a, b))) for a, b in pairwise(ends)]
    return [ops.squeeze(part, axis=(axis,)) for part in parts] if squeezes else parts


@reader("Optional")
def _optional(node: OnnxNode, value: Any = None) -> Any:
    return value


@reader("OptionalHasElement")
def _has_element(node: OnnxNode, value: Any = None) -> Any:
    return np.bool_(value is not None)


@reader("OptionalGetElement")
def _element(node: OnnxNode, value: Any) -> Any:
    if value is None:
        raise InvalidArgumentError("an optional value is not there")
    return value
