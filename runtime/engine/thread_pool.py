"""How many threads run graphs, and the pool that lends them; ``config.threading`` asks here.

*Inter-op* threads run independent operations side by side (parallel.py).  *Intra-op* threads are
those of NumPy's matrix products, which threadpoolctl limits (the extra ``parallel``).  0 stands for
as many as there are cores.
"""

from __future__ import annotations

import contextlib
import operator
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor


class _Threads(threading.local):
    """What this thread may use just now."""

    limit: int | None = None
    """The number that a session asks for; None: what was set for all."""


_threads = _Threads()
_asked = {"inter": 0, "intra": 0}
_pools: dict[int, ThreadPoolExecutor] = {}
_lock = threading.Lock()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def inter_op_threads() -> int:
    """How many threads may run operations of one graph side by side."""
    limit = _threads.limit
    return (_asked["inter"] if limit is None else limit) or cores()


@contextlib.contextmanager
def limited(number: int) -> Iterator[None]:
    """Within the block, this thread's runs use so many threads (0: as many as cores)."""
    before, _threads.limit = _threads.limit, number
    try:
        yield
    finally:
        _threads.limit = before


def pool(size: int) -> ThreadPoolExecutor:
    """A pool of so many threads, which wait when there is nothing to do."""
    with _lock:
        if size not in _pools:
            _pools[size] = ThreadPoolExecutor(size, "runtime")
        return _pools[size]


def get_inter_op_parallelism_threads() -> int:
    """How many threads run independent operations side by side; 0: as many as cores."""
    return _asked["inter"]


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Let so many threads run independent operations side by side; 0: as many as cores."""
    _asked["inter"] = _number(num_threads)


def get_intra_op_parallelism_threads() -> int:
    """How many threads one matrix product uses; 0: as many as NumPy's library likes."""
    return _asked["intra"]


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Let one matrix product use so many threads; 0: as many as cores.

    Without the extra ``parallel`` it is only kept: NumPy's library goes on as it likes.
    """
    number = _asked["intra"] = _number(num_threads)
    try:
        import threadpoolctl
    except ImportError:
        return
    threadpoolctl.threadpool_limits(number or cores(), "blas")


def _number(num_threads: int) -> int:
    number = operator.index(num_threads)
    if number < 0:
        raise ValueError(f"a number of threads is 0 or more, got {number}")
    return number
