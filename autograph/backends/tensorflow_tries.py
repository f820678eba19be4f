"""``try`` on TensorFlow: the body is a function that Python calls when the graph runs.

Python catches what it raises, and says which handler runs.  Handlers and what follows are branches
of one ``Case`` operation, which can be differentiated; so can the body.
"""

from __future__ import annotations

import itertools
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.staging import Raises, StagedTry

_HARMLESS = ("PyFunc", "EagerPyFunc", "If", "While", "Case", "ReadVariableOp", "Assert")
"""Stateful operations that do nothing once they are told so, or that only read."""



def _threads() -> int:
    """Return how many operations run at a time; the body of a ``try`` holds a thread."""
    threading_of = tf.config.threading
    if not threading_of.get_inter_op_parallelism_threads():
        try:
            threading_of.set_inter_op_parallelism_threads(max(16, os.cpu_count() or 1))
        except RuntimeError:  # TensorFlow has begun
            return os.cpu_count() or 1
    return int(threading_of.get_inter_op_parallelism_threads())


THREADS = _threads()


class Mark:
    """Place in a trace, and the exceptions that operations after it may raise."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.start = len(graph.get_operations())
        self.raises: dict[type[BaseException], None] = {}
        self.declared: dict[type[BaseException], None] = {}
        self.first = 0
        """The number of calls of Python that were recorded before."""


class Recorded:
    """A call of Python that was recorded; ``is_dead`` if it was rolled back, and must not act."""

    __slots__ = ("is_dead",)

    def __init__(self) -> None:
        self.is_dead = False


class _Tracing(threading.local):
    """What this thread is tracing: open marks, bodies of ``try``, and handlers."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self.bodies: list[tuple[StagedTry, Any]] = []
        self.handlers: list[tuple[StagedTry, Any]] = []
        self.calls: list[Recorded] = []
        """Calls of Python, in the order of recording, since the first mark in a function."""
        self.root: Callable[[], Any] = lambda: None
        """The graph of that function, if it is still there."""


_numbers = itertools.count(1)
_frames: dict[int, list[Any]] = {}
"""What bodies that run now saved last, by the number of the run."""
_caught: dict[int, BaseException] = {}
"""Exceptions that handlers run for, by the number of the run."""


