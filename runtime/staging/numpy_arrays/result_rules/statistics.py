"""Sets, polynomials and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    NoRuleError,
    axis_of,
    common,
    dtype_or,
    inexact,
    known,
    replaced,
    total,
    typed,
    whole,
)


def set_of_two(ar1: Any, ar2: Any, assume_unique: Any = False) -> ArrayType:
    """Rule of ``setxor1d`` and ``union1d``."""
    return ArrayType((None,), common(typed(ar1).dtype, typed(ar2).dtype))


def set_difference(ar1: Any, ar2: Any, assume_unique: Any = False) -> ArrayType:
    """Elements of one array and not of the other."""
    return typed(ar1).with_dims((None,))


def intersection(
    ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False
) -> Any:
    """Elements of both arrays, and their places, if asked for."""
    elements = set_of_two(ar1, ar2)
    places = ArrayType((None,), np.dtype(np.int64))
    return (elements, places, places) if known(return_indices) else elements


def unique(
    ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False,
    axis: Any = None, *, equal_nan: Any = True, sorted: Any = True,
) -> Any:  # fmt: skip
    """The different elements, with their places and counts, if asked for."""
    array = typed(ar)
    places = ArrayType((None,), np.dtype(np.int64))
    if axis is None:
        results = [array.with_dims((None,))]
    else:
        results = [array.with_dims(replaced(array.dims, axis_of(axis, array.rank), None))]
    results += [places] * bool(known(return_index))
    if known(return_inverse):
        if axis is not None:  # its shape has not been the same in all versions
            raise NoRuleError
        results.append(ArrayType(array.dims, places.dtype))
    results += [places] * bool(known(return_counts))
    return tuple(results) if len(results) > 1 else results[0]


def _length(p: Any) -> int | None:
    operand = typed(p)
    if operand.rank > 1:
        raise NoRuleError
    return operand.dims[0] if operand.rank else 1


def polyadd(a1: Any, a2: Any) -> ArrayType:
    """Rule of sums and differences of polynomials."""
    sizes = [_length(p) for p in (a1, a2)]
    size = None if None in sizes else max(sizes)  # type: ignore[type-var]
    return ArrayType((size,), common(typed(a1).dtype, typed(a2).dtype))


def polyder(p: Any, m: Any = 1) -> ArrayType:
    """Coefficients of a derivative."""
    size, order = _length(p), known(m)
    if type(order) is not int or order < 0 or not typed(p).rank:
        raise NoRuleError
    if not order:
        return typed(p)  # itself
    dtype = np.promote_types(typed(p).dtype, np.int64)
    return ArrayType((None if size is None else max(size - order, 0),), dtype)


def polyint(p: Any, m: Any = 1, k: Any = None) -> ArrayType:
    """Coefficients of an integral."""
    size, order = _length(p), known(m)
    if type(order) is not int or order < 0 or not typed(p).rank:
        raise NoRuleError
    if not order:
        return typed(p)  # itself
    return ArrayType((total(size, order),), common(inexact(typed(p).dtype), np.float64))


def polyfit(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False
) -> ArrayType:
    """Coefficients of the nearest polynomial."""
    degree, y = whole(deg), typed(y)
    if known(full) or known(cov) or degree is None or y.rank not in (1, 2):
        raise NoRuleError
    dtype = common(np.float64, typed(x).dtype, y.dtype)
    return ArrayType((degree + 1, *y.dims[1:]), dtype)


def covariances(
    m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None,
    fweights: Any = None, aweights: Any = None, *, dtype: Any = None,
) -> ArrayType:  # fmt: skip
    """Rule of ``cov``: a matrix, or a 0-d array of one variable."""
    arrays = [typed(x) for x in (m, y) if x is not None]
    if any(x.rank > 2 for x in arrays):
        raise NoRuleError
    result_dtype = dtype_or(dtype, common(np.float64, *[x.dtype for x in arrays]))
    axis = 0 if known(rowvar) else 1
    size = total(*[x.dims[axis] if x.rank == 2 else 1 for x in arrays])
    if size in (None, 1):  # of one variable the axes are left out
        result = ArrayType((), result_dtype, is_array=True)
        return result if size else result.of_unknown_rank()
    return ArrayType((size, size), result_dtype)


def correlations(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> ArrayType:
    """Rule of ``corrcoef``."""
    result = covariances(x, y, rowvar, dtype=dtype)
    if result.dims is None:
        raise NoRuleError("its result is a scalar where a size is 1, and an array elsewhere")
    return result if result.rank else result._replace(is_array=False)


def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> ArrayType:
    """How often each number occurs."""
    return ArrayType((None,), np.dtype(np.int64 if weights is None else np.float64))


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[ArrayType, ArrayType]:
    """How many elements are in each bin, and the edges of the bins."""
    array, edges = typed(a), typed(bins)
    if array.dtype.kind == "c":
        raise NoRuleError
    counts = np.dtype(np.int64) if weights is None else typed(weights).dtype
    if known(density):
        counts = np.dtype(np.float64)
    if edges.rank == 1:
        size = edges.dims[0]
        edge_dtype = edges.dtype
    else:
        size = total(whole(bins), 1)
        edge_dtype = common(array.dtype, 1.0) if array.dtype.kind == "f" else np.dtype(np.float64)
        if array.dtype == np.float16:
            raise NoRuleError
    inner_size = None if size is None else size - 1
    source = edges.source if edges.rank else None
    return (
        ArrayType((inner_size,), counts),
        ArrayType((size,), edge_dtype, source=source),
    )


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[ArrayType, ...]:
    """How many pairs are in each bin, and the edges of the bins in both directions."""
    sizes = [whole(size) for size in (bins if type(bins) is tuple else (bins, bins))]
    if len(sizes) != 2 or weights is not None or typed(x).dtype.kind == "c":
        raise NoRuleError
    edges = [
        ArrayType((total(size, 1),), common(typed(array).dtype, 1.0))
        for array, size in zip((x, y), sizes, strict=True)
    ]
    return (ArrayType(tuple(sizes), np.dtype(np.float64)), *edges)


def histogram_bin_edges(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None
) -> ArrayType:
    """The edges of bins."""
    return histogram(a, bins, range, None, weights)[1]
