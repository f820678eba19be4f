"""Op definitions of scans along an axis (cumsum) and of segment reductions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.array import dynamic_axes
from runtime.ops.docstrings import of_dtype
from runtime.ops.op import COSTLY, NUMERIC, OpDef, define
from runtime.ops.rules import loops
from runtime.ops.rules.inference import merged, normal_axis, same, scalar_value
from runtime.ops.rules.kernels import add_rows, checked
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import ARRAYS, OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.ops.rules.static_arguments import static_int
from runtime.types.aliases import AxisLike, TensorLike
from runtime.types.dtypes import Array, int32
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorSpec

__all__ = [
    "cumprod", "cumsum", "cumulative_logsumexp", "segment_max", "segment_mean",
    "segment_min", "segment_prod", "segment_sum", "unsorted_segment_max", "unsorted_segment_min",
    "unsorted_segment_prod", "unsorted_segment_sum",
]  # fmt: skip


def _scan(function: Any, unit: float) -> Callable[..., Any]:
    def kernel(x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Any:
        at = normal_axis(axis, np.ndim(x))
        if reverse:
            x = np.flip(x, at)
        result = function(x, at)
        if exclusive and x.shape[at]:
            first = np.full_like(np.take(result, [0], at), unit)
            result = np.concatenate([first, np.delete(result, -1, at)], at)
        return np.flip(result, at) if reverse else result

    return kernel


def _scan_infer(x: TensorSpec, *, axis: int, exclusive: bool, reverse: bool) -> TensorSpec:
    if x.shape.dims is not None:
        normal_axis(axis, len(x.shape.dims))
    return same(x)


def _scan_cases() -> list[OpSample]:
    return [
        OpSample((x,), {"axis": axis, "exclusive": exclusive, "reverse": reverse})
        for x in (spread(-2, 2, 2, 3), spread(0, 1, 0, 2))
        for axis in (0, -1)
        for exclusive in (False, True)
        for reverse in (False, True)
    ]


def _scanner(
    name: str, function: Any, opcode: str, unit: float, dtype_kinds: str, node_name: str, doc: str
) -> OpDef:
    grad: Any = lazy_gradient(f"scans.{name}")
    numpys: dict[str, Any] = {"cumsum": np.cumsum, "cumprod": np.cumprod}
    overloads = (numpys[name],) if name in numpys else ()
    return define(
        name, kernel=_scan(function, unit), infer=_scan_infer, dtype_kinds=dtype_kinds,
        node_name=node_name,
        overloads=overloads, traits=(COSTLY,), samples=_scan_cases, doc=doc,
        lower=OnArrays(plan=loops.scan(opcode, unit)),
        grad=holomorphic(grad) if "c" in dtype_kinds else grad,
    )  # fmt: skip


cumsum_op = _scanner(
    "cumsum", lambda x, at: np.add.accumulate(x, at, x.dtype), "add", 0, NUMERIC, "Cumsum",
    "Compute the sums of the elements up to each one along an axis.",
)  # fmt: skip
cumprod_op = _scanner(
    "cumprod", lambda x, at: np.multiply.accumulate(x, at, x.dtype), "mul", 1, NUMERIC, "Cumprod",
    "Compute the products of the elements up to each one along an axis.",
)  # fmt: skip
cumlogsumexp_op = _scanner(
    "cumulative_logsumexp", lambda x, at: np.logaddexp.accumulate(x, at), "logaddexp", -np.inf,
    "f", "CumulativeLogsumexp", "Compute ``log(cumsum(exp(x)))`` along an axis, without overflow.",
)  # fmt: skip


SCAN = """{}

Args:
    x: tensor of {}.
    axis: axis to go along; it may be a tensor.
    exclusive: whether to leave the element itself out.
    reverse: whether to go from the end to the beginning.
Returns:
    Tensor of the shape and dtype of ``x``.
Raises:
    InvalidArgumentError: ``x`` has another dtype (also a TypeError), or the axis is out of range
        (also a ValueError).
