"""The group of all processes of this process' job, which strategies and kernels share."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from typing import Any

from runtime.distribute.process_group import ProcessGroup
from runtime.types.chief import set_chief

_VARIABLES_OF_MPI = (
    "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS",
)  # fmt: skip


def is_started_by_mpi() -> bool:
    """Return whether the process belongs to a job of MPI's."""
    return any(name in os.environ for name in _VARIABLES_OF_MPI)


class _World:
    """Group of this process; None until a strategy joins one, or if it is alone."""

    group: ProcessGroup | None = None
    is_placed = False
    """Whether the program said in which order the processes are."""

    @property
    def others(self) -> ProcessGroup | None:
        """The group, if there are other processes in it."""
        return None if self.group is None or self.group.count == 1 else self.group


WORLD = _World()


def joined_world(timeout: float | None = None, **place: Any) -> ProcessGroup:
    """Return the group of all processes of the job.

    It is made once, and anew if a place is given which was not before, as by a program that sets
    ``TF_CONFIG`` itself.
    """
    group = WORLD.group
    if group is None:
        atexit.register(lambda: WORLD.group.leave() if WORLD.group else None)
        sys.excepthook = _noting_crashes(sys.excepthook)
    if group is None or (place and not WORLD.is_placed):
        group = WORLD.group = ProcessGroup(**place)
        WORLD.is_placed = bool(place)
        set_chief(group.rank == 0)
    if timeout is not None:
        group.timeout = timeout
    return group


def _noting_crashes(hook: Callable[..., Any]) -> Callable[..., Any]:
    """Return a hook for errors that end the program, which lets it not wait for the others."""

    def note(*error: Any) -> None:
        if WORLD.group is not None:
            WORLD.group.crash()
        hook(*error)

    return note
