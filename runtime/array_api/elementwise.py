"""Element-wise functions of the array API standard: rows of ``ops/numpy_names.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.array_api.creation import asarray
from runtime.array_api.promotion import cast, is_scalar, of_kind, promoted
from runtime.ops.array import where as where_ops
from runtime.ops.array.constants import constant
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.docstrings import of_dtype
from runtime.ops.math import comparison, elementary, elementwise, floating, logical
from runtime.ops.numpy_names import ELEMENTS, FLOATS, TRUTH, NumpyName, rows_of
from runtime.types.dtypes import as_dtype, bool_

REAL, NUMERIC, FLOATING = "iuf", "iufc", "fc"

Unary = Callable[[Any], Any]


UNARY = """{doc}

Args:
    x: array of {taken}.
Returns:
    Array of the shape of ``x`` and of {dtype}.
Raises:
    TypeError: ``x`` has another dtype.
"""
BINARY = """{doc}

Args:
    x1: array of {taken}, or a Python number.
    x2: array of a dtype that promotes with it, or a Python number; the shapes broadcast.
Returns:
    Array of the broadcast shape and of {dtype}.
Raises:
    TypeError: a dtype does not fit, or both are Python numbers.
    InvalidArgumentError: the shapes do not broadcast (also a ValueError){fails}.
