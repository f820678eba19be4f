"""A metric that a callback looks at: which of two values is better."""

from __future__ import annotations

import warnings
from typing import Any

_RISING = ("acc", "auc", "precision", "recall", "f1", "fbeta", "iou", "r2", "top_k", "true_")


class Monitor:
    """Metric that a callback looks at.

    ``mode`` is 'min', 'max' or 'auto': names of what should rise, such as 'val_accuracy', mean
    'max'; so does another mode, with a warning.
    """

    def __init__(self, name: str, mode: str, min_delta: float, owner: str) -> None:
        if mode not in ("auto", "min", "max"):
            warnings.warn(f"{owner} mode '{mode}' is unknown, fallback to auto mode.", stacklevel=3)
            mode = "auto"
        rises = any(word in name for word in _RISING) and "loss" not in name
        self._name = name
        self._owner = owner
        self.rises = mode == "max" or mode == "auto" and rises
        self._delta = abs(min_delta)

    def value(self, logs: dict[str, Any] | None) -> float | None:
        """Return the value among the metrics of an epoch; a warning and None if it is not there."""
        metric = (logs or {}).get(self._name)
        if metric is None:
            names = ", ".join(logs or {})
            warnings.warn(
                f"{self._owner} looks at {self._name!r}, which is not among the metrics: {names}",
                stacklevel=2,
            )
            return None
        return float(metric)

    def is_better(self, value: float, than: float | None) -> bool:
        """Return whether a value is better than another one by more than the least change."""
        if than is None:
            return True
        return value - self._delta > than if self.rises else value + self._delta < than