"""


def _public_scan(op: OpDef) -> Callable[..., Any]:
    def scan(x: TensorLike, axis: AxisLike = 0, exclusive: bool = False, reverse: bool = False,
             name: str | None = None) -> Any:  # fmt: skip
        flags = {"exclusive": bool(exclusive), "reverse": bool(reverse)}
        if dynamic_axes.is_computed(axis):
            return dynamic_axes.along(x, axis, lambda y: op(y, axis=-1, name=name, **flags))
        return op(x, axis=static_int(axis, "axis"), name=name, **flags)

    scan.__name__ = scan.__qualname__ = op.name
    scan.__doc__ = SCAN.format(op.__doc__, of_dtype(op.dtype_kinds))
    return scan


cumsum = _public_scan(cumsum_op)
cumprod = _public_scan(cumprod_op)
cumulative_logsumexp = _public_scan(cumlogsumexp_op)


def _start(how: str, dtype: Any) -> Any:
    """What a segment without elements holds, as in TensorFlow: the dtype's end for max and min."""
    if how in ("sum", "prod"):
        return dtype.type(how == "prod")
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return dtype.type(limits.min if how == "max" else limits.max)
    return np.finfo(dtype).min if how == "max" else np.finfo(dtype).max


_OPCODES = {"sum": "add", "prod": "mul", "max": "max", "min": "min"}
UFUNCS = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}


def _collect(how: str, data: Array, ids: Array, number: int, empty: Any) -> Any:
    """Combine the entries of ``data`` by segment; ids below 0 are left out."""
    if data.shape[: ids.ndim] != ids.shape:
        raise InvalidArgumentError(
            f"segments: data.shape = {list(data.shape)} must start with segment_ids.shape = "
            f"{list(ids.shape)}"
        )
    if ids.size and ids.max() >= number:
        raise InvalidArgumentError(
            f"segments: segment id {ids.max()} is not below the number of segments, {number}"
        )
    row_shape = data.shape[ids.ndim :]
    keep = ids >= 0
    result = np.full((number, *row_shape), _start(how, data.dtype), data.dtype)
    if how == "sum":
        add_rows(result, ids[keep], data[keep])
    else:
        UFUNCS[how].at(result, ids[keep], data[keep])
    if empty is not None:
        result[np.bincount(ids[keep], minlength=number) == 0] = empty
    return result


def _segments(how: str) -> Callable[..., Any]:
    def kernel(data: Array, ids: Array) -> Any:
        if ids.ndim != 1 or (np.diff(ids) < 0).any() or (ids < 0).any():
            raise InvalidArgumentError(
                f"segment ids must be a vector that is sorted and not negative, got "
                f"{ids.tolist()}. Use the unsorted_ variant."
            )
        number = int(ids[-1]) + 1 if ids.size else 0
        if how != "mean":
            return _collect(how, data, ids, number, 1 if how == "prod" else 0)
        total = _collect("sum", data, ids, number, 0)
        counts = np.maximum(np.bincount(ids, minlength=number), 1).astype(data.dtype)
        counts = counts.reshape(-1, *[1] * (data.ndim - 1))
        return total / counts if data.dtype.kind in "fc" else total // counts

    return kernel


def _segments_infer(data: TensorSpec, ids: TensorSpec) -> TensorSpec:
    dims = data.shape.dims
    return TensorSpec(UNKNOWN_SHAPE if dims is None else [None, *dims[1:]], data.dtype)


def _segment_kinds(how: str) -> str:
    return "iuf" if how in ("max", "min") else NUMERIC


def _segment_derivative(how: str, which: str = "") -> Any:
    kind = "extreme" if how in ("max", "min") else how
    grad = lazy_gradient(f"scans.{which}segment_{kind}")
    return holomorphic(grad) if how == "prod" else grad


WORDS = {"max": "maximum", "mean": "mean", "min": "minimum", "prod": "product", "sum": "sum"}
SEGMENTS = """Compute the {} of the entries of each segment.

Args:
    data: tensor of {}, one entry for each segment id.
    segment_ids: {}
Returns:
    Tensor of the dtype of ``data``, {}.
Raises:
    InvalidArgumentError: {},
        or ``data`` has another dtype (also a TypeError).
"""


