"""Every flag: its name, default and meaning.

A flag is read from the environment variable of its name once, at import, and can be set for a
block: ``with flags.DEBUG(True): ...``.  The runtime's flags are of the same kind; ``FLAGS`` lists
them all.  Flags are for people who look into a problem: none changes what a program computes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Flag(Generic[T]):
    """One switch.  ``flag.value`` reads it; ``with flag(value):`` sets it for a block.

    ``accept`` turns a text into a value, or raises ValueError saying what is expected.
    Raises ValueError when the environment holds something else.
    """

    value: T

    def __init__(self, name: str, default: T, meaning: str, accept: Callable[[str], T]) -> None:
        self.name = name
        self.default = default
        self.meaning = meaning
        text = os.environ.get(name, "")
        try:
            self._set(accept(text) if text else default)
        except ValueError as error:
            raise ValueError(
                f"environment variable {name} is {text!r}; expected {error} ({meaning})"
            ) from None
        FLAGS[name] = self

    def _set(self, value: T) -> None:
        """Give the flag a value."""
        self.value = value

    def set(self, value: T) -> None:
        """Set the flag until it is set again."""
        self._set(value)

    @contextlib.contextmanager
    def __call__(self, value: T) -> Iterator[None]:
        """Set the flag for a block."""
        before = self.value
        self._set(value)
        try:
            yield
        finally:
            self._set(before)


FLAGS: dict[str, Flag[Any]] = {}
"""All flags, by name."""


def switch(text: str) -> bool:
    """``1`` or ``0``."""
    if text not in ("0", "1"):
        raise ValueError("0 or 1")
    return text == "1"


def level(text: str) -> int:
    """Parse a number of 0 or more."""
    if not text.isdecimal():
        raise ValueError("a number of 0 or more")
    return int(text)


def folder(text: str) -> str:
    """The path of a folder, which need not exist yet."""
    if os.path.exists(text) and not os.path.isdir(text):
        raise ValueError("a folder, which is created if missing, but this is a file")
    return text


DEBUG = Flag(
    "AUTOGRAPH_DEBUG", False,
    "1: write to stderr which functions are converted, and which are not and why; leave the frames "
    "of autograph and of the runtime in tracebacks", switch,
)  # fmt: skip

DUMP = Flag[str | None](
    "AUTOGRAPH_DUMP", None,
    "a folder: write the generated source of every function there when it is converted, in files "
    "named by module and qualified name", folder,
)  # fmt: skip

VERBOSITY = Flag(
    "AUTOGRAPH_VERBOSITY", 0,
    "1: write to stderr which functions are converted, and which are not and why; 3: their "
    "generated source, too (`autograph.set_verbosity`)", level,
)  # fmt: skip
