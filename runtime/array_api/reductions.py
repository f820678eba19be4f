"""Statistics and tests along axes of the array API standard: rows of ``ops/numpy_names.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.array_api.checks import some_elements
from runtime.array_api.promotion import (
    DEFAULT_INDEX,
    DEFAULT_INT,
    SIGNED,
    UNSIGNED,
    cast,
    of_kind,
    tensor,
)
from runtime.array_api.shapes import axes_of, concat, one_axis, rank_of
from runtime.ops.array import concat_split
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.array.shape import size as size_op
from runtime.ops.docstrings import documented, of_dtype
from runtime.ops.math import comparison, elementwise, logical, reduction, scans
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
from runtime.types.dtypes import DType, as_dtype, bool_, uint32


def axes_given(x: Any, axis: Any, name: str) -> Any:
    """The axes as a list counted from the front; None when all are meant."""
    return None if axis is None else list(axes_of(axis, rank_of(x, name), name))


def _summed(x: Any, dtype: Any) -> Any:
    """``x`` in the dtype that its sums have: small integers in the default one of their kind."""
    if dtype is not None:
        return cast(x, as_dtype(dtype))
    default: DType | None = None
    if x.dtype in SIGNED:
        default = DEFAULT_INT
    elif x.dtype in UNSIGNED:
        default = uint32
    return cast(x, default) if default is not None and x.dtype.size < default.size else x


def _truth(x: Any) -> Any:
    """Whether elements are true: not 0."""
    return x if x.dtype is bool_ else comparison.not_equal(x, zeros_like(x))


_AXIS = "the axis; None for the flattened array"
_DTYPE = "dtype of the result; by default that of ``x``, or int32 or uint32 for smaller integers"
_KEEPDIMS = "whether the axes stay, with size 1"
_KINDS = {FLOATS: "fc", ORDER: "iuf", TRUTH: "", SUMS: "iufc"}
"""The kind letters of the arrays that a function of this promotion takes."""


def _named(function: Any, row: NumpyName, doc: str, result: str, **arguments: str) -> Any:
    """A function with the name of its row, and the docstring that rows like it share."""
    function.__name__ = function.__qualname__ = row.standard
    function.__doc__ = doc
    kinds = _KINDS[row.promotion]
    errors = ["TypeError: ``x`` has another dtype"] if kinds else []
    if row.promotion == ORDER:
        errors.append("ValueError: there are no elements")
    if row.section == SCAN:
        errors.append("ValueError: ``axis`` is missing")
    arguments = {"x": f"array of {of_dtype(kinds)}", **arguments}
    return documented(result, ".\n    ".join(errors), **arguments)(function)


def _reduction(row: NumpyName) -> Callable[..., Any]:
    """The function of a row that reduces an array along axes."""
    name, op = row.standard, getattr(reduction, row.op)

    def along(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
        x = of_kind(x, _KINDS[row.promotion], name)
        axes = axes_given(x, axis, name)
        if row.promotion == ORDER:
            x = some_elements(x, axes, name)
        return op(_truth(x) if row.promotion == TRUTH else x, axes, keepdims)

    def summed(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        x = _summed(of_kind(x, _KINDS[row.promotion], name), dtype)
        return op(x, axes_given(x, axis, name), keepdims)

    is_sum = row.promotion == SUMS
    of_dtype = "" if is_sum or row.promotion == TRUTH else ", and of the dtype of ``x``"
    bools = "of bools " if row.promotion == TRUTH else ""
    return _named(
        summed if is_sum else along, row, row.doc(),
        f"Array {bools}without the axes ``axis``, unless ``keepdims``{of_dtype}",
        axis="an axis, a tuple of them, or None for all",
        **({"dtype": _DTYPE} if is_sum else {}), keepdims=_KEEPDIMS,
    )  # fmt: skip


def _position(row: NumpyName) -> Callable[..., Any]:
    """The function of a row that finds positions along an axis."""
    name, op = row.standard, getattr(reduction, row.op)

    def position(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
        x = of_kind(x, _KINDS[row.promotion], name)
        rank = rank_of(x, name)
        x = some_elements(x, None if axis is None else [one_axis(axis, rank, name)], name)
        at = None if axis is None else one_axis(axis, rank, name)
        return position_along(op, x, at, keepdims, DEFAULT_INDEX)

    return _named(
        position, row, row.doc().replace("``axis``", "an axis"), "Array of int64",
        axis=_AXIS, keepdims=_KEEPDIMS,
    )  # fmt: skip


def _scan(row: NumpyName) -> Callable[..., Any]:
    """The function of a row that combines the elements up to each one along an axis."""
    name, op, unit = row.standard, getattr(scans, row.op), int(row.op == "cumprod")

    def scan(x: Any, /, *, axis: int | None = None, dtype: Any = None,
             include_initial: bool = False) -> Any:  # fmt: skip
        x = _summed(of_kind(x, _KINDS[row.promotion], name), dtype)
        rank = rank_of(x, name)
        if axis is None and rank != 1:
            raise ValueError(f"{name} needs axis= for an array of rank {rank}")
        at = one_axis(axis or 0, rank, name)
        scanned = op(x, at)
        if not include_initial:
            return scanned
        before = [[int(i == at), 0] for i in range(rank)]
        return concat_split.pad(scanned, before, constant_values=unit)

    return _named(
        scan, row, row.doc(), "Array of the shape of ``x``",
        axis="the axis; may be left out for a vector", dtype=_DTYPE,
        include_initial=f"whether a {unit} stands in front, which makes the axis longer by one",
    )  # fmt: skip


_MAKERS = {AXES: _reduction, POSITION: _position, SCAN: _scan}
globals().update({
    row.standard: make(row)
    for section, make in _MAKERS.items()
    for row in rows_of(section) if row.standard
})  # fmt: skip

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


def _count(x: Any, axes: Any) -> Any:
    """How many elements come together, in the dtype of ``x``."""
    dims = x.shape.dims
    if dims is not None:
        sizes = dims if axes is None else [dims[a] for a in axes]
        if None not in sizes:
            total = 1
            for size in sizes:
                total *= size
            return total
    if axes is None:
        return cast(size_op(x), x.dtype)
    total = 1
    for a in axes:
        total = total * shape_op(x)[a]
    return cast(total, x.dtype)


def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """Compute variances along axes.

    Args:
        x: array of a real floating-point dtype.
        axis: an axis, a tuple of them, or None for all.
        correction: number subtracted from the number of elements that the sum is divided by.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = of_kind(x, "f", "var")
    axes = axes_given(x, axis, "var")
    apart = elementwise.square(x - reduction.reduce_mean(x, axes, True))
    total = reduction.reduce_sum(apart, axes, keepdims)
    degrees_of_freedom = cast(_count(x, axes) - correction, x.dtype)
    return elementwise.truediv(total, elementwise.maximum(degrees_of_freedom, cast(0, x.dtype)))


