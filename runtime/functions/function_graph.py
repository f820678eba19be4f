"""Graphs of traced functions, with the structure of the function's result."""

from __future__ import annotations

import re
from typing import Any

from runtime.graph.func_graph import FuncGraph, graphs_inside
from runtime.ops.op import RAISES, STATEFUL


class FunctionGraph(FuncGraph):
    """Graph of a traced Python function."""

    structured_outputs: Any = None
    """Nest that the Python function returned, with tensors of this graph in it."""
    never_returns = False
    """Whether every run raises an exception."""


def holds_raise(graph: FuncGraph) -> bool:
    """Return whether a run of a graph may raise an exception of the program's own.

    Where tracing finds that every path raises, the graph must: else the exception was recorded in a
    graph that was given up, and a run would return None.
    """
    return any(
        node.op_def.traits >= {RAISES, STATEFUL} for inner in (graph, *graphs_inside(graph))
        for node in inner.operations
    )  # fmt: skip


def input_name(label: str, otherwise: str) -> str:
    """Return the name of an input of a graph for what a program calls it, such as ``x[0].y``."""
    return re.sub(r"[^A-Za-z0-9_.]", "_", label).lstrip("_.").rstrip(".") or otherwise
