"""Queries of passes about operations and tensors.

They are answered by the traits and attributes of op definitions.
"""

from __future__ import annotations

from typing import Any

from runtime.graph.operation import SymbolicTensor
from runtime.ops.array.constants import constant_op


def constant_value(tensor: SymbolicTensor) -> Any:
    """Return the array of a constant; None for other tensors."""
    node = tensor.op
    return node.attrs["value"] if node.op_def is constant_op else None


def stands_for(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    """Return whether a tensor may replace another that has the same value.

    Operations on Python numbers (python_scalar_kernels.py) need weak inputs.
    """
    return new.dtype is old.dtype and (new.weak or not old.weak)
