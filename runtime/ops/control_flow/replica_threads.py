"""Threads of replicas: each runs the same function, and all meet where they exchange values.

One thread runs at a time, in the order of the replicas, so that effects keep an order: a replica
runs until it meets the others or ends.  distribute/ calls functions of users so under eager
execution, and the kernels of replicas.py run graphs so.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Sequence
from typing import Any

Joint = Callable[[Sequence[Any]], Any]
"""Function of the values that all replicas brought; what it returns goes to each of them."""


class _Replica(threading.local):
    """Replica that a thread runs; None in threads that run none."""

    def __init__(self) -> None:
        self.threads: ReplicaThreads | None = None
        self.index = 0


REPLICA = _Replica()


class _Abandoned(BaseException):
    """End of a replica whose run has failed elsewhere."""


class ReplicaThreads:
    """Threads of one run of some replicas; ``what`` names in errors where they have to meet."""

    def __init__(self, count: int, what: str = "all_reduce") -> None:
        self.count = count
        self._what = what
        self._turns = [threading.Semaphore(0) for _ in range(count)]
        self._turn_is_over = threading.Semaphore(0)
        self._meetings: list[tuple[Joint, Any] | None] = [None] * count
        """For each replica that waits what it asks for, and the value that it brought."""
        self._answer: Any = None
        self._results: list[Any] = [None] * count
        self._ended = [False] * count
        self._error: BaseException | None = None

    def run(self, function: Callable[[int], Any]) -> list[Any]:
        """Call a function with the number of each replica; return what the calls give.

        What a replica, or a meeting, raises is raised here, after all threads have ended.
        RuntimeError if some replicas end while others wait for them.
        """
        threads = [
            threading.Thread(
                target=contextvars.copy_context().run, args=(self._run_replica, n, function),
                name=f"replica {n}", daemon=True,
            )
            for n in range(self.count)
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        while not all(self._ended):
            for index in [n for n in range(self.count) if not self._ended[n]]:
                self._turns[index].release()
                self._turn_is_over.acquire()
            if self._error is None and any(self._meetings):
                self._meet()
        for thread in threads:
            thread.join()
        if self._error is not None:
            raise self._error
        return self._results

    def _run_replica(self, index: int, function: Callable[[int], Any]) -> None:
        REPLICA.threads, REPLICA.index = self, index
        self._turns[index].acquire()
        try:
            if self._error is None:
                self._results[index] = function(index)
        except _Abandoned:
            pass
        except BaseException as error:  # raised again by ``run``
            self._error = self._error or error
        finally:
            self._ended[index] = True
            self._turn_is_over.release()

    def _meet(self) -> None:
        """Compute what the replicas wait for, in the thread that runs them."""
        meetings = [meeting for meeting in self._meetings if meeting is not None]
        self._meetings = [None] * self.count
        if len(meetings) < self.count:
            self._error = RuntimeError(
                f"{len(meetings)} of {self.count} replicas wait in {self._what}, which the others "
                "never reach: a condition around it depends on values that differ between replicas"
            )
            return
        try:
            self._answer = meetings[0][0]([value for _, value in meetings])
        except BaseException as error:  # of the function, for the caller of ``run``
            self._error = error

    def meet(self, joint: Joint, value: Any) -> Any:
        """Wait, in the thread of a replica, for all others; return what ``joint`` makes of all."""
        index = REPLICA.index
        self._meetings[index] = joint, value
        self._turn_is_over.release()
        self._turns[index].acquire()
        if self._error is not None:
            raise _Abandoned
        return self._answer


def met(joint: Joint, value: Any) -> Any:
    """Return what a function makes of the values of all replicas; outside of runs, of one."""
    threads = REPLICA.threads
    return joint([value]) if threads is None else threads.meet(joint, value)
