"""Loops over single elements of arrays: XLA runs each of their operations as a call of its own.

Stencils written with two loops were 2,500 to 5,300 times slower than in machine code of the engine
``llvm``, which keeps numbers in registers.  ``explain()`` says so; the graph stays on XLA, which
was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.graph.func_graph import graphs_inside
from runtime.graph.operation import Operation, subgraphs
from runtime.ops.op import HIGHER_ORDER, INDEXES, LOOP


def slow_loop(operations: Sequence[Operation]) -> str:
    """Return a remark on the first loop over elements among operations; empty if there is none."""
    for node in _loops(operations):
        for graph in subgraphs(node):
            if _takes_elements(graph):
                file, line, *_ = node.location
                return (
                    f"the loop at {file}:{line} takes single elements of arrays, one operation of "
                    "XLA each: jit_compile=True makes it one loop of machine code"
                )
    return ""


def _loops(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Yield the loops among operations, and in the functions and branches that they hold."""
    for node in operations:
        if LOOP in node.op_def.traits:
            yield node
        elif HIGHER_ORDER in node.op_def.traits:
            for graph in subgraphs(node):
                yield from _loops(graph.operations)


def _takes_elements(graph: Any) -> bool:
    """Return whether a loop\'s graph reads or changes single elements, in it or in loops inside."""
    return any(
        INDEXES in node.op_def.traits and _is_single(node)
        for inner in (graph, *graphs_inside(graph)) for node in inner.operations
    )


def _is_single(node: Operation) -> bool:
    if node.inputs[0].shape.rank == 0:
        return False
    takes_value = node.op_def.arity is None and not node.op_def.inputs[1].startswith("*")
    return bool((node.inputs[1] if takes_value else node.outputs[0]).shape.rank == 0)
