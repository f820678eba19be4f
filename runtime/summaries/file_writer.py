"""``FileWriter``: TensorFlow 1's writer of Summary messages, which sessions fetch."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import get_default_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.rules.static_arguments import listed
from runtime.summaries import graph_messages, messages
from runtime.summaries.event_file import EventFile
from runtime.summaries.summary_ops import merge_op
from runtime.types.dtypes import string

__all__ = ["FileWriter", "merge", "merge_all"]


class FileWriter:
    """Writer of Summary messages and graphs to an event file in a folder; ``with`` closes it.

    Args:
        logdir: the folder, which is made if need be.
        graph: a Graph to write at once.
        max_queue: number of events that wait at most before they are written.
        flush_secs: seconds after which what waits is written with the next event.
        graph_def: not offered.
        filename_suffix: end of the file's name.
        session: not needed.

    Raises:
        OpError: the one that fits the error of the file system.
    """

    def __init__(
        self, logdir: Any, graph: Any = None, max_queue: int = 10, flush_secs: float = 120,
        graph_def: Any = None, filename_suffix: str | None = None, session: Any = None,
    ) -> None:  # fmt: skip
        if graph_def is not None:
            raise NotImplementedError("FileWriter: pass graph=, not graph_def=")
        self._made = (os.fsdecode(logdir), max_queue, int(flush_secs * 1000), filename_suffix or "")
        self._file = EventFile(*self._made)
        drawn_graph = graph if graph is not None else getattr(session, "graph", None)
        if drawn_graph is not None:
            self.add_graph(drawn_graph)

    def get_logdir(self) -> str:
        """Return the folder."""
        return self._made[0]

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Write a Summary message, or its bytes, at a step; TypeError for anything else."""
        if hasattr(summary, "SerializeToString"):
            summary = summary.SerializeToString()
        if isinstance(summary, np.ndarray) and not summary.ndim:
            summary = summary[()]
        if not isinstance(summary, bytes):
            raise TypeError(f"add_summary takes a Summary message or its bytes, got {summary!r}")
        step = None if global_step is None else int(global_step)
        self._file.add(step, messages.summary_field(summary))

    def add_graph(self, graph: Any, global_step: Any = None) -> None:
        """Write a graph; TypeError for what is none."""
        step = None if global_step is None else int(global_step)
        self._file.add(step, messages.graph_field(graph_messages.graph_def(graph)))

    def flush(self) -> None:
        """Write what waits."""
        self._file.flush()

    def close(self) -> None:
        """Write what waits, and take no more until ``reopen``."""
        self._file.close()

    def reopen(self) -> None:
        """Begin another file if this one is closed."""
        if self._file.closed:
            self._file = EventFile(*self._made)

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Any:
    """Join Summary messages to one.

    Args:
        inputs: list of scalars of dtype string, as the functions of ``summary`` return them.
        collections: names of the collections that get the result.
        name: name of the operation.
    Returns:
        Scalar of dtype string.
    """
    merged = merge_op(*[convert_to_tensor(s, string) for s in listed(inputs, "inputs")], name=name)
    if collections:
        get_default_graph().add_to_collections(collections, merged)
    return merged


def merge_all(
    key: Any = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None
) -> Any:
    """Join all Summary messages of a collection of the default graph to one.

    Args:
        key: name of the collection.
        scope: beginning of the names of those that are taken.
        name: name of the operation.
    Returns:
        Scalar of dtype string; None if there are none.
    """
    summaries = get_default_graph().get_collection(key, scope)
    return merge(summaries, name=name) if summaries else None
