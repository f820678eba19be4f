"""Functions of ``experimental.numpy`` that make tensors: of a shape, a range, or a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.experimental.numpy.promotion import array as as_array
from runtime.experimental.numpy.promotion import default_float, joint_dtype, numpy_dtype
from runtime.keras import ops
from runtime.ops.array.constants import cast, identity
from runtime.ops.array.creation import fill
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.shape import shape as shape_of
from runtime.types.dtypes import as_dtype

__all__ = [
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "copy", "diag_indices",
    "empty", "empty_like", "eye", "full", "full_like", "geomspace", "identity_matrix", "linspace",
    "logspace", "meshgrid", "ones", "ones_like", "tri", "zeros", "zeros_like",
]  # fmt: skip


def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """Return a value as a tensor of at least ``ndmin`` axes."""
    result = as_array(val, dtype)
    while len(result.shape) < ndmin:
        result = result[None]
    return result


def asarray(a: Any, dtype: Any = None) -> Any:
    """Return a value as a tensor."""
    return as_array(a, dtype)


asanyarray = ascontiguousarray = asarray


def copy(a: Any) -> Any:
    """Return a copy; on the device of the block, if there is one."""
    return identity(as_array(a))


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """Return a tensor of a shape, filled with a value that broadcasts to it."""
    sizes = [shape] if isinstance(shape, int | np.integer) else shape
    return ops.broadcast_to(as_array(fill_value, dtype), sizes)


def _filled(shape: Any, number: int, dtype: Any) -> Any:
    sizes = [shape] if isinstance(shape, int | np.integer) else shape
    return fill(sizes, as_array(number, dtype))


def ones(shape: Any, dtype: Any = float) -> Any:
    """Return a tensor of ones."""
    return _filled(shape, 1, dtype)


def zeros(shape: Any, dtype: Any = float) -> Any:
    """Return a tensor of zeros."""
    return _filled(shape, 0, dtype)


def empty(shape: Any, dtype: Any = float) -> Any:
    """Return a tensor of zeros."""
    return _filled(shape, 0, dtype)


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True,
    shape: Any = None,
) -> Any:  # fmt: skip
    """Return a tensor of the shape and dtype of another one, filled with a value."""
    like = as_array(a)
    sizes = shape_of(like) if shape is None else shape
    return full(sizes, fill_value, like.dtype if dtype is None else dtype)


def ones_like(a: Any, dtype: Any = None) -> Any:
    """Return ones of the shape of a tensor."""
    return full_like(a, 1, dtype)


def zeros_like(a: Any, dtype: Any = None) -> Any:
    """Return zeros of the shape of a tensor."""
    return full_like(a, 0, dtype)


def empty_like(a: Any, dtype: Any = None) -> Any:
    """Return zeros of the shape of a tensor."""
    return full_like(a, 0, dtype)


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Any:
    """Return a matrix with ones on a diagonal."""
    return ops.eye(N, M, k, dtype=as_dtype(numpy_dtype(dtype)).name)


def identity_matrix(n: int, dtype: Any = float) -> Any:
    """Return a square matrix with ones on the diagonal."""
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """Return a matrix with ones at and below a diagonal."""
    return ops.tri(N, M, k, dtype=as_dtype(numpy_dtype(dtype or float)).name)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Return evenly spaced numbers, without the end; int64 or floats."""
    first, end = (0, start) if stop is None else (start, stop)
    kind = joint_dtype(first, end, step) if dtype is None else numpy_dtype(dtype)
    values = [as_array(value, kind) for value in (first, end, step)]
    if kind.kind in "iu" and kind.itemsize < 4:
        return cast(range_of(*[as_array(v, np.int32) for v in values]), as_dtype(kind))
    return range_of(*values)


def _spaced(function: Any, start: Any, stop: Any, dtype: Any, **keywords: Any) -> Any:
    kind = joint_dtype(start, stop)
    kind = kind if kind.kind in "fc" else default_float()
    result = function(as_array(start, kind), as_array(stop, kind), **keywords)
    if dtype is None or dtype is float:
        return result
    name = as_dtype(numpy_dtype(dtype))
    if isinstance(result, tuple):
        return cast(result[0], name), result[1]
    return cast(result, name)


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: Any = float, axis: int = 0,
) -> Any:  # fmt: skip
    """Return ``num`` evenly spaced numbers, and with ``retstep`` their distance."""
    return _spaced(ops.linspace, start, stop, dtype, num=num, endpoint=endpoint, retstep=retstep,
                   axis=axis)  # fmt: skip


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: float = 10.0,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    """Return powers of ``base`` whose exponents are evenly spaced."""
    return _spaced(ops.logspace, start, stop, dtype, num=num, endpoint=endpoint, base=base,
                   axis=axis)  # fmt: skip


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """Return numbers each of which is the one before times the same factor."""
    return _spaced(ops.geomspace, start, stop, dtype, num=num, endpoint=endpoint, axis=axis)


def meshgrid(*xi: Any, indexing: str = "xy", **kwargs: Any) -> list[Any]:
    """Return the coordinates of the points of a grid, a tensor for each axis.

    ValueError: an argument is unknown, or ``sparse`` is true.
    """
    if set(kwargs) - {"sparse", "copy"}:
        raise ValueError(f"meshgrid: unknown arguments {sorted(kwargs)}")
    if kwargs.get("sparse"):
        raise ValueError("tf.meshgrid doesn't support sparse=True")
    return ops.meshgrid(*[as_array(x) for x in xi], indexing=indexing)


def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """Return the indices of the diagonal of an array of ``ndim`` axes of size ``n``."""
    return (range_of(n),) * ndim