def _segment_op(how: str) -> OpDef:
    return define(
        f"segment_{how}",
        inputs="data segment_ids",
        same_dtype_inputs=slice(0, 1),
        kernel=_segments(how),
        infer=_segments_infer,
        dtype_kinds=_segment_kinds(how),
        grad=_segment_derivative(how),
        lower=ARRAYS if how == "mean" else OnArrays(plan=loops.by_segment(_OPCODES[how], True)),
        node_name=f"Segment{how.capitalize()}",
        samples=lambda: [case(spread(-2, 2, 4, 2), [0, 0, 1, 3]), case([5, 6], [0, 1])],
        doc=SEGMENTS.format(
            WORDS[how], of_dtype(_segment_kinds(how)),
            "vector of as many integers, ascending from 0 or more.",
            "with as many entries as the greatest id + 1",
            "the ids descend, are negative, or are not as many as the entries",
        ),
    )


segment_sum, segment_prod = _segment_op("sum"), _segment_op("prod")
segment_max, segment_min = _segment_op("max"), _segment_op("min")
segment_mean = _segment_op("mean")


def _unsorted_infer(data: TensorSpec, ids: TensorSpec, number: TensorSpec) -> TensorSpec:
    if data.shape.dims is None or ids.shape.dims is None:
        return TensorSpec(UNKNOWN_SHAPE, data.dtype)
    front = data.shape[: len(ids.shape.dims)]
    merged(front, ids.shape, "segments: data.shape must start with segment_ids.shape")
    count = scalar_value(number, "num_segments")
    if count is not None and count < 0:
        raise InvalidArgumentError(f"num_segments must be 0 or more, got {count}")
    return TensorSpec([count, *data.shape.dims[len(ids.shape.dims) :]], data.dtype)


def _unsorted_op(how: str) -> OpDef:
    return define(
        f"unsorted_segment_{how}",
        inputs="data segment_ids num_segments",
        same_dtype_inputs=slice(0, 1),
        kernel=checked(
            lambda data, ids, number: _collect(how, data, ids, int(number), None), _unsorted_infer
        ),
        infer=_unsorted_infer,
        dtype_kinds=_segment_kinds(how),
        grad=_segment_derivative(how, "unsorted_"),
        lower=OnArrays(plan=loops.by_segment(_OPCODES[how], False)),
        node_name=f"UnsortedSegment{how.capitalize()}",
        samples=lambda: [case(spread(-2, 2, 4, 2), [2, 0, -1, 2], 4), case([5, 6], [1, 0], 2)],
        doc=SEGMENTS.format(
            WORDS[how], of_dtype(_segment_kinds(how)),
            "tensor of an integer dtype, whose shape begins that of ``data``; entries with\n"
            "        a negative id are left out.\n"
            "    num_segments: number of segments, an integer scalar.",
            "with ``num_segments`` entries",
            "an id is ``num_segments`` or greater, that is negative, the shapes differ",
        ),
    )


unsorted_segment_sum, unsorted_segment_prod = _unsorted_op("sum"), _unsorted_op("prod")
unsorted_segment_max, unsorted_segment_min = _unsorted_op("max"), _unsorted_op("min")


_MOST_COUNTS = 2**63 - 1


def _bincount(arr: Array, minlength: Array, *, dtype: Any) -> Any:
    if (arr < 0).any():
        raise InvalidArgumentError(f"bincount: values must not be negative, got {arr.min()}")
    if arr.size and arr.max() >= _MOST_COUNTS:  # NumPy writes outside of its array
        raise InvalidArgumentError(f"bincount: values must be below 2**63 - 1, got {arr.max()}")
    counts = np.bincount(arr.reshape(-1), minlength=int(minlength))
    return counts.astype(dtype.as_numpy_dtype)


bincount_op = define(
    "bincount",
    inputs="arr minlength",
    same_dtype_inputs=slice(0, 1),
    kernel=_bincount,
    infer=lambda arr, minlength, *, dtype: TensorSpec([None], dtype),
    dtype_kinds="iu",
    grad=None,
    node_name="Bincount",
    overloads=(np.bincount,), lower=OnArrays(plan=loops.counted),
    samples=lambda: [case([1, 1, 3], 0, dtype=int32), case(array([], np.int32), 2, dtype=int32)],
    doc="Count how often each number from 0 occurs.",
)
