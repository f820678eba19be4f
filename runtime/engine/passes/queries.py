"""What passes ask about operations and tensors: what a constant holds, what stands for what.

Everything here is answered by the rows: by their traits and attributes.
"""

from __future__ import annotations

from typing import Any

from runtime.graph.operation import SymbolicTensor
from runtime.ops.array.constants import constant_op


def constant_value(tensor: SymbolicTensor) -> Any:
    """The array of a constant, else None."""
    node = tensor.op
    return node.attrs["value"] if node.op_def is constant_op else None


def stands_for(new: SymbolicTensor, old: SymbolicTensor) -> bool:
    """Whether a tensor may take the place of another that has the same value.

    What computes with Python numbers (see python_scalar_kernels.py) needs inputs that stand for
    such.
    """
    return new.dtype is old.dtype and (new.weak or not old.weak)
