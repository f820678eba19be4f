"""Op definitions that group entries: histograms, partitions, coordinates, reversed sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like
from runtime.ops.array.creation import range as range_op
from runtime.ops.array.gather_scatter import scatter_nd
from runtime.ops.array.shape import reshape, squeeze
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import maximum, minimum
from runtime.ops.math.reduction import reduce_max
from runtime.ops.math.scans import bincount_op, unsorted_segment_sum
from runtime.ops.op import define
from runtime.ops.rules import elements, loops
from runtime.ops.rules.inference import merged, normal_axis, same
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.ops.rules.static_arguments import listed, static_int, whole_numbers
from runtime.types.aliases import AxisLike, DTypeLike, TensorLike
from runtime.types.dtypes import Array, DType, as_dtype, float64, int32, int64
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorSpec

__all__ = [
    "bincount",
    "dynamic_partition", "dynamic_stitch", "histogram_fixed_width", "histogram_fixed_width_bins",
    "reverse_sequence", "unravel_index",
]  # fmt: skip


def bincount(arr: TensorLike, weights: TensorLike | None = None,
             minlength: TensorLike | None = None, maxlength: TensorLike | None = None,
             dtype: DTypeLike = int32, name: str | None = None, axis: AxisLike | None = None,
             binary_output: bool = False) -> Any:  # fmt: skip
    """Count how often each number occurs, or add up its weights.

    Args:
        arr: tensor of an integer dtype, without negative numbers.
        weights: tensor of the shape of ``arr`` whose elements are added up instead of counted.
        minlength: least number of counts.
        maxlength: greatest number of counts; greater numbers are ignored.
        dtype: dtype of the counts; with ``weights`` the result has theirs.
        axis: None or 0 for the whole tensor; -1 for each row of a matrix.
        binary_output: whether to return 1 where a number occurs, instead of a count; not with
            weights.
    Returns:
        Tensor of shape (N,), or (rows, N) for ``axis=-1``; N is the greatest number + 1, within the
        two lengths.
    Raises:
        ValueError: ``axis`` is another one.
        InvalidArgumentError: a number is negative.
    """
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are supported")
    numbers, result = whole_numbers(arr, "arr"), as_dtype(dtype)
    if axis != -1 and weights is None:
        least = 0 if minlength is None else minlength
        counts = bincount_op(numbers, least, dtype=result, name=name)
        counts = counts if maxlength is None else counts[:maxlength]
        return cast(counts > 0, result) if binary_output else counts
    count = cast(reduce_max(numbers) + 1, int64) if numbers.shape.num_elements() != 0 else 0
    count = count if minlength is None else maximum(cast(minlength, int64), count)
    count = count if maxlength is None else minimum(cast(maxlength, int64), count)
    count = cast(count, int64)
    numbers = cast(numbers, int64)
    amounts = ones_like(numbers, result) if weights is None else dispatch.convert(weights)
    is_counted = numbers < count
    amounts, numbers = where(is_counted, amounts, amounts - amounts), where(is_counted, numbers, 0)
    if axis != -1 or numbers.shape.rank == 1:
        flat, total = reshape(numbers, [-1]), count
    else:
        rows = shape_op(numbers, int64)[0]
        flat = reshape(numbers + range_op(rows)[:, None] * count, [-1])
        total = rows * count
    sums = unsorted_segment_sum(reshape(amounts, [-1]), flat, total)
    sums = cast(sums > 0, result) if binary_output and weights is None else sums
    if axis != -1 or numbers.shape.rank == 1:
        return sums
    return reshape(sums, stack([rows, count]), name=name)


def _bins(values: Array, value_range: Array, *, nbins: int, dtype: DType) -> Any:
    low, high = value_range
    if not low < high:
        raise InvalidArgumentError(
            f"value_range[0] must be less than value_range[1], got {[low, high]}"
        )
    places = np.floor((values - low) / (high - low) * values.dtype.type(nbins))
    return np.clip(np.nan_to_num(places), 0, nbins - 1).astype(dtype.as_numpy_dtype)


def _bins_infer(values: TensorSpec, value_range: TensorSpec, *, nbins: int, dtype: DType) -> Any:
    if nbins < 1:
        raise InvalidArgumentError(f"nbins must be positive, got {nbins}")
    merged(value_range.shape, [2], "value_range must hold two numbers")
    return TensorSpec(values.shape, dtype)


bins_op = define(
    "histogram_fixed_width_bins", inputs="values value_range", kernel=checked(_bins, _bins_infer),
    infer=_bins_infer, dtype_kinds="f", grad=None,
    samples=lambda: [case([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5, dtype=int32)],
    doc="Compute the bin of each value in a histogram of equal widths.",
)  # fmt: skip


def histogram_fixed_width_bins(values: TensorLike, value_range: TensorLike, nbins: TensorLike = 100,
                               dtype: DTypeLike = int32,
                               name: str | None = None) -> Any:  # fmt: skip
    """Compute the bin of each value in a histogram of equal widths.

    Args:
        values: tensor of an integer or floating dtype.
        value_range: two numbers of that dtype: the ends of the histogram.
        nbins: number of bins.
        dtype: dtype of the result, int32 or int64.
    Returns:
        Tensor of the shape of ``values``: from 0 to ``nbins - 1``; values beyond the ends are in
        the first or the last bin.
    Raises:
        InvalidArgumentError: the range is empty or ``nbins`` is less than 1.
    """
    values = dispatch.convert(values)
    if not values.dtype.is_floating:
        values, value_range = cast(values, float64), cast(value_range, float64)
    count = static_int(nbins, "nbins")
    return bins_op(values, value_range, nbins=count, dtype=as_dtype(dtype), name=name)


def histogram_fixed_width(values: TensorLike, value_range: TensorLike, nbins: TensorLike = 100,
                          dtype: DTypeLike = int32, name: str | None = None) -> Any:  # fmt: skip
    """Count the values in each bin of a histogram of equal widths.

    Args:
        values: tensor of an integer or floating dtype.
        value_range: two numbers of that dtype: the ends of the histogram.
        nbins: number of bins.
        dtype: dtype of the result.
    Returns:
        Tensor of shape (nbins,); values beyond the ends count in the first or the last bin.
    Raises:
        InvalidArgumentError: the range is empty or ``nbins`` is less than 1.
    """
    bins = histogram_fixed_width_bins(values, value_range, nbins)
    count = static_int(nbins, "nbins")
    return cast(bincount(bins, minlength=count, maxlength=count), as_dtype(dtype), name=name)


def _unravel(indices: Array, dims: Array) -> Any:
    total = int(np.prod(dims))
    if indices.size and (indices.min() < 0 or indices.max() >= total):
        raise InvalidArgumentError(
            f"index is out of bound as with dims: {dims.tolist()} hold {total} elements, got "
            f"{indices.tolist()}"
        )
    coordinates = np.unravel_index(indices.astype(np.int64), tuple(dims.tolist()))
    return np.array(coordinates, indices.dtype).reshape(len(dims), *indices.shape)


def _unravel_infer(indices: TensorSpec, dims: TensorSpec) -> TensorSpec:
    if dims.shape.dims is not None and len(dims.shape.dims) != 1:
        raise IncompatibleShapesError(f"unravel_index: dims must be a vector, got {dims.shape}")
    rank, count = indices.shape.dims, dims.shape.dims
    if rank is None:
        return TensorSpec(UNKNOWN_SHAPE, indices.dtype)
    if len(rank) > 1:
        raise IncompatibleShapesError(
            f"unravel_index: indices must be a scalar or a vector, got shape {indices.shape}"
        )
    return TensorSpec([None if count is None else count[0], *rank], indices.dtype)


unravel_index = define(
    "unravel_index", inputs="indices dims", kernel=checked(_unravel, _unravel_infer),
    infer=_unravel_infer, dtype_kinds="i", grad=None, node_name="UnravelIndex",
    overloads=(np.unravel_index,),
    samples=lambda: [case([2, 5, 7], [3, 3]), case(4, [2, 3])],
    doc="""Convert flat indices into an array to coordinates.

