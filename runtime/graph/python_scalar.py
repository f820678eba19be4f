"""What Python's numbers have that tensors have not, for tensors that stand for a Python number.

Asked by operation.py, which knows such tensors.
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
    """The attribute of a staged number, one of ``NAMES``.

    AttributeError for what Python's number of that kind has not.
    """
    if x.dtype is string or (name == "is_integer" and x.dtype is not float64):
        raise AttributeError(f"a staged {KINDS[x.dtype]} has no attribute {name!r}")
    if name == "is_integer":
        return lambda: _weak(logical_and(is_finite(x), equal(floor(x), x)))
    if x.dtype is complex128:
        if name == "conjugate":
            return lambda: _weak(conj(x))
        return _weak(cast_op((real if name == "real" else imag)(x), dtype=float64))
    if name == "imag":
        return 0.0 if x.dtype is float64 else 0
    number = _weak(cast_op(x, dtype=int64)) if x.dtype is bool_ else x
    return number if name == "real" else lambda: number


def _weak(tensor: Any) -> Any:
    """A tensor made just now, marked to stand for a Python number."""
    tensor.weak = True
    return tensor
