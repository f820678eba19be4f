"""How the rows of loops lay out what goes round: which input of the body is which, and where from.

``while`` and ``scan`` differ in the order of their inputs and outputs, and in little else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.autodiff.graph_editing import copied
from runtime.graph.extensions import extend
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops.control_flow.cond_while import while_op
from runtime.types.shapes import TensorSpec


class LoopVariable(NamedTuple):
    """A loop variable: the numbers of ...

    taken, given   its input and output of the body
    start, end     its input and output of the loop
    """

    taken: int
    given: int
    start: int
    end: int


class ExternalInput(NamedTuple):
    """Something that the body takes from outside: numbers of the body's and the loop's input."""

    taken: int
    start: int


class StackedOutput(NamedTuple):
    """Results of the turns that are stacked: numbers of the body's and the loop's output."""

    given: int
    end: int


class LoopSignature(NamedTuple):
    """A loop as it was at some time.  ``counter``: the body's input that counts the turns."""

    body: Any
    variables: tuple[LoopVariable, ...]
    others: tuple[ExternalInput, ...]
    rows: tuple[StackedOutput, ...]
    counter: int | None


def loop_signature(node: Operation) -> LoopSignature:
    """How a loop is laid out now."""
    body = node.attrs["body_graph"]
    splits = node.attrs["splits"]
    total = len(body.inputs)
    if node.op_def is while_op:
        count = total - splits[1]
        variables = [LoopVariable(i, i, i, i) for i in range(count)]
        others = [ExternalInput(k, k + splits[0]) for k in range(count, total)]
        return LoopSignature(body, tuple(variables), tuple(others), (), None)
    carried, extra = node.attrs["carried"], node.attrs.get("extra", 0)
    stacked = len(body.outputs) - carried - extra
    variables = [LoopVariable(1 + i, i, 1 + i, i) for i in range(carried)]
    for i in range(carried, carried + extra):
        variables.append(LoopVariable(1 + i, i + stacked, 1 + i, i + stacked))
    rows = [StackedOutput(i, i) for i in range(carried, carried + stacked)]
    others = [ExternalInput(k, k) for k in range(1 + carried + extra, total)]
    return LoopSignature(body, tuple(variables), tuple(others), tuple(rows), 0)


def place_of_new(form: LoopSignature) -> int:
    """The number among the inputs of body and loop that one more variable gets: the last one's."""
    return 1 + max([v.taken for v in form.variables], default=-1 if form.counter is None else 0)


def with_variable(
    node: Operation, body: Any, start: SymbolicTensor, holder: SymbolicTensor
) -> Operation:
    """The extension of a loop by one more variable, the last one, which its last output holds.

    ``body`` is what its body becomes, with the input ``holder``; ``start`` is the variable's value
    before the loop.
    """
    place = place_of_new(loop_signature(node))
    before = node.inputs
    inputs = (*before[:place], start, *before[place:])
    attrs = {**node.attrs, "body_graph": body}
    if node.op_def is while_op:
        test, outputs = copied(node.attrs["test_graph"])
        test.add_input(holder.spec, place=place)
        test.freeze(outputs)
        attrs["test_graph"] = test
    else:
        attrs["extra"] = attrs.get("extra", 0) + 1
    return extend(node, [TensorSpec(holder.shape, holder.dtype)], attrs, inputs)
