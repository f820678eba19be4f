"""Random numbers of runs on several devices: NumPy draws them before the run, in its order.

A run on one device calls NumPy in its midst (host_calls.py), which JAX does not order on several.
So how many numbers each operation draws must be known while a graph is traced, and whether it runs
at all: draws in branches and loops are left to the engine of the CPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.xla.host_calls import HostCalls
from runtime.engine.xla.interpreter import TRACE, StaticValueError, as_tuple, is_static
from runtime.graph.operation import Operation
from runtime.types.shapes import TensorSpec


class DrawRecord(NamedTuple):
    """Operation that draws.

    section      number of the part of the run between two meetings of the replicas
    of_replicas  whether each replica draws
    call         function of the run's calls that draws
    """

    section: int
    of_replicas: bool
    call: Callable[[HostCalls], Sequence[Any]]


class AdvanceDraws:
    """Draws of a trace, and the arrays that stand for them; zeros as long as these are unknown.

    ``once`` has the arrays of operations that draw once, ``each`` those of operations in replicas,
    with a row for each replica.
    """

    def __init__(self, once: Sequence[Any], each: Sequence[Any]) -> None:
        self.records: list[DrawRecord] = []
        self._once = list(once)
        self._each = list(each)
        self._rows: list[Any] | None = None
        """Arrays of the replicas that are traced; None outside of them."""
        self._section = 0

    @property
    def of_replicas(self) -> Sequence[Any]:
        """Arrays that are left for the next replicas."""
        return self._each

    @property
    def is_within_replicas(self) -> bool:
        """Whether what is traced is the function of replicas."""
        return self._rows is not None

    @contextlib.contextmanager
    def within_replicas(self, rows: Sequence[Any]) -> Iterator[None]:
        """Let the operations of the block be those of each replica; ``rows`` are its arrays."""
        self._rows = [x[0] for x in rows]
        self._section += 1
        count = len(self._rows)
        try:
            yield
        finally:
            del self._each[: count - len(self._rows)]
            self._rows = None
            self._section += 1

    def meet(self) -> None:
        """Note that the replicas meet: those that come after draw after all that came before."""
        self._section += 1

    def draw(
        self, node: Operation, inputs: Sequence[Any], outputs: Sequence[TensorSpec]
    ) -> Sequence[Any]:
        """Return the outputs of an operation that draws."""
        in_replicas = self._rows is not None
        if not (all(spec.shape.is_fully_defined() for spec in outputs) and all(
            map(is_static, inputs)
        )):  # fmt: skip
            raise StaticValueError("what it draws is known in a run only")
        if len(TRACE.frames) > 1 + in_replicas:
            raise StaticValueError("it draws in a branch or loop, on several devices")
        types = [(tuple(spec.shape.as_list()), spec.dtype.as_numpy_dtype) for spec in outputs]
        kernel, attrs = node.op_def.kernel, node.attrs

        def call(calls: HostCalls) -> Sequence[Any]:
            results = as_tuple(calls.draw(kernel, inputs, attrs))
            return [np.asarray(x, dtype) for x, (_, dtype) in zip(results, types, strict=True)]

        self.records.append(DrawRecord(self._section, in_replicas, call))
        arrays = self._rows if self._rows is not None else self._once
        known = [arrays.pop(0) for _ in types[: len(arrays)]]
        return known or [np.zeros(shape, dtype) for shape, dtype in types]


def drawn(
    records: Sequence[DrawRecord], count: int, calls: HostCalls
) -> tuple[list[Any], list[Any]]:
    """Draw what a trace needs: arrays of what draws once, and of what each replica draws."""
    once: list[Any] = []
    each: list[Any] = []
    for (_, in_replicas), group in groupby(records, key=lambda record: record[:2]):
        section = list(group)
        if not in_replicas:
            once += [array for record in section for array in record.call(calls)]
            continue
        rows = [[x for record in section for x in record.call(calls)] for _ in range(count)]
        each += [np.stack(column) for column in zip(*rows, strict=True)]
    return once, each
