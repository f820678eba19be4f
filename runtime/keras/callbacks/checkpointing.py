"""``ModelCheckpoint``: the model, written to a file after epochs or batches."""

from __future__ import annotations

import os
import sys
from typing import Any

from runtime.keras.callbacks.callback import Callback
from runtime.keras.callbacks.monitoring import Monitor
from runtime.types.atomic_files import make_synced_folder
from runtime.types.chief import is_chief

__all__ = ["ModelCheckpoint"]


class ModelCheckpoint(Callback):
    """Write the model to a file after each epoch, or after so many batches.

    ``filepath`` may have ``{epoch}`` and names of metrics in it: ``"{epoch:02d}-{val_loss:.2f}"``.

    Args:
        filepath: the file.
        monitor: name of the metric that says which model is the best.
        verbose: whether to tell of files.
        save_best_only: whether a model that is not better than those before is left out.
        save_weights_only: whether only the weights are written.
        mode: 'min', 'max', or 'auto' by the name of the metric.
        save_freq: 'epoch', or a number of batches.
        initial_value_threshold: value that the first model must be better than.

    Raises:
        ValueError: for another ``save_freq``, and where the end of ``filepath`` says no format.
    """

    def __init__(
        self, filepath: str | os.PathLike[str], monitor: str = "val_loss", verbose: int = 0,
        save_best_only: bool = False, save_weights_only: bool = False, mode: str = "auto",
        save_freq: Any = "epoch", initial_value_threshold: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(
                f"Unrecognized save_freq: {save_freq!r}. Expected 'epoch' or a number of batches"
            )
        self.filepath = os.fspath(filepath)
        _check_suffix(self.filepath, save_weights_only)
        self.verbose = verbose
        self.save_best_only = save_best_only
        self.save_weights_only = save_weights_only
        self.save_freq = save_freq
        self.best = initial_value_threshold
        self._monitor = Monitor(monitor, mode, 0, "ModelCheckpoint")
        self._epoch = self._batches = 0
        if save_freq != "epoch":
            self.on_train_batch_end = self._after_batch  # type: ignore[method-assign]

    def _after_batch(self, batch: int, logs: Any = None) -> None:
        self._batches += 1
        if self._batches >= self.save_freq:
            self._batches = 0
            self._save(logs)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Note the number of the epoch."""
        self._epoch = epoch

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write the file."""
        if self.save_freq == "epoch":
            self._save(logs)

    def _save(self, logs: dict[str, Any] | None) -> None:
        if self.save_best_only:
            value = self._monitor.value(logs)
            if value is not None:  # without the metric each model is written
                if not self._monitor.is_better(value, self.best):
                    return
                self.best = value
        if not is_chief():
            return
        path = self._path(logs or {})
        make_synced_folder(os.path.dirname(path) or ".")
        if self.save_weights_only:
            self.model.save_weights(path)
        else:
            self.model.save(path)
        if self.verbose:
            sys.stdout.write(f"Epoch {self._epoch + 1}: model written to {path}\n")

    def _path(self, logs: dict[str, Any]) -> str:
        values = {"epoch": self._epoch + 1, "batch": self._batches, **logs}
        try:
            return self.filepath.format(**values)
        except KeyError as error:
            names = ", ".join(values)
            raise KeyError(
                f"the file name {self.filepath!r} asks for {error}; there are {names}"
            ) from None


def _check_suffix(path: str, of_weights: bool) -> None:
    """Raise ValueError unless the end of a file's name says a format, before any training."""
    suffix, kind = (".weights.h5", "weights") if of_weights else (".keras", "model")
    if not path.endswith((suffix, ".safetensors")):
        start = (
            "When using `save_weights_only=True` in `ModelCheckpoint`, the filepath provided must"
            if of_weights else "The filepath provided must"
        )  # fmt: skip
        raise ValueError(
            f"{start} end in `{suffix}` (Keras {kind} format), or in `.safetensors` (this "
            f"package's). Received: filepath={path}"
        )
