"""Errors of staging on their way to the user: given the lines that they are about."""

from __future__ import annotations

from autograph.errors import AutoGraphError
from autograph.places import user_frame


def located(error: AutoGraphError) -> AutoGraphError:
    """The error, with the user's lines added unless it has them."""
    frame = user_frame()
    if error.where is None and frame is not None:
        error.where = frame.f_code.co_filename, frame.f_lineno
        if error.subject is not None and not error.places:
            from autograph.operators.assignments import assignments  # costs an import

            error.places = tuple(assignments(frame, error.subject))
    return error
