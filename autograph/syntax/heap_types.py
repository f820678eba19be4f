"""Queries about classes: whether a class was created at run time (a heap type)."""

from __future__ import annotations

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE


def is_heap_type(kind: type) -> bool:
    """Whether a class was made by a class statement or the like, not in C."""
    return bool(kind.__flags__ & _HEAP_TYPE)
