"""What symbolic tensors were computed from, as the trace tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import SymbolicTensor
from runtime.ops.array.constants import constant_op


def recorded_as(value: Any) -> tuple[Any, Sequence[Any]]:
    """Return a tensor where it was computed, and the inputs of its operation: numbers where they
    are constants, since the trace does not tell a number of Python's from a tensor.
    """
    while isinstance(value, SymbolicTensor):
        captures = getattr(value.graph, "captures", ())
        outside = next((outer for outer, inner in captures if inner is value), None)
        if outside is None:
            return value, [_or_number(tensor) for tensor in value.op.inputs]
        value = outside
    return value, ()


def _or_number(tensor: SymbolicTensor) -> Any:
    """Return the number that a scalar constant is; another tensor itself."""
    value: Any = tensor.op.attrs["value"] if tensor.op.op_def is constant_op else None
    is_number = value is not None and not value.ndim and value.dtype.kind in "biufc"
    return value.item() if is_number else tensor
