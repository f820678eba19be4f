"""Functions that reduce axes, and those along one axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    Dims,
    NoRuleError,
    axes_of,
    axis_of,
    common,
    dtype_or,
    inexact,
    known,
    product,
    real_part,
    replaced,
    total,
    typed,
    wide,
    without,
)

DtypeRule = Callable[[np.dtype[Any]], Any]


def _remaining(array: ArrayType, axis: Any, keepdims: Any) -> Dims:
    """The sizes of what remains when axes are reduced."""
    keeps = known(keepdims)
    axes = axes_of(axis, array.rank) if array.rank or type(axis) is tuple else _of_scalar(axis)
    if keeps:
        return tuple([1 if n in axes else size for n, size in enumerate(array.dims)])
    return without(array.dims, axes)


def _of_scalar(axis: Any) -> tuple[int, ...]:
    if axis not in (None, 0, -1):
        raise NoRuleError
    return ()


def _same(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype


def _bool(dtype: np.dtype[Any]) -> Any:
    return bool


def with_dtype(default: DtypeRule) -> Callable[..., ArrayType]:
    """Rule of ``sum``, ``prod`` and ``mean``, in whose dtype they compute unless one is given."""

    def rule(
        a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: Any = False,
        initial: Any = None, where: Any = None,
    ) -> ArrayType:  # fmt: skip
        array = typed(a)
        result_dtype = dtype_or(dtype, default(array.dtype))
        return ArrayType(_remaining(array, axis, keepdims), result_dtype)

    return rule


total_of = with_dtype(wide)
mean = with_dtype(inexact)


def spread(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: Any = 0,
    keepdims: Any = False, *, where: Any = None, mean: Any = None, correction: Any = None,
) -> ArrayType:  # fmt: skip
    """Variances and standard deviations, which are real."""
    array = typed(a)
    result_dtype = dtype_or(dtype, inexact(array.dtype))
    return ArrayType(_remaining(array, axis, keepdims), real_part(result_dtype))


def extreme(
    a: Any, axis: Any = None, out: None = None, keepdims: Any = False, initial: Any = None,
    where: Any = None,
) -> ArrayType:  # fmt: skip
    """Rule of ``max`` and ``min``."""
    array = typed(a)
    return ArrayType(_remaining(array, axis, keepdims), array.dtype)


def spread_of_extremes(
    a: Any, axis: Any = None, out: None = None, keepdims: Any = False
) -> ArrayType:
    """The range of values, ``ptp``."""
    if typed(a).dtype == bool:
        raise NoRuleError
    return extreme(a, axis, None, keepdims)


def truth(
    a: Any, axis: Any = None, out: None = None, keepdims: Any = False, *, where: Any = None
) -> ArrayType:
    """Rule of ``all`` and ``any``."""
    return extreme(a, axis, None, keepdims).of(bool)


_COUNT = int if isinstance(np.count_nonzero([1]), int) else None
"""The class of a count: before NumPy 2.3 it is one of Python's."""


def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> ArrayType:
    """How many elements are not 0."""
    result = extreme(a, axis, None, keepdims).of(np.int64)
    return result._replace(python=_COUNT) if axis is None and not known(keepdims) else result


def median(
    a: Any, axis: Any = None, out: None = None, overwrite_input: Any = False, keepdims: Any = False
) -> ArrayType:
    """The number in the middle, or the mean of two."""
    result = extreme(a, axis, None, keepdims)
    return result.of(inexact(result.dtype))


def position(
    a: Any, axis: Any = None, out: None = None, *, keepdims: Any = False
) -> ArrayType:
    """Rule of ``argmax`` and ``argmin``."""
    return extreme(a, axis, None, keepdims).of(np.int64)


_OF_ELEMENTS = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
"""The methods whose quantiles are elements of the array."""


