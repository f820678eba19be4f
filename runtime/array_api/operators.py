"""Operators between tensors that promote as the array API standard says: a switch, off at first.

TensorFlow's operators never convert a tensor.  Where the switch is on, operands of one kind come in
their common dtype, ``@`` takes vectors, and ``//`` by infinity goes by the quotient.
"""

from __future__ import annotations

from typing import Any

from runtime.array_api import elementwise
from runtime.array_api.products import matmul
from runtime.array_api.promotion import cast, is_scalar, result_type
from runtime.ops.dispatch import Operator, set_operator_rule
from runtime.types.value import Value


def _promoted(method_name: str, operator: Operator, self: Any, other: Any) -> Any:
    """The result of an operator by the standard's rules; ``operator`` is TensorFlow's."""
    reflected = method_name.startswith("__r") and method_name != "__rshift__"
    if isinstance(other, Value):
        if "matmul" in method_name:
            return matmul(other, self) if reflected else matmul(self, other)
        if "floordiv" not in method_name:
            dtype = result_type(self, other)
            return operator(cast(self, dtype), cast(other, dtype))
    if "floordiv" in method_name and (isinstance(other, Value) or is_scalar(other)):
        operands = (other, self) if reflected else (self, other)
        return elementwise.floor_divide(*operands)
    if type(other) is complex and self.dtype.is_floating and "matmul" not in method_name:
        self = cast(self, result_type(self, other))
    return operator(self, other)


def promote_operators(enabled: bool = True) -> None:
    """Let operators between tensors promote dtypes as the standard says, or no longer.

    The setting is one of the current context: this thread or asynchronous task.  Without it,
    tensors
    of two dtypes are an error, as in TensorFlow.

    Args:
        enabled: whether operators promote.
    Returns:
        None.
    """
    set_operator_rule(_promoted if enabled else None)
