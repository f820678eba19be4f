"""What datasets do at run time, as far as they neither group, shuffle nor use threads.

Each function makes a :class:`Source` of sources, arrays and functions from rows to rows.
Iterations are chains of Python's own lazy iterators: an error in one element leaves the chain
ready for the next, and dropping the last link drops all.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime.ops.resource.dataset import INFINITE, UNKNOWN, DatasetSource, Row
from runtime.types.errors import InvalidArgumentError

Function = Callable[..., Row]
Rows = Iterator[Row]

CHUNK = 4096
"""How many numbers of a range are made at once."""


def stepping(step: Callable[[], Row]) -> Rows:
    """The iterator whose items ``step()`` gives until it raises StopIteration."""
    return iter(step, None)


def tensors(*arrays: Any) -> DatasetSource:
    """One element."""
    return DatasetSource(lambda: iter((arrays,)), 1)


def listed(*arrays: Any, count: int) -> DatasetSource:
    """As many rows as ``count`` of these arrays, one row's after the other's."""
    width = len(arrays) // count
    rows = [arrays[k * width : (k + 1) * width] for k in range(count)]
    return DatasetSource(lambda: iter(rows), count)


def numbers(start: Any, stop: Any, step: Any, *, dtype: Any) -> DatasetSource:
    """The numbers of a range."""
    first, stop_value, by = int(start), int(stop), int(step)
    if by == 0:
        raise InvalidArgumentError("Dataset.range: step cannot be zero.")
    count = len(range(first, stop_value, by))

    def chunk(index: int) -> Any:
        low = first + index * by
        high = first + min(index + CHUNK, count) * by
        return np.arange(low, high, by).astype(dtype)

    def open() -> Rows:
        chunks = map(chunk, range(0, count, CHUNK))
        return zip(itertools.chain.from_iterable(chunks))

    return DatasetSource(open, count)


def counter(start: Any, step: Any, *, dtype: Any) -> DatasetSource:
    """Numbers without end."""
    kind = np.dtype(dtype).type

    def open() -> Rows:
        return zip(map(kind, itertools.count(int(start), int(step))))

    return DatasetSource(open, INFINITE)


def mapped(source: DatasetSource, function: Function) -> DatasetSource:
    """The function of each row."""
    inner: Any = source.open
    functions: tuple[Function, ...] = (function,)
    if isinstance(inner, _MappedRows):  # a long chain would be deeper than Python's calls may be
        inner, functions = inner.open, (*inner.functions, function)
    return DatasetSource(_MappedRows(inner, functions), source.size)


class _MappedRows:
    """Opening of rows that go through functions, one after the other."""

    def __init__(self, open: Callable[[], Rows], functions: tuple[Function, ...]) -> None:
        self.open = open
        self.functions = functions

    def __call__(self) -> Rows:
        rows = self.open()
        for function in self.functions:
            rows = itertools.starmap(function, rows)
        return rows


def filtered(source: DatasetSource, predicate: Function) -> DatasetSource:
    """The rows for which the predicate holds."""

    def open() -> Rows:
        return filter(lambda row: bool(predicate(*row)[0]), source.open())

    return DatasetSource(open, _unknown(source))


def _unknown(source: DatasetSource) -> int:
    return 0 if source.size == 0 else UNKNOWN


def taken_while(source: DatasetSource, predicate: Function) -> DatasetSource:
    """The rows before the first for which the predicate does not hold."""

    def open() -> Rows:
        return itertools.takewhile(lambda row: bool(predicate(*row)[0]), source.open())

    return DatasetSource(open, _unknown(source))


def taken(source: DatasetSource, count: Any) -> DatasetSource:
    """The first rows; all of them when ``count`` is negative."""
    most = int(count)
    if most < 0:
        return source
    if source.size == INFINITE or most == 0:
        size = most
    else:
        size = min(most, source.size) if source.size >= 0 else UNKNOWN
    return DatasetSource(lambda: itertools.islice(source.open(), most), size)


def skipped(source: DatasetSource, count: Any) -> DatasetSource:
    """All but the first rows; none when ``count`` is negative."""
    least = int(count)
    if least < 0:
        return DatasetSource(lambda: iter(()), 0)
    size = max(source.size - least, 0) if source.size >= 0 else source.size

    def open() -> Rows:
        rows = source.open()
        remaining = least

        def step() -> Row:
            nonlocal remaining
            while remaining:
                remaining -= 1
                next(rows)
            return next(rows)

        return stepping(step)

    return DatasetSource(open, size) if least else source


def sharded(source: DatasetSource, count: Any, index: Any) -> DatasetSource:
    """Every ``count``-th row, beginning with number ``index``."""
    shards, which = int(count), int(index)
    if shards < 1:
        raise InvalidArgumentError(f"num_shards must be >= 1, got {shards}")
    if not 0 <= which < shards:
        raise InvalidArgumentError(
            f"index must be between 0 and {shards - 1} (num_shards is {shards}), got {which}"
        )
    size = len(range(which, source.size, shards)) if source.size >= 0 else source.size
    return DatasetSource(lambda: itertools.islice(source.open(), which, None, shards), size)


def repeated(source: DatasetSource, count: Any) -> DatasetSource:
    """The rows several times; without end when ``count`` is negative."""
    times = int(count)
    if source.size == 0 or times == 0:
        size = 0
    elif times < 0:
        size = INFINITE
    else:
        size = source.size * times if source.size >= 0 else source.size

    def open() -> Rows:
        rounds = itertools.count() if times < 0 else iter(range(times))
        rows: Rows = iter(())
        fresh = False

        def step() -> Row:
            nonlocal rows, fresh
            while True:
                for row in rows:
                    fresh = False
                    return row
                if fresh and times < 0:  # nothing, for ever
                    raise StopIteration
                next(rounds)
                rows = source.open()
                fresh = True

        return stepping(step)

    return DatasetSource(open, size)


def zipped(*sources: DatasetSource) -> DatasetSource:
    """The rows side by side, as long as all have one."""
    sizes = [s.size for s in sources]
    finite = [size for size in sizes if size >= 0]
    size = UNKNOWN if UNKNOWN in sizes else min(finite) if finite else INFINITE

    def open() -> Rows:
        iterators = [source.open() for source in sources]

        def step() -> Row:
            row: list[Any] = []
            failed: Exception | None = None
            for rows in iterators:
                try:
                    row += next(rows)
                except StopIteration:
                    raise
                except Exception as error:  # the others go on, too: they stay side by side
                    failed = failed or error
            if failed is not None:
                raise failed
            return tuple(row)

        return stepping(step)

    return DatasetSource(open, size)


def chained(following: Callable[[], Rows]) -> Rows:
    """The rows that ``following()`` gives, then those of the next call, until it has no more."""
    rows: Rows = iter(())

    def step() -> Row:
        nonlocal rows
        while True:
            for row in rows:
                return row
            rows = following()

    return stepping(step)


def concatenated(first: DatasetSource, second: DatasetSource) -> DatasetSource:
    """The rows of one, then those of the other."""
    sizes = (first.size, second.size)
    unknown = INFINITE if INFINITE in sizes else UNKNOWN if UNKNOWN in sizes else None
    size = sum(sizes) if unknown is None else unknown

    def open() -> Rows:
        waiting = iter((first, second))
        return chained(lambda: next(waiting).open())

    return DatasetSource(open, size)


def enumerated(source: DatasetSource, start: Any) -> DatasetSource:
    """Each row after its number."""
    first = int(start)

    def open() -> Rows:
        return map(_numbered, itertools.count(first), source.open())

    return DatasetSource(open, source.size)


def _numbered(number: int, row: Row) -> Row:
    return (np.int64(number), *row)


def scanned(source: DatasetSource, *inputs: Any, carried: int) -> DatasetSource:
    """What ``function`` of a state and each row gives besides the next state."""
    start, function = inputs[:-1], inputs[-1]

    def open() -> Rows:
        rows = source.open()
        state = start

        def step() -> Row:
            nonlocal state
            result = function(*state, *next(rows))
            state = result[:carried]
            return result[carried:]

        return stepping(step)

    return DatasetSource(open, source.size)


def flat_mapped(source: DatasetSource, function: Function) -> DatasetSource:
    """The rows of the dataset that ``function`` makes of each row, one after the other."""

    def open() -> Rows:
        outer = source.open()
        return chained(lambda: function(*next(outer))[0].open())

    return DatasetSource(open, _unknown(source))


def unique(source: DatasetSource) -> DatasetSource:
    """The rows that did not come before."""

    def open() -> Rows:
        seen: set[Any] = set()

        def is_new(row: Row) -> bool:
            key = tuple([_key(value) for value in row])
            if key in seen:
                return False
            seen.add(key)
            return True

        return filter(is_new, source.open())

    return DatasetSource(open, _unknown(source))


def _key(value: Any) -> Any:
    array = np.asarray(value)
    return array.tobytes() if array.dtype.kind != "O" else tuple(array.reshape(-1).tolist())


def without_errors(source: DatasetSource, *, log: bool) -> DatasetSource:
    """The rows that could be made; those that could not are left out."""

    def open() -> Rows:
        rows = source.open()

        def step() -> Row:
            while True:
                try:
                    return next(rows)
                except StopIteration:
                    raise
                except Exception as error:
                    if log:
                        print(f"Error raised with error message {error}", file=sys.stderr)

        return stepping(step)

    return DatasetSource(open, _unknown(source))


def chosen(choices: DatasetSource, *sources: DatasetSource, stop_on_empty: bool) -> DatasetSource:
    """A row of the source whose number comes next, as long as there are numbers."""

    def open() -> Rows:
        numbers_left = choices.open()
        iterators: list[Rows | None] = [s.open() for s in sources]

        def step() -> Row:
            while True:
                (number,) = next(numbers_left)
                if not 0 <= number < len(iterators):
                    raise InvalidArgumentError(
                        f"choose_from_datasets: a choice of {number}, but there are "
                        f"{len(iterators)} datasets"
                    )
                rows = iterators[int(number)]
                if rows is None:
                    continue
                for row in rows:
                    return row
                iterators[int(number)] = None
                if stop_on_empty or not any(r is not None for r in iterators):
                    raise StopIteration

        return stepping(step)

    return DatasetSource(open, INFINITE if any(s.size == INFINITE for s in sources) else UNKNOWN)
