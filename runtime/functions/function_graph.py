"""Graphs of traced functions, with the structure of the function's result."""

from __future__ import annotations

import re
from typing import Any

from runtime.graph.func_graph import FuncGraph


class FunctionGraph(FuncGraph):
    """Graph of a traced Python function."""

    structured_outputs: Any = None
    """Nest that the Python function returned, with tensors of this graph in it."""
    never_returns = False
    """Whether every run raises an exception."""


def input_name(label: str, otherwise: str) -> str:
    """Return the name of an input of a graph for what a program calls it, such as ``x[0].y``."""
    return re.sub(r"[^A-Za-z0-9_.]", "_", label).lstrip("_.").rstrip(".") or otherwise
