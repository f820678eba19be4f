"""Executable of a deeply nested graph, such as a chain of 500 ``elif``.

``executable`` puts it around what an engine made: engines call themselves for each level of
branches, beyond Python's recursion limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.syntax.recursion_limit import deep, is_deep
from runtime.engine.protocol import Executable, Refusal, SettledExecutable, Span


class DeepExecutable(SettledExecutable):
    """Executable that runs another one within a higher recursion limit."""

    __slots__ = ("inner",)

    def __init__(self, inner: Executable) -> None:
        self.inner = inner

    @property
    def engine(self) -> str:
        """Name of the engine that compiled it."""
        return self.inner.engine

    @property
    def stateful(self) -> bool:
        """Whether a run has effects, or depends on the effects of others."""
        return self.inner.stateful

    @property
    def refusals(self) -> Sequence[Refusal]:
        """Reasons why faster engines did not take the request."""
        return self.inner.refusals

    @property
    def progress(self) -> str:
        """Text about the way it runs now."""
        return self.inner.progress

    @property
    def plan(self) -> Any:
        """Plan of the engine, which engines ask for when they write a graph into another."""
        inner: Any = self.inner
        return inner.plan

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches."""
        return self.inner(arrays) if is_deep() else deep(lambda: self.inner(arrays))

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run one operation after the other; return the arrays and the span of each operation."""
        return deep(lambda: self.inner.profile(arrays))

    def warm_up(self) -> None:
        """Compile now what a later run would compile."""
        deep(self.inner.warm_up)
