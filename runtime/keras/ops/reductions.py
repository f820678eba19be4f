"""Sums, extremes and the like along axes, with NumPy's names: rows of ``ops/numpy_names.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.keras.ops.elementwise import maximum, minimum
from runtime.keras.ops.promotion import as_float
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import reshape
from runtime.ops.array.sorting import argsort as argsort_op
from runtime.ops.array.sorting import sort as sort_op
from runtime.ops.docstrings import documented
from runtime.ops.math import reduction, scans
from runtime.ops.numpy_functions import position_along
from runtime.ops.numpy_names import (
    AXES,
    FLOATS,
    ORDER,
    POSITION,
    SCAN,
    SUMS,
    TRUTH,
    NumpyName,
    rows_of,
)
from runtime.types.dtypes import bool_, int32

_X = "tensor, array or number"
_AXIS = "an axis, several, or None for all"
_ONE_AXIS = "an axis, or None: of all elements in a row"
_KEEPDIMS = "whether the axes stay, with size 1"
def _summed(x: Any) -> Any:
    """Convert to a tensor whose elements can be added: small ints and bools become int32."""
    x = convert_to_tensor(x)
    narrow = x.dtype is bool_ or x.dtype.is_integer and x.dtype.size < 4
    return cast(x, int32) if narrow else x


def _truth(x: Any) -> Any:
    return cast(convert_to_tensor(x), bool_)


_INPUTS = {FLOATS: as_float, ORDER: convert_to_tensor, SUMS: _summed, TRUTH: _truth}
"""By promotion: how a value becomes the tensor that is reduced."""


def _reduction(row: NumpyName) -> Callable[..., Any]:
    """The function of a row that reduces a tensor along axes."""
    op, as_input = getattr(reduction, row.op), _INPUTS[row.promotion]

    def along(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return op(as_input(x), axis, keepdims)

    def extreme(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
        extremes = op(as_input(x), axis, keepdims)
        return extremes if initial is None else _COMPARED[row.keras[0]](extremes, initial)

    is_extreme = row.promotion == ORDER
    arguments = {"initial": "number with which results are compared"} if is_extreme else {}
    return _named(
        extreme if is_extreme else along, row, "Tensor without the axes, unless ``keepdims``",
        axis=_AXIS, keepdims=_KEEPDIMS, **arguments,
    )  # fmt: skip


_COMPARED = {"max": maximum, "min": minimum}


def _position(row: NumpyName) -> Callable[..., Any]:
    """The function of a row that finds positions along an axis."""
    op = getattr(reduction, row.op)

    def position(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
        return position_along(op, convert_to_tensor(x), axis, keepdims, int32)

    return _named(position, row, "Tensor of dtype int32", axis=_ONE_AXIS, keepdims=_KEEPDIMS)


def _scan(row: NumpyName) -> Callable[..., Any]:
    """The function of a row that combines the elements up to each one along an axis."""
    op = getattr(scans, row.op)

    def scan(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
        x = _summed(x) if dtype is None else cast(convert_to_tensor(x), dtype)
        return op(reshape(x, [-1]), 0) if axis is None else op(x, axis)

    return _named(scan, row, "Tensor", axis=_ONE_AXIS,
                  dtype="dtype of the result; None: that of ``x``")  # fmt: skip


def _named(function: Any, row: NumpyName, result: str, **arguments: str) -> Any:
    """A function with the name of its row, and the docstring that rows like it share."""
    function.__name__ = function.__qualname__ = row.keras[0]
    function.__doc__ = row.doc().replace("``axis``", "an axis")
    return documented(result, x=_X, **arguments)(function)


_MAKERS = {AXES: _reduction, POSITION: _position, SCAN: _scan}
globals().update({
    name: function
    for section, make in _MAKERS.items() for row in rows_of(section) for function in [make(row)]
    for name in row.keras
})  # fmt: skip

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


@documented("Tensor of dtype int32 without the axis", x=_X, axis=_AXIS)
def count_nonzero(x: Any, axis: Any = None) -> Any:
    """Count the elements that are not zero."""
    return reduction.count_nonzero(convert_to_tensor(x), axis, dtype=int32)


@documented("Tensor of the shape of ``x``", x=_X, axis="the axis; None: all elements in a row")
def sort(x: Any, axis: int | None = -1) -> Any:
    """Sort elements in ascending order."""
    x = convert_to_tensor(x)
    return sort_op(reshape(x, [-1])) if axis is None else sort_op(x, axis)


@documented("Tensor of dtype int32", x=_X, axis="the axis; None: all elements in a row")
def argsort(x: Any, axis: int | None = -1) -> Any:
    """Return the positions of the elements in ascending order; equal ones stay in order."""
    x = convert_to_tensor(x)
    if axis is None:
        return argsort_op(reshape(x, [-1]), stable=True)
    return argsort_op(x, axis, stable=True)
