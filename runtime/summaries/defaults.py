"""Defaults of summaries: the writer, the step, and whether anything is written.

Each thread has its own.  In a graph they are looked up when it runs, so that a function traced once
writes as eager code does; those set while a function was traced are fixed in its graph.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple

from autograph.errors import StagingError
from runtime.graph.trace import current_graph


class Setting(NamedTuple):
    """Value, and the function or graph that was built when it was set; None for eager code."""

    value: Any = None
    graph: Any = None


class Defaults(NamedTuple):
    """Settings that summaries use where their arguments do not say it."""

    writer: Setting = Setting()
    step: Setting = Setting()
    recording: Setting = Setting(True)


DEFAULTS: ContextVar[Defaults] = ContextVar("defaults of summaries", default=Defaults())  # noqa: B039 - cannot change


@contextlib.contextmanager
def changed(**values: Any) -> Iterator[None]:
    """Change defaults within a block."""
    graph = function_graph()
    settings = {name: Setting(value, graph) for name, value in values.items()}
    before = DEFAULTS.get()
    DEFAULTS.set(before._replace(**settings))
    try:
        yield
    finally:
        DEFAULTS.set(before)


def change(name: str, value: Any) -> None:
    """Change a default of this thread until it is changed again; StagingError while tracing."""
    if function_graph() is not None:
        raise StagingError(
            f"the default {name} of summaries is set while a graph is built, and would not be "
            "when it runs",
            help=f"set it outside of the function, or pass {name}= to the summaries",
        )
    DEFAULTS.set(DEFAULTS.get()._replace(**{name: Setting(value)}))


def function_graph() -> Any:
    """Return the graph that is being built, or of a branch or a loop body, its function's."""
    graph: Any = current_graph()
    while getattr(graph, "kind", "function") != "function":
        graph = graph.outer
    return graph


def scope_in_graph() -> str:
    """Return the name scopes of the graph that is built, those around branches and loops too."""
    graph: Any = current_graph()
    scopes = []
    while graph is not None:
        scopes.append(graph.get_name_scope())
        graph = graph.outer if getattr(graph, "kind", "function") != "function" else None
    return "/".join(scope for scope in reversed(scopes) if scope)


def fixed_in_graph(name: str) -> Setting | None:
    """Return a default that was set while the current function was traced, else None.

    A graph for sessions takes all defaults as they are when it is built.  StagingError for one that
    was set while another function was traced.
    """
    setting: Setting = getattr(DEFAULTS.get(), name)
    graph = function_graph()
    if setting.graph is None:
        fixed = graph is not None and not graph.building_function
        return setting if fixed and setting.value is not None else None
    if setting.graph is not graph:
        raise StagingError(
            f"a summary of {graph.title} takes its {name} from another function, which "
            "is being traced; it would keep it in later calls from elsewhere",
            help="set it in this function, or in eager code around both",
        )
    return setting


def running(name: str) -> Any:
    """Return a default of the thread that runs."""
    return getattr(DEFAULTS.get(), name).value
