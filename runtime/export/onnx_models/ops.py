"""Ops by name, for rules of import: ``ops.reduce_sum(x, axis=..., keepdims=...)``."""

from __future__ import annotations

from typing import Any

from runtime.ops.op import lookup


class _Ops:
    """Namespace of op definitions, which take all their attributes."""

    def __getattr__(self, name: str) -> Any:
        definition = lookup(name)
        setattr(self, name, definition)
        return definition


ops: Any = _Ops()