def quantile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: Any = False,
    method: Any = "linear", keepdims: Any = False, *, weights: Any = None,
) -> ArrayType:  # fmt: skip
    """Rule of quantiles and percentiles: the axes of ``q`` come first."""
    array, q = typed(a), typed(q)
    # a Python float of a quantile takes the dtype of floats, and promotes integers
    dtype = common(inexact(array.dtype), q if q.python else q.dtype)
    if method in _OF_ELEMENTS:
        dtype = array.dtype
    return ArrayType((*q.dims, *_remaining(array, axis, keepdims)), dtype)


def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False
) -> Any:
    """Means, weighted or not, and the sums of the weights, if asked for."""
    array = typed(a)
    dims = _remaining(array, axis, keepdims)
    dtype = inexact(array.dtype)
    if weights is not None:
        kinds = [array.dtype, typed(weights).dtype]
        is_whole = array.dtype.kind in "biu"
        dtype = np.result_type(*kinds, np.float64) if is_whole else np.result_type(*kinds)
    result = ArrayType(dims, dtype)
    return (result, result) if known(returned) else result


def cumulative(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None
) -> ArrayType:
    """Rule of ``cumsum`` and ``cumprod``."""
    array = typed(a)
    result_dtype = dtype_or(dtype, wide(array.dtype))
    if axis is None:
        return ArrayType((product(array.dims),), result_dtype)
    axis_of(axis, max(array.rank, 1))
    return ArrayType(array.dims or (1,), result_dtype)


def cumulative_with_initial(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: None = None,
    include_initial: Any = False,
) -> ArrayType:  # fmt: skip
    """Rule of ``cumulative_sum`` and ``cumulative_prod``."""
    array = typed(x)
    if not array.rank or axis is None and array.rank > 1:
        raise NoRuleError
    place = axis_of(0 if axis is None else axis, array.rank)
    initial_count = int(bool(known(include_initial)))
    dims = replaced(array.dims, place, total(array.dims[place], initial_count))
    return ArrayType(dims, dtype_or(dtype, wide(array.dtype)))


def sort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> ArrayType:
    """Sorted along an axis, or all in a row."""
    array = typed(a)
    if axis is None:
        return array.with_dims((product(array.dims),))
    axis_of(axis, array.rank)
    return array.of(array.dtype)


def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> ArrayType:
    """The order that sorts."""
    array = typed(a)
    return sort(array if array.rank else array.with_dims((1,)), axis).of(np.int64)


def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect") -> ArrayType:
    """Partly sorted."""
    return sort(a, axis)


def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect") -> ArrayType:
    """The order that sorts partly."""
    return argsort(a, axis)


def trace(
    a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None
) -> ArrayType:
    """Sums of diagonals."""
    array = typed(a)
    axes = axes_of((axis1, axis2), array.rank)
    return ArrayType(without(array.dims, axes), dtype_or(dtype, wide(array.dtype)))


def diff(
    a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None
) -> ArrayType:
    """Differences of neighbours."""
    array, order = typed(a), known(n)
    if type(order) is not int or order < 0:
        raise NoRuleError
    if not order:
        return array  # itself
    place = axis_of(axis, array.rank)
    ends = [typed(end) for end in (prepend, append) if end is not None]
    size = total(array.dims[place], *[end.dims[place] if end.rank else 1 for end in ends])
    less = None if size is None else max(size - order, 0)
    dtype = common(*[x.dtype for x in (array, *ends)])
    return ArrayType(replaced(array.dims, place, less), dtype)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> ArrayType:
    """Integrals along an axis."""
    y = typed(y)
    if x is not None and typed(x).rank > 1 and typed(x).rank != y.rank:
        raise NoRuleError
    step = typed(dx if x is None else x)
    dtype = common(y.dtype, step if step.python else step.dtype, 1.0)
    return ArrayType(without(y.dims, (axis_of(axis, y.rank),)), dtype)


def unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 2 * np.pi) -> ArrayType:
    """Angles without jumps."""
    array = typed(p)
    axis_of(axis, array.rank)
    return array.of(common(array.dtype, period))
