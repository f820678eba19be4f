"""Functions that make arrays: of sizes, of ranges, of other arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    NoRuleError,
    axis_of,
    broadcast,
    common,
    dtype_or,
    known,
    product,
    size_between,
    sizes_of,
    total,
    typed,
    whole,
)


def array(
    object: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K", subok: Any = False,
    ndmin: Any = 0,
) -> ArrayType:  # fmt: skip
    """An array of an array-like value."""
    operand = typed(object)
    dims = (1,) * (known(ndmin) - operand.rank) + operand.dims
    source = None if known(copy) else operand.source
    return ArrayType(dims, dtype_or(dtype, operand.dtype), is_array=True, source=source)


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None
) -> ArrayType:
    """An array of an array-like value, which may be that itself."""
    return array(a, dtype)._replace(source=typed(a).source)


def ascontiguousarray(a: Any, dtype: Any = None) -> ArrayType:
    """An array of at least one axis, which may be the value itself."""
    return array(a, dtype, ndmin=1)._replace(source=typed(a).source)


def copy(a: Any, order: Any = "K", subok: Any = False) -> ArrayType:
    """A copy."""
    return array(a)


def converted(kind: Any) -> Callable[..., ArrayType]:
    """Rule of a scalar type of NumPy's: of an array it gives an array."""

    def rule(value: Any = 0) -> ArrayType:
        operand = typed(value)
        source = operand.source if operand.dims else None  # an array of the type is returned
        return ArrayType(operand.dims, np.dtype(kind), source=source)

    return rule


def astype(
    a: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True,
    copy: Any = True,
) -> ArrayType:  # fmt: skip
    """An array of another dtype."""
    return typed(a).of(dtype_or(dtype, None))._replace(is_array=typed(a).is_array)


def flatten(a: Any, order: Any = "C") -> ArrayType:
    """All elements in a row."""
    operand = typed(a)
    return operand.with_dims((product(operand.dims),))


def of_shape(shape: Any, dtype: Any = None, order: Any = "C") -> ArrayType:
    """Rule of ``zeros``, ``ones`` and ``empty``."""
    return ArrayType(sizes_of(shape), dtype_or(dtype, np.float64), is_array=True)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> ArrayType:
    """An array of one value."""
    dims = sizes_of(shape)
    return ArrayType(dims, dtype_or(dtype, typed(fill_value).dtype), is_array=True)


def like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None
) -> ArrayType:
    """Rule of ``zeros_like``, ``ones_like`` and ``empty_like``."""
    operand = typed(a)
    dims = operand.dims if shape is None else sizes_of(shape)
    return ArrayType(dims, dtype_or(dtype, operand.dtype), is_array=True)


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: Any = True,
    shape: Any = None,
) -> ArrayType:  # fmt: skip
    """An array of one value, of the type of another array."""
    return like(a, dtype, order, subok, shape)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> ArrayType:
    """A range: its size is known for known integers."""
    given = [typed(bound) for bound in (start, stop, step) if bound is not None]
    if any(operand.rank for operand in given):
        raise NoRuleError
    is_whole = all(operand.dtype.kind in "iu" for operand in given)
    low, high = (0, start) if stop is None else (start, stop)
    size = None
    if is_whole and (step is None or known_or_none(step) != 0):
        size = size_between(low, high, 1 if step is None else step)
    # its numbers are at least as wide as Python's
    return ArrayType((size,), dtype_or(dtype, common(np.int64, *[x.dtype for x in given])))


def known_or_none(value: Any) -> Any:
    """A known argument; None if only a run tells it."""
    try:
        return known(value)
    except NoRuleError:
        return None


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, order: Any = "C") -> ArrayType:
    """A matrix with ones in a diagonal."""
    return ArrayType(sizes_of((N, N if M is None else M)), dtype_or(dtype, None))


def identity(n: Any, dtype: Any = None) -> ArrayType:
    """A square matrix with ones in the diagonal."""
    return eye(n, dtype=float if dtype is None else dtype)


def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> ArrayType:
    """A matrix with ones in a triangle."""
    return eye(N, M, dtype=dtype)


def window(M: Any, beta: Any = None) -> ArrayType:
    """Rule of the windows, such as ``hanning``: floats, as many as asked for."""
    size = whole(M) if typed(M).dtype.kind in "iu" else None
    return ArrayType((None if size is None else max(size, 0),), np.dtype(np.float64))


def linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False,
    dtype: Any = None, axis: Any = 0,
) -> Any:  # fmt: skip
    """Evenly spaced numbers, with the step if asked for."""
    points = spaced(start, stop, num, dtype=dtype, axis=axis)
    if not known(retstep):
        return points
    dims = broadcast(typed(start).dims, typed(stop).dims)
    return points, ArrayType(dims, common(start, stop, 1.0))


