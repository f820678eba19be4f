"""LLVM code of loops over whole arrays, by the kind of their plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.engine.llvm.array_loops import extreme_code, scan_code, scatter_code
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.ops.rules.loops import Extreme, Scan, Scatter

_CODES: dict[type, Callable[[LoopFrame, Any], None]] = {
    Extreme: extreme_code.emit,
    Scan: scan_code.emit,
    Scatter: scatter_code.emit,
}


def emit(frame: LoopFrame, slots: list[str], slow: str) -> None:
    """Emit a loop: its results are put in the slots, or it branches to ``slow``."""
    frame.begin(slots)
    _CODES[type(frame.loop.plan)](frame, frame.loop.plan)
    frame.end(slow)
