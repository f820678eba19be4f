"""``Scaffold``: the operations that a monitored session needs; creators that make its session."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from runtime.compat.v1.variables_initializer import (
    global_variables,
    local_variables,
    report_uninitialized_variables,
    variables_initializer,
)
from runtime.containers.hash_table import tables_initializer
from runtime.engine.session import Session
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import get_default_graph
from runtime.graph.trace import grouped
from runtime.summaries.file_writer import merge_all
from runtime.train.checkpoint_state import latest_checkpoint
from runtime.train.saver import Saver
from runtime.types.errors import DeadlineExceededError, FailedPreconditionError

__all__ = ["ChiefSessionCreator", "Scaffold", "SessionCreator", "WorkerSessionCreator"]

WAIT_SECONDS = 0.5
"""A worker asks so often whether the chief has initialized the variables."""


class Scaffold:
    """Operations that initialize, report and save what a graph has.

    What is not given is found in the graph's collections, or made when the session is.
    """

    def __init__(
        self, init_op: Any = None, init_feed_dict: Any = None,
        init_fn: Callable[[Scaffold, Any], Any] | None = None, ready_op: Any = None,
        ready_for_local_init_op: Any = None, local_init_op: Any = None, summary_op: Any = None,
        saver: Any = None, copy_from_scaffold: Scaffold | None = None,
        local_init_feed_dict: Any = None,
    ) -> None:  # fmt: skip
        like = copy_from_scaffold
        self.init_op: Any = init_op if like is None or init_op is not None else like.init_op
        self.init_feed_dict = init_feed_dict
        self.init_fn: Any = init_fn or (None if like is None else like.init_fn)
        self.ready_op = ready_op
        self.ready_for_local_init_op = ready_for_local_init_op
        self.local_init_op = local_init_op
        self.local_init_feed_dict = local_init_feed_dict
        self.summary_op = summary_op
        self.saver: Any = saver if like is None or saver is not None else like.saver

    def finalize(self) -> Scaffold:
        """Make what is missing, and finalize the graph; RuntimeError if it is finalized already."""
        graph = get_default_graph()

        def of(value: Any, key: str, make: Callable[[], Any]) -> Any:
            collected = graph.get_collection(key)
            if value is None:
                value = collected[0] if collected else make()
            if value is not None and not collected:
                graph.get_collection_ref(key).append(value)
            return value

        self.init_op = of(
            self.init_op, GraphKeys.INIT_OP, lambda: variables_initializer(global_variables())
        )
        self.local_init_op = of(self.local_init_op, GraphKeys.LOCAL_INIT_OP, _local_initializers)
        self.ready_op = of(self.ready_op, GraphKeys.READY_OP, report_uninitialized_variables)
        self.ready_for_local_init_op = of(
            self.ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP,
            lambda: report_uninitialized_variables(global_variables()),
        )  # fmt: skip
        self.summary_op = of(self.summary_op, GraphKeys.SUMMARY_OP, merge_all)
        if global_variables():
            self.saver = of(self.saver, GraphKeys.SAVERS, lambda: Saver(global_variables()))
        for variable in (*global_variables(), *local_variables()):
            variable._as_graph_element()  # a finalized graph takes no more reads
        graph.finalize()
        return self


def _local_initializers() -> Any:
    made = [variables_initializer(local_variables()), tables_initializer()]
    return grouped([op for op in made if op is not None], "local_init")


class SessionCreator:
    """Maker of sessions; made anew when a task was lost."""

    def create_session(self) -> Any:
        """Return a session."""
        raise NotImplementedError


class _Creator(SessionCreator):
    """Base of the creators for the chief and for workers."""

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None,
        max_wait_secs: float = 30 * 60,
    ) -> None:  # fmt: skip
        self._scaffold = scaffold or Scaffold()
        self._master, self._config, self._wait = master, config, max_wait_secs

    @property
    def scaffold(self) -> Scaffold:
        """The operations."""
        return self._scaffold

    def _session(self) -> Session:
        self._scaffold.finalize()
        return Session(self._master, config=self._config)


class ChiefSessionCreator(_Creator):
    """Creator of the chief's session: it restores the last checkpoint, or initializes variables."""

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None,
        checkpoint_dir: str | None = None, checkpoint_filename_with_path: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(scaffold, master, config)
        self._folder, self._file = checkpoint_dir, checkpoint_filename_with_path

    def create_session(self) -> Session:
        """Return a session whose variables have values; FailedPreconditionError if some lack."""
        session, scaffold = self._session(), self._scaffold
        try:
            path = self._file or (latest_checkpoint(self._folder) if self._folder else None)
            if path is not None and scaffold.saver is not None:
                scaffold.saver.restore(session, path)
            else:
                session.run(scaffold.init_op, scaffold.init_feed_dict)
                if scaffold.init_fn is not None:
                    scaffold.init_fn(scaffold, session)
            session.run(scaffold.local_init_op, scaffold.local_init_feed_dict)
            missing = session.run(scaffold.ready_op)
            if missing.size:
                raise FailedPreconditionError(
                    f"Variables not initialized: {_names_text(missing)}. Init operations did not "
                    "make the model ready."
                )
        except BaseException:
            session.close()
            raise
        return session


class WorkerSessionCreator(_Creator):
    """Creator of another worker's session: it waits until the chief has initialized variables."""

    def create_session(self) -> Session:
        """Return a session whose variables have values; DeadlineExceededError after the time.

        FailedPreconditionError where waiting is in vain: no other process initializes the variables
        of a session without a target.
        """
        until = time.monotonic() + self._wait
        asks_for_variables = self._scaffold.ready_for_local_init_op is None
        session, scaffold = self._session(), self._scaffold
        try:
            missing = session.run(scaffold.ready_for_local_init_op)
            if missing.size and asks_for_variables and not session.sess_str:
                raise FailedPreconditionError(
                    f"A worker waits for the chief to initialize {_names_text(missing)}, but its "
                    "session has no target, so these variables are this process' own. Use "
                    "MonitoredTrainingSession(master=server.target, is_chief=False) with a "
                    "train.Server, or is_chief=True in each process; processes that MPI connects "
                    "(distribute.launch) train one model by MultiWorkerMirroredStrategy"
                )
            while (missing := session.run(scaffold.ready_for_local_init_op)).size:
                if time.monotonic() > until:
                    raise DeadlineExceededError(
                        f"Session was not ready after waiting {self._wait:g} secs: the chief has "
                        f"not initialized {_names_text(missing)}"
                    )
                time.sleep(WAIT_SECONDS)
            session.run(scaffold.local_init_op, scaffold.local_init_feed_dict)
        except BaseException:
            session.close()
            raise
        return session


def _names_text(names: Any) -> str:
    return ", ".join(name.decode() for name in names)
