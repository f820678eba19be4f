"""Element-wise functions of ``keras.ops``: the rows of ``ops/numpy_names.py``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.keras.ops.promotion import as_float, promoted
from runtime.keras.ops.shapes import nonzero
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.where import where as where_op
from runtime.ops.math import elementwise
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.numpy_names import COMMON, ELEMENTS, FLOATS, TRUTH, NumpyName, rows_of
from runtime.types.dtypes import bool_

UNARY = """{doc}

Args:
    x: tensor, array or number.
Returns:
    Tensor of the shape of ``x``, {dtype}.
"""
BINARY = """{doc}

Args:
    x1: tensor, array or number.
    x2: tensor, array or number; the shapes broadcast, the dtypes promote.
Returns:
    Tensor of the broadcast shape and {dtype}.
"""
_DTYPES = {FLOATS: "of floats", COMMON: "of the dtype of the inputs"}


def _tested(op: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a test of floats that holds for ints, too."""
    return lambda x: op(x if x.dtype.is_floating else as_float(x))


_COMPOSED: dict[str, Callable[..., Any]] = {
    "isfinite": _tested(elementwise.is_finite),
    "isinf": _tested(elementwise.is_inf),
    "isnan": _tested(elementwise.is_nan),
}  # fmt: skip
"""What Keras asks for where an op gives it for fewer dtypes."""
_INPUTS: dict[str, Callable[[Any], Any]] = {
    FLOATS: as_float,
    COMMON: convert_to_tensor,
    TRUTH: lambda x: cast(convert_to_tensor(x), bool_),
}


def _function(row: NumpyName, name: str) -> Callable[..., Any]:
    """The function of a row: its op, or what is composed, on tensors as promotion has it."""
    op, as_input = _COMPOSED.get(name) or row.definition, _INPUTS[row.promotion]

    def unary(x: Any) -> Any:
        return op(as_input(x))

    def binary(x1: Any, x2: Any) -> Any:
        if row.promotion != TRUTH:
            x1, x2 = promoted(x1, x2)
        return op(as_input(x1), as_input(x2))

    def bitwise(x: Any, y: Any) -> Any:
        return binary(x, y)

    is_unary = len(row.definition.inputs) == 1
    is_bitwise = name.startswith("bitwise") or name.endswith("_shift")  # of ``x`` and ``y``
    function: Any = unary if is_unary else bitwise if is_bitwise else binary
    function.__name__ = function.__qualname__ = name
    dtype = "of dtype bool" if row.dtypes[1] is bool_ else _DTYPES[row.promotion]
    doc = (UNARY if is_unary else BINARY).format(doc=row.doc(), dtype=dtype)
    function.__doc__ = re.sub(r"\bx1\b", "x", doc).replace("x2", "y") if is_bitwise else doc
    return function


globals().update({name: _function(row, name) for row in rows_of(ELEMENTS) for name in row.keras})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...

    maximum: Any


def exp2(x: Any) -> Any:
    """Compute powers of two.

    Args:
        x: tensor, array or number.
    Returns:
        Tensor of floats of the shape of ``x``.
    """
    return elementwise.pow(2.0, as_float(x))


def clip(x: Any, x_min: Any, x_max: Any) -> Any:
    """Limit values to an interval.

    Args:
        x: tensor, array or number.
        x_min: lower bound.
        x_max: upper bound.
    Returns:
        Tensor of the shape of ``x``.
    """
    x, low, high = promoted(x, x_min, x_max)
    return clip_by_value(x, low, high)


def round(x: Any, decimals: int = 0) -> Any:
    """Round to the nearest number, halves to even ones.

    Args:
        x: tensor, array or number.
        decimals: number of decimals.
    Returns:
        Tensor of the shape and dtype of ``x``.
    """
    x = convert_to_tensor(x)
    if not decimals:
        return elementwise.round(x) if x.dtype.is_floating else x
    factor = 10.0**decimals
    return cast(elementwise.round(as_float(x) * factor) / factor, x.dtype)


def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    """Choose elements of two tensors; with a condition alone, return where it holds.

    Args:
        condition: tensor, of which what is not zero holds.
        x1: elements where it holds.
        x2: elements where it does not.
    Returns:
        Tensor of the broadcast shape and the common dtype; for a condition alone a tuple of index
        vectors, one for each axis.
    Raises:
        ValueError: only one of ``x1`` and ``x2`` is given.
    """
    condition = cast(convert_to_tensor(condition), bool_)
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise ValueError("`x1` and `x2` either both should be `None` or both should have values.")
    first, second = promoted(x1, x2)
    return where_op(condition, first, second)
