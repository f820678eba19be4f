"""Quotients and remainders of staged integers of NumPy's, which are 0 where the divisor is 0.

Python's numbers and tensors raise there.  The operators of arrays, also beside staged numbers,
divide by what this module gives (operators.py), in ops that engines know; a divisor that tracing
knows to have no 0 needs none of it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph.operation import SymbolicTensor, read
from runtime.graph.python_values import as_python_value
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.types.dtypes import int64
from runtime.types.promotion import is_weak
from runtime.types.value import Value

_OPERATORS: dict[Any, Callable[[Any, Any], Any]] = {
    np.floor_divide: operator.floordiv, np.remainder: operator.mod, np.divmod: divmod,
}  # fmt: skip


def divided(function: Any, operands: Sequence[Any], dtype: Any) -> Any:
    """What a function of NumPy's gives for a dividend and a divisor, integers of a dtype.

    None if it is no division, or its operator of tensors means the same.
    """
    operation = _OPERATORS.get(function)
    kind = np.dtype(dtype.as_numpy_dtype).kind
    if operation is None or kind not in "iu" or _has_no_zero(operands[1]):
        return None
    dividend, divisor = [
        convert_to_tensor(x) if isinstance(x, np.ndarray | np.generic) else read(x)
        for x in operands
    ]
    if not isinstance(divisor, Value):
        divisor = convert_to_tensor(int(divisor), dtype)
    is_zero: Any = cast_op(divisor == 0, dtype=int64 if is_weak(divisor) else dtype)
    divides: Any = cast_op(divisor != 0, dtype=dtype)
    one_for_zero = as_python_value(is_zero) if is_weak(divisor) else is_zero
    return operation(dividend * divides, divisor + one_for_zero)


def _has_no_zero(divisor: Any) -> bool:
    """Whether tracing knows that no element is 0."""
    constant = divisor.spec.value if isinstance(divisor, SymbolicTensor) else divisor
    return constant is not None and bool(np.all(constant))
