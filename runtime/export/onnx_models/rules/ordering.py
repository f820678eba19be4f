"""Rules of ordering: positions of extremes, sorting, and sums along the way."""

from __future__ import annotations

from typing import Any

from runtime.export.onnx_models.graph_writer import GraphWriter, formula, known_dims, rule
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.rules.formulas import number
from runtime.graph.operation import Operation
from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import fill_op
from runtime.ops.array.gather_scatter import add_op, max_op, min_op
from runtime.ops.array.indexing import getitem_op
from runtime.ops.array.shape import expand_dims_op, reshape_op, shape_op
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import less
from runtime.ops.math.reduction import all_op
from runtime.ops.rules.lowering import Guarded
from runtime.types.dtypes import bool_, int32, int64


@rule("argmax", "argmin")
def _argmax(writer: GraphWriter, node: Operation, x: str) -> str:
    dtype = node.inputs[0].dtype
    if dtype is bool_:
        x = writer.scope.cast(x, bool_, int32)
    operator = node.op_def.node_name
    attrs = {"axis": int(node.attrs["axis"]), "keepdims": 0}
    place = writer.emit(operator, x, select_last_index=0, **attrs)
    if dtype.is_floating:  # the first NaN is the extreme; ONNX leaves that open
        numbers = writer.emit("Cast", writer.emit("IsNaN", x), to=6)
        axes = writer.scope.ints(int(node.attrs["axis"]))
        has_nan = writer.emit("ReduceMax", numbers, axes, keepdims=0)
        first = writer.emit("ArgMax", numbers, select_last_index=0, **attrs)
        has_nan = writer.emit("Equal", has_nan, writer.scope.constant(1, int32))
        place = writer.emit("Where", has_nan, first, place)
    return _as_indices(writer, place, node.attrs["output_type"])


def _as_indices(writer: GraphWriter, value: str, dtype: Any) -> str:
    result = writer.scope.cast(value, int64, dtype)
    if dtype is int32:
        writer.scope.note_cast(result, value, int64)
    return result


def _sorted(writer: GraphWriter, node: Operation, x: str, count: str, axis: int,
            descending: bool) -> Any:  # fmt: skip
    """Write the order of elements: of equal ones the earlier comes first, in ONNX as well."""
    number_or_refusal(node.inputs[0].dtype)
    return writer.emit("TopK", x, count, count=2, axis=axis, largest=int(descending), sorted=1)


def _size(writer: GraphWriter, x: str, axis: int, rank: int) -> str:
    at = axis % rank
    return str(writer.emit("Shape", x, start=at, end=at + 1))


@rule("sort")
def _sort(writer: GraphWriter, node: Operation, x: str) -> str:
    axis, rank = int(node.attrs["axis"]), len(known_dims(node.inputs[0]))
    size = _size(writer, x, axis, rank)
    return str(_sorted(writer, node, x, size, axis, node.attrs["descending"])[0])


@rule("argsort")
def _argsort(writer: GraphWriter, node: Operation, x: str) -> str:
    axis, rank = int(node.attrs["axis"]), len(known_dims(node.inputs[0]))
    size = _size(writer, x, axis, rank)
    order = _sorted(writer, node, x, size, axis, node.attrs["descending"])[1]
    return _as_indices(writer, order, node.outputs[0].dtype)


@rule("top_k")
def _top_k(writer: GraphWriter, node: Operation, x: str, k: str) -> list[str]:
    count = writer.scope.cast(k, node.inputs[1].dtype, int64)
    count = writer.emit("Reshape", count, writer.scope.ints(1))
    values, order = _sorted(writer, node, x, count, -1, True)
    return [values, _as_indices(writer, order, node.attrs["index_type"])]


@rule("cumsum")
def _cumsum(writer: GraphWriter, node: Operation, x: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    axis = writer.scope.constant(int(node.attrs["axis"]), int64)
    exclusive, reverse = int(node.attrs["exclusive"]), int(node.attrs["reverse"])
    return str(writer.emit("CumSum", x, axis, exclusive=exclusive, reverse=reverse))


@rule("unique_with_counts")
def _unique(writer: GraphWriter, node: Operation, x: str) -> list[str]:
    if node.inputs[0].dtype.is_floating:
        raise OnnxGap("ONNX does not say whether NaNs are equal: cast the elements to integers")
    dtype = node.attrs["out_idx"]
    values, _, inverse, counts = writer.emit("Unique", x, count=4, sorted=0)
    return [values, _as_indices(writer, inverse, dtype), _as_indices(writer, counts, dtype)]


def _segments(how: str, write: Any, start: Any) -> None:
    @formula(f"unsorted_segment_{how}")
    def collect(data: Any, ids: Any, count: Any) -> Any:
        """Entries with a negative number go to one more segment, which is cut off."""
        size = cast(count, int64)
        numbers = cast(ids, int64)
        places = where_op(less(numbers, 0), size, numbers)
        inner = getitem_op(shape_op(data, out_type=int64), key=(slice(ids.shape.rank, None),))
        rows = reshape_op(size + 1, [1])
        target = fill_op(concat_op(rows, inner, axis=0), number(start(data.dtype), data))
        flat = concat_op(reshape_op(-1 + size * 0, [1]), inner, axis=0)
        updates = reshape_op(data, flat) if ids.shape.rank != 1 else data
        result = write(target, updates, expand_dims_op(reshape_op(places, [-1]), axis=-1))
        return Guarded(all_op(less(numbers, size), axis=None, keepdims=False),
                       getitem_op(result, key=(slice(None, -1),)))  # fmt: skip


_segments("sum", add_op, lambda dtype: 0)
_segments("max", max_op, lambda dtype: dtype.min)
_segments("min", min_op, lambda dtype: dtype.max)
