"""Stack of the sessions that a thread has entered, and the session that runs an element.

session.py changes the stack; ``Tensor.eval`` and ``Operation.run`` ask for the session.
"""

from __future__ import annotations

import threading
from typing import Any

from runtime.eager.tensor import Tensor


class _Sessions(threading.local):
    def __init__(self) -> None:
        self.stack: list[Any] = []


_sessions = _Sessions()


def default_session() -> Any:
    """Return the innermost session that this thread has entered, or None."""
    return _sessions.stack[-1] if _sessions.stack else None


def session_stack() -> list[Any]:
    """Return the list of sessions that this thread has entered; session.py changes it."""
    return _sessions.stack


def session_for(session: Any, element: Any) -> Any:
    """Return the session to run an element in; ValueError without one, or for another graph."""
    refusal = "Cannot evaluate tensor" if isinstance(element, Tensor) else "Cannot execute"
    chosen = default_session() if session is None else session
    if chosen is None:
        raise ValueError(
            f"{refusal} {element.name!r}: no session is the default one. Use "
            "`with runtime.Session():` around it, or pass session=..."
        )
    if chosen.graph is not element.graph:
        which = "default" if session is None else "given"
        raise ValueError(
            f"{refusal} {element.name!r} in the {which} session: its graph is different from the "
            "session's graph. Pass a session of its graph: session=runtime.Session(graph=...)."
        )
    return chosen
