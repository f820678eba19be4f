"""Watch over arrays that are changed in place in a body, which staging cannot carry out of it."""

from __future__ import annotations

from typing import Any

from autograph.staging import ChangeWatch
from runtime.graph.staging_hooks import STAGING, CheckArrays


def watch_arrays() -> CheckArrays:
    """Watch from now on; returns what checks the arrays when the body of a graph is traced."""
    watch = ChangeWatch()

    def check(graph: Any) -> None:
        if len(watch.log) > watch.start:
            watch.check(lambda t: t.graph is graph, lambda t: graph.encloses(t.graph))

    return check


STAGING.watch_arrays = watch_arrays
