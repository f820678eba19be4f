"""Statistics and tests along axes, as the array API standard has them."""

from __future__ import annotations

from typing import Any

from runtime.array_api.checks import some_elements
from runtime.array_api.promotion import (
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
from runtime.ops.math import comparison, elementwise, logical, reduction, scans
from runtime.types.dtypes import DType, as_dtype, bool_, uint32


def axes_given(x: Any, axis: Any, name: str) -> Any:
    """The axes as a list counted from the front; None when all are meant."""
    return None if axis is None else list(axes_of(axis, rank_of(x, name), name))


def max(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the greatest elements along axes.

    Args:
        x: array of a real dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: there are no elements.
    """
    x = of_kind(x, "iuf", "max")
    axes = axes_given(x, axis, "max")
    return reduction.reduce_max(some_elements(x, axes, "max"), axes, keepdims)


def min(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the least elements along axes.

    Args:
        x: array of a real dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: there are no elements.
    """
    x = of_kind(x, "iuf", "min")
    axes = axes_given(x, axis, "min")
    return reduction.reduce_min(some_elements(x, axes, "min"), axes, keepdims)


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


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Compute sums along axes.

    Args:
        x: array of a numeric dtype.
        axis: an axis, a tuple of them, or None for all.
        dtype: dtype of the sums; by default that of ``x``, or int32 or uint32 for smaller integers.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = _summed(of_kind(x, "iufc", "sum"), dtype)
    return reduction.reduce_sum(x, axes_given(x, axis, "sum"), keepdims)


def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Compute products along axes.

    Args:
        x: array of a numeric dtype.
        axis: an axis, a tuple of them, or None for all.
        dtype: dtype of the products; by default that of ``x``, or int32 or uint32 for smaller
            integers.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = _summed(of_kind(x, "iufc", "prod"), dtype)
    return reduction.reduce_prod(x, axes_given(x, axis, "prod"), keepdims)


def mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute means along axes.

    Args:
        x: array of a floating-point dtype.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array without the axes ``axis``, unless ``keepdims``, and of the dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
    """
    x = of_kind(x, "fc", "mean")
    return reduction.reduce_mean(x, axes_given(x, axis, "mean"), keepdims)


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
    rest = cast(_count(x, axes) - correction, x.dtype)
    return elementwise.truediv(total, elementwise.maximum(rest, cast(0, x.dtype)))


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


def _cumulative(row: Any, name: str, x: Any, axis: Any, dtype: Any, include_initial: bool) -> Any:
    x = _summed(of_kind(x, "iufc", name), dtype)
    rank = rank_of(x, name)
    if axis is None:
        if rank != 1:
            raise ValueError(f"{name} needs axis= for an array of rank {rank}")
        axis = 0
    at = one_axis(axis, rank, name)
    result = row(x, at)
    if not include_initial:
        return result
    before = [[1 if i == at else 0, 0] for i in range(rank)]
    return concat_split.pad(result, before, constant_values=0 if row is scans.cumsum else 1)


def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None,
                   include_initial: bool = False) -> Any:  # fmt: skip
    """Compute the sums of the elements up to each one along an axis.

    Args:
        x: array of a numeric dtype.
        axis: the axis; may be left out for a vector.
        dtype: dtype of the sums; by default that of ``x``, or int32 or uint32 for smaller integers.
        include_initial: whether a zero stands in front, which makes the axis longer by one.
    Returns:
        Array of the shape of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: ``axis`` is missing.
    """
    return _cumulative(scans.cumsum, "cumulative_sum", x, axis, dtype, include_initial)


def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None,
                    include_initial: bool = False) -> Any:  # fmt: skip
    """Compute the products of the elements up to each one along an axis.

    Args:
        x: array of a numeric dtype.
        axis: the axis; may be left out for a vector.
        dtype: dtype of the products; by default that of ``x``, or int32 or uint32 for smaller
            integers.
        include_initial: whether a one stands in front, which makes the axis longer by one.
    Returns:
        Array of the shape of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: ``axis`` is missing.
    """
    return _cumulative(scans.cumprod, "cumulative_prod", x, axis, dtype, include_initial)


def _truth(x: Any, name: str) -> Any:
    x = tensor(x, name)
    return x if x.dtype is bool_ else comparison.not_equal(x, zeros_like(x))


def all(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Test whether all elements along axes are true (not zero).

    Args:
        x: array.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array of bools without the axes ``axis``, unless ``keepdims``.
    """
    x = _truth(x, "all")
    return reduction.reduce_all(x, axes_given(x, axis, "all"), keepdims)


def any(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Test whether some element along axes is true (not zero).

    Args:
        x: array.
        axis: an axis, a tuple of them, or None for all.
        keepdims: whether the axes stay, with size 1.
    Returns:
        Array of bools without the axes ``axis``, unless ``keepdims``.
    """
    x = _truth(x, "any")
    return reduction.reduce_any(x, axes_given(x, axis, "any"), keepdims)


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
    parts = [p for p in (prepend, x, append) if p is not None]
    x = concat(parts, axis=at) if len(parts) > 1 else x
    lead = (slice(None),) * at
    for _ in range(n):
        later, earlier = x[(*lead, slice(1, None))], x[(*lead, slice(None, -1))]
        if x.dtype is bool_:
            x = logical.logical_xor(later, earlier)
        else:
            x = elementwise.subtract(later, earlier)
    return x
