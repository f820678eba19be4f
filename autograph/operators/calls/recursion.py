"""Staged recursion: functions that call themselves until a staged condition ends the recursion.

Every path is traced, so tracing such calls would never end.  When a function calls itself for the
third time with only staged values changed, it is traced once as a separate function, which is
called at run time.  The paths that return determine the types of its result; it is traced again
until the types of its arguments and its result no longer change.

What the function changes in objects that were there before is carried, too: what each slot holds is
one more argument and one more result.  Lists that are other objects in each call are arguments by
value; those that the function changes are written back by each call.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable
from typing import Any

from autograph.errors import EffectError
from autograph.operators.calls.call_arguments import (
    Arguments,
    alike,
    bind,
    call_with,
    entered_arguments,
)
from autograph.operators.calls.finished_recursions import FinishedRecursions
from autograph.operators.calls.passed_references import ReferencesByValue, of_caller
from autograph.operators.calls.recursion_errors import (
    changing_state,
    changing_types,
    check_result,
    unsupported,
)
from autograph.operators.control.path_tracing import Paths, staged_depth
from autograph.operators.joins.array_nodes import sources_in, with_sources_among
from autograph.operators.joins.list_nodes import FixedList, GrowingList
from autograph.operators.joins.nodes import Node, SameNode, converted, entered
from autograph.operators.joins.plan import lift, lower, spec_of_paths, widen
from autograph.operators.state.closure_cells import UNDEFINED, Raised
from autograph.operators.state.heap import Heap, HeapSlot
from autograph.operators.state.outcome import Outcome
from autograph.operators.state.sentinels import NEVER
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import TracedList, contents_of, hold, kind_of
from autograph.staging.state_spec import StateSpec
from autograph.syntax.code_markers import AG, is_converted

UNROLLED = 25
"""So many calls inside each other may differ in Python numbers before those are staged, too."""

MOST_CALLS = 12
"""So many calls under one another or one after the other; then, too, numbers are staged."""

ROUNDS = 20
"""How often a function is traced at most."""

GROWTHS = 6
"""So many traces may give results of more and more parts, as trees of two results do."""


class _Calls(threading.local):
    """Calls in progress on staged paths, and the functions being traced."""

    def __init__(self) -> None:
        self.active: list[_Activation] = []
        self.begun: dict[Any, int] = {}
        self.finished = FinishedRecursions()


_calls = _Calls()


def detect_recursion(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what to call instead of a converted function while a backend records."""
    inner = function.__func__ if type(function) is types.MethodType else function
    if type(inner) is not types.FunctionType or not is_converted(inner.__code__):
        return function

    def call(*args: Any, **kwargs: Any) -> Any:  # a function: what it holds stays visible
        return _call_detecting(inner, args, kwargs)

    return types.MethodType(call, function.__self__) if type(function) is types.MethodType else call


