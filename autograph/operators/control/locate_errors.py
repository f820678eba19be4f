"""Adds the user's lines to a staging error before it reaches the user."""

from __future__ import annotations

import re
from types import FrameType

from autograph.diagnostics.user_frame import user_frame
from autograph.errors import AutoGraphError, JoinError
from autograph.operators.joins.join_errors import RESULT, RETURNED


def add_location(error: AutoGraphError) -> AutoGraphError:
    """Return the error, with the user's lines added unless it has them."""
    frame = user_frame()
    if error.where is None and frame is not None:
        error.where = frame.f_code.co_filename, frame.f_lineno
        if error.subject is not None and not error.related_lines:
            _explain(error, error.subject, frame)
    return error


def _explain(error: AutoGraphError, subject: str, frame: FrameType) -> None:
    from autograph.analysis.assignment_lines import assignments, is_written  # cost an import

    result = isinstance(error, JoinError) and re.fullmatch(r"result(_\d+)?", subject)
    if result and not is_written(frame, subject):
        # conversion keeps the value of a ``return`` inside a loop in this variable
        error.message = error.message.replace(f"'{subject}'", RETURNED, 1)
        error.subject = subject = RESULT
    error.related_lines = tuple(assignments(frame, subject))
