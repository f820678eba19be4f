"""``MonitoredTrainingSession``: a session with hooks, which goes on when a task was lost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from runtime.compat.v1.monitored.basic_hooks import (
    LOG,
    CheckpointSaverHook,
    StepCounterHook,
    SummarySaverHook,
)
from runtime.compat.v1.monitored.coordinator import Coordinator, start_queue_runners
from runtime.compat.v1.monitored.scaffold import (
    ChiefSessionCreator,
    Scaffold,
    SessionCreator,
    WorkerSessionCreator,
)
from runtime.compat.v1.monitored.session_hooks import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from runtime.graph.default_graph import get_default_graph
from runtime.types.errors import AbortedError, OutOfRangeError, UnavailableError

__all__ = ["MonitoredSession", "MonitoredTrainingSession", "SingularMonitoredSession"]

USE_DEFAULT: Any = object()
LOST = (AbortedError, UnavailableError)
RETRIES = 60
"""A session is made anew so often, with a second between, before the error is raised."""


class StepContext:
    """What a function of ``run_step_fn`` gets: the session, and runs with hooks."""

    def __init__(self, session: Any, run_with_hooks: Callable[..., Any]) -> None:
        self.session = session
        self.run_with_hooks = run_with_hooks

    def request_stop(self) -> None:
        """End training: StopIteration, which the session takes."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class SingularMonitoredSession:
    """Session with hooks; an error of a lost task is raised.

    ``with`` closes it; an OutOfRangeError or StopIteration ends the block without an error.
    """

    _recovers = False

    def __init__(
        self, hooks: Sequence[SessionRunHook] | None = None, scaffold: Scaffold | None = None,
        master: str = "", config: Any = None, checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120, checkpoint_filename_with_path: str | None = None,
    ) -> None:  # fmt: skip
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path
        )
        self._start(creator, hooks, stop_grace_period_secs)

    def _start(
        self, creator: SessionCreator, hooks: Sequence[SessionRunHook] | None, grace: float
    ) -> None:
        self._graph = get_default_graph()
        self._hooks, self._creator, self._grace = list(hooks or ()), creator, grace
        self._session: Any = None
        self._coordinator = Coordinator()
        for hook in self._hooks:
            hook.begin()
        self._recovered(self._create)

    @property
    def graph(self) -> Any:
        """Graph that it runs."""
        return self._graph

    def raw_session(self) -> Any:
        """Return the session without hooks."""
        return self._session

    def _create(self) -> None:
        """Make a session, and tell the hooks."""
        with self._graph.as_default():
            self._session = self._creator.create_session()
            self._coordinator.clear_stop()
            start_queue_runners(self._session, self._coordinator)
            for hook in self._hooks:
                hook.after_create_session(self._session, self._coordinator)

    def _recovered(self, call: Callable[[], Any]) -> Any:
        """Return the result of a call; make a session anew when a task was lost."""
        for attempt in range(RETRIES):
            try:
                if self._session is None:
                    self._create()
                return None if call == self._create else call()
            except LOST as error:
                if not self._recovers or attempt == RETRIES - 1:
                    raise
                LOG.info("A task was lost: %s. The session is made anew.", error)
                self._drop()
                time.sleep(1.0)
        raise AssertionError("the last attempt has raised its error")

    def _drop(self) -> None:
        session, self._session = self._session, None
        self._coordinator.request_stop()
        if session is not None:
            session.close()

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Run fetches, and what hooks add.  RuntimeError when closed; errors as of a session."""
        if self._session is None:
            raise RuntimeError("Run called even after should_stop requested.")
        return self._recovered(lambda: self._run(fetches, feed_dict, options, run_metadata))

    def _run(self, fetches: Any, feeds: Any, options: Any, metadata: Any) -> Any:
        self._coordinator.raise_requested_exception()
        context = SessionRunContext(SessionRunArgs(fetches, feeds), self._session)
        added: dict[int, SessionRunArgs] = {}
        fed = dict(feeds or {})
        for number, hook in enumerate(self._hooks):
            request = hook.before_run(context)
            if request is not None:
                added[number] = request
                fed.update(request.feed_dict or {})
        extra = {n: request.fetches for n, request in added.items() if request.fetches is not None}
        wanted = {"caller": [] if fetches is None else fetches, "hooks": extra}
        with self._graph.as_default():
            values = self._session.run(wanted, fed, options, metadata)
        for number, hook in enumerate(self._hooks):
            hook.after_run(context, SessionRunValues(values["hooks"].get(number)))
        if context.stop_requested:
            self._coordinator.request_stop()
        return None if fetches is None else values["caller"]

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Call a function of a StepContext, which runs steps with hooks or without.

        A StopIteration that it raises, as ``request_stop`` does, ends training.
        """
        try:
            return self._recovered(lambda: step_fn(StepContext(self._session, self._run_hooked)))
        except StopIteration:
            self._coordinator.request_stop()
            return None

    def _run_hooked(self, fetches: Any, feed_dict: Any = None) -> Any:
        return self._run(fetches, feed_dict, None, None)

    def should_stop(self) -> bool:
        """Return whether training has ended: a hook or thread has asked for it."""
        return self._session is None or self._coordinator.should_stop()

    def close(self) -> None:
        """Tell the hooks of the end, and close the session."""
        self._close(None)

    def _close(self, error: type[BaseException] | None) -> None:
        if self._session is None:
            return
        try:
            if error in (None, OutOfRangeError, StopIteration):
                with self._graph.as_default():
                    for hook in self._hooks:
                        hook.end(self._session)
        finally:
            self._drop()  # what waits in other threads gives up
            self._coordinator.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> bool:
        ends = kind is not None and issubclass(kind, OutOfRangeError | StopIteration)
        self._close(None if ends else kind)
        return ends


