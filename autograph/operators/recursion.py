"""Staged recursion: functions that call themselves until a staged condition ends the recursion.

Every path is traced, so tracing such calls would never end.  When a function calls itself for the
third time with only staged values changed, it is traced once as a separate function, which is
called at run time.  The paths that return determine the types of its result; it is traced again
until the types of its arguments and its result no longer change.
"""

from __future__ import annotations

import inspect
import threading
import types
from collections.abc import Callable
from typing import Any

from autograph.diagnostics.user_frame import user_place
from autograph.errors import EffectError, NeverReturnsError
from autograph.operators.descriptions import spec_of
from autograph.operators.joins.identity import same
from autograph.operators.joins.nodes import NestNode, Node, converted, unjoined
from autograph.operators.joins.plan import lift, lower, spec_of_paths, widen
from autograph.operators.path_tracing import Paths
from autograph.operators.state.closure_cells import Raised
from autograph.operators.state.heap import Heap
from autograph.operators.state.sentinels import NEVER
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_union import StagedUnion
from autograph.staging.state_spec import StateSpec
from autograph.syntax.code_markers import AG, is_converted

UNROLLED = 25
"""So many calls inside each other may differ in Python numbers before those are staged, too."""

DEEPEST = 25
"""So many calls may change objects before that is refused; Python might have ended them."""

ROUNDS = 20
"""How often a function is traced at most."""


class _Calls(threading.local):
    """Calls in progress on staged paths, and the functions being traced."""

    def __init__(self) -> None:
        self.active: list[_Activation] = []


_calls = _Calls()


