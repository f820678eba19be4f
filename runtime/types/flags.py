"""Every switch of the runtime, on one page; what a flag is, says ``autograph.flags``."""

from __future__ import annotations

from typing import TypeVar

from autograph.flags import Flag, switch
from runtime.types.settings import SETTINGS

T = TypeVar("T")


class EngineFlag(Flag[T]):
    """A flag that compiled graphs depend on: each change begins another generation of them."""

    def _set(self, value: T) -> None:
        super()._set(value)
        SETTINGS.change(self.name, value)


def _times(text: str) -> int:
    """A whole number, 0 or more."""
    if not text.isdigit():
        raise ValueError("a whole number")
    return int(text)


CHECK_KERNELS = EngineFlag(
    "RUNTIME_CHECK_KERNELS", False,
    "1: the reference executor checks that every kernel's result is what the op's row infers",
    switch,
)  # fmt: skip

OPTIMIZE = EngineFlag(
    "RUNTIME_OPTIMIZE", True,
    "0: graphs run as they were recorded, without the optimiser passes: the reference", switch,
)  # fmt: skip

WRITE_AFTER = EngineFlag(
    "RUNTIME_WRITE_AFTER", 100,
    "after so many runs a graph is written out as a Python function; 0: never",
    _times,
)  # fmt: skip
