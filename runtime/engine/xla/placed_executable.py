"""Executable of a request on devices: its plan, cut where the device changes.

Each part is compiled for its device; values pass from part to part as arrays of JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import jax
import numpy as np

from runtime.engine.device_registry import CPU, Device
from runtime.engine.protocol import Refusal, SettledExecutable, Span
from runtime.engine.reference import ReferenceExecutable
from runtime.engine.xla.device_request import plan_on
from runtime.engine.xla.element_loops import slow_loop


class PlanPart:
    """Consecutive steps of a plan, with the slots that they take from others and give to them."""

    def __init__(self, plan: Any, steps: Sequence[Any], later: set[int]) -> None:
        """Make a part of some steps; ``later`` are the slots that later parts, or fetches, read."""
        targets = {slot for step in steps for slot in step.targets}
        reads = dict.fromkeys(slot for step in steps for slot in step.sources)
        constants = {slot for slot, value in enumerate(plan.start) if value is not None}
        self.steps = steps
        self.start = plan.start
        self.check = plan.check
        self.graph = plan.graph
        self.feed_slots = [slot for slot in reads if slot not in targets and slot not in constants]
        self.fetch_slots = sorted(targets & later)
        self.stateful = any(step.operation.stateful for step in steps)


class PlacedPart:
    """Part of a plan on a device: compiled for it, and the engine of the CPU for what it refuses.
    """

    def __init__(self, plan: Any, device: Device, plan_of: Callable[[Any], Any]) -> None:
        self.plan = plan
        self.device = device
        self.why_not = ""
        self._on_cpu = ReferenceExecutable(plan, ())
        self._compiled: Any = None
        if device is not CPU:
            self._compiled = plan_on(device, plan, plan_of)

    def run(self, values: Sequence[Any]) -> list[Any]:
        """Run on values for the slots that it takes; return those of the slots that it gives."""
        if self._compiled is not None:
            results = self._compiled(values)
            if isinstance(results, list):
                self.why_not = ""
                return results
            self.why_not = f"the last run on {self.device.short_name} was the CPU's: {results}"
        return self._on_cpu([_on_cpu(value) for value in values])


class PlacedExecutable(SettledExecutable):
    """Executable whose parts run on devices, one after the other."""

    engine = "xla"

    def __init__(
        self, baseline: Any, placed: Sequence[Device], plan_of: Callable[[Any], Any],
        refusals: Sequence[Refusal],
    ) -> None:  # fmt: skip
        plan = baseline.plan
        self.plan = plan
        self.refusals = refusals
        self.stateful = baseline.stateful
        self._baseline = baseline
        groups = [
            (device, [step for _, step in pairs])
            for device, pairs in groupby(zip(placed, plan.steps, strict=True), lambda pair: pair[0])
        ]
        later = set(plan.fetch_slots)
        parts = []
        for device, steps in reversed(groups):
            parts.append(PlacedPart(PlanPart(plan, steps, later), device, plan_of))
            later |= {slot for step in steps for slot in step.sources}
        self._parts = parts[::-1]
        self._remark = slow_loop([step.operation for step in plan.steps])

    @property
    def progress(self) -> str:
        """Reasons why parts of the last run were not XLA's, and the devices of several parts."""
        devices = [part.device.short_name for part in self._parts]
        reasons = [part.why_not for part in self._parts if part.why_not]
        remarks = [self._remark] if self._remark else []
        return "; ".join([f"on {', '.join(devices)}", *reasons, *remarks])

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        plan = self.plan
        env = plan.start.copy()
        for slot, value in zip(plan.feed_slots, arrays, strict=True):
            env[slot] = value
        for part in self._parts:
            results = part.run([env[slot] for slot in part.plan.feed_slots])
            for slot, value in zip(part.plan.fetch_slots, results, strict=True):
                env[slot] = value
        return [_on_cpu(env[slot]) for slot in plan.fetch_slots]

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run one operation after the other; return the arrays and the span of each operation."""
        profile: tuple[list[Any], list[Span]] = self._baseline.profile(arrays)
        return profile


def _on_cpu(value: Any) -> Any:
    """Return a value as the kernels of the CPU take it."""
    return np.asarray(value)[()] if isinstance(value, jax.Array) else value
