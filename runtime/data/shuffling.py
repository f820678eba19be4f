"""What datasets do at run time by chance: shuffling, random numbers, sampling.

The order is decided by the seed of the operation and the global seed (``random.set_seed``), as for
random operations: a program that sets them gets the same order every time it runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.data.sources import Rows, stepping
from runtime.ops.random_seed import (
    DEFAULT_SEED,
    RandomSource,
    RandomStream,
    current_random_state,
    generator,
)
from runtime.ops.resource.dataset import INFINITE, UNKNOWN, DatasetSource, Row
from runtime.types.errors import InvalidArgumentError

BLOCK = 256
"""How many random numbers are drawn at once."""


class Epochs:
    """The random numbers of a dataset: another sequence for each iteration, if ``anew``.

    A dataset with a seed of its own has a stream of its own, too, which others with that seed do
    not share; without one it takes part in the program's.
    """

    def __init__(self, chance: RandomSource, anew: bool) -> None:
        self._chance: Any = chance
        self._anew = anew
        self._seed: int | None = None
        self._lock = fork_safe_lock()
        if chance.seed is not None:
            seed = current_random_state().seed
            base = chance.base if seed is None else seed
            base = DEFAULT_SEED if base is None else base
            self._chance = RandomStream(base, chance.seed, chance.kind)

    def begin(self) -> Any:
        """The generator for an iteration that begins."""
        with self._lock:
            if self._anew or self._seed is None:
                with self._chance.drawing() as numbers:
                    self._seed = int(numbers.integers(2**63))
            return generator(self._seed)


def _fractions(numbers: Any) -> Iterator[float]:
    while True:
        yield from numbers.random(BLOCK).tolist()


def shuffled(
    source: DatasetSource, size: Any, *, chance: RandomSource, anew: bool
) -> DatasetSource:
    """The rows, each drawn from the next ``size`` of them."""
    room = int(size)
    epochs = Epochs(chance, anew)
    if room < 1 and room != UNKNOWN:
        raise InvalidArgumentError(f"buffer_size must be greater than zero, got {room}")

    def open() -> Rows:
        rows = source.open()
        chances = _fractions(epochs.begin())
        buffer: list[Row] = []
        filled = False

        def step() -> Row:
            nonlocal filled
            while not filled and (room == UNKNOWN or len(buffer) < room):
                for row in rows:
                    buffer.append(row)
                    break
                else:
                    filled = True
            filled = True
            if not buffer:
                raise StopIteration
            position = int(next(chances) * len(buffer))
            chosen = buffer[position]
            for row in rows:
                buffer[position] = row
                return chosen
            buffer[position] = buffer[-1]
            buffer.pop()
            return chosen

        return stepping(step)

    return DatasetSource(open, source.size)


def random_numbers(*, chance: RandomSource, anew: bool) -> DatasetSource:
    """Random whole numbers below 2**32, without end."""
    epochs = Epochs(chance, anew)

    def open() -> Rows:
        numbers = epochs.begin()
        blocks = (numbers.integers(2**32, size=BLOCK) for _ in iter(int, 1))
        return ((number,) for block in blocks for number in block)

    return DatasetSource(open, INFINITE)


def sampled(*inputs: Any, chance: RandomSource, anew: bool, stop_on_empty: bool) -> DatasetSource:
    """Rows of the sources, drawn by weights: the first input gives those of each row."""
    epochs = Epochs(chance, anew)
    weights, *sources = inputs

    def open() -> Rows:
        chances = _fractions(epochs.begin())
        weights_left = weights.open() if isinstance(weights, DatasetSource) else None
        iterators: list[Rows | None] = [s.open() for s in sources]
        fixed = None if weights_left is not None else np.asarray(weights, np.float64)

        def step() -> Row:
            while True:
                share = fixed
                if weights_left is not None:
                    share = np.asarray(next(weights_left)[0], np.float64)
                assert share is not None
                share = np.where([rows is not None for rows in iterators], share, 0.0)
                total = share.sum()
                if not total > 0:
                    raise StopIteration
                position = int(np.searchsorted(np.cumsum(share), next(chances) * total, "right"))
                rows = iterators[min(position, len(iterators) - 1)]
                assert rows is not None
                for row in rows:
                    return row
                iterators[position] = None
                if stop_on_empty:
                    raise StopIteration

        return stepping(step)

    return DatasetSource(open, INFINITE if any(s.size == INFINITE for s in sources) else UNKNOWN)
