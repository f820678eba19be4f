"""``runtime.data.experimental``: names from before the methods of ``Dataset`` were there."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import Any

from runtime.containers.hash_table import KeyValueTensorInitializer
from runtime.data import cardinality as cardinalities
from runtime.data import sources
from runtime.data.csv import CsvDataset as CsvDataset
from runtime.data.csv import make_csv_dataset as make_csv_dataset
from runtime.data.dataset import Dataset
from runtime.data.elements import Layout, as_element, components, map_leaves, spec_of
from runtime.data.int_arguments import whole
from runtime.data.iterators import DatasetIterator, Optional
from runtime.data.options import AutoShardPolicy as AutoShardPolicy
from runtime.data.prefetching import AUTOTUNE
from runtime.ops.array.creation import zeros
from runtime.ops.dispatch import executing_eagerly
from runtime.ops.resource.dataset import INFINITE, UNKNOWN
from runtime.types.dtypes import int64

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN
Transformation = Callable[[Any], Any]


def cardinality(dataset: Any) -> Any:
    """The number of elements, as ``Dataset.cardinality``."""
    return dataset.cardinality()


def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """For ``apply``: the same elements, and an error unless there are as many."""
    return lambda dataset: dataset.assert_cardinality(expected_cardinality)


def get_next_as_optional(iterator: DatasetIterator) -> Optional:
    """The next element as an Optional."""
    return iterator.get_next_as_optional()


def get_single_element(dataset: Any) -> Any:
    """The only element of a dataset."""
    return dataset.get_single_element()


def get_structure(dataset_or_iterator: Any) -> Any:
    """The type of an element."""
    return dataset_or_iterator.element_spec


def at(dataset: Any, index: Any) -> Any:
    """The element with a number, found by going there; OutOfRangeError when there is none."""
    found = dataset._then("At", cardinalities.at, inputs=[whole(index, "index")])
    return found._staged_iterator().get_next()


def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Transformation:
    """For ``apply``: as ``Dataset.scan``."""
    return lambda dataset: dataset.scan(initial_state, scan_func)


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """For ``apply``: as ``Dataset.take_while``."""
    return lambda dataset: dataset.take_while(predicate)


def unbatch() -> Transformation:
    """For ``apply``: as ``Dataset.unbatch``."""
    return lambda dataset: dataset.unbatch()


def unique() -> Transformation:
    """For ``apply``: as ``Dataset.unique``."""
    return lambda dataset: dataset.unique()


def ignore_errors(log_warning: bool = False) -> Transformation:
    """For ``apply``: as ``Dataset.ignore_errors``."""
    return lambda dataset: dataset.ignore_errors(log_warning)


def enumerate_dataset(start: Any = 0) -> Transformation:
    """For ``apply``: as ``Dataset.enumerate``."""
    return lambda dataset: dataset.enumerate(start)


def shuffle_and_repeat(
    buffer_size: Any, count: Any = None, seed: int | None = None
) -> Transformation:
    """For ``apply``: shuffled, then repeated."""
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def map_and_batch(
    map_func: Callable[..., Any], batch_size: Any, num_parallel_batches: Any = None,
    drop_remainder: bool = False, num_parallel_calls: Any = None,
) -> Transformation:
    """For ``apply``: ``map``, then ``batch``."""

    def transform(dataset: Any) -> Any:
        return dataset.map(map_func, num_parallel_calls).batch(batch_size, drop_remainder)

    return transform


def group_by_window(
    key_func: Callable[..., Any], reduce_func: Callable[..., Any],
    window_size: int | None = None, window_size_func: Callable[..., Any] | None = None,
) -> Transformation:
    """For ``apply``: as ``Dataset.group_by_window``."""
    return lambda dataset: dataset.group_by_window(
        key_func, reduce_func, window_size, window_size_func
    )


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any], bucket_boundaries: Any, bucket_batch_sizes: Any,
    padded_shapes: Any = None, padding_values: Any = None, pad_to_bucket_boundary: bool = False,
    no_padding: bool = False, drop_remainder: bool = False,
) -> Transformation:
    """For ``apply``: as ``Dataset.bucket_by_sequence_length``."""
    return lambda dataset: dataset.bucket_by_sequence_length(
        element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
        pad_to_bucket_boundary, no_padding, drop_remainder,
    )  # fmt: skip


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = int64
) -> Transformation:
    """For ``apply``: as ``Dataset.ragged_batch``."""
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


def parallel_interleave(
    map_func: Callable[..., Any], cycle_length: int, block_length: int = 1,
    sloppy: bool | None = False, buffer_output_elements: int | None = None,
    prefetch_input_elements: int | None = None,
) -> Transformation:
    """For ``apply``: as ``Dataset.interleave`` with threads."""
    return lambda dataset: dataset.interleave(
        map_func, cycle_length, block_length, num_parallel_calls=cycle_length
    )


def sample_from_datasets(
    datasets: Any, weights: Any = None, seed: int | None = None,
    stop_on_empty_dataset: bool = False,
) -> Any:
    """As ``Dataset.sample_from_datasets``."""
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def choose_from_datasets(
    datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = False
) -> Any:
    """As ``Dataset.choose_from_datasets``."""
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def Counter(start: Any = 0, step: Any = 1, dtype: Any = None) -> Any:
    """As ``Dataset.counter``."""
    return Dataset.counter(start, step) if dtype is None else Dataset.counter(start, step, dtype)


def RandomDataset(seed: int | None = None) -> Any:
    """As ``Dataset.random``."""
    return Dataset.random(seed)


def from_list(elements: Any, name: str | None = None) -> Any:
    """A dataset of the elements of a list, which must be of one structure and dtypes.

    ValueError for what is no list, for none, and for elements of other structures and dtypes.
    """
    if not isinstance(elements, list):
        raise ValueError(f"Invalid `elements`. `elements` must be a list, got {elements!r}.")
    if not elements:
        raise ValueError("Invalid `elements`. `elements` should not be empty.")
    rows = [as_element(element, "from_list") for element in elements]
    layout = Layout(spec_of(rows[0]))
    for row in rows[1:]:
        joint = layout.joined_with(Layout(spec_of(row)))
        if joint is None:
            raise ValueError(
                f"from_list: the elements must have one structure and dtypes, got {layout.spec} "
                f"and {spec_of(row)}"
            )
        layout = joint
    build = functools.partial(sources.listed, count=len(rows))
    tensors = [tensor for row in rows for tensor in components(row)]
    return Dataset._of("List", build, layout, tensors, name=name)


def pad_to_cardinality(cardinality: int, mask_key: str = "valid") -> Transformation:
    """For ``apply``: dicts with a flag more, and after them zeros, up to ``cardinality`` elements.

    ValueError for elements that are no dicts, and for more of them or an unknown number.
    """

    def transform(dataset: Any) -> Any:
        spec = dataset.element_spec
        if not isinstance(spec, Mapping):
            raise ValueError("`pad_to_cardinality` requires its input dataset to be a dictionary.")
        if executing_eagerly() and dataset._source.size < 0:
            raise ValueError(
                "The dataset passed into `pad_to_cardinality` must have a known cardinalty, but "
                f"has cardinality {dataset._source.size}"
            )
        if executing_eagerly() and dataset._source.size > cardinality:
            raise ValueError(
                "The dataset passed into `pad_to_cardinality` must have a cardinalty less than "
                f"the target cardinality ({cardinality}), but has cardinality "
                f"{dataset._source.size}"
            )
        zero = map_leaves(lambda leaf: zeros(leaf.shape, leaf.dtype), dict(spec))
        padding = Dataset.from_tensors({**zero, mask_key: False})
        marked = dataset.map(lambda element: {**element, mask_key: True})
        return marked.concatenate(padding.repeat(cardinality - dataset.cardinality()))

    return transform


class DatasetInitializer(KeyValueTensorInitializer):
    """The entries of a lookup table as pairs of a dataset; ValueError for other elements."""

    def __init__(self, dataset: Any) -> None:
        spec = dataset.element_spec
        if not isinstance(spec, tuple) or len(spec) != 2 or any(s.shape.rank for s in spec):
            raise ValueError(
                f"DatasetInitializer needs a dataset of pairs of scalars, got elements {spec}"
            )
        super().__init__(*dataset.batch(sys.maxsize).get_single_element())


__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "AutoShardPolicy", "Counter",
    "CsvDataset", "DatasetInitializer", "Optional", "RandomDataset", "assert_cardinality", "at",
    "bucket_by_sequence_length", "cardinality", "choose_from_datasets", "dense_to_ragged_batch",
    "enumerate_dataset", "from_list", "get_next_as_optional", "get_single_element", "get_structure",
    "group_by_window", "ignore_errors", "make_csv_dataset", "map_and_batch", "pad_to_cardinality",
    "parallel_interleave", "sample_from_datasets", "scan", "shuffle_and_repeat", "take_while",
    "unbatch", "unique",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
