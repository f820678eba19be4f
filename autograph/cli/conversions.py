"""Converts files one by one, or several at a time in processes of their own.

Uses ``conversion.module_source``, which converts text; ``convert`` writes or shows the results.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from autograph import flags
from autograph.cli.outputs import read
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
    """Read and convert a file; never raises for what is wrong with it."""
    try:
        return convert_data(read(name), name, name, verify)
    except FileError as error:
        return FileConversion(name, error=one_line(error))


def convert_data(data: bytes, name: str, path: str | None, verify: bool) -> FileConversion:
    """Convert the contents of a file that messages call ``name``."""
    try:
        after = convert_bytes(data, name)
    except FileError as error:
        return FileConversion(name, data, error=one_line(error))
    except Exception as error:
        if flags.DEBUG.value:
            traceback.print_exc()
        return FileConversion(name, data, error=internal(name, error))
    verdict = None
    if verify and path is not None and after != data:
        from autograph.cli import doctests

        verdict = doctests.verify(path, data, after)
    return FileConversion(name, data, after, verdict=verdict)


def internal(name: str, error: Exception) -> str:
    """The line about a fault of our own."""
    reason = " ".join(str(error).split())[:200]
    return (
        f"{name}: internal error ({type(error).__name__}: {reason}); this is a fault of "
        "autograph, please report it with the file"
    )


def one_line(error: FileError) -> str:
    """An error's text without line ends."""
    return " ".join(str(error).split())


def each(
    work: Callable[[Item], Result], items: Sequence[Item], size: int, jobs: int | None
) -> Iterator[Result]:
    """``work`` of each item, in order; ``size``: the bytes of source that it is about.

    ``jobs`` processes, or as many as there are processors if that pays.
    """
    if jobs is None:
        jobs = processors() if size > SMALL else 1
    jobs = min(jobs, len(items))
    if jobs < 2:
        yield from map(work, items)
        return
    with ProcessPoolExecutor(jobs, _spawning(), initializer=_begin) as pool:
        try:
            yield from pool.map(work, items)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _spawning() -> Any:
    import multiprocessing

    return multiprocessing.get_context("spawn")


def _begin() -> None:
    """In a new process: Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
