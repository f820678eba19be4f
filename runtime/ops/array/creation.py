"""Op definitions that make tensors of sizes and limits: fill, zeros, ranges, grids, one-hot."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.op import define
from runtime.ops.rules import elements
from runtime.ops.rules.inference import broadcast_shapes, normal_axis, scalar_value, shape_from
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import Composes, Native, OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.ops.rules.static_arguments import dims_of, dtype_of, static_int, whole_numbers
from runtime.types.aliases import AxisLike, DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import (
    Array,
    DType,
    as_dtype,
    bool_,
    float32,
    float64,
    int32,
    int64,
    string,
)
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = [
    "eye", "fill", "linspace", "meshgrid", "one_hot", "ones", "ones_like", "range", "zeros",
    "zeros_like",
]  # fmt: skip


def _fill(dims: Array, value: Array) -> Any:
    if np.ndim(value):
        raise IncompatibleShapesError(
            f"fill: value must be a scalar, got shape {list(np.shape(value))}. "
            "Use runtime.broadcast_to(value, dims)."
        )
    return np.full(dims_of(dims, "dims"), value, value.dtype)


def _fill_infer(dims: TensorSpec, value: TensorSpec) -> TensorSpec:
    if value.shape.dims:
        raise IncompatibleShapesError(
            f"fill: value must be a scalar, got shape {list(value.shape.dims)}. "
            "Use runtime.broadcast_to(value, dims)."
        )
    return TensorSpec(shape_from(dims), value.dtype)


fill_op = define(
    "fill",
    inputs="dims value",
    same_dtype_inputs=slice(1, 2),
    kernel=_fill,
    infer=_fill_infer,
    grad=lazy_gradient("shape.fill"),
    node_name="Fill", lower=OnArrays(fills=1, like="backprop.filled"),
    raises=(),
    samples=lambda: [case([2, 3], 1.5), case(array([], np.int32), 4), case([2], "a")],
    doc="Make a tensor of shape ``dims`` whose elements are all ``value``.",
)


def fill(dims: ShapeLike, value: TensorLike, name: str | None = None) -> Any:
    """Make a tensor whose elements are all equal.

    Args:
        dims: shape of the result, integers of 0 or more; it may be a tensor.
        value: scalar of any dtype.
    Returns:
        Tensor of shape ``dims`` and of the dtype of ``value``.
    Raises:
        InvalidArgumentError: a size is negative, or ``value`` is no scalar (also a ValueError).
    """
    return fill_op(whole_numbers(dims, "dims"), value, name=name)


def _filled(shape: Any, number: int, dtype: DType, name: str | None) -> Any:
    value = np.array(number).astype(dtype.as_numpy_dtype)
    if dtype is string:
        value = np.array(b"", object)
    return fill_op(whole_numbers(shape), value, name=name)


def zeros(shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None) -> Any:
    """Make a tensor of zeros, or of empty strings.

    Args:
        shape: shape of the result, integers of 0 or more; it may be a tensor.
        dtype: dtype of the result.
    Returns:
        Tensor of that shape and dtype.
    Raises:
        InvalidArgumentError: a size is negative (also a ValueError).
    """
    return _filled(shape, 0, as_dtype(dtype), name)


def ones(shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None) -> Any:
    """Make a tensor of ones.

    Args:
        shape: shape of the result, integers of 0 or more; it may be a tensor.
        dtype: dtype of the result, any but string.
    Returns:
        Tensor of that shape and dtype.
    Raises:
        TypeError: ``dtype`` is string.
        InvalidArgumentError: a size is negative (also a ValueError).
    """
    if as_dtype(dtype) is string:
        raise TypeError("ones: there is no one among strings; use runtime.fill(shape, text)")
    return _filled(shape, 1, as_dtype(dtype), name)


def _zeros_like(x: Array, *, dtype: DType) -> Any:
    if dtype is string:
        return np.full(np.shape(x), b"", object)
    return np.zeros(np.shape(x), dtype.as_numpy_dtype)


def _likes() -> list[OpSample]:
    inputs = [spread(0, 1, 2, 3), array(5), np.zeros((0, 2), bool)]
    return [OpSample((x,), {"dtype": d}) for x in inputs for d in (float32, int32, bool_)]


zeros_like_op = define(
    "zeros_like", inputs="input", same_dtype_inputs=None, kernel=_zeros_like, grad=None,
    node_name="ZerosLike",
    infer=lambda x, *, dtype: TensorSpec(x.shape, dtype), samples=_likes,
    never_raises=True, raises=(), like_value=0, lower=Composes("backprop.zeros_like"),
    doc="Make zeros in the shape of the input.",
)  # fmt: skip
ones_like_op = define(
    "ones_like", inputs="input", same_dtype_inputs=None, grad=None, node_name="OnesLike",
    samples=_likes,
    kernel=lambda x, *, dtype: np.ones(np.shape(x), dtype.as_numpy_dtype),
    infer=lambda x, *, dtype: TensorSpec(x.shape, dtype),
    never_raises=True, raises=(), like_value=1, lower=Composes("backprop.ones_like"),
    doc="Ones in the shape of the input.",
)  # fmt: skip


def zeros_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """Make a tensor of zeros in the shape of another tensor.

    Args:
        input: tensor of any dtype.
        dtype: dtype of the result; by default that of ``input``.
    Returns:
        Tensor of the shape of ``input``.
    """
    tensor = dispatch.operand(input)
    return zeros_like_op(tensor, dtype=dtype_of(dtype, tensor.dtype), name=name)


def ones_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
    """Make a tensor of ones in the shape of another tensor.

    Args:
        input: tensor of any dtype.
        dtype: dtype of the result, any but string; by default that of ``input``.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        TypeError: the dtype is string.
    """
    tensor = dispatch.operand(input)
    result_dtype = dtype_of(dtype, tensor.dtype)
    if result_dtype is string:
        raise TypeError("ones_like: there is no one among strings")
    return ones_like_op(tensor, dtype=result_dtype, name=name)


def _eye_infer(num_rows: TensorSpec, num_columns: TensorSpec, *, dtype: DType) -> TensorSpec:
    sizes = (scalar_value(num_rows, "num_rows"), scalar_value(num_columns, "num_columns"))
    return TensorSpec([None if n is None else max(n, 0) for n in sizes], dtype)


def _eye(rows: Array, columns: Array, *, dtype: DType) -> Any:
    return np.eye(max(int(rows), 0), max(int(columns), 0), dtype=dtype.as_numpy_dtype)


eye_op = define(
    "eye",
    inputs="num_rows num_columns",
    kernel=checked(_eye, _eye_infer),
    infer=_eye_infer,
    dtype_kinds="iu",
    grad=None, lower=OnArrays(element=elements.identity_matrix),
    samples=lambda: [case(2, 3, dtype=float32), case(0, 1, dtype=int64)],
    doc="Ones on the diagonal of a matrix of zeros.",
)


def eye(num_rows: TensorLike, num_columns: TensorLike | None = None,
        batch_shape: ShapeLike | None = None, dtype: DTypeLike = float32,
        name: str | None = None) -> Any:  # fmt: skip
    """Make an identity matrix, or a batch of them.

    Args:
        num_rows: number of rows, an integer scalar; below 0 it counts as 0.
        num_columns: number of columns; by default that of the rows.
        batch_shape: shape of the batch; by default there is none.
        dtype: dtype of the result.
    Returns:
        Tensor of shape (*batch_shape, num_rows, num_columns) and of dtype ``dtype``.
    Raises:
        InvalidArgumentError: a size of the batch is negative (also a ValueError).
    """
    columns = num_rows if num_columns is None else num_columns
    matrix = eye_op(num_rows, columns, dtype=as_dtype(dtype), name=name)
    if batch_shape is None:
        return matrix
    return fill(batch_shape, np.ones((), matrix.dtype.as_numpy_dtype))[..., None, None] * matrix


RANKING = (int32, int64, float32, float64)


def range_size(start: Any, limit: Any, delta: Any) -> int:
    """How many numbers there are from ``start`` up (down) to ``limit``; at least 0.

    The distance of floats is divided in their own dtype, as TensorFlow does: in another one,
    0.1 to 1.1 by 0.1 would have one number more in float32.
    """
    if delta == 0:
        raise InvalidArgumentError("range: delta must not be 0")
    if isinstance(start, np.ndarray | np.generic) and start.dtype.kind in "iu":
        start, limit, delta = start.item(), limit.item(), delta.item()
    if isinstance(start, int):
        return max(0, -((start - limit) // delta))
    with np.errstate(all="ignore"):
        steps = float((limit - start) / delta)
    if not math.isfinite(steps):
        raise InvalidArgumentError(f"range from {start} to {limit} by {delta} has no end")
    return max(0, math.ceil(steps))


def _range(start: Array, limit: Array, delta: Array) -> Any:
    for label, number in (("start", start), ("limit", limit), ("delta", delta)):
        if np.ndim(number):
            raise IncompatibleShapesError(
                f"range: {label} must be a scalar, got shape {list(number.shape)}"
            )
    size = range_size(start, limit, delta)
    if start.dtype.kind in "iu":
        return np.arange(size, dtype=start.dtype) * delta + start
    return (np.arange(size) * float(delta) + float(start)).astype(start.dtype)


def _range_items(start: Any, limit: Any, delta: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The size of a range, and what gives the k-th number as ``_range`` computes it."""
    spec = _range_infer(start.spec, limit.spec, delta.spec)
    (static_size,) = spec.shape.dims or (None,)
    size = _range_size_op(start, limit, delta) if static_size is None else static_size

    def at(k: Any) -> Any:
        if spec.dtype is int64:
            return k * delta + start
        index = k + np.int64(0)  # by itself a Python int would become an int32
        return _range_item_op(index, start, delta)

    return size, at


