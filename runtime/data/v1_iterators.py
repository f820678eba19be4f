"""Iterators of TensorFlow 1: a place in a session, where an operation puts an iteration."""

from __future__ import annotations

import warnings
from typing import Any

from runtime.data.base import Base, DatasetSpec
from runtime.data.creation import declared_layout
from runtime.data.elements import Layout
from runtime.data.iterators import PLACED, DatasetIterator
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.resource.dataset import (
    IteratorStorage,
    initialize_iterator,
    iterator_from_string,
    iterator_to_string,
    one_shot_iterator,
    read_iterator,
)
from runtime.types import nest
from runtime.types.dtypes import string, variant
from runtime.types.shapes import SCALAR_SHAPE

MANY = 32
"""How many calls of ``get_next`` go by without a warning."""


class PlacedIterator(DatasetIterator):
    """An iterator that each session keeps for itself.

    ``get_next()`` is recorded once, and gives the next element each time a session fetches it;
    OutOfRangeError at the end.
    """

    def __init__(self, layout: Layout, name: str | None, dataset: Any, one_shot: bool) -> None:
        self._layout = layout
        self._tensor = None
        self._cursor = None
        graph = current_graph()
        self._asked = 0
        self._text: Any = None
        if dataset is not None:
            _check_graph(dataset, graph)
        title = name or "Iterator" if graph is None else graph.unique_name(name or "Iterator")
        self._storage = IteratorStorage(title, variant, SCALAR_SHAPE, graph is not None)
        self._storage.specs = layout.rows
        self._dataset = dataset if one_shot else None
        self._initializer = None
        if dataset is not None and not one_shot:
            self._initializer = self.make_initializer(dataset)

    @classmethod
    def _one_shot(cls, dataset: Any) -> PlacedIterator:
        return cls(dataset._layout, "OneShotIterator", dataset, True)

    @classmethod
    def _initializable(cls, dataset: Any, name: str | None) -> PlacedIterator:
        return cls(dataset._layout, name, dataset, False)

    @classmethod
    def of_types(cls, types: Any, shapes: Any, name: str | None) -> PlacedIterator:
        """An iterator without a dataset yet."""
        return cls(declared_layout(types, shapes, None), name, None, False)

    @classmethod
    def of_handle(cls, handle: Any, types: Any, shapes: Any) -> DatasetIterator:
        """The iterator that a text stands for whenever it is asked."""
        layout = declared_layout(types, shapes, None)
        text = convert_to_tensor(handle, string)
        return DatasetIterator(iterator_from_string(text, specs=layout.rows), layout)

    def string_handle(self, name: str | None = None) -> Any:
        """A string tensor that stands for the iterator: for ``Iterator.from_string_handle``."""
        if name is None and self._text is not None:
            return self._text
        inputs = [] if self._dataset is None else [self._handle()]
        text = iterator_to_string(*inputs, storage=self._storage, name=name)
        if name is None:
            self._text = text
        return text

    @property
    def initializer(self) -> Any:
        """The operation that puts it at the start; ValueError when it has none."""
        if self._initializer is None:
            raise ValueError(
                "The iterator does not have an initializer. This means it was likely created "
                "using `tf.data.Dataset.make_one_shot_iterator()`. For an initializable iterator, "
                "use `tf.data.Dataset.make_initializable_iterator()` instead."
            )
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """The operation that puts the iterator at the start of a dataset.

        TypeError when the dataset's elements are of another type, ValueError when they are of
        another structure.
        """
        if not isinstance(dataset, Base):
            raise TypeError(f"make_initializer takes a dataset, got {dataset!r}")
        nest.assert_same_structure(self._layout.spec, dataset.element_spec)
        if self.output_types != dataset.output_types:
            raise TypeError(
                f"Expected output types {self.output_types!r} but got dataset with output types "
                f"{dataset.output_types!r}."
            )
        if not DatasetSpec(self._layout.spec).is_compatible_with(dataset):
            raise TypeError(
                f"Expected output shapes compatible with {self.output_shapes!r} but got dataset "
                f"with output shapes {dataset.output_shapes!r}."
            )
        return initialize_iterator(dataset._variant_tensor, storage=self._storage, name=name)

    def get_next(self, name: str | None = None) -> Any:
        """The next element, found each time the graph runs; OutOfRangeError when there is none.

        Warns when it is called again and again: each call adds to the graph.
        """
        self._asked += 1
        if self._asked > MANY:
            warnings.warn(
                "An unusually high number of `Iterator.get_next()` calls was detected. Each adds "
                "to the graph: call it once, before the loop, and run its result again and again.",
                stacklevel=2,
            )
        return super().get_next(name)

    def _handle(self) -> Any:
        if self._dataset is None:
            return read_iterator(storage=self._storage)
        return one_shot_iterator(self._dataset._variant_tensor, storage=self._storage)


def _check_graph(dataset: Any, graph: Any) -> None:
    """ValueError for a dataset of another graph than that of its iterator."""
    tensor = dataset._variant_tensor
    if isinstance(tensor, SymbolicTensor) and graph is not None and tensor.graph is not graph:
        raise ValueError(
            f"The iterator is made in another graph than the dataset {dataset!r}. Please ensure "
            "that all datasets in the pipeline are created in the same graph as the iterator."
        )


PLACED.append(PlacedIterator)
