"""Who gives ops meaning now: eager execution by default, or the graph that is being built.

An op says only which op it is; the current interpreter of the thread carries it out (eager) or
records it (a graph).  Watchers, such as a gradient tape, are told of every op.  This file knows no
tensor class: eager.py installs the default interpreter, execute.py the runner of sub-graphs.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from autograph.staging import TRACES

__all__ = ["executing_eagerly", "init_scope", "register_tensor_conversion_function"]


class TakenOver(TypeError):
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


class Watcher(Protocol):
    """Is told of every op that the thread applies, after it was applied."""

    def record(self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Take note of one op."""

    def amended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Take note of outputs that an operation of a graph was given after it was recorded."""

    def wanted(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any]
    ) -> tuple[int, set[Any]]:
        """How often it may differentiate an op that holds graphs, applied next, and by what."""


class _Thread(threading.local):
    def __init__(self) -> None:
        self.stack: list[Interpreter] = []
        self.watchers: list[Watcher] = []


_thread = _Thread()
_default: list[Interpreter] = []
_eager: list[Interpreter] = []

# Non-empty while any thread has anything but plain eager execution going on.  Operators of eager
# tensors look here first: asking a global list is several times cheaper than a thread-local.  Its
# entries are all the same, so that threads may take away each other's.
ACTIVE: list[None] = []


def install(default: Interpreter) -> None:
    """Make ``default``, which executes eagerly, the interpreter of threads that entered none."""
    _default[:] = [default]
    _eager[:] = [default]


def set_outermost(outermost: Interpreter | None) -> None:
    """Make it the interpreter of threads that entered none; None: the eager one again."""
    if not _default[0].eager:
        ACTIVE.pop()
        TRACES.pop()
    _default[:] = [outermost or _eager[0]]
    if outermost is not None:
        ACTIVE.append(None)
        TRACES.append(None)


def current() -> Interpreter:
    """The interpreter that gives ops their meaning in this thread now."""
    stack = _thread.stack
    return stack[-1] if stack else _default[0]


def stack() -> tuple[Interpreter, ...]:
    """The interpreters this thread is inside of, outermost first."""
    return tuple(_thread.stack)


def apply(op: Any, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None = None) -> Any:
    """Apply an op in the current interpreter; the one door through which every op goes."""
    thread_stack = _thread.stack
    return (thread_stack[-1] if thread_stack else _default[0]).apply(op, inputs, attrs, name)


def convert(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """``value`` as a tensor of the current interpreter, of ``dtype`` if given."""
    thread_stack = _thread.stack
    return (thread_stack[-1] if thread_stack else _default[0]).convert(value, dtype, name)


@contextlib.contextmanager
def using(interpreter: Interpreter) -> Iterator[Interpreter]:
    """Let ``interpreter`` give ops their meaning within a block."""
    thread_stack = _thread.stack
    thread_stack.append(interpreter)
    ACTIVE.append(None)
    TRACES.append(None)
    try:
        yield interpreter
    finally:
        thread_stack.pop()
        ACTIVE.pop()
        TRACES.pop()


def start_using(interpreter: Interpreter) -> None:
    """As ``using``, for what need not be left in the reverse order: until ``stop_using``."""
    _thread.stack.append(interpreter)
    ACTIVE.append(None)
    TRACES.append(None)


def stop_using(interpreter: Interpreter) -> None:
    """Take the innermost ``start_using`` of this thread back."""
    thread_stack = _thread.stack
    place = max(n for n, level in enumerate(thread_stack) if level is interpreter)
    del thread_stack[place]
    ACTIVE.pop()
    TRACES.pop()


def executing() -> contextlib.AbstractContextManager[object]:
    """Run ops at once within a block, whatever this thread is building: for the user's own code
    that a graph runs."""
    return contextlib.nullcontext() if only_watched() else using(_eager[0])


def start_watching(watcher: Watcher) -> None:
    """Tell ``watcher`` of every op that this thread applies from now on."""
    _thread.watchers.append(watcher)
    ACTIVE.append(None)


def stop_watching(watcher: Watcher) -> None:
    """Tell it no longer."""
    _thread.watchers.remove(watcher)
    ACTIVE.pop()


@contextlib.contextmanager
def watching(watcher: Watcher) -> Iterator[Watcher]:
    """Tell ``watcher`` of every op that this thread applies within a block."""
    start_watching(watcher)
    try:
        yield watcher
    finally:
        stop_watching(watcher)


def watchers() -> tuple[Watcher, ...]:
    """Who is told of the ops that this thread applies."""
    return tuple(_thread.watchers)


@contextlib.contextmanager
def watched_by(watchers: Iterable[Watcher]) -> Iterator[None]:
    """Within a block, tell only these watchers of what this thread applies."""
    before = _thread.watchers
    _thread.watchers = list(watchers)
    ACTIVE.append(None)
    try:
        yield
    finally:
        ACTIVE.pop()
        _thread.watchers = before


def watch(op: Any, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
    """Tell the thread's watchers of an op; interpreters call this when ACTIVE is not empty."""
    watchers = _thread.watchers
    if len(watchers) == 1:
        watchers[0].record(op, inputs, attrs, outputs)
        return
    for watcher in tuple(watchers):
        watcher.record(op, inputs, attrs, outputs)


def watch_amended(node: Any, outputs: Sequence[Any]) -> None:
    """Tell the thread's watchers of outputs that a recorded operation was given."""
    for watcher in tuple(_thread.watchers):
        watcher.amended(node, outputs)


Preparer = Callable[[Any, Sequence[Any], dict[str, Any], Sequence[Watcher]], dict[str, Any]]
_preparer: list[Preparer] = []


def install_preparer(preparer: Preparer) -> None:
    """Make ``preparer`` the way in which watchers prepare ops that hold graphs (autodiff/)."""
    _preparer[:] = [preparer]


def prepared(op: Any, inputs: Sequence[Any], attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes to run an op with, so that watchers can differentiate what it did.

    Its outputs may then be followed by others, which are for watchers only.
    """
    watchers = tuple(_thread.watchers)
    return _preparer[0](op, inputs, attrs, watchers) if watchers else attrs


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
    return not _thread.stack and _default[0].eager


def executing_eagerly() -> bool:
    """Whether ops give concrete values now, rather than being recorded in a graph."""
    return current().eager


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Step out of all functions, branches and bodies that are being traced.

    Within the block ops go to the outermost graph that is not traced for a function, or run
    eagerly when there is none.
    """
    outside = next((i for i in reversed(_thread.stack) if not i.temporary), _default[0])
    with using(outside):
        yield


@contextlib.contextmanager
def eagerly() -> Iterator[None]:
    """Within the block ops run eagerly, whatever is being recorded around it."""
    with using(_eager[0]):
        yield


Runner = Callable[[Any, Sequence[Any]], list[Any]]
_runner: list[Runner] = []


def install_runner(runner: Runner) -> None:
    """Make ``runner(graph, arrays) -> arrays`` the way kernels of higher-order rows run graphs."""
    _runner[:] = [runner]


def run_graph(graph: Any, arrays: Sequence[Any]) -> list[Any]:
    """Run a sub-graph on arrays; what a higher-order row's kernel receives as ``run``."""
    return _runner[0](graph, arrays)


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
