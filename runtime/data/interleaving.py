"""What datasets do at run time to take turns between the datasets that a function makes."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.data.prefetching import begun
from runtime.data.sources import Function, Rows
from runtime.ops.resource.dataset import INFINITE, UNKNOWN, DatasetSource, Row


def _failing(error: Exception) -> Rows:
    """No rows, but an error when the first is asked for."""
    raise error
    yield


class _TakingTurns:
    """Rows of several iterations: ``block`` of one, then of the next, ``cycle`` being open.

    ``ahead``: each is gone through in a thread of its own; the order is the same.
    """

    def __init__(
        self, outer: Rows, function: Function, cycle: int, block: int, ahead: bool
    ) -> None:
        self._outer = outer
        self._function = function
        self._block = block
        self._ahead = ahead
        self._slots: list[Rows | None] = [None] * cycle
        self._place = self._rows_taken = self._open = 0
        self._more = True
        self._waiting = ahead

    def _advance(self) -> None:
        self._place = (self._place + 1) % len(self._slots)
        self._rows_taken = 0

    def _refill(self, index: int) -> None:
        """Begin the next dataset; when there is none, the open ones remain."""
        try:
            inner: DatasetSource = self._function(*next(self._outer))[0]
        except StopIteration:
            self._more = False
            return
        except Exception as error:
            if not self._waiting:
                raise
            self._slots[index] = _failing(error)  # its turn comes after those before it
        else:
            self._slots[index] = begun(inner, self._block) if self._ahead else inner.open()
        self._open += 1

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        if self._waiting:  # all threads begin at once
            for index in range(len(self._slots)):
                if self._more:
                    self._refill(index)
            self._waiting = False
        while self._more or self._open:
            rows = self._slots[self._place]
            if rows is None:
                if self._more:
                    self._refill(self._place)
                else:
                    self._advance()
                continue
            for row in rows:
                self._rows_taken += 1
                if self._rows_taken == self._block:
                    self._advance()
                return row
            self._slots[self._place] = None
            self._open -= 1
            self._advance()
        raise StopIteration


def interleaved(
    source: DatasetSource, function: Function, *, cycle: int, block: int, ahead: bool
) -> DatasetSource:
    """The rows of the datasets that ``function`` makes, in turns."""
    size = source.size if source.size in (0, INFINITE) else UNKNOWN
    return DatasetSource(lambda: _TakingTurns(source.open(), function, cycle, block, ahead), size)
