"""``runtime.train``: checkpoints of variables, under TensorFlow's names."""

from runtime.train.checkpoint import Checkpoint as Checkpoint
from runtime.train.checkpoint_manager import CheckpointManager as CheckpointManager
from runtime.train.checkpoint_reader import *
from runtime.train.checkpoint_state import *
from runtime.train.saver import Saver as Saver

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

__all__ = [
    "Checkpoint", "CheckpointManager", "CheckpointReader", "CheckpointState", "Saver",
    "get_checkpoint_state", "latest_checkpoint", "list_variables", "load_checkpoint",
    "load_variable", "update_checkpoint_state",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
