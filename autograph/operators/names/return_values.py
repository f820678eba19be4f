"""``return``: what a converted function hands over, tied to the effects that it had before."""

from __future__ import annotations

import sys
import types
from typing import Any

from autograph.operators.control.protected_lines import inside_try
from autograph.staging.registry import tracing_backend
from autograph.syntax.code_markers import is_converted_frame


def returned(value: Any) -> Any:
    """Return the value; while a backend records, one that depends on the effects before it."""
    backend = tracing_backend()
    return value if backend is None else backend.returned(value, _is_outermost(), inside_try)


def result(value: Any) -> Any:
    """Return the result of a staged version; to unconverted code, as the library has it."""
    backend = tracing_backend()
    return value if backend is None or not _is_outermost() else backend.result(value)


def _is_outermost() -> bool:
    """Whether the function that returns was called by code that is not converted."""
    frame: types.FrameType | None = sys._getframe(2)
    functions = 0
    while frame is not None and functions < 2:
        functions += is_converted_frame(frame)
        frame = frame.f_back
    return functions < 2
