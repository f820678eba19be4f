"""The chief: the process of a job that writes what all have, such as checkpoints and summaries.

A process is its own chief until ``runtime.distribute`` says something else.
"""

from __future__ import annotations


class _Process:
    is_chief = True


_PROCESS = _Process()


def is_chief() -> bool:
    """Return whether this process writes files that all processes of its job have in common."""
    return _PROCESS.is_chief


def set_chief(value: bool) -> None:
    """Say whether this process is the chief."""
    _PROCESS.is_chief = value
