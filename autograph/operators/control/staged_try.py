"""Traces a ``try`` statement for a backend: implements ``autograph.staging.try_protocol``.

The state that handlers may need (the variables, and what changed in objects) is saved before each
operation that may raise.  A handler is traced once for each class of exceptions that the program
raises itself, with an exception of that class whose arguments are staged, and once for all
exceptions of operations.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.diagnostics.runtime_exceptions import like, stand_in
from autograph.diagnostics.user_frame import user_line
from autograph.errors import AutoGraphError, EffectError, RunTimeLimit
from autograph.operators.control.faults import is_fault
from autograph.operators.control.path_tracing import Paths
from autograph.operators.control.raises import is_raised_by_user
from autograph.operators.control.with_statements import catching, open_block_count, refuse_in_with
from autograph.operators.joins.descriptions import spec_of
from autograph.operators.joins.nodes import (
    LeafNode,
    MaybeNode,
    NestNode,
    Node,
    NullableNode,
    SameNode,
    unjoined,
)
from autograph.operators.joins.plan import lift, lower, spec_of_paths, widen
from autograph.operators.state.outcome import Outcome
from autograph.operators.state.sentinels import NEVER
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_string import StagedText
from autograph.staging.state_spec import Spec, StateSpec
from autograph.staging.try_protocol import Raises

Body = Callable[[], Any]
Handler = tuple[Callable[[], Any] | None, Callable[..., Any]]
"""A handler: a function that returns the classes it catches (or None), and its body, which takes
the exception if it has a parameter."""


class _TracedBodies(threading.local):
    depth = 0


_traced_bodies = _TracedBodies()


def is_in_staged_try() -> bool:
    """Whether the body of a staged ``try`` is being traced."""
    return _traced_bodies.depth > 0


def _classes(kinds: Callable[[], Any] | None) -> tuple[type[BaseException], ...]:
    """Return the exception classes of an ``except`` clause; TypeError as Python raises it."""
    caught = BaseException if kinds is None else kinds()
    classes = caught if isinstance(caught, tuple) else (caught,)
    for kind in classes:
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            raise TypeError(
                "catching classes that do not inherit from BaseException is not allowed"
            )
    return classes


def caught_by(handlers: Sequence[Handler]) -> tuple[type[BaseException], ...]:
    """Return the exception classes that some handlers catch."""
    return tuple(kind for kinds, _ in handlers for kind in _classes(kinds))


def first_match(error: BaseException, handlers: Sequence[Handler]) -> int | None:
    """Return the position of the handler that catches an exception, or None."""
    for position, (kinds, _) in enumerate(handlers):
        if any(kind in type(error).__mro__ for kind in _classes(kinds)):
            return position
    return None


def may_catch(handlers: Sequence[Handler], raises: Sequence[type[BaseException]]) -> bool:
    """Whether a handler may catch an exception of one of these classes or of a subclass."""
    return bool(raises) and any(_meet(_classes(kinds), raises) for kinds, _ in handlers)


def _meet(kinds: Sequence[type], raises: Sequence[type]) -> bool:
    return any(issubclass(k, raised) or issubclass(raised, k) for k in kinds for raised in raises)


def call_handler(handler: Callable[..., Any], error: BaseException) -> None:
    """Run a handler.  Called inside an ``except`` clause, so that a bare ``raise`` works."""
    if handler.__code__.co_argcount:
        handler(error)
    else:
        handler()


class _Group:
    """Handler for the exceptions of one class, traced as a function of their contents."""

    def __init__(self, handler: int, kind: type[BaseException], sample: BaseException | None):
        self.handler = handler
        self.kind = kind
        self.sample = sample
        """An exception that the program raises; None for those of operations."""
        self.node: Node | None = None
        """Layout of what varies in the exception: its arguments and attributes, or its text."""

    def add(self, values: Any, backend: Backend) -> None:
        """Widen the layout so that it also holds the parts of another exception."""
        node = self.node
        self.node = _entered(values, backend) if node is None else _widen(node, values, backend)

    def exception(self, values: Sequence[Any], backend: Backend) -> BaseException:
        """Return the exception that the handler receives while it is traced."""
        assert self.node is not None
        args, attributes = self.node.lift(iter(values), backend)
        if self.sample is not None:
            return like(self.sample, args, attributes)
        try:
            return self.kind(*args)
        except TypeError:  # its constructor takes more than a text
            return BaseException.__new__(self.kind, *args)


def _parts(exception: BaseException) -> tuple[Any, Any]:
    """Return the arguments and attributes of an exception; ``_TEXT`` replaces a staged text."""
    return tuple(map(_known, exception.args)), {
        name: _known(value) for name, value in exception.__dict__.items()
    }


class _UnknownText:
    """Marker for a text that is made at run time."""


_TEXT = _UnknownText()


def _known(value: Any) -> Any:
    return _TEXT if isinstance(value, StagedText) else value


def _entered(value: Any, backend: Backend) -> Node:
    if value is _TEXT:
        return LeafNode(_NAME, spec_of("", backend))
    if type(value) in (tuple, dict):
        items = tuple(_entered(item, backend) for item in _items(value))
        return NestNode(_NAME, type(value), tuple(_keys(value)), items)
    node = unjoined(_NAME, value, backend)
    if not isinstance(node, LeafNode | SameNode | NestNode):
        is_odd = isinstance(node, MaybeNode | NullableNode)
        raise EffectError(
            "an exception that a handler catches holds a "
            + ("value that may be None or undefined" if is_odd else kind_of(value).__name__),
            where=user_line(),
            help="raise it with numbers, texts, tensors, or tuples and dicts of them",
        )
    return node


_NAME = "what the exception holds"


def _widen(node: Node, value: Any, backend: Backend) -> Node:
    """Return a layout that also holds the parts of another exception of the same form."""
    if isinstance(node, NestNode) and type(value) in (tuple, dict):
        pairs = zip(node.items, _items(value), strict=True)
        items = tuple(_widen(item, its_item, backend) for item, its_item in pairs)
        return NestNode(node.name, node.kind, node.keys, items)
    if value is _TEXT and isinstance(node, SameNode):
        return LeafNode(_NAME, spec_of("", backend))
    return node if value is _TEXT else node.widen(value, backend)


def _keys(value: Any) -> list[Any]:
    return list(value) if isinstance(value, dict) else list(range(len(value)))


def _items(value: Any) -> list[Any]:
    return [value[key] for key in _keys(value)]


def _leaves(node: Node, value: Any) -> Iterator[Any]:
    """Return the leaves of an exception's parts at run time, in the order of a layout."""
    if isinstance(node, LeafNode):
        yield value
    elif isinstance(node, NestNode):
        for key, item in zip(node.keys, node.items, strict=True):
            yield from _leaves(item, value[key])


