"""Dispatch of ops: to eager execution by default, or to the graph that is being built.

Every op goes through :func:`apply` to the thread's current interpreter, which computes it (eager)
or records it (a graph).  Listeners, such as a gradient tape, are notified of every op.  This file
knows no tensor class: eager/tensor.py installs the eager interpreter, engine/executable.py the
engine.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Any, Protocol

from autograph.tracing import TRACES

__all__ = ["executing_eagerly", "init_scope", "register_tensor_conversion_function"]


class OpOverride(TypeError):
    """Input that is not a tensor and defines itself what ops do with it: ``value._apply_op``."""

    def __init__(self, value: Any, help: str) -> None:
        super().__init__(
            f"a {type(value).__name__} is not a tensor, and this op does not accept it: {help}"
        )
        self.value = value


class Interpreter(Protocol):
    """What applies ops: the eager interpreter or a graph."""

    eager: bool
    """Whether ops give concrete values at once."""

    temporary: bool
    """Whether this traces a function, branch or loop body, which ``init_scope`` leaves."""

    def apply(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Apply ``op``; return a tensor, a tuple of tensors, or what stands for no output."""

    def convert(self, value: Any, dtype: Any, name: str | None) -> Any:
        """Convert a Python, NumPy or tensor value to a tensor of this interpreter."""


class DirectInterpreter(Interpreter, Protocol):
    """Interpreter that computes at once."""

    def call_of(self, op: Any) -> Callable[..., Any]:
        """Return a function that applies a plain op to inputs and all its attributes, in order."""


class OpListener(Protocol):
    """Observer of the ops that a thread applies, such as a gradient tape."""

    def record(self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Note an op that was applied."""

    def extended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Note the outputs that an extension adds to an operation of a graph."""

    def derivative_needs(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any]
    ) -> tuple[int, set[Any]]:
        """Count the derivatives it may take of an op that holds graphs, and name their sources."""

    def prepare(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], listeners: Sequence[OpListener]
    ) -> dict[str, Any] | None:
        """Attributes to run such an op with for all ``listeners``; None: ask the next one."""


def _nothing() -> None:
    """Do nothing: no checkpoint is reached."""


class _Thread(threading.local):
    def __init__(self) -> None:
        self.stack: list[Interpreter] = []
        self.listeners: list[OpListener] = []
        self.device: Any = None
        """Spec of the device that ``device`` asks for under eager execution, or None."""
        self.variable_home: Any = None
        """Device of variables that are made, whatever device scopes say, or None."""
        self.initial_value: Callable[[Any, Any], Any] | None = None
        """Gives the value that a new variable begins with, of it and of its initial value."""
        self.replica_update: Callable[..., Any] | None = None
        """What variables call in place of an assignment, in one of several replicas."""
        self.trace_context: Any = None
        """What traces of functions depend on besides arguments, or None."""
        self.recorded = 0
        """Number of operations that graphs have recorded."""
        self.checkpoint: float = inf
        """When so many are recorded, ``check`` is called, which sets the next checkpoint or raises.
        """
        self.check: Callable[[], None] = _nothing


class GraphEngine(Protocol):
    """Engine door, as this layer sees it."""

    def run_graph(self, graph: Any, arrays: Sequence[Any]) -> list[Any]:
        """Run a graph on arrays for its inputs; return the arrays of its outputs."""

    def optimized(self, graph: Any, fetches: Any, feeds: Any) -> Any:
        """Graph that runs in place of another, after all passes."""


class _Installed:
    """What layers above this one install, once for the process."""

    eager: DirectInterpreter
    """Interpreter that computes at once."""
    outermost: Interpreter
    """Interpreter of threads that entered none."""
    engine: GraphEngine


class ActivityCount(list[None]):
    """Count of activities under way: true as long as there is one.

    It is a list, one item for each: C asks a list whether it is empty, while a ``__bool__`` of
    Python's would make an addition of eager tensors a tenth slower.  Its items are all the same, so
    threads may take away each other's.
    """

    __slots__ = ()

    def enter(self) -> None:
        """Count one more."""
        self.append(None)

    def leave(self) -> None:
        """Count one less."""
        self.pop()


THREAD = _Thread()
"""The interpreters and listeners of each thread."""
installed = _Installed()

ACTIVE = ActivityCount()
"""Count of what any thread does besides plain eager execution: traces, listeners.

Operators of eager tensors look here first: a global is several times cheaper than a thread-local.
"""


def install(eager: DirectInterpreter) -> None:
    """Make ``eager``, which computes at once, the interpreter of threads that entered none."""
    installed.eager = installed.outermost = eager


