"""Op definitions for ``try``: the statement itself, and what its body saves for its handlers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.ops.control_flow.cond_while import from_graphs, joint_specs
from runtime.ops.op import CONTAINED, HIGHER_ORDER, RAISES, STATEFUL, TAKES_WEAK, Missing, define
from runtime.ops.rules.inference import nothing
from runtime.ops.rules.lowering import Control
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


class Saved(threading.local):
    """What the body of one ``try`` saved last, for each run of it that is under way."""

    def __init__(self, attempt: Any) -> None:
        self.attempt = attempt
        self.stack: list[tuple[Any, ...] | None] = []

    def __str__(self) -> str:
        return "try"


def _save(*values: Any, saved: Saved) -> tuple[()]:
    if saved.stack:  # a derivative may run it again, behind the run that it was saved for
        saved.stack[-1] = values
    return ()


save_op = define(
    "save",
    inputs="*values",
    same_dtype_inputs=None,
    kernel=_save,
    infer=nothing,
    grad=None,
    traits=(STATEFUL, CONTAINED, TAKES_WEAK),
    raises=(),
    lower=Control("save"),
    samples=Missing("it has no meaning outside of a try"),
    doc="Keeps values for a handler of the ``try`` around it.",
)


def _try(*inputs: Any, body_graph: Any, else_graph: Any, handlers: tuple[Any, ...],
         splits: tuple[int, ...], saved: Saved,
         run: Callable[[Any, Sequence[Any]], list[Any]]) -> tuple[Any, ...]:  # fmt: skip
    groups, start = [], 0
    for count in splits:
        groups.append(inputs[start : start + count])
        start += count
    saved.stack.append(None)
    try:
        state = run(body_graph, groups[0])
    except BaseException as error:
        entry = saved.stack.pop()
        chosen = None if entry is None else saved.attempt.find_handler(error)
        if chosen is None:
            raise
        number, caught_parts = chosen
        graph = handlers[number]
        first = len(entry or ())
        exception_parts = [
            part_array(value, t.dtype) for value, t in zip(caught_parts, graph.inputs[first:])
        ]
        with saved.attempt.handling(error):
            return tuple(run(graph, (*(entry or ()), *exception_parts, *groups[2 + number])))
    saved.stack.pop()
    return tuple(run(else_graph, (*state, *groups[1])))


def part_array(value: Any, dtype: Any) -> Any:
    """Return a part of an exception as the array that a graph takes."""
    array = getattr(value, "_array", value)
    if isinstance(array, str):
        array = array.encode()
    result = np.empty((), object) if isinstance(array, bytes) else None
    if result is None:
        return np.asarray(array, dtype.as_numpy_dtype)[()]
    result[()] = array
    return result


def _try_infer(
    *_: TensorSpec, body_graph: Any, else_graph: Any, handlers: tuple[Any, ...],
    splits: tuple[int, ...], saved: Saved,
) -> tuple[TensorSpec, ...]:
    return joint_specs((else_graph, *handlers))


try_op = define(
    "try",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_try,
    infer=_try_infer,
    grad=from_graphs,
    traits=(HIGHER_ORDER, RAISES),
    lower=Control("try_"),
    doc="Run ``body_graph`` and ``else_graph``; when the body raises, the handler that the "
    "attempt chooses, on what was saved last.",
)
