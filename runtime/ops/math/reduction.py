"""Op definitions of reductions along axes: sums, extremes, means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array import dynamic_axes
from runtime.ops.docstrings import of_dtype, summary
from runtime.ops.op import COSTLY, NUMERIC, REDUCTION, ROUNDS_ONCE, OpDef, Trait, define, lookup
from runtime.ops.rules import loops
from runtime.ops.rules.inference import normal_axis, reduced_shape, reduction, reduction_as
from runtime.ops.rules.kernels import check_axes, reducing
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import Composes, OnArrays, Reduces
from runtime.ops.rules.never_raises import one_axis_each
from runtime.ops.rules.samples import OpSample, array, spread
from runtime.ops.rules.static_arguments import static_axis, static_int
from runtime.types.aliases import AxisLike, DTypeLike, TensorLike
from runtime.types.dtypes import Array, as_dtype, bool_, int32, int64
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec

__all__ = [
    "argmax", "argmin", "count_nonzero", "reduce_all", "reduce_any", "reduce_euclidean_norm",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_std",
    "reduce_sum", "reduce_variance",
]  # fmt: skip

_SUM: Any = np.add.reduce
AXES = (None, 0, -1, (0, 1), ())


def _cases(*arrays: Any) -> list[OpSample]:
    return [
        OpSample((x,), {"axis": axis, "keepdims": keep})
        for x in arrays
        for axis in AXES
        for keep in (False, True)
        if x.ndim == 2 or axis is None
    ]


def _floats() -> list[OpSample]:
    wide = array([[1.0, -np.inf], [np.nan, 2.0]])
    empty = [spread(0, 1, 0, 3), spread(0, 1, 2, 0)]
    return _cases(spread(-3, 3, 2, 3), spread(-3, 3), wide, *empty)


def _numbers() -> list[OpSample]:
    return [*_floats(), *_cases(array([[7, -2], [3, 5]]), np.array([[100, 100]], np.int8))]


def _booleans() -> list[OpSample]:
    return _cases(np.array([[True, False], [True, True]]), np.array(True), np.zeros((0, 2), bool))


REDUCER = """{doc}

Args:
    input_tensor: tensor of {taken}.
    axis: axis or axes to reduce; by default all. It may be a tensor.
    keepdims: whether to keep the axes with size 1.
Returns:
    Tensor of {result}, without the axes.
Raises:
    InvalidArgumentError: ``input_tensor`` has another dtype (also a TypeError), or an axis is out
        of range (also a ValueError).
"""


REAL = "the dtype of ``input_tensor``, or of its parts if it is complex"


def _reducer(op: OpDef, result: str = "the dtype of ``input_tensor``") -> Callable[..., Any]:
    """The public function of an op definition; all reductions have the same arguments."""

    def reduce(input_tensor: TensorLike, axis: AxisLike | None = None, keepdims: bool = False,
               name: str | None = None) -> Any:  # fmt: skip
        if axis is not None and type(axis) is not int:
            if dynamic_axes.is_computed(axis):
                return dynamic_axes.reduced(op, input_tensor, axis, bool(keepdims), name=name)
            axis = static_axis(axis)
        return op.direct(input_tensor, axis, bool(keepdims), name)

    reduce.__name__ = reduce.__qualname__ = op.name
    reduce.__doc__ = REDUCER.format(
        doc=summary(str(op.__doc__)), taken=of_dtype(op.dtype_kinds), result=result
    )
    return reduce


def _definition(
    name: str, kernel: Any, node_name: str, dtype_kinds: str, doc: str, *traits: Trait,
    **fields: Any,
) -> OpDef:  # fmt: skip
    fields.setdefault("infer", reduction)
    fields.setdefault("never_raises", one_axis_each)
    fields.setdefault("samples", _numbers if "i" in dtype_kinds else _floats)
    return define(
        name, inputs="input_tensor", kernel=kernel, dtype_kinds=dtype_kinds, node_name=node_name,
        traits=(REDUCTION, *traits),
        doc=f"{doc} along axes.", **fields,
    )  # fmt: skip


sum_op = _definition(
    "reduce_sum", reducing(np.add.reduce), "Sum", NUMERIC, "Compute the sum of the elements",
    COSTLY, overloads=(np.sum,), grad=lazy_gradient("reduction.sum"),
    segment_op="unsorted_segment_sum", lower=Reduces("add", kinds="biufc"),
)  # fmt: skip
reduce_sum = _reducer(sum_op)

prod_op = _definition(
    "reduce_prod", reducing(np.multiply.reduce), "Prod", NUMERIC,
    "Compute the product of the elements",
    overloads=(np.prod,), segment_op="unsorted_segment_prod",
    grad=holomorphic(lazy_gradient("reduction.prod")), lower=Reduces("mul", kinds="biufc"),
)  # fmt: skip
reduce_prod = _reducer(prod_op)


def _extreme(function: Any, sign: int) -> Callable[..., Any]:
    """Kernel of max and min: of nothing they give the dtype's end, as in TensorFlow."""

    def extreme(x: Array, *, axis: Any, keepdims: bool) -> Any:
        if x.size:
            return function(x, axis=axis, keepdims=keepdims)
        if x.dtype.kind == "f":
            start = -sign * np.inf
        else:
            limits = np.iinfo(x.dtype)
            start = limits.min if sign > 0 else limits.max
        return function(x, axis=axis, keepdims=keepdims, initial=x.dtype.type(start))

    return reducing(extreme, keep_dtype=False)


