"""Signatures of loops: which input of the body is which variable, and where it comes from.

``while`` and ``scan`` order their inputs and outputs differently; vjp_loop.py reads both through
the :class:`LoopSignature` that this module makes of an operation.
"""

from __future__ import annotations

from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.autodiff.graph_editing import copy_graph
from runtime.graph.extensions import extend
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops.control_flow.cond_while import while_op


class LoopVariable(NamedTuple):
    """Loop variable, as indices among the inputs and outputs of the body and of the loop."""

    body_input: int
    body_output: int
    loop_input: int
    loop_output: int


class ExternalInput(NamedTuple):
    """Value from outside that every iteration reads: indices among the body's and loop's inputs."""

    body_input: int
    loop_input: int


class StackedOutput(NamedTuple):
    """Output whose values are stacked over the iterations: indices among the body's and loop's."""

    body_output: int
    loop_output: int


class LoopSignature(NamedTuple):
    """Inputs and outputs of a loop and its body.

    ``counter`` is the index of the body's input that counts the iterations, None for ``while``.
    """

    body: Any
    variables: tuple[LoopVariable, ...]
    external_inputs: tuple[ExternalInput, ...]
    stacked_outputs: tuple[StackedOutput, ...]
    counter: int | None


def loop_signature(node: Operation) -> LoopSignature:
    """Signature of a loop; an extension of the loop has another one."""
    body = node.attrs["body_graph"]
    splits = node.attrs["splits"]
    total = len(body.inputs)
    if node.op_def is while_op:
        count = total - splits[1]
        variables = [LoopVariable(i, i, i, i) for i in range(count)]
        external_inputs = [ExternalInput(k, k + splits[0]) for k in range(count, total)]
        return LoopSignature(body, tuple(variables), tuple(external_inputs), (), None)
    carried, extra = node.attrs["carried"], node.attrs.get("extra", 0)
    stacked = len(body.outputs) - carried - extra
    variables = [LoopVariable(1 + i, i, 1 + i, i) for i in range(carried)]
    for i in range(carried, carried + extra):
        variables.append(LoopVariable(1 + i, i + stacked, 1 + i, i + stacked))
    stacked_outputs = [StackedOutput(i, i) for i in range(carried, carried + stacked)]
    external_inputs = [ExternalInput(k, k) for k in range(1 + carried + extra, total)]
    return LoopSignature(body, tuple(variables), tuple(external_inputs), tuple(stacked_outputs), 0)


def new_variable_index(form: LoopSignature) -> int:
    """Index, among the inputs of body and loop, at which a new last variable is inserted."""
    return 1 + max(
        [v.body_input for v in form.variables], default=-1 if form.counter is None else 0
    )


def with_variable(
    node: Operation, body: Any, start: SymbolicTensor, holder: SymbolicTensor, index: int
) -> Operation:
    """Extension of a loop by one more variable, whose final value is the loop's last output.

    ``body`` is the new body, with the input ``holder`` at ``index`` (see ``new_variable_index``);
    ``start`` is the value of the variable before the loop.
    """
    before = node.inputs
    inputs = (*before[:index], start, *before[index:])
    attrs = {**node.attrs, "body_graph": body}
    if node.op_def is while_op:
        test, outputs = copy_graph(node.attrs["test_graph"])
        test.add_input(holder.spec, index=index)
        test.freeze(outputs)
        attrs["test_graph"] = test
    else:
        attrs["extra"] = attrs.get("extra", 0) + 1
    return extend(node, [holder.spec], attrs, inputs)
