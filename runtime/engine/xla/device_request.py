"""Requests compiled for a device: arrays of JAX go in and come out, and variables stay there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from runtime.engine.plan import ExecutionPlan
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.engine.xla.compiled_request import (
    MOST_STATIC,
    MOST_TRACES,
    CompiledRequest,
    RunFailure,
    Trace,
    _argument,
)
from runtime.engine.xla.interpreter import XLARefusal
from runtime.graph.run_request import RunRequest
from runtime.ops import dispatch


def request_on(
    device: jax.Device, request: RunRequest, plan_of: Callable[[Any], Any]
) -> DeviceRequest:
    """Return a request compiled for a device, of a graph that is run as it is."""
    plan = ExecutionPlan(request, kernel_of, dispatch.run_graph, False)
    return DeviceRequest(plan, plan_of, device)


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
        default_device = jax.default_device(self._device)
        with jax.enable_x64(True), jax.default_matmul_precision("highest"), default_device:
            results = self._run(self._with_static(values), self._variables())
            small = self._small_ints(values)
            is_refused = isinstance(results, XLARefusal) and not isinstance(results, RunFailure)
            if is_refused and small != self._static:
                self._static = small
                results = self._run(self._with_static(values), self._variables())
        return results

    def only_trace(self) -> Trace | None:
        """Return the trace that runs have used, if they depend on the types of arguments alone."""
        trace = next(iter(self._traces.values()), None)
        if len(self._traces) > 1 or self._static or self._storages:
            return None
        return trace if isinstance(trace, Trace) and not trace.has_calls else None

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

    def _write(self, storage: Any, value: Any) -> None:
        storage.write(np.asarray(value) if storage.home is None else value)

    def _result(self, value: Any) -> Any:
        return value if isinstance(value, jax.Array) else super()._result(value)
