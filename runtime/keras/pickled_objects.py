"""Classes and functions that are pickled beside the description of a model, and not by name.

A description alone names them, which another process, or a main program anew, need not know.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any


class _Collection(threading.local):
    objects: dict[str, Any] | None = None


_COLLECTION = _Collection()


@contextlib.contextmanager
def collecting() -> Iterator[dict[str, Any]]:
    """Collect in a dict, by new names, what descriptions that are made in the block refer to."""
    before = _COLLECTION.objects
    objects: dict[str, Any] = {}
    _COLLECTION.objects = objects
    try:
        yield objects
    finally:
        _COLLECTION.objects = before


def collected_name(value: Any) -> str | None:
    """Return the name under which a class or function of a user's is collected, else None."""
    objects = _COLLECTION.objects
    if objects is None or str(getattr(value, "__module__", "runtime.")).startswith("runtime."):
        return None
    name = next((name for name, other in objects.items() if other is value), None)
    if name is None:
        name = f"{value.__name__}<{len(objects)}>"
        objects[name] = value
    return name
