"""Callbacks that write down the metrics, or call functions."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from runtime.keras.callbacks.callback import Callback
from runtime.types.chief import is_chief

__all__ = ["CSVLogger", "LambdaCallback"]


class CSVLogger(Callback):
    """Write the metrics of each epoch as a line of a file.

    ``append`` adds to a file that exists, whose first line then stays the heading.  The columns
    are those of the first epoch, in the order of their names.
    """

    def __init__(self, filename: str | Path, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename = Path(filename)
        self.separator = separator
        self.append = append
        self._file: TextIO | None = None
        self._writer: csv.DictWriter[str] | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Open the file."""
        adds = self.append and self.filename.exists() and self.filename.stat().st_size > 0
        self._has_heading = adds
        target = self.filename if is_chief() else Path(os.devnull)
        self._file = target.open("a" if self.append else "w", newline="")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write a line."""
        assert self._file is not None
        values = dict(logs or {})
        if self._writer is None:
            names = ["epoch", *sorted(values)]
            if not any(name.startswith("val_") for name in values):  # may come in later epochs
                names += [f"val_{name}" for name in sorted(values)]
            self._writer = csv.DictWriter(
                self._file, names, restval="NA", extrasaction="ignore", delimiter=self.separator
            )
            if not self._has_heading:
                self._writer.writeheader()
        self._writer.writerow({"epoch": epoch, **values})
        self._file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        self._file = self._writer = None


class LambdaCallback(Callback):
    """Callback made of functions, one for each event that matters; others are methods of it."""

    def __init__(self, **functions: Callable[..., Any] | None) -> None:
        super().__init__()
        for name, function in functions.items():
            if name.startswith("on_") and not hasattr(Callback, name):
                raise TypeError(f"LambdaCallback() has no event {name!r}")
            if function is not None:
                setattr(self, name, function)
