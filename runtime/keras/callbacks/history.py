"""``History``: the metrics of each epoch, which ``fit`` returns."""

from __future__ import annotations

from typing import Any

from runtime.keras.callbacks.callback import Callback

__all__ = ["History"]


class History(Callback):
    """Metrics of each epoch.

    history  a list for each metric by name, with an entry for each epoch
    epoch    the numbers of the epochs
    """

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[float]] = {}
        self.epoch: list[int] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin with no epochs."""
        self.epoch = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Add the metrics of an epoch."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)
        self.model.history = self
