"""Rules of convolution and pooling: one for all ops that declare ``OnWindows``.

ONNX has the channels before the places, so the axes are turned before and after; runtimes move the
turns away between two such operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.export.onnx_models.graph_writer import KIND_RULES, GraphWriter, known_dims
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.graph.operation import Operation
from runtime.ops.rules.lowering import OnWindows


def _on_windows(writer: GraphWriter, node: Operation, *inputs: str) -> str:
    kind: Any = node.op_def.lower
    number_or_refusal(node.inputs[0].dtype)
    rules: dict[str, Any] = {
        "convolution": _convolution, "input": _transposed, "max": _pool, "mean": _pool,
    }  # fmt: skip
    if kind.gives not in rules:
        raise OnnxGap("ONNX has no operator for this gradient: export the function without it")
    written: str = rules[kind.gives](writer, node, *inputs)
    return written


KIND_RULES[OnWindows] = _on_windows


def channels_first(writer: GraphWriter, x: str, count: int) -> str:
    """Return an array with the channels before ``count`` places."""
    return str(writer.emit("Transpose", x, perm=[0, count + 1, *range(1, count + 1)]))


def channels_last(writer: GraphWriter, x: str, count: int) -> str:
    """Return an array with the channels after ``count`` places."""
    return str(writer.emit("Transpose", x, perm=[0, *range(2, count + 2), 1]))


def _pads(node: Operation, sizes: Sequence[int | None], windows: Sequence[int]) -> dict[str, Any]:
    """Return the attributes that say what is added around the places."""
    kind: Any = node.op_def.lower
    strides, dilations, padding = (node.attrs[n] for n in ("strides", "dilations", "padding"))
    spans = [(w - 1) * d + 1 for w, d in zip(windows, dilations, strict=True)]
    if padding == "SAME" and None in sizes:
        return {"auto_pad": "SAME_UPPER"}
    edges = [
        kind.edges(size or 0, span, stride, padding, axis)
        for axis, (size, span, stride) in enumerate(zip(sizes, spans, strides, strict=True))
    ]
    return {"pads": [low for low, _ in edges] + [high for _, high in edges]}


def _ints(numbers: Sequence[Any]) -> list[int]:
    return [int(number) for number in numbers]


def _convolution(writer: GraphWriter, node: Operation, x: str, filters: str) -> str:
    count = len(node.attrs["strides"])
    dims, shape = known_dims(node.inputs[0]), known_dims(node.inputs[1])
    if None in shape or dims[-1] is None:
        raise OnnxGap("the sizes of the filters, and the number of channels, have to be known")
    kernel = writer.emit("Transpose", filters, perm=[count + 1, count, *range(count)])
    result = writer.emit(
        "Conv", channels_first(writer, x, count), kernel,
        strides=_ints(node.attrs["strides"]), dilations=_ints(node.attrs["dilations"]),
        group=int(dims[-1]) // int(shape[-2] or 1), kernel_shape=_ints(shape[:count]),
        **_pads(node, dims[1:-1], _ints(shape[:count])),
    )  # fmt: skip
    return channels_last(writer, result, count)


def _transposed(writer: GraphWriter, node: Operation, dy: str, filters: str, shape: str) -> str:
    """Write the gradient with respect to the input of a convolution."""
    count = len(node.attrs["strides"])
    dims, sizes = known_dims(node.inputs[0]), known_dims(node.outputs[0])
    kernel_dims = known_dims(node.inputs[1])
    places, windows = sizes[1:-1], kernel_dims[:count]
    strides, dilations = _ints(node.attrs["strides"]), _ints(node.attrs["dilations"])
    if None in places or None in kernel_dims or None in dims[1:] or sizes[-1] is None:
        raise OnnxGap("a transposed convolution needs places of known sizes")
    pads = _pads(node, places, _ints(windows))["pads"]
    extra = []
    for axis, (taken, window, size) in enumerate(
        zip(_ints(dims[1:-1]), _ints(windows), _ints(places), strict=True)
    ):
        span = (window - 1) * dilations[axis] + 1
        reach = (taken - 1) * strides[axis] + span - pads[axis] - pads[count + axis]
        extra.append(size - reach)
    if any(not 0 <= e < max(s, d) for e, s, d in zip(extra, strides, dilations, strict=True)):
        raise OnnxGap("ONNX cannot add so many places after a transposed convolution")
    kernel = writer.emit("Transpose", filters, perm=[count + 1, count, *range(count)])
    result = writer.emit(
        "ConvTranspose", channels_first(writer, dy, count), kernel, strides=strides,
        dilations=dilations, pads=pads, output_padding=extra, kernel_shape=_ints(windows),
        group=int(sizes[-1]) // int(kernel_dims[-2] or 1),
    )  # fmt: skip
    return channels_last(writer, result, count)


def _pool(writer: GraphWriter, node: Operation, x: str) -> str:
    kind: Any = node.op_def.lower
    windows = _ints(node.attrs["window"])
    count = len(windows)
    dims = known_dims(node.inputs[0])
    attrs = {
        "kernel_shape": windows, "strides": _ints(node.attrs["strides"]),
        "dilations": _ints(node.attrs["dilations"]), **_pads(node, dims[1:-1], windows),
    }  # fmt: skip
    operator = "MaxPool" if kind.gives == "max" else "AveragePool"
    if operator == "AveragePool":
        attrs["count_include_pad"] = 0
    result = writer.emit(operator, channels_first(writer, x, count), **attrs)
    return channels_last(writer, result, count)
