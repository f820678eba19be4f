"""What a converted function returns."""

from __future__ import annotations

from typing import Any

from autograph.staging import tracing_backend


def returned(value: Any) -> Any:
    """The value; while a backend records, one that depends on the effects before it."""
    backend = tracing_backend()
    return value if backend is None else backend.returned(value)
