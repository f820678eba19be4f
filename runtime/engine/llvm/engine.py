"""Native engine: takes the requests for which machine code is demanded.

``jit_compile=True`` or RUNTIME_JIT=always demand it.  Where neither says so, a graph runs on the
engine python_codegen, which asks ``Promotion`` for machine code when it pays: once a loop or a
graph has run for about as long as its compilation takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from autograph.collection_pause import without_collection
from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.engine.llvm.availability import is_available, unavailable, unloadable
from runtime.engine.llvm.debug import label, report
from runtime.engine.protocol import Engine, Executable, Refusal, SettledExecutable, Span
from runtime.graph.operation import subgraphs
from runtime.graph.run_request import RunRequest
from runtime.graph.side_table import SideTable
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import CALL, HIGHER_ORDER
from runtime.types.errors import UnimplementedError
from runtime.types.first_calls import phase
from runtime.types.flags import CHECK_KERNELS, JIT

if TYPE_CHECKING:  # the compiler is imported when something is compiled
    from runtime.engine.llvm.native import NativeCode

_GIVEN = constant_op, placeholder_op
"""Operations that take no time to compile: their results are there."""


_CHOICES: SideTable[str] = SideTable()
"""What ``jit_compile`` or a session's options say: ``insist``, ``always`` or ``never``."""


def choose(graph: Any, jit_compile: bool | str | None) -> None:
    """Note what a function's ``jit_compile`` says about its graph and the graphs inside of it.

    Other functions that the graph calls keep their own choice.
    """
    if jit_compile is None:
        return
    choice = jit_compile if jit_compile == "xla" else "insist" if jit_compile else "never"
    todo = [graph]
    while todo:
        current = todo.pop()
        if _CHOICES.get(current) == choice:
            continue
        _CHOICES.put(current, choice)
        for node in current.operations:
            if HIGHER_ORDER in node.op_def.traits and CALL not in node.op_def.traits:
                todo += subgraphs(node)


def choose_level(graph: Any, level: str) -> None:
    """Note what the options of a session say about the graph that it runs."""
    _CHOICES.put(graph, level)


def choice(graph: Any) -> str:
    """Return ``insist``, ``always``, ``auto`` or ``never`` for a graph.

    A graph that was made of another, such as an optimised copy, follows that one.
    """
    while graph is not None:
        setting = _CHOICES.get(graph)
        if setting is not None:
            return setting
        original = getattr(graph, "original", None)
        graph = None if original is None else original.graph
    return JIT.value