class TracedTry:
    """``try`` statement without ``finally``; implements ``StagedTry``."""

    def __init__(
        self, paths: Paths, count: int, body: Body, handlers: Sequence[Handler],
        else_body: Body | None,
    ) -> None:
        self.paths = paths
        paths.heap.repeats = True
        self.count = count
        self.backend = paths.backend
        self._body = body
        self._handlers = handlers
        self._classes = [_classes(kinds) for kinds, _ in handlers]
        self._else = else_body
        self._spec: StateSpec | None = None
        self._after: Any = None
        self._outcomes: dict[int, Any] = {}
        self._changed = False
        self._around = 0
        self._saves = 0
        self._groups: dict[Any, _Group] = {}
        self._end: StateSpec | None = None
        self._joined: StateSpec | None = None
        self._handled = threading.local()

    # -- while tracing ----------------------------------------------------------------------------

    def trace_body(self) -> None:
        """Trace the body."""
        self._saves, self._changed = 0, False
        _traced_bodies.depth += 1
        try:
            with catching(caught_by(self._handlers)) as self._around:
                self._after = self.paths.trace(self._body, is_fault=self._is_fault)
        finally:
            _traced_bodies.depth -= 1

    def _is_fault(self, error: BaseException) -> bool:
        if isinstance(error, Exception) and not isinstance(error, RecursionError | MemoryError):
            return is_fault(error, self.backend)
        return not is_raised_by_user(error, self.backend)

    def state_before(self, raises: Raises) -> list[Any] | None:
        """Return the values to save before what may raise; None if no handler catches it."""
        if not self._note(raises):
            return None
        if open_block_count() > self._around:
            kinds = (type(raises),) if isinstance(raises, BaseException) else raises
            refuse_in_with(" or ".join(kind.__name__ for kind in kinds[:2]), kinds, None, True)
        outcome = self.paths.outcome()
        heap = self.paths.heap
        if self._spec is None:
            self._spec = self._joined_spec([outcome])
        else:
            spec = widen(self._spec, outcome, heap)
            self._changed = self._changed or (spec is not self._spec and self._saves > 0)
            self._spec = spec
        self._saves += 1
        return lower(self._spec, outcome, heap)

    def _note(self, raises: Raises) -> bool:
        """Register an exception with the handlers that may catch it; return False if none does."""
        kinds = (type(raises),) if isinstance(raises, BaseException) else raises
        is_new = False
        for position, caught in enumerate(self._classes):
            if not _meet(caught, kinds):
                continue
            is_new = True
            self._group(position, kinds, raises)
            if all(issubclass(kind, caught) for kind in kinds):
                break  # later handlers catch none of these classes
        return is_new

    def _group(
        self, position: int, kinds: Sequence[type[BaseException]], raises: Raises
    ) -> None:
        takes = bool(self._handlers[position][1].__code__.co_argcount)
        caught = self._classes[position]
        narrow = len(kinds) == 1 and issubclass(kinds[0], caught)
        key: tuple[Any, ...] = (position, None)
        values: tuple[Any, Any] = ((_TEXT,) if takes else (), {})
        kind, sample = kinds[0] if narrow else caught[0], None
        if isinstance(raises, BaseException) and takes:
            values = _parts(raises)
            key = (position, type(raises), len(values[0]), tuple(values[1]))
            sample = raises
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(position, kind, sample)
        group.add(values, self.backend)

    def is_resolved(self) -> bool:
        """Whether all states saved in the last trace have one layout."""
        return not self._changed

    def _joined_spec(self, outcomes: Sequence[Any]) -> StateSpec:
        return spec_of_paths(self.paths.heap, self.paths.state.names, outcomes)

    @property
    def saved_specs(self) -> Sequence[Spec]:
        """Return the specs of the saved state."""
        return self._spec.specs if self._spec is not None else []

    @property
    def handler_specs(self) -> Sequence[Sequence[Spec]]:
        """Return, for each handler, the specs of the exception's contents."""
        return [group.node.specs() for group in self._groups.values() if group.node]

    def trace_handler(self, number: int, values: Sequence[Any]) -> None:
        """Trace a handler for the saved state and the contents of its exception."""
        group = list(self._groups.values())[number]
        assert self._spec is not None
        count = len(self._spec.specs)
        start = lift(self._spec, values[:count], self.backend)
        run = self._handlers[group.handler][1]
        error = stand_in(group.exception(values[count:], self.backend), self.current)

        def handle() -> None:
            try:
                raise error
            except BaseException as caught:
                call_handler(run, caught)

        self._outcomes[number + 1] = self._lasting(self.paths.trace(handle, start))

    def body_outputs(self) -> tuple[StateSpec, list[Any]]:
        """Return the state after the body: its layout and its values."""
        self._end = self._joined_spec([self._after])
        return self._end, lower(self._end, self._after, self.paths.heap)

    def trace_else(self, values: Sequence[Any]) -> None:
        """Trace the ``else`` clause."""
        assert self._end is not None
        start = lift(self._end, values, self.backend)
        self._outcomes[0] = self._lasting(self.paths.trace(self._else, start))

    def _lasting(self, outcome: Any) -> Any:
        """Return the outcome with the variables that only handlers need as they were before."""
        if outcome is NEVER:
            return NEVER
        gone = self.paths.before[self.count :]  # dead, but an enclosing loop may carry them
        return Outcome([*outcome.values[: self.count], *gone], outcome.effects, outcome.result)

    def join(self) -> StateSpec:
        """Join the outcomes of the ``else`` clause and of all handlers."""
        self._joined = self._joined_spec([self._outcomes[n] for n in sorted(self._outcomes)])
        return self._joined

    def outputs(self, path: int) -> list[Any]:
        """Return the values of a path's outcome.  Called inside the trace of the path."""
        assert self._joined is not None
        return lower(self._joined, self._outcomes[path], self.paths.heap)

    def outcome(self, values: Sequence[Any]) -> Outcome:
        """Return the outcome of the statement, rebuilt from the backend's values."""
        assert self._joined is not None
        return lift(self._joined, values, self.backend)

    # -- at run time ------------------------------------------------------------------------------

    def find_handler(self, error: BaseException) -> tuple[int, list[Any]] | None:
        """Return the number of the handler for an exception, and the exception's contents."""
        if isinstance(error, (RunTimeLimit, AutoGraphError)):
            return None
        for position, classes in enumerate(self._classes):
            if any(kind in type(error).__mro__ for kind in classes):
                return self._of_handler(position, error)
        return None

    def _of_handler(self, position: int, error: BaseException) -> tuple[int, list[Any]] | None:
        attributes = {n: v for n, v in error.__dict__.items() if n != "__notes__"}
        key: tuple[Any, ...] = (position, type(error), len(error.args), tuple(attributes))
        values: tuple[Any, Any] = (error.args, attributes)
        general = (position, None) in self._groups
        if key not in self._groups or (general and not self._fits(self._groups[key], values)):
            key = (position, None)
            values = ((str(error.args[0]) if error.args else "",), {})
        if key not in self._groups:
            return None  # raised by an operation that does not declare this exception
        node = self._groups[key].node
        assert node is not None
        return list(self._groups).index(key), list(_leaves(node, values))

    def _fits(self, group: _Group, values: tuple[Any, Any]) -> bool:
        """Return whether an exception has no text, as those of operations, where numbers are."""
        node, text = group.node, spec_of("", self.backend)
        leaves = zip(node.specs(), _leaves(node, values), strict=True) if node else ()
        return all(spec == text or not isinstance(v, str) for spec, v in leaves)

    @contextlib.contextmanager
    def handling(self, error: BaseException) -> Iterator[None]:
        """Context in which a handler runs for an exception."""
        stack = self._handled.__dict__.setdefault("stack", [])
        stack.append(error)
        try:
            yield
        finally:
            stack.pop()

    def current(self) -> BaseException | None:
        """Return the exception that is being handled in this thread."""
        stack = self._handled.__dict__.get("stack")
        return stack[-1] if stack else None
