"""Rules of shapes, and of arrays that are joined, split, repeated and turned."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import (
    GraphWriter,
    known_dims,
    known_value,
    rule,
)
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.rules.arithmetic import range_size
from runtime.graph.operation import Operation
from runtime.types.dtypes import float64, int32, int64


def as_sizes(writer: GraphWriter, tensor: Any, value: str) -> str:
    """Return a vector of sizes as int64."""
    known = known_value(tensor)
    if known is not None:
        return writer.scope.constant(np.asarray(known, np.int64))
    return writer.scope.cast(value, tensor.dtype, int64)


@rule("shape")
def _shape(writer: GraphWriter, node: Operation, x: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    value = writer.emit("Shape", x)
    return _narrow(writer, node, value)


def _narrow(writer: GraphWriter, node: Operation, value: str) -> str:
    dtype = node.outputs[0].dtype
    result = writer.scope.cast(value, int64, dtype)
    if dtype is int32:
        writer.scope.note_cast(result, value, int64)
    return result


@rule("size")
def _size(writer: GraphWriter, node: Operation, x: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return _narrow(writer, node, writer.emit("Size", x))


@rule("rank")
def _rank(writer: GraphWriter, node: Operation, x: str) -> str:
    dims = known_dims(node.inputs[0])
    return writer.scope.constant(len(dims), node.outputs[0].dtype)


@rule("reshape")
def _reshape(writer: GraphWriter, node: Operation, x: str, shape: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    known = known_value(node.inputs[1])
    sizes = as_sizes(writer, node.inputs[1], shape)
    may_hold_zero = known is None or bool(np.any(known == 0))
    return str(writer.emit("Reshape", x, sizes, allowzero=1 if may_hold_zero else None))


@rule("ensure_shape")
def _ensure_shape(writer: GraphWriter, node: Operation, x: str) -> Any:
    declared, dims = node.attrs["shape"].dims, node.inputs[0].shape.dims
    if declared is None or (dims is not None and all(
        d is None or d == size for d, size in zip(declared, dims, strict=False)
    )):  # fmt: skip
        return x
    if dims is None:
        raise OnnxGap("the number of dimensions is checked in the run, which ONNX cannot")
    return NotImplemented


@rule("transpose")
def _transpose(writer: GraphWriter, node: Operation, a: str, *perm: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    if not perm:
        return str(writer.emit("Transpose", a))
    order = known_value(node.inputs[1])
    if order is None:
        raise OnnxGap("the order of the axes is not known before the run")
    return transposed(writer, a, [int(i) % len(order) for i in order])


def transposed(writer: GraphWriter, value: str, order: list[int]) -> str:
    """Return an array with its axes in another order."""
    return value if order == sorted(order) else str(writer.emit("Transpose", value, perm=order))


@rule("expand_dims")
def _expand_dims(writer: GraphWriter, node: Operation, x: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return str(writer.emit("Unsqueeze", x, writer.scope.ints(int(node.attrs["axis"]))))


@rule("squeeze")
def _squeeze(writer: GraphWriter, node: Operation, x: str) -> str:
    axes = node.attrs["axis"]
    if axes is None or axes == ():
        dims = known_dims(node.inputs[0])
        if None in dims:
            return str(writer.emit("Squeeze", x))
        axes = [axis for axis, size in enumerate(dims) if size == 1]
        if not axes:
            return x
    axes = [axes] if isinstance(axes, int) else axes
    return str(writer.emit("Squeeze", x, writer.scope.ints(*axes)))


@rule("broadcast_to")
def _broadcast_to(writer: GraphWriter, node: Operation, x: str, shape: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    sizes = as_sizes(writer, node.inputs[1], shape)
    result = str(writer.emit("Expand", x, sizes))
    dims, wanted = node.inputs[0].shape.dims, known_value(node.inputs[1])
    if dims is not None and None not in dims and wanted is not None:
        return result
    # ONNX broadcasts the sizes as well, as a vector of 5 to (1,), which is an error here.
    fits = writer.emit("Equal", writer.emit("Shape", result), sizes)
    return writer.scope.require(writer.scope.all_true(fits, False), result)


@rule("fill")
def _fill(writer: GraphWriter, node: Operation, dims: str, value: str) -> str:
    number_or_refusal(node.inputs[1].dtype)
    return str(writer.emit("Expand", value, as_sizes(writer, node.inputs[0], dims)))


@rule("concat")
def _concat(writer: GraphWriter, node: Operation, *values: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return values[0] if len(values) == 1 else str(
        writer.emit("Concat", *values, axis=int(node.attrs["axis"])))  # fmt: skip


@rule("stack")
def _stack(writer: GraphWriter, node: Operation, *values: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    axis = int(node.attrs["axis"])
    rows = [writer.emit("Unsqueeze", value, writer.scope.ints(axis)) for value in values]
    return rows[0] if len(rows) == 1 else str(writer.emit("Concat", *rows, axis=axis))


@rule("unstack")
def _unstack(writer: GraphWriter, node: Operation, value: str) -> list[str]:
    axis, count = int(node.attrs["axis"]), len(node.outputs)
    squeezed = writer.scope.ints(axis)
    if count == 1:
        return [writer.emit("Squeeze", value, squeezed)]
    rows = writer.emit("Split", value, count=count, axis=axis, num_outputs=count) if count else []
    return [writer.emit("Squeeze", row, squeezed) for row in rows]


@rule("split", "split_by_sizes")
def _split(writer: GraphWriter, node: Operation, value: str, *sizes: str) -> list[str]:
    number_or_refusal(node.inputs[0].dtype)
    axis, count = int(node.attrs["axis"]), len(node.outputs)
    if count == 1:
        return [value]
    known = known_value(node.inputs[1]) if sizes else node.attrs["sizes"]
    if known is not None and np.ndim(known) == 1:
        if any(int(size) < 0 for size in known):
            known = [known_dims(t)[axis] for t in node.outputs]
        if None in list(known):
            raise OnnxGap("the size of a part is not known before the run")
        return list(writer.emit("Split", value, writer.scope.ints(*map(int, known)),
                                count=count, axis=axis))  # fmt: skip
    if sizes:
        lengths = _lengths(writer, node, value, axis, sizes[0])
        return list(writer.emit("Split", value, lengths, count=count, axis=axis))
    if known_dims(node.inputs[0])[axis] is None:
        value = _divisible(writer, value, axis % len(known_dims(node.inputs[0])), count)
    return list(writer.emit("Split", value, count=count, axis=axis, num_outputs=count))


def _divisible(writer: GraphWriter, value: str, axis: int, count: int) -> str:
    """Return a value; a run fails unless an axis has equal parts: ONNX makes the last one less."""
    size = writer.emit("Shape", value, start=axis, end=axis + 1)
    rest = writer.emit("Mod", size, writer.scope.ints(count))
    fits = writer.emit("Equal", rest, writer.scope.ints(0))
    return writer.scope.require(writer.scope.all_true(fits, False), value)


def _lengths(writer: GraphWriter, node: Operation, value: str, axis: int, sizes: str) -> str:
    """Return the lengths of parts: -1 stands for what the others leave."""
    rank = len(known_dims(node.inputs[0]))
    lengths = writer.scope.cast(sizes, node.inputs[1].dtype, int64)
    at = axis % rank
    size = writer.emit("Shape", value, start=at, end=at + 1)
    others = writer.emit("ReduceSum", lengths, keepdims=1)
    rest = writer.emit("Sub", writer.emit("Sub", size, others), writer.scope.ints(1))
    is_rest = writer.emit("Equal", lengths, writer.scope.ints(-1))
    return str(writer.emit("Where", is_rest, rest, lengths))


@rule("tile")
def _tile(writer: GraphWriter, node: Operation, x: str, multiples: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return str(writer.emit("Tile", x, as_sizes(writer, node.inputs[1], multiples)))


@rule("pad")
def _pad(writer: GraphWriter, node: Operation, x: str, paddings: str, value: str) -> Any:
    number_or_refusal(node.inputs[0].dtype)
    mode = str(node.attrs["mode"]).lower()
    if mode not in ("constant", "reflect"):
        raise OnnxGap(f"ONNX pads with constants and reflections, and not by {mode!r}")
    known = known_value(node.inputs[1])
    if known is not None:
        pads = writer.scope.constant(np.asarray(known, np.int64).T.reshape(-1))
    else:
        rows = writer.scope.cast(paddings, node.inputs[1].dtype, int64)
        pads = writer.emit("Reshape", writer.emit("Transpose", rows, perm=[1, 0]),
                           writer.scope.ints(-1))  # fmt: skip
    fill = (value,) if mode == "constant" else ()
    return writer.emit("Pad", x, pads, *fill, mode=mode)


@rule("reverse")
def _reverse(writer: GraphWriter, node: Operation, x: str) -> str:
    axes = node.attrs["axis"]
    axes = [axes] if isinstance(axes, int) else list(axes)
    if not axes:
        return x
    count = len(axes)
    bounds = [-1] * count, [np.iinfo(np.int64).min] * count, axes, [-1] * count
    return str(writer.emit("Slice", x, *[writer.scope.ints(*numbers) for numbers in bounds]))


@rule("slice")
def _slice(writer: GraphWriter, node: Operation, x: str, begin: str, size: str) -> str:
    starts, counts = known_value(node.inputs[1]), known_value(node.inputs[2])
    if counts is None:
        raise OnnxGap("the sizes of a slice are not known before the run")
    first = as_sizes(writer, node.inputs[1], begin)
    counts = [int(n) for n in counts]
    if starts is not None:
        ends = [_FAR if n < 0 else int(b) + n for b, n in zip(starts, counts, strict=True)]
        return _sliced(writer, x, first, writer.scope.ints(*ends), len(ends))
    sizes = writer.scope.ints(*[0 if n < 0 else n for n in counts])
    ends_of = writer.emit("Add", first, sizes)
    _check_slice(writer, x, first, ends_of, node)
    far = writer.scope.constant(np.array([n < 0 for n in counts]))
    limits = writer.emit("Where", far, writer.scope.ints(_FAR), ends_of)
    return _sliced(writer, x, first, limits, len(counts))


_FAR = int(np.iinfo(np.int64).max)


def _sliced(writer: GraphWriter, x: str, starts: str, ends: str, count: int) -> str:
    return str(writer.emit("Slice", x, starts, ends, writer.scope.ints(*range(count))))


def _check_slice(
    writer: GraphWriter, x: str, starts: str, ends: str, node: Operation
) -> None:
    """Note that a slice must lie in the array: ONNX cuts off what does not."""
    zero = writer.scope.constant(0, int64)
    inside = writer.emit("And", writer.emit("GreaterOrEqual", starts, zero),
                         writer.emit("LessOrEqual", ends, writer.emit("Shape", x)))  # fmt: skip
    writer.scope.pending.append(writer.scope.all_true(inside, False))


@rule("range")
def _range(writer: GraphWriter, node: Operation, start: str, limit: str, delta: str) -> str:
    dtype = node.inputs[0].dtype
    step = known_value(node.inputs[2])
    if step is None or not step:
        raise OnnxGap("the step of a range is not known before the run")
    if dtype.is_floating:
        count = range_size(writer, node, start, limit, delta)
        zero, one = (writer.scope.constant(n, int64) for n in (0, 1))
        numbers = writer.scope.cast(writer.emit("Range", zero, count, one), int64, float64)
        start, delta = (writer.scope.cast(v, dtype, float64) for v in (start, delta))
        values = writer.emit("Add", writer.emit("Mul", numbers, delta), start)
        return writer.scope.cast(values, float64, dtype)
    wide = [writer.scope.cast(v, dtype, int64) for v in (start, limit, delta)]
    values = writer.emit("Range", *wide)
    return _narrow(writer, node, values)


@rule("where")
def _where(writer: GraphWriter, node: Operation, condition: str, x: str, y: str) -> str:
    number_or_refusal(node.inputs[1].dtype)
    return str(writer.emit("Where", condition, x, y))


@rule("argwhere")
def _argwhere(writer: GraphWriter, node: Operation, condition: str) -> str:
    if not node.inputs[0].shape.rank:
        raise OnnxGap("ONNX finds the true elements of arrays that have dimensions")
    places = writer.emit("NonZero", condition)
    return str(writer.emit("Transpose", places, perm=[1, 0]))


@rule("reverse_sequence")
def _reverse_sequence(writer: GraphWriter, node: Operation, x: str, lengths: str) -> str:
    axes = node.attrs["seq_axis"], node.attrs["batch_axis"]
    if sorted(axes) != [0, 1]:
        raise OnnxGap("ONNX reverses sequences along the first two axes only: transpose before")
    lengths = writer.scope.cast(lengths, node.inputs[1].dtype, int64)
    size = writer.emit("Shape", x, start=axes[0], end=axes[0] + 1)
    zero = writer.scope.constant(0, int64)
    inside = writer.emit("And", writer.emit("LessOrEqual", zero, lengths),
                         writer.emit("LessOrEqual", lengths, size))  # fmt: skip
    lengths = writer.scope.require(writer.scope.all_true(inside, False), lengths)
    return str(writer.emit("ReverseSequence", x, lengths, time_axis=axes[0], batch_axis=axes[1]))
