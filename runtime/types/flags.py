"""Every switch of the runtime, on one page; what a flag is, says ``autograph.flags``."""

from __future__ import annotations

from autograph.flags import Flag, switch


def _times(text: str) -> int:
    """A whole number, 0 or more."""
    if not text.isdigit():
        raise ValueError("a whole number")
    return int(text)


CHECK_KERNELS = Flag(
    "RUNTIME_CHECK_KERNELS", False,
    "1: the reference executor checks that every kernel's result is what the op's row infers",
    switch,
)  # fmt: skip

OPTIMIZE = Flag(
    "RUNTIME_OPTIMIZE", True,
    "0: graphs run as they were recorded, without the optimiser passes: the reference", switch,
)  # fmt: skip

WRITE_AFTER = Flag(
    "RUNTIME_WRITE_AFTER", 100,
    "after so many runs the reference executor writes a plan out as a Python function; 0: never",
    _times,
)  # fmt: skip