max_op = _definition(
    "reduce_max", _extreme(np.maximum.reduce, 1), "Max", "iuf", "Find the greatest element",
    ROUNDS_ONCE,
    overloads=(np.max,),
    grad=lazy_gradient("reduction.extreme"), segment_op="unsorted_segment_max",
    lower=Reduces("max"),
)
reduce_max = _reducer(max_op)

min_op = _definition(
    "reduce_min", _extreme(np.minimum.reduce, -1), "Min", "iuf", "Find the least element",
    ROUNDS_ONCE, overloads=(np.min,),
    grad=lazy_gradient("reduction.extreme"), segment_op="unsorted_segment_min",
    lower=Reduces("min"),
)
reduce_min = _reducer(min_op)


_WIDE = frozenset([np.dtype(np.float32), np.dtype(np.float64)])


def _mean(x: Array, *, axis: Any, keepdims: bool) -> Any:
    check_axes(x, axis)
    if x.size and x.dtype.kind in "fc":
        if x.dtype not in _WIDE:
            return np.mean(x, axis=axis, keepdims=keepdims)
        total = _SUM(x, axis=axis, keepdims=keepdims)
        return total / x.dtype.type(x.size // total.size)  # what ``mean`` does
    total = np.sum(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    count = x.size // total.size if total.size else 1
    if x.dtype.kind in "fc":
        return total / x.dtype.type(count)  # of no elements: 0 / 0
    return _mean_of_integers(x, count, axis, keepdims) if count else total


def _mean_of_integers(x: Array, count: int, axis: Any, keepdims: bool) -> Any:
    """Mean, truncated towards zero, without the sum of the elements, which may not fit."""
    wide = x.astype(np.uint64 if x.dtype.kind == "u" else np.int64)
    size = wide.dtype.type(count)
    wholes = np.sum(wide // size, axis=axis, keepdims=keepdims)
    rests = np.sum(wide % size, axis=axis, keepdims=keepdims)
    mean = wholes + rests // size
    return (mean + ((mean < 0) & (rests % size != 0)).astype(mean.dtype)).astype(x.dtype)


def _mean_of_sums(reduce: Callable[[OpDef, Any], Any], x: Any) -> Any:
    return reduce(sum_op, x) / reduce(sum_op, lookup("ones_like")(x, dtype=x.dtype))


mean_op = _definition(
    "reduce_mean", _mean, "Mean", NUMERIC,
    "Compute the mean of the elements (of integers, truncated towards zero)", ROUNDS_ONCE, COSTLY,
    overloads=(np.mean,),
    grad=lazy_gradient("reduction.mean"), reduced_by=_mean_of_sums,
    lower=Reduces("add", kinds="fc", mean=True),
)  # fmt: skip
reduce_mean = _reducer(mean_op)


def _variance(x: Array, *, axis: Any, keepdims: bool) -> Any:
    distance = np.abs(x - _mean(x, axis=axis, keepdims=True))
    return _mean(distance * distance, axis=axis, keepdims=keepdims)


def _real_reduction(x: TensorSpec, *, axis: Any, keepdims: bool) -> TensorSpec:
    return TensorSpec(reduced_shape(x.shape, axis, keepdims), x.dtype.real_dtype)


variance_op = _definition(
    "reduce_variance", _variance, "Variance", "fc",
    "Compute the variance of the elements", COSTLY, overloads=(np.var,), infer=_real_reduction,
    grad=lazy_gradient("reduction.variance"), lower=Composes("reduction.variance"),
)  # fmt: skip
reduce_variance = _reducer(variance_op, REAL)

def _std(x: Array, *, axis: Any, keepdims: bool) -> Any:
    return np.sqrt(_variance(x, axis=axis, keepdims=keepdims))


std_op = _definition(
    "reduce_std", _std, "Std", "fc",
    "Compute the standard deviation of the elements", COSTLY, overloads=(np.std,),
    infer=_real_reduction, grad=lazy_gradient("reduction.std"), lower=Composes("reduction.std"),
)  # fmt: skip
reduce_std = _reducer(std_op, REAL)


def _euclidean(x: Array, *, axis: Any, keepdims: bool) -> Any:
    check_axes(x, axis)
    size = np.abs(x)
    root = np.sqrt(np.sum(size * size, axis=axis, keepdims=keepdims, dtype=size.dtype))
    return root.astype(size.dtype)


euclidean_op = _definition(
    "reduce_euclidean_norm", _euclidean, "EuclideanNorm", "iufc",
    "Compute the square root of the sum of squares along axes.", COSTLY, infer=_real_reduction,
    grad=lazy_gradient("reduction.euclidean_norm"), lower=Composes("reduction.euclidean_norm"),
)  # fmt: skip
_euclidean_norm = _reducer(euclidean_op)


def reduce_euclidean_norm(input_tensor: TensorLike, axis: AxisLike | None = None,
                          keepdims: bool = False, name: str | None = None) -> Any:  # fmt: skip
    """Compute the square root of the sum of squares along axes.

    Args:
        input_tensor: tensor of a numeric dtype.
        axis: axis or axes; by default all.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor of the dtype of ``input_tensor``, without the axes.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of
            range (also a ValueError).
    """
    x = dispatch.convert(input_tensor)
    norm = _euclidean_norm(x, axis, keepdims, name)
    return lookup("cast")(norm, dtype=x.dtype) if x.dtype.is_complex else norm



def finite_top(x: Array, axis: Any) -> Any:
    """The greatest elements along axes, which are kept with size 1; 0 for those not finite."""
    top = np.maximum.reduce(x, axis=axis, keepdims=True, initial=x.dtype.type(-np.inf))
    finite = np.isfinite(top)
    return top if finite.all() else np.where(finite, top, x.dtype.type(0))


def logsumexp(x: Array, *, axis: Any, keepdims: bool) -> Any:
    """``log(sum(exp(x)))`` without overflow: the greatest element is taken out first."""
    check_axes(x, axis)
    top = finite_top(x, axis)
    powers = np.exp(x - top)
    total = np.log(_SUM(powers, axis=axis, keepdims=keepdims, dtype=x.dtype))
    return total + (top if keepdims else top.reshape(np.shape(total)))


logsumexp_op = _definition(
    "reduce_logsumexp", logsumexp, "LogSumExp", "f",
    "Compute ``log(sum(exp(x)))`` without overflow", COSTLY,
    grad=lazy_gradient("reduction.logsumexp"), lower=Composes("reduction.logsumexp"),
)  # fmt: skip
reduce_logsumexp = _reducer(logsumexp_op)



def _by_numbers(op: OpDef) -> Callable[..., Any]:
    def reduced(reduce: Callable[[OpDef, Any], Any], x: Any) -> Any:
        return lookup("cast")(reduce(op, lookup("cast")(x, dtype=int32)), dtype=bool_)

    return reduced


any_op = _definition(
    "reduce_any", reducing(np.logical_or.reduce, keep_dtype=False), "Any", "b",
    "Test whether any element is true", grad=None, overloads=(np.any,), samples=_booleans,
    infer=reduction_as(bool_), reduced_by=_by_numbers(sum_op), lower=Reduces("or"),
)  # fmt: skip
reduce_any = _reducer(any_op)

all_op = _definition(
    "reduce_all", reducing(np.logical_and.reduce, keep_dtype=False), "All", "b",
    "Test whether all elements are true", grad=None, overloads=(np.all,), samples=_booleans,
    infer=reduction_as(bool_),
    reduced_by=_by_numbers(prod_op), lower=Reduces("and"),
)  # fmt: skip
reduce_all = _reducer(all_op)


def _count(x: Array, *, axis: Any, keepdims: bool, dtype: Any) -> Any:
    check_axes(x, axis)
    filled = x != (b"" if x.dtype.kind == "O" else x.dtype.type(0))
    return np.sum(filled, axis=axis, keepdims=keepdims, dtype=dtype.as_numpy_dtype)


def _count_infer(x: TensorSpec, *, axis: Any, keepdims: bool, dtype: Any) -> TensorSpec:
    return TensorSpec(reduced_shape(x.shape, axis, keepdims), dtype)


def _counts() -> list[OpSample]:
    inputs = [array([[0, 3], [2, 0]]), np.array([[True, False]]), array([["", "a"]])]
    return [OpSample(c.inputs, {**c.attrs, "dtype": int64}) for c in _cases(*inputs)]


count_op = define(
    "count_nonzero", inputs="input", kernel=_count, infer=_count_infer, grad=None,
    node_name="count_nonzero", overloads=(np.count_nonzero,), traits=(REDUCTION,), samples=_counts,
    never_raises=one_axis_each, lower=Composes("reduction.count_nonzero"),
    doc="Count the elements along axes that are not zero, false or the empty string.",
)  # fmt: skip


def count_nonzero(input: TensorLike, axis: AxisLike | None = None, keepdims: bool = False,
                  dtype: DTypeLike = int64, name: str | None = None) -> Any:  # fmt: skip
    """Count the elements along axes that are not zero, false or the empty string.

    Args:
        input: tensor of any dtype.
        axis: axis or axes; by default all.
        keepdims: whether to keep the axes with size 1.
        dtype: dtype of the result.
    Returns:
        Tensor of dtype ``dtype``, without the axes.
    Raises:
        InvalidArgumentError: an axis is out of range (also a ValueError).
    """
    attrs = {"axis": static_axis(axis), "keepdims": bool(keepdims), "dtype": as_dtype(dtype)}
    return count_op(input, name=name, **attrs)


def _position(function: Any) -> Callable[..., Any]:
    def kernel(x: Array, *, axis: int, output_type: Any) -> Any:
        at = normal_axis(axis, x.ndim, "Expected dimension:")
        if not x.shape[at]:
            raise InvalidArgumentError(
                f"Reduction axis {axis} is empty in shape {list(x.shape)}: nothing to choose from"
            )
        return function(x, axis=axis).astype(output_type.as_numpy_dtype)

    return kernel


def _position_infer(x: TensorSpec, *, axis: int, output_type: Any) -> TensorSpec:
    if x.shape.dims is not None:
        normal_axis(axis, len(x.shape.dims), "Expected dimension:")
    return TensorSpec(reduced_shape(x.shape, axis, False), output_type)


def _positions() -> list[OpSample]:
    inputs = [spread(-3, 3, 2, 3), array([[5, 5, 1]]), array([3, 9])]
    return [OpSample((x,), {"axis": a, "output_type": int64}) for x in inputs for a in (0, -1)]


argmax_op = define(
    "argmax", inputs="input", kernel=_position(np.argmax), infer=_position_infer,
    dtype_kinds="iufb",
    grad=None, node_name="ArgMax", overloads=(np.argmax,), never_raises=False,
    traits=(REDUCTION, ROUNDS_ONCE),
    lower=OnArrays(plan=loops.extreme(True)),
    samples=_positions,
    doc="Find the index of the greatest element along ``axis``, the first of equal ones.",
)  # fmt: skip
argmin_op = define(
    "argmin", inputs="input", kernel=_position(np.argmin), infer=_position_infer,
    dtype_kinds="iufb",
    grad=None, node_name="ArgMin", overloads=(np.argmin,), never_raises=False,
    traits=(REDUCTION, ROUNDS_ONCE),
    lower=OnArrays(plan=loops.extreme(False)),
    samples=_positions,
    doc="Find the index of the least element along ``axis``, the first of equal ones.",
)  # fmt: skip


def argmax(input: TensorLike, axis: AxisLike | None = None, output_type: DTypeLike = int64,
           name: str | None = None) -> Any:  # fmt: skip
    """Find the index of the greatest element along an axis, the first of equal ones.

    Args:
        input: tensor of a real or bool dtype.
        axis: axis, 0 by default; it may be a tensor.
        output_type: dtype of the result.
    Returns:
        Tensor of dtype ``output_type``, without the axis.
    Raises:
        InvalidArgumentError: the axis is out of range (also a ValueError) or empty.
    """
    attrs: dict[str, Any] = {"output_type": as_dtype(output_type), "name": name}
    if dynamic_axes.is_computed(axis):
        return dynamic_axes.without(input, axis, lambda x: argmax_op(x, axis=-1, **attrs))
    at = 0 if axis is None else static_int(axis, "axis")
    return argmax_op(input, axis=at, **attrs)


def argmin(input: TensorLike, axis: AxisLike | None = None, output_type: DTypeLike = int64,
           name: str | None = None) -> Any:  # fmt: skip
    """Find the index of the least element along an axis, the first of equal ones.

    Args:
        input: tensor of a real or bool dtype.
        axis: axis, 0 by default; it may be a tensor.
        output_type: dtype of the result.
    Returns:
        Tensor of dtype ``output_type``, without the axis.
    Raises:
        InvalidArgumentError: the axis is out of range (also a ValueError) or empty.
    """
    attrs: dict[str, Any] = {"output_type": as_dtype(output_type), "name": name}
    if dynamic_axes.is_computed(axis):
        return dynamic_axes.without(input, axis, lambda x: argmin_op(x, axis=-1, **attrs))
    at = 0 if axis is None else static_int(axis, "axis")
    return argmin_op(input, axis=at, **attrs)
