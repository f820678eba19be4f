"""Requests compiled for a device: arrays of JAX go in and come out, and variables stay there.

A group of devices (engine/device_group.py) is one, for replicas and what goes with them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from runtime.engine.device_group import DeviceGroup
from runtime.engine.device_registry import Device
from runtime.engine.plan import ExecutionPlan
from runtime.engine.python_scalar_kernels import kernel_of
from runtime.engine.xla.advance_draws import AdvanceDraws, drawn
from runtime.engine.xla.compiled_request import CompiledRequest, Trace
from runtime.engine.xla.host_calls import HostCalls
from runtime.engine.xla.interpreter import TRACE, XLARefusal
from runtime.graph.run_request import RunRequest
from runtime.ops import dispatch


def request_on(
    device: Device, request: RunRequest, plan_of: Callable[[Any], Any]
) -> DeviceRequest:
    """Return a request compiled for a device, of a graph that is run as it is."""
    plan = ExecutionPlan(request, kernel_of, dispatch.run_graph, False)
    return plan_on(device, plan, plan_of)


def plan_on(device: Device, plan: Any, plan_of: Callable[[Any], Any]) -> DeviceRequest:
    """Return a plan compiled for a device."""
    if isinstance(device, DeviceGroup):
        return GroupRequest(plan, plan_of, device)
    return DeviceRequest(plan, plan_of, device.jax_device)


def no_number_on(device: Device) -> Any:
    """Return the last argument of a trace for a device that makes no calls."""
    is_group = isinstance(device, DeviceGroup)
    return GroupRequest.no_number if is_group else DeviceRequest.no_number


class DeviceRequest(CompiledRequest):
    """Plan of a request that runs on a device of JAX."""

    asks_for_values = XLARefusal
    forgets = True

    def __init__(self, plan: Any, plan_of: Callable[[Any], Any], device: Any) -> None:
        super().__init__(plan, plan_of)
        self._device = device

    def __call__(self, arrays: Sequence[Any]) -> list[Any] | XLARefusal:
        """Run on the arrays of the feeds; return the arrays of the fetches, or why it did not."""
        with self._as_default():
            return super().__call__(arrays)

    def _as_default(self) -> contextlib.AbstractContextManager[Any]:
        return jax.default_device(self._device)

    def only_trace(self) -> Trace | None:
        """Return the trace that runs have used, if they depend on the types of arguments alone."""
        trace = next(iter(self._traces.values()), None)
        if len(self._traces) > 1 or self._static or self._storages:
            return None
        return trace if isinstance(trace, Trace) and not (
            trace.has_calls or trace.draws
        ) else None

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


class GroupRequest(DeviceRequest):
    """Plan of a request that runs on a group of devices: each computes all, but for replicas.

    The last argument of a trace has the random numbers of a run.
    """

    no_number: Any = ([], [])

    def __init__(self, plan: Any, plan_of: Callable[[Any], Any], group: DeviceGroup) -> None:
        super().__init__(plan, plan_of, group.copied)
        self._group = group

    def _as_default(self) -> contextlib.AbstractContextManager[Any]:
        return contextlib.nullcontext()

    def _before_tracing(self, number: Any) -> None:
        TRACE.number, TRACE.group, TRACE.draws = None, self._group, AdvanceDraws(*number)

    def _number(self, trace: Trace, calls: HostCalls) -> Any:
        return drawn(trace.draws, self._group.count, calls)
