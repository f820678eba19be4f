"""Converts files one by one, or several at a time in processes of their own.

Uses ``conversion.module_source``, which converts text; ``convert`` writes or shows the results.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from autograph import flags
from autograph.cli.outputs import read
from autograph.cli.parent_process import end_with
from autograph.conversion import notebooks
from autograph.conversion.module_source import IMPORT, FileError, convert_bytes

if TYPE_CHECKING:
    from autograph.cli.doctests import Verdict

SMALL = 2_000_000
"""Bytes of source below which more processes do not pay: starting them costs about a second of
processor time, converting this much some seven."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class FileConversion:
    """Conversion of one file: its contents before and after, or a one-line error."""

    name: str
    before: bytes = b""
    after: bytes | None = None
    error: str | None = None
    verdict: Verdict | None = None

    @property
    def changes(self) -> bool:
        """Whether the file has something to convert."""
        return self.after is not None and self.after != self.before

    @property
    def was_converted(self) -> bool:
        """Whether the file was converted before, and is left as it is."""
        return not self.changes and IMPORT.encode() in self.before


def convert_file(name: str, verify: bool) -> FileConversion:
    """Read and convert a file; never raises for an error in it."""
    try:
        return convert_data(read(name), name, name, verify)
    except FileError as error:
        return FileConversion(name, error=one_line(error))


def convert_data(data: bytes, name: str, path: str | None, verify: bool) -> FileConversion:
    """Convert the contents of a file that messages call ``name``."""
    is_notebook = name.endswith(notebooks.SUFFIX)
    try:
        if is_notebook:
            after = notebooks.Notebook(data, name).converted() or data
        else:
            after = convert_bytes(data, name)
    except FileError as error:
        return FileConversion(name, data, error=one_line(error))
    except Exception as error:
        if flags.DEBUG.value:
            traceback.print_exc()
        return FileConversion(name, data, error=internal(name, error))
    verdict = None
    if verify and is_notebook and after != data:
        return FileConversion(
            name, data, error=f"{name}: a notebook has no doctests that --verify could run"
        )
    if verify and path is not None and after != data:
        from autograph.cli import doctests

        verdict = doctests.verify(path, data, after)
    return FileConversion(name, data, after, verdict=verdict)


def internal(name: str, error: Exception) -> str:
    """Return the line about an internal fault."""
    reason = " ".join(str(error).split())[:200]
    return (
        f"{name}: internal error ({type(error).__name__}: {reason}); this is a fault of "
        "autograph, please report it with the file"
    )


def one_line(error: FileError) -> str:
    """Return an error's text without line ends."""
    return " ".join(str(error).split())


def each(
    work: Callable[[Item], Result], items: Sequence[Item], size: int, jobs: int | None
) -> Iterator[Result]:
    """Yield ``work`` of each item, in order; ``size`` is the bytes of source of an item.

    ``jobs`` processes, or as many as there are processors if that is faster.
    """
    if jobs is None:
        jobs = processors() if size > SMALL else 1
    jobs = min(jobs, len(items))
    if jobs < 2:
        yield from map(work, items)
        return
    with _signals_as_exits():
        pool = ProcessPoolExecutor(jobs, _spawning(), initializer=_begin)
        try:
            futures = deque(pool.submit(work, item) for item in items)
            while futures:
                yield futures.popleft().result()
        except BaseException:
            _end_children()  # and cancel nothing: the pool tells its futures what happened
            pool.shutdown(wait=False)  # a child that was just starting may never answer
            raise
        pool.shutdown()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _signals_as_exits() -> Iterator[None]:
    """Let signals that would end this process raise SystemExit: its children must end, too."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    is_main = threading.current_thread() is threading.main_thread()
    unhandled = [n for n in numbers if is_main and signal.getsignal(n) is signal.SIG_DFL]
    try:
        for number in unhandled:
            signal.signal(number, _exit_by_signal)
        yield
    finally:
        for number in unhandled:
            signal.signal(number, signal.SIG_DFL)


def _exit_by_signal(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _end_children() -> None:
    """End the worker processes, so that nobody waits for their conversions."""
    import multiprocessing

    for process in multiprocessing.active_children():
        process.terminate()


def _spawning() -> Any:
    import multiprocessing

    return multiprocessing.get_context("spawn")


def _begin() -> None:
    """Leave Ctrl-C to the parent in a new process, and end with it."""
    import multiprocessing

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        end_with(parent.join)