def _range_item(k: Array, start: Array, delta: Array) -> Any:
    number = int if start.dtype.kind in "iu" else float
    return start.dtype.type(int(k) * number(delta) + number(start))


def _range_infer(start: TensorSpec, limit: TensorSpec, delta: TensorSpec) -> TensorSpec:
    for label, spec in (("start", start), ("limit", limit), ("delta", delta)):
        if spec.shape.dims:
            raise IncompatibleShapesError(
                f"range: {label} must be a scalar, got shape {list(spec.shape.dims)}"
            )
    ends = (start.value, limit.value, delta.value)
    if any(end is None for end in ends):
        return TensorSpec([None], start.dtype)
    return TensorSpec([range_size(*ends)], start.dtype)


_range_size_op = define(
    "range_size",
    inputs="start limit delta",
    kernel=lambda *ends: np.int64(range_size(*ends)),
    infer=lambda *ends: TensorSpec((), int64),
    dtype_kinds="iuf",
    grad=None,
    lower=Native("range_size"),
    samples=lambda: [
        case(0, 5, 1), case(5, 0, -2), case(0, -3, 1), case(0.5, 2.0, 0.25), case(0.1, 1.1, 0.1),
    ],
    doc="Count the numbers from ``start`` to before ``limit`` in steps of ``delta``.",
)

