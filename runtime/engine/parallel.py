"""Parallel execution of large independent operations of one plan.

A plan whose runs take long has its operations timed once.  Those that take long and touch no state
may run in other threads; all the rest runs in the calling one.  Effects keep their order, and wait
for everything that stands before them in the program, so that a failure stops what it would have
stopped.  The schedule is dropped when it turns out not to be faster.
"""

from __future__ import annotations

import heapq
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.engine import thread_pool
from runtime.ops.op import READS

LONG_RUN = 1e-3
"""Duration in seconds from which a run is timed."""
_LONG_STEP = 1e-4
_LEAST_GAIN = 0.1
_TRIES = 3

MOST_STEPS = 2000
"""Longest plan that is timed step by step."""

Walk = Callable[[list[Any], Sequence[Any]], None]
"""Function that runs steps one after the other on a list of values."""


class _Inside(threading.local):
    worker = False


_inside = _Inside()


def possible() -> bool:
    """Whether this thread may use other threads."""
    return not _inside.worker and thread_pool.inter_op_threads() > 1


class AdaptiveScheduler:
    """Scheduler of one plan: runs it sequentially, times it, and adopts a faster schedule."""

    __slots__ = ("best", "schedule", "timed")

    def __init__(self) -> None:
        self.best = float("inf")
        """Duration in seconds of the shortest run above the limit."""
        self.timed = False
        self.schedule: Schedule | None = None

    def run(self, steps: Sequence[Any], walk: Walk, env: list[Any], values: Sequence[Any]) -> None:
        """Run the steps of a plan on its list of values; ``values`` are those that were fed."""
        schedule = self.schedule
        if schedule is not None and possible() and schedule.fits(values):
            schedule.run(walk, env)
            if not schedule.worthwhile():
                self.schedule = None
            return
        start = time.perf_counter()
        if self.timed or self.best > _FOREVER or not possible():
            walk(env, steps)
        else:
            self._time(steps, walk, env, values)
        spent = time.perf_counter() - start
        if spent > LONG_RUN:
            self.best = min(self.best, spent)

    def _time(
        self, steps: Sequence[Any], walk: Walk, env: list[Any], values: Sequence[Any]
    ) -> None:
        """Run and time the steps one after the other, and estimate the gain of a schedule."""
        self.timed = True
        seconds: list[float] = []
        for step in steps:
            start = time.perf_counter()
            walk(env, (step,))
            seconds.append(time.perf_counter() - start)
        schedule = Schedule(steps, seconds, min(sum(seconds), self.best), size_of(values))
        self.schedule = schedule if schedule.worthwhile() else None


_FOREVER = 1e9


class Schedule:
    """Schedule of a plan: dependencies of its steps, and the steps that are worth a thread."""

    def __init__(
        self, steps: Sequence[Any], seconds: Sequence[float], serial: float, size: int
    ) -> None:
        self.waits = _waits(steps)
        self.followers: list[list[int]] = [[] for _ in steps]
        for number, before in enumerate(self.waits):
            for other in before:
                self.followers[other].append(number)
        self.long = [
            spent >= _LONG_STEP and not step.operation.stateful
            for step, spent in zip(steps, seconds, strict=True)
        ]
        self.steps = [step._replace(dead=()) for step in steps]
        self.dropped = {slot for step in steps for slot in step.dead}
        self.serial = serial
        self.size = size
        shortest = _makespan(self, seconds, thread_pool.inter_op_threads())
        self.gain = 1 - shortest / max(sum(seconds), 1e-9)
        self._best = float("inf")
        self._tries = 0

    def worthwhile(self) -> bool:
        """Whether it is expected, or was measured, to be faster than a sequential run."""
        if self._tries >= _TRIES:
            return self._best < self.serial
        return self.gain >= _LEAST_GAIN

    def fits(self, values: Sequence[Any]) -> bool:
        """Return whether the fed values are about as large as those of the timed run."""
        return self.size // 2 <= size_of(values) <= self.size * 2

    def run(self, walk: Walk, env: list[Any]) -> None:
        """Run all steps; raise the error of the first failing one in program order."""
        start = time.perf_counter()
        _Run(self, walk, env).finish()
        self._best = min(self._best, time.perf_counter() - start)
        self._tries += 1


def size_of(values: Sequence[Any]) -> int:
    """Return the size of fed values in bytes."""
    return sum(getattr(value, "nbytes", 0) for value in values)


