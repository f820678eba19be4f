"""Functions for ``Dataset.apply`` in place of methods; gathered by experimental.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.types.dtypes import int64

Transformation = Callable[[Any], Any]

__all__ = [
    "Transformation", "assert_cardinality", "bucket_by_sequence_length", "dense_to_ragged_batch",
    "enumerate_dataset", "group_by_window", "ignore_errors", "map_and_batch", "parallel_interleave",
    "scan", "shuffle_and_repeat", "take_while", "unbatch", "unique",
]  # fmt: skip


def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """Make a transformation that checks the number of elements.

    Args:
        expected_cardinality: scalar of an integer dtype.
    Returns:
        Function of a dataset, for ``Dataset.apply``.  The dataset raises FailedPreconditionError in
        the end unless it has as many elements.
    """
    return lambda dataset: dataset.assert_cardinality(expected_cardinality)


def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Transformation:
    """Make a transformation as ``Dataset.scan``.

    Args:
        initial_state: nest of tensors.
        scan_func: function of a state and an element; gives the next state and an element.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.scan(initial_state, scan_func)


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """Make a transformation as ``Dataset.take_while``.

    Args:
        predicate: function of an element; gives a scalar bool.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.take_while(predicate)


def unbatch() -> Transformation:
    """Make a transformation as ``Dataset.unbatch``.

    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.unbatch()


def unique() -> Transformation:
    """Make a transformation as ``Dataset.unique``.

    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.unique()


def ignore_errors(log_warning: bool = False) -> Transformation:
    """Make a transformation as ``Dataset.ignore_errors``.

    Args:
        log_warning: whether errors are logged.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.ignore_errors(log_warning)


def enumerate_dataset(start: Any = 0) -> Transformation:
    """Make a transformation as ``Dataset.enumerate``.

    Args:
        start: number of the first element.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.enumerate(start)


def shuffle_and_repeat(
    buffer_size: Any, count: Any = None, seed: int | None = None
) -> Transformation:
    """Make a transformation that shuffles, then repeats.

    Args:
        buffer_size: number of elements that are shuffled at a time.
        count: number of repetitions; None repeats for ever.
        seed: seed of the order.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def map_and_batch(
    map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: Any = None,
    drop_remainder: bool = False, num_parallel_calls: Any = None,
) -> Transformation:
    """Make a transformation that maps, then batches.

    Args:
        map_func: function of an element.
        batch_size: number of elements of a batch.
        num_parallel_batches: without effect.
        drop_remainder: whether an incomplete last batch is dropped.
        num_parallel_calls: number of threads for ``map``.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """

    def transform(dataset: Any) -> Any:
        return dataset.map(map_func, num_parallel_calls).batch(batch_size, drop_remainder)

    return transform


def group_by_window(
    key_func: Callable[..., Any], reduce_func: Callable[..., Any],
    window_size: int | None = None, window_size_func: Callable[..., Any] | None = None,
) -> Transformation:
    """Make a transformation as ``Dataset.group_by_window``.

    Args:
        key_func: function of an element; gives a scalar int64.
        reduce_func: function of a key and a dataset of a window; gives a dataset.
        window_size: greatest number of elements of a window.
        window_size_func: function of a key; gives the size of its windows.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.group_by_window(
        key_func, reduce_func, window_size, window_size_func
    )


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any], bucket_boundaries: Any, bucket_batch_sizes: Any,
    padded_shapes: Any = None, padding_values: Any = None, pad_to_bucket_boundary: bool = False,
    no_padding: bool = False, drop_remainder: bool = False,
) -> Transformation:
    """Make a transformation as ``Dataset.bucket_by_sequence_length``.

    Args:
        element_length_func: function of an element; gives a scalar int32.
        bucket_boundaries: lengths at which the next bucket begins.
        bucket_batch_sizes: batch size of each bucket, one more than boundaries.
        padded_shapes: nest of shapes to pad to.
        padding_values: nest of values to pad with.
        pad_to_bucket_boundary: whether a batch is padded to the boundary of its bucket less one.
        no_padding: whether elements are batched without padding, which needs equal shapes.
        drop_remainder: whether incomplete last batches are dropped.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.bucket_by_sequence_length(
        element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
        pad_to_bucket_boundary, no_padding, drop_remainder,
    )  # fmt: skip


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = int64
) -> Transformation:
    """Make a transformation as ``Dataset.ragged_batch``.

    Args:
        batch_size: number of elements of a batch.
        drop_remainder: whether an incomplete last batch is dropped.
        row_splits_dtype: int32 or int64.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


def parallel_interleave(
    map_func: Callable[..., Any], cycle_length: int, block_length: int = 1,
    sloppy: bool | None = False, buffer_output_elements: int | None = None,
    prefetch_input_elements: int | None = None,
) -> Transformation:
    """Make a transformation as ``Dataset.interleave`` with threads.

    Args:
        map_func: function of an element; gives a dataset.
        cycle_length: number of datasets that are read by turns.
        block_length: number of elements that are read from each.
        sloppy: without effect; the order is always the same.
        buffer_output_elements: without effect.
        prefetch_input_elements: without effect.
    Returns:
        Function of a dataset, for ``Dataset.apply``.
    """
    return lambda dataset: dataset.interleave(
        map_func, cycle_length, block_length, num_parallel_calls=cycle_length
    )