def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """Compute standard deviations along axes.

    Args:
        x: array of a real floating-point dtype.
        axis: an axis, a tuple of them, or None for all.
        correction: number subtracted from the number of elements that the sum is divided by.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = of_kind(x, "f", "std")
    return elementwise.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None,
         append: Any = None) -> Any:  # fmt: skip
    """Compute differences of neighbours along an axis, ``n`` times over.

    Args:
        x: array.
        axis: the axis.
        n: how often differences are taken; 0 gives the array as it is.
        prepend: array to join in front of ``x`` along the axis.
        append: array to join behind ``x`` along the axis.
    Returns:
        Array whose axis is shorter by ``n``; for bools, whether neighbours differ.
    Raises:
        ValueError: ``n`` is negative.
    """
    x = tensor(x, "diff")
    at = one_axis(axis, rank_of(x, "diff"), "diff")
    if n < 0:
        raise ValueError(f"diff: n must not be negative, got {n}")
    if n == 0:
        return x
    arrays = [p for p in (prepend, x, append) if p is not None]
    x = concat(arrays, axis=at) if len(arrays) > 1 else x
    lead = (slice(None),) * at
    for _ in range(n):
        later, earlier = x[(*lead, slice(1, None))], x[(*lead, slice(None, -1))]
        if x.dtype is bool_:
            x = logical.logical_xor(later, earlier)
        else:
            x = elementwise.subtract(later, earlier)
    return x
