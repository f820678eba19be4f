"""Requests compiled for XLA: traced once for each type of the arguments, and run.

Arrays go in and come out; so do the variables of the graph.  A run whose status is not 0 leaves
nothing behind: it is repeated with more room for lists, or by the engine of the CPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograph.named_tuples import NamedTuple
from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.engine.xla.columnar_lists import ColumnarList, GradientList, as_leaves
from runtime.engine.xla.interpreter import (
    FULL,
    TRACE,
    PlanInterpreter,
    StaticValueError,
    XLARefusal,
    is_static,
    new_frame,
)
from runtime.engine.xla.rules import all_rules  # noqa: F401 - fills the tables
from runtime.graph.operation import subgraphs
from runtime.ops.op import HIGHER_ORDER
from runtime.ops.resource.lists import ListValue

ROOM = 16
"""Entries that a list has room for at first."""
LARGEST_ROOM = 1 << 20
"""Entries beyond which a list is left to the engine of the CPU."""
MOST_STATIC = 64
"""Elements of the arguments that a trace may be specialised to."""
MOST_TRACES = 64
"""Traces of a request for several values of such arguments; further ones run on the CPU."""


class Trace(NamedTuple):
    """Compiled trace: the function under ``jax.jit``, and the variables that it writes."""

    run: Callable[..., Any]
    written: list[Any]
    has_guards: list[bool]


class CompiledRequest:
    """Plan of a request, compiled for each type of its arguments."""

    def __init__(self, plan: Any, plan_of: Callable[[Any], Any]) -> None:
        self._plan = plan
        self._interpreter = PlanInterpreter(plan_of)
        self._storages = list(dict.fromkeys(_storages(plan, plan_of)))
        self._traces: dict[Any, Trace | XLARefusal] = {}
        self._room: dict[Any, int] = {}
        self._static: frozenset[int] = frozenset()
        self._lock = fork_safe_lock()

    def __call__(self, arrays: Sequence[Any]) -> list[Any] | XLARefusal:
        """Run on the arrays of the feeds; return the arrays of the fetches, or why it did not."""
        values = [_argument(x) for x in arrays]
        if any(x is None for x in values):
            return XLARefusal("an argument is neither numbers nor a list of them")
        if not all(storage.is_initialized for storage in self._storages):
            return XLARefusal("a variable has no value yet")
        variables = [storage.read() for storage in self._storages]
        with jax.enable_x64(True), jax.default_matmul_precision("highest"):
            return self._run(values, variables)

    def _run(self, values: Sequence[Any], variables: Sequence[Any]) -> list[Any] | XLARefusal:
        while True:
            static = self._static
            key = self._key(values, variables, static)
            trace = self._trace(key, values, variables, static)
            if isinstance(trace, StaticValueError) and static != self._small(values):
                self._static = self._small(values)  # once more, for the values of these
                continue
            if isinstance(trace, XLARefusal):
                return trace
            dynamic = [x for n, x in enumerate(values) if n not in static]
            try:
                results, failure = self._attempt(trace, dynamic)
            except XLARefusal as refusal:
                self._traces[key] = refusal
                return refusal
            if not failure:
                return results
            if failure != FULL or self._room.get(key[1:], ROOM) >= LARGEST_ROOM:
                return XLARefusal("the run raised an exception, or left what XLA computes exactly")
            self._room[key[1:]] = self._room.get(key[1:], ROOM) * 8

    def _attempt(self, trace: Trace, dynamic: Sequence[Any]) -> tuple[list[Any], int]:
        """Run a trace; return the results and the status, which is 0 if variables were written.

        No other thread changes the variables meanwhile that it writes: it might add to them.
        """
        with contextlib.ExitStack() as held:
            for storage in sorted(trace.written, key=lambda storage: storage.number):
                held.enter_context(storage.lock)
            variables = [storage.read() for storage in self._storages]
            outputs, written, status = trace.run(dynamic, variables)
            failure = int(status) if trace.has_guards[0] else 0
            if failure:
                return [], failure
            results = [_result(x) for x in outputs]
            for storage, value in zip(trace.written, written, strict=True):
                storage.write(np.asarray(value))
            return results, 0

    def _small(self, values: Sequence[Any]) -> frozenset[int]:
        """Return the numbers of the arguments that may decide about shapes."""
        return frozenset(
            n for n, x in enumerate(values)
            if is_static(x) and x.size <= MOST_STATIC and x.dtype.kind in "iub"
        )  # fmt: skip

    def _key(self, values: Sequence[Any], variables: Sequence[Any], static: frozenset[int]) -> Any:
        types = tuple(
            (x.tobytes(), x.dtype.str, x.shape) if n in static else _type(x)
            for n, x in enumerate(values)
        )
        rest = types, tuple(map(_type, variables)), static
        return self._room.get(rest, ROOM), *rest

    def _trace(self, key: Any, values: Sequence[Any], variables: Sequence[Any],
               static: frozenset[int]) -> Trace | XLARefusal:  # fmt: skip
        with self._lock:
            trace = self._traces.get(key)
            if trace is None:
                if len(self._traces) >= MOST_TRACES:
                    return XLARefusal("it is called with too many types or sizes")
                trace = self._traces[key] = self._compile(key, values, static)
                if isinstance(trace, Trace):
                    dynamic = [x for n, x in enumerate(values) if n not in static]
                    try:
                        trace.run.trace(dynamic, list(variables))  # type: ignore[attr-defined]
                    except XLARefusal as refusal:
                        trace = self._traces[key] = refusal
                    except Exception as error:  # of JAX: the engine of the CPU takes all graphs
                        lines = f"JAX cannot trace it: {error}".splitlines()
                        trace = self._traces[key] = XLARefusal(lines[0])
            return trace

    def _compile(self, key: Any, values: Sequence[Any], static: frozenset[int]) -> Trace:
        written: list[Any] = []
        has_guards = [False]
        known = {n: values[n] for n in static}

        def run(dynamic: Sequence[Any], variables: Sequence[Any]) -> Any:
            arguments = iter(dynamic)
            feeds = [known[n] if n in known else next(arguments) for n in range(len(values))]
            TRACE.capacity = key[0]
            before = dict(zip(self._storages, variables, strict=True))
            with new_frame(dict(before)) as frame:
                outputs = self._interpreter.run(self._plan, feeds)
                written[:] = [s for s, x in frame.variables.items() if x is not before[s]]
                status = frame.status
            has_guards[0] = not isinstance(status, np.generic)
            results = [as_leaves(x) for x in outputs], [frame.variables[s] for s in written]
            return *results, jnp.asarray(status)

        return Trace(jax.jit(run), written, has_guards)


def _storages(plan: Any, plan_of: Callable[[Any], Any]) -> list[Any]:
    """Return the storages of the variables that a plan and its graphs use."""
    storages = []
    for step in plan.steps:
        node = step.operation
        if "storage" in node.attrs:
            storages.append(node.attrs["storage"])
        if HIGHER_ORDER in node.op_def.traits:
            for graph in subgraphs(node):
                storages += _storages(plan_of(graph), plan_of)
    return storages


def _argument(value: Any) -> Any:
    """Return an argument as JAX takes it; None for what it does not take."""
    if isinstance(value, ListValue):
        return _list_argument(value)
    array = value if is_static(value) else np.asarray(value)
    return array if array.dtype.kind in "biufcV" else None


def _list_argument(value: ListValue) -> Any:
    rows = list(value)
    if not rows:
        return ColumnarList(None, None, 0)
    columns = []
    for column in zip(*rows, strict=True):
        arrays = [_argument(x) for x in column]
        if not all(map(is_static, arrays)) or len({(x.shape, x.dtype) for x in arrays}) > 1:
            return None
        room = np.zeros((max(ROOM, 2 * len(rows)), *arrays[0].shape), arrays[0].dtype)
        room[: len(rows)] = np.stack(arrays)
        columns.append(room)
    return ColumnarList(tuple(columns), np.int64(len(rows)), 0)


def _type(value: Any) -> Any:
    if isinstance(value, ColumnarList):
        return tuple(_type(c) for c in value.columns or ()), "list"
    return value.shape, value.dtype.str


def _result(value: Any) -> Any:
    """Return a result as the kernels of the CPU give it."""
    if isinstance(value, ColumnarList):
        length = int(value.length)
        columns = jax.tree.map(np.asarray, value.columns)
        if any(not isinstance(c, np.ndarray) for c in columns or ()):
            raise XLARefusal("it returns a list of lists")
        return ListValue([tuple(c[k] for c in columns) for k in range(length)] if length else [])
    if isinstance(value, GradientList):
        raise XLARefusal("it returns the gradient of a list")
    return np.asarray(value)[()]