class StagesTriesByCalls:
    """The part of the backend for ``try``."""

    # mypy: mixin of the backend
    flat: Any
    flat_specs: Any
    pack: Any
    call_python: Any
    branches: Any
    convert: Any
    specs: Any

    stages_tries = True

    def __init__(self) -> None:
        self.tracing = _Tracing()

    def mark(self) -> Mark:
        """Return a checkpoint of the trace."""
        mark = Mark(tf.compat.v1.get_default_graph())
        root = mark.graph
        while getattr(root, "outer_graph", None) is not None:
            root = root.outer_graph
        if root is not self.tracing.root():
            self.tracing.root = weakref.ref(root)
            self.tracing.calls.clear()
        mark.first = len(self.tracing.calls)
        self.tracing.marks.append(mark)
        return mark

    def failures(self, mark: Mark) -> tuple[type[BaseException], ...]:
        """Return what operations recorded since the mark may raise."""
        if mark in self.tracing.marks:
            self.tracing.marks.remove(mark)
        return tuple(mark.raises)

    def declared_failures(self, mark: Mark) -> dict[type[BaseException], None]:
        """Return the same, as a dict that may be changed."""
        return mark.declared

    def recorded(self, mark: Mark) -> bool:
        """Return whether anything was recorded."""
        return len(mark.graph.get_operations()) > mark.start

    def rollback(self, mark: Mark) -> None:
        """Let what was recorded do nothing: operations cannot be removed, but nobody needs them."""
        for call in self.tracing.calls[mark.first :]:
            call.is_dead = True
        del self.tracing.calls[mark.first :]
        for operation in mark.graph.get_operations()[mark.start :]:
            if operation.op_def.is_stateful and operation.type not in _HARMLESS:
                raise EffectError(
                    f"the body of a 'try' whose handlers depend on staged values has an effect: "
                    f"the operation {operation.type}",
                    where=user_line(),
                    help="move it out of the 'try'",
                )

    def note(self, raises: Raises) -> None:
        """Note that the next operation may raise; save what handlers need."""
        kinds = (type(raises),) if isinstance(raises, BaseException) else raises
        for mark in self.tracing.marks:
            mark.raises.update(dict.fromkeys(kinds))
            mark.declared.update(dict.fromkeys(kinds))
        for statement, run in self.tracing.bodies:
            values = statement.state_before(raises)
            if values is not None:
                self._save(run, self.convert(values, self.specs(values)))

    def _save(self, run: Any, values: Sequence[Any]) -> None:
        flat = [tensor for value in values for tensor in self.flat(value)]

        def save(number: Any, *tensors: Any) -> None:
            _frames[int(number)] = list(tensors)

        tf.py_function(save, [run, *flat], [])

    def try_(self, statement: StagedTry) -> Sequence[Any]:
        """Record a ``try``."""
        if len(self.tracing.bodies) + 1 >= THREADS:
            raise ConcreteValueError(
                f"{len(self.tracing.bodies) + 1} 'try' statements that depend on staged values lie "
                "inside of each other: each needs a thread of TensorFlow's for itself",
                where=user_line(),
                help="call tf.config.threading.set_inter_op_parallelism_threads(16) first",
            )
        specs: list[Any] = []
        while True:
            body = self._body(statement, specs)
            if statement.is_resolved():
                break
        saved, own = list(statement.saved_specs), list(map(list, statement.handler_specs))
        groups = [specs, saved, *own]
        flat = [part for group in groups for spec in group for part in self.flat_specs(spec)]
        sizes = [sum(len(self.flat_specs(spec)) for spec in group) for group in groups]
        outputs = tf.py_function(
            self._runner(statement, body, sizes, own, flat), list(body.captured_inputs),
            [tf.int32, tf.int64, *(dtype for dtype, _ in flat)],
        )  # fmt: skip
        path, run, *tensors = outputs
        for tensor, (_, shape) in zip(tensors, flat, strict=True):
            tensor.set_shape(shape)
        path.set_shape(()), run.set_shape(())
        rest = iter(tensors)
        after, kept, *given = [
            self.pack(group, list(itertools.islice(rest, size)))
            for group, size in zip(groups, sizes, strict=True)
        ]

        def trace(way: int) -> None:
            if way == 0:
                statement.trace_else(after)
                return
            self.tracing.handlers.append((statement, run))
            try:
                statement.trace_handler(way - 1, [*kept, *given[way - 1]])
            finally:
                self.tracing.handlers.pop()

        return self.branches(path, 1 + len(own), trace, statement)

    def _body(self, statement: StagedTry, specs: list[Any]) -> Any:
        def trace(run: Any) -> list[Any]:
            self.tracing.bodies.append((statement, run))
            try:
                statement.trace_body()
            finally:
                self.tracing.bodies.pop()
            if not statement.is_resolved():
                return []
            ended, values = statement.body_outputs()
            specs[:] = ended.specs
            return [tf.identity(t) for value in values for t in self.flat(value)]

        function = tf.function(trace, autograph=False)
        return function.get_concrete_function(tf.TensorSpec([], tf.int64))

    def _runner(
        self, statement: StagedTry, body: Any, sizes: Sequence[int], own: Sequence[Any],
        flat: Sequence[Any],
    ) -> Callable[..., Any]:
        """Return what runs the body and says which path is next, and with which values."""
        ends = list(itertools.accumulate(sizes))

        def run(*captured: Any) -> list[Any]:
            number = next(_numbers)
            outputs = [_default(*part) for part in flat]
            path = 0
            try:
                outputs[: ends[0]] = body._call_flat(
                    [tf.constant(number, tf.int64)], list(captured)
                )
            except Exception as error:
                chosen = statement.find_handler(error) if number in _frames else None
                if chosen is None:
                    raise
                handler, values = chosen
                path = 1 + handler
                outputs[ends[0] : ends[1]] = _frames[number]
                outputs[ends[path] : ends[path + 1]] = [
                    tf.constant(value, dtype) for value, (dtype, _) in zip(
                        values, flat[ends[path] : ends[path + 1]], strict=True
                    )
                ]  # fmt: skip
                _caught[number] = error
                for old in list(_caught)[:-64]:
                    _caught.pop(old, None)
            finally:
                _frames.pop(number, None)
            return [tf.constant(path), tf.constant(number, tf.int64), *outputs]

        def idle() -> list[Any]:
            defaults = [_default(*part) for part in flat]
            return [tf.constant(0), tf.constant(0, tf.int64), *defaults]

        return self.acting(run, idle)

    def acting(self, run: Callable[..., Any], idle: Callable[[], Any]) -> Callable[..., Any]:
        """Return what runs where it was recorded; ``idle`` runs in what was rolled back."""
        raise NotImplementedError


def handling(number: Any, statement: StagedTry) -> Any:
    """Return the context of a handler at run time."""
    return statement.handling(_caught[int(number)])


def _default(dtype: Any, shape: Any) -> Any:
    if dtype == tf.variant:
        return tf.raw_ops.EmptyTensorList(
            element_shape=-1, max_num_elements=-1, element_dtype=tf.float32
        )
    dims = [1 if dim is None else dim for dim in shape or ()]
    return tf.constant(np.full(dims, b"" if dtype == tf.string else 0), dtype)
