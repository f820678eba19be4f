"""Tasks of large kernels, shared by threads: native code calls ``share``, which gives the tasks to
the threads of a pool, and takes part itself.

The tasks of a kernel are the same for any number of threads, and each writes elements of its own;
so results are equal to the bit.  The threads run machine code, without Python's lock.  The calling
thread comes back to Python every few milliseconds, for signals.  It takes tasks even if all threads
of the pool are busy with others' tasks; so no call waits for another one.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from runtime.engine import thread_pool

if TYPE_CHECKING:
    from concurrent.futures import Future

LONG = 0.01
"""Seconds after which the calling thread looks at signals."""
ALL = 1 << 62
INTERRUPTED = 2
"""What ``share`` returns if a signal's handler raised."""
_MOST_PAUSED = 64
"""Most runs without other threads, until they are tried again."""
CANCELLED = 24
"""Offset in the frame of the word that stops the tasks."""

_Run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
"""Function that takes up to so many tasks of a frame, and returns how many it ran."""
_Share = ctypes.CFUNCTYPE(ctypes.c_int32, _Run, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class _Pending(threading.local):
    """Exception of a signal's handler, which the native code of this thread has to raise."""

    error: BaseException | None = None


_pending = _Pending()


def raise_pending() -> None:
    """Raise the exception that interrupted the tasks, if one did."""
    error, _pending.error = _pending.error, None
    if error is not None:
        raise error


@cache
def task_functions() -> Mapping[str, int]:
    """Return the addresses of what native code calls, by name."""
    address = ctypes.cast(_SHARE, ctypes.c_void_p).value
    assert address is not None
    return {"share_tasks": address}


def _share(run: Any, task: int, frame: int, count: int) -> int:
    """Run the tasks of a frame in several threads; return 0, or INTERRUPTED."""
    helpers: list[Future[Any]] = []
    number = min(thread_pool.intra_op_threads(), count) - 1
    if number > 0 and _pauses.get(task, _NONE).remaining:
        _pauses[task].remaining -= 1
        number = 0
    begin = time.perf_counter()
    try:
        if number > 0:
            with contextlib.suppress(RuntimeError):  # the interpreter shuts down
                pool = thread_pool.intra_op_pool()
                helpers += [pool.submit(run, task, frame, ALL) for _ in range(number)]
        limit = 1
        while True:
            start = time.perf_counter()
            done = run(task, frame, limit)
            if done < limit:
                break
            spent = max(time.perf_counter() - start, 1e-9)
            limit = max(1, int(done * min(LONG / spent, 4)))
    except BaseException as error:
        _stop(frame, error)
    end = time.perf_counter()
    _wait(helpers, frame)
    if helpers:
        _note_wait(task, end - begin, time.perf_counter() - end)
    return INTERRUPTED if _pending.error is not None else 0


class _Pause:
    """Runs of a kernel in which no other thread takes part, because waiting for threads took longer
    than the work: other programs use the cores.  Each such wait doubles their number.
    """

    def __init__(self) -> None:
        self.remaining = 0
        self.next = 1


_NONE = _Pause()
_pauses: dict[int, _Pause] = {}
"""Pauses by the address of a kernel's task."""


def _note_wait(task: int, spent: float, waited: float) -> None:
    """Note how long the calling thread worked, and how long it waited for the others then."""
    if waited <= spent:
        _pauses.pop(task, None)
        return
    pause = _pauses.setdefault(task, _Pause())
    pause.remaining = pause.next
    pause.next = min(2 * pause.next, _MOST_PAUSED)


def _stop(frame: int, error: BaseException) -> None:
    """Let no thread begin another task."""
    ctypes.c_int64.from_address(frame + CANCELLED).value = 1
    _pending.error = error


def _wait(helpers: list[Future[Any]], frame: int) -> None:
    """Wait for the threads that run tasks: nobody may touch the arrays after the kernel."""
    for future in helpers:
        while not (future.cancel() or future.done()):
            try:
                future.exception()
            except BaseException as error:
                _stop(frame, error)


_SHARE = _Share(_share)
