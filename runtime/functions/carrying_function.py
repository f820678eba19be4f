"""Concrete functions whose calls carry state: read before the graph runs, written back after it.

function.py makes one of what state_trace.py found, and keeps it by the types of the state.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from autograph import staging
from runtime.eager.tensor import Tensor, call_kernel, wrap
from runtime.functions.carried_state import SlotInput, StateSlot, WrittenValue
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.mutation_check import check_unchanged
from runtime.functions.number_results import NumberTrace
from runtime.functions.output_packing import as_output
from runtime.functions.signature import BoundCall, FunctionSignature
from runtime.functions.state_trace import StateTrace
from runtime.functions.trace_arguments import inputs_of
from runtime.functions.trace_lock import TraceLock
from runtime.graph import optional_nest
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import call_graph, current_graph
from runtime.ops import dispatch
from runtime.ops.dispatch import ACTIVE
from runtime.state.lifted_initializer import check_spent, created_variables
from runtime.types.errors import UnfitArgumentError

MOST_ROUNDS = 20
"""How often a function is traced at most until its state is known."""

SLOTS_LOCK = TraceLock()
"""Who has it may let slots hold inputs of a graph, or write results to them."""


class _CarriesState(ConcreteFunction):
    """What traces share that carry state from call to call, whatever they take and return."""

    carries_state = True

    def __init__(self, name: str, call: BoundCall, python: StateTrace, *more: Any) -> None:
        self._tracing: StateTrace | None = python
        super().__init__(name, call, python, *more)
        self._tracing = None
        self._slots: list[StateSlot] = list(python.slots.values())
        self._state_key = tuple([given.key for given in python.inputs])
        self._written_slots: list[WrittenValue] = python.written
        assert python.saved is not None
        self._raised, self._saved = python.raised, python.saved

    def _state_outputs(self) -> Sequence[SymbolicTensor]:
        assert self._tracing is not None
        return [tensor for one in self._tracing.written for tensor in one.tensors]

    def keyed(self, call: BoundCall) -> BoundCall:
        """The call, with the key of the state that the trace was made for."""
        return call._replace(key=(call.own_key, self._state_key))

    def fits(self, state: Sequence[SlotInput]) -> bool:
        """Whether calls may start from a state."""
        return tuple([given.key for given in state]) == self._state_key

    def _step(
        self, state: Sequence[SlotInput], run: Callable[[list[Any]], Sequence[Any]]
    ) -> Sequence[Any]:
        """What a run gives for the state, which is written back when it ends or raises."""
        self._saved.stack.append(None)
        try:
            outputs = run([tensor for given in state for tensor in given.tensors()])
        except BaseException:
            saved = self._saved.stack.pop()
            if saved is not None:
                number, *arrays = saved
                _write(self._raised.layouts[int(number)], map(wrap, arrays))
            raise
        self._saved.stack.pop()
        count = len(outputs) - sum([len(one.tensors) for one in self._written_slots])
        _write(self._written_slots, map(_as_tensor, outputs[count:]))
        return outputs[:count]


class CarryingFunction(_CarriesState):
    """Trace of a function that carries state from call to call."""

    def run_call(self, call: BoundCall) -> Any:
        """The result of a call of the function, whose state has been looked up."""
        return self._run(inputs_of(call), call.state)

    def run(self, tensors: Sequence[Any]) -> Any:
        """As of a concrete function; what follows from the state is written back."""
        state = read_slots(self._slots)
        if not self.fits(state):
            raise UnfitArgumentError(
                f"{self._name}(): the state that it carries from call to call, "
                f"{', '.join(s.slot.label for s in self._slots)}, has other types by now than this "
                "trace was made for; call the function itself, which traces again"
            )
        return self._run(tensors, state)

    def compute(self, arrays: Sequence[Any]) -> Any:
        """As ``run``, for arrays."""
        return self.run([wrap(array) for array in arrays])

    def _run(self, tensors: Sequence[Any], state: Sequence[SlotInput]) -> Any:
        self.calls.add()
        outputs = self._step(state, lambda more: self._outputs_for([*tensors, *more]))
        return self.packed(outputs)

    def _outputs_for(self, inputs: Sequence[Any]) -> Sequence[Any]:
        if ACTIVE or self.graph.captures or any(type(one) is not Tensor for one in inputs):
            return call_graph(self.graph, inputs)
        arrays = [one._array for one in inputs]
        return [wrap(array) for array in call_kernel(dispatch.run_graph, self.graph, arrays)]


class CarryingNumberTrace(_CarriesState, NumberTrace):
    """Trace of a function of ``runtime.jit`` that carries state from call to call."""

    def _run_arrays(self, call: BoundCall, arrays: list[Any]) -> Sequence[Any]:
        state = call.state or read_slots(self._slots)
        return self._step(
            state, lambda more: super(CarryingNumberTrace, self)._run_arrays(
                call, [*arrays, *(tensor._array for tensor in more)]
            )
        )  # fmt: skip


def _as_tensor(output: Any) -> Any:
    return output if isinstance(output, Tensor) else wrap(output)


def _write(written: Sequence[WrittenValue], outputs: Iterator[Any]) -> None:
    with SLOTS_LOCK.acquire():
        for one in written:
            one.write(outputs)


def read_slots(slots: Sequence[StateSlot]) -> list[SlotInput]:
    """What slots hold now, none of them an input of a trace that another thread makes."""
    with SLOTS_LOCK.acquire():
        return [state.read() for state in slots]


class CarriedState:
    """The slots that the calls of a function carry, by the keys of the calls."""

    def __init__(self, name: str, parameters: FunctionSignature | None) -> None:
        self._name = name
        self._parameters = parameters
        """Those of a function of ``runtime.jit``; None for any other."""
        self._slots: dict[Hashable, list[StateSlot]] = {}
        self.any = False
        """Whether any call was found to carry state."""

    def keyed(self, call: BoundCall) -> BoundCall:
        """The call, with the state that it starts from in its key."""
        slots = self._slots.get(call.own_key)
        if slots is None:
            return call
        if any(state.slot.is_gone for state in slots):
            del self._slots[call.own_key]
            return call._replace(key=call.own_key, state=())
        state = read_slots(slots)
        key = call.own_key, tuple([given.key for given in state])
        return call._replace(key=key, state=tuple(state))

    def clear(self) -> None:
        """Forget all."""
        self._slots.clear()

    def trace(
        self, call: BoundCall, python: Callable[..., Any], first: bool, alone: bool
    ) -> tuple[ConcreteFunction | None, list[Any]]:
        """A trace for a call, and the variables that were made for it.

        It is made again until the state that it carries is known.  None inside of a graph, unless
        it is made ``alone``: for state, which is that of the graph's own trace, and where every
        run raises.  ValueError when variables are made though it is not the ``first`` trace.
        """
        made: list[Any] = []
        before = None
        for _ in range(MOST_ROUNDS):
            slots = self._slots.get(call.own_key, ())
            tracing = StateTrace(python, call, slots)
            with SLOTS_LOCK.acquire() if slots else contextlib.nullcontext():
                trace = self._traced(call, tracing)
            new = created_variables(trace.graph)
            if before is not None:
                check_spent(before, trace.graph)
            elif new and first:  # once is fine: would every call make them?
                made, before = list(new), trace.graph
                self._note(call, tracing)
                continue
            if new:
                raise _makes_variables(self._name, new[0])
            is_part = current_graph() is not None and not alone
            if not tracing.found:
                return None if is_part and tracing.never_returns else trace, made
            tracing.undo()
            self._note(call, tracing)
            if is_part:
                return None, made
        raise RuntimeError(
            f"{self._name}: the types of what it carries from call to call still changed after "
            f"{MOST_ROUNDS} traces"
        )

    def _traced(self, call: BoundCall, tracing: StateTrace) -> ConcreteFunction:
        if self._parameters is not None:
            kind = CarryingNumberTrace if tracing.slots else NumberTrace
            return kind(self._name, call, tracing, self._parameters)
        return (CarryingFunction if tracing.slots else ConcreteFunction)(self._name, call, tracing)

    def _note(self, call: BoundCall, tracing: StateTrace) -> None:
        if tracing.found:
            self.any = True
            self._slots[call.own_key] = list(tracing.slots.values())


def inlined(python: Callable[..., Any], name: str, call: BoundCall, graph: Graph) -> Any:
    """Call a function as part of a graph: what it writes is written by the trace of that."""
    given, own = [call.replace_tensors(call.tensors) for _ in range(2)]
    count = len(call.args)
    kwargs = dict(zip(call.kwargs, own[count:], strict=True))
    result = staging.detect_recursion(python)(*own[:count], **kwargs)
    check_unchanged(name, [label for label, _ in call.labels], given, own)
    return optional_nest.map_inside(lambda leaf: as_output(leaf, graph, name), result)


def _makes_variables(name: str, variable: Any) -> ValueError:
    return ValueError(
        f"{name}: a runtime.function may create variables on its first call only, "
        f"but this call made {variable!r}. tf.function only supports singleton tf.Variables "
        "created on the first call: make variables outside of the function, or once: "
        "`if self.v is None: self.v = Variable(...)`."
    )