_range_item_op = define(
    "range_item",
    inputs="k start delta",
    same_dtype_inputs=slice(1, None),
    kernel=_range_item,
    infer=lambda k, start, delta: TensorSpec((), start.dtype),
    dtype_kinds="iuf",
    grad=None,
    raises=(),
    lower=Native("range_item", mixed=True),
    samples=lambda: [case(np.int64(2), 0, 3), case(np.int64(3), 0.5, 0.1)],
    doc="Compute the ``k``-th number of a range, rounded once as in the whole range.",
)

range_op = define(
    "range",
    inputs="start limit delta",
    kernel=_range,
    infer=_range_infer,
    dtype_kinds="iuf",
    grad=None,
    items=_range_items, lower=OnArrays(element=elements.numbers_of_range),
    samples=lambda: [
        case(0, 5, 1), case(5, 0, -2), case(0, -3, 1), case(0.5, 2.0, 0.25), case(0.1, 1.1, 0.1),
    ],
    doc="Make the numbers from ``start`` to before ``limit`` in steps of ``delta``.",
)


def range(start: TensorLike, limit: TensorLike | None = None, delta: TensorLike = 1,
          dtype: DTypeLike | None = None, name: str = "range") -> Any:  # fmt: skip
    """Make a vector of evenly spaced numbers, as Python's ``range`` does.

    Args:
        start: first number, a numeric scalar; the limit, if ``limit`` is None.
        limit: end of the numbers, which is left out.
        delta: distance between two numbers, not 0.
        dtype: dtype of the result; by default the widest of the arguments' among int32, int64,
            float32 and float64.
    Returns:
        Tensor of shape (max(0, ceil((limit - start) / delta)),).
    Raises:
        InvalidArgumentError: ``delta`` is 0, or an argument is no scalar (also a ValueError).
    """
    if limit is None:
        start, limit = 0, start
    if dtype is not None:
        common = as_dtype(dtype)
        ends = [
            cast(v, common) if isinstance(v, Value) else dispatch.convert(v, common)
            for v in (start, limit, delta)
        ]
        return range_op(*ends, name=name)
    ends = [dispatch.convert(v) for v in (start, limit, delta)]
    dtypes = [e.dtype for e in ends if e.dtype in RANKING]
    common = max(dtypes, key=RANKING.index) if len(dtypes) == len(ends) else ends[1].dtype
    return range_op(*[cast(e, common) for e in ends], name=name)