def detect_recursion(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what to call instead of a converted function while a backend records."""
    inner = function.__func__ if type(function) is types.MethodType else function
    if type(inner) is not types.FunctionType:
        return function
    if not is_converted(inner.__code__):
        return function

    def call(*args: Any, **kwargs: Any) -> Any:  # a function: what it holds stays visible
        return _call_detecting(inner, args, kwargs)

    return types.MethodType(call, function.__self__) if type(function) is types.MethodType else call


def _call_detecting(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function, and notice when it calls itself."""
    backend = tracing_backend()
    arguments = None if backend is None else _bound(function, args, kwargs)
    if backend is None or arguments is None:
        return function(*args, **kwargs)
    key = _identity(function)
    inside = [call for call in _calls.active if call.key == key]
    for call in reversed(inside):
        if call.fits(arguments, backend, len(inside)):
            return call.staged(backend, arguments)
    _calls.active.append(_Activation(backend, function, key, arguments, bool(inside)))
    try:
        return function(*args, **kwargs)
    finally:
        _calls.active.pop()


Arguments = dict[str, Any]


def _bound(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Arguments | None:
    """Return the arguments by parameter; None when the call is wrong, which Python reports."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return dict(bound.arguments)


def _call(function: types.FunctionType, arguments: Arguments) -> Any:
    signature = inspect.signature(function)
    bound = inspect.BoundArguments(signature, arguments)
    return function(*bound.args, **bound.kwargs)


def _identity(function: types.FunctionType) -> Any:
    """Return what identifies a function: its code, and the variables around it."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return function.__code__, tuple(id(cell) for name, cell in cells if name != AG)


def _rounds() -> list[Any]:
    """Return the functions that are being traced separately, each with the number of the attempt.

    What is traced inside them knows the results of the last attempt.
    """
    return [(id(c), c.rounds) for c in _calls.active if isinstance(c, _Recursive)]


class _Activation:
    """Activation of a function, and its staged counterpart once there is one."""

    def __init__(
        self, backend: Backend, function: types.FunctionType, key: Any, arguments: Arguments,
        again: bool,
    ) -> None:
        self.function = function
        self.key = key
        self.arguments = arguments
        self.made: _Recursive | None = None
        bodies = (function, *arguments.values())
        self.heap = Heap(bodies, (), backend) if again else None

    def fits(self, arguments: Arguments, backend: Backend, depth: int) -> bool:
        """Whether another call differs in staged values alone, or also in numbers when deep.

        A difference in objects that the function reaches may end the recursion in Python.
        """
        if self.heap is None or not _alike(self.arguments, arguments, backend, depth > UNROLLED):
            return False
        try:
            changes = self.heap.changes()
        except EffectError:
            if depth > DEEPEST:
                raise
            return False
        if changes and depth > DEEPEST:
            raise _changing(self.function, next(iter(changes)).label)
        return not changes

    def staged(self, backend: Backend, arguments: Arguments) -> Any:
        """Return the staged result of another call."""
        if not backend.stages_calls:
            raise EffectError(
                f"{self.function.__qualname__} calls itself on a path that depends on a staged "
                f"value, which {backend.name} cannot do",
                where=user_place(),
                help="write a loop, or let a Python value end the recursion",
            )
        within = _rounds()
        if self.made is None or self.made.within != within or not self.made.accepts(arguments):
            made = _Recursive(backend, self.function, self.key, self.arguments, arguments)
            made.within = within
            made.trace()
            self.made = made
        return self.made.call(arguments)


def _alike(left: Any, right: Any, backend: Backend, numbers: bool) -> bool:
    staged = backend.is_staged(left), backend.is_staged(right)
    if all(staged):
        return True
    if any(staged):
        return numbers and None not in (spec_of(left, backend), spec_of(right, backend))
    if isinstance(left, StagedUnion) or isinstance(right, StagedUnion):
        return type(left) is type(right)
    if same(left, right):
        return True
    if type(left) is not type(right):
        return False
    if type(left) in (tuple, list, dict) or hasattr(type(left), "_make"):
        keys = tuple(left) if isinstance(left, dict) else range(len(left))
        if len(left) != len(right) or isinstance(left, dict) and tuple(right) != keys:
            return False
        return all(_alike(left[key], right[key], backend, numbers) for key in keys)
    return numbers and type(left) in (bool, int, float)


class _Recursive(_Activation):
    """Function traced separately, for arguments like those of two calls."""

    def __init__(
        self, backend: Backend, function: types.FunctionType, key: Any, first: Arguments,
        second: Arguments,
    ) -> None:
        super().__init__(backend, function, key, first, False)
        self.backend = backend
        self.inputs = _entered(first, backend).widen(second, backend)
        self.result: StateSpec | None = None
        self.outcome: Any = None
        self.callee = backend.callee(function.__name__)
        self.rounds = 0
        self.within: list[Any] = []
        self.paths: Paths | None = None

    def fits(self, arguments: Arguments, backend: Backend, depth: int) -> bool:
        """Whether another call is like the calls for which the trace is made."""
        return _alike(self.arguments, arguments, backend, numbers=True)

    def staged(self, backend: Backend, arguments: Arguments) -> Any:
        """Return the staged result of a call inside the function's own trace."""
        self.check_unchanged()
        self.inputs = self.inputs.widen(arguments, backend)
        if self.rounds == 1:
            raise Raised  # what it returns is not known yet: the other paths say
        return self.call(arguments)

    def accepts(self, arguments: Arguments) -> bool:
        """Whether a call from elsewhere may use the trace."""
        wide = self.inputs.widen(arguments, self.backend)
        return wide == self.inputs and self.backend.reaches(self.callee)

    def call(self, arguments: Arguments) -> Any:
        """Record a call."""
        values = converted(self.inputs, arguments, self.backend)
        specs = self.result.specs if self.result is not None else []
        outputs = self.backend.call_callee(self.callee, values, specs)
        if self.result is None:
            raise Raised  # it always raises
        return lift(self.result, outputs, self.backend).result

    def trace(self) -> None:
        """Trace until arguments, result and captured values no longer change."""
        _calls.active.append(self)
        try:
            for self.rounds in range(1, ROUNDS):
                inputs, result = self.inputs, self.result
                self.backend.trace_callee(self.callee, inputs.specs(), self._body)
                self._learn()
                complete = self.backend.complete(self.callee)
                settled = inputs == self.inputs and result == self.result
                if self.rounds > 1 and settled and complete:
                    self.backend.finish_callee(self.callee, self._outputs)
                    return
        finally:
            _calls.active.pop()
        raise NeverReturnsError(
            f"the types of the arguments or results of {self.function.__qualname__} change with "
            "every recursive call",
            where=user_place(),
            help="give arguments and results the same structure and types in each call",
        )

    def _body(self, values: Any) -> None:
        self.outcome = NEVER
        self.paths = Paths(self.backend, (), (self.function, *self.arguments.values()))
        arguments = self.inputs.lift(iter(values), self.backend)
        outcome = self.paths.trace(lambda: _call(self.function, arguments))
        if outcome is not NEVER and outcome.effects:
            raise _changing(self.function, next(iter(outcome.effects)).label)
        self.outcome = outcome

    def _learn(self) -> None:
        assert self.paths is not None
        if self.outcome is NEVER:
            return
        if self.result is None:
            self.result = spec_of_paths(self.paths.heap, (), [self.outcome])
        else:
            self.result = widen(self.result, self.outcome, self.paths.heap)

    def _outputs(self) -> list[Any]:
        if self.result is None:
            return []
        assert self.paths is not None
        return lower(self.result, self.outcome, self.paths.heap)

    def check_unchanged(self) -> None:
        """Refuse a call that would find other objects than the function began with."""
        assert self.paths is not None
        for slot in self.paths.heap.changes():
            raise _changing(self.function, slot.label)


def _changing(function: types.FunctionType, label: str) -> EffectError:
    return EffectError(
        f"'{label.lstrip('.')}' changes in {function.__qualname__}, whose recursion a staged value "
        "ends",
        where=user_place(),
        help="pass it as an argument, and return the changed value",
        subject=label,
    )


def _entered(arguments: Arguments, backend: Backend) -> Node:
    items = tuple(unjoined(name, value, backend) for name, value in arguments.items())
    return NestNode("the arguments", dict, tuple(arguments), items)
