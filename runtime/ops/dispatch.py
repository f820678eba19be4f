"""Who gives ops meaning now: eager execution by default, or the graph that is being built.

An op says only which op it is; the current interpreter of the thread carries it out (eager) or
records it (a graph).  Watchers, such as a gradient tape, are told of every op.  This file knows no
tensor class: eager/tensor.py installs the eager interpreter, engine/executable.py the engine.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from autograph.staging import TRACES

__all__ = ["executing_eagerly", "init_scope", "register_tensor_conversion_function"]


class OpOverride(TypeError):
    """An input that is no tensor, but says itself what ops mean on it: ``value._apply_op``."""

    def __init__(self, value: Any, help: str) -> None:
        super().__init__(
            f"a {type(value).__name__} is no tensor, and this op does not take one: {help}"
        )
        self.value = value


class Interpreter(Protocol):
    """Gives ops their meaning."""

    eager: bool
    """Whether ops yield concrete values at once."""

    temporary: bool
    """Whether this traces a function, branch or body: ``init_scope`` steps out of it."""

    def apply(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """The outputs of ``op``: a tensor, a tuple of tensors, or what stands for no output."""

    def convert(self, value: Any, dtype: Any, name: str | None) -> Any:
        """A Python, NumPy or tensor value as a tensor of this interpreter."""


class OpListener(Protocol):
    """Is told of every op that the thread applies, after it was applied."""

    def record(self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Take note of one op."""

    def extended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Take note of the outputs that an extension of an operation of a graph gives besides."""

    def wanted(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any]
    ) -> tuple[int, set[Any]]:
        """How often it may differentiate an op that holds graphs, applied next, and by what."""

    def prepare(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], watchers: Sequence[OpListener]
    ) -> dict[str, Any] | None:
        """The attributes to run such an op with for all ``watchers``; None: ask the next one."""


class _Thread(threading.local):
    def __init__(self) -> None:
        self.stack: list[Interpreter] = []
        self.watchers: list[OpListener] = []


class GraphEngine(Protocol):
    """What runs graphs, as far as this layer knows it."""

    def run_graph(self, graph: Any, arrays: Sequence[Any]) -> list[Any]:
        """The outputs of a graph, for arrays given to its inputs."""

    def optimized(self, graph: Any, fetches: Any, feeds: Any) -> Any:
        """The graph that runs in the place of another."""


class _Installed:
    """What is made in layers above this one, once for the process."""

    eager: Interpreter
    """It executes at once."""
    outermost: Interpreter
    """What gives ops their meaning in threads that entered no interpreter."""
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
"""The interpreters that this thread is inside of, and the watchers of its ops."""
_installed = _Installed()

ACTIVE = ActivityCount()
"""Counts what any thread has going on besides plain eager execution.

Operators of eager tensors look here first: a global is several times cheaper than a thread-local.
"""


def install(eager: Interpreter) -> None:
    """Make ``eager``, which executes at once, the interpreter of threads that entered none."""
    _installed.eager = _installed.outermost = eager


def install_engine(engine: GraphEngine) -> None:
    """Make ``engine`` what runs graphs."""
    _installed.engine = engine


def engine() -> GraphEngine:
    """What runs graphs."""
    return _installed.engine


def set_outermost(outermost: Interpreter | None) -> None:
    """Make it the interpreter of threads that entered none; None: the eager one again."""
    if not _installed.outermost.eager:
        ACTIVE.leave()
        TRACES.leave()
    _installed.outermost = outermost or _installed.eager
    if outermost is not None:
        ACTIVE.enter()
        TRACES.enter()


def current() -> Interpreter:
    """The interpreter that gives ops their meaning in this thread now."""
    stack = THREAD.stack
    return stack[-1] if stack else _installed.outermost


def stack() -> tuple[Interpreter, ...]:
    """The interpreters this thread is inside of, outermost first."""
    return tuple(THREAD.stack)


def apply(op: Any, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None = None) -> Any:
    """Apply an op in the current interpreter; the one door through which every op goes."""
    thread_stack = THREAD.stack
    current = thread_stack[-1] if thread_stack else _installed.outermost
    return current.apply(op, inputs, attrs, name)


def convert(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """``value`` as a tensor of the current interpreter, of ``dtype`` if given."""
    thread_stack = THREAD.stack
    current = thread_stack[-1] if thread_stack else _installed.outermost
    return current.convert(value, dtype, name)


def _enter(thread_stack: list[Interpreter], interpreter: Interpreter) -> None:
    """Begin a level of a thread; its outermost one counts as a trace."""
    if not thread_stack:
        TRACES.enter()
    thread_stack.append(interpreter)
    ACTIVE.enter()


def _leave(thread_stack: list[Interpreter], place: int) -> None:
    """End a level of a thread."""
    del thread_stack[place]
    ACTIVE.leave()
    if not thread_stack:
        TRACES.leave()


@contextlib.contextmanager
def using(interpreter: Interpreter) -> Iterator[Interpreter]:
    """Let ``interpreter`` give ops their meaning within a block."""
    thread_stack = THREAD.stack
    _enter(thread_stack, interpreter)
    try:
        yield interpreter
    finally:
        _leave(thread_stack, -1)


def start_using(interpreter: Interpreter) -> None:
    """As ``using``, for what need not be left in the reverse order: until ``stop_using``."""
    _enter(THREAD.stack, interpreter)


def stop_using(interpreter: Interpreter) -> None:
    """Take the innermost ``start_using`` of this thread back."""
    thread_stack = THREAD.stack
    place = max(n for n, level in enumerate(thread_stack) if level is interpreter)
    _leave(thread_stack, place)


def executing() -> contextlib.AbstractContextManager[object]:
    """Run ops at once within a block, whatever this thread is building: for the user's own code
    that a graph runs."""
    return contextlib.nullcontext() if only_watched() else using(_installed.eager)


def start_watching(watcher: OpListener) -> None:
    """Tell ``watcher`` of every op that this thread applies from now on."""
    THREAD.watchers.append(watcher)
    ACTIVE.enter()


def stop_watching(watcher: OpListener) -> None:
    """Tell it no longer."""
    THREAD.watchers.remove(watcher)
    ACTIVE.leave()


@contextlib.contextmanager
def watching(watcher: OpListener) -> Iterator[OpListener]:
    """Tell ``watcher`` of every op that this thread applies within a block."""
    start_watching(watcher)
    try:
        yield watcher
    finally:
        stop_watching(watcher)


def watchers() -> tuple[OpListener, ...]:
    """Who is told of the ops that this thread applies."""
    return tuple(THREAD.watchers)


@contextlib.contextmanager
def watched_by(watchers: Iterable[OpListener]) -> Iterator[None]:
    """Within a block, tell only these watchers of what this thread applies."""
    before = THREAD.watchers
    THREAD.watchers = list(watchers)
    ACTIVE.enter()
    try:
        yield
    finally:
        ACTIVE.leave()
        THREAD.watchers = before


def watch(op: Any, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
    """Tell the thread's watchers of an op; interpreters call this when ACTIVE is not empty."""
    watchers = THREAD.watchers
    if len(watchers) == 1:
        watchers[0].record(op, inputs, attrs, outputs)
        return
    for watcher in tuple(watchers):
        watcher.record(op, inputs, attrs, outputs)


