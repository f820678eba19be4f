"""Graphs of traced functions, with the structure of the function's result."""

from __future__ import annotations

from typing import Any

from runtime.graph.func_graph import FuncGraph


class FunctionGraph(FuncGraph):
    """Graph of a traced Python function."""

    structured_outputs: Any = None
    """Nest that the Python function returned, with tensors of this graph in it."""
    never_returns = False
    """Whether every run raises an exception."""
