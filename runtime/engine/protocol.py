"""Protocols of the engine: engines, executables, and the reasons why an engine takes no request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from autograph.named_tuples import NamedTuple
from runtime.graph.run_request import RunRequest


class Span(NamedTuple):
    """Time at which an operation began (seconds since 1970), and its duration in seconds."""

    name: str
    begin: float
    seconds: float


class Refusal(NamedTuple):
    """Reason, as a text, why an engine does not take a request; ``explain()`` shows it."""

    engine: str
    reason: str


class Executable(Protocol):
    """Compiled request.  Callers turn NumPy's warnings off first, as kernels expect.

    Several threads may call it at the same time; results do not depend on earlier calls, except
    through variables and other state.
    """

    @property
    def engine(self) -> str:
        """Name of the engine that compiled it."""

    @property
    def stateful(self) -> bool:
        """Whether a run has effects, or depends on the effects of others."""

    @property
    def refusals(self) -> Sequence[Refusal]:
        """Reasons why faster engines did not take the request."""

    @property
    def progress(self) -> str:
        """Text about the way it runs now, if that changes after some runs; else empty."""

    @property
    def native(self) -> Any:
        """Machine code that runs it (llvm/native.py), which takes Python's numbers; or None."""

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run one operation after the other; return the arrays and the span of each operation."""

    def when_native(self, then: Callable[[], object]) -> None:
        """Call a function once this becomes machine code."""

    @property
    def compile_seconds(self) -> float:
        """Seconds that it is expected to take to become machine code; 0 if it does not."""

    def promote(self, seconds: float) -> None:
        """Become machine code now, if that pays where a run in another way takes ``seconds``; the
        refusals say why not.
        """

    def warm_up(self) -> None:
        """Do now what a later run would do, such as compiling."""


class SettledExecutable:
    """Base of executables that run in the same way from the first time on."""

    __slots__ = ()

    native: Any = None
    compile_seconds = 0.0

    def when_native(self, then: Callable[[], object]) -> None:
        """Do nothing: it does not become machine code of ours."""

    def promote(self, seconds: float) -> None:
        """Do nothing: it does not become machine code of ours."""

    def warm_up(self) -> None:
        """Do nothing: a later run does no more than the first."""


class Engine(Protocol):
    """Compiler of run requests.  ``executable.ENGINES`` lists them, the fastest first."""

    name: str

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal]
    ) -> Executable | Refusal:
        """Compile a request that the passes rewrote; ``refusals`` are those of faster engines."""


CompiledBody = Callable[[Any], Executable]
"""Function from a graph to its executable, which the door passes to engines."""

RunGraph = Callable[[Any, Sequence[Any]], list[Any]]
"""Function that runs a graph on arrays, which kernels of higher-order operations receive."""
