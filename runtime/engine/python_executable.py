"""Executable that interprets its plan, writes it out as a Python function, becomes machine code.

Writing and compiling a function costs as much as many runs.  So the first runs go by the reference
engine.  Where machine code can be made, it is made on another core while runs go on; without one a
hot run is begun again as machine code, and one with effects goes on, its loops as machine code.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.engine.llvm.beside import Beside
from runtime.engine.llvm.engine import Promotion
from runtime.engine.protocol import Refusal, Span
from runtime.engine.purity import repeatable
from runtime.engine.python_codegen import CompiledPlan, PlanOf, compile_plan
from runtime.engine.reference import ReferenceExecutable

if TYPE_CHECKING:
    from runtime.engine.llvm.native import NativeCode


LONGEST_REPEATED = 0.04
"""Time that a run may take after it has become hot and still be begun again."""

RECURSIVE_CALLS = 300
"""Calls of a function by itself after which it is hot."""


class _Running(threading.local):
    """Executable that a thread runs and that may be promoted, and since when."""

    executable: PythonExecutable | None = None
    begin = 0.0


class Restart(BaseException):
    """The run is abandoned; it begins again as machine code."""


RUNNING = _Running()


class PythonExecutable:
    """Executable that interprets its plan at first, and compiles it after some runs."""

    __slots__ = (
        "_beside", "_compiled_plan", "_depth", "_fastest", "_function", "_left", "_limit",
        "_plan_of", "_promoted", "_promotion", "_recursive", "_returns", "_seconds", "_then",
        "native", "plan", "reference", "refusals", "stateful",
    )  # fmt: skip

    def __init__(
        self, reference: ReferenceExecutable, plan_of: PlanOf, runs: int, promotion: Promotion,
        promoted: bool, recursive: bool,
    ) -> None:  # fmt: skip
        self.reference = reference
        """Executable that interprets the plan."""
        self.plan = reference.plan
        """Plan that is interpreted, or was compiled."""
        self.refusals = reference.refusals
        self.stateful = reference.stateful
        self._plan_of = plan_of
        self._left = runs
        """Number of runs until the plan is compiled."""
        self._compiled_plan: CompiledPlan | None = None
        self._function: Callable[..., list[Any]] | None = None
        self._promotion = promotion
        self._promoted = promoted
        operations = [step.operation for step in self.plan.steps]
        self._limit = promotion.seconds(operations) if promoted else math.inf
        """Time after which machine code is made."""
        self._seconds = 0.0
        """Time that all runs took, until it is decided whether to make machine code."""
        self._fastest = math.inf
        """Time that the fastest of them took."""
        self._recursive = recursive
        """Whether it is a function that may call itself, as a part of another graph."""
        self._beside: Beside | None = None
        """The compilation that goes on beside the runs."""
        self._depth = self._returns = 0
        """Calls of itself that are under way, and that have returned."""
        self.native: NativeCode | None = None
        self._then: Callable[[], object] = _nothing

    @property
    def engine(self) -> str:
        """Name of the engine that runs it now."""
        return "python_codegen" if self.native is None else "llvm"

    @property
    def progress(self) -> str:
        """Text about the way it runs now."""
        if self.native is not None:
            return "machine code"
        if self._beside is not None:
            return "while it becomes machine code on another core"
        if self._function is not None:
            return "written out"
        if self._left <= 0:
            return "on the reference engine, where large operations run side by side"
        return f"on the reference engine for {self._left} more runs"

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        if self.native is not None:
            return list(self.native(arrays))
        if not self._promoted:
            return self._run(arrays)
        if self._beside is not None and (native := self._adopt(self._beside)) is not None:
            return list(native(arrays))
        if RUNNING.executable is not None:
            return self._run_inside(arrays)
        RUNNING.executable = self  # graphs inside are a part of it, and not promoted alone
        try:
            begin = RUNNING.begin = time.perf_counter()
            results = self._run(arrays)
            if self._seconds >= 0:
                spent = time.perf_counter() - begin
                self._seconds += spent
                self._fastest = min(self._fastest, spent)
                if self._seconds > self._limit:
                    self._begin_promotion()
            return results
        except Restart:
            assert self.native is not None
            return list(self.native(arrays))
        finally:
            RUNNING.executable = None

    def restart_if_hot(self) -> None:
        """Begin the current run again as machine code once the runs took as long as making it.

        Loops call this.  A run that has effects goes on, and so does one that took much longer, or
        whose loop becomes machine code on another core.
        """
        if Beside.is_possible():
            return
        seconds, limit = time.perf_counter() - RUNNING.begin, self._limit
        if not limit < self._seconds + seconds or seconds > limit + LONGEST_REPEATED:
            return
        if all(repeatable(step.operation) for step in self.plan.steps):
            self._promote()
            if self.native is not None:
                raise Restart

    @property
    def compile_seconds(self) -> float:
        """Seconds that it is expected to take to become machine code; 0 if it does not."""
        return self._limit if math.isfinite(self._limit) and self.native is None else 0.0

    def promote(self, seconds: float) -> None:
        """Become machine code now; ``seconds`` is the time of a run in another way."""
        if self._beside is not None:
            self._beside.wait()
            self._adopt(self._beside)
        if self._promoted and self._seconds >= 0:
            self._fastest = seconds
            self._promote()

    def _promote(self) -> None:
        """Make machine code of the plan, or note why not."""
        self._seconds = -math.inf
        self._become(self._promotion_of_plan()())

    def _begin_promotion(self) -> None:
        """Have machine code made on another core while runs go on; without one make it now."""
        compile_plan = self._promotion_of_plan()
        self._seconds = -math.inf
        self._beside = Beside.start(compile_plan)
        if self._beside is None:
            self._become(compile_plan())

    def _promotion_of_plan(self) -> Callable[[], NativeCode | str]:
        """Return the function that makes machine code of the plan, or says why not."""
        is_known = math.isfinite(self._fastest) and not self.reference.parallel
        fastest = self._fastest if is_known else 0.0
        return partial(
            self._promotion.plan, self.plan, self._plan_of, self.reference, fastest
        )

    def _adopt(self, beside: Beside) -> NativeCode | None:
        """Take over what was compiled beside the runs, if it is done; return the machine code."""
        if beside.is_lost:
            self._beside, self._seconds = None, 0.0
        elif beside.is_done:
            self._beside = None
            self._become(beside.outcome())
        return self.native

    def _become(self, outcome: NativeCode | str) -> None:
        """Run as machine code from now on, or note why not."""
        refusals = [refusal for refusal in self.refusals if refusal.engine != "llvm"]
        if isinstance(outcome, str):
            self.refusals = (Refusal("llvm", outcome), *refusals)
        else:
            self.native, self.refusals = outcome, tuple(refusals)
            self._then()

    def _run_inside(self, arrays: Sequence[Any]) -> list[Any]:
        """Run as a part of another graph.  A function that calls itself often is promoted alone:
        the graph around it would take long to come to its end.
        """
        if not self._recursive or self._seconds < 0:
            return self._run(arrays)
        self._depth += 1
        try:
            return self._run(arrays)
        finally:
            self._depth -= 1
            self._returns += self._depth > 0
            if self._returns > RECURSIVE_CALLS and self._seconds >= 0:
                self._promote()

    def _run(self, arrays: Sequence[Any]) -> list[Any]:
        function = self._function
        if function is None:
            left = self._left = self._left - 1
            if left > 0 or self.reference.parallel:
                return self.reference(arrays)
            function = self._write()
        try:
            return function(*arrays)
        except Exception as error:
            assert self._compiled_plan is not None
            raise self._compiled_plan.failure(error) from error.__cause__

    def _write(self) -> Callable[..., list[Any]]:
        written = self._compiled_plan = compile_plan(self.plan, self._plan_of)
        self._function = written.function
        return written.function

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run one operation after the other; return the arrays and the span of each operation."""
        return self.reference.profile(arrays)

    def when_native(self, then: Callable[[], object]) -> None:
        """Call a function once this becomes machine code."""
        self._then = then
        if self.native is not None:  # by a call of another thread
            then()

    def warm_up(self) -> None:
        """Compile the plan now."""
        if self._function is None:
            self._write()


def _nothing() -> None:
    """Do nothing: nobody asked."""
