"""Requests compiled for a device: arrays of JAX go in and come out, and variables stay there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from runtime.engine.plan import ExecutionPlan
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.engine.xla.compiled_request import CompiledRequest, Trace
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

    asks_for_values = XLARefusal
    forgets = True

    def __init__(
        self, plan: Any, plan_of: Callable[[Any], Any], device: jax.Device
    ) -> None:
        super().__init__(plan, plan_of)
        self._device = device

    def __call__(self, arrays: Sequence[Any]) -> list[Any] | XLARefusal:
        """Run on the arrays of the feeds; return the arrays of the fetches, or why it did not."""
        with jax.default_device(self._device):
            return super().__call__(arrays)

    def only_trace(self) -> Trace | None:
        """Return the trace that runs have used, if they depend on the types of arguments alone."""
        trace = next(iter(self._traces.values()), None)
        if len(self._traces) > 1 or self._static or self._storages:
            return None
        return trace if isinstance(trace, Trace) and not trace.has_calls else None

    def _argument(self, value: Any) -> Any:
        """Return a value as an argument: an array of JAX is copied to the device."""
        if not isinstance(value, jax.Array):
            return super()._argument(value)
        return value if value.device == self._device else jax.device_put(value, self._device)

    def _variables(self) -> list[Any]:
        """Return the values of the variables, on the device."""
        return [self._argument(storage.held()) for storage in self._storages]

    def _write(self, storage: Any, value: Any) -> None:
        storage.write(np.asarray(value) if storage.home is None else value)

    def _result(self, value: Any) -> Any:
        return value if isinstance(value, jax.Array) else super()._result(value)
