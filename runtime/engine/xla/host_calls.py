"""Calls of kernels from runs on XLA: draws of random numbers, which are NumPy's, and prints.

A run may count for nothing (compiled_request.py).  Its draws are undone then: streams go back to
where they were.  Its prints are written when the run has ended and counts, in their order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.experimental import io_callback

from runtime.engine.xla.interpreter import (
    TRACE,
    StaticValueError,
    XLARefusal,
    as_tuple,
    is_static,
)
from runtime.graph.operation import Operation
from runtime.ops.random_seed import RandomState, RandomStream, current_random_state, running_in
from runtime.types.shapes import TensorSpec

_NUMBERS = itertools.count()
_RUNS: dict[int, HostCalls] = {}
"""Number of a run that is under way -> its calls; JAX makes them in threads of its own."""


class HostCalls:
    """Calls that one run makes; a context, within which it runs.

    number  number of the run, an argument of the compiled trace
    failed  whether a kernel raised
    """

    def __init__(self) -> None:
        self.number = np.int64(next(_NUMBERS))
        self.failed = False
        self._state: RandomState = current_random_state()
        self._positions: dict[RandomStream, dict[str, Any]] = {}
        """Stream that the run draws from -> where it was before."""
        self._prints: list[Callable[[], Any]] = []

    def __enter__(self) -> HostCalls:
        _RUNS[int(self.number)] = self
        return self

    def __exit__(self, *_: object) -> None:
        del _RUNS[int(self.number)]

    def draw(self, kernel: Callable[..., Any], inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """Call a kernel that draws from a stream, or from a seed."""
        source = attrs.get("stream")
        if source is not None:
            stream = source if isinstance(source, RandomStream) else self._state.stream(source)
            if stream not in self._positions:
                self._positions[stream] = stream.position
        with running_in(self._state):
            return kernel(*inputs, **attrs)

    def print_later(self, call: Callable[[], Any]) -> None:
        """Note a print for the end of the run."""
        self._prints.append(call)

    def undo(self) -> None:
        """Forget the run: as many numbers are to be drawn as before, and nothing is printed."""
        for stream, position in self._positions.items():
            stream.position = position
        self._prints.clear()

    def finish(self) -> None:
        """Write what the run prints."""
        for call in self._prints:
            call()


class _NoCalls(HostCalls):
    """Calls of runs that make none; threads may share it."""

    def __init__(self) -> None:
        super().__init__()
        self.number = np.int64(-1)

    def __enter__(self) -> HostCalls:
        return self

    def __exit__(self, *_: object) -> None:
        pass


NO_CALLS = _NoCalls()


def draw(node: Operation, inputs: Sequence[Any], outputs: Sequence[TensorSpec]) -> Any:
    """Return the outputs of a kernel that draws, called when the trace runs."""
    if TRACE.draws is not None:
        return TRACE.draws.draw(node, inputs, outputs)
    if not all(spec.shape.is_fully_defined() for spec in outputs):
        raise StaticValueError("how many numbers it draws is known in a run only")
    like: Any = jax.ShapeDtypeStruct
    types = [like(tuple(spec.shape.as_list()), spec.dtype.as_numpy_dtype) for spec in outputs]

    def on_host(calls: HostCalls, values: Sequence[Any]) -> Any:
        results = calls.draw(node.op_def.kernel, values, node.attrs)
        return [np.asarray(x, t.dtype) for x, t in zip(as_tuple(results), types, strict=True)]

    return _call(on_host, types, inputs)


def print_later(node: Operation, inputs: Sequence[Any]) -> None:
    """Let a run print when it has ended."""

    def on_host(calls: HostCalls, values: Sequence[Any]) -> Any:
        calls.print_later(lambda: node.op_def.kernel(*values, **node.attrs))
        return []

    _call(on_host, [], inputs)


def _call(on_host: Callable[..., Any], types: Sequence[Any], inputs: Sequence[Any]) -> Any:
    """Call a function in each run, after the calls before it."""
    if TRACE.group is not None:
        raise XLARefusal("it calls Python, whose calls XLA does not order on several devices")
    traced = [x for x in inputs if not is_static(x)]

    def call(number: Any, *arrays: Any) -> Any:
        calls, remaining = _RUNS[int(number)], iter(arrays)
        values = [x if is_static(x) else np.asarray(next(remaining))[()] for x in inputs]
        try:
            return on_host(calls, values)
        except Exception:  # the engine of the CPU repeats the run, and raises
            calls.failed = True
            return [np.zeros(t.shape, t.dtype) for t in types]

    TRACE.has_calls = True
    return io_callback(call, types, TRACE.number, *traced, ordered=True)