class MonitoredSession(SingularMonitoredSession):
    """Session with hooks, which is made anew when a task was lost, and runs again.

    ``with`` closes it; an OutOfRangeError or StopIteration ends the block without an error.
    """

    _recovers = True

    def __init__(
        self, session_creator: SessionCreator | None = None,
        hooks: Sequence[SessionRunHook] | None = None, stop_grace_period_secs: float = 120,
    ) -> None:  # fmt: skip
        self._start(session_creator or ChiefSessionCreator(), hooks, stop_grace_period_secs)


def MonitoredTrainingSession(
    master: str = "", is_chief: bool = True, checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None, hooks: Sequence[SessionRunHook] | None = None,
    chief_only_hooks: Sequence[SessionRunHook] | None = None,
    save_checkpoint_secs: Any = USE_DEFAULT, save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT, config: Any = None,
    stop_grace_period_secs: float = 120, log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200, save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: str | None = None, save_graph_def: bool = True,
) -> MonitoredSession:  # fmt: skip
    """Make a session for training: the chief restores and saves, other workers wait for it.

    Args:
        master: target of the session, such as ``server.target``.
        is_chief: whether this process initializes variables and saves.
        checkpoint_dir: folder of checkpoints; the last one is restored.
        scaffold: operations of the graph; by default made for it.
        hooks: hooks of all workers.
        chief_only_hooks: hooks of the chief alone.
        save_checkpoint_secs: seconds between checkpoints, 600 by default; None for none.
        save_summaries_steps: steps between summaries, 100 by default; None for none.
        save_summaries_secs: seconds between summaries instead.
        config: ConfigProto.
        stop_grace_period_secs: how long threads may take to stop.
        log_step_count_steps: steps between logs of the rate; None or 0 for none.
        max_wait_secs: how long a worker waits for the chief.
        save_checkpoint_steps: steps between checkpoints instead of seconds.
        summary_dir: folder of summaries; by default that of checkpoints.
        save_graph_def: without effect: no graph is saved.
    Returns:
        MonitoredSession.
    """
    scaffold = scaffold or Scaffold()
    added = list(hooks or ())
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, added, stop_grace_period_secs)
    added += chief_only_hooks or ()
    checkpoints = _period(save_checkpoint_steps, save_checkpoint_secs, None, 600)
    summaries = _period(save_summaries_steps, save_summaries_secs, 100, None)
    folder = summary_dir or checkpoint_dir
    if folder:
        folder = os.fspath(folder)
        if log_step_count_steps:
            added.append(StepCounterHook(log_step_count_steps, output_dir=folder))
        if summaries != (None, None):
            added.append(SummarySaverHook(*summaries, output_dir=folder, scaffold=scaffold))
    if checkpoint_dir and checkpoints != (None, None):
        steps, seconds = checkpoints
        added.append(CheckpointSaverHook(checkpoint_dir, seconds, steps, scaffold=scaffold))
    chief = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(chief, added, stop_grace_period_secs)


def _period(steps: Any, seconds: Any, default_steps: Any, default_seconds: Any) -> tuple[Any, Any]:
    """Return steps and seconds between events; both defaults where neither is given."""
    if steps is USE_DEFAULT and seconds is USE_DEFAULT:
        return default_steps, default_seconds
    return (None if steps is USE_DEFAULT else steps), (None if seconds is USE_DEFAULT else seconds)
