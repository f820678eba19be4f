"""A pause of the garbage collector while many modules are imported.

What modules define lives as long as the program: the collector would go through it again and again,
and find nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Let the garbage collector rest, unless the program has stopped it anyway."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
