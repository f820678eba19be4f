"""``Coordinator``: threads that stop together.  ``QueueRunner``: threads that fill a queue."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.graph.default_graph import get_default_graph
from runtime.graph.session_stack import default_session
from runtime.types.errors import CancelledError, OutOfRangeError

__all__ = [
    "Coordinator", "QueueRunner", "add_queue_runner", "start_queue_runners",
]  # fmt: skip

_QUEUE_RUNNERS = "queue_runners"


class Coordinator:
    """Coordinator of threads: one asks all to stop, and ``join`` raises what one has raised."""

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        self._clean = tuple(clean_stop_exception_types or (OutOfRangeError,))
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._threads: list[threading.Thread] = []

    def should_stop(self) -> bool:
        """Return whether a thread has asked all to stop."""
        return self._stop.is_set()

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop; ``ex`` is the exception that is the reason."""
        error = ex[1] if isinstance(ex, tuple) else ex
        if error is not None and not self.should_stop() and not isinstance(error, self._clean):
            self._error = error
        self._stop.set()

    def clear_stop(self) -> None:
        """Forget that threads were asked to stop."""
        self._stop.clear()
        self._error = None

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until threads are asked to stop; return whether they are."""
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Let ``join`` wait for a thread."""
        self._threads.append(thread)

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Ask all threads to stop when the block raises an exception."""
        try:
            yield
        except Exception as error:
            self.request_stop(error)

    def raise_requested_exception(self) -> None:
        """Raise what a thread gave as the reason to stop, if it did."""
        if self._error is not None:
            raise self._error

    def join(
        self, threads: Sequence[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120, ignore_live_threads: bool = False,
    ) -> None:  # fmt: skip
        """Wait for threads; raise what one of them raised.

        RuntimeError for threads that go on after the time of grace.
        """
        waiting = [*self._threads, *(threads or ())]
        while any(t.is_alive() for t in waiting) and not self._stop.wait(0.1):
            pass
        until = time.monotonic() + stop_grace_period_secs
        for thread in waiting:
            thread.join(max(0.0, until - time.monotonic()))
        late = [thread.name for thread in waiting if thread.is_alive()]
        self.raise_requested_exception()
        if late and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(late)}")

    joined = property(lambda self: not any(t.is_alive() for t in self._threads))


class QueueRunner:
    """Runner of operations that fill a queue, each in a thread of its own.

    At the end of the input, an OutOfRangeError, the queue is closed.
    """

    def __init__(
        self, queue: Any = None, enqueue_ops: Sequence[Any] | None = None, close_op: Any = None,
        cancel_op: Any = None, queue_closed_exception_types: Any = None,
    ) -> None:  # fmt: skip
        if queue is None or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        self.queue, self.enqueue_ops = queue, list(enqueue_ops)
        self._close = queue.close() if close_op is None else close_op
        self._cancel = queue.close(True) if cancel_op is None else cancel_op
        self._ends = tuple(queue_closed_exception_types or (OutOfRangeError, CancelledError))
        self.exceptions_raised: list[Exception] = []

    def create_threads(
        self, sess: Any, coord: Coordinator | None = None, daemon: bool = False,
        start: bool = False,
    ) -> list[threading.Thread]:  # fmt: skip
        """Return threads that run the operations until one fails or the coordinator stops."""
        threads = [
            threading.Thread(target=self._run, args=(sess, op, coord), daemon=daemon)
            for op in self.enqueue_ops
        ]
        if coord is not None:
            threads.append(
                threading.Thread(target=self._close_on_stop, args=(sess, coord), daemon=daemon)
            )
        for thread in threads:
            if coord is not None:
                coord.register_thread(thread)
            if start:
                thread.start()
        return threads

    def _run(self, session: Any, op: Any, coord: Coordinator | None) -> None:
        try:
            while coord is None or not coord.should_stop():
                session.run(op)
        except self._ends:
            with contextlib.suppress(Exception):  # the session may be closed already
                session.run(self._close)
        except Exception as error:
            if coord is None:
                self.exceptions_raised.append(error)
                raise
            coord.request_stop(error)

    def _close_on_stop(self, session: Any, coord: Coordinator) -> None:
        coord.wait_for_stop()
        with contextlib.suppress(Exception):  # as above
            session.run(self._cancel)


def add_queue_runner(qr: QueueRunner, collection: str = _QUEUE_RUNNERS) -> None:
    """Add a QueueRunner to a collection of the graph.

    Args:
        qr: runner.
        collection: name of the collection.
    Returns:
        None.
    """
    get_default_graph().get_collection_ref(collection).append(qr)


def start_queue_runners(
    sess: Any = None, coord: Coordinator | None = None, daemon: bool = True, start: bool = True,
    collection: str = _QUEUE_RUNNERS,
) -> list[threading.Thread]:  # fmt: skip
    """Start the queue runners of a session's graph.

    Args:
        sess: session; the default one if None.
        coord: coordinator that stops them.
        daemon: whether the process may end while they run.
        start: whether they are started.
        collection: name of the graph's collection of runners.
    Returns:
        List of threads.
    Raises:
        ValueError: there is no session.
    """
    session = sess or default_session()
    if session is None:
        raise ValueError("Cannot start queue runners: No default session is registered.")
    runners = session.graph.get_collection(collection)
    return [t for runner in runners for t in runner.create_threads(session, coord, daemon, start)]
