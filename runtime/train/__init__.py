"""``runtime.train``: checkpoints of variables, records, and TensorFlow 1's optimizers."""

from typing import TYPE_CHECKING

from autograph.errors import unknown_name as _unknown_name
from runtime.train.checkpoint import Checkpoint as Checkpoint
from runtime.train.checkpoint_manager import CheckpointManager as CheckpointManager
from runtime.train.checkpoint_reader import *
from runtime.train.checkpoint_state import *
from runtime.train.saver import Saver as Saver
from runtime.types.annexes import added_names as _added_names
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

with _optional_annex():
    from runtime.data.formats.example import *

_OWN = [
    "BytesList", "Checkpoint", "CheckpointManager", "CheckpointReader", "CheckpointState",
    "Example", "Feature", "FeatureList", "FeatureLists", "Features", "FloatList", "Int64List",
    "Saver", "SequenceExample",
    "get_checkpoint_state", "latest_checkpoint", "list_variables", "load_checkpoint",
    "load_variable", "update_checkpoint_state",
]  # fmt: skip

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Return a name of TensorFlow 1's, which an annex adds when it is first asked for."""
        if name == "__all__":
            return __dir__()
        if not name.startswith("_"):
            globals().update(_added_names("runtime.train"))
            if name in globals():
                return globals()[name]
        raise _unknown_name("runtime.train", name, __dir__())

    __getattr__ = _explained(__name__, __getattr__)


def __dir__() -> list[str]:
    return sorted({*_OWN, *_added_names("runtime.train")})
