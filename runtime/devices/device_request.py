"""Requests compiled for a device: arrays of JAX go in and come out, and variables stay there."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from runtime.engine.xla.compiled_request import (
    MOST_STATIC,
    MOST_TRACES,
    CompiledRequest,
    Trace,
    _argument,
    _result,
)
from runtime.engine.xla.interpreter import XLARefusal


class RunFailure(XLARefusal):
    """Reason why one run does not count, although XLA takes the graph."""


class _GuardState(threading.local):
    """Run in a thread: whether a guard did not hold."""

    failed = False


_RUN = _GuardState()


class DeviceRequest(CompiledRequest):
    """Plan of a request that runs on a device of JAX."""

    def __init__(
        self, plan: Any, plan_of: Callable[[Any], Any], device: jax.Device
    ) -> None:
        super().__init__(plan, plan_of)
        self._device = device

    def __call__(self, arrays: Sequence[Any]) -> list[Any] | XLARefusal:
        """Run on the arrays of the feeds; return the arrays of the fetches, or why it did not.

        What asks for values is tried once more for the small ints among the arguments, which may
        decide about shapes.
        """
        values = [self._moved(x) for x in arrays]
        if any(x is None for x in values):
            return XLARefusal("an argument is neither numbers nor a list of them")
        if not all(storage.is_initialized for storage in self._storages):
            return XLARefusal("a variable has no value yet")
        if len(self._traces) >= MOST_TRACES:
            self._traces.clear()
        _RUN.failed = False
        default_device = jax.default_device(self._device)
        with jax.enable_x64(True), jax.default_matmul_precision("highest"), default_device:
            results = self._run(self._with_static(values), self._variables())
            small = self._small_ints(values)
            if isinstance(results, XLARefusal) and not _RUN.failed and small != self._static:
                self._static = small
                results = self._run(self._with_static(values), self._variables())
        if isinstance(results, XLARefusal) and _RUN.failed:
            return RunFailure(str(results))
        return results

    def _moved(self, value: Any) -> Any:
        """Return a value as an argument: an array of JAX is copied to the device."""
        if not isinstance(value, jax.Array):
            return _argument(value)
        return value if value.device == self._device else jax.device_put(value, self._device)

    def _variables(self) -> list[Any]:
        """Return the values of the variables, on the device."""
        return [self._moved(storage.held()) for storage in self._storages]

    def _small_ints(self, values: Sequence[Any]) -> frozenset[int]:
        """Return the numbers of the arguments that may decide about shapes."""
        return frozenset(
            n for n, x in enumerate(values)
            if isinstance(x, np.ndarray | np.generic | jax.Array)
            and x.size <= MOST_STATIC and x.dtype.kind in "iub"
        )  # fmt: skip

    def _with_static(self, values: Sequence[Any]) -> list[Any]:
        """Return the arguments, those that a trace is specialised to as NumPy's."""
        return [np.asarray(x) if n in self._static else x for n, x in enumerate(values)]

    def _attempt(self, trace: Trace, dynamic: Sequence[Any]) -> tuple[list[Any], int]:
        with contextlib.ExitStack() as held:
            for storage in sorted(trace.written, key=lambda storage: storage.number):
                held.enter_context(storage.lock)
            outputs, written, status = trace.run(dynamic, self._variables())
            failure = int(status) if trace.has_guards[0] else 0
            if failure:
                _RUN.failed = True
                return [], failure
            results = [x if isinstance(x, jax.Array) else _result(x) for x in outputs]
            for storage, value in zip(trace.written, written, strict=True):
                storage.write(np.asarray(value) if storage.home is None else value)
            _RUN.failed = False
            return results, 0
