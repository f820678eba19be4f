"""Batches to train on: of arrays, datasets, sequences of batches and generators."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from runtime.data.dataset import Dataset
from runtime.distribute.datasets import DistributedDataset, ReplicaElements
from runtime.ops.random.shuffling import shuffle
from runtime.types import nest
from runtime.types.value import Value


class Batch(NamedTuple):
    """Inputs, targets and weights; the last two may be None."""

    x: Any
    y: Any = None
    sample_weight: Any = None


def unpack_x_y_sample_weight(data: Any) -> Batch:
    """Return inputs, targets and weights of what a dataset or generator gives.

    A tuple has one to three of them; anything else is the inputs.  ValueError for longer tuples.
    """
    if not isinstance(data, tuple):
        return Batch(data)
    if not 1 <= len(data) <= 3:
        raise ValueError(
            f"data must be (x,), (x, y) or (x, y, sample_weight), got a tuple of {len(data)}"
        )
    return Batch(*data)


def _as_array(value: Any) -> Any:
    """Return an array of what is given as data; floats of 64 bits become those of 32."""
    if value is None:
        return None  # of an optional input
    array = np.asarray(value)
    if array.dtype == np.float64:
        return array.astype(np.float32)
    return array


def _arrays(value: Any) -> Any:
    """Return a nest of arrays; a list of numbers is one array."""
    if isinstance(value, dict):
        return {name: _arrays(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple) and not _is_numbers(value):
        return nest.rebuild(value, [_arrays(entry) for entry in value])
    return _as_array(value)


def _is_numbers(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_numbers, value))
    return isinstance(value, int | float | np.generic)


class ArrayBatches:
    """Batches of arrays with one row for each sample.

    ValueError where the arrays have other numbers of rows.
    """

    def __init__(
        self, x: Any, y: Any = None, sample_weight: Any = None, batch_size: int | None = None,
        shuffled: bool = False,
    ) -> None:  # fmt: skip
        self.data = Batch(
            _arrays(x), None if y is None else _arrays(y),
            None if sample_weight is None else _arrays(sample_weight),
        )  # fmt: skip
        leaves = [leaf for leaf in nest.flatten(tuple(self.data)) if leaf is not None]
        counts = {leaf.shape[0] if leaf.ndim else 0 for leaf in leaves}
        if len(counts) > 1:
            shown = ", ".join(str(leaf.shape) for leaf in leaves)
            raise ValueError(
                "Data cardinality is ambiguous. Make sure all arrays contain the same number of "
                f"samples: their shapes are {shown}"
            )
        self.count: int = counts.pop()
        self.batch_size = 32 if batch_size is None else int(batch_size)
        if self.batch_size <= 0:
            raise ValueError(f"batch_size must be positive, got {batch_size}")
        self.shuffled = shuffled

    @property
    def steps(self) -> int:
        """Number of batches of an epoch; the last one may be smaller."""
        return math.ceil(self.count / self.batch_size)

    def order(self) -> Any:
        """Return the rows in the order of an epoch."""
        rows = np.arange(self.count)
        return shuffle(rows).numpy() if self.shuffled else rows

    def epoch(self) -> Iterator[Batch]:
        """Yield the batches of an epoch."""
        order = self.order()
        for start in range(0, self.count, self.batch_size):
            yield self.rows(order[start : start + self.batch_size])

    def rows(self, rows: Any) -> Batch:
        """Return the batch of some rows."""
        return Batch(*[
            None if arrays is None else nest.map_structure(
                lambda leaf: None if leaf is None else leaf[rows], arrays
            )
            for arrays in self.data
        ])  # fmt: skip

    def split(self, share: float) -> tuple[ArrayBatches, ArrayBatches]:
        """Return the first rows to train on, and the last ``share`` of them to validate on.

        ValueError unless both have rows.
        """
        first = math.floor(self.count * (1.0 - share))
        if not 0 < share < 1 or first in (0, self.count):
            raise ValueError(
                f"validation_split={share} of {self.count} samples leaves nothing to train on, or "
                "nothing to validate on"
            )
        batches = self.rows(slice(None, first)), self.rows(slice(first, None))
        return (
            ArrayBatches(*batches[0], self.batch_size, self.shuffled),
            ArrayBatches(*batches[1], self.batch_size),
        )


class SourceBatches:
    """Batches that a dataset, a sequence or another iterable gives.

    A source that gives no more in the middle of an epoch of ``steps`` ends it, with a warning; a
    dataset begins anew then.  What is no dataset and no sequence goes on where the last epoch
    stopped.  ``shuffled`` batches of a sequence come in another order in each epoch.
    """

    def __init__(self, source: Any, steps: int | None = None, shuffled: bool = False) -> None:
        self._source = source
        self._shuffled = shuffled
        self._limit = steps
        self._iterator: Iterator[Any] | None = None
        self._is_sequence = hasattr(source, "__getitem__") and hasattr(source, "__len__")

    @property
    def steps(self) -> int | None:
        """Number of batches of an epoch; None if it is not known."""
        if self._limit is not None:
            return self._limit
        if self._is_sequence:
            return _count(self._source)
        if isinstance(self._source, Dataset | DistributedDataset):
            count = int(self._source.cardinality())
            return count if count >= 0 else None
        return None

    def epoch(self) -> Iterator[Batch]:
        """Yield the batches of an epoch."""
        if self._limit is None:
            source: Iterable[Any] = self._items() if self._is_sequence else self._source
        else:  # which goes on through the data
            if self._iterator is None:
                self._iterator = iter(self._endless())
            source = itertools.islice(self._iterator, self._limit)
        count = 0
        for item in source:
            count += 1
            yield unpack_x_y_sample_weight(item)
        if self._limit is not None and 0 < count < self._limit:
            self._iterator = None if isinstance(self._source, Dataset) else self._iterator
            warnings.warn(
                f"Your input ran out of data: the epoch has {count} batches, not {self._limit}. "
                "Repeat the dataset, or ask for fewer steps.", stacklevel=2,
            )  # fmt: skip
        if self._is_sequence and hasattr(self._source, "on_epoch_end"):
            self._source.on_epoch_end()

    def _items(self) -> Iterator[Any]:
        """Yield the items of a sequence."""
        if hasattr(self._source, "on_epoch_begin"):
            self._source.on_epoch_begin()
        count = _count(self._source)
        order: Iterable[int] = itertools.count() if count is None else range(count)
        if self._shuffled and count is not None:
            order = shuffle(np.arange(count)).numpy().tolist()
        for number in order:
            yield self._source[number]

    def _endless(self) -> Iterator[Any]:
        if isinstance(self._source, Dataset):
            yield from self._source
        elif self._is_sequence:
            while True:
                yield from self._items()
        else:
            yield from self._source


def _count(sequence: Any) -> int | None:
    """Return the number of batches of a sequence; None for one that does not end."""
    count: int | None = sequence.num_batches if hasattr(type(sequence), "num_batches") else len(
        sequence
    )
    return count


Batches = ArrayBatches | SourceBatches


def batches_of(
    x: Any, y: Any = None, sample_weight: Any = None, batch_size: int | None = None,
    steps: int | None = None, shuffled: bool = False, class_weight: dict[int, float] | None = None,
) -> Batches:  # fmt: skip
    """Return the batches of what ``fit``, ``evaluate`` or ``predict`` was given.

    Raises ValueError for targets or weights beside a dataset or a generator, which give these
    themselves, and TypeError for what is no data.
    """
    if x is None:
        raise ValueError("there is no data: give `x`")
    if isinstance(x, ReplicaElements) and x.is_of_one_process:
        raise ValueError(
            "fit, evaluate and predict divide global batches among the replicas themselves: give "
            "them the dataset that experimental_distribute_dataset was given"
        )
    is_source = isinstance(x, Dataset | DistributedDataset) or hasattr(x, "__next__")
    is_source = is_source or _is_sequence_of_batches(x)
    if not is_source:
        if class_weight is not None:
            sample_weight = _with_class_weights(_arrays(y), sample_weight, class_weight)
        return ArrayBatches(x, y, sample_weight, batch_size, shuffled)
    if y is not None or sample_weight is not None:
        argument = "`y`" if y is not None else "`sample_weight`"
        raise ValueError(
            f"{argument} is given beside a {type(x).__name__}, which must give it itself, as the "
            "second or third part of each item"
        )
    batches = SourceBatches(x, steps, shuffled)
    return batches if class_weight is None else _Weighted(batches, class_weight)


def _is_sequence_of_batches(x: Any) -> bool:
    plain = isinstance(x, list | tuple | dict | np.ndarray | Value)
    return not plain and hasattr(x, "__getitem__") and hasattr(x, "__len__") and not hasattr(
        x, "__array__"
    )


class _Weighted(SourceBatches):
    """Batches of a source, with weights by class."""

    def __init__(self, batches: SourceBatches, weights: dict[int, float]) -> None:
        vars(self).update(vars(batches))
        self._class_weights = weights

    def epoch(self) -> Iterator[Batch]:
        for batch in super().epoch():
            weight = _with_class_weights(_arrays(batch.y), batch.sample_weight, self._class_weights)
            yield batch._replace(sample_weight=weight)


def _with_class_weights(y: Any, sample_weight: Any, weights: dict[int, float]) -> Any:
    """Return the weights of samples, each multiplied by that of its class.

    Classes without one count once.  ValueError for targets that are no array of classes or of
    one-hot rows.
    """
    if not isinstance(y, np.ndarray):
        raise ValueError("class_weight needs targets that are one array")
    classes = y.argmax(-1) if y.ndim > 1 and y.shape[-1] > 1 else y.reshape(len(y))
    class_weights = np.vectorize(
        lambda label: weights.get(round(float(label)), 1.0), otypes=[np.float32]
    )(classes)
    if sample_weight is None:
        return class_weights
    return class_weights * _as_array(sample_weight)
