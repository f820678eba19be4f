"""Protocols of the engine: what compiles requests, what runs then, and why one is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from runtime.graph.run_request import RunRequest


class Span(NamedTuple):
    """When an operation ran: seconds since 1970, and how long it took."""

    name: str
    begin: float
    seconds: float


class Refusal(NamedTuple):
    """Reason why an engine does not take a request, in words; ``explain()`` shows it."""

    engine: str
    reason: str


class Executable(Protocol):
    """Compiled request.  Whoever calls has turned NumPy's warnings off, as kernels expect it.

    Threads may call it at the same time, and nothing that it gives depends on earlier calls.
    """

    @property
    def engine(self) -> str:
        """Name of the engine that compiled it."""

    @property
    def stateful(self) -> bool:
        """Whether running it has effects, or depends on those of others."""

    @property
    def refusals(self) -> Sequence[Refusal]:
        """What the faster engines said."""

    @property
    def progress(self) -> str:
        """How it runs now, in words, where that changes after some runs; else empty."""

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Arrays of the fetches, for the arrays of the feeds."""

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """As a call, one operation after the other; also tells when each of them ran."""

    def warm_up(self) -> None:
        """Do now what would be done once it has run often."""


class Engine(Protocol):
    """Way to run requests.  ``executable.ENGINES`` lists them, the fastest first."""

    name: str

    def compile(
        self, request: RunRequest, refusals: Sequence[Refusal]
    ) -> Executable | Refusal:
        """Executable for what the passes made of a request; ``refusals``: of faster engines."""


CompiledBody = Callable[[Any], Executable]
"""A function's graph, branch or loop body -> its executable: what engines are given of the door."""

RunGraph = Callable[[Any, Sequence[Any]], list[Any]]
"""Runs a graph that an operation holds: what kernels of higher-order operations are given."""
