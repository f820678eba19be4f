"""Refusals: what ONNX cannot say, with the operation and the user's line."""

from __future__ import annotations

from runtime.graph.operation import Operation
from runtime.types.errors import UnimplementedError


class OnnxGap(Exception):
    """Gap in ONNX: why an operation has no counterpart there, and what to do about it."""


def described(node: Operation) -> str:
    """Return an operation as messages name it, with the user's line."""
    at = f", made at {node.location}" if node.location else ""
    return f"the operation {node.name!r} ({node.op_def.name}{at})"


def refusal_error(title: str, refusals: list[tuple[Operation, str]]) -> UnimplementedError:
    """Return the error about operations that cannot be written, each with its reason."""
    lines = [f"{described(node)}: {reason}" for node, reason in refusals]
    if len(lines) == 1:
        return UnimplementedError(f"{title} cannot be written as ONNX: {lines[0]}")
    listed = "".join(f"\n  {line}" for line in lines)
    return UnimplementedError(f"{title} cannot be written as ONNX:{listed}")
