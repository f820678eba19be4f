"""Thread pool, and the numbers of threads that run graphs, set by ``config.threading``.

*Inter-op* threads run independent operations side by side (parallel.py).  *Intra-op* threads share
the tasks of one large native kernel (llvm/arrays/shared_tasks.py), and limit those of NumPy's BLAS
(blas_library.py; another BLAS than that of NumPy's wheels needs threadpoolctl, the extra
``parallel``).  0 stands for as many as there are cores.
"""

from __future__ import annotations

import contextlib
import operator
import os
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.engine.blas_library import set_blas_threads

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


class _Threads(threading.local):
    """Limit of the current thread."""

    limit: int | None = None
    """Number of threads that a session sets; None: the number set for all."""


_threads = _Threads()
_asked = {"inter": 0, "intra": 0}
_pools: dict[tuple[str, int], ThreadPoolExecutor] = {}
_lock = fork_safe_lock()


def _forget_threads() -> None:
    """Drop the pools in a forked process, where their threads do not run."""
    _pools.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def inter_op_threads() -> int:
    """Return the number of threads that may run operations of one graph in parallel."""
    limit = _threads.limit
    return (_asked["inter"] if limit is None else limit) or cores()


@contextlib.contextmanager
def limited(number: int) -> Iterator[None]:
    """Limit the runs of this thread within the block to some threads; 0: one per core."""
    before, _threads.limit = _threads.limit, number
    try:
        yield
    finally:
        _threads.limit = before


def pool(size: int, name: str = "runtime") -> ThreadPoolExecutor:
    """Return the pool of some threads of a name, which start when they are needed."""
    from concurrent.futures import ThreadPoolExecutor  # 4 ms, where there is a second core

    with _lock:
        if (name, size) not in _pools:
            _pools[name, size] = ThreadPoolExecutor(size, name)
        return _pools[name, size]


def intra_op_threads() -> int:
    """Return the number of threads that may share the work of one operation."""
    return _asked["intra"] or cores()


def intra_op_pool() -> ThreadPoolExecutor:
    """Return the threads that share the work of an operation with the one that runs it."""
    return pool(max(intra_op_threads() - 1, 1), "runtime-intra-op")


def get_inter_op_parallelism_threads() -> int:
    """Return the number of threads that run independent operations; 0: one per core."""
    return _asked["inter"]


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Set the number of threads that run independent operations; 0: one per core."""
    _asked["inter"] = _number(num_threads)


def get_intra_op_parallelism_threads() -> int:
    """Return the number of threads of one operation; 0: one per core, and for matrix products the
    choice of NumPy's library.
    """
    return _asked["intra"]


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Set the number of threads of one operation; 0: one per core.

    Large native kernels and the BLAS of NumPy's wheels obey.  Where NumPy has another BLAS, it
    obeys with the extra ``parallel``; without it the library goes on as it likes.
    """
    number = _asked["intra"] = _number(num_threads)
    if set_blas_threads(number or cores()):
        return
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
