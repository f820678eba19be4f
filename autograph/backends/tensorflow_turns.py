"""What loops on TensorFlow go through: numbers, elements of datasets; for ``tensorflow``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from autograph.backends.scalars import StagedScalar
from autograph.errors import ConcreteValueError
from autograph.staging import LazyIterable, StagedLoop, tracing_backend, user_line


class DatasetTurns:
    """Turns of a loop that have no items; ``state`` are the types of the tensors that go along."""

    state: Sequence[tuple[Any, Any]] = ()
    look_ahead = False
    """Whether what comes next must not be asked for when the loop ends."""

    def start(self) -> list[Any]:
        """Return the tensors before the first turn."""
        return []

    def more(self, state: Sequence[Any]) -> Any:
        """Return whether there is another turn, were it not for the loop's own test."""
        return True

    def item(self, state: Sequence[Any]) -> list[Any]:
        """Return the item of a turn, if it has one."""
        return []

    def next(self, state: Sequence[Any], going_on: Any) -> list[Any]:
        """Return the tensors after a turn; ``going_on`` says whether the loop's test holds."""
        return []


class CountedTurns(DatasetTurns):
    """Turns that are counted."""

    state = ((tf.int64, ()),)

    def __init__(self, backend: Any, count: StagedScalar) -> None:
        self.backend = backend
        self.count = count

    def start(self) -> list[Any]:
        """Return 0."""
        return [tf.constant(0, tf.int64)]

    def more(self, state: Sequence[Any]) -> Any:
        """Return whether a number is below the count."""
        return state[0] < self.count.value

    def item(self, state: Sequence[Any]) -> list[Any]:
        """Return the number as a Python int."""
        return [StagedScalar(self.backend, int, state[0])]

    def next(self, state: Sequence[Any], going_on: Any) -> list[Any]:
        """Return the next number."""
        return [state[0] + 1]


class _ElementTurns(DatasetTurns):
    """Turns for the elements that an iterator gives: the next one is an optional."""

    state = ((tf.variant, ()),)
    look_ahead = True

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator
        self.first = iterator.get_next_as_optional()

    def start(self) -> list[Any]:
        """Return the first element."""
        return tf.nest.flatten(self.first, expand_composites=True)

    def _optional(self, state: Sequence[Any]) -> Any:
        return tf.nest.pack_sequence_as(self.first, list(state), expand_composites=True)

    def more(self, state: Sequence[Any]) -> Any:
        """Return whether there is an element."""
        return self._optional(state).has_value()

    def item(self, state: Sequence[Any]) -> list[Any]:
        """Return the element."""
        return [self._optional(state).get_value()]

    def next(self, state: Sequence[Any], going_on: Any) -> list[Any]:
        """Return the next element, unless the loop ends: an iterator keeps it then."""

        def element() -> list[Any]:
            return tf.nest.flatten(self.iterator.get_next_as_optional(), expand_composites=True)

        if isinstance(going_on, bool):
            return element() if going_on else list(state)
        return [tf.cond(going_on, lambda: element()[0], lambda: state[0])]


class DatasetElements(LazyIterable):
    """Elements of a dataset, or those that an iterator still gives."""

    __slots__ = ("iterable",)
    __backend__ = "tensorflow"

    def __init__(self, iterable: Any) -> None:
        self.iterable = iterable

    def __is_staged__(self) -> bool:
        return not tf.executing_eagerly()

    def __for_loop__(self, loop: StagedLoop) -> Sequence[Any]:
        backend: Any = tracing_backend()
        values: Sequence[Any] = backend.record_loop(loop, _ElementTurns(iter(self.iterable)))
        return values

    def __rest__(self) -> Any:
        return self

    def __zip__(self, iterables: Sequence[Any]) -> Any:
        datasets = tuple([elements.iterable for elements in iterables])
        if all(isinstance(dataset, tf.data.Dataset) for dataset in datasets):
            return DatasetElements(tf.data.Dataset.zip(datasets))
        raise ConcreteValueError(
            "zip() goes through several distributed datasets or iterators of datasets",
            where=user_line(), help="zip the datasets, and loop over what comes of it",
        )  # fmt: skip