def _linspace(start: Array, stop: Array, num: Array, *, axis: int) -> Any:
    return np.linspace(start, stop, int(num), axis=axis, dtype=start.dtype)


def _linspace_infer(
    start: TensorSpec, stop: TensorSpec, num: TensorSpec, *, axis: int
) -> TensorSpec:
    dims = broadcast_shapes(start.shape, stop.shape).dims
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, start.dtype)
    size = scalar_value(num, "linspace: num")
    if size is not None and size < 0:
        raise InvalidArgumentError(f"linspace: num must be 0 or more, got {size}")
    at = normal_axis(axis, len(dims) + 1)
    return TensorSpec((*dims[:at], size, *dims[at:]), start.dtype)


linspace_op = define(
    "linspace",
    inputs="start stop num",
    same_dtype_inputs=slice(0, 2),
    kernel=checked(_linspace, _linspace_infer),
    infer=_linspace_infer,
    dtype_kinds="f",
    grad=lazy_gradient("shape.linspace"),
    node_name="LinSpace",
    samples=lambda: [case(0.0, 1.0, 5, axis=0), case([0.0, 1.0], [4.0, 5.0], 3, axis=-1)],
    doc="Make ``num`` evenly spaced numbers from ``start`` to ``stop``, both included.",
)


def linspace(
    start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None, axis: int = 0
) -> Any:
    """Make evenly spaced numbers between two ends, both included.

    Args:
        start: first entry, a tensor of a floating or integer dtype.
        stop: last entry, of the dtype of ``start``; the shapes broadcast.
        num: number of entries, an integer scalar of 0 or more.
        axis: position of the new axis in the result.
    Returns:
        Tensor of the ends' dtype (of integers float64, of 8 and 16 bits float32), with a new axis
        of size ``num``.
    Raises:
        InvalidArgumentError: ``num`` is negative, or the ends do not fit each other.
    """
    count = whole_numbers(num, "num")
    first = dispatch.convert(start)
    if first.dtype.is_integer:
        end = dispatch.convert(stop, first.dtype)
        wide = float32 if first.dtype.size <= 2 else float64
        start, stop = cast(first, wide), cast(end, wide)
    return linspace_op(start, stop, count, axis=static_int(axis, "axis"), name=name)


def _meshgrid(*args: Array, indexing: str) -> Any:
    return tuple(np.meshgrid(*args, indexing=indexing))  # type: ignore[call-overload]


def _meshgrid_infer(*args: TensorSpec, indexing: str) -> Any:
    if any(a.shape.dims is None for a in args):
        return tuple(TensorSpec([None] * len(args), a.dtype) for a in args)
    dims: list[Any] = [a.shape.num_elements() for a in args]
    if indexing == "xy" and len(dims) > 1:
        dims[0], dims[1] = dims[1], dims[0]
    return tuple(TensorSpec(TensorShape(dims), a.dtype) for a in args)


