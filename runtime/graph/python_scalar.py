"""Attributes of Python numbers, for symbolic tensors that stand for one.

Below operation.py, whose tensors look attributes up here.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.array.constants import cast_op
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementary import conj, imag, real
from runtime.ops.math.elementwise import floor, is_finite
from runtime.ops.math.logical import logical_and
from runtime.types.dtypes import bool_, complex128, float64, int64, string
from runtime.types.promotion import KINDS

NAMES = frozenset(("conjugate", "imag", "is_integer", "real"))


def attribute_of(x: Any, name: str) -> Any:
    """Return an attribute of a staged number, one of ``NAMES``.

    AttributeError if Python's numbers of that type have none of that name.
    """
    if x.dtype is string or (name == "is_integer" and x.dtype is not float64):
        raise AttributeError(f"a staged {KINDS[x.dtype]} has no attribute {name!r}")
    if name == "is_integer":
        return lambda: as_python_value(logical_and(is_finite(x), equal(floor(x), x)))
    if x.dtype is complex128:
        if name == "conjugate":
            return lambda: as_python_value(conj(x))
        return as_python_value(cast_op((real if name == "real" else imag)(x), dtype=float64))
    if name == "imag":
        return 0.0 if x.dtype is float64 else 0
    number = as_python_value(cast_op(x, dtype=int64)) if x.dtype is bool_ else x
    return number if name == "real" else lambda: number


def as_python_value(tensor: Any) -> Any:
    """Mark a new tensor as one that stands for a Python number, bool or text."""
    tensor.weak = True
    return tensor