def spaced(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0,
    dtype: Any = None, axis: Any = 0,
) -> ArrayType:  # fmt: skip
    """Rule of ``logspace``: the dtype is that of floats, in which it is computed."""
    if typed(base).rank:
        raise NoRuleError
    dims = broadcast(typed(start).dims, typed(stop).dims)
    place = axis_of(axis, len(dims) + 1)
    dims = (*dims[:place], *sizes_of((num,)), *dims[place:])
    # the number of points takes part as a float of Python's
    return ArrayType(dims, dtype_or(dtype, common(start, stop, 1.0)))


def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> ArrayType:
    """Numbers spaced by a factor."""
    return spaced(start, stop, num, dtype=dtype, axis=axis)


def vander(x: Any, N: Any = None, increasing: Any = False) -> ArrayType:
    """Powers of the elements of a vector."""
    x = typed(x)
    if x.rank != 1:
        raise NoRuleError
    size = x.dims[0] if N is None else sizes_of((N,))[0]
    return ArrayType((x.dims[0], size), np.promote_types(x.dtype, np.int64))


def meshgrid(
    *xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy"
) -> tuple[ArrayType, ...]:
    """Coordinates of a grid."""
    arrays = [typed(x) for x in xi]
    if any(x.rank > 1 for x in arrays):
        raise NoRuleError
    sizes = [x.dims[0] if x.rank else 1 for x in arrays]
    order = [*range(len(sizes))]
    if indexing == "xy":
        order[:2] = order[:2][::-1]
    results = []
    for number, x in enumerate(arrays):
        dims = [sizes[n] if not known(sparse) or n == number else 1 for n in order]
        source = None if known(copy) else x.source
        results.append(x.with_dims(dims)._replace(is_array=True, source=source))
    return tuple(results)


def indices(dimensions: Any, dtype: Any = int, sparse: Any = False) -> Any:
    """The indices of an array."""
    dims = sizes_of(dimensions)
    if not known(sparse):
        return ArrayType((len(dims), *dims), dtype_or(dtype, None))
    rank, result_dtype = len(dims), dtype_or(dtype, None)
    return tuple([
        ArrayType(tuple([size if n == axis else 1 for n in range(rank)]), result_dtype)
        for axis, size in enumerate(dims)
    ])  # fmt: skip


def diag_indices(n: Any, ndim: Any = 2) -> tuple[ArrayType, ...]:
    """The indices of a diagonal."""
    size = sizes_of((n,)) if typed(n).dtype.kind in "iu" else (None,)
    return (ArrayType(size, common(np.int64, typed(n).dtype)),) * known(ndim)


def triangle_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[ArrayType, ...]:
    """Rule of ``tril_indices`` and ``triu_indices``: how many there are, nothing tells."""
    return (ArrayType((None,), np.dtype(np.int64)),) * 2


def grid(key: Any) -> ArrayType:
    """``mgrid[key]``."""
    slices = key if type(key) is tuple else (key,)
    dtype = _range_dtype(slices)
    leading = (len(slices),) if type(key) is tuple else ()
    return ArrayType((*leading, *[None] * len(slices)), dtype)


def open_grid(key: Any) -> Any:
    """``ogrid[key]``."""
    slices = key if type(key) is tuple else (key,)
    dtype, rank = _range_dtype(slices), len(slices)
    ranges = [
        ArrayType(tuple([None if n == axis else 1 for n in range(rank)]), dtype)
        for axis in range(rank)
    ]  # fmt: skip
    return tuple(ranges) if type(key) is tuple else ranges[0]


def _range_dtype(slices: Any) -> np.dtype[Any]:
    bounds = [x for s in slices for x in (s.start, s.stop, s.step) if x is not None]
    if any(typed(bound).python is None for bound in bounds):
        raise NoRuleError
    is_whole = all(typed(bound).dtype.kind == "i" for bound in bounds)
    return np.dtype(np.int64 if is_whole else np.float64)


def row(key: Any) -> ArrayType:
    """``r_[key]`` of numbers, vectors and ranges."""
    parts = [_part(part) for part in (key if type(key) is tuple else (key,))]
    if any(part.rank > 1 for part in parts):
        raise NoRuleError
    sizes = [part.dims[0] if part.rank else 1 for part in parts]
    return ArrayType((total(*sizes),), common(*[_settled(part) for part in parts]))


def _settled(part: ArrayType) -> Any:
    return part if part.python and not part.rank else part.dtype


def _part(part: Any) -> ArrayType:
    if isinstance(part, slice):
        return ArrayType((None,), _range_dtype([part]))
    return typed(part)


def fftfreq(n: Any, d: Any = 1.0, device: Any = None) -> ArrayType:
    """The frequencies of a transform."""
    return ArrayType(sizes_of((n,)), common(np.float64, d))


def rfftfreq(n: Any, d: Any = 1.0, device: Any = None) -> ArrayType:
    """The frequencies of a transform of real numbers."""
    (size,) = sizes_of((n,))
    return ArrayType((None if size is None else size // 2 + 1,), common(np.float64, d))


