"""Graphs of functions: what tracing a Python function gives, with the structure of its result."""

from __future__ import annotations

from typing import Any

from runtime.graph.func_graph import FuncGraph


class FunctionGraph(FuncGraph):
    """Graph of a function, with what the function returned."""

    structured_outputs: Any = None
    """What the Python function returned, with tensors of this graph in it."""