class LLVMExecutable(SettledExecutable):
    """Executable of machine code."""

    __slots__ = ("_baseline", "native", "plan", "refusals", "stateful")

    engine = "llvm"
    progress = ""

    def __init__(self, baseline: Any, native: NativeCode, refusals: Sequence[Refusal]) -> None:
        self._baseline = baseline
        self.native = native
        self.plan = baseline.plan
        self.refusals = refusals
        self.stateful = baseline.stateful

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        return list(self.native(arrays))

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run one operation after the other; return the arrays and the span of each operation."""
        profile: tuple[list[Any], list[Span]] = self._baseline.profile(arrays)
        return profile


class LLVMEngine:
    """Engine that compiles requests to machine code where that is demanded."""

    name = "llvm"

    def __init__(self, plan_of: Callable[[Any], Any], baselines: Sequence[Engine]) -> None:
        self._plan_of = plan_of
        self._baselines = baselines
        """Engines whose plans are compiled; the last one takes every request."""

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal] = ()
    ) -> Executable | Refusal:
        """Compile a request for which machine code is demanded; refuse others.

        UnimplementedError if it is demanded and impossible.
        """
        chosen = choice(request.graph)
        if chosen == "xla":
            return Refusal(self.name, "jit_compile='xla' wants another engine")
        if chosen == "never":
            return Refusal(self.name, "jit_compile=False or RUNTIME_JIT=never forbids it")
        if CHECK_KERNELS.value:
            return Refusal(self.name, "RUNTIME_CHECK_KERNELS is on, and the reference checks")
        why_not = unavailable() if chosen == "auto" else unloadable()
        if why_not:
            if chosen == "insist":
                raise UnimplementedError(f"jit_compile=True: {why_not}")
            return Refusal(self.name, why_not)
        if chosen == "auto":
            return Refusal(self.name, "it is compiled once that pays; jit_compile=True insists")
        for engine in self._baselines:
            baseline: Any = engine.compile(request, ())
            if not isinstance(baseline, Refusal):
                break
        with without_collection():
            from runtime.engine.llvm.lowering import NotNativeError
            from runtime.engine.llvm.native import NativeCode
            from runtime.engine.llvm.pipeline import lower

        count = len(request.graph.operations)
        try:
            with phase(f"compiling {count:,} operations"):
                lowered = lower(baseline.plan, self._plan_of)
                native = NativeCode(lowered, baseline, label(request.graph))
        except NotNativeError as error:
            return self._refuse(request, str(error))
        return LLVMExecutable(baseline, native, refusals)

    def _refuse(self, request: RunRequest, reason: str) -> Refusal:
        report(1, f"{label(request.graph)}: no machine code: {reason}")
        if choice(request.graph) == "insist":
            raise UnimplementedError(f"jit_compile=True, but {request.graph}: {reason}")
        return Refusal(self.name, reason)


class Promotion:
    """Machine code for what runs on another engine and has become hot."""

    COMPILE_SECONDS = 0.02
    """Time after which a graph or loop of numbers is hot: about as long as its compilation takes.
    Four operations on arrays, which are loops of their own, take as long.
    """

    def __init__(self) -> None:
        self._lock = fork_safe_lock()

    def is_possible(self, *graphs: Any) -> bool:
        """Return whether code of these graphs is compiled once it is hot."""
        return all(choice(graph) == "auto" for graph in graphs) and is_available()

    def seconds(self, operations: Iterable[Any]) -> float:
        """Return the time after which operations, and the graphs that they hold, are hot."""
        return self.COMPILE_SECONDS * (1 + _count_on_arrays(operations) / 4)

    def plan(
        self, plan: Any, plan_of: Callable[[Any], Any], otherwise: Callable[..., Any],
        seconds: float = 0.0,
    ) -> NativeCode | str:  # fmt: skip
        """Compile a plan, or return the reason why not.

        ``otherwise`` runs arguments that the code does not take; ``seconds`` is the time that a run
        takes on another engine, 0 if that is not known.
        """
        from runtime.engine.llvm.pipeline import lower

        return self._compile(label(plan.graph), lambda: lower(plan, plan_of), otherwise, seconds)

    def loop(
        self, node: Any, plan_of: Callable[[Any], Any], otherwise: Callable[..., Any]
    ) -> NativeCode | str:
        """Compile a loop, or return the reason why not."""
        from runtime.engine.llvm.pipeline import lower_loop

        name = f"loop at {node.location}"
        return self._compile(name, lambda: lower_loop(node, plan_of), otherwise)

    def _compile(
        self, name: str, lowered: Callable[[], Any], otherwise: Callable[..., Any],
        seconds: float = 0.0,
    ) -> NativeCode | str:  # fmt: skip
        """Compile what is lowered, or return the reason why not."""
        outcome = self._try(name, lowered, otherwise, seconds)
        if isinstance(outcome, str):
            report(1, f"{name}: no machine code: {outcome}")
        return outcome

    def _try(
        self, name: str, lowered: Callable[[], Any], otherwise: Callable[..., Any],
        seconds: float,
    ) -> NativeCode | str:  # fmt: skip
        why_not = unloadable()
        if why_not:
            return why_not
        with without_collection():
            from runtime.engine.llvm.lowering import NotNativeError
            from runtime.engine.llvm.native import NativeCode, why_it_does_not_pay

        with self._lock:
            try:
                module = lowered()
                why_not = why_it_does_not_pay(module, seconds)
                return why_not or NativeCode(module, otherwise, name)
            except NotNativeError as error:
                return str(error)
            except Exception as error:  # the program runs as before; explain() tells of the fault
                return f"fault of the compiler: {type(error).__name__}: {error}"


def _count_on_arrays(operations: Iterable[Any]) -> int:
    """Return how many operations compute arrays, also in the graphs that others hold."""
    count = 0
    todo, seen = [operations], set[int]()
    while todo:
        for node in todo.pop():
            inside = [*subgraphs(node)]
            if not inside and node.op_def not in _GIVEN:
                count += any(output.spec.shape.rank != 0 for output in node.outputs)
            for graph in inside:
                if id(graph) not in seen:
                    seen.add(id(graph))
                    todo.append(graph.operations)
    return count
