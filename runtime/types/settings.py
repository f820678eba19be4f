"""Settings of the engine: the switches that compiled graphs depend on, told apart by one integer.

flags.py and optimizer_options.py report each change here; who keeps something that was compiled
keeps the generation it was compiled in beside it, and compares.
"""

from __future__ import annotations

import threading
from typing import Any


class Settings:
    """Settings in force, numbered: ``generation`` changes whenever one of them does.

    Equal settings have equal numbers, so what was compiled before a change is good again when the
    change is taken back.
    """

    __slots__ = ("_lock", "_numbers", "_values", "generation")

    def __init__(self) -> None:
        self.generation = 0
        self._values: dict[str, Any] = {}
        self._numbers: dict[frozenset[tuple[str, Any]], int] = {}
        self._lock = threading.Lock()

    def change(self, name: str, value: Any) -> None:
        """Note that a setting has another value; it must be hashable."""
        with self._lock:
            self._values[name] = value
            values = frozenset(self._values.items())
            self.generation = self._numbers.setdefault(values, len(self._numbers) + 1)


SETTINGS = Settings()
