"""``SessionRunHook``: what happens around each run of a monitored session, and its arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["SessionRunArgs", "SessionRunContext", "SessionRunHook", "SessionRunValues"]


class SessionRunArgs(NamedTuple):
    """Fetches and feeds that a hook adds to a run."""

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """Results of the fetches that a hook added to a run."""

    results: Any
    options: Any = None
    run_metadata: Any = None


class SessionRunContext:
    """Run that hooks take part in: the session, the user's arguments, a request to stop."""

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self.original_args = original_args
        self.session = session
        self.stop_requested = False

    def request_stop(self) -> None:
        """Let ``should_stop`` of the session be true after this run."""
        self.stop_requested = True


class SessionRunHook:
    """Base of hooks; each method does nothing.

    A hook may record operations in ``begin`` only: the graph is finalized then.
    """

    def begin(self) -> None:
        """Called once before the session is made."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session was made, or made anew after a task was lost."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Return what a run shall fetch and feed besides, or None."""
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called with the results; not after a run that raised an exception."""

    def end(self, session: Any) -> None:
        """Called before the session is closed, unless an exception closes it."""
