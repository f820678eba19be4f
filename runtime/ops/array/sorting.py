"""Op definitions that order elements or look them up: sort, top_k, unique, searchsorted."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops.array.constants import cast
from runtime.ops.op import ROUNDS_ONCE, define
from runtime.ops.rules import loops
from runtime.ops.rules.inference import merged, normal_axis, same, scalar_value
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.ops.rules.static_arguments import static_int
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import Array, DType, as_dtype, bool_, int32, int64
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = ["argsort", "searchsorted", "setdiff1d", "sort", "unique", "unique_with_counts"]

DIRECTIONS = ("ASCENDING", "DESCENDING")


def _descending(direction: str) -> bool:
    if direction not in DIRECTIONS:
        raise ValueError(f"direction should be one of {', '.join(DIRECTIONS)}, got {direction!r}")
    return direction == "DESCENDING"


def _order(x: Array, at: int, descending: bool) -> Any:
    """The stable order along an axis: of equal elements the earlier comes first."""
    if not descending:
        return np.argsort(x, at, kind="stable")
    backwards = np.argsort(np.flip(x, at), at, kind="stable")
    return np.flip(x.shape[at] - 1 - backwards, at)


def _sort(values: Array, *, axis: int, descending: bool) -> Any:
    result = np.sort(values, normal_axis(axis, np.ndim(values)))
    return np.flip(result, axis) if descending else result


def _sort_infer(values: TensorSpec, *, axis: int, descending: bool) -> TensorSpec:
    if values.shape.dims is not None:
        normal_axis(axis, len(values.shape.dims))
    return same(values)


def _sort_cases() -> list[OpSample]:
    inputs = [spread(-3, 3, 2, 4), array([3, 1, 3, 2]), array([1.0, -0.0, 0.0])]
    return [
        OpSample((x,), {"axis": axis, "descending": down})
        for x in inputs
        for axis in (0, -1)
        for down in (False, True)
    ]


sort_op = define(
    "sort",
    grad=lazy_gradient("sorting.sort"),
    inputs="values", kernel=_sort, infer=_sort_infer, dtype_kinds="iuf", node_name="Sort",
    overloads=(np.sort,), traits=(ROUNDS_ONCE,), lower=OnArrays(plan=loops.ordering(False)),
    samples=_sort_cases, doc="Sort the elements along an axis.",
)  # fmt: skip

argsort_op = define(
    "argsort",
    inputs="values",
    kernel=lambda values, *, axis, descending: _order(
        values, normal_axis(axis, np.ndim(values)), descending
    ).astype(np.int32),
    infer=lambda values, *, axis, descending: TensorSpec(
        _sort_infer(values, axis=axis, descending=descending).shape, int32
    ),
    dtype_kinds="iuf",
    grad=None,
    node_name="ArgSort",
    overloads=(np.argsort,), traits=(ROUNDS_ONCE,), lower=OnArrays(plan=loops.ordering(True)),
    samples=_sort_cases,
    doc="Compute the indices that sort the elements along an axis.",
)


def sort(
    values: TensorLike, axis: int = -1, direction: str = "ASCENDING", name: str | None = None
) -> Any:
    """Sort the elements along an axis.

    Args:
        values: tensor of an integer or floating dtype.
        axis: axis to sort along; the last by default.
        direction: 'ASCENDING' or 'DESCENDING'.
    Returns:
        Tensor of the shape and dtype of ``values``.
    Raises:
        ValueError: ``direction`` is another one, or ``axis`` is out of range (also an
            InvalidArgumentError).
    """
    descending = _descending(direction)
    return sort_op(values, axis=static_int(axis, "axis"), descending=descending, name=name)


def argsort(values: TensorLike, axis: int = -1, direction: str = "ASCENDING", stable: bool = False,
            name: str | None = None) -> Any:  # fmt: skip
    """Compute the indices that sort the elements along an axis; equal elements keep their order.

    Args:
        values: tensor of an integer or floating dtype.
        axis: axis to sort along; the last by default.
        direction: 'ASCENDING' or 'DESCENDING'.
        stable: ignored; the order is always stable.
    Returns:
        Tensor of the shape of ``values`` and of dtype int32.
    Raises:
        ValueError: ``direction`` is another one, or ``axis`` is out of range (also an
            InvalidArgumentError).
    """
    descending = _descending(direction)
    return argsort_op(values, axis=static_int(axis, "axis"), descending=descending, name=name)


class TopKV2(NamedTuple):
    """What ``math.top_k`` gives."""

    values: Any
    indices: Any


def _top_k(x: Array, k: Array, *, index_type: DType) -> Any:
    order = _order(x, x.ndim - 1, True)[..., : int(k)]
    return np.take_along_axis(x, order, -1), order.astype(index_type.as_numpy_dtype)


def _top_k_infer(x: TensorSpec, k: TensorSpec, *, index_type: DType) -> Any:
    dims = x.shape.dims
    if dims is None:
        return TensorSpec(None, x.dtype), TensorSpec(None, index_type)
    count = scalar_value(k, "top_k: k")
    last_size = dims[-1] if dims else 0
    if not dims or (count is not None and last_size is not None and not 0 <= count <= last_size):
        raise InvalidArgumentError(
            f"input must have at least k columns. Had {x.shape}, needed k = {count}"
        )
    shape = TensorShape((*dims[:-1], count))
    return TensorSpec(shape, x.dtype), TensorSpec(shape, index_type)


top_k_op = define(
    "top_k",
    inputs="input k",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_top_k, _top_k_infer),
    infer=_top_k_infer,
    dtype_kinds="iuf",
    grad=lazy_gradient("sorting.top_k"), lower=OnArrays(plan=loops.greatest_first),
    traits=(ROUNDS_ONCE,),
    node_name="TopKV2",
    samples=lambda: [
        case(spread(-1, 1, 2, 5), 3, index_type=int32),
        case([1, 3, 3, 2], 2, index_type=int32),
    ],
    doc="Find the ``k`` greatest elements along the last axis, greatest first, and their indices.",
)


def top_k(input: TensorLike, k: TensorLike = 1, sorted: bool = True, index_type: DTypeLike = int32,
          name: str | None = None) -> TopKV2:  # fmt: skip
    """Find the greatest elements along the last axis.

    Args:
        input: tensor of an integer or floating dtype, of shape (..., N).
        k: number of elements, an integer scalar from 0 to N.
        sorted: ignored; the results are always in descending order.
        index_type: dtype of the indices, int32 or int64.
    Returns:
        (values, indices): tensors of shape (..., k); of equal elements the earlier one comes first.
    Raises:
        InvalidArgumentError: ``k`` is negative or greater than N, or ``input`` is a scalar (also a
            ValueError).
    """
    return TopKV2(*top_k_op(input, k, index_type=as_dtype(index_type), name=name))


def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: TensorLike, name: str | None = None
) -> Any:
    """Test whether each target is among the k greatest predictions.

    Args:
        targets: vector of an integer dtype: the classes, of shape (batch,).
        predictions: matrix of a floating dtype, of shape (batch, classes).
        k: number of predictions that count, an integer scalar.
    Returns:
        Tensor of shape (batch,) and of dtype bool; targets that tie with the k-th count.
    Raises:
        InvalidArgumentError: the shapes do not fit each other.
    """
    return in_top_k_op(predictions, targets, k, name=name)


def _in_top_k(predictions: Array, targets: Array, k: Array) -> Any:
    is_class = (targets >= 0) & (targets < predictions.shape[1])
    target_score = np.take_along_axis(predictions, np.where(is_class, targets, 0)[:, None], 1)
    return is_class & ((predictions > target_score).sum(1) < k) & np.isfinite(target_score[:, 0])


def _in_top_k_infer(predictions: TensorSpec, targets: TensorSpec, k: TensorSpec) -> TensorSpec:
    scalar_value(k, "in_top_k: k")
    requirement = "in_top_k: predictions must be a matrix with a row for each of the targets"
    rows = merged(predictions.shape, [None, None], requirement)
    return TensorSpec(merged(rows[:1], targets.shape, requirement), bool_)


in_top_k_op = define(
    "in_top_k",
    inputs="predictions targets k",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_in_top_k, _in_top_k_infer),
    infer=_in_top_k_infer,
    dtype_kinds="f",
    grad=None,
    node_name="InTopKV2",
    samples=lambda: [case(spread(-1, 1, 3, 4), [0, 3, 1], 2)],
    doc="Test whether each target is among its row's ``k`` greatest predictions.",
)


class Unique(NamedTuple):
    """What ``unique`` gives."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """What ``unique_with_counts`` gives."""

    y: Any
    idx: Any
    count: Any


def _unique(x: Array, *, out_idx: DType) -> Any:
    if np.ndim(x) != 1:
        raise InvalidArgumentError(f"unique expects a 1D vector, got shape {list(np.shape(x))}.")
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)  # TensorFlow lists the values as they first occur
    inverse_order = np.empty_like(order)
    inverse_order[order] = np.arange(len(order))
    kind = out_idx.as_numpy_dtype
    return values[order], inverse_order[inverse].astype(kind), counts[order].astype(kind)


def _unique_infer(x: TensorSpec, *, out_idx: DType) -> Any:
    if x.shape.dims is not None and len(x.shape.dims) != 1:
        raise InvalidArgumentError(f"unique expects a 1D vector, got shape {x.shape}.")
    places = TensorSpec([None] if x.shape.dims is None else x.shape, out_idx)
    return TensorSpec([None], x.dtype), places, TensorSpec([None], out_idx)


unique_op = define(
    "unique_with_counts",
    same_dtype_inputs=None,
    kernel=_unique,
    infer=_unique_infer,
    grad=lazy_gradient("sorting.unique"),
    node_name="UniqueWithCounts",
    overloads=(np.unique,),
    samples=lambda: [
        case([3, 1, 3, 2], out_idx=int32),
        case(["b", "a", "b"], out_idx=int32),
        case(array([], np.float32), out_idx=int32),
    ],
    doc="Find the distinct elements of a vector, each element's index among them, and counts.",
)


def unique(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> Unique:
    """Find the distinct elements of a vector, in the order of their first occurrence.

    Args:
        x: vector of any dtype, of size N.
        out_idx: dtype of the indices, int32 or int64.
    Returns:
        (y, idx): the distinct elements, and a vector of size N such that ``x == y[idx]``.
    Raises:
        InvalidArgumentError: ``x`` is no vector (also a ValueError).
    """
    y, idx, _ = unique_op(x, out_idx=as_dtype(out_idx), name=name)
    return Unique(y, idx)


def unique_with_counts(
    x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None
) -> UniqueWithCounts:
    """Find the distinct elements of a vector, and count them.

    Args:
        x: vector of any dtype, of size N.
        out_idx: dtype of the indices and counts, int32 or int64.
    Returns:
        (y, idx, count): as ``unique``, and how often each element of y occurs.
    Raises:
        InvalidArgumentError: ``x`` is no vector (also a ValueError).
    """
    return UniqueWithCounts(*unique_op(x, out_idx=as_dtype(out_idx), name=name))


def _searchsorted(sequence: Array, values: Array, *, side: str, out_type: DType) -> Any:
    if sequence.ndim != values.ndim or sequence.shape[:-1] != values.shape[:-1]:
        raise IncompatibleShapesError(
            f"searchsorted: all but the last dimension must be equal, got {list(sequence.shape)} "
            f"and {list(values.shape)}"
        )
    result = np.empty(values.shape, out_type.as_numpy_dtype)
    for i in np.ndindex(values.shape[:-1]):
        result[i] = np.searchsorted(sequence[i], values[i], side)  # type: ignore[call-overload]
    return result


def _searchsorted_infer(
    sequence: TensorSpec, values: TensorSpec, *, side: str, out_type: DType
) -> TensorSpec:
    if not sequence.shape[:-1].is_compatible_with(values.shape[:-1]):
        raise IncompatibleShapesError(
            f"searchsorted: all but the last dimension must be equal, got {sequence.shape} "
            f"and {values.shape}"
        )
    return TensorSpec(values.shape, out_type)


searchsorted_op = define(
    "searchsorted",
    inputs="sorted_sequence values",
    kernel=_searchsorted,
    infer=_searchsorted_infer,
    dtype_kinds="iuf",
    grad=None,
    node_name="SearchSorted",
    overloads=(np.searchsorted,), traits=(ROUNDS_ONCE,), lower=OnArrays(plan=loops.search),
    samples=lambda: [
        case([1, 3, 5], [0, 3, 9], side="left", out_type=int32),
        case([[1.0, 3.0], [2.0, 4.0]], [[3.0], [3.0]], side="right", out_type=int32),
    ],
    doc="Find where values would be inserted into sorted rows.",
)


def searchsorted(sorted_sequence: TensorLike, values: TensorLike, side: str = "left",
                 out_type: DTypeLike = int32, name: str | None = None) -> Any:  # fmt: skip
    """Find where values would be inserted into sorted rows.

    Args:
        sorted_sequence: tensor of shape (..., N) and of an integer or floating dtype, ascending
            along the last axis.
        values: tensor of shape (..., M) and of the same dtype.
        side: 'left' for the first suitable index, 'right' for the last one.
        out_type: dtype of the result, int32 or int64.
    Returns:
        Tensor of the shape of ``values``: numbers from 0 to N.
    Raises:
        ValueError: ``side`` is another one, or ``values`` is a scalar (also an
            InvalidArgumentError).
        InvalidArgumentError: the leading axes differ (also a ValueError).
    """
    if side not in ("left", "right"):
        raise ValueError(f"side must be either 'right' or 'left'.  Saw: {side}.")
    dtype = as_dtype(out_type)
    if isinstance(values, Value) and values.shape.rank == 0:  # type: ignore[attr-defined]
        raise IncompatibleShapesError("searchsorted: values must have rank 1 or more, got 0")
    return searchsorted_op(sorted_sequence, values, side=side, out_type=dtype, name=name)


def _invert(x: Array) -> Any:
    if np.ndim(x) != 1 or not np.array_equal(np.sort(x), np.arange(len(x))):
        raise InvalidArgumentError(
            f"invert_permutation: x must hold each of the numbers 0 .. n - 1 once, got {x.tolist()}"
        )
    result = np.empty_like(x)
    result[x] = np.arange(len(x))
    return result


invert_permutation = define(
    "invert_permutation",
    kernel=_invert,
    infer=same,
    dtype_kinds="i",
    grad=None,
    node_name="InvertPermutation",
    samples=lambda: [case([2, 0, 1]), case(array([], np.int32))],
    doc="Invert a permutation: ``y[x[i]] == i``.",
    fails="``x`` does not hold each of the numbers 0 .. n - 1 once",
)


class ListDiff(NamedTuple):
    """What ``setdiff1d`` gives."""

    out: Any
    idx: Any


def _difference(x: Array, y: Array) -> Any:
    places = np.flatnonzero(~np.isin(x, y))
    return x[places], places


def _difference_infer(x: TensorSpec, y: TensorSpec) -> Any:
    for name, spec in (("x", x), ("y", y)):
        if spec.shape.rank not in (None, 1):
            raise IncompatibleShapesError(f"setdiff1d: {name} must be a vector, got {spec.shape}")
    return TensorSpec([None], x.dtype), TensorSpec([None], int64)


setdiff1d_op = define(
    "setdiff1d", inputs="x y", kernel=checked(_difference, _difference_infer),
    infer=_difference_infer, grad=None, node_name="ListDiff",
    samples=lambda: [case([1, 2, 3, 2], [2]), case(["a", "b"], ["c", "a"])],
    doc="Find the elements of ``x`` that are not in ``y``, and their indices.",
)  # fmt: skip


def setdiff1d(
    x: TensorLike, y: TensorLike, index_dtype: DTypeLike = int32, name: str | None = None
) -> Any:
    """Find the elements of a vector that another vector lacks.

    Args:
        x: vector of any dtype.
        y: vector of the same dtype.
        index_dtype: dtype of the indices, int32 or int64.
    Returns:
        (out, idx): the elements of ``x`` that are not in ``y``, in order, and their indices in
        ``x``.
    Raises:
        InvalidArgumentError: an input is no vector (also a ValueError), or the dtypes differ (also
            a TypeError).
    """
    out, places = setdiff1d_op(x, y, name=name)
    return ListDiff(out, cast(places, as_dtype(index_dtype)))
