"""``SummaryWriter``: what summaries are written to; ``create_file_writer`` makes it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from autograph.errors import StagingError
from runtime.ops.rules.static_arguments import static_int
from runtime.summaries import defaults
from runtime.summaries.event_file import EventFile
from runtime.summaries.summary_ops import flush_op
from runtime.types.errors import FailedPreconditionError

__all__ = ["SummaryWriter", "create_file_writer", "create_noop_writer", "flush", "record_if",
           "should_record_summaries"]  # fmt: skip


class SummaryWriter:
    """Writer of summaries to an event file; ``create_file_writer`` makes it.

    ``with writer.as_default():`` makes it the one that summaries use.  ``with writer:`` also closes
    it at the end.
    """

    def __init__(self, file: EventFile | None) -> None:
        self.file = file
        self._within: list[Any] = []

    def as_default(self, step: Any = None) -> contextlib.AbstractContextManager[SummaryWriter]:
        """Make it the default writer of a block, with a default step if one is given."""
        self._check_open()
        return self._as_default(step)

    @contextlib.contextmanager
    def _as_default(self, step: Any) -> Iterator[SummaryWriter]:
        chosen = {"writer": self} if step is None else {"writer": self, "step": step}
        with defaults.changed(**chosen):
            yield self

    def set_as_default(self, step: Any = None) -> None:
        """Make it the default writer of this thread; StagingError while a graph is built."""
        self._check_open()
        defaults.change("writer", self)
        if step is not None:
            defaults.change("step", step)

    def _check_open(self) -> None:
        if self.file is not None and self.file.closed:
            raise FailedPreconditionError(
                f"the summary writer of {self.file.folder} is closed; make another one"
            )

    def init(self) -> Any:
        """Do nothing: the file exists since the writer was made."""

    def flush(self) -> Any:
        """Write what waits; in a graph when it runs."""
        return flush_op(writer=self, closes=False)

    def close(self) -> Any:
        """Write what waits, and take no more; in a graph when it runs."""
        return flush_op(writer=self, closes=True)

    def __enter__(self) -> SummaryWriter:
        block = self.as_default()
        self._within.append(block)
        return block.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        self._within.pop().__exit__(kind, error, traceback)
        self.close()

    def __repr__(self) -> str:
        return f"<SummaryWriter {self.file.folder if self.file else 'of nothing'!r}>"


def create_file_writer(
    logdir: Any, max_queue: int | None = None, flush_millis: int | None = None,
    filename_suffix: str | None = None, name: str | None = None,
    experimental_trackable: bool = False,
) -> SummaryWriter:  # fmt: skip
    """Make a writer with an event file of its own in a folder, for TensorBoard.

    Args:
        logdir: the folder, which is made if need be.
        max_queue: number of events that wait at most before they are written: 10.
        flush_millis: milliseconds after which what waits is written with the next event: 120,000.
        filename_suffix: end of the file's name: ``.v2``.
        name: has no effect.
        experimental_trackable: has no effect.
    Returns:
        A SummaryWriter.
    Raises:
        StagingError: a graph is being built; its runs would share one file.
        OpError: the one that fits the error of the file system.
    """
    if defaults.function_graph() is not None and _traces():
        raise StagingError(
            "summary.create_file_writer makes a file each time it is called, which a graph cannot",
            help="make the writer outside of the function, and use it inside",
        )
    folder = os.fsdecode(logdir.numpy() if hasattr(logdir, "numpy") else logdir)
    most = 10 if max_queue is None else static_int(max_queue, "max_queue")
    patience = 120_000 if flush_millis is None else flush_millis
    return SummaryWriter(EventFile(folder, most, patience, filename_suffix or ".v2"))


def _traces() -> bool:
    return bool(getattr(defaults.function_graph(), "building_function", False))


def create_noop_writer() -> SummaryWriter:
    """Make a writer that writes nothing.

    Returns:
        A SummaryWriter.
    """
    return SummaryWriter(None)


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> Any:
    """Write what waits in a writer, by default in the default writer.

    Args:
        writer: a SummaryWriter.
        name: name of the operation.
    Returns:
        None; in a graph the operation.
    """
    fixed = defaults.fixed_in_graph("writer") if writer is None else None
    return flush_op(writer=fixed.value if fixed else writer, closes=False, name=name)


@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Write summaries of a block only where a condition holds.

    Args:
        condition: a bool, a scalar tensor, or a function that returns one, which is called for each
            summary.
    Returns:
        A context manager.
    """
    with defaults.changed(recording=condition):
        yield


def should_record_summaries() -> Any:
    """Tell whether a summary would be written now.

    Returns:
        A bool: whether there is a default writer, and the condition of ``record_if`` holds.
    Raises:
        StagingError: a graph is built, and both are known only when it runs.
    """
    if defaults.function_graph() is not None:
        raise StagingError(
            "summary.should_record_summaries() is known when the graph runs, not while it is built",
            help="call it outside of the function; summaries look themselves",
        )
    settings = defaults.DEFAULTS.get()
    writer = settings.writer.value
    recording = settings.recording.value
    recording = recording() if callable(recording) else recording
    return writer is not None and writer.file is not None and bool(recording)
