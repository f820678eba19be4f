"""Items of classes that have ``__getitem__`` and no ``__iter__``, and numbers of items."""

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


def check_count(size: Any, count: int) -> None:
    """Raise what Python does where ``size`` values are unpacked to ``count`` variables."""
    if size != count:
        if size > count:
            words = f"too many values to unpack (expected {count}"
            raise ValueError(f"{words}, got {size})" if _SAYS_HOW_MANY else f"{words})")
        raise ValueError(f"not enough values to unpack (expected {count}, got {size})")


def check_least(size: Any, least: int) -> None:
    """Raise what Python does where fewer values are unpacked than variables without a star."""
    if size < least:
        raise ValueError(f"not enough values to unpack (expected at least {least}, got {size})")


def _says_how_many() -> bool:
    """Whether Python's error for too many values says how many there were."""
    try:
        (_,) = list("ab")
    except ValueError as error:
        return "got" in str(error)
    raise AssertionError("two values were unpacked to one variable")


_SAYS_HOW_MANY = _says_how_many()
