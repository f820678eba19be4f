"""Group of the processes of an MPI job: sums, gathers and broadcasts arrays between them.

MPI waits for ever for a process that has died.  So nothing here waits inside of MPI: requests are
tested, and in between the other processes are looked at.  The kernels of process_ops.py call the
group.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.distribute.heartbeats import LOST, Heartbeats
from runtime.distribute.process_sums import FEW, SumPlan, Workspace, begun_sum, plan_of
from runtime.distribute.process_watch import LOOK_EVERY, ProcessWatch, network, space
from runtime.types.dtypes import Array
from runtime.types.errors import (
    AbortedError,
    DeadlineExceededError,
    FailedPreconditionError,
    OpError,
    UnavailableError,
)
from runtime.types.extras import require

TIMEOUT = 600.0
"""Seconds that a process waits for others that are alive, or on other machines, by default."""

SPUN = 0.002
"""Seconds of waiting in which a process keeps its core: giving it away costs a turn of the others.

1 MB on two cores that seven processes wanted: 4 ms, 7 ms if it is given away at once.
"""
BUSY = 0.2
"""Seconds of waiting in which a process tests as often as it can; afterwards it sleeps between."""

LOOKED_EVERY = 0.5
"""Seconds after which a call looks at the other processes even if it does not wait for them."""

LAUNCHER = "AUTOGRAPH_LAUNCHER"
"""Variable of the environment with the id of the process that launched this one."""

_LAUNCHER_KEY = -1


class Task(NamedTuple):
    """Process of the group: where it runs, and how it is called."""

    job: str
    number: int
    host: str
    process: int
    space: str
    network: str

    def __str__(self) -> str:
        return f"/job:{self.job}/task:{self.number} (process {self.process} on {self.host})"


class ProcessGroup:
    """Processes of an MPI job, which call the same methods in the same order.

    ``job`` and ``index`` are what the process is called in errors; processes are in the order of
    ``place``, by default MPI's.  Methods raise UnavailableError when a process has died,
    AbortedError when one has ended its program without coming to the same call,
    DeadlineExceededError after ``timeout`` seconds, FailedPreconditionError when processes are in
    different calls; each call after that raises the same.
    """

    def __init__(
        self, timeout: float = TIMEOUT, place: int | None = None, job: str = "worker",
        index: int | None = None,
    ) -> None:
        if "mpi4py.MPI" not in sys.modules:  # else MPI waits for dead processes at the end
            package = require("mpi4py", extra="mpi", for_="MultiWorkerMirroredStrategy")
            package.rc.finalize = False
        mpi: Any = require("mpi4py.MPI", extra="mpi", for_="MultiWorkerMirroredStrategy")
        world = mpi.COMM_WORLD
        self._mpi = mpi
        self._arrays = world.Split(0, world.rank if place is None else place)
        self._control = self._arrays.Dup()
        for communicator in (self._arrays, self._control):
            communicator.Set_errhandler(mpi.ERRORS_RETURN)
        self.rank: int = self._arrays.rank
        self.count: int = self._arrays.size
        self.timeout = timeout
        self._looked_at = 0.0
        self.workspace = Workspace()
        self._plans: dict[Any, SumPlan] = {}
        own = Task(
            job, self.rank if index is None else index, os.uname().nodename, os.getpid(), space(),
            network(),
        )  # fmt: skip
        self.tasks: list[Task] = self._arrays.allgather(own)
        self._watch = ProcessWatch()
        for rank, task in enumerate(self.tasks):
            if rank != self.rank and task.space == own.space:
                self._watch.add(rank, task.process)
        if LAUNCHER in os.environ:
            self._watch.add(_LAUNCHER_KEY, int(os.environ[LAUNCHER]))
        elsewhere = [n for n, task in enumerate(self.tasks) if task.network != own.network]
        self._heartbeats: Heartbeats | None = None
        signs = self._control.Dup()
        if elsewhere and mpi.Query_thread() == mpi.THREAD_MULTIPLE:
            self._heartbeats = Heartbeats(signs, elsewhere, mpi)
        self._calls = 0
        self._ended: dict[int, int] = {}
        self._failure: OpError | None = None
        self._abandoned: list[Any] = []
        self._is_crashing = False

    # -- collectives ------------------------------------------------------------------------------

    def sums(self, arrays: Sequence[Array], mean: bool) -> list[Array]:
        """Return the sums, or the means, of each array over the processes.

        Small arrays are put together, one buffer for each dtype.  Sums are equal to the bit in all
        processes; narrow floats are summed as float32.
        """
        types = tuple([(array.dtype, array.shape) for array in arrays])
        plan = self._plans.get(types)
        if plan is None:
            plan = self._plans[types] = plan_of(arrays)
        meeting = self._meeting(plan.what)
        started = []
        for bucket in plan.buckets:
            flat = [arrays[n].reshape(-1) for n in bucket.numbers]
            if len(flat) == 1:
                whole = np.ascontiguousarray(flat[0], bucket.dtype)
            else:
                whole = self.workspace.empty(bucket.ends[-1], bucket.dtype)
                np.concatenate(flat, out=whole)
            started.append(begun_sum(self, whole))  # before the meeting: that is one wait less
        self._check(meeting, *started)
        results: list[Any] = [None] * len(arrays)
        for bucket, bucket_sum in zip(plan.buckets, started, strict=True):
            total, start = bucket_sum.result(plan.what), 0
            if mean:
                total = total / np.asarray(self.count, bucket.dtype)
            for n, end in zip(bucket.numbers, bucket.ends, strict=True):
                dtype, shape = types[n]
                results[n] = total[start:end].reshape(shape).astype(dtype, copy=False)
                start = end
        return results

    def sent(self, array: Array, target: int) -> Any:
        """Begin to send an array to another process; return the request."""
        return self._arrays.Isend(_bytes(array), target, _DATA)

    def summed(self, array: Array, total: Array) -> Any:
        """Begin to sum an array over the processes as MPI does; return the request."""
        return self._arrays.Iallreduce(array, total)

    def received(self, array: Array, source: int) -> Any:
        """Begin to receive an array from another process; return the request."""
        return self._arrays.Irecv(_bytes(array), source, _DATA)

    @property
    def peers(self) -> list[int]:
        """Numbers of the other processes."""
        return [n for n in range(self.count) if n != self.rank]

    def gathered(self, array: Array, axis: int) -> Array:
        """Return the arrays of all processes along an axis, in their order; sizes may differ."""
        axis %= array.ndim or 1
        rows = np.ascontiguousarray(np.moveaxis(array, axis, 0))
        what = f"all_gather of {array.dtype}{list(rows.shape[1:])}"
        counts = self.numbers(what, len(rows))
        whole = np.empty((sum(counts), *rows.shape[1:]), rows.dtype)
        ends = np.cumsum([0, *counts])
        parts = [whole[ends[n] : ends[n + 1]] for n in range(self.count)]
        parts[self.rank][:] = rows
        requests = [self.received(parts[n], n) for n in self.peers]
        requests += [self.sent(rows, n) for n in self.peers]
        self.wait(requests, what, whole, rows)
        return np.ascontiguousarray(np.moveaxis(whole, 0, axis))

    def first(self, array: Array) -> Array:
        """Return the array of the first process."""
        what = f"broadcast of {array.dtype}{list(array.shape)}"
        self.numbers(what)
        value = np.array(array, order="C")
        self.wait([self._arrays.Ibcast(_bytes(value.reshape(-1)))], what, value)
        return value

    def text_of_first(self, text: str) -> str:
        """Return the text of the first process."""
        size = self.numbers("broadcast of a text", len(text.encode()))[0]
        data = np.empty(size, np.uint8)
        if self.rank == 0:
            data[:] = np.frombuffer(text.encode(), np.uint8)
        self.wait([self._arrays.Ibcast(data)], "broadcast of a text", data)
        return bytes(data).decode()

    def numbers(self, what: str, number: int = 0) -> list[int]:
        """Return a number of each process, once all have come to the same call."""
        meeting = self._meeting(what, number)
        self._check(meeting)
        return [int(n) for n in meeting.pairs[:, 1]]

    def _meeting(self, what: str, number: int = 0) -> _Meeting:
        """Begin to tell all others which call this process is in, and a number."""
        if self._failure is not None:
            raise type(self._failure)(self._failure.message)
        self._calls += 1
        now = time.monotonic()
        if now - self._looked_at > LOOKED_EVERY:  # who never waits long notices, too
            self._looked_at = now
            fault = self._fault(what, 0.0)
            if fault is not None:
                self._fail(fault)
        own = np.array([zlib.crc32(f"{self._calls} {what}".encode()), number], np.int64)
        pairs = np.empty((self.count, 2), np.int64)
        pairs[self.rank] = own
        control = self._control
        if self.count > FEW:
            return _Meeting(what, own, pairs, [control.Iallgather(own, pairs)])
        requests = [control.Irecv(pairs[n], n, _MEETING) for n in self.peers]
        requests += [control.Isend(own, n, _MEETING) for n in self.peers]
        return _Meeting(what, own, pairs, requests)

    def _check(self, meeting: _Meeting, *pending: Any) -> None:
        """Wait until all have told; FailedPreconditionError unless they are in the same call."""
        self.wait(meeting.requests, meeting.what, meeting, pending)
        if (meeting.pairs[:, 0] != meeting.own[0]).any():
            self._abandoned.append(pending)
            self._fail(FailedPreconditionError(self._out_of_step(meeting.what)))

    # -- waiting ----------------------------------------------------------------------------------

    def wait(self, requests: list[Any], what: str, *buffers: Any) -> None:
        """Wait until requests of MPI are done, which use buffers; look at the others meanwhile."""
        test, errors = self._mpi.Request.Testall, self._mpi.Exception
        start, look_at = time.monotonic(), 0.0
        try:
            while not test(requests):
                now = time.monotonic()
                if not look_at:
                    look_at = now + LOOK_EVERY
                elif now >= look_at:
                    fault = self._fault(what, now - start)
                    if fault is not None and not test(requests):
                        self._abandoned += [requests, buffers]  # MPI may still write there
                        self._fail(fault)
                    look_at = now + LOOK_EVERY
                if now - start >= BUSY:
                    time.sleep(0.001)
                elif now - start >= SPUN:
                    _give_way()
        except errors as error:  # of MPI: a message of another size, a connection that broke
            self._abandoned += [requests, buffers]
            time.sleep(2 * LOOK_EVERY)
            fault = self._fault(what, 0.0)
            self._fail(fault or FailedPreconditionError(f"{self._out_of_step(what)}; {error}"))

    def _fault(self, what: str, waited: float) -> OpError | None:
        """Return why it is of no use to wait any longer, if it is."""
        own = self.tasks[self.rank]
        for rank in self._watch.ended():
            if rank == _LAUNCHER_KEY:
                return AbortedError(f"what launched {own} has ended, while it waited in {what}")
            return UnavailableError(
                f"{self.tasks[rank]} has ended unexpectedly, while "
                f"/job:{own.job}/task:{own.number} waited for it in {what}"
            )
        self._read_ends()
        for rank, calls in self._ended.items():
            if calls < self._calls:
                return AbortedError(
                    f"{self.tasks[rank]} has ended its program, while /job:{own.job}/task:"
                    f"{own.number} waits for it in {what}: all have to make the same steps"
                )
        lost = self._heartbeats and self._heartbeats.silent(min(LOST, self.timeout / 2))
        if lost and waited:
            return UnavailableError(
                f"nothing was heard of {self.tasks[lost[0]]} for {lost[1]:.0f} seconds, while "
                f"/job:{own.job}/task:{own.number} waited in {what}: the connection is lost, or "
                "the process is stopped"
            )
        if waited > self.timeout:
            return DeadlineExceededError(
                f"/job:{own.job}/task:{own.number} has waited for {self.timeout:g} seconds in "
                f"{what}: another process is slow, or does not come there. A "
                "longer time is set by CommunicationOptions(timeout_seconds=...)"
            )
        return None

    def _out_of_step(self, what: str) -> str:
        own = self.tasks[self.rank]
        return (
            f"/job:{own.job}/task:{own.number} is in {what} (call {self._calls}), another process "
            "in another one: all have to make the same steps, on values of the same types"
        )

    def _fail(self, error: OpError) -> None:
        self._failure = error
        raise error

    # -- the end ----------------------------------------------------------------------------------

    def _read_ends(self) -> None:
        status = self._mpi.Status()
        while self._control.Iprobe(tag=_END, status=status):
            calls = np.empty(1, np.int64)
            self._control.Recv(calls, status.source, _END)
            self._ended[status.source] = int(calls[0])

    def leave(self) -> None:
        """Tell the others that the program ends; wait for them, and end MPI, unless it has failed.
        """
        calls = np.array([self._calls], np.int64)
        with contextlib.suppress(self._mpi.Exception):
            requests = [self._control.Isend(calls, n, _END) for n in self.peers]
            self._abandoned += [requests, calls]
        heartbeats = self._heartbeats
        if self._is_crashing or self._failure is not None or self._mpi.Is_finalized():
            if heartbeats is not None:
                heartbeats.end()
            return
        self.timeout = math.inf
        self._calls = 0  # those that have ended are not waited for in vain
        with contextlib.suppress(OpError):
            self.wait([self._control.Ibarrier()], "the end of the program")
            if heartbeats is not None:
                heartbeats.end()
                self.wait([self._control.Ibarrier()], "the end of the program")
                heartbeats.drain()
            self._read_ends()
            for communicator in (self._arrays, self._control):
                communicator.Free()
            self._mpi.Finalize()

    def crash(self) -> None:
        """Note that the program ends by an error: the others are not waited for."""
        self._is_crashing = True


_DATA, _MEETING, _END = range(3)


class _Meeting(NamedTuple):
    """What processes tell each other at the beginning of a call."""

    what: str
    own: Array
    pairs: Array
    requests: list[Any]


def _give_way() -> None:
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        time.sleep(0)


def _bytes(array: Array) -> Any:
    return array.reshape(-1).view(np.uint8)
