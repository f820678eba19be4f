"""Tracking of the exceptions that recorded operations may raise when they run.

graph.py calls ``record_op`` ahead of each operation while tracking is on: the body of a staged
``try`` saves the state that its handlers need, and a RaiseRecorder collects exception classes
(``autograph.staging`` defines the protocol).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.ops import dispatch
from runtime.ops.control_flow.try_except import Saved, save_op
from runtime.ops.op import ARITHMETIC, COMPARISON, ELEMENTWISE, HIGHER_ORDER, OpDef, Raised
from runtime.ops.rules.raising import ANYTHING, WHATEVER_CALLED_CODE_RAISES, unfit_shapes
from runtime.types.shapes import TensorSpec


class RaiseRecorder:
    """Recorder of the exception classes that operations from ``start`` on may raise."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self._last = graph.operations[-1] if graph.operations else None
        self.classes: dict[type[BaseException], None] = {}
        self.declared: dict[type[BaseException], None] = {}
        """Those that definitions of operations name: none of operations that may raise anything."""

    @property
    def start(self) -> int:
        """Number of operations before it; it grows when derivatives insert operations there."""
        return 0 if self._last is None else self._last.index + 1


class _Tracking(threading.local):
    def __init__(self) -> None:
        self.recorders: list[RaiseRecorder] = []
        self.try_bodies: list[tuple[Saved, list[Any]]] = []
        self.observers: list[Callable[[BaseException], Any]] = []
        self.saving = False


TRACKING = _Tracking()
"""Recorders and bodies of staged ``try`` statements that are active in this thread."""


def start_recording(graph: Any) -> RaiseRecorder:
    """Collect the exceptions of operations that are recorded from now on."""
    recorder = RaiseRecorder(graph)
    TRACKING.recorders.append(recorder)
    return recorder


def stop_recording(recorder: RaiseRecorder) -> Raised:
    """Stop a recorder, and those started after it; return the classes that it collected."""
    if recorder in TRACKING.recorders:
        del TRACKING.recorders[TRACKING.recorders.index(recorder) :]
    return tuple(recorder.classes)


@contextlib.contextmanager
def in_try_body(saved: Saved) -> Iterator[list[Any]]:
    """Track the body of a ``try`` within the block, which puts its graph into the list."""
    graphs: list[Any] = []
    TRACKING.try_bodies.append((saved, graphs))
    try:
        yield graphs
    finally:
        TRACKING.try_bodies.pop()


@contextlib.contextmanager
def observed(observe: Callable[[BaseException], Any]) -> Iterator[None]:
    """Call ``observe`` within the block for each exception that the program itself raises."""
    TRACKING.observers.append(observe)
    try:
        yield
    finally:
        TRACKING.observers.pop()


@contextlib.contextmanager
def suspended() -> Iterator[None]:
    """Suspend tracking within the block: what it traces has other callers, too."""
    outer = TRACKING.recorders, TRACKING.try_bodies, TRACKING.observers
    TRACKING.recorders, TRACKING.try_bodies, TRACKING.observers = [], [], []
    try:
        yield
    finally:
        TRACKING.recorders, TRACKING.try_bodies, TRACKING.observers = outer


def record_op(graph: Any, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]) -> None:
    """Record the exceptions that an operation may raise, ahead of the operation itself."""
    if TRACKING.saving:
        return
    classes = raised_by(op, inputs, attrs)
    if classes:
        record_raise(graph, classes)


def record_raise(graph: Any, raises: Any) -> None:
    """Record an exception, or the classes of those that may be raised next."""
    classes = (type(raises),) if isinstance(raises, BaseException) else raises
    for observe in TRACKING.observers if isinstance(raises, BaseException) else ():
        observe(raises)
    for recorder in TRACKING.recorders:
        recorder.classes.update(dict.fromkeys(classes))
        if classes not in (ANYTHING, WHATEVER_CALLED_CODE_RAISES):
            recorder.declared.update(dict.fromkeys(classes))
    for saved, body in TRACKING.try_bodies:
        if not body or not (graph is body[0] or graph.encloses(body[0])):
            continue
        TRACKING.saving = True
        try:
            with dispatch.as_current(graph):
                values = saved.attempt.state_before(raises)
                if values is not None:
                    save_op(*values, saved=saved)
        finally:
            TRACKING.saving = False


def raised_by(op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]) -> Raised:
    """Return the exception classes of an operation; its inner graphs were recorded before."""
    if inputs and ARITHMETIC in op.traits and all(tensor.weak for tensor in inputs):
        return () if op.python_kernel is None else op.python_kernel.may_raise(inputs)
    specs: list[TensorSpec] = [tensor.spec for tensor in inputs]
    if op.raises is not None:
        return op.raises(*specs, **attrs) if callable(op.raises) else op.raises
    if HIGHER_ORDER in op.traits:
        return ()
    return unfit_shapes(*specs) if op.traits & {ELEMENTWISE, COMPARISON} else ANYTHING
