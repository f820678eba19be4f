"""Rules of products."""

from __future__ import annotations

from typing import Any

from runtime.export.onnx_models.interpreter import reader
from runtime.export.onnx_models.onnx_graph import OnnxNode
from runtime.export.onnx_models.ops import ops
from runtime.export.onnx_models.reading.arithmetic import number
from runtime.export.onnx_models.reading.shapes import rank_of
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.linalg.products import einsum
from runtime.types.dtypes import int32


def product(a: Any, b: Any) -> Any:
    """Return the product of matrices as NumPy's ``matmul`` has it: vectors are allowed."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    left, right = rank_of(a) == 1, rank_of(b) == 1
    if left:
        a = ops.expand_dims(a, axis=0)
    if right:
        b = ops.expand_dims(b, axis=-1)
    result = ops.matmul(a, b, transpose_a=False, transpose_b=False)
    axes = tuple(axis for axis, gone in ((-2, left), (-1, right)) if gone)
    return ops.squeeze(result, axis=axes) if axes else result


@reader("MatMul")
def _matmul(node: OnnxNode, a: Any, b: Any) -> Any:
    return product(a, b)


@reader("Gemm")
def _gemm(node: OnnxNode, a: Any, b: Any, c: Any = None) -> Any:
    result = ops.matmul(a, b, transpose_a=bool(node.attr("transA", 0)),
                        transpose_b=bool(node.attr("transB", 0)))  # fmt: skip
    alpha, beta = node.attr("alpha", 1.0), node.attr("beta", 1.0)
    if alpha != 1.0:
        result = result * number(alpha, result)
    if c is None:
        return result
    return result + (convert_to_tensor(c) if beta == 1.0 else c * number(beta, result))


@reader("Einsum")
def _einsum(node: OnnxNode, *inputs: Any) -> Any:
    return einsum(node.attr("equation").replace(" ", ""), *inputs)


@reader("MatMulInteger")
def _matmul_integer(node: OnnxNode, a: Any, b: Any, zero_a: Any = None, zero_b: Any = None) -> Any:
    a, b = cast(convert_to_tensor(a), int32), cast(convert_to_tensor(b), int32)
    if zero_a is not None:
        zero = cast(convert_to_tensor(zero_a), int32)
        a = a - (ops.expand_dims(zero, axis=-1) if zero.shape.rank == 1 else zero)
    if zero_b is not None:
        b = b - cast(convert_to_tensor(zero_b), int32)
    return product(a, b)