Args:
    indices: scalar or vector of integers.
    dims: vector of as many integers as the array has axes: its shape.
Returns:
    Tensor of the dtype of ``indices``, of shape (axes,) or (axes, indices).
Raises:
    InvalidArgumentError: an index is out of bounds, or an input has another rank (also a
        ValueError) or dtype (also a TypeError).
""",
)  # fmt: skip


def _reverse_sequence(x: Array, lengths: Array, *, seq_axis: int, batch_axis: int) -> Any:
    seq, batch = seq_axis % x.ndim, batch_axis % x.ndim
    if lengths.size and (lengths.min() < 0 or lengths.max() > x.shape[seq]):
        raise InvalidArgumentError(
            f"reverse_sequence: seq_lengths must be from 0 to {x.shape[seq]}, got "
            f"{lengths.tolist()}"
        )
    at = np.arange(x.shape[seq])
    n = lengths.astype(np.int64)[:, None]
    picks = np.where(at < n, n - 1 - at, at)  # (batch, sequence)
    picks = picks if batch < seq else picks.T
    picks = picks.reshape([x.shape[i] if i in (seq, batch) else 1 for i in range(x.ndim)])
    return np.take_along_axis(x, np.broadcast_to(picks, x.shape), seq)


def _reverse_sequence_infer(
    x: TensorSpec, lengths: TensorSpec, *, seq_axis: int, batch_axis: int
) -> TensorSpec:
    merged(lengths.shape, [None], "reverse_sequence: seq_lengths must be a vector")
    dims = x.shape.dims
    if dims is not None:
        seq, batch = normal_axis(seq_axis, len(dims)), normal_axis(batch_axis, len(dims))
        if seq == batch:
            raise InvalidArgumentError(f"reverse_sequence: seq_axis == batch_axis == {seq}")
        merged(lengths.shape, [dims[batch]], "reverse_sequence: one length a batch entry is needed")
    return same(x)


reverse_sequence_op = define(
    "reverse_sequence", inputs="input seq_lengths", same_dtype_inputs=slice(0, 1),
    kernel=checked(_reverse_sequence, _reverse_sequence_infer), infer=_reverse_sequence_infer,
    node_name="ReverseSequence", lower=OnArrays(element=elements.sequences_reversed),
    grad=lazy_gradient("partitions.reverse_sequence"),
    samples=lambda: [
        OpSample((spread(0, 1, 2, 4, 3), array([3, 1])), {"seq_axis": 1, "batch_axis": 0}),
        OpSample(
            (array([[1, 2], [3, 4], [5, 6]]), array([2, 0])), {"seq_axis": 0, "batch_axis": 1}
        ),
    ],
    doc="Reverse the first ``seq_lengths[i]`` entries of each sequence.",
)  # fmt: skip


def reverse_sequence(input: TensorLike, seq_lengths: TensorLike, seq_axis: AxisLike | None = None,
                     batch_axis: AxisLike | None = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Reverse the first entries of each sequence of a batch.

    Args:
        input: tensor of any dtype.
        seq_lengths: integers of shape (batch size,): how many entries of each sequence to reverse.
        seq_axis: axis of the sequences' entries.
        batch_axis: axis of the batch; 0 by default.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        ValueError: ``seq_axis`` is not given.
        InvalidArgumentError: a length or an axis does not fit the shape of ``input``.
    """
    if seq_axis is None:
        raise ValueError("reverse_sequence needs seq_axis=, the axis along which to reverse")
    axes = {
        "seq_axis": static_int(seq_axis, "seq_axis"),
        "batch_axis": static_int(0 if batch_axis is None else batch_axis, "batch_axis"),
    }
    lengths = whole_numbers(seq_lengths, "seq_lengths")
    return reverse_sequence_op(input, lengths, name=name, **axes)


