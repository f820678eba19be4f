"""Settings of the engine: switches that compiled graphs depend on, with a generation number.

flags.py and optimizer_options.py report each change here; caches of executables store the
generation with each entry and compare it.
"""

from __future__ import annotations

from typing import Any

from autograph.syntax.fork_safe_lock import fork_safe_lock


class Settings:
    """Values of all settings; ``generation`` changes whenever one of them does.

    Equal settings have equal generations, so that executables from before a change are valid again
    when it is undone.
    """

    __slots__ = ("_lock", "_numbers", "_values", "generation")

    def __init__(self) -> None:
        self.generation = 0
        self._values: dict[str, Any] = {}
        self._numbers: dict[frozenset[tuple[str, Any]], int] = {}
        self._lock = fork_safe_lock()

    def change(self, name: str, value: Any) -> None:
        """Set the value of a setting, which must be hashable."""
        with self._lock:
            self._values[name] = value
            values = frozenset(self._values.items())
            self.generation = self._numbers.setdefault(values, len(self._numbers) + 1)


SETTINGS = Settings()