def _call_detecting(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function, and notice when it calls itself."""
    backend = tracing_backend()
    arguments = None if backend is None else bind(function, args, kwargs)
    if backend is None or arguments is None:
        return function(*args, **kwargs)
    key = _identity(function)
    inside = [call for call in _calls.active if call.key == key]
    _calls.begun[key] = _calls.begun.get(key, -1) + 1
    references = ReferencesByValue(function, arguments)
    for call in reversed(inside):
        call.arguments = ReferencesByValue(function, call.arguments).values
        if call.fits(references.values, backend, len(inside)):
            return references.resolved(call.staged(backend, references.values))
    if (recursion := _calls.finished.serving(key, references.values)) is not None:
        return references.resolved(recursion.call(references.values))
    _calls.active.append(_Activation(backend, function, key, arguments, bool(inside)))
    try:
        return function(*args, **kwargs)
    finally:
        _calls.active.pop()
        if not inside:
            del _calls.begun[key]
        if not _calls.active:
            _calls.finished.clear()


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
        self.depth = staged_depth()

    def fits(self, arguments: Arguments, backend: Backend, depth: int) -> bool:
        """Whether another call differs in staged values alone, or also in numbers when deep.

        A difference in objects that the function reaches may end the recursion in Python, and so
        may one between numbers on a path that no staged value has chosen.
        """
        many = _calls.begun.get(self.key, 0) > MOST_CALLS and staged_depth() > self.depth
        deep = depth > UNROLLED or many
        if self.heap is None or not alike(self.arguments, arguments, backend, deep):
            return False
        try:
            changes = self.heap.changes()
        except EffectError:
            if deep:
                raise
            return False
        before = self.heap.before
        return all(
            alike(before(slot), value, backend, deep) for slot, value in changes.items()
        )

    def staged(self, backend: Backend, arguments: Arguments) -> Any:
        """Return the staged result of another call."""
        if not backend.stages_calls:
            raise unsupported(self.function, backend.name)
        within = _rounds()
        if self.made is None or self.made.within != within or not self.made.accepts(arguments):
            recursion = _Recursive(backend, self.function, self.key, self.arguments, arguments)
            recursion.within = within
            recursion.trace()
            self.made = recursion
            _calls.finished.add(recursion)
        return self.made.call(arguments)


class _Recursive(_Activation):
    """Function traced separately, for arguments like those of two calls."""

    def __init__(
        self, backend: Backend, function: types.FunctionType, key: Any, first: Arguments,
        second: Arguments,
    ) -> None:
        super().__init__(backend, function, key, first, False)
        self.backend = backend
        self.inputs = entered_arguments(first, backend).widen(second, backend)
        self.slots: dict[HeapSlot, Node] = {}
        self.lists: dict[str, TracedList] = {}
        self.result: StateSpec | None = None
        self.returned, self.returns_other = None, False
        self.outcome: Any = None
        self.callee = backend.callee(function.__name__)
        self.rounds = 0
        self.within: list[Any] = []
        self.paths: Paths | None = None
        self.stands_alone = True
        """Whether it calls no function that is still being traced."""

    def fits(self, arguments: Arguments, backend: Backend, depth: int) -> bool:
        """Whether another call is like the calls for which the trace is made."""
        return alike(self.arguments, arguments, backend, numbers=True)

    def staged(self, backend: Backend, arguments: Arguments) -> Any:
        """Return the staged result of a call inside the function's own trace."""
        assert self.paths is not None
        for inner in _calls.active[_calls.active.index(self) + 1 :]:
            if isinstance(inner, _Recursive):
                inner.stands_alone = False
        heap = self.paths.heap
        for slot, value in heap.changes().items():
            if slot.identity not in self._own():
                self.slots[slot] = self._carry(slot, heap).widen(value, backend)
        self.inputs = self.inputs.widen(arguments, backend)
        if self.rounds == 1:
            raise Raised  # what it returns is not known yet: the other paths say
        return self.call(arguments)

    def _own(self) -> dict[int, str]:
        """Return the parameters of lists by value, by the identity of the function's own lists."""
        return {id(held_list): name for name, held_list in self.lists.items()}

    def _carry(self, slot: HeapSlot, heap: Heap) -> Node:
        """Return the node for what a slot holds when the function is called."""
        if slot not in self.slots:
            before = heap.before(slot)
            if before is UNDEFINED or not self._reaches(slot.holder):
                raise changing_state(self.function, slot.label)
            self.slots[slot] = entered(slot.label, before, self.backend)
        return self.slots[slot]

    def _reaches(self, holder: Any) -> bool:
        """Whether an object is within reach in each call, and is not made anew for it."""
        nodes = self.inputs.items
        shared = [node.value for node in nodes if isinstance(node, SameNode)]
        return Heap((self.function, *shared), (), self.backend).knows(holder)

    def accepts(self, arguments: Arguments) -> bool:
        """Whether a call from elsewhere may use the trace."""
        assert self.paths is not None
        wide = self.inputs.widen(arguments, self.backend)
        changed = {slot for slot in self.paths.heap.changes() if slot.identity not in self._own()}
        return (
            wide == self.inputs
            and changed <= self.slots.keys()
            and all(node.widen(slot.read(), self.backend) == node
                    for slot, node in self.slots.items())
            and self.backend.reaches(self.callee)
        )  # fmt: skip

    def call(self, arguments: Arguments) -> Any:
        """Record a call."""
        values = converted(self.inputs, arguments, self.backend)
        for slot, node in self.slots.items():
            values += converted(node, slot.read(), self.backend)
        specs = self.result.specs if self.result is not None else []
        outputs = self.backend.call_callee(self.callee, values, specs)
        if self.result is None:
            raise Raised  # it always raises
        outcome = lift(self.result, outputs, self.backend)
        self._write_back(outcome, arguments)
        if self.returned is not None:
            return self._substituted(self.returned, arguments)
        return of_caller(outcome.result, lambda value: self._substituted(value, arguments))

    def _write_back(self, outcome: Outcome, arguments: Arguments) -> None:
        """Let objects hold what the call has made of them."""
        own_names = self._own()
        for slot, value in outcome.effects.items():
            name = own_names.get(slot.identity)
            if name is None:
                slot.write(value)
                continue
            argument = arguments[name]
            self._check_alone(name, arguments)
            argument.extend(())  # which refuses, and tells other names for it, as any change
            hold(argument, value)

    def _check_alone(self, name: str, arguments: Arguments) -> None:
        """Refuse to change a list of the caller's that the function reaches in another way, too."""
        assert self.paths is not None
        argument = arguments[name]
        remaining = tuple(value for its_name, value in arguments.items() if its_name != name)
        elsewhere = self.paths.heap.knows(argument) and id(argument) not in self._own()
        again = Heap(remaining, (), self.backend).knows(argument)
        if elsewhere or again or not isinstance(argument, TracedList):
            raise changing_state(self.function, name)

    def _substituted(self, value: Any, arguments: Arguments) -> Any:
        """Return the caller's list for one of the function's own; other values as they are."""
        name = self._own().get(id(value))
        return value if name is None else arguments[name]

    def trace(self) -> None:
        """Trace until arguments, result, slots and captured values no longer change."""
        sources = sources_in(self.inputs)  # others belong to a trace that is given up
        _calls.active.append(self)
        try:
            growths, carried = 0, None
            for self.rounds in range(1, ROUNDS):
                inputs_before = self._known()
                if carried != (carried := (self.inputs, tuple(self.slots))):
                    # what is carried by now need not be captured
                    self.callee = self.backend.callee(self.function.__name__)
                self.inputs = with_sources_among(self.inputs, sources)
                parts_before = self._parts()
                nodes = (self.inputs, *self.slots.values())
                specs = [spec for node in nodes for spec in node.specs()]
                self.backend.trace_callee(self.callee, specs, self._body)
                self._learn()
                complete = self.backend.complete(self.callee)
                if self.rounds > 1 and inputs_before == self._known() and complete:
                    self.backend.finish_callee(self.callee, self._outputs)
                    return
                growths = growths + 1 if self._parts() > parts_before else 0
                if growths > GROWTHS:
                    break
        finally:
            _calls.active.pop()
        raise changing_types(self.function)

    def _parts(self) -> int:
        """Return how many values the result consists of."""
        return 0 if self.result is None else len(self.result.specs)

    def _known(self) -> Any:
        """Return all that has been learnt of the types."""
        returned = id(self.returned), self.returns_other
        return self.inputs, dict(self.slots), self.result, returned, tuple(self.lists)

    def _body(self, values: Any) -> None:
        self.outcome = NEVER
        iterator = iter(values)
        arguments = self.inputs.lift(iterator, self.backend)
        held_values = {slot: node.lift(iterator, self.backend) for slot, node in self.slots.items()}
        self._enter_lists(arguments)
        self.paths = Paths(self.backend, (), ((self.function, *arguments.values()),))

        def run() -> Any:
            for slot in self.slots:
                slot.write(held_values[slot])
            return call_with(self.function, arguments)

        outcome = self.paths.trace(run)
        if outcome is not NEVER:
            check_result(self.function, arguments, outcome.result)
            for slot in outcome.effects:
                if slot.identity not in self._own():
                    self._carry(slot, self.paths.heap)
        self.outcome = outcome

    def _enter_lists(self, arguments: Arguments) -> None:
        """Replace the lists among the arguments, given by value, by those of this function."""
        count_before = len(self.lists)
        for name, node in zip(self.inputs.keys, self.inputs.items, strict=True):
            if isinstance(node, FixedList | GrowingList):
                contents = contents_of(arguments[name])
                entered_list = self.lists.setdefault(name, TracedList())
                entered_list.access = None
                hold(entered_list, contents)
                arguments[name] = entered_list
        if len(self.lists) > count_before:  # what was learnt is of another object
            self.slots, self.result, self.returned, self.returns_other = {}, None, None, False

    def _learn(self) -> None:
        assert self.paths is not None
        outcome, heap = self.outcome, self.paths.heap
        if outcome is NEVER:
            return
        self._learn_identity(outcome.result, heap)
        if self.returned is not None:
            self.outcome = outcome = Outcome(outcome.values, outcome.effects, None)
        if self.result is None:
            self.result = spec_of_paths(heap, (), [outcome])
        else:
            self.result = widen(self.result, outcome, heap)

    def _learn_identity(self, result: Any, heap: Heap) -> None:
        """Note which list the function returns, where it is one that was there before."""
        is_known = kind_of(result) is list and heap.knows(result)
        if self.returns_other or (is_known and result is self.returned):
            return
        if self.result is None and is_known:
            self.returned = result
            return
        self.returns_other = True
        if self.returned is not None:
            self.returned = self.result = None

    def _outputs(self) -> list[Any]:
        if self.result is None:
            return []
        assert self.paths is not None
        return lower(self.result, self.outcome, self.paths.heap)
