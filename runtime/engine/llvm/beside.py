"""Compilation beside the program: on another core, while its graphs run as before.

One thread compiles one graph after the other.  LLVM works without Python's lock, so that the
program loses little time; Python's own end waits for what is being compiled.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.engine.thread_pool import cores, pool
from runtime.types.flags import JIT_BESIDE

if TYPE_CHECKING:
    from concurrent.futures import Future


class Beside:
    """Compilation that another thread does."""

    def __init__(self, future: Future[Any]) -> None:
        self._future = future
        self._process = os.getpid()

    @classmethod
    def start(cls, compile_graph: Callable[[], Any]) -> Beside | None:
        """Begin a compilation; None where no other core can do it, or nobody wants it."""
        if not cls.is_possible():
            return None
        try:
            return cls(pool(1, "runtime-compiler").submit(_quietly, compile_graph))
        except RuntimeError:  # Python is about to end
            return None

    @staticmethod
    def is_possible() -> bool:
        """Whether another core can compile, and it may."""
        return JIT_BESIDE.value and cores() > 1

    @property
    def is_done(self) -> bool:
        """Whether the outcome is there."""
        return self._future.done()

    @property
    def is_lost(self) -> bool:
        """Whether this is a forked process, in which the thread does not run."""
        return not self._future.done() and self._process != os.getpid()

    def outcome(self) -> Any:
        """Return what the compilation returned."""
        return self._future.result()

    def wait(self) -> None:
        """Wait for the outcome, unless it never comes."""
        if not self.is_lost:
            self._future.exception()


def _quietly(compile_graph: Callable[[], Any]) -> Any:
    with np.errstate(all="ignore"):  # as around runs
        return compile_graph()

