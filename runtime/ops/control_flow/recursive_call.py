"""Op definition that calls a function which may call itself.

A call takes a dozen of Python's own frames.  Calls continue in a fresh thread every few levels,
each with a stack of its own, so that Python's limit counts the program's calls and not the frames.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from runtime.ops.control_flow.cond_while import from_graphs
from runtime.ops.op import HIGHER_ORDER, RAISES, STATEFUL, define
from runtime.ops.rules.lowering import Control
from runtime.ops.rules.raising import WHATEVER_CALLED_CODE_RAISES
from runtime.types.shapes import TensorSpec

__all__: list[str] = []

LEVELS = 15
"""So many calls inside each other run in one thread."""


class Callee:
    """A function that is being traced, or was: its graph, and what that uses of other graphs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.graph: Any = None
        self.captured: list[Any] = []
        self.complete = False
        self.tracing = False
        """Whether its graph is being traced."""

    def __str__(self) -> str:
        return self.name


class _Depth(threading.local):
    count = 0


_depth = _Depth()


def _recurse(*inputs: Any, callee: Callee, specs: tuple[TensorSpec, ...],
             run: Callable[[Any, Sequence[Any]], list[Any]]) -> tuple[Any, ...]:  # fmt: skip
    level = _depth.count + 1
    if level > sys.getrecursionlimit():
        raise RecursionError("maximum recursion depth exceeded")
    _depth.count = level
    try:
        if level % LEVELS:
            return tuple(run(callee.graph, inputs))
        return _elsewhere(lambda: tuple(run(callee.graph, inputs)), level)
    finally:
        _depth.count = level - 1


def _elsewhere(call: Callable[[], tuple[Any, ...]], level: int) -> tuple[Any, ...]:
    """The result of a call in a thread of its own, which ends with the call."""
    results: list[tuple[Any, ...]] = []
    failed: list[BaseException] = []

    def work() -> None:
        _depth.count = level
        try:
            results.append(context.run(call))
        except BaseException as error:
            failed.append(error)

    context = contextvars.copy_context()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return results[0]


recurse_op = define(
    "recurse",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_recurse,
    infer=lambda *_, callee, specs: specs,
    grad=from_graphs,
    traits=(HIGHER_ORDER, RAISES, STATEFUL),
    raises=WHATEVER_CALLED_CODE_RAISES,
    lower=Control("recurse"),
    doc="Run a function's graph, which may hold calls of the function itself.",
)
