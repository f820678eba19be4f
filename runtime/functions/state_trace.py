"""Trace of a Python function that finds the slots its calls carry; used by function.py alone.

``StateTrace`` stands in place of the Python function while a concrete function traces it.  It lets
the known slots hold inputs of the graph, and afterwards puts back what they held.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph import staging
from autograph.errors import EffectError, NeverReturnsError, StructureJoinError
from runtime.functions.array_arguments import symbolic_array
from runtime.functions.carried_containers import CarriedContainer, ContainerSlot, columns_of
from runtime.functions.carried_state import (
    UNCHANGED,
    CarriedSlot,
    SlotInput,
    StateSlot,
    WrittenValue,
    check_carriable,
    slot_codec,
)
from runtime.functions.function_graph import holds_raise, input_name
from runtime.functions.mutation_check import objects_among
from runtime.functions.number_arguments import containers
from runtime.functions.returned_objects import check_result
from runtime.functions.signature import BoundCall
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.termination import is_visible
from runtime.ops import dispatch
from runtime.ops.control_flow.try_except import Saved
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.staging.values import optional_nest
from runtime.staging.values.outliving import is_staged
from runtime.types.errors import InaccessibleTensorError
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorSpec


class RaisedState:
    """What runs of a trace save of the state before something that may raise.

    layouts  by number: what a slot holds there
    """

    def __init__(self) -> None:
        self.layouts: list[list[WrittenValue]] = []
        self.tracing: StateTrace | None = None

    def state_before(self, raises: Any) -> list[Any] | None:
        """The number of the layout, and its tensors; None if there is nothing to save."""
        return None if self.tracing is None else self.tracing.save(raises)


class StateTrace:
    """One trace of a Python function, whose known slots hold inputs of the graph.

    slots    the slots that the function is known to carry
    written  what the trace leaves in slots
    is_incomplete  whether there are more slots, or other types, than were known: trace again
    released  the slots whose list or dict changes in place: it is carried as a container
    refusal  the error to raise if that is not possible
    has_arrays  whether arrays that it makes have to be staged: trace again
    never_returns  whether every run raises an exception
    returned  the carried container that the function returns, if it does
    """

    def __init__(
        self, python: Callable[..., Any], call: BoundCall, slots: Sequence[CarriedSlot],
        creations: staging.ArrayCreations, numbers: bool = False,
    ) -> None:  # fmt: skip
        """Trace for a call; with ``numbers``, Python values that are written count, too."""
        self._creations = creations
        self._numbers = numbers
        self._takes_containers = numbers and bool(call.arrays or [*containers(call.leaves)])
        self.__wrapped__ = self._python = python
        self._names = [name for name, _ in call.labels]
        self.slots: dict[Any, CarriedSlot] = {state.slot.identity: state for state in slots}
        self._known = len(slots)
        self.written: list[WrittenValue] = []
        self.is_incomplete = self.has_arrays = False
        self.released: set[Any] = set()
        self.refusal: EffectError | None = None
        self.never_returns = False
        self.returned: list[Any] = []
        self.inputs: list[SlotInput] = []
        self.heap: Any = None
        """What the function can reach; None until it is called."""
        self.raised = RaisedState()
        self.saved = Saved(self.raised) if slots else None
        self._placed: dict[tuple[int, Any], Any] = {}
        self._shared: dict[int, Any] = {}
        """Lists and dicts in slots whose items are inputs of the graph."""
        self._arrays: list[tuple[str, SymbolicArray, SymbolicTensor]] = []
        """Arrays in slots, and their contents at the start of a call."""
        self._before: dict[tuple[int, Any], SlotInput] = {}
        self._last_save: tuple[Any, list[tuple[staging.OutlivingSlot, Any]]] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the Python function, restore the contents of objects, and return its result."""
        graph: Any = dispatch.current()
        staging.load_announced()  # the function may be the first one that is traced
        backend = staging.tracing_backend()
        assert backend is not None
        leaves = self._take_inputs(graph)
        for state, of_state in zip(self.slots.values(), leaves, strict=True):
            state.enter(of_state)
        try:
            labelled = dict(objects_among(self._names, (*args, *kwargs.values())))
            self.heap = staging.TraceHeap(self._python, labelled, backend, is_staged, self._numbers)
            self.heap.carried = {id(state.proxy): state.proxy for state in self._containers()}
            return self._record(graph, leaves, args, kwargs)
        finally:
            self.raised.tracing = None
            self._leave_containers()

    def _record(self, graph: Any, leaves: list[list[Any]], args: Any, kwargs: Any) -> Any:
        """What the Python function returns, while the slots hold these leaves."""
        try:
            self._place(leaves)
            self._creations.begin()
            try:
                with staging.carrying(self._can_carry), staging.creating(self._creations):
                    result = check_result(self._trace(graph, args, kwargs), self.heap, self._python)
                graph.never_returns = self.never_returns
                self._finish(graph)
            except EffectError as error:
                if not (self._learn_container(error.holder) or self._learn_array(error.holder)):
                    raise
                self.refusal = error
                return None  # it is traced again
            self.returned = [state.slot for state in self._containers() if state.proxy is result]
            if self.returned:
                return None
            if self.slots or self.is_incomplete:  # what is returned may be one of the objects
                result = optional_nest.map_inside(lambda leaf: leaf, result)
            return result
        finally:
            self.heap.put_back()
            for state, content in zip(self.slots.values(), self.inputs):
                if state.slot.read() is not content.value:
                    state.slot.write(content.value)

    def outside_arrays(self) -> list[weakref.ref[Any]]:
        """Return the arrays that the function can reach besides its arguments."""
        return [] if self.heap is None else [*map(weakref.ref, self.heap.instances(np.ndarray))]

    def links(self) -> list[staging.Link]:
        """Return the references that lead to the objects whose slots are carried."""
        slots = (s.slot for s in self.slots.values() if isinstance(s, StateSlot))
        of_containers = (link for state in self.slots.values() for link in state.links)
        return [*self.heap.links(slots), *of_containers]

    def reads(self) -> list[staging.Link | staging.ContentsLink]:
        """Return the other Python values that calls may read."""
        return self.heap.reads(state.slot for state in self.slots.values())

    def undo(self) -> None:
        """Restore also slots that were written with unstaged values: they will be traced again."""
        if self.heap is not None:
            self.heap.restore()

    # -- before ---------------------------------------------------------------------------------

    def _take_inputs(self, graph: FuncGraph) -> list[list[Any]]:
        """Return the leaves of the known slots' contents, inputs of the graph among them."""
        self.inputs = [state.read() for state in self.slots.values()]
        self._before.update(zip(self.slots, self.inputs, strict=True))
        pairs = zip(self.slots.values(), self.inputs, strict=True)
        feeds = [(content, self._symbols(graph, state, content)) for state, content in pairs]
        return [[slot_codec(v).replace(v, feed) for v in content.leaves] for content, feed in feeds]

    def _symbols(self, graph: FuncGraph, state: CarriedSlot, content: SlotInput) -> Iterator[Any]:
        """Add the inputs for what a slot holds."""
        arrays = content.arrays or [None] * len(content.tensors)
        for tensor, shape, array in zip(content.tensors, content.shapes, arrays, strict=True):
            name = input_name(state.slot.label, "state")
            spec = TensorSpec(shape, tensor.dtype, name)
            symbol: Any = graph.add_input(spec, is_weak(tensor))
            if array is not None:
                symbol = symbolic_array(symbol, array)
            if isinstance(array, np.ndarray):
                self._arrays.append((state.slot.label, symbol, symbol.current()))
            yield symbol

    def _place(self, inputs: list[list[Any]]) -> None:
        """Let the known slots hold inputs of the graph; lists and dicts stay the same objects."""
        states = self.slots.values()
        for state, content, leaves in zip(states, self.inputs, inputs, strict=True):
            if content.value is staging.UNDEFINED or not isinstance(state, StateSlot):
                continue
            value = self._inside(content.value, content.structure.unflatten(leaves))
            self._placed[state.slot.identity] = value
            state.slot.write(value)

    def _inside(self, old: Any, symbols: Any) -> Any:
        if type(old) not in (list, dict, tuple):
            return symbols
        keys = list(old) if type(old) is dict else range(len(old))
        items = [self._inside(old[key], symbols[key]) for key in keys]
        if type(old) is tuple:
            return tuple(items)
        self._shared[id(old)] = old
        for key, item in zip(keys, items, strict=True):
            self._placed[id(old), key] = item
            old[key] = item
        return old

    # -- lists, dicts and sets as a whole ----------------------------------------------------------

    def _containers(self) -> list[CarriedContainer]:
        return [state for state in self.slots.values() if isinstance(state, CarriedContainer)]

    def _leave_containers(self) -> None:
        for container in self._containers():
            if container.proxy is not None:
                container.leave()
                self.heap.put_in_place(container.proxy, container.slot.read())

    def _can_carry(self, holder: Any) -> bool:
        """Whether a container that outlives the call can be carried as a whole."""
        return (
            self._numbers
            and self.heap.knows(holder)
            and (columns_of(holder) is not None and bool(self.heap.references_to(holder)))
        )

    def _learn_container(self, holder: Any) -> bool:
        """Carry a container that the function changes as a whole; whether that is possible."""
        if id(holder) in self._shared:
            return self._release(holder)
        if not self._can_carry(holder):
            return False
        references = self.heap.references_to(holder) or []
        slot: Any = ContainerSlot(holder, self.heap.label_of(holder))
        links = self.heap.links([slot])
        self.slots[slot.identity] = CarriedContainer(slot, references, links)
        self.is_incomplete = True
        return True

    def _release(self, holder: Any) -> bool:
        """Let a slot have no inputs, since what it holds may be carried as a whole."""
        states = zip(self.slots, self.inputs, strict=False)
        self.released = {identity for identity, content in states if content.value is holder}
        self.is_incomplete = self.is_incomplete or bool(self.released)
        return self._numbers and bool(self.released)

    def _learn_array(self, holder: Any) -> bool:
        """Stage an array that the function makes; whether that is possible."""
        is_array = isinstance(holder, np.ndarray)
        self.has_arrays = is_array and self._creations.learn(holder, self.heap.knows)
        return self.has_arrays

    # -- meanwhile ------------------------------------------------------------------------------

    def _trace(self, graph: FuncGraph, args: Any, kwargs: Any) -> Any:
        """Call the function; save the contents of slots before each operation that may raise."""
        self.raised.tracing = self
        if self.saved is None:
            with raise_tracking.observed(self.raised.state_before):
                return self._call_python(graph, args, kwargs)
        graph.runs_everything = True  # in program order, with what is saved in between
        with raise_tracking.in_try_body(self.saved) as home:
            home.append(graph)
            return self._call_python(graph, args, kwargs)

    def _call_python(self, graph: FuncGraph, args: Any, kwargs: Any) -> Any:
        """Call the function; return None where a run raises after its effects."""
        try:
            with staging.refuse_outside_world(self._numbers):
                return self._python(*args, **kwargs)
        except NeverReturnsError:
            if not holds_raise(graph):
                raise
            self.never_returns = True
        except BaseException as error:
            comes_first = self._known or self._takes_containers or self._changes()
            comes_first = comes_first or any(map(is_visible, graph.operations))
            staged = any(map(self.heap.holds_staged, error.args))
            if not (comes_first or staged) or not staging.stages(error, self.heap.backend):
                raise
            self.never_returns = True
        return None

    def save(self, raises: Any) -> list[Any] | None:
        """Save the contents of slots before an operation that may raise."""
        if isinstance(raises, BaseException):
            self._learn(self._changes())
        graph: Any = dispatch.current()
        changed = self._changed_slots()
        at_start = self._last_save is None and not changed and graph.kind == "function"
        if not self._known or at_start or self._is_saved(graph, changed):
            return None
        self._last_save = graph, changed
        layout = self._written_values(changed, graph)
        self.raised.layouts.append(layout)
        return [len(self.raised.layouts) - 1, *[t for w in layout for t in w.tensors]]

    def _is_saved(self, graph: FuncGraph, changed: list[tuple[staging.OutlivingSlot, Any]]) -> bool:
        """Return whether these values were the last to be saved, in the same graph."""
        if self._last_save is None or self._last_save[0] is not graph:
            return False
        saved = self._last_save[1]
        return len(saved) == len(changed) and all(
            slot is saved_slot and value is saved_value
            for (slot, value), (saved_slot, saved_value) in zip(changed, saved, strict=True)
        )

    # -- afterwards -----------------------------------------------------------------------------

    def _finish(self, graph: FuncGraph) -> None:
        self._learn(self._changes())
        self._creations.check_joined()
        for holder in self._shared.values():
            keys = list(holder) if type(holder) is dict else range(len(holder))
            before = [key for holder_id, key in self._placed if holder_id == id(holder)]
            if list(keys) != before or any(
                holder[key] is not self._placed[id(holder), key] for key in keys
            ):
                raise self._in_place(self.heap.label_of(holder)).of(holder)
        for label, array, content in self._arrays:
            if array.storage is None or array.storage.content is not content:
                raise self._in_place(label)
        if not self.is_incomplete:
            self.written = self._written_values(self._changed_slots(), graph)

    def _in_place(self, label: str) -> EffectError:
        change = "which changes in place and is replaced as a whole in other calls"
        return self.heap.refusal(label, change)

    def _changes(self) -> dict[staging.OutlivingSlot, Any]:
        """Return the slots whose staged values differ from those at the start."""
        changes = self.heap.staged_changes()
        return {
            slot: value for slot, value in changes.items()
            if self._placed.get(slot.identity, staging.UNDEFINED) is not value
        }  # fmt: skip

    def _changed_slots(self) -> list[tuple[staging.OutlivingSlot, Any]]:
        """Return the known slots that have changed since the start, with their contents."""
        placed = self._placed
        values = [
            (state.slot, state.final(placed.get(identity, staging.UNDEFINED)))
            for identity, state in self.slots.items()
        ]
        return [(slot, value) for slot, value in values if value is not UNCHANGED]

    def _learn(self, changes: dict[staging.OutlivingSlot, Any]) -> None:
        """Record new slots, and new types of values that are written to slots."""
        for slot, value in changes.items():
            if slot.identity[0] in self._shared:
                raise self._in_place(slot.label).of(self._shared[slot.identity[0]])
            state = self.slots.get(slot.identity)
            if state is None:
                state = self.slots[slot.identity] = StateSlot(slot)
                self.is_incomplete = True
            before = self._before.get(slot.identity)
            if before is None:
                before = self._before[slot.identity] = state.inputs_of(self.heap.remembered(slot))
            self.is_incomplete = state.learn(before, value) or self.is_incomplete

    def _written_values(
        self, changed: Iterable[tuple[staging.OutlivingSlot, Any]], graph: FuncGraph
    ) -> list[WrittenValue]:
        layout = [self._written_value(slot, value, graph) for slot, value in changed]
        for written in layout:
            check_carriable(written, self.heap)
        for container in self._containers():
            if container.final(None) is not UNCHANGED and container.has_other_items():
                items = "values of several classes, or others than numbers and texts"
                raise self.heap.refusal(container.slot.label, f"which is given {items}")
        return layout

    def _written_value(self, slot: Any, value: Any, graph: FuncGraph) -> WrittenValue:
        writer = "which a function that is given to cond, while_loop or their like writes"
        try:
            return WrittenValue(slot, value, graph)
        except StructureJoinError as error:
            error.where = self.heap.refusal(slot.label, writer).where or error.where
            raise
        except InaccessibleTensorError:
            raise self.heap.refusal(slot.label, writer) from None
