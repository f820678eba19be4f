"""``EventFile``: file of events that TensorBoard reads while it grows.

The format is a TFRecord file of Event messages.  Each record is appended by one write, and what a
write that fails has left of it is cut off: the file ends in a whole record.
"""

from __future__ import annotations

import itertools
import os
import socket
import threading
import time
from collections import deque
from io import FileIO

from runtime.data.formats.tfrecord import encode_record
from runtime.summaries.messages import event, file_version
from runtime.types.atomic_files import file_errors
from runtime.types.chief import is_chief
from runtime.types.errors import FailedPreconditionError

_NUMBERS = itertools.count()


class EventFile:
    """Event file in a folder; it begins with the first event.

    Of the processes of a job only the first one writes any.

    Args:
        folder: the folder, which is made if need be.
        max_queue: number of events that wait at most before they are written.
        flush_millis: milliseconds after which what waits is written with the next event.
        suffix: end of the file's name.

    Raises:
        OpError: the one that fits the error of the file system.
    """

    def __init__(
        self, folder: str, max_queue: int = 10, flush_millis: int = 120_000, suffix: str = ".v2"
    ) -> None:
        self.folder = folder
        self._most, self._patience = max_queue, flush_millis / 1000
        self._waiting: deque[bytes] = deque()
        self._lock = threading.RLock()
        self._flushed = time.monotonic()
        self._process = 0
        self._suffix = suffix
        self.closed = False
        self._is_written = is_chief()
        if self._is_written:
            with file_errors(folder):
                os.makedirs(folder, exist_ok=True)
        self._begin()

    def _begin(self) -> None:
        """Begin a file: no two writers, processes or computers share one."""
        self._process = os.getpid()
        now = time.time()
        name = f"events.out.tfevents.{int(now)}.{socket.gethostname()}.{self._process}"
        self.path = os.path.join(self.folder, f"{name}.{next(_NUMBERS)}{self._suffix}")
        self._waiting = deque([encode_record(event(now, None, file_version()))])
        self.flush()

    def add(self, step: int | None, *content: bytes) -> None:
        """Append an event of now; FailedPreconditionError when the file is closed."""
        with self._lock:
            if self.closed:
                raise FailedPreconditionError(
                    f"the summary writer of {self.folder} is closed; make another one"
                )
            if self._process != os.getpid():  # a fork: the parent writes what waits
                self._begin()
            self._waiting.append(encode_record(event(time.time(), step, *content)))
            late = time.monotonic() - self._flushed >= self._patience
            if late or len(self._waiting) > self._most:
                self.flush()

    def flush(self) -> None:
        """Write what waits."""
        with self._lock, file_errors(self.path):
            self._flushed = time.monotonic()
            if not self._is_written:
                self._waiting.clear()
            if self._waiting and self._process == os.getpid():
                with open(self.path, "ab", buffering=0) as file:
                    while self._waiting:
                        _append(file, self._waiting[0])
                        self._waiting.popleft()

    def close(self) -> None:
        """Write what waits; no event can be added from now on."""
        with self._lock:
            if not self.closed:
                self.flush()
                self.closed = True


def _append(file: FileIO, record: bytes) -> None:
    """Append a whole record, or nothing where that raises."""
    end = os.fstat(file.fileno()).st_size
    try:
        unwritten = memoryview(record)
        while unwritten:
            unwritten = unwritten[file.write(unwritten) :]
    except BaseException:
        file.truncate(end)
        raise