"""


def _whole(op: Any) -> Unary:
    """Make a rounding function that leaves integers as they are."""
    return lambda x: x if x.dtype.is_integer else op(x)


def _parts(op: Any, otherwise: Any, joined: Any) -> Unary:
    """Make a test of floating-point numbers apply to both parts of complex ones."""

    def test(x: Any) -> Any:
        if x.dtype.is_complex:
            return joined(op(elementary.real(x)), op(elementary.imag(x)))
        return op(x) if x.dtype.is_floating else otherwise(x, as_dtype("bool"))

    return test


def _round(x: Any) -> Any:
    if x.dtype.is_complex:
        real, imaginary = elementary.real(x), elementary.imag(x)
        return elementary.complex(elementwise.round(real), elementwise.round(imaginary))
    return elementwise.round(x)


def _expm1(x: Any) -> Any:
    """Compute ``exp(x) - 1``, of complex numbers with the standard's values at zero and infinity.
    """
    if not x.dtype.is_complex:
        return elementary.expm1(x)
    a, b, y = elementary.real(x), elementary.imag(x), elementary.expm1(x)
    none, turns = zeros_like(a), logical.logical_not(elementwise.is_finite(b))
    infinite = elementwise.is_inf(a)
    grows = logical.logical_and(infinite, comparison.greater(a, none))
    falls = logical.logical_and(infinite, comparison.less(a, none))
    first = elementary.real(y) + none  # no -0
    first = where_ops.where(falls, where_ops.where(turns, none - 1.0, first), first)
    first = where_ops.where(logical.logical_and(grows, turns), a, first)
    second = where_ops.where(logical.logical_and(falls, turns), none, elementary.imag(y))
    return elementary.complex(first, where_ops.where(comparison.equal(b, none), b, second))


def _tanh(x: Any) -> Any:
    """Compute the hyperbolic tangent; at infinity the imaginary part keeps its sign."""
    y = elementary.tanh(x)
    if not x.dtype.is_complex:
        return y
    a, b = elementary.real(x), elementary.imag(x)
    limit = elementary.complex(elementwise.sign(a), b * zeros_like(b))
    far = logical.logical_and(elementwise.is_inf(a), elementwise.is_finite(b))
    return where_ops.where(far, limit, y)


def _floor_divide(x: Any, y: Any) -> Any:
    quotient = elementwise.floordiv(x, y)
    if not x.dtype.is_floating:
        return quotient
    # Python's way, but for infinities, where Python has NaN and -1 for what the quotient says
    infinite = logical.logical_or(elementwise.is_inf(x), elementwise.is_inf(y))
    return where_ops.where(infinite, elementwise.floor(elementwise.truediv(x, y)), quotient)


_COMPOSED: dict[str, tuple[str, Callable[..., Any]]] = {
    "ceil": (REAL, _whole(elementwise.ceil)),
    "expm1": (FLOATING, _expm1),
    "floor": (REAL, _whole(elementwise.floor)),
    "floor_divide": (REAL, _floor_divide),
    "isfinite": (NUMERIC, _parts(elementwise.is_finite, ones_like, logical.logical_and)),
    "isinf": (NUMERIC, _parts(elementwise.is_inf, zeros_like, logical.logical_or)),
    "isnan": (NUMERIC, _parts(elementwise.is_nan, zeros_like, logical.logical_or)),
    "round": (NUMERIC, _round),
    "tanh": (FLOATING, _tanh),
    "trunc": (REAL, _whole(floating.trunc)),
}  # fmt: skip
"""What the standard asks for where an op gives it for fewer dtypes or values: kinds, function."""
_FAILS = {
    "bitwise_left_shift": "``x2`` holds a negative number",
    "bitwise_right_shift": "``x2`` holds a negative number",
    "floor_divide": "an integer is divided by zero",
    "pow": "an integer has a negative exponent",
    "remainder": "an integer is divided by zero",
}


def _kinds_of(row: NumpyName) -> str:
    """The kind letters of the arrays that a function takes: those of its op, unless composed."""
    kinds = row.definition.dtype_kinds.replace("O", "")
    return "".join([k for k in kinds if k in FLOATING]) if row.promotion == FLOATS else kinds


def _dtype_text(row: NumpyName, unchanged: str) -> str:
    """What is said of the dtype of the results."""
    accepted, returned = row.dtypes
    if returned is bool_ is not accepted or row.promotion == TRUTH:
        return "dtype bool"
    return unchanged if returned is accepted else "its dtype, or that of its parts if it is complex"


def _function(row: NumpyName) -> Callable[..., Any]:
    """The function of a row: its op, or what is composed, on arrays in their common dtype."""
    name = row.standard
    kinds, op = _COMPOSED.get(name) or (_kinds_of(row), row.definition)

    def unary(x: Any, /) -> Any:
        return op(of_kind(x, kinds, name))

    def binary(x1: Any, x2: Any, /) -> Any:
        return op(*promoted((x1, x2), name, kinds))

    is_unary = len(row.definition.inputs) == 1
    function: Any = unary if is_unary else binary
    function.__name__ = function.__qualname__ = name
    fails = f", or {_FAILS[name]}" if name in _FAILS else ""
    unchanged = "its dtype" if is_unary else "their common dtype"
    function.__doc__ = (UNARY if is_unary else BINARY).format(
        doc=row.doc(), taken=of_dtype(kinds), fails=fails,
        dtype=_dtype_text(row, unchanged),
    )  # fmt: skip
    return function


globals().update({row.standard: _function(row) for row in rows_of(ELEMENTS) if row.standard})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """Clip the elements of an array to an interval.

    Args:
        x: array of an integer or floating dtype.
        min: least value, an array or a Python number; None for none.
        max: greatest value, an array or a Python number; None for none.
    Returns:
        Array of the broadcast shape and of the dtype of ``x``.
    Raises:
        TypeError: a dtype does not fit.
    """
    x = of_kind(x, REAL, "clip")
    y = x
    for bound, op in ((min, elementwise.maximum), (max, elementwise.minimum)):
        if bound is None:
            continue
        if is_scalar(bound):
            if x.dtype.is_integer:
                if not isinstance(bound, int):
                    raise TypeError(f"clip: {x.dtype.name} cannot be clipped to {bound!r}")
                low, high = x.dtype.limits
                bound = low if bound < low else high if bound > high else bound
            bound = constant(bound, x.dtype)
        y = op(y, cast(of_kind(bound, REAL, "clip"), x.dtype))
    return y


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    """Choose elements of two arrays by a condition.

    Args:
        condition: array of dtype bool.
        x1: array or Python number, for the true elements; the shapes broadcast.
        x2: array or Python number, for the others.
    Returns:
        Array of the broadcast shape and of the common dtype.
    Raises:
        TypeError: ``condition`` is not bool, or the dtypes do not promote.
    """
    test = of_kind(condition, "b", "where")
    if is_scalar(x1) and is_scalar(x2):
        x1 = asarray(x1)
    return where_ops.where(test, *promoted((x1, x2), "where"))
