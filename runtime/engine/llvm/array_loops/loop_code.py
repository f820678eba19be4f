"""LLVM code of loops over whole arrays, by the kind of their plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.engine.llvm.array_loops import (
    compaction_code,
    decomposition_code,
    expansion_code,
    extreme_code,
    order_code,
    scan_code,
    scatter_code,
    search_code,
)
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.ops.rules.loops import (
    Compaction,
    Decomposition,
    Expansion,
    Extreme,
    Ordering,
    Scan,
    Scatter,
    Search,
)

_CODES: dict[type, Callable[[LoopFrame, Any], None]] = {
    Compaction: compaction_code.emit,
    Decomposition: decomposition_code.emit,
    Expansion: expansion_code.emit,
    Extreme: extreme_code.emit,
    Ordering: order_code.emit,
    Scan: scan_code.emit,
    Scatter: scatter_code.emit,
    Search: search_code.emit,
}


def emit(frame: LoopFrame, slots: list[str], slow: str) -> None:
    """Emit a loop: its results are put in the slots, or it branches to ``slow``."""
    frame.begin(slots)
    _CODES[type(frame.loop.plan)](frame, frame.loop.plan)
    frame.end(slow)
