"""Vector-Jacobian products of ``while`` and ``scan``: a loop over the iterations in reverse.

In each iteration the forward loop pushes the residuals of its body, which are what the derivative
reads of it, on a list; the backward loop pops them.  Values that are the same in all iterations are
not pushed.  The backward loop carries the gradients of the loop variables and sums up the gradients
of everything else that the body reads.

This is reverse accumulation with a full trajectory (Griewank and Walther, "Evaluating Derivatives",
2nd ed., SIAM 2008, chapter 12).  loop_checkpointing.py trades computation for memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.autodiff.backprop import (
    Gradient,
    Gradients,
    VjpRequest,
    add_gradients,
    rule,
    zeros_for,
    zeros_of,
)
from runtime.autodiff.captured_sources import hidden_sources, sources_of
from runtime.autodiff.dependencies import HIDDEN, closure, dependencies
from runtime.autodiff.graph_edit_cache import make_once
from runtime.autodiff.graph_editing import inline_graph
from runtime.autodiff.loop_checkpointing import CHUNKED, chunk_loop, recomputing_vjp_graph
from runtime.autodiff.loop_invariants import compute_tensors, invariant
from runtime.autodiff.loop_signature import (
    LoopSignature,
    LoopVariable,
    loop_signature,
    new_variable_index,
    with_variable,
)
from runtime.autodiff.vjp_call import plain_spec, true_indices
from runtime.autodiff.vjp_graph import VjpGraph, make_vjp_graph
from runtime.control_flow.while_builder import Policy, WhileBuilder
from runtime.graph.extensions import insert_before, newest
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.trace import record_scan, set_outputs, trace
from runtime.ops import dispatch
from runtime.ops.array.constants import constant_op
from runtime.ops.array.indexing import getitem
from runtime.ops.control_flow.cond_while import scan_op, while_op
from runtime.ops.math.elementwise import add
from runtime.ops.resource.list_gradients import spec_of
from runtime.ops.resource.lists import LIST, list_len, list_new, list_pop, list_push
from runtime.ops.resource.variable import VariableStorage, read_op
from runtime.types.dtypes import int64, variant
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

COUNT = TensorSpec(SCALAR_SHAPE, int64)


class LoopVjp(NamedTuple):
    """Extended loop that saves the residuals of its body, and how to read them.

    signature        inputs and outputs of the loop before it was extended
    vjp_graph        the derivative of the body
    carried          indices of the loop variables through which gradients flow
    residuals        what an iteration saves; empty where it is enough to count the iterations
    invariants       residuals that are equal in all iterations, though each computes them
    residual_output  index of the loop's output that holds the saved list, or the count of
                     iterations; None where neither is needed
    """

    signature: LoopSignature
    vjp_graph: VjpGraph
    carried: tuple[int, ...]
    residuals: tuple[SymbolicTensor, ...]
    invariants: tuple[SymbolicTensor, ...]
    residual_output: int | None


@rule(while_op)
@rule(scan_op)
def loop_gradients(request: VjpRequest) -> tuple[Sequence[Gradient | None], Gradients]:
    """Gradients of the inputs of a loop, computed by a backward loop."""
    node = request.node
    wrt_ids = {id(t) for t, want in zip(node.inputs, request.wants, strict=True) if want}
    key = (true_indices(request.gradients), tuple(sorted(wrt_ids)), request.hidden)
    loop_vjp: LoopVjp = make_once(node, key, lambda: _make_loop_vjp(request))
    back = _BackwardLoop(request._replace(node=newest(node)), loop_vjp)
    by_input = back.record() if loop_vjp.vjp_graph.gradient_keys or loop_vjp.carried else {}
    now = loop_signature(node)
    inputs: list[Any] = [None] * len(node.inputs)
    before = loop_vjp.signature
    for number in loop_vjp.carried:
        inputs[now.variables[number].loop_input] = by_input[before.variables[number].body_input]
    for old, new in zip(before.external_inputs, now.external_inputs, strict=True):
        inputs[new.loop_input] = by_input.get(old.body_input)
    input_gradients = [
        g if id(t) in wrt_ids else None for g, t in zip(inputs, node.inputs, strict=True)
    ]
    return input_gradients, {key: by_input[key] for key in request.hidden if key in by_input}


def _make_loop_vjp(request: VjpRequest) -> LoopVjp:
    """Extend a loop so that its body saves residuals; the loop then returns them."""
    node = request.node
    if node.attrs.get("checkpoint", 0) > 0:
        wrt_ids = {id(t) for t, want in zip(node.inputs, request.wants, strict=True) if want}
        node = chunk_loop(node)
        request = request._replace(node=node, wants=[id(t) in wrt_ids for t in node.inputs])
    signature = loop_signature(node)
    body = signature.body
    read = sources_of(body)
    hidden = tuple([key for key in request.hidden if key in read])
    active = set(true_indices(request.gradients))
    rows = [row.body_output for row in signature.stacked_outputs if row.loop_output in active]
    carried = _carried_variables(request, signature, hidden, rows)
    external_numbers = [
        external.body_input
        for external in signature.external_inputs
        if request.wants[external.loop_input]
    ]
    state_inputs = [signature.variables[number].body_input for number in carried]
    state_outputs = [signature.variables[number].body_output for number in carried]
    make = recomputing_vjp_graph if node.attrs.get("checkpoint") == CHUNKED else make_vjp_graph
    vjp_graph = make(body, (*state_outputs, *rows), (*state_inputs, *external_numbers), hidden)
    residuals, invariants = _residuals_of(vjp_graph, signature)
    output = None
    if residuals or signature.counter is None:
        output = _save_residuals(node, signature, vjp_graph, residuals)
    return LoopVjp(signature, vjp_graph, tuple(carried), residuals, invariants, output)


def _carried_variables(
    request: VjpRequest, signature: LoopSignature, hidden: Sequence[Hashable], rows: Sequence[int]
) -> list[int]:
    """Indices of the loop variables through which gradients flow from iteration to iteration.

    These are the variables that a result with a gradient depends on (``reached``) and that depend
    on an input whose gradient is requested (``moved``).
    """
    depends = dependencies(signature.body, hidden)
    number_of = {variable.body_input: k for k, variable in enumerate(signature.variables)}
    reachable = {
        entry.body_input for entry in signature.external_inputs if request.wants[entry.loop_input]
    } | {HIDDEN}
    behind = [
        {number_of[i] for i in depends[v.body_output] if i in number_of}
        for v in signature.variables
    ]
    ahead: list[set[int]] = [set() for _ in signature.variables]
    for number, before in enumerate(behind):
        for entry in before:
            ahead[entry].add(number)
    reached = {
        k for k, v in enumerate(signature.variables) if request.gradients[v.loop_output] is not None
    }
    for row in rows:
        reached |= {number_of[i] for i in depends[row] if i in number_of}
    moved = {
        k
        for k, v in enumerate(signature.variables)
        if request.wants[v.loop_input] or depends[v.body_output] & reachable
    }
    carried = closure(reached, lambda k: behind[k]) & closure(moved, lambda k: ahead[k])
    return sorted(carried)


def _residuals_of(
    vjp_graph: VjpGraph, signature: LoopSignature
) -> tuple[tuple[SymbolicTensor, ...], tuple[SymbolicTensor, ...]]:
    """Residuals that each iteration saves, and loop-invariant ones that are computed once instead.

    Inputs of the loop, its counter and values computed from loop invariants need not be saved.
    """
    same = {
        id(vjp_graph.forward_inputs[external.body_input]) for external in signature.external_inputs
    }
    same |= {
        id(vjp_graph.forward_inputs[v.body_input])
        for v in signature.variables
        if _is_invariant(vjp_graph, v)
    }
    invariants = invariant(vjp_graph.forward, vjp_graph.residuals, same)
    unsaved = same | set(map(id, invariants))
    if signature.counter is not None:
        unsaved.add(id(vjp_graph.forward_inputs[signature.counter]))
    residuals = {id(t): t for t in vjp_graph.residuals if id(t) not in unsaved}
    return tuple(residuals.values()), tuple(invariants)


def _is_invariant(vjp_graph: VjpGraph, variable: LoopVariable) -> bool:
    """Whether the body returns a loop variable unchanged."""
    return vjp_graph.outputs[variable.body_output] is vjp_graph.forward_inputs[variable.body_input]


def _save_residuals(
    node: Operation, signature: LoopSignature, vjp_graph: VjpGraph,
    residuals: Sequence[SymbolicTensor],
) -> int:
    """Extend the loop by a variable that holds the list of residuals, or the iteration count.

    Returns the index of the loop's output that holds it.
    """
    forward, index = vjp_graph.forward, new_variable_index(signature)
    with dispatch.as_current(forward):
        holder = forward.add_input(LIST if residuals else COUNT, index=index)
        after = list_push(holder, *residuals) if residuals else add(holder, np.int64(1))
    forward.freeze([*vjp_graph.outputs, after])
    if residuals:
        start = insert_before(node, list_new, (), {"width": 0, "count": 0}, LIST)
    else:
        start = insert_before(node, constant_op, (), {"value": np.array(0)}, COUNT)
    return len(with_variable(node, forward, start, holder, index).outputs) - 1


class _BackwardLoop:
    """Builder of the backward loop of an extended loop."""

    def __init__(self, request: VjpRequest, loop_vjp: LoopVjp) -> None:
        self.request = request
        self.loop_vjp = loop_vjp
        self.signature = loop_vjp.signature
        self.vjp_graph = loop_vjp.vjp_graph
        self.now = loop_signature(request.node)
        variables = [self.signature.variables[k] for k in loop_vjp.carried]
        carried = {v.body_input for v in variables}
        self.sums = [key for key in self.vjp_graph.gradient_keys if key not in carried]
        """Keys of the gradients that are summed over the iterations."""
        self.variables = variables
        self.invariant_values: dict[int, Any] = {}

    def record(self) -> Gradients:
        """Record the backward loop; returns gradients by index of body input, or hidden key."""
        node, loop_vjp = self.request.node, self.loop_vjp
        self.invariant_values = compute_tensors(loop_vjp.invariants, self._invariant_values())
        start = [self._seed(v) for v in self.variables] + [
            self._initial_sum(key) for key in self.sums
        ]
        base = self.vjp_graph.base
        specs = [plain_spec(base.inputs[v.body_input].spec) for v in self.variables]
        specs += [spec_of(value) for value in start[len(specs) :]]
        if loop_vjp.residual_output is not None:
            start.insert(0, node.outputs[loop_vjp.residual_output])
            specs.insert(0, LIST if loop_vjp.residuals else COUNT)
        if self.signature.counter is None:
            outputs = self._while(start, specs)
        else:
            outputs = self._scan(start, specs)
        if loop_vjp.residual_output is not None:
            outputs = outputs[1:]
        keys = [*[v.body_input for v in self.variables], *self.sums]
        return dict(zip(keys, outputs, strict=True))

    def _while(self, start: list[Any], specs: list[TensorSpec]) -> list[Any]:
        listed = bool(self.loop_vjp.residuals)
        builder = WhileBuilder(lambda: [(spec, False) for spec in specs], str, Policy.TRUSTED)
        test = builder.trace_test(
            lambda _, values: (list_len(values[0]) if listed else values[0]) > 0, "back"
        )
        body = builder.trace_body(lambda _, values: self._iteration(None, values), "back")
        return builder.record(test, body, start, f"{self.request.node.name}_back")

    def _scan(self, start: list[Any], specs: list[TensorSpec]) -> list[Any]:
        node = self.request.node
        inputs = [(spec, False) for spec in (COUNT, *specs)]
        body, after = trace("loop body", "back", lambda k, *v: self._iteration(k, v), inputs)
        set_outputs(body, after)
        reverse = not node.attrs["reverse"]
        return record_scan(body, node.inputs[0], start, reverse, f"{node.name}_back")

    def _iteration(self, counter: Any, values: Sequence[Any]) -> list[Any]:
        """Trace one backward iteration: gradients after an iteration -> gradients before it."""
        graph: Any = dispatch.current()
        values, stack_state = list(values), []
        value_of = dict(self.invariant_values)
        if counter is not None:
            value_of[id(self.vjp_graph.forward_inputs[0])] = counter
        if self.loop_vjp.residual_output is not None:
            holder = values.pop(0)
            if self.loop_vjp.residuals:
                specs = tuple([plain_spec(t.spec) for t in self.loop_vjp.residuals])
                holder, *got = list_pop(holder, specs=specs)
                for tensor, value in zip(self.loop_vjp.residuals, got, strict=True):
                    value.weak = tensor.weak
                    value_of[id(tensor)] = value
            else:
                holder = holder - np.int64(1)
            stack_state.append(holder)
        count = len(self.variables)
        seeds = values[:count]
        for row in self.signature.stacked_outputs:
            if row.body_output in self.vjp_graph.active:
                seeds.append(getitem(self.request.gradients[row.loop_output], counter))
        backward_inputs = [*seeds, *[value_of[id(t)] for t in self.vjp_graph.residuals]]
        gradients = inline_graph(
            self.vjp_graph.backward, [graph.as_local(v) for v in backward_inputs], graph
        )
        by_key = dict(zip(self.vjp_graph.gradient_keys, gradients, strict=True))
        for variable, gradient in zip(self.variables, values, strict=False):
            if variable.body_input not in by_key:
                by_key[variable.body_input] = self._zero_gradient(variable, gradient)
        sums = [add_gradients(s, by_key[k]) for k, s in zip(self.sums, values[count:], strict=True)]
        return [*stack_state, *[by_key[v.body_input] for v in self.variables], *sums]

    def _invariant_values(self) -> dict[int, Any]:
        """Loop-invariant values by the id of the body's tensor."""
        inputs, params = self.request.node.inputs, self.vjp_graph.forward_inputs
        # eager tensors stay themselves: a second derivative finds them
        value_of: dict[int, Any] = {
            id(inner): eager for eager, inner in self.vjp_graph.forward._constants.values()
        }
        for old, new in zip(self.signature.external_inputs, self.now.external_inputs, strict=True):
            value_of[id(params[old.body_input])] = inputs[new.loop_input]
        for variable, now in zip(self.signature.variables, self.now.variables):
            if _is_invariant(self.vjp_graph, variable):
                value_of[id(params[variable.body_input])] = inputs[now.loop_input]
        return value_of

    def _seed(self, variable: LoopVariable) -> Gradient:
        """Gradient of a loop variable's final value, or zeros."""
        gradient = self.request.gradients[variable.loop_output]
        return (
            zeros_for(self.request.node.outputs[variable.loop_output])
            if gradient is None
            else gradient
        )

    def _initial_sum(self, key: Hashable) -> Gradient:
        """Zeros to start a sum over the iterations with."""
        if isinstance(key, VariableStorage):
            spec = TensorSpec(key.shape, key.dtype)
            if spec.shape.is_fully_defined():
                return zeros_of(spec)
            return zeros_for(dispatch.apply(read_op, (), {"storage": key}))
        for old, new in zip(self.signature.external_inputs, self.now.external_inputs, strict=True):
            if old.body_input == key:
                return zeros_for(self.request.node.inputs[new.loop_input])
        return zeros_of(spec_of(hidden_sources(self.request.node)[key]))

    def _zero_gradient(self, variable: LoopVariable, gradient: Gradient) -> Gradient:
        """Zero gradient of a loop variable that an iteration does not read."""
        spec = self.vjp_graph.base.inputs[variable.body_input].spec
        has_static_size = spec.dtype is variant or spec.shape.is_fully_defined()
        return zeros_of(spec) if has_static_size else zeros_for(gradient)
