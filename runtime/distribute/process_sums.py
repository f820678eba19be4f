"""Sums of arrays over the processes of a job; the way depends on the size and their number.

All begin when they are made, so that several are under way at once.  process_group.py makes them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from runtime.types.dtypes import Array

if TYPE_CHECKING:
    from runtime.distribute.process_group import ProcessGroup

FEW = 16
"""Processes up to which each sends short messages to each; beyond MPI's own collectives do it."""

DIRECT = 2 * 1024 * 1024
"""Bytes that a process sends of an array as a whole to all others; larger ones go in shares.

An array as a whole takes one message where shares take two, but more bytes from three processes on.
"""


PACKED = 1024 * 1024
"""Bytes up to which arrays are put together: larger ones are exchanged without being copied."""

KEPT = 8 * 1024 * 1024
"""Bytes up to which arrays are used again: a new one of 1 MB costs 2 ms when it is first written.
"""


class Workspace:
    """Arrays of one axis that are handed out again once nobody else refers to them."""

    def __init__(self) -> None:
        self._arrays: dict[tuple[int, Any], list[Array]] = {}

    def empty(self, size: int, dtype: Any) -> Array:
        """Return an array with any values in it."""
        if size * dtype.itemsize > KEPT:
            return np.empty(size, dtype)
        arrays = self._arrays.setdefault((size, dtype), [])
        for array in arrays:
            if sys.getrefcount(array) == _UNUSED:
                return array
        arrays.append(np.empty(size, dtype))
        del arrays[:-8]  # those that are kept elsewhere for long
        return arrays[-1]

    def like(self, array: Array) -> Array:
        """Return an array of the size and dtype of another."""
        return self.empty(array.size, array.dtype)


def _references(arrays: list[Array]) -> int:
    """Return the number of references to an array that only the list has, counted in a loop."""
    for array in arrays:
        return sys.getrefcount(array)
    raise AssertionError


_UNUSED = _references([np.empty(1)])


class SumBucket(NamedTuple):
    """Arrays that travel as one: their numbers, the places where they end, their dtype."""

    numbers: list[int]
    ends: list[int]
    dtype: Any


class SumPlan(NamedTuple):
    """How arrays of certain types are summed, and how errors describe it."""

    what: str
    buckets: list[SumBucket]


def plan_of(arrays: Sequence[Array]) -> SumPlan:
    """Put small arrays of one dtype together; narrow floats travel as float32."""
    described = ", ".join(f"{array.dtype}{list(array.shape)}" for array in arrays)
    members: dict[Any, list[int]] = {}
    for number, array in enumerate(arrays):
        key = _summed_dtype(array.dtype) if array.nbytes < PACKED else number
        members.setdefault(key, []).append(number)
    buckets = [
        SumBucket(
            numbers, np.cumsum([arrays[n].size for n in numbers]).tolist(),
            _summed_dtype(arrays[numbers[0]].dtype),
        )
        for numbers in members.values()
    ]  # fmt: skip
    return SumPlan(f"all_reduce of {described}", buckets)


def _summed_dtype(dtype: Any) -> Any:
    is_narrow = dtype.itemsize < 4 and dtype.kind not in "iub"
    return np.dtype(np.float32) if is_narrow else dtype


def begun_sum(group: ProcessGroup, flat: Array) -> BegunSum:
    """Begin to sum an array of one axis over the processes."""
    if group.count <= FEW and flat.nbytes * (group.count - 1) <= DIRECT:
        return DirectSum(group, flat)
    return SumByMPI(group, flat) if flat.nbytes < DIRECT // FEW else SumInShares(group, flat)


class BegunSum(Protocol):
    """Sum over the processes that has begun."""

    def result(self, what: str) -> Array:
        """Wait for the sum, equal to the bit in all processes."""


class DirectSum:
    """Sum of an array that each process sends to each, and adds up in the order of processes."""

    def __init__(self, group: ProcessGroup, flat: Array) -> None:
        self._group = group
        self._arrays = [flat if n == group.rank else group.workspace.like(flat)
                        for n in range(group.count)]  # fmt: skip
        self._requests = [group.received(self._arrays[n], n) for n in group.peers]
        self._requests += [group.sent(flat, n) for n in group.peers]

    def result(self, what: str) -> Array:
        """Wait for the sum."""
        self._group.wait(self._requests, what, self)
        return _added_up(self._arrays, self._group.workspace.like(self._arrays[0]))


class SumInShares:
    """Sum of an array of which each process sums a share, in the order of processes.

    Each number is sent twice, the least there is (Patarasu and Yuan, "Bandwidth optimal all-reduce
    algorithms for clusters of workstations", 2009).  100 MB between two processes of one machine
    take 75 ms, by MPI's Allreduce 260 ms.
    """

    def __init__(self, group: ProcessGroup, flat: Array) -> None:
        self._group = group
        count, rank = group.count, group.rank
        ends = [n * flat.size // count for n in range(count + 1)]
        self._places = [slice(ends[n], ends[n + 1]) for n in range(count)]
        own = flat[self._places[rank]]
        self._total = group.workspace.like(flat)
        self._shares = [
            own if n == rank else group.workspace.like(own) for n in range(count)
        ]
        self._requests = [group.received(self._shares[n], n) for n in group.peers]
        self._requests += [group.sent(flat[self._places[n]], n) for n in group.peers]

    def result(self, what: str) -> Array:
        """Wait for the sum."""
        group, total, places = self._group, self._total, self._places
        group.wait(self._requests, what, self)
        own = _added_up(self._shares, total[places[group.rank]])
        requests = [group.received(total[places[n]], n) for n in group.peers]
        requests += [group.sent(own, n) for n in group.peers]
        group.wait(requests, what, total)
        return total


class SumByMPI:
    """Sum of a short array over many processes, as MPI does it."""

    def __init__(self, group: ProcessGroup, flat: Array) -> None:
        self._group = group
        self._flat = flat

    def result(self, what: str) -> Array:
        """Compute the sum, once all have met."""
        total = self._group.workspace.like(self._flat)
        request = self._group.summed(self._flat, total)
        self._group.wait([request], what, self._flat, total)
        return total


def _added_up(arrays: Sequence[Array], total: Array) -> Array:
    """Return the sum of several arrays, in their order, in another one."""
    np.add(arrays[0], arrays[1], out=total)
    for array in arrays[2:]:
        np.add(total, array, out=total)
    return total