def watch_extended(node: Any, outputs: Sequence[Any]) -> None:
    """Tell the thread's watchers of what an extension of an operation gives besides."""
    for watcher in tuple(THREAD.watchers):
        watcher.extended(node, outputs)


def prepared(op: Any, inputs: Sequence[Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes to run an op with, so that watchers can differentiate what it did.

    Its outputs may then be followed by others, which are for watchers only.
    """
    watchers = tuple(THREAD.watchers)
    for watcher in watchers:
        found = watcher.prepare(op, inputs, attrs, watchers)
        if found is not None:
            return found
    return attrs


Operator = Callable[[Any, Any], Any]
OperatorRule = Callable[[str, Operator, Any, Any], Any]
"""``rule(name of the method, what it does without a rule, self, other)`` -> the result."""

RULES: list[OperatorRule] = []
"""The rules that contexts ever had: while there is none, operators need not ask for theirs."""
operator_rule: contextvars.ContextVar[OperatorRule | None] = contextvars.ContextVar(
    "operator_rule", default=None
)
"""What operators between tensors do in this context; None: what their ops do."""


def set_operator_rule(rule: OperatorRule | None) -> None:
    """Set what operators between tensors do in this context; None: what their ops do."""
    if rule is not None and rule not in RULES:
        RULES.append(rule)
    operator_rule.set(rule)


def only_watched() -> bool:
    """Whether this thread executes eagerly, and at most watchers want to know of it."""
    return not THREAD.stack and _installed.outermost.eager


def executing_eagerly() -> bool:
    """Whether ops give concrete values now, rather than being recorded in a graph."""
    return current().eager


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Step out of all functions, branches and bodies that are being traced.

    Within the block ops go to the outermost graph that is not traced for a function, or run
    eagerly when there is none.
    """
    outside = next((i for i in reversed(THREAD.stack) if not i.temporary), _installed.outermost)
    with using(outside):
        yield


@contextlib.contextmanager
def eagerly() -> Iterator[None]:
    """Within the block ops run eagerly, whatever is being recorded around it."""
    with using(_installed.eager):
        yield


def run_graph(graph: Any, arrays: Sequence[Any]) -> list[Any]:
    """Run a sub-graph on arrays; what a higher-order row's kernel receives as ``run``."""
    return _installed.engine.run_graph(graph, arrays)


Conversion = Callable[..., Any]
_conversions: list[tuple[int, Any, Conversion]] = []
_found: dict[type, Conversion | None] = {}


def register_tensor_conversion_function(
    base_type: Any, conversion_func: Conversion, priority: int = 100
) -> None:
    """Say how values of ``base_type`` (a class or a tuple of them) become tensors.

    ``conversion_func(value, dtype=None, name=None, as_ref=False)`` returns a tensor; the function
    of least priority is asked first, and may return NotImplemented.
    """
    if not callable(conversion_func):
        raise TypeError(f"conversion_func must be callable, got {conversion_func!r}")
    _conversions.append((priority, base_type, conversion_func))
    _conversions.sort(key=lambda row: row[0])
    _found.clear()


def conversion_for(value: Any) -> Conversion | None:
    """The registered conversion of a value's class, or None."""
    cls = type(value)
    try:
        return _found[cls]
    except KeyError:
        rows = (function for _, base, function in _conversions if issubclass(cls, base))
        return _found.setdefault(cls, next(rows, None))
