"""``Dataset``: all its methods together, and the functions of TensorFlow 1 that take one."""

from __future__ import annotations

from typing import Any

from runtime.data.batching_methods import Grouping
from runtime.data.creation import Creation
from runtime.data.element_methods import Transformations
from runtime.data.iterators import DATASETS
from runtime.data.options import Options
from runtime.data.ordering_methods import Combining
from runtime.data.save_load import Saving
from runtime.data.v1_iterators import PlacedIterator
from runtime.ops import dispatch


class Dataset(Creation, Transformations, Grouping, Combining, Saving):
    """A sequence of elements, made lazily: of tensors, files or functions, by steps of methods.

    ``for x in dataset`` goes through it: eagerly in Python, in converted code as a loop of the
    graph, with nothing unrolled.  Each iteration starts anew.
    """

    def __init__(self, variant_tensor: Any = None) -> None:
        raise TypeError(
            "Datasets are made by functions: Dataset.from_tensor_slices, Dataset.range ..."
        )

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """The dataset itself: options have no effect here (see ``Options``).

        TypeError for what is no ``Options``.
        """
        if not isinstance(options, Options):
            raise TypeError(f"options must be a tf.data.Options, got {options!r}")
        return self

    def make_one_shot_iterator(self) -> Any:
        """An iterator over the dataset that a graph needs not initialise."""
        if dispatch.executing_eagerly():
            return iter(self)
        return PlacedIterator._one_shot(self)

    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """An iterator whose ``initializer`` a session runs; RuntimeError under eager execution."""
        if dispatch.executing_eagerly():
            raise RuntimeError(
                "dataset.make_initializable_iterator is not supported when eager execution is "
                "enabled. Use `for element in dataset` instead."
            )
        return PlacedIterator._initializable(self, shared_name)


DATASETS.append(Dataset)


def make_one_shot_iterator(dataset: Any) -> Any:
    """Make an iterator that needs no initialization.

    Args:
        dataset: dataset.
    Returns:
        Iterator.
    """
    return dataset.make_one_shot_iterator()


def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> Any:
    """Make an iterator whose ``initializer`` a session runs.

    Args:
        dataset: dataset.
        shared_name: without effect.
    Returns:
        Iterator.
    Raises:
        RuntimeError: eager execution is enabled.
    """
    return dataset.make_initializable_iterator(shared_name)


def get_output_types(dataset_or_iterator: Any) -> Any:
    """Get the dtypes of the components of an element.

    Args:
        dataset_or_iterator: dataset or iterator.
    Returns:
        Nest of dtypes in the structure of an element.
    """
    return dataset_or_iterator.output_types


def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """Get the shapes of the components of an element.

    Args:
        dataset_or_iterator: dataset or iterator.
    Returns:
        Nest of shapes in the structure of an element.
    """
    return dataset_or_iterator.output_shapes


def get_output_classes(dataset_or_iterator: Any) -> Any:
    """Get the classes of the components of an element.

    Args:
        dataset_or_iterator: dataset or iterator.
    Returns:
        Nest of classes in the structure of an element.
    """
    return dataset_or_iterator.output_classes