def _waits(steps: Sequence[Any]) -> list[set[int]]:
    """Return the earlier steps that each step waits for: for inputs and order of effects."""
    producers: dict[int, int] = {}
    waits: list[set[int]] = []
    last_effect: int | None = None
    for number, step in enumerate(steps):
        before = {producers[slot] for slot in step.sources if slot in producers}
        if step.operation.stateful:
            if READS in step.operation.op_def.traits:
                before |= set() if last_effect is None else {last_effect}
            else:  # what fails before an effect must keep it from happening
                before |= set(range(last_effect or 0, number))
                last_effect = number
        waits.append(before)
        producers.update(dict.fromkeys(step.targets, number))
    return waits


def _makespan(schedule: Schedule, seconds: Sequence[float], threads: int) -> float:
    """Estimate the duration of a run on some threads, each of which takes the first ready step."""
    left = [len(before) for before in schedule.waits]
    arrivals = [(0.0, number) for number, count in enumerate(left) if not count]
    ready: list[int] = []
    free = [0.0] * threads
    arrival = [0.0] * len(left)
    end = 0.0
    while arrivals or ready:
        now = heapq.heappop(free)
        if not ready:
            now = max(now, arrivals[0][0])
        while arrivals and arrivals[0][0] <= now:
            heapq.heappush(ready, heapq.heappop(arrivals)[1])
        number = heapq.heappop(ready)
        done = now + seconds[number]
        end = max(end, done)
        heapq.heappush(free, done)
        for follower in schedule.followers[number]:
            left[follower] -= 1
            arrival[follower] = max(arrival[follower], done)
            if not left[follower]:
                heapq.heappush(arrivals, (arrival[follower], follower))
    return end


class _Run:
    """Run of a schedule."""

    def __init__(self, schedule: Schedule, walk: Walk, env: list[Any]) -> None:
        self.schedule = schedule
        self.walk = walk
        self.env = env
        self.left = [len(before) for before in schedule.waits]
        self.readers = Counter(slot for step in schedule.steps for slot in set(step.sources))
        self.short: list[int] = []
        self.long: list[int] = []
        self.running = 0
        self.failed: dict[int, BaseException] = {}
        self.done: queue.SimpleQueue[tuple[int, BaseException | None]] = queue.SimpleQueue()
        self.spare = thread_pool.inter_op_threads() - 1
        self.pool = thread_pool.pool(self.spare)
        for number, count in enumerate(self.left):
            if not count:
                self._ready(number)

    def _ready(self, number: int) -> None:
        heapq.heappush(self.long if self.schedule.long[number] else self.short, number)

    def _finished(self, number: int, error: BaseException | None) -> None:
        if error is not None:
            self.failed[number] = error
            return
        for slot in set(self.schedule.steps[number].sources):
            self.readers[slot] -= 1
            if not self.readers[slot] and slot in self.schedule.dropped:
                self.env[slot] = None
        for follower in self.schedule.followers[number]:
            self.left[follower] -= 1
            if not self.left[follower]:
                self._ready(follower)

    def _next(self, ready: list[int]) -> int | None:
        """Return the first ready step, unless an earlier step in program order has failed."""
        if ready and (not self.failed or ready[0] < min(self.failed)):
            return heapq.heappop(ready)
        return None

    def finish(self) -> None:
        """Run steps until none is left."""
        try:
            while True:
                while self.running < self.spare and len(self.long) + self.running > 1:
                    number = self._next(self.long)
                    if number is None:
                        break
                    self.running += 1
                    self.pool.submit(self._elsewhere, number)
                number = self._next(self.short)
                number = self._next(self.long) if number is None else number
                if number is not None:
                    self._finished(number, self._try(number))
                elif not self.running:
                    break
                self._collect(wait=number is None)
        finally:
            while self.running:  # nobody may touch the values after the run
                self._collect(wait=True)
        if self.failed:
            raise self.failed[min(self.failed)]

    def _try(self, number: int) -> Exception | None:
        try:
            self.walk(self.env, (self.schedule.steps[number],))
        except Exception as error:
            return error
        return None

    def _elsewhere(self, number: int) -> None:
        _inside.worker = True
        error: BaseException | None = None
        try:
            with np.errstate(all="ignore"):
                self.walk(self.env, (self.schedule.steps[number],))
        except BaseException as raised:
            error = raised
        self.done.put((number, error))

    def _collect(self, wait: bool) -> None:
        """Collect the steps that other threads have finished."""
        while self.running and (wait or not self.done.empty()):
            number, error = self.done.get()
            self.running -= 1
            self._finished(number, error)
            wait = False
