"""``runtime.data.experimental``: names from before the methods of ``Dataset`` were there."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime.containers.hash_table import KeyValueTensorInitializer
from runtime.data import cardinality as cardinalities
from runtime.data import sources
from runtime.data.csv import CsvDataset as CsvDataset
from runtime.data.csv import make_csv_dataset as make_csv_dataset
from runtime.data.dataset import Dataset
from runtime.data.device_prefetching import copy_to_device as copy_to_device
from runtime.data.device_prefetching import prefetch_to_device as prefetch_to_device
from runtime.data.elements import Layout, as_element, components, map_leaves, spec_of
from runtime.data.int_arguments import whole
from runtime.data.iterators import DatasetIterator, Optional
from runtime.data.options import AutoShardPolicy as AutoShardPolicy
from runtime.data.prefetching import AUTOTUNE
from runtime.data.transformations import (
    Transformation,
    assert_cardinality,
    bucket_by_sequence_length,
    dense_to_ragged_batch,
    enumerate_dataset,
    group_by_window,
    ignore_errors,
    map_and_batch,
    parallel_interleave,
    scan,
    shuffle_and_repeat,
    take_while,
    unbatch,
    unique,
)
from runtime.ops.array.creation import zeros
from runtime.ops.dispatch import executing_eagerly
from runtime.ops.resource.dataset import INFINITE, UNKNOWN
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.annexes import explained as _explained

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN


def cardinality(dataset: Any) -> Any:
    """Count the elements of a dataset, as ``Dataset.cardinality``.

    Args:
        dataset: dataset.
    Returns:
        Scalar of int64; ``INFINITE_CARDINALITY`` or ``UNKNOWN_CARDINALITY`` if there is no number.
    """
    return dataset.cardinality()


def get_next_as_optional(iterator: DatasetIterator) -> Optional:
    """Get the next element of an iterator as an Optional.

    Args:
        iterator: iterator of a dataset.
    Returns:
        Optional, without a value at the end.
    """
    return iterator.get_next_as_optional()


def get_single_element(dataset: Any) -> Any:
    """Get the only element of a dataset.

    Args:
        dataset: dataset.
    Returns:
        Element.
    Raises:
        InvalidArgumentError: there are none or several.
    """
    return dataset.get_single_element()


def get_structure(dataset_or_iterator: Any) -> Any:
    """Describe the elements of a dataset or iterator.

    Args:
        dataset_or_iterator: dataset or iterator.
    Returns:
        Nest of type specs.
    """
    return dataset_or_iterator.element_spec


def at(dataset: Any, index: Any) -> Any:
    """Get the element of a number by going through the dataset to it.

    Args:
        dataset: dataset.
        index: scalar of an integer dtype, from 0.
    Returns:
        Element.
    Raises:
        OutOfRangeError: there are fewer elements.
    """
    element = dataset._then("At", cardinalities.at, inputs=[whole(index, "index")])
    return element._staged_iterator().get_next()


def sample_from_datasets(
    datasets: Any, weights: Any = None, seed: int | None = None,
    stop_on_empty_dataset: bool = False,
) -> Any:
    """Draw elements from datasets at random, as ``Dataset.sample_from_datasets``.

    Args:
        datasets: datasets of one element type.
        weights: probability of each dataset; equal ones by default.
        seed: seed of the draws.
        stop_on_empty_dataset: whether the end of one dataset ends the result.
    Returns:
        Dataset.
    """
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def choose_from_datasets(
    datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = False
) -> Any:
    """Take elements from datasets, as ``Dataset.choose_from_datasets``.

    Args:
        datasets: datasets of one element type.
        choice_dataset: dataset of scalars of int64, the numbers of datasets.
        stop_on_empty_dataset: whether the end of one dataset ends the result.
    Returns:
        Dataset.
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def Counter(
    start: TensorLike = 0, step: TensorLike = 1, dtype: DTypeLike | None = None
) -> Any:
    """Make a dataset that counts without end, as ``Dataset.counter``.

    Args:
        start: first number.
        step: difference of neighbours.
        dtype: dtype of the numbers; int64 by default.
    Returns:
        Dataset of scalars.
    """
    return Dataset.counter(start, step) if dtype is None else Dataset.counter(start, step, dtype)


def RandomDataset(seed: int | None = None) -> Any:
    """Make a dataset of random integers without end, as ``Dataset.random``.

    Args:
        seed: seed of the numbers.
    Returns:
        Dataset of scalars of int64.
    """
    return Dataset.random(seed)


def from_list(elements: Any, name: str | None = None) -> Any:
    """Make a dataset of the elements of a list.

    Args:
        elements: list of nests of one structure and one set of dtypes.
    Returns:
        Dataset of those elements.
    Raises:
        ValueError: there is no list or an empty one, or the elements differ in structure or dtypes.
    """
    if not isinstance(elements, list):
        raise ValueError(f"Invalid `elements`. `elements` must be a list, got {elements!r}.")
    if not elements:
        raise ValueError("Invalid `elements`. `elements` should not be empty.")
    nests = [as_element(element, "from_list") for element in elements]
    layout = Layout(spec_of(nests[0]))
    for nest in nests[1:]:
        joined = layout.joined_with(Layout(spec_of(nest)))
        if joined is None:
            raise ValueError(
                f"from_list: the elements must have one structure and dtypes, got {layout.spec} "
                f"and {spec_of(nest)}"
            )
        layout = joined
    build = functools.partial(sources.listed, count=len(nests))
    tensors = [tensor for nest in nests for tensor in components(nest)]
    return Dataset._of("List", build, layout, tensors, name=name)


def pad_to_cardinality(cardinality: int, mask_key: str = "valid") -> Transformation:
    """Make a transformation that fills a dataset of dicts up with zeros.

    Args:
        cardinality: number of elements of the result.
        mask_key: key of the flag that tells elements from padding.
    Returns:
        Function of a dataset, for ``Dataset.apply``.  Applied to elements that are no dicts, to
        more of them or to an unknown number, it raises ValueError.
    Raises:
        ValueError: the transformation is applied to such a dataset.
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
    """Entries of a lookup table, as pairs of a dataset; ValueError for other elements."""

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
    "bucket_by_sequence_length", "cardinality", "choose_from_datasets", "copy_to_device",
    "dense_to_ragged_batch", "enumerate_dataset", "from_list", "get_next_as_optional",
    "get_single_element", "get_structure", "group_by_window", "ignore_errors", "make_csv_dataset",
    "map_and_batch", "pad_to_cardinality", "parallel_interleave", "prefetch_to_device",
    "sample_from_datasets", "scan", "shuffle_and_repeat", "take_while", "unbatch", "unique",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
