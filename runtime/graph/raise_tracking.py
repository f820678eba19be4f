"""What an operation may raise when it runs, and what is done about it while a ``try`` is staged.

graph.py asks ``before`` ahead of each operation that it records while somebody watches: a staged
``try`` saves what its handlers need, a trial notes the classes (``autograph.staging`` has the
protocol).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.ops import dispatch
from runtime.ops.control_flow.try_except import Saved, save_op
from runtime.ops.op import ARITHMETIC, COMPARISON, ELEMENTWISE, HIGHER_ORDER, OpDef, Raised
from runtime.ops.rules.raising import ANYTHING, unfit_shapes
from runtime.types.shapes import TensorSpec


class RaiseRecorder:
    """A stretch of a graph that may be taken back, and what it may raise."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self._last = graph.operations[-1] if graph.operations else None
        self.classes: dict[type[BaseException], None] = {}

    @property
    def start(self) -> int:
        """The number of operations before it; derivatives insert some among these."""
        return 0 if self._last is None else self._last.index + 1


class _Watching(threading.local):
    def __init__(self) -> None:
        self.trials: list[RaiseRecorder] = []
        self.attempts: list[tuple[Saved, list[Any]]] = []
        self.saving = False


WATCHING = _Watching()
"""Who wants to know, in this thread, what may be raised by what is recorded now."""


def watch(graph: Any) -> RaiseRecorder:
    """Watch what is recorded from now on."""
    trial = RaiseRecorder(graph)
    WATCHING.trials.append(trial)
    return trial


def unwatch(trial: RaiseRecorder) -> Raised:
    """Stop watching; what may be raised by what was recorded meanwhile."""
    if trial in WATCHING.trials:
        del WATCHING.trials[WATCHING.trials.index(trial) :]
    return tuple(trial.classes)


@contextlib.contextmanager
def tracing(saved: Saved) -> Iterator[list[Any]]:
    """While the body of an attempt is traced; its graph is to be put into the list."""
    home: list[Any] = []
    WATCHING.attempts.append((saved, home))
    try:
        yield home
    finally:
        WATCHING.attempts.pop()


@contextlib.contextmanager
def suspended() -> Iterator[None]:
    """While something is traced that other places call, too."""
    trials, attempts = WATCHING.trials, WATCHING.attempts
    WATCHING.trials, WATCHING.attempts = [], []
    try:
        yield
    finally:
        WATCHING.trials, WATCHING.attempts = trials, attempts


def before(graph: Any, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]) -> None:
    """Note, and save for, what an operation may raise that is to be recorded next."""
    if WATCHING.saving:
        return
    classes = raised_by(op, inputs, attrs)
    if classes:
        announce(graph, classes)


def announce(graph: Any, raises: Any) -> None:
    """As ``before``, for an exception, or any of some classes."""
    classes = (type(raises),) if isinstance(raises, BaseException) else raises
    for trial in WATCHING.trials:
        trial.classes.update(dict.fromkeys(classes))
    for saved, home in WATCHING.attempts:
        if not home or not (graph is home[0] or graph.encloses(home[0])):
            continue
        WATCHING.saving = True
        try:
            with dispatch.using(graph):
                values = saved.attempt.state_before(raises)
                if values is not None:
                    save_op(*values, saved=saved)
        finally:
            WATCHING.saving = False


def raised_by(op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]) -> Raised:
    """The classes of what an operation may raise; what paths inside it may is told before."""
    if inputs and ARITHMETIC in op.traits and all(tensor.weak for tensor in inputs):
        return () if op.python_kernel is None else op.python_kernel.may_raise(inputs)
    specs: list[TensorSpec] = [tensor.spec for tensor in inputs]
    if op.raises is not None:
        return op.raises(*specs, **attrs) if callable(op.raises) else op.raises
    if HIGHER_ORDER in op.traits:
        return ()
    return unfit_shapes(*specs) if op.traits & {ELEMENTWISE, COMPARISON} else ANYTHING
