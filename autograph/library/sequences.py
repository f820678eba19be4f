"""What Python does with classes that have ``__getitem__`` and no ``__iter__``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def items(sequence: Any) -> Iterator[Any]:
    """``iter(sequence)``: its items from number 0 until one raises IndexError."""
    index = 0
    while True:
        try:
            item = sequence[index]
        except IndexError:
            return
        yield item
        index += 1
