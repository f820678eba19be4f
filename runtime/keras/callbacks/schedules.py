"""Callbacks that change the learning rate."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from runtime.keras.callbacks.callback import Callback
from runtime.keras.callbacks.monitoring import Monitor

__all__ = ["LearningRateScheduler", "ReduceLROnPlateau"]


def _rate(model: Any) -> float:
    return float(model.optimizer.learning_rate)


class LearningRateScheduler(Callback):
    """Set the learning rate before each epoch to ``schedule(epoch, rate)``, or ``schedule(epoch)``.

    ValueError where the schedule gives no number.
    """

    def __init__(self, schedule: Callable[..., float], verbose: int = 0) -> None:
        super().__init__()
        self.schedule = schedule
        self.verbose = verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Set the learning rate."""
        rate = _rate(self.model)
        takes_one = len(inspect.signature(self.schedule).parameters) == 1
        new_rate = self.schedule(epoch) if takes_one else self.schedule(epoch, rate)
        try:
            rate = float(new_rate)
        except TypeError:
            raise ValueError(
                f"the schedule of LearningRateScheduler must return a float, got {new_rate!r}"
            ) from None
        self.model.optimizer.learning_rate = rate
        if self.verbose:
            sys.stdout.write(f"Epoch {epoch + 1}: the learning rate is {rate}\n")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Add the learning rate to the metrics."""
        if logs is not None:
            logs["learning_rate"] = _rate(self.model)


class ReduceLROnPlateau(Callback):
    """Multiply the learning rate by ``factor`` when a metric has not become better.

    Args:
        monitor: name of the metric.
        factor: factor, less than one.
        patience: number of epochs to wait.
        verbose: whether to tell of changes.
        mode: 'min', 'max', or 'auto' by the name of the metric.
        min_delta: least change that counts.
        cooldown: number of epochs after a change that do not count.
        min_lr: least learning rate.

    Raises:
        ValueError: for a factor of one or more.
    """

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0,
        mode: str = "auto", min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__()
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau needs a factor below 1, got {factor}")
        self.factor = factor
        self.patience = patience
        self.verbose = verbose
        self.cooldown = cooldown
        self.min_lr = min_lr
        self._monitor = Monitor(monitor, mode, min_delta, "ReduceLROnPlateau")
        self._begin()

    def _begin(self) -> None:
        self.wait = self.cooldown_counter = 0
        self.best: float | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin to wait anew."""
        self._begin()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Look at the metric."""
        if logs is not None:
            logs["learning_rate"] = _rate(self.model)
        current = self._monitor.value(logs)
        if current is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self._monitor.is_better(current, self.best):
            self.best, self.wait = current, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(epoch)

    def _reduce(self, epoch: int) -> None:
        old = _rate(self.model)
        if old > self.min_lr:
            rate = max(old * self.factor, self.min_lr)
            self.model.optimizer.learning_rate = rate
            if self.verbose:
                sys.stdout.write(f"Epoch {epoch + 1}: the learning rate becomes {rate}\n")
            self.cooldown_counter, self.wait = self.cooldown, 0
