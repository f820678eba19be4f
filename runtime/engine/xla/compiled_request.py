"""Requests compiled for XLA: traced once for each type of the arguments, and run.

Arrays go in and come out; so do the variables of the graph.  A run whose status is not 0 leaves
nothing behind: it is repeated with more room for lists, or by the engine of the CPU.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.engine.xla.columnar_lists import ColumnarList, GradientList, as_leaves
from runtime.engine.xla.host_calls import NO_CALLS, HostCalls
from runtime.engine.xla.interpreter import (
    CHANGED,
    FAILED,
    FULL,
    TRACE,
    PlanInterpreter,
    StaticValueError,
    UnknownSizeError,
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
MOST_SIZES = 16
"""Sizes of one run that only the run tells."""


class RunFailure(XLARefusal):
    """Reason why one run does not count, although XLA takes the graph."""


class Trace:
    """Compiled trace.

    run         function under ``jax.jit`` of arguments, variables, and the number of the run
    written     variables that it writes
    has_guards  whether a run may count for nothing
    has_calls   whether a run calls kernels
    draws       what is drawn before a run (advance_draws.py)
    """

    def __init__(self, function: Callable[[Trace, Any, Any, Any], Any]) -> None:
        self.run: Any = jax.jit(functools.partial(function, self))
        self.written: list[Any] = []
        self.has_guards = False
        self.has_calls = False
        self.draws: list[Any] = []


class CompiledRequest:
    """Plan of a request, compiled for each type of its arguments.

    asks_for_values  refusals after which the small ints among the arguments become part of a trace
    forgets          whether traces go when there are too many; else further calls are refused
    """

    asks_for_values: type[XLARefusal] = StaticValueError
    forgets = False

    def __init__(self, plan: Any, plan_of: Callable[[Any], Any]) -> None:
        self._plan = plan
        self._interpreter = PlanInterpreter(plan_of)
        self._storages = list(dict.fromkeys(_storages(plan, plan_of)))
        self._traces: dict[Any, Trace | XLARefusal] = {}
        self._room: dict[Any, int] = {}
        self._static: frozenset[int] = frozenset()
        self._sizes: dict[Any, tuple[Any, ...]] = {}
        """Types of a run's arguments -> the sizes in the last such run that only runs tell."""
        self._varying: set[Any] = set()
        """Types of arguments for which sizes differ from run to run: each asks for its own."""
        self._beginnings: dict[Any, Trace] = {}
        """Key of a trace -> the trace up to a size that it does not know."""
        self._lock = fork_safe_lock()

    def __call__(self, arrays: Sequence[Any]) -> list[Any] | XLARefusal:
        """Run on the arrays of the feeds; return the arrays of the fetches, or why it did not."""
        values = [self._argument(x) for x in arrays]
        if any(x is None for x in values):
            return XLARefusal("an argument is neither numbers nor a list of them")
        if not all(storage.is_initialized for storage in self._storages):
            return XLARefusal("a variable has no value yet")
        with jax.enable_x64(True), jax.default_matmul_precision("highest"):
            return self._run(values, self._variables())

    def _argument(self, value: Any) -> Any:
        """Return an argument as JAX takes it; None for what it does not take."""
        return as_argument(value)

    def _variables(self) -> list[Any]:
        """Return the values of the variables."""
        return [storage.read() for storage in self._storages]

    def _write(self, storage: Any, value: Any) -> None:
        """Give a variable its value after a run."""
        storage.write(np.asarray(value))

    def _result(self, value: Any) -> Any:
        """Return a result as the kernels of the CPU give it."""
        return _result(value)

    def _run(self, values: Sequence[Any], variables: Sequence[Any]) -> list[Any] | XLARefusal:
        values = self._with_static(values)
        types = self._types(values, variables)
        sizes: tuple[Any, ...] = self._sizes.get(types, ())
        while True:
            trace = self._trace(types, sizes, values, variables)
            if isinstance(trace, UnknownSizeError) and len(sizes) < MOST_SIZES:
                size, failure = self._next_size(types, sizes, values, variables)
                if not failure:
                    sizes = *sizes, size
                    continue
            elif isinstance(trace, self.asks_for_values) and self._static != self._small(values):
                self._static = self._small(values)  # once more, for the values of these
                values = self._with_static(values)
                types, sizes = self._types(values, variables), ()
                continue
            elif isinstance(trace, XLARefusal):
                return trace
            else:
                try:
                    results, failure = self._attempt(trace, self._dynamic(types, values))
                except XLARefusal as refusal:
                    self._traces[self._key(types, sizes)] = refusal
                    return refusal
                if not failure:
                    self._note_sizes(types, sizes)
                    return results
            room = self._room.get(types, ROOM)
            if failure == FULL and room < LARGEST_ROOM:
                self._room[types] = room * 8
            elif failure == CHANGED and self._sizes.pop(types, ()):
                self._varying.add(types)
                sizes = ()
            else:
                return RunFailure("the run raised an exception, or left what XLA computes exactly")

    def _note_sizes(self, types: Any, sizes: tuple[Any, ...]) -> None:
        """Let the next run begin with the sizes of this one, unless they vary."""
        if types not in self._varying:
            self._sizes[types] = sizes

    def _attempt(self, trace: Trace, dynamic: Sequence[Any]) -> tuple[list[Any], int]:
        """Run a trace; return the results and the status, which is 0 if variables were written.

        No other thread changes the variables meanwhile that it writes: it might add to them.
        """
        with contextlib.ExitStack() as held:
            for storage in sorted(trace.written, key=lambda storage: storage.number):
                held.enter_context(storage.lock)
            with HostCalls() if trace.has_calls or trace.draws else NO_CALLS as calls:
                number = self._number(trace, calls)
                outputs, written, status = trace.run(dynamic, self._variables(), number)
                failure = _failure(trace, status, calls)
                if failure:
                    calls.undo()
                    return [], failure
                results = [self._result(x) for x in outputs]
            for storage, value in zip(trace.written, written, strict=True):
                self._write(storage, value)
        calls.finish()
        return results, 0

    def _number(self, trace: Trace, calls: HostCalls) -> Any:
        """Return the last argument of a trace: the number of the run."""
        return calls.number

    def _before_tracing(self, number: Any) -> None:
        """Tell the rules what a trace is for, from its last argument."""
        TRACE.number, TRACE.group, TRACE.draws = number, None, None

    no_number: Any = np.int64(0)
    """Last argument of a trace whose number is not known yet."""

    def _small(self, values: Sequence[Any]) -> frozenset[int]:
        """Return the numbers of the arguments that may decide about shapes."""
        return frozenset(
            n for n, x in enumerate(values)
            if isinstance(x, np.ndarray | np.generic | jax.Array)
            and x.size <= MOST_STATIC and x.dtype.kind in "iub"
        )  # fmt: skip

    def _with_static(self, values: Sequence[Any]) -> Sequence[Any]:
        """Return the arguments, those that a trace is specialised to as NumPy's."""
        static = self._static
        if not static:
            return values
        return [np.asarray(x) if n in static else x for n, x in enumerate(values)]

    def _types(self, values: Sequence[Any], variables: Sequence[Any]) -> Any:
        static = self._static
        types = tuple(
            (x.tobytes(), x.dtype.str, x.shape) if n in static else _type(x)
            for n, x in enumerate(values)
        )
        return types, tuple(map(_type, variables)), static

    def _dynamic(self, types: Any, values: Sequence[Any]) -> list[Any]:
        """Return the arguments that a trace does not hold itself."""
        return [x for n, x in enumerate(values) if n not in types[-1]]

    def _key(self, types: Any, sizes: Sequence[Any]) -> Any:
        """Return the key of a trace: types of what goes in, the room of lists, and sizes."""
        return types, self._room.get(types, ROOM), tuple([(x.tobytes(), x.shape) for x in sizes])

    def _trace(self, types: Any, sizes: Sequence[Any], values: Sequence[Any],
               variables: Sequence[Any]) -> Trace | XLARefusal:  # fmt: skip
        key = self._key(types, sizes)
        with self._lock:
            trace = self._traces.get(key)
            if trace is None:
                if len(self._traces) >= MOST_TRACES:
                    if not self.forgets:
                        return XLARefusal("it is called with too many types or sizes")
                    self._traces.clear()
                    self._beginnings.clear()
                trace = self._traces[key] = self._compile(types, sizes, values)
                try:
                    trace.run.trace(self._dynamic(types, values), list(variables), self.no_number)
                except UnknownSizeError:  # the value is one of the trace that ends here
                    trace = self._traces[key] = UnknownSizeError(None)
                except XLARefusal as refusal:
                    trace = self._traces[key] = refusal
                except Exception as error:  # of JAX: the engine of the CPU takes all graphs
                    lines = f"JAX cannot trace it: {error}".splitlines()
                    trace = self._traces[key] = XLARefusal(lines[0])
            return trace

    def _next_size(self, types: Any, sizes: Sequence[Any], values: Sequence[Any],
                   variables: Sequence[Any]) -> tuple[Any, int]:  # fmt: skip
        """Run up to the next value that decides about a shape; return it and the status."""
        key = self._key(types, sizes)
        with self._lock:
            trace = self._beginnings.get(key)
            if trace is None:
                trace = self._beginnings[key] = self._compile(types, sizes, values, True)
        with HostCalls() as calls:
            outputs, _, status = trace.run(self._dynamic(types, values), variables, calls.number)
            failure = _failure(trace, status, calls)
            calls.undo()
        return np.asarray(outputs[0]), failure

    def _compile(self, types: Any, sizes: Sequence[Any], values: Sequence[Any],
                 is_beginning: bool = False) -> Trace:  # fmt: skip
        """Return the trace of a run, or of its beginning: up to a size that only a run tells."""
        known = {n: values[n] for n in types[-1]}
        room = self._room.get(types, ROOM)

        def run(trace: Trace, dynamic: Sequence[Any], variables: Sequence[Any], number: Any) -> Any:
            arguments = iter(dynamic)
            feeds = [known[n] if n in known else next(arguments) for n in range(len(values))]
            TRACE.capacity, TRACE.sizes, TRACE.asked = room, sizes, 0
            TRACE.has_calls = False
            self._before_tracing(number)
            before = dict(zip(self._storages, variables, strict=True))
            with new_frame(dict(before)) as frame:
                try:
                    outputs = self._interpreter.run(self._plan, feeds)
                except UnknownSizeError as error:
                    if not is_beginning:
                        raise
                    outputs = [error.value]
                trace.written = [s for s, x in frame.variables.items() if x is not before[s]]
                status = frame.status
            trace.has_guards, trace.has_calls = not is_static(status), TRACE.has_calls
            trace.draws = [] if TRACE.draws is None else TRACE.draws.records
            written = [frame.variables[storage] for storage in trace.written]
            return [as_leaves(x) for x in outputs], written, jnp.asarray(status)

        return Trace(run)


def _failure(trace: Trace, status: Any, calls: HostCalls) -> int:
    """Return the status of a run, after its calls are made."""
    if trace.has_calls:
        jax.effects_barrier()  # type: ignore[no-untyped-call]
    failure = int(np.asarray(status)) if trace.has_guards else 0
    return failure or (FAILED if calls.failed else 0)


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


def as_argument(value: Any) -> Any:
    """Return an array of NumPy or a list as JAX takes it; None for what it does not take."""
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
        arrays = [as_argument(x) for x in column]
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
