"""Rules of products: matrices by MatMul, all other ops that declare ``Multiplies`` by Einsum."""

from __future__ import annotations

from typing import Any

from runtime.export.onnx_models.graph_writer import KIND_RULES, GraphWriter, known_dims, rule
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.rules.arrays import transposed
from runtime.graph.operation import Operation
from runtime.ops.rules.lowering import Multiplies, composition

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@rule("matmul")
def _matmul(writer: GraphWriter, node: Operation, a: str, b: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    sides = []
    for tensor, value, name in zip(node.inputs, (a, b), "ab", strict=True):
        if node.attrs.get(f"transpose_{name}"):
            rank = len(known_dims(tensor, "a matrix"))
            value = transposed(writer, value, [*range(rank - 2), rank - 1, rank - 2])
        sides.append(value)
    return str(writer.emit("MatMul", *sides))


@rule("einsum")
def _einsum(writer: GraphWriter, node: Operation, *inputs: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    return str(writer.emit("Einsum", *inputs, equation=str(node.attrs["equation"])))


def _multiplies(writer: GraphWriter, node: Operation, *inputs: str) -> Any:
    kind: Any = node.op_def.lower
    like = kind.like(node.attrs)
    if like:
        return writer.composed(node, inputs, composition(like))
    ranks = [len(known_dims(tensor, "a factor")) for tensor in node.inputs]
    axes = kind.axes(node.attrs, ranks)
    if axes is None or len(inputs) != 2 or axes.conjugates:
        raise OnnxGap("it is no product of two arrays")
    number_or_refusal(node.inputs[0].dtype)
    return writer.emit("Einsum", *inputs, equation=_equation(axes, ranks))


def _equation(axes: Any, ranks: list[int]) -> str:
    """Return the product as Einstein's sum: a letter for each axis."""
    letters = iter(_LETTERS)
    sides: list[list[str]] = [[""] * rank for rank in ranks]
    batch = []
    for pairs in (axes.batch, axes.inner):
        for left, right in zip(*pairs, strict=True):
            sides[0][left] = sides[1][right] = next(letters)
            if pairs is axes.batch:
                batch.append(sides[0][left])
    free: list[str] = []
    for side in sides:
        for axis, letter in enumerate(side):
            if not letter:
                side[axis] = next(letters)
                free.append(side[axis])
    return f"{''.join(sides[0])},{''.join(sides[1])}->{''.join([*batch, *free])}"


KIND_RULES[Multiplies] = _multiplies