def install_engine(engine: GraphEngine) -> None:
    """Make ``engine`` the one that runs graphs."""
    installed.engine = engine


def engine() -> GraphEngine:
    """Return the engine that runs graphs."""
    return installed.engine


def set_outermost(outermost: Interpreter | None) -> None:
    """Set the interpreter of threads that entered none; None restores the eager one."""
    if not installed.outermost.eager:
        ACTIVE.leave()
        TRACES.leave()
    installed.outermost = outermost or installed.eager
    if outermost is not None:
        ACTIVE.enter()
        TRACES.enter()


def current() -> Interpreter:
    """Return the interpreter that applies the ops of this thread now."""
    stack = THREAD.stack
    return stack[-1] if stack else installed.outermost


def stack() -> tuple[Interpreter, ...]:
    """Return the interpreters that this thread has entered, outermost first."""
    return tuple(THREAD.stack)


def apply(op: Any, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None = None) -> Any:
    """Apply an op in the current interpreter; the one door through which every op goes."""
    if not TRACES:  # no thread has entered an interpreter
        return installed.eager.apply(op, inputs, attrs, name)
    thread_stack = THREAD.stack
    current = thread_stack[-1] if thread_stack else installed.outermost
    return current.apply(op, inputs, attrs, name)


def convert(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Convert ``value`` to a tensor of the current interpreter, of ``dtype`` if given."""
    thread_stack = THREAD.stack
    current = thread_stack[-1] if thread_stack else installed.outermost
    return current.convert(value, dtype, name)


def operand(value: Any) -> Any:
    """Convert a value to a tensor; return one that defines itself what ops do with it as it is."""
    try:
        return convert(value)
    except OpOverride as override:
        if override.value is not value:
            raise
        return value


def _enter(thread_stack: list[Interpreter], interpreter: Interpreter) -> None:
    """Enter an interpreter; the outermost one of a thread counts as a trace."""
    if not thread_stack:
        TRACES.enter()
    thread_stack.append(interpreter)
    ACTIVE.enter()


def _leave(thread_stack: list[Interpreter], position: int) -> None:
    """Leave the interpreter at a position of a thread's stack."""
    del thread_stack[position]
    ACTIVE.leave()
    if not thread_stack:
        TRACES.leave()


@contextlib.contextmanager
def as_current(interpreter: Interpreter) -> Iterator[Interpreter]:
    """Apply the ops of a block with ``interpreter``."""
    thread_stack = THREAD.stack
    depth = len(thread_stack)
    try:
        try:
            _enter(thread_stack, interpreter)
            yield interpreter
        finally:
            _leave_from(thread_stack, depth, interpreter)
    finally:  # again, if an interrupt came between
        _leave_from(thread_stack, depth, interpreter)


def _leave_from(thread_stack: list[Interpreter], depth: int, interpreter: Interpreter) -> None:
    """Leave an interpreter that was entered at a depth, unless that was done, or never entered."""
    if thread_stack[depth : depth + 1] == [interpreter]:
        _leave(thread_stack, depth)


def push_interpreter(interpreter: Interpreter) -> None:
    """Enter ``interpreter`` until ``remove_interpreter``, which need not keep the order."""
    _enter(THREAD.stack, interpreter)


def remove_interpreter(interpreter: Interpreter) -> None:
    """Leave ``interpreter``, where this thread entered it last."""
    thread_stack = THREAD.stack
    _leave(thread_stack, max(n for n, level in enumerate(thread_stack) if level is interpreter))


def executing() -> contextlib.AbstractContextManager[object]:
    """Compute the ops of a block at once, whatever this thread records.

    For the user's own code that a graph calls; unlike ``eagerly`` it costs nothing in a thread
    that records nothing.
    """
    return contextlib.nullcontext() if is_eager_thread() else as_current(installed.eager)


def add_listener(listener: OpListener) -> None:
    """Notify ``listener`` of every op that this thread applies from now on."""
    THREAD.listeners.append(listener)
    ACTIVE.enter()


def remove_listener(listener: OpListener) -> None:
    """Stop notifying ``listener``."""
    THREAD.listeners.remove(listener)
    ACTIVE.leave()


@contextlib.contextmanager
def listening(listener: OpListener) -> Iterator[OpListener]:
    """Notify ``listener`` of every op that this thread applies within a block."""
    add_listener(listener)
    try:
        yield listener
    finally:
        remove_listener(listener)


def listeners() -> tuple[OpListener, ...]:
    """Return the listeners of this thread."""
    return tuple(THREAD.listeners)


@contextlib.contextmanager
def only_listeners(listeners: Iterable[OpListener]) -> Iterator[None]:
    """Notify only these listeners of the ops that this thread applies within a block."""
    before = THREAD.listeners
    THREAD.listeners = list(listeners)
    ACTIVE.enter()
    try:
        yield
    finally:
        ACTIVE.leave()
        THREAD.listeners = before


def notify(op: Any, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
    """Notify the thread's listeners of an op; interpreters call this when there are any."""
    listeners = THREAD.listeners
    if len(listeners) == 1:
        listeners[0].record(op, inputs, attrs, outputs)
        return
    for listener in tuple(listeners):
        listener.record(op, inputs, attrs, outputs)


def notify_extension(node: Any, outputs: Sequence[Any]) -> None:
    """Notify the thread's listeners of the outputs that an extension adds to an operation."""
    for listener in tuple(THREAD.listeners):
        listener.extended(node, outputs)


def attrs_for_listeners(op: Any, inputs: Sequence[Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes to run an op with, so that listeners can differentiate it.

    Its outputs may then be followed by others, which are for listeners only.
    """
    listeners = tuple(THREAD.listeners)
    for listener in listeners:
        prepared = listener.prepare(op, inputs, attrs, listeners)
        if prepared is not None:
            return prepared
    return attrs


Operator = Callable[[Any, Any], Any]
OperatorRule = Callable[[str, Operator, Any, Any], Any]
"""``rule(name of the method, the operator without a rule, self, other)`` -> the result."""

RULES: list[OperatorRule] = []
"""All rules that were ever set: while there is none, operators skip the context variable."""
operator_rule: contextvars.ContextVar[OperatorRule | None] = contextvars.ContextVar(
    "operator_rule", default=None
)
"""Rule for operators between tensors in this context; None: they apply their ops."""


def set_operator_rule(rule: OperatorRule | None) -> None:
    """Set the rule for operators between tensors in this context; None: they apply their ops."""
    if rule is not None and rule not in RULES:
        RULES.append(rule)
    operator_rule.set(rule)


def is_eager_thread() -> bool:
    """Return whether this thread entered no interpreter and the outermost one is eager.

    It is so of every thread where TRACES is false, which costs less to ask.
    """
    return not THREAD.stack and installed.outermost.eager


def executing_eagerly() -> bool:
    """Test whether ops give concrete values now, rather than being recorded in a graph.

    Returns:
        Python's True or False.
    """
    return current().eager


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Leave all functions, branches and loop bodies that are being traced, for a block.

    Ops of the block are recorded in the innermost graph that is not traced for a function, or run
    eagerly when there is none.

    Yields:
        None.
    """
    outside = next((i for i in reversed(THREAD.stack) if not i.temporary), installed.outermost)
    with as_current(outside):
        yield


@contextlib.contextmanager
def eagerly() -> Iterator[None]:
    """Run the ops of a block eagerly, whatever is being recorded around it."""
    with as_current(installed.eager):
        yield


def run_graph(graph: Any, arrays: Sequence[Any]) -> list[Any]:
    """Run a graph on arrays; kernels of higher-order ops receive this function as ``run``."""
    return installed.engine.run_graph(graph, arrays)


Conversion = Callable[..., Any]
_conversions: list[tuple[int, Any, Conversion]] = []
_conversion_of_class: dict[type, Conversion | None] = {}


def register_tensor_conversion_function(
    base_type: Any, conversion_func: Conversion, priority: int = 100
) -> None:
    """Register how values of a class become tensors.

    Args:
        base_type: class, or tuple of classes.
        conversion_func: function of (value, dtype=None, name=None, as_ref=False) that returns a
            tensor of that dtype (any if None), or NotImplemented for values it does not convert.
        priority: number; of several functions for a class the one of the least is called first.
    Returns:
        None.
    Raises:
        TypeError: ``conversion_func`` is not callable.
    """
    if not callable(conversion_func):
        raise TypeError(f"conversion_func must be callable, got {conversion_func!r}")
    _conversions.append((priority, base_type, conversion_func))
    _conversions.sort(key=lambda entry: entry[0])
    _conversion_of_class.clear()


def conversion_for(value: Any) -> Conversion | None:
    """Return the registered conversion of a value's class, or None."""
    cls = type(value)
    try:
        return _conversion_of_class[cls]
    except KeyError:
        conversions = (function for _, base, function in _conversions if issubclass(cls, base))
        return _conversion_of_class.setdefault(cls, next(conversions, None))
