"""State that the calls of one function carry, and its traces, which find out what that is.

function.py keeps the traces by the types of the state.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from autograph import staging
from runtime.engine.python_scalar_kernels import NumberKindError
from runtime.functions.cache_key import equal_by_value
from runtime.functions.carried_state import (
    SLOTS_LOCK,
    CarriedSlot,
    SlotInput,
    changed_numbers,
    number_slot,
)
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.mutation_check import first_change, refusal
from runtime.functions.results import as_output
from runtime.functions.signature import BoundCall, FunctionSignature
from runtime.functions.state_trace import StateTrace
from runtime.graph.trace import current_graph
from runtime.staging.values import optional_nest
from runtime.state.lifted_initializer import check_spent, created_variables

MOST_VARIANTS = 16
"""For so many sets of objects at most, the slots of calls with one key are known."""

MOST_ROUNDS = 20
"""How often a function is traced at most until its state is known."""

MOST_CALLS = 100
"""For so many kinds of calls at most, it is known which loops were unrolled."""


class StateVariant:
    """Slots that calls carry while the same references lead to the objects that hold them.

    number   tells variants of one call apart in the keys of traces
    """

    def __init__(self, number: int, slots: list[CarriedSlot], staged: bool = False) -> None:
        self.number = number
        self.slots = slots
        self.links: list[Any] = []
        self.arguments: list[staging.ObjectAttributes] = []
        """The arguments that the key of the call compares by their own ``__eq__``."""
        self.staged = staged
        """Whether slots were added that are only read, as numbers that change."""

    @property
    def depends(self) -> bool:
        """Whether calls depend on anything besides their arguments."""
        return bool(self.slots or self.links)

    @property
    def is_gone(self) -> bool:
        """Whether an object with one of the slots does not exist any more."""
        return any(state.slot.is_gone for state in self.slots)

    def holds(self, call: BoundCall) -> bool:
        """Whether a call would reach the same objects."""
        return self.takes(call) and not self.broken_links() and not self.is_gone

    def takes(self, call: BoundCall) -> bool:
        """Whether the arguments of a call are the same, not only equal."""
        if not self.arguments:
            return True
        identity, arguments = bool(self.slots), equal_by_value(call.leaves)
        return all(
            mine.same(its, identity) for mine, its in zip(self.arguments, arguments, strict=True)
        )

    def note_arguments(self, call: BoundCall) -> None:
        """Note the arguments of the call that the variant is for."""
        self.arguments = equal_by_value(call.leaves)

    def broken_links(self) -> list[Any]:
        """The links that refer to other objects by now."""
        return [link for link in self.links if not link.holds]

    def read(self) -> list[SlotInput]:
        """What the slots hold now."""
        return [state.read() for state in self.slots]


class CarriedState:
    """The slots that the calls of a function carry, by the keys of the calls."""

    def __init__(
        self, name: str, parameters: FunctionSignature | None, undoes_refused: bool = False
    ) -> None:
        """Begin empty.  Where a trace that raises is followed by a call as plain Python, what the
        function wrote until then has to be undone: ``undoes_refused``.
        """
        self._undoes_refused = undoes_refused
        self._name = name
        self._parameters = parameters
        """Those of a function of ``runtime.jit``; None for any other."""
        self._variants: dict[Hashable, list[StateVariant]] = {}
        """The latest first."""
        self._numbers = itertools.count()
        self._creations = staging.ArrayCreations()
        self._loops: dict[Hashable, staging.LongLoops] = {}
        """What traces found out of long loops."""
        self._constants: set[Any] = set()
        """Slots with numbers that a trace has to know."""
        self.any = False
        """Whether any call was found to carry state."""

    def with_state(self, call: BoundCall) -> BoundCall:
        """The call, with the state that it starts from in its key."""
        if call.own_key not in self._variants:
            return call
        with SLOTS_LOCK.acquire():
            variant = self._variant(call)
            state = () if variant is None else tuple(variant.read())
        number = None if variant is None else variant.number
        keys = tuple([content.key for content in state])
        return call._replace(key=(call.own_key, number, keys), state=state)

    def _variant(self, call: BoundCall) -> StateVariant | None:
        """The variant whose objects a call would reach."""
        for variant in self._variants.get(call.own_key, ()):
            if variant.holds(call):
                return variant
        return None

    def changed_labels(self, call: BoundCall) -> list[str]:
        """The names of what calls read besides their arguments, and that differs by now."""
        for latest in self._variants.get(call.own_key, ())[:1]:
            broken = latest.broken_links()
            return [link.slot.label for link in broken] or [s.slot.label for s in latest.slots]
        return []

    def clear(self) -> None:
        """Forget all."""
        self._variants.clear()

    def trace(
        self, call: BoundCall, python: Callable[..., Any], first: bool, alone: bool
    ) -> tuple[ConcreteFunction | None, list[Any]]:
        """A trace for a call, and the variables that were made for it.

        It is made again until the state that it carries is known.  None inside of a graph, unless
        it is made ``alone``: for state, which is that of the graph's own trace, and where every
        run raises.  ValueError when variables are made though it is not the ``first`` trace.
        """
        while True:
            variants = self._variants.get(call.own_key, [])
            trace_and_variables = self._try_trace(call, python, first, alone)
            if trace_and_variables is not None:
                return trace_and_variables
            self._variants[call.own_key] = variants

    def _try_trace(
        self, call: BoundCall, python: Callable[..., Any], first: bool, alone: bool
    ) -> tuple[ConcreteFunction | None, list[Any]] | None:
        """As ``trace``; None where it has to start again, since a loop has to be unrolled."""
        variables: list[Any] = []
        before = None
        released: set[Any] = set()
        variant = self._variant(call) or self._new_variant(call)
        for _ in range(MOST_ROUNDS):
            slots = variant.slots
            numbers = self._parameters is not None
            tracing = StateTrace(python, call, slots, self._creations, numbers)
            try:
                with SLOTS_LOCK.acquire() if slots else contextlib.nullcontext():
                    trace = self._make_trace(call, tracing)
            except Exception as error:
                if self._unrolls_more(call, tracing, error):
                    return None
                if self._undoes_refused:
                    tracing.undo()
                if not variant.staged:
                    raise
                self._constants.update(state.slot.identity for state in slots)
                variant = StateVariant(next(self._numbers), [])  # where a number must be known
                continue
            if self._unrolls_more(call, tracing):
                return None
            trace.variant, trace.unrolled_loops = variant, self._loops_of(call).report()
            trace.arrays.outside = tracing.outside_arrays() if trace.arrays.written else ()
            new = created_variables(trace.graph)
            if before is not None and not new:
                check_spent(before, trace.graph)
            elif before is None and new and first:  # once is fine: would every call make them?
                variables, before = list(new), trace.graph
                self._note(call, tracing, variant)
                continue
            if new:
                raise _makes_variables(self._name, new[0])
            if tracing.has_arrays:
                tracing.undo()
                continue
            is_part = current_graph() is not None and not alone
            if not tracing.is_incomplete:
                self._note_reads(call, tracing, variant)
                return None if is_part and tracing.never_returns else trace, variables
            tracing.undo()
            if tracing.released:
                variant = self._without(tracing, slots, released)
                continue
            self._note(call, tracing, variant)
            if is_part:
                return None, variables
        raise RuntimeError(
            f"{self._name}: the types of what it carries from call to call still changed after "
            f"{MOST_ROUNDS} traces"
        )

    def _unrolls_more(
        self, call: BoundCall, tracing: StateTrace, error: Exception | None = None
    ) -> bool:
        """Whether the next trace unrolls more loops: the last one failed, or may be inexact."""
        loops = self._loops_of(call)
        if not loops.any or (not loops.doubtful if error is None else staging.is_deliberate(error)):
            return False
        unrolls_more = loops.unroll_more(error)
        if unrolls_more:
            tracing.undo()
        return unrolls_more

    def _loops_of(self, call: BoundCall) -> staging.LongLoops:
        """Return the long loops in traces for such calls."""
        loops = self._loops.get(call.own_key)
        if loops is None:
            if len(self._loops) == MOST_CALLS:
                self._loops.clear()
            loops = staging.LongLoops(warns=self._parameters is None)
            self._loops[call.own_key] = loops
        return loops

    def lifts_limit(self, call: BoundCall, error: Exception) -> bool:
        """Whether the next traces for such calls do without what a run met the limit of: loops that
        were staged, or ints to staged powers that were no floats.
        """
        loops = self._loops_of(call)
        if isinstance(error, NumberKindError) and not loops.joins_powers:
            loops.joins_powers = True
            return True
        return loops.any and loops.unroll_all(error)

    def _without(
        self, tracing: StateTrace, slots: Sequence[CarriedSlot], released: set[Any]
    ) -> StateVariant:
        """A variant in which what some slots hold changes in place, noted in ``released``."""
        if tracing.refusal is not None and not released.isdisjoint(tracing.released):
            raise tracing.refusal  # the slots are given other values as well
        released |= tracing.released
        remaining = [state for state in slots if state.slot.identity not in released]
        return StateVariant(next(self._numbers), remaining)

    def _make_trace(self, call: BoundCall, tracing: StateTrace) -> ConcreteFunction:
        loops = self._loops_of(call)
        loops.begin()
        with staging.staging_long_loops(loops):
            return ConcreteFunction(self._name, call, tracing, self._parameters)

    def _note(self, call: BoundCall, tracing: StateTrace, variant: StateVariant) -> None:
        """Note the slots that a trace found, for the objects that it found them in."""
        if tracing.is_incomplete:
            variant.slots, variant.links = list(tracing.slots.values()), tracing.links()
            self._add(call, variant)

    def _note_reads(self, call: BoundCall, tracing: StateTrace, variant: StateVariant) -> None:
        """Note what else the calls of a variant depend on."""
        if self._parameters is not None:
            variant.links = tracing.reads()
        elif not variant.slots:  # carried nothing, where other objects would be written
            variants = self._variants.get(call.own_key, ())
            broken = [link for v in variants for link in v.broken_links() if v is not variant]
            variant.links = [staging.Link(link.slot, link.slot.read()) for link in broken]
        if variant.slots or variant.links:
            self._add(call, variant)

    def _add(self, call: BoundCall, variant: StateVariant) -> None:
        self.any = True
        variant.note_arguments(call)
        variants = self._variants.get(call.own_key, ())
        if variant not in variants:
            living = [v for v in variants if not v.is_gone]
            self._variants[call.own_key] = [variant, *living[: MOST_VARIANTS - 1]]

    def _new_variant(self, call: BoundCall) -> StateVariant:
        """A variant for objects or values that are reached for the first time.

        What differs from the latest one only by numbers takes them as inputs.
        """
        number = next(self._numbers)
        for latest in self._variants.get(call.own_key, ())[:1]:
            if not latest.takes(call):
                break
            changed = [slot for link in latest.broken_links() for slot in changed_numbers(link)]
            if self._parameters is None or latest.is_gone or None in changed:
                break
            slots = [slot for slot in changed if slot is not None]
            if any(slot.identity in self._constants for slot in slots):
                break
            return StateVariant(number, [*latest.slots, *map(number_slot, slots)], staged=True)
        return StateVariant(number, [])


def key_of(trace: ConcreteFunction, call: BoundCall) -> BoundCall:
    """The call that a trace was made for, with the key to keep the trace by."""
    variant: StateVariant | None = trace.variant
    if variant is None or not (variant.slots or variant.links):
        return call
    state_key = () if trace.carried is None else trace.carried.key
    return call._replace(key=(call.own_key, variant.number, state_key))


def call_inline(python: Callable[..., Any], name: str, call: BoundCall) -> Any:
    """Call a function as part of a graph: what it writes is written by the trace of that."""
    graph: Any = current_graph()
    before, arguments = [call.replace_tensors(call.tensors) for _ in range(2)]
    result = call.apply(staging.detect_recursion(python), arguments)
    labels = [label for label, _ in call.labels]
    if change := first_change(zip(labels, before, arguments, strict=True)):
        raise refusal(name, *change, python)
    return optional_nest.map_inside(lambda leaf: as_output(leaf, graph, name), result)


def _makes_variables(name: str, variable: Any) -> ValueError:
    return ValueError(
        f"{name}: a runtime.function may create variables on its first call only, "
        f"but this call made {variable!r}. tf.function only supports singleton tf.Variables "
        "created on the first call: make variables outside of the function, or once: "
        "`if self.v is None: self.v = Variable(...)`."
    )
