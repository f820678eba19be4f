"""``CheckpointManager``: checkpoints in a folder, of which the latest ones are kept."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from runtime.train.checkpoint import SUFFIX, Checkpoint, make_folder, remove_checkpoints
from runtime.train.checkpoint_state import get_checkpoint_state, update_checkpoint_state

__all__ = ["CheckpointManager"]


class CheckpointManager:
    """Checkpoints in a folder, of which the latest ones are kept.

    Args:
        checkpoint: checkpoint to save.
        directory: folder, which is made.
        max_to_keep: how many are kept; None keeps all.
        keep_checkpoint_every_n_hours: one of so many hours is kept for good.
        checkpoint_name: first part of the file names.
        step_counter: variable that counts steps, for ``checkpoint_interval``.
        checkpoint_interval: least number of steps between two checkpoints.
        init_fn: function to call in ``restore_or_initialize`` where there is no checkpoint.

    Raises:
        ValueError: for a limit that is no positive number, and an interval without a counter.
    """

    def __init__(
        self, checkpoint: Checkpoint, directory: str | os.PathLike[str], max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None, checkpoint_name: str = "ckpt",
        step_counter: Any = None, checkpoint_interval: int | None = None,
        init_fn: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"max_to_keep must be a positive int or None, got {max_to_keep!r}")
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("checkpoint_interval needs a step_counter")
        self.checkpoint = checkpoint
        self.directory = os.fsdecode(directory)
        self.checkpoint_interval = checkpoint_interval
        self._most = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._name = checkpoint_name
        self._counter = step_counter
        self._last_step: int | None = None
        self._init = init_fn
        self._kept_at = time.time()
        state = get_checkpoint_state(self.directory)
        self._paths = [
            path for path in (state.all_model_checkpoint_paths if state else [])
            if os.path.isfile(path + SUFFIX)
        ]  # fmt: skip

    @property
    def checkpoints(self) -> list[str]:
        """Paths of the checkpoints, oldest first."""
        return list(self._paths)

    @property
    def latest_checkpoint(self) -> str | None:
        """Path of the latest checkpoint; None where there is none."""
        return self._paths[-1] if self._paths else None

    def save(
        self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None
    ) -> str | None:
        """Save a checkpoint, and delete what is over the limit; return its path.

        ``checkpoint_number`` is the number in its name, the count of saves by default.  None is
        returned, and nothing saved, before ``checkpoint_interval`` steps are done.
        """
        if check_interval and self.checkpoint_interval is not None:
            step = int(self._counter)
            if self._last_step is not None and step < self._last_step + self.checkpoint_interval:
                return None
            self._last_step = step
        prefix = os.path.join(self.directory, self._name)
        make_folder(prefix)
        if checkpoint_number is None:
            number = int(self.checkpoint.save_counter.numpy()) + 1
        else:
            number = int(checkpoint_number)
        self.checkpoint.save_counter.assign_add(1)
        path = self.checkpoint.write(f"{prefix}-{number}")
        self._paths = [*[p for p in self._paths if p != path], path]
        gone = self._over_the_limit()
        names = [os.path.relpath(p, self.directory) for p in self._paths]
        update_checkpoint_state(self.directory, names[-1], names)
        remove_checkpoints(gone)
        return path

    def _over_the_limit(self) -> list[str]:
        """Return the paths of checkpoints to delete, and forget these."""
        gone: list[str] = []
        while self._most is not None and len(self._paths) > self._most:
            old = self._paths.pop(0)
            modified = os.path.getmtime(old + SUFFIX) if os.path.isfile(old + SUFFIX) else 0
            if self._hours is not None and modified - self._kept_at >= self._hours * 3600:
                self._kept_at = modified
                continue
            gone.append(old)
        return gone

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint and return its path; else call ``init_fn``, return None."""
        path = self.latest_checkpoint
        if path is not None:
            self.checkpoint.restore(path)
            if self._counter is not None:
                self._last_step = int(self._counter)
            return path
        if self._init is not None:
            self._init()
        return None
