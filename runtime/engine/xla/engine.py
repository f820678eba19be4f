"""Engine on XLA: takes the requests for which it is demanded, and runs them under ``jax.jit``.

``function(jit_compile="xla")``, RUNTIME_ENGINE=xla and operations that ask for a device demand it.
What XLA cannot do as the kernels do is refused, for a graph or for a run, and runs on the engine of
the CPU instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.engine.device_registry import CPU
from runtime.engine.llvm.engine import choice
from runtime.engine.protocol import Engine, Executable, Refusal, SettledExecutable, Span
from runtime.engine.xla.element_loops import slow_loop
from runtime.engine.xla.jax_library import missing
from runtime.engine.xla.placement import accelerators, placed_steps
from runtime.graph.run_request import RunRequest
from runtime.types.errors import UnimplementedError
from runtime.types.flags import ENGINE


class XLAExecutable(SettledExecutable):
    """Executable on XLA, with the one of the CPU that runs what XLA does not."""

    __slots__ = ("_compiled", "_on_cpu", "_remark", "_why_not", "plan", "stateful", "refusals")

    engine = "xla"

    def __init__(self, compiled: Any, on_cpu: Any, refusals: Sequence[Refusal]) -> None:
        self._compiled = compiled
        self._on_cpu = on_cpu
        self._why_not = ""
        self._remark = slow_loop([step.operation for step in on_cpu.plan.steps])
        self.plan = on_cpu.plan
        self.stateful = on_cpu.stateful
        self.refusals = refusals

    @property
    def progress(self) -> str:
        """Reason why the last run was not XLA's, and what makes runs on it slow; mostly empty."""
        return "; ".join(filter(None, (self._why_not, self._remark)))

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        results = self._compiled(arrays)
        if isinstance(results, list):
            self._why_not = ""
            return results
        self._why_not = f"the last run was the CPU's: {results}"
        on_cpu: list[Any] = self._on_cpu(arrays)
        return on_cpu

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run one operation after the other; return the arrays and the span of each operation."""
        profile: tuple[list[Any], list[Span]] = self._on_cpu.profile(arrays)
        return profile


class XLAEngine:
    """Engine that compiles requests for XLA where that is demanded."""

    name = "xla"

    def __init__(self, plan_of: Callable[[Any], Any], baselines: Sequence[Engine]) -> None:
        self._plan_of = plan_of
        self._baselines = baselines

    def is_demanded(self, request: RunRequest) -> bool:
        """Return whether a request is to run on XLA."""
        chosen = choice(request.graph)
        if next(accelerators(request.graph), None) is not None:
            return True
        return chosen == "xla" or (ENGINE.value == "xla" and chosen in ("auto", "always"))

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal] = ()
    ) -> Executable | Refusal:
        """Compile a request; refuse it where JAX is not installed."""
        why_not = missing()
        if why_not:
            if choice(request.graph) == "xla":
                raise UnimplementedError(f"jit_compile='xla': {why_not}")
            return Refusal(self.name, why_not)
        if next(accelerators(request.graph), None) is not None:
            return self._on_devices(request, refusals)
        from runtime.engine.xla.compiled_request import CompiledRequest

        for engine in self._baselines:
            baseline: Any = engine.compile(request, ())
            if not isinstance(baseline, Refusal):
                break
        return XLAExecutable(CompiledRequest(baseline.plan, self._plan_of), baseline, refusals)

    def _on_devices(
        self, request: RunRequest, refusals: Sequence[Refusal]
    ) -> Executable | Refusal:
        """Compile a request whose graph asks for devices; refuse it if what runs is the CPU's."""
        from runtime.engine.xla.placed_executable import PlacedExecutable

        baseline: Any = self._baselines[-1].compile(request, ())
        placed = placed_steps(baseline.plan.steps)
        if all(device is CPU for device in placed):
            return Refusal(self.name, "no operation that runs asks for another device")
        return PlacedExecutable(baseline, placed, self._plan_of, refusals)
