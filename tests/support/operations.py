"""Definitions of operations are loaded with the names that need them; here all are."""

from __future__ import annotations

import runtime


def load_all() -> None:
    """Load the definitions of all operations, always in the same order; annexes may be absent."""
    assert runtime.__all__
    for name in runtime._SUBMODULES:
        getattr(runtime, name, None)
