"""Termination of loops: which operations have to run although nothing uses their results.

Above operations; run requests and graphs ask it.  An endless loop is part of what a program does,
as an exception is: only loops that count up or down to a bound are left out when unused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.graph.graph_base import GraphBase
from runtime.graph.operation import Operation, SymbolicTensor, subgraphs
from runtime.ops.array.constants import constant_op
from runtime.ops.op import BRANCH, CAST, HIGHER_ORDER, INDEXES, LOOP, MEASURES, READS

_UP = {"<": 0, "<=": 0, ">": 1, ">=": 1}
"""Comparison -> which of its inputs may grow until the comparison fails."""


def _python_operator(node: Operation) -> str:
    """Return Python's operator for an operation; empty if there is none."""
    operator = node.op_def.python_operator
    return operator.text if operator else ""


def must_run(node: Operation) -> bool:
    """Return whether an operation has effects, raises the program's exceptions, or may not end."""
    if node.stateful or _raises_as_python(node) or _indexes_as_python(node):
        return True
    if HIGHER_ORDER not in node.op_def.traits:
        return False
    if LOOP in node.op_def.traits and not ends(node):
        return True
    return any(graph.answer("must run", _holds_what_must_run) for graph in subgraphs(node))


def _holds_what_must_run(graph: GraphBase) -> bool:
    return any(map(must_run, graph.operations))


def _raises_as_python(node: Operation) -> bool:
    """Return whether an operation on Python numbers may raise what Python raises on them."""
    kernel = node.op_def.python_kernel
    if kernel is None or not all(t.weak for t in node.inputs) or not kernel.may_raise(node.inputs):
        return False
    right_value = node.inputs[-1].spec.value
    return right_value is None or not kernel.is_safe(right_value)


def _indexes_as_python(node: Operation) -> bool:
    """Return whether an operation is one of a Python program's at indices out of range, perhaps.

    Arrays and masks can be such, too, where graphs give what Python gives (``joins_numbers``);
    other graphs index tensors.
    """
    if INDEXES not in node.op_def.traits:
        return False
    indexes = node.inputs[len(node.op_def.inputs) - 1 :]
    if getattr(node.graph, "joins_numbers", False):
        return bool(indexes)
    return any(
        CAST in t.op.op_def.traits and t.op.inputs[0].weak and t.shape.rank == 0 for t in indexes
    )


def ends(loop: Operation) -> bool:
    """Return whether a loop is known to end, provided that each iteration does."""
    test, body = loop.attrs.get("test_graph"), loop.attrs["body_graph"]
    return test is None or any(_fails_once(truth, test, body) for truth in _parts(test.outputs[0]))


def _parts(test: SymbolicTensor) -> Iterator[SymbolicTensor]:
    """Yield truths that must all hold for ``test`` to hold."""
    node = test.op
    if _python_operator(node) == "&":
        for operand in node.inputs:
            yield from _parts(operand)
    elif CAST in node.op_def.traits or _is_conjunction(test):
        yield from _parts(node.inputs[0])
    else:
        yield test


def _is_conjunction(test: SymbolicTensor) -> bool:
    """Return whether a truth is chosen between a test and False, as ``a and b`` is."""
    if BRANCH not in test.op.op_def.traits:
        return False
    graphs: list[Any] = list(subgraphs(test.op))
    chosen = graphs[-1].outputs[test.value_index].op
    return chosen.op_def is constant_op and not bool(chosen.attrs["value"])


def _fails_once(comparison: SymbolicTensor, test: Any, body: Any) -> bool:
    """Return whether a comparison compares what each iteration moves towards what stays."""
    node = comparison.op
    operator = _python_operator(node)
    if operator not in _UP or comparison.shape.rank != 0 or node.inputs[0].dtype.is_floating:
        return False
    up = _UP[operator]
    growing, bound = node.inputs[up], node.inputs[1 - up]
    return (_moves(growing, test, body, 1) and _stays(bound, test, body)) or (
        _moves(bound, test, body, -1) and _stays(growing, test, body)
    )


def _moves(value: SymbolicTensor, test: Any, body: Any, step: int) -> bool:
    """Return whether each iteration adds ``step`` to an int, or to the length of a list."""
    listed = MEASURES in value.op.op_def.traits
    number = _variable(value.op.inputs[0] if listed else value, test)
    if number is None or number >= len(body.outputs):
        return False
    before, after = body.inputs[number], _source(body.outputs[number])
    node = after.op
    if listed:
        return node.op_def.length_change == step and node.inputs[0] is before
    operator = _python_operator(node)
    if operator == "1 + ":
        return step > 0 and node.inputs[0] is before
    if operator not in ("+", "-") or len(node.inputs) != 2 or before.dtype.is_floating:
        return False
    first, second = map(_source, node.inputs)
    if operator == "+" and second is before:
        first, second = second, first
    amount = second.op.attrs["value"] if second.op.op_def is constant_op else None
    signed = step if operator == "+" else -step
    return first is before and amount is not None and amount.shape == () and amount == signed


def _stays(value: SymbolicTensor, test: Any, body: Any) -> bool:
    """Return whether a value of the test is the same in every iteration."""
    if _source(value).op.op_def is constant_op:
        return True
    number = _variable(value, test)
    if number is None:
        return False
    return number >= len(body.outputs) or _source(body.outputs[number]) is body.inputs[number]


def _variable(value: SymbolicTensor, test: Any) -> int | None:
    """Return the number of the test's input that a value is; captures come after the state."""
    source = _source(value)
    return next((i for i, tensor in enumerate(test.inputs) if tensor is source), None)


def _source(value: SymbolicTensor) -> SymbolicTensor:
    """Return what a value is a cast of, between ints."""
    while CAST in value.op.op_def.traits and not (
        value.dtype.is_floating or value.op.inputs[0].dtype.is_floating
    ):
        value = value.op.inputs[0]
    return value


def is_visible(node: Operation) -> bool:
    """Return whether users can see that an operation ran, by its effects or exceptions."""
    return must_run(node) and READS not in node.op_def.traits
