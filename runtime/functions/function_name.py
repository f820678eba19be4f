"""Name of what ``function`` was given."""

from __future__ import annotations

import functools
from typing import Any


def name_of(function: Any) -> str:
    """Return the name of a function, a partial, a method or a callable object."""
    while not hasattr(function, "__name__") and isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__
