"""Datasets of strategies: each element has a part for each replica."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import Any

from runtime.data.elements import leaves, map_leaves
from runtime.distribute.values import PerReplicaSpec, regrouped
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.math.elementwise import minimum
from runtime.staging.loops import StagedElements
from runtime.types import nest
from runtime.types.composite import Composite
from runtime.types.errors import OutOfRangeError, UnimplementedError
from runtime.types.value import Value


def distributed(
    dataset: Any, count: int, here: Sequence[int] | None = None
) -> DistributedDataset:
    """Return the dataset of global batches whose rows are divided among ``count`` replicas.

    Its elements have the parts of the replicas that are ``here``, by default all.  A batch that
    cannot be divided evenly gives the first replicas more rows, and the last ones fewer, or none.
    ValueError for elements that are no batches.
    """
    for spec in leaves(dataset.element_spec):
        if getattr(spec, "shape", None) is None or spec.shape.rank == 0:
            raise ValueError(
                "experimental_distribute_dataset divides batches by their rows, but an element has "
                f"{spec}: batch the dataset with the global batch size first"
            )

    replicas = range(count) if here is None else here

    def parts(*element: Any) -> Any:
        whole = element[0] if len(element) == 1 else element
        return tuple(map_leaves(functools.partial(part_of, index=n, count=count), whole)
                     for n in replicas)  # fmt: skip

    return DistributedDataset(dataset.map(parts), len(replicas), True)


def part_of(batch: Any, index: int, count: int) -> Any:
    """Return the rows of a batch for one of ``count`` replicas."""
    batch = convert_to_tensor(batch) if not isinstance(batch, Value) else batch
    rows = batch.shape[0] if batch.shape.rank else None
    if rows is not None:
        size = -(-rows // count)
        return batch[min(index * size, rows) : min((index + 1) * size, rows)]
    whole = shape_of(batch)[0]
    size = (whole + count - 1) // count
    return batch[minimum(index * size, whole) : minimum((index + 1) * size, whole)]


class ReplicaElements(StagedElements, Composite):
    """Base of datasets and iterators whose elements are nests of ``PerReplica``.

    ``source`` gives tuples with an element for each replica; where ``is_divided`` is False, each of
    its elements is for one replica, in turn.  Staged loops take the former alone.
    """

    def __init__(self, source: Any, count: int, is_divided: bool) -> None:
        self._source = source
        self._count = count
        self._is_divided = is_divided

    @property
    def element_spec(self) -> Any:
        """Types of an element: for each tensor those of the replicas."""
        spec = self._source.element_spec
        rows = spec if self._is_divided else (spec,) * self._count
        if self._count == 1:
            return rows[0]
        columns = zip(*map(nest.flatten, rows), strict=True)
        return nest.pack_sequence_as(rows[0], [PerReplicaSpec(column) for column in columns])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} element_spec={self.element_spec!r}>"

    @property
    def is_of_one_process(self) -> bool:
        """Whether its elements are the part of one process, not those of several devices."""
        return self._count == 1

    # -- in staged code ---------------------------------------------------------------------------

    @property
    def _is_concrete(self) -> Any:
        return self._source._is_concrete

    def _staged_source(self) -> Any:
        """Return the source; UnimplementedError where an element is not one of the source's."""
        if not self._is_divided:
            raise UnimplementedError(
                "a dataset of distribute_datasets_from_function is taken apart element by element, "
                "which a graph does not: go through it outside of the function, or use "
                "experimental_distribute_dataset"
            )
        return self._source

    def _holder(self) -> Any:
        return self._source._holder()

    def __for_loop__(self, loop: Any) -> Sequence[Any]:
        looped: Sequence[Any] = self._staged_source().__for_loop__(_OfReplicas(loop))
        return looped

    def __staged_iter__(self) -> Any:
        return DistributedIterator(self._staged_source().__staged_iter__(), self._count, True)

    # -- as an argument of a function -------------------------------------------------------------

    def _tensors(self) -> list[Any]:
        tensors: list[Any] = self._source._tensors()
        return tensors

    def _type_key(self) -> Hashable:
        return type(self), self._count, self._is_divided, self._source._type_key()

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return type(self)(self._source._with_tensors(tensors), self._count, self._is_divided)


class _OfReplicas:
    """Staged loop over elements whose parts are put together by replica."""

    def __init__(self, loop: Any) -> None:
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def body(self, values: Sequence[Any], item: Any) -> Any:
        """Return the state after one iteration."""
        return self._loop.body(values, regrouped(item))


class DistributedDataset(ReplicaElements):
    """Dataset whose elements are nests with a ``PerReplica`` for each tensor."""

    def cardinality(self) -> Any:
        """Return the number of elements, as that of a dataset."""
        count = self._source.cardinality()
        if self._is_divided or int(count) < 0:
            return count
        return (count + self._count - 1) // convert_to_tensor(self._count, count.dtype)

    def __iter__(self) -> DistributedIterator:
        return DistributedIterator(iter(self._source), self._count, self._is_divided)


class DistributedIterator(ReplicaElements, Iterator[Any]):
    """Iterator over the elements of a distributed dataset."""

    def __iter__(self) -> DistributedIterator:
        return self

    def __staged_iter__(self) -> Any:
        return self

    def __has_next__(self) -> Any:
        return self._staged_source().__has_next__()

    def __next__(self) -> Any:
        if self._is_divided:
            return regrouped(next(self._source))
        if not self._is_concrete:
            self._staged_source()  # refuses it
        rows = list(islice(self._source, self._count))
        if not rows:
            raise StopIteration
        empty = nest.map_structure(lambda x: x[:0], rows[0])
        return regrouped([*rows, *[empty] * (self._count - len(rows))])

    def get_next(self) -> Any:
        """Return the next element; OutOfRangeError at the end."""
        if self._is_divided:
            return regrouped(self._source.get_next())
        try:
            return next(self)
        except StopIteration:
            raise OutOfRangeError("End of sequence") from None
