"""``runtime.keras.callbacks``: what a run of ``fit`` tells of its epochs and batches."""

from typing import TYPE_CHECKING

from runtime.keras.callbacks.backup import BackupAndRestore as BackupAndRestore
from runtime.keras.callbacks.callback import Callback as Callback
from runtime.keras.callbacks.callback import CallbackList as CallbackList
from runtime.keras.callbacks.checkpointing import ModelCheckpoint as ModelCheckpoint
from runtime.keras.callbacks.history import History as History
from runtime.keras.callbacks.logging import CSVLogger as CSVLogger
from runtime.keras.callbacks.logging import LambdaCallback as LambdaCallback
from runtime.keras.callbacks.schedules import LearningRateScheduler as LearningRateScheduler
from runtime.keras.callbacks.schedules import ReduceLROnPlateau as ReduceLROnPlateau
from runtime.keras.callbacks.stopping import EarlyStopping as EarlyStopping
from runtime.keras.callbacks.stopping import TerminateOnNaN as TerminateOnNaN
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.keras.callbacks.tensorboard import TensorBoard as TensorBoard

__all__ = [
    "BackupAndRestore", "CSVLogger", "Callback", "CallbackList", "EarlyStopping", "History",
    "LambdaCallback", "LearningRateScheduler", "ModelCheckpoint", "ReduceLROnPlateau",
    "TensorBoard", "TerminateOnNaN",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
