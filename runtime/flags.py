"""Every switch of the runtime: its name, default and meaning, on one page.

A flag is read from the environment variable ``RUNTIME_<NAME>`` once, at import, and can be set for
a block with ``with flag(value): ...``.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


class Flag:
    """One integer switch.  ``flag.value`` reads it; ``with flag(1):`` sets it for a block."""

    def __init__(self, name: str, default: int, meaning: str) -> None:
        self.name = name
        self.meaning = meaning
        text = os.environ.get(f"RUNTIME_{name}", "")
        if text and not text.lstrip("-").isdigit():
            raise ValueError(
                f"environment variable RUNTIME_{name} is {text!r}; expected a whole number "
                f"({meaning})"
            )
        self.value = int(text) if text else default

    @contextlib.contextmanager
    def __call__(self, value: int) -> Iterator[None]:
        """Set the flag for a block."""
        before, self.value = self.value, value
        try:
            yield
        finally:
            self.value = before


CHECK_KERNELS = Flag(
    "CHECK_KERNELS", 0, "1: the reference executor checks every kernel's result against infer"
)
