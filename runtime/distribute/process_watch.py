"""Watch on processes of this machine: tells at once which have ended, however they ended.

The processes of an MPI job watch each other by it (process_group.py), and so does what launched
them (launching.py).
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import time

LOOK_EVERY = 0.02
"""Seconds between two looks at the processes: an end is seen within a second, also when busy."""


def space() -> str:
    """Return a text that processes share if the ids of one mean the same to the other."""
    texts = [socket.gethostname()]
    for path in ("/proc/sys/kernel/random/boot_id",):
        with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
            texts.append(file.read().strip())
    with contextlib.suppress(OSError):
        texts.append(os.readlink("/proc/self/ns/pid"))  # a container's ids are its own
    return " ".join(texts)


def network() -> str:
    """Return a text that processes share if no connection between them can be cut."""
    with contextlib.suppress(OSError):
        return f"{space()} {os.readlink('/proc/self/ns/net')}"  # a container's network is its own
    return space()


class ProcessWatch:
    """Watch on processes of this machine, by a key for each.

    On Linux each has a descriptor, which also tells of processes that nobody has waited for; on
    other systems the process is asked for by its id.
    """

    def __init__(self) -> None:
        self._processes: dict[int, int] = {}
        self._descriptors: dict[int, int] = {}
        self._ended: list[int] = []
        self._poll = select.poll() if hasattr(select, "poll") else None

    def add(self, key: int, process: int) -> None:
        """Watch a process, too."""
        self._processes[key] = process
        if self._poll is None or not hasattr(os, "pidfd_open"):
            return
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            self._ended.append(key)
        except OSError:  # a kernel without them
            return
        else:
            self._descriptors[descriptor] = key
            self._poll.register(descriptor, select.POLLIN)

    def process(self, key: int) -> int:
        """Return the id of a process."""
        return self._processes[key]

    def ended(self) -> list[int]:
        """Return the keys of the processes that have ended, in the order in which it was seen."""
        if self._poll is not None:
            for descriptor, _ in self._poll.poll(0):
                self._poll.unregister(descriptor)
                os.close(descriptor)
                self._ended.append(self._descriptors.pop(descriptor))
        with_descriptor = set(self._descriptors.values())
        for key, process in self._processes.items():
            if key not in with_descriptor and key not in self._ended and not _is_there(process):
                self._ended.append(key)
        return self._ended

    def running(self) -> list[int]:
        """Return the keys of the others."""
        ended = self.ended()
        return [key for key in self._processes if key not in ended]

    def wait(self, seconds: float) -> bool:
        """Wait until all have ended, at most so long; return whether they have."""
        end = time.monotonic() + seconds
        while self.running():
            if time.monotonic() >= end:
                return False
            time.sleep(LOOK_EVERY)
        return True

    def close(self) -> None:
        """Watch none any more."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors.clear()
        self._processes.clear()


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
