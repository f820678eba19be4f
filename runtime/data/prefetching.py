"""What datasets do at run time in threads of their own: prefetching, parallel functions.

A thread never refers to the iterator that it works for.  When that is dropped, at the end or in
the middle, its threads stop at their next row.  They see the variables and
the random numbers of the session which began the iteration.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from runtime.data.sources import Function, Rows, stepping
from runtime.ops.random_seed import RandomState, current_random_state, running_in
from runtime.ops.resource.dataset import DatasetSource, Row
from runtime.ops.resource.variable import Values, running_values, values_of_session
from runtime.types.errors import InvalidArgumentError

AUTOTUNE = -1


def worker_count(requested: Any) -> int:
    """The number of threads for what the user asked for."""
    count = int(requested)
    if count == AUTOTUNE:
        return max(os.cpu_count() or 1, 2)
    if count < 1:
        raise InvalidArgumentError(f"num_parallel_calls must be greater than zero, got {count}")
    return count


Home = tuple[Values | None, RandomState]
"""Where a program runs: the values of its variables, and its random numbers."""


def _home() -> Home:
    return running_values(), current_random_state()


@contextlib.contextmanager
def _at(home: Home) -> Iterator[None]:
    """Within the block, this thread works for the program there."""
    values, world = home
    session = contextlib.nullcontext() if values is None else values_of_session(values)
    with session, running_in(world):
        yield


class _End:
    """Says that there are no more rows, or why the next could not be made."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def _produce(
    rows: Rows, ready: queue.Queue[Any], stopped: threading.Event, home: Home
) -> None:
    with _at(home):
        while not stopped.is_set():
            try:
                ready.put(next(rows))
            except StopIteration:
                ready.put(_End(None))
                return
            except BaseException as error:
                ready.put(_End(error))


def _stop(ready: queue.Queue[Any], stopped: threading.Event) -> None:
    stopped.set()
    try:
        while True:
            ready.get_nowait()  # makes room for the row that the thread waits to hand in
    except queue.Empty:
        pass


class _Prefetched:
    """Rows that a thread makes ahead of time."""

    def __init__(self, source: DatasetSource, room: int) -> None:
        self._source = source
        self._ready: queue.Queue[Any] = queue.Queue(room)
        self._started = False
        self._ended = False

    def start(self) -> None:
        """Begin to make rows; otherwise the first that is asked for begins it."""
        self._started = True
        stopped = threading.Event()
        weakref.finalize(self, _stop, self._ready, stopped)
        arguments = (self._source.open(), self._ready, stopped, _home())
        threading.Thread(target=_produce, args=arguments, name="prefetch", daemon=True).start()

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        if not self._started:
            self.start()
        if self._ended:
            raise StopIteration
        row = self._ready.get()
        if type(row) is not _End:
            return row
        if row.error is not None:
            raise row.error
        self._ended = True
        raise StopIteration


def prefetched(source: DatasetSource, size: Any) -> DatasetSource:
    """The rows, up to ``size`` of them made before they are asked for."""
    room = int(size)
    if room == AUTOTUNE:
        room = 2
    if room < 0:
        raise InvalidArgumentError(f"buffer_size must be >= 0 or AUTOTUNE, got {room}")
    return DatasetSource(lambda: _Prefetched(source, room), source.size) if room else source


def _working(function: Callable[..., Row], home: Home, *row: Any) -> Row:
    with _at(home):
        return function(*row)


class _Pool:
    """Threads that end when the iteration that uses them is dropped."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, "map")
        self._home = _home()
        weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Begin a call in one of the threads."""
        return self._pool.submit(_working, function, self._home, *args)


def parallel_mapped(
    source: DatasetSource, count: Any, function: Function, *, ordered: bool
) -> DatasetSource:
    """As mapped, several rows at once; in the order of the rows, or as they are ready."""
    workers = worker_count(count)

    def open() -> Rows:
        rows = source.open()
        pool = _Pool(workers)
        pending: deque[Future[Row]] = deque()

        def step() -> Row:
            while len(pending) < workers:
                try:
                    pending.append(pool.submit(function, *next(rows)))
                except StopIteration:
                    break
                except Exception as error:  # its turn comes after the rows before it
                    failed: Future[Row] = Future()
                    failed.set_exception(error)
                    pending.append(failed)
            if not pending:
                raise StopIteration
            if ordered:
                return pending.popleft().result()
            wait(pending, return_when=FIRST_COMPLETED)
            ready = next(future for future in pending if future.done())
            pending.remove(ready)
            return ready.result()

        return stepping(step)

    return DatasetSource(open, source.size)


def begun(source: DatasetSource, size: int) -> Iterator[Row]:
    """The rows, up to ``size`` of them made from now on, in a thread."""
    rows = _Prefetched(source, size)
    rows.start()
    return rows
