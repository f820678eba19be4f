"""What a run shows: a line for each epoch, and on terminals a bar until it is there."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

from runtime.types.chief import is_chief


def written(logs: dict[str, Any]) -> str:
    """Return metrics as text: ``loss: 0.1234 - accuracy: 0.9``."""
    return " - ".join([f"{name}: {_number(value)}" for name, value in logs.items()])


def _number(value: Any) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return f"{number:.4f}" if abs(number) > 1e-3 or number == 0 else f"{number:.4e}"


class Progress:
    """Progress of a run over batches.

    ``verbose`` is 0, 1 (a bar, if the output is a terminal), 2 (a line at the end) or 'auto' (1).
    ValueError for others.  The bar is tqdm's, if it is installed.
    """

    def __init__(self, verbose: Any, steps: int | None, title: str = "") -> None:
        if verbose not in (0, 1, 2, "auto"):
            raise ValueError(f"verbose must be 0, 1, 2 or 'auto', got {verbose!r}")
        self._shown = verbose != 0 and (verbose != "auto" or is_chief())
        self._title = title
        self._steps = steps
        self._start = time.perf_counter()
        self._bar: Any = None
        self._done = 0
        if self._shown and verbose != 2 and sys.stdout.isatty():
            self._bar = _bar(steps, title)

    @property
    def is_live(self) -> bool:
        """Whether batches are shown while they run."""
        return self._bar is not None

    def advance(self, count: int, logs: dict[str, Any] | None = None) -> None:
        """Show that more batches are done."""
        self._done += count
        if self._bar is not None:
            if logs:
                self._bar.set_postfix_str(written(logs), refresh=False)
            self._bar.update(count)

    def finish(self, logs: dict[str, Any]) -> None:
        """Show the metrics at the end."""
        if self._bar is not None:  # the line takes its place: a bar would cut the metrics off
            self._bar.close()
        if self._shown:
            count = self._steps or self._done
            title = self._title or (f"{count}/{count}" if count else "")
            texts = [title, f"{time.perf_counter() - self._start:.1f}s", written(logs)]
            sys.stdout.write(" - ".join([text for text in texts if text]) + "\n")
            sys.stdout.flush()


def _bar(steps: int | None, title: str) -> Any:
    """Return a bar of tqdm's; None if it is not installed."""
    try:
        tqdm: Any = importlib.import_module("tqdm")
    except ModuleNotFoundError:
        return None
    name = title and f"{title} - "
    return tqdm.tqdm(total=steps, desc=name, file=sys.stdout, leave=False, bar_format=_BAR)


_BAR = "{desc}{n_fmt}/{total_fmt} |{bar:16}| {elapsed}{postfix}"