meshgrid_op = define(
    "meshgrid",
    inputs="*args",
    same_dtype_inputs=None,
    kernel=_meshgrid,
    infer=_meshgrid_infer,
    grad=lazy_gradient("shape.meshgrid"),
    samples=lambda: [
        case([1, 2, 3], [4.0, 5.0], indexing="xy"),
        case([1, 2, 3], [4, 5], [6], indexing="ij"),
        case([1, 2], indexing="xy"),
    ],
    doc="Make the coordinate grids of coordinate vectors.",
)


def meshgrid(*args: Any, indexing: str = "xy", name: str = "meshgrid") -> Any:
    """Make coordinate grids of coordinate vectors.

    Args:
        args: vectors of one dtype.
        indexing: 'xy' exchanges the first two axes, 'ij' does not.
    Returns:
        List of as many tensors as ``args``, each of the shape that the vectors' sizes make.
    Raises:
        ValueError: ``indexing`` is neither 'xy' nor 'ij'.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` must be either 'xy' or 'ij', got {indexing!r}")
    return list(meshgrid_op(*args, indexing=indexing, name=name)) if args else []


def _one_hot(indices: Array, depth: Array, on: Array, off: Array, *, axis: int) -> Any:
    hot = np.expand_dims(indices, -1) == np.arange(int(depth), dtype=indices.dtype)
    return np.moveaxis(np.where(hot, on, off), -1, axis % (indices.ndim + 1))


def _one_hot_infer(
    indices: TensorSpec, depth: TensorSpec, on: TensorSpec, off: TensorSpec, *, axis: int
) -> TensorSpec:
    dims = indices.shape.dims
    size = scalar_value(depth, "one_hot: depth")
    if size is not None and size < 0:
        raise InvalidArgumentError(f"one_hot: depth must be 0 or more, got {size}")
    scalar_value(TensorSpec(on.shape), "one_hot: on_value")
    scalar_value(TensorSpec(off.shape), "one_hot: off_value")
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, on.dtype)
    at = normal_axis(axis, len(dims) + 1)
    return TensorSpec((*dims[:at], size, *dims[at:]), on.dtype)


one_hot_op = define(
    "one_hot",
    inputs="indices depth on_value off_value",
    same_dtype_inputs=slice(2, 4),
    kernel=checked(_one_hot, _one_hot_infer),
    infer=_one_hot_infer,
    grad=lazy_gradient("shape.one_hot"), lower=OnArrays(element=elements.one_hot),
    samples=lambda: [
        case([0, 2, -1], 3, 1.0, 0.0, axis=-1),
        case([[0, 1], [1, 5]], 2, True, False, axis=1),
        case(1, 3, 5, 2, axis=0),
    ],
    doc="Make vectors with ``on_value`` at the index and ``off_value`` elsewhere, along a new "
    "axis.",
)


def one_hot(indices: TensorLike, depth: TensorLike, on_value: TensorLike | None = None,
            off_value: TensorLike | None = None, axis: AxisLike | None = None,
            dtype: DTypeLike | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Make one-hot vectors of indices.

    An index outside of 0 .. depth - 1 gives a vector of ``off_value``.

    Args:
        indices: tensor of an integer dtype, of rank R.
        depth: size of the new axis, an integer scalar of 0 or more.
        on_value: scalar at the index; 1 by default.
        off_value: scalar elsewhere; 0 by default.
        axis: position of the new axis, from -1 (the default) to R.
        dtype: dtype of the result; by default that of ``on_value`` or ``off_value``, else float32.
    Returns:
        Tensor of rank R + 1.
    Raises:
        InvalidArgumentError: ``depth`` is negative or ``axis`` is out of range (also a ValueError).
    """
    values_given = [v for v in (on_value, off_value) if v is not None]
    if dtype is not None:
        result_dtype = as_dtype(dtype)
    else:
        result_dtype = dispatch.convert(values_given[0]).dtype if values_given else float32
    on, off = (
        dispatch.convert(np.array(default).astype(result_dtype.as_numpy_dtype))
        if value is None
        else dispatch.convert(value, result_dtype)
        for value, default in ((on_value, 1), (off_value, 0))
    )
    at = -1 if axis is None else static_int(axis, "axis")
    return one_hot_op(whole_numbers(indices, "indices"), depth, on, off, axis=at, name=name)
