"""Callbacks that end the training."""

from __future__ import annotations

import math
import sys
from typing import Any

from runtime.keras.callbacks.callback import Callback
from runtime.keras.callbacks.monitoring import Monitor
from runtime.keras.ops import greater, less

__all__ = ["EarlyStopping", "TerminateOnNaN"]


class EarlyStopping(Callback):
    """End the training when a metric has not become better for some epochs.

    Args:
        monitor: name of the metric.
        min_delta: least change that counts.
        patience: number of epochs to wait.
        verbose: whether to tell when it ends.
        mode: 'min', 'max', or 'auto' by the name of the metric.
        baseline: value that the metric must be better than.
        restore_best_weights: whether the weights of the best epoch are set at the end.
        start_from_epoch: number of epochs that do not count.
    """

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0,
        mode: str = "auto", baseline: float | None = None, restore_best_weights: bool = False,
        start_from_epoch: int = 0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.monitor = monitor
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.restore_best_weights = restore_best_weights
        self.start_from_epoch = start_from_epoch
        self.stopped_epoch = 0
        self.best_weights: Any = None
        self._monitor = Monitor(monitor, mode, min_delta, "EarlyStopping")

    @property
    def monitor_op(self) -> Any:
        """Function that says whether a value is better than another: ``keras.ops.less`` or so."""
        return greater if self._monitor.rises else less

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin to wait anew."""
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best: float | None = None
        self.best_weights = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Look at the metric."""
        current = self._monitor.value(logs)
        if current is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self.best_weights, self.best_epoch = self.model.get_weights(), epoch
        self.wait += 1
        if self._monitor.is_better(current, self.best):
            self.best, self.best_epoch = current, epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            if self.baseline is None or self._monitor.is_better(current, self.baseline):
                self.wait = 0
            return
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def on_train_end(self, logs: Any = None) -> None:
        """Restore the weights of the best epoch."""
        if self.stopped_epoch > 0 and self.verbose:
            sys.stdout.write(f"Epoch {self.stopped_epoch + 1}: early stopping\n")
        if self.restore_best_weights and self.best_weights is not None:
            self.model.set_weights(self.best_weights)


class TerminateOnNaN(Callback):
    """End the training when the loss of a batch is not a finite number.

    With ``raise_error`` a RuntimeError ends it at once, so that no callback is told of its end.
    """

    def __init__(self, raise_error: bool = False) -> None:
        super().__init__()
        self.raise_error = raise_error

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Look at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not math.isfinite(float(loss)):
            if self.raise_error:
                raise RuntimeError(f"NaN or Inf loss encountered at batch {batch}: {float(loss)}")
            sys.stdout.write(f"Batch {batch}: the loss is {float(loss)}, training ends\n")
            self.model.stop_training = True