def _partition(data: Array, partitions: Array, *, num_partitions: int) -> Any:
    if partitions.size and (partitions.min() < 0 or partitions.max() >= num_partitions):
        raise InvalidArgumentError(
            f"dynamic_partition: partitions must be from 0 to {num_partitions - 1}, got "
            f"{partitions.reshape(-1).tolist()}"
        )
    return tuple(data[partitions == i] for i in range(num_partitions))


def _partition_infer(data: TensorSpec, partitions: TensorSpec, *, num_partitions: int) -> Any:
    if num_partitions < 1:
        raise InvalidArgumentError(f"num_partitions must be at least 1, got {num_partitions}")
    if data.shape.dims is None or partitions.shape.dims is None:
        return (TensorSpec(UNKNOWN_SHAPE, data.dtype),) * num_partitions
    lead = len(partitions.shape.dims)
    merged(partitions.shape, data.shape.dims[:lead], "partitions must have data's leading shape")
    return (TensorSpec([None, *data.shape.dims[lead:]], data.dtype),) * num_partitions


partition_op = define(
    "dynamic_partition", inputs="data partitions", same_dtype_inputs=slice(0, 1),
    kernel=checked(_partition, _partition_infer), infer=_partition_infer,
    node_name="DynamicPartition", lower=OnArrays(plan=loops.parted),
    grad=lazy_gradient("partitions.partition"),
    samples=lambda: [case([10, 20, 30], [1, 0, 1], num_partitions=3),
                     case(spread(0, 1, 2, 2, 3), [[0, 1], [1, 1]], num_partitions=2)],
    doc="Split the entries of ``data`` into partitions by numbers.",
)  # fmt: skip


