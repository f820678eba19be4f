"""Rules of NumPy's functions that go element by element; table.py lists them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.array.shape import expand_dims
from runtime.ops.array.where import where_op
from runtime.ops.math.elementary import angle as angle_op
from runtime.ops.math.elementwise import maximum, minimum, pow, rint
from runtime.ops.op import lookup
from runtime.staging.numpy_arrays.rules.operands import (
    BOOL,
    NoEquivalentError,
    as_array,
    as_common,
    as_dtype,
    as_dtype_argument,
    as_loop,
    as_operand,
    cast,
    check_broadcast,
    given_type,
)

_OF_FLOATS = ("divide", "floor_divide", "remainder")
"""The functions whose ops mean something else for integers."""


def elementwise(ufunc: np.ufunc, op_name: str) -> Callable[..., Any]:
    """The rule of an element-wise function."""

    def rule(*args: Any) -> Any:
        if len(args) != ufunc.nin:
            raise NoEquivalentError
        inputs = as_loop(ufunc, [as_operand(arg) for arg in args])
        check_broadcast(*[x.shape.dims for x in inputs])
        op, kind = lookup(op_name), inputs[0].dtype.kind
        if kind not in ("fc" if ufunc.__name__ in _OF_FLOATS else op.dtype_kinds or kind):
            raise NoEquivalentError
        return op(*inputs)

    return rule


def outer(ufunc: np.ufunc, op_name: str) -> Callable[..., Any]:
    """The rule of what an element-wise function gives for all pairs of elements of two arrays."""
    of_pairs = elementwise(ufunc, op_name)

    def rule(a: Any, b: Any) -> Any:
        left, right = as_array(a), as_array(b)
        for _ in range(right.shape.rank):
            left = expand_dims(left, -1)
        return of_pairs(left, right)

    return rule


def outer_product(a: Any, b: Any) -> Any:
    """``np.outer(a, b)`` of two vectors."""
    if any(as_array(vector).shape.rank != 1 for vector in (a, b)):
        raise NoEquivalentError
    return outer(np.multiply, "multiply")(a, b)


def power(base: Any, exponent: Any) -> Any:
    """A power of floats; NumPy takes the square root for the exponent 0.5, also of -inf."""
    if type(exponent) not in (int, float) or exponent == 0.5:
        raise NoEquivalentError
    inputs = as_loop(np.power, [as_array(base), exponent])
    if inputs[0].dtype.kind not in "fc":
        raise NoEquivalentError
    return pow(*inputs)


def conjugated(a: Any) -> Any:
    """``a.conj()``, which leaves bools as they are: ``np.conjugate`` makes them int8."""
    array = as_array(a)
    if given_type(array) == BOOL:
        raise NoEquivalentError
    return elementwise(np.conjugate, "conj")(array)


def angle(z: Any) -> Any:
    """``np.angle(z)``, in radians."""
    array = as_array(z)
    if array.dtype.kind not in "fc":
        raise NoEquivalentError
    return angle_op(array)


def where(condition: Any, x: Any, y: Any) -> Any:
    """A choice by a condition, which is true where it is not 0."""
    flags = as_dtype(as_operand(condition), BOOL)
    chosen = as_common([as_operand(x), as_operand(y)])
    check_broadcast(*[x.shape.dims for x in [flags, *chosen]])
    return where_op(flags, *chosen)


def clip(a: Any, a_min: Any = None, a_max: Any = None, **by_name: Any) -> Any:
    """The greater of ``a`` and one bound, and of these the lesser of the other: NaN stays NaN."""
    bounds = {"min": a_min, "max": a_max}
    for name, value in by_name.items():
        if bounds.get(name, name) is not None:
            raise NoEquivalentError
        bounds[name] = value
    array = as_array(a)
    operands = [as_operand(bound) for bound in bounds.values() if bound is not None]
    if not operands or given_type(array) == BOOL:
        raise NoEquivalentError
    clipped, *limits = as_common([array, *operands])
    if clipped.dtype.is_complex:
        raise NoEquivalentError
    check_broadcast(*[x.shape.dims for x in [clipped, *limits]])
    if bounds["min"] is not None:
        clipped = maximum(clipped, limits.pop(0))
    return minimum(clipped, limits.pop()) if limits else clipped


def rounded(a: Any, decimals: Any = 0) -> Any:
    """Floats rounded to whole numbers, halves to even ones."""
    array = as_array(a)
    if type(decimals) is not int or decimals or array.dtype.kind != "f":
        raise NoEquivalentError
    return rint(array)


def converted(a: Any, dtype: Any) -> Any:
    """``a.astype(dtype)``."""
    return cast(as_array(a), as_dtype_argument(dtype))


def scalar_type(type: Any) -> Callable[..., Any]:
    """The rule of ``np.float64(x)``."""
    return lambda x: as_dtype(as_operand(x), np.dtype(type))
