"""Signs of life between processes on different machines, which tell a lost connection from a slow
process.

A process that computes sends them all the same, from a thread of its own; one that cannot be
reached does not.  They go by MPI, as everything else does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

LOST = 30.0
"""Seconds without a sign of life after which a connection counts as lost."""

PERIOD = 1.0
"""Seconds between two signs of life; longer for more than a hundred processes elsewhere."""


class Heartbeats:
    """Thread that sends signs of life to other processes, and notes theirs.

    Args:
        communicator: one of MPI's, for these messages alone.
        ranks: numbers of the processes.
        mpi: the module ``mpi4py.MPI``, which allows calls from several threads.
    """

    def __init__(self, communicator: Any, ranks: Sequence[int], mpi: Any) -> None:
        self._communicator = communicator
        self._mpi = mpi
        self._period = max(PERIOD, len(ranks) / 100)
        now = time.monotonic()
        self._heard_at = dict.fromkeys(ranks, now)
        self._looked_at = now
        self._sent: dict[int, Any] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeats", daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        sign, send_at = np.zeros(1, np.int8), 0.0
        while not self._end.wait(self._period / 4):
            try:
                self.drain()
                self._looked_at = time.monotonic()
                if self._looked_at >= send_at:
                    send_at = self._looked_at + self._period
                    for rank in self._heard_at:
                        request = self._sent.get(rank)
                        if request is None or request.Test():
                            self._sent[rank] = self._communicator.Isend(sign, rank)
            except self._mpi.Exception:  # which the next call of the group meets, too
                return

    def drain(self) -> None:
        """Receive what has come."""
        received, status = np.empty(1, np.int8), self._mpi.Status()
        while self._communicator.Iprobe(status=status):
            self._communicator.Recv(received, status.source)
            self._heard_at[status.source] = time.monotonic()

    def silent(self, seconds: float) -> tuple[int, float] | None:
        """Return a process of which nothing was heard for so long, and for how long; or None.

        The time until the thread last looked counts: if this process was stopped, messages wait.
        """
        for rank, heard_at in self._heard_at.items():
            if self._looked_at - heard_at > seconds:
                return rank, self._looked_at - heard_at
        return None

    def end(self) -> None:
        """End the thread."""
        self._end.set()
        self._thread.join()
