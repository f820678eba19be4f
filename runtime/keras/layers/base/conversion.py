"""Conversion of what users define: ``call``, ``train_step``, functions of ``Lambda`` layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph import staging
from autograph.staging import current_run
from runtime.control_flow import convert_callable
from runtime.functions.function import Function
from runtime.graph.trace import current_graph


def staged(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a function to call: in a graph, with its control flow staged."""
    if current_graph() is None:
        return function
    if current_run():
        return staging.converted(function)
    if staging.is_skipped(getattr(function, "__module__", None)):
        return function
    return convert_callable.converted(function, name, (), Function)