def dynamic_partition(data: TensorLike, partitions: TensorLike, num_partitions: TensorLike,
                      name: str | None = None) -> list[Any]:  # fmt: skip
    """Split a tensor into partitions by numbers.

    Args:
        data: tensor of any dtype; its shape begins with that of ``partitions``.
        partitions: tensor of an integer dtype, from 0 to ``num_partitions - 1``.
        num_partitions: number of partitions, a Python int.
    Returns:
        List of ``num_partitions`` tensors of the dtype of ``data``: the entries of each partition,
        in order.
    Raises:
        InvalidArgumentError: a partition is out of range, or the shapes do not fit.
    """
    count = static_int(num_partitions, "num_partitions")
    numbers = whole_numbers(partitions, "partitions")
    return list(partition_op(data, numbers, num_partitions=count, name=name))


def _stitch(*inputs: Array) -> Any:
    half = len(inputs) // 2
    indices = np.concatenate([i.reshape(-1) for i in inputs[:half]])
    if indices.size and indices.min() < 0:
        raise InvalidArgumentError(f"dynamic_stitch: indices must not be negative, got {indices}")
    row_shape = inputs[half].shape[inputs[0].ndim :]
    rows = np.concatenate([d.reshape(-1, *row_shape) for d in inputs[half:]])
    size = int(indices.max()) + 1 if indices.size else 0
    result = np.zeros((size, *row_shape), rows.dtype)
    for at, row in zip(indices, rows):  # in order: the last one of an index stays
        result[at] = row
    return result


def _stitch_infer(*inputs: TensorSpec) -> TensorSpec:
    half = len(inputs) // 2
    row_shape: Any = None
    for index, data in zip(inputs[:half], inputs[half:]):
        if index.shape.dims is None or data.shape.dims is None:
            continue
        lead = len(index.shape.dims)
        merged(index.shape, data.shape.dims[:lead], "dynamic_stitch: data must begin with indices")
        tail = TensorSpec(data.shape.dims[lead:], data.dtype)
        row_shape = (
            tail.shape
            if row_shape is None
            else merged(row_shape, tail.shape.dims, "dynamic_stitch: rows")
        )
    return TensorSpec(None if row_shape is None else [None, *row_shape], inputs[half].dtype)


stitch_op = define(
    "dynamic_stitch", inputs="*inputs", same_dtype_inputs=None,
    kernel=checked(_stitch, _stitch_infer),
    infer=_stitch_infer, node_name="DynamicStitch", grad=lazy_gradient("partitions.stitch"),
    samples=lambda: [case([0, 2], [1], [[1.0], [3.0]], [[2.0]]), case(1, [0], 5, [6])],
    doc="Merge tensors by indices: all indices come first, then as many tensors.",
)  # fmt: skip


def dynamic_stitch(indices: Sequence[Any], data: Sequence[Any], name: str | None = None) -> Any:
    """Merge tensors by indices: ``merged[indices[m][i]] = data[m][i]`` for all m and i.

    Args:
        indices: list of tensors of an integer dtype.
        data: list of as many tensors of one dtype; the shape of each begins with that of its
            indices.
    Returns:
        Tensor with as many entries as the greatest index + 1; of equal indices the last one counts.
    Raises:
        ValueError: the lists differ in length.
        InvalidArgumentError: an index is negative, or the shapes do not fit.
    """
    places = [whole_numbers(i, "indices") for i in listed(indices, "indices")]
    rows = [dispatch.convert(d) for d in listed(data, "data")]
    if len(places) != len(rows):
        raise ValueError(f"dynamic_stitch: {len(places)} indices, but {len(rows)} tensors of data")
    return stitch_op(*places, *rows, name=name)


def confusion_matrix(labels: TensorLike, predictions: TensorLike,
                     num_classes: TensorLike | None = None, weights: TensorLike | None = None,
                     dtype: DTypeLike = int32, name: str | None = None) -> Any:  # fmt: skip
    """Count how often each label was predicted as each class.

    Args:
        labels: vector of an integer dtype.
        predictions: vector of an integer dtype, of the same size.
        num_classes: number of classes; by default the greatest number + 1.
        weights: vector of weights that are added up instead of counts.
        dtype: dtype of the result.
    Returns:
        Matrix of shape (num_classes, num_classes): row i, column j counts label i predicted as j.
    Raises:
        InvalidArgumentError: a number is out of range (also an IndexError), or the sizes differ.
    """
    rows = cast(whole_numbers(labels, "labels"), int64)
    columns = cast(whole_numbers(predictions, "predictions"), int64)
    rows, columns = (squeeze(v, [-1]) if v.shape.rank == 2 else v for v in (rows, columns))
    target = as_dtype(dtype)
    if num_classes is None:
        num_classes = maximum(reduce_max(rows), reduce_max(columns)) + 1
    size = cast(num_classes, int64)
    if weights is None:
        weights = ones_like(rows)
    counts = cast(weights, target)
    return scatter_nd(stack([rows, columns], 1), counts, stack([size, size]), name=name)
