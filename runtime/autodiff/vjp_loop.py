"""Derivatives of loops: a loop that goes back over the turns.

The body saves, turn by turn, what its derivative reads of it: on a list, which the loop back takes
them off again.  What does not change from turn to turn is not saved.  The loop back carries the
gradients of the loop variables, and adds up those of everything else that the body takes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.autodiff.backprop import (
    Found,
    Gradient,
    VjpRequest,
    accumulated,
    rule,
    zeros_for,
    zeros_of,
)
from runtime.autodiff.captured_sources import hidden_sources, sources_of
from runtime.autodiff.dependencies import HIDDEN, closure, dependencies
from runtime.autodiff.graph_edit_cache import made_once
from runtime.autodiff.graph_editing import spliced
from runtime.autodiff.loop_checkpointing import CHUNKED, chunked, recomputing_vjp_graph
from runtime.autodiff.loop_invariants import computed, invariant
from runtime.autodiff.loop_signature import (
    LoopSignature,
    LoopVariable,
    loop_signature,
    place_of_new,
    with_variable,
)
from runtime.autodiff.vjp_call import numbers, plain
from runtime.autodiff.vjp_graph import VjpGraph, make_vjp_graph
from runtime.control_flow.while_builder import Policy, WhileBuilder
from runtime.graph.extensions import insert_before, newest
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.trace import record_scan, set_outputs, trace
from runtime.ops import dispatch as interpreter
from runtime.ops.array.constants import constant_op
from runtime.ops.array.indexing import getitem
from runtime.ops.control_flow.cond_while import scan_op, while_op
from runtime.ops.math.elementwise import add
from runtime.ops.resource.list_gradients import spec_of
from runtime.ops.resource.lists import LIST, list_len, list_new, list_pop, list_push
from runtime.ops.resource.variable import Place, read_op
from runtime.types.dtypes import int64, variant
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

COUNT = TensorSpec(SCALAR_SHAPE, int64)


class LoopVjp(NamedTuple):
    """A loop whose body saves what its derivative reads.

    form     the loop as it was before
    carried  the numbers of the loop variables that gradients go through
    kept     what each turn saves; nothing when the turns need only be counted
    fixed    what the derivative reads that is the same in all turns, though computed in each
    place    the number of the output that holds what was saved; None: nothing, nor a count
    """

    form: LoopSignature
    pair: VjpGraph
    carried: tuple[int, ...]
    kept: tuple[SymbolicTensor, ...]
    fixed: tuple[SymbolicTensor, ...]
    place: int | None


@rule(while_op)
@rule(scan_op)
def loop_gradients(step: VjpRequest) -> tuple[Sequence[Gradient | None], Found]:
    """The gradients of what a loop starts with and takes: a loop back over its turns."""
    node = step.node
    wanted = {id(t) for t, want in zip(node.inputs, step.wants, strict=True) if want}
    key = (numbers(step.gradients), tuple(sorted(wanted)), step.hidden)
    saving: LoopVjp = made_once(node, key, lambda: _saving(step))
    back = _Back(step._replace(node=newest(node)), saving)
    found = back.record() if saving.pair.gives or saving.carried else {}
    form = loop_signature(node)
    inputs: list[Any] = [None] * len(node.inputs)
    before = saving.form
    for number in saving.carried:
        inputs[form.variables[number].start] = found[before.variables[number].taken]
    for old, new in zip(before.others, form.others, strict=True):
        inputs[new.start] = found.get(old.taken)
    given = [g if id(t) in wanted else None for g, t in zip(inputs, node.inputs, strict=True)]
    return given, {key: found[key] for key in step.hidden if key in found}


def _saving(step: VjpRequest) -> LoopVjp:
    """Make the body save, and the loop give what was saved."""
    node = step.node
    if node.attrs.get("checkpoint", 0) > 0:
        wanted = {id(t) for t, want in zip(node.inputs, step.wants, strict=True) if want}
        node = chunked(node)
        step = step._replace(node=node, wants=[id(t) in wanted for t in node.inputs])
    form = loop_signature(node)
    body = form.body
    read = sources_of(body)
    hidden = tuple([key for key in step.hidden if key in read])
    active = set(numbers(step.gradients))
    rows = [row.given for row in form.rows if row.end in active]
    carried = _carried(step, form, hidden, rows)
    others = [other.taken for other in form.others if step.wants[other.start]]
    taken = [form.variables[number].taken for number in carried]
    given = [form.variables[number].given for number in carried]
    make = recomputing_vjp_graph if node.attrs.get("checkpoint") == CHUNKED else make_vjp_graph
    pair = make(body, (*given, *rows), (*taken, *others), hidden)
    kept, fixed = _kept(pair, form)
    place = None
    if kept or form.counter is None:
        place = _save(node, pair, kept)
    return LoopVjp(form, pair, tuple(carried), kept, fixed, place)


def _carried(
    step: VjpRequest, form: LoopSignature, hidden: Sequence[Hashable], rows: Sequence[int]
) -> list[int]:
    """The loop variables that gradients go through from turn to turn."""
    depends = dependencies(form.body, hidden)
    number_of = {variable.taken: k for k, variable in enumerate(form.variables)}
    varied = {other.taken for other in form.others if step.wants[other.start]} | {HIDDEN}
    behind = [
        {number_of[i] for i in depends[v.given] if i in number_of} for v in form.variables
    ]
    ahead: list[set[int]] = [set() for _ in form.variables]
    for number, before in enumerate(behind):
        for other in before:
            ahead[other].add(number)
    reached = {k for k, v in enumerate(form.variables) if step.gradients[v.end] is not None}
    for row in rows:
        reached |= {number_of[i] for i in depends[row] if i in number_of}
    moved = {
        k for k, v in enumerate(form.variables) if step.wants[v.start] or depends[v.given] & varied
    }
    both = closure(reached, lambda k: behind[k]) & closure(moved, lambda k: ahead[k])
    return sorted(both)


def _kept(
    pair: VjpGraph, form: LoopSignature
) -> tuple[tuple[SymbolicTensor, ...], tuple[SymbolicTensor, ...]]:
    """What a turn has to save: what is read and neither at hand nor the same in all turns.

    And what is the same, but has to be computed before the loop back.
    """
    same = {id(pair.taken[other.taken]) for other in form.others}
    same |= {id(pair.taken[v.taken]) for v in form.variables if _stays(pair, v)}
    fixed = invariant(pair.forward, pair.reads, same)
    known = same | set(map(id, fixed))
    if form.counter is not None:
        known.add(id(pair.taken[form.counter]))
    kept = {id(t): t for t in pair.reads if id(t) not in known}
    return tuple(kept.values()), tuple(fixed)


def _stays(pair: VjpGraph, variable: LoopVariable) -> bool:
    """Whether a loop variable has one value all the time."""
    return pair.outputs[variable.given] is pair.taken[variable.taken]


def _save(node: Operation, pair: VjpGraph, kept: Sequence[SymbolicTensor]) -> int:
    """Extend the loop by one more variable, which holds what the turns save, or their number.

    The number of the output that holds it after the loop.
    """
    forward, form = pair.forward, loop_signature(node)
    with interpreter.using(forward):
        holder = forward.add_input(LIST if kept else COUNT, place=place_of_new(form))
        after = list_push(holder, *kept) if kept else add(holder, np.int64(1))
    forward.freeze([*pair.outputs, after])
    if kept:
        start = insert_before(node, list_new, (), {"width": 0, "count": 0}, LIST)
    else:
        start = insert_before(node, constant_op, (), {"value": np.array(0)}, COUNT)
    return len(with_variable(node, forward, start, holder).outputs) - 1


class _Back:
    """The loop back over the turns of a loop that saved."""

    def __init__(self, step: VjpRequest, saving: LoopVjp) -> None:
        self.step = step
        self.saving = saving
        self.form = saving.form
        self.pair = saving.pair
        self.now = loop_signature(step.node)
        variables = [self.form.variables[k] for k in saving.carried]
        carried = {v.taken for v in variables}
        self.sums = [key for key in self.pair.gives if key not in carried]
        """The keys of the gradients that are added up over the turns."""
        self.variables = variables
        self.known: dict[int, Any] = {}

    def record(self) -> Found:
        """Record it; the gradients by number of the body's input, or hidden key."""
        node, saving = self.step.node, self.saving
        self.known = computed(saving.fixed, self._at_hand())
        start = [self._seed(v) for v in self.variables] + [self._zeros(key) for key in self.sums]
        base = self.pair.base
        specs = [plain(base.inputs[v.taken].spec) for v in self.variables]
        specs += [spec_of(value) for value in start[len(specs) :]]
        if saving.place is not None:
            start.insert(0, node.outputs[saving.place])
            specs.insert(0, LIST if saving.kept else COUNT)
        if self.form.counter is None:
            outputs = self._while(start, specs)
        else:
            outputs = self._scan(start, specs)
        if saving.place is not None:
            outputs = outputs[1:]
        keys = [*[v.taken for v in self.variables], *self.sums]
        return dict(zip(keys, outputs, strict=True))

    def _while(self, start: list[Any], specs: list[TensorSpec]) -> list[Any]:
        listed = bool(self.saving.kept)
        builder = WhileBuilder(lambda: [(spec, False) for spec in specs], str, Policy.TRUSTED)
        test = builder.trace_test(
            lambda _, values: (list_len(values[0]) if listed else values[0]) > 0, "back"
        )
        body = builder.trace_body(lambda _, values: self._turn(None, values), "back")
        return builder.record(test, body, start, f"{self.step.node.name}_back")

    def _scan(self, start: list[Any], specs: list[TensorSpec]) -> list[Any]:
        node = self.step.node
        inputs = [(spec, False) for spec in (COUNT, *specs)]
        body, after = trace("loop body", "back", lambda k, *v: self._turn(k, v), inputs)
        set_outputs(body, after)
        reverse = not node.attrs["reverse"]
        return record_scan(body, node.inputs[0], start, reverse, f"{node.name}_back")

    def _turn(self, counter: Any, values: Sequence[Any]) -> list[Any]:
        """One turn back: the gradients before it, of those after it."""
        graph: Any = interpreter.current()
        values, held = list(values), []
        known = dict(self.known)
        if counter is not None:
            known[id(self.pair.taken[0])] = counter
        if self.saving.place is not None:
            holder = values.pop(0)
            if self.saving.kept:
                specs = tuple([plain(t.spec) for t in self.saving.kept])
                holder, *got = list_pop(holder, specs=specs)
                for tensor, value in zip(self.saving.kept, got, strict=True):
                    value.weak = tensor.weak
                    known[id(tensor)] = value
            else:
                holder = holder - np.int64(1)
            held.append(holder)
        count = len(self.variables)
        seeds = values[:count]
        for row in self.form.rows:
            if row.given in self.pair.active:
                seeds.append(getitem(self.step.gradients[row.end], counter))
        taken = [*seeds, *[known[id(t)] for t in self.pair.reads]]
        given = spliced(self.pair.backward, [graph.own(v) for v in taken], graph)
        found = dict(zip(self.pair.gives, given, strict=True))
        for variable, gradient in zip(self.variables, values, strict=False):
            if variable.taken not in found:
                found[variable.taken] = self._nothing(variable, gradient)
        sums = [accumulated(s, found[k]) for k, s in zip(self.sums, values[count:], strict=True)]
        return [*held, *[found[v.taken] for v in self.variables], *sums]

    def _at_hand(self) -> dict[int, Any]:
        """What the loop takes that is the same in all turns, by the tensor of the body."""
        inputs, taken = self.step.node.inputs, self.pair.taken
        known: dict[int, Any] = {  # eager tensors stay themselves: a second derivative finds them
            id(inner): eager for eager, inner in self.pair.forward._constants.values()
        }
        for old, new in zip(self.form.others, self.now.others, strict=True):
            known[id(taken[old.taken])] = inputs[new.start]
        for variable, now in zip(self.form.variables, self.now.variables):
            if _stays(self.pair, variable):
                known[id(taken[variable.taken])] = inputs[now.start]
        return known

    def _seed(self, variable: LoopVariable) -> Gradient:
        """The gradient of a loop variable after the loop."""
        gradient = self.step.gradients[variable.end]
        return zeros_for(self.step.node.outputs[variable.end]) if gradient is None else gradient

    def _zeros(self, key: Hashable) -> Gradient:
        """What a sum over the turns starts with."""
        if isinstance(key, Place):
            spec = TensorSpec(key.shape, key.dtype)
            if spec.shape.is_fully_defined():
                return zeros_of(spec)
            return zeros_for(interpreter.apply(read_op, (), {"place": key}))
        for old, new in zip(self.form.others, self.now.others, strict=True):
            if old.taken == key:
                return zeros_for(self.step.node.inputs[new.start])
        return zeros_of(spec_of(hidden_sources(self.step.node)[key]))

    def _nothing(self, variable: LoopVariable, gradient: Gradient) -> Gradient:
        """The gradient of a loop variable that a turn does not read."""
        spec = self.pair.base.inputs[variable.taken].spec
        known = spec.dtype is variant or spec.shape.is_fully_defined()
        return zeros_of(spec) if known else zeros_for(gradient)
