"""Topological order of the operations that a set of wanted operations needs.

Above operations, below executors, passes and derivatives, which all walk graphs in this order.
"""

from __future__ import annotations

from collections.abc import Iterable

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation


def topological_order(
    graph: Graph, targets: Iterable[Operation], fed: frozenset[int]
) -> list[Operation]:
    """Return the operations that ``targets`` need, in an order that respects program order.

    ``fed`` holds the ids of fed tensors: operations that only they need are left out.
    ValueError for a cycle of control inputs.
    """
    needed: dict[int, Operation] = {}
    todo = list(targets)
    late = False  # whether a control input was added from an earlier to a later operation
    while todo:
        node = todo.pop()
        newest_known = needed.get(node.index)
        if newest_known is not None and (
            newest_known is node or len(newest_known.outputs) >= len(node.outputs)
        ):
            continue  # of an operation and its extensions the one with most outputs runs
        needed[node.index] = node
        todo += [t.op for t in node.inputs if id(t) not in fed]
        for control in node.controls:
            todo.append(control)
            late = late or control.index > node.index
    nodes = [needed[i] for i in sorted(needed)]
    return _with_late_controls(nodes, needed, fed) if late else nodes


def _with_late_controls(
    nodes: list[Operation], needed: dict[int, Operation], fed: frozenset[int]
) -> list[Operation]:
    """Return program order, except where a control input is a later operation."""
    done: set[int] = set()
    opened: set[int] = set()
    result: list[Operation] = []
    for root in nodes:
        stack = [root]
        while stack:
            node = stack[-1]
            if node.index in done:
                stack.pop()
                continue
            before = [t.op for t in node.inputs if id(t) not in fed]
            waiting = {n.index for n in (*before, *node.controls)} - done
            if not waiting:
                done.add(node.index)
                result.append(stack.pop())
                continue
            if node.index in opened:
                raise ValueError(f"Operation {node.name!r} is in a cycle of control inputs")
            opened.add(node.index)
            stack.extend([needed[index] for index in sorted(waiting, reverse=True)])
    return result
