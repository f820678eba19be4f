"""LLVM code of loops over whole arrays, by the kind of their plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.engine.llvm.array_loops import (
    compaction_code,
    decomposition_code,
    extreme_code,
    order_code,
    scan_code,
    scatter_code,
)
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.ops.rules import loops as plans

_CODES: dict[type, Callable[[LoopFrame, Any], None]] = {
    plans.Compaction: compaction_code.emit_compaction,
    plans.Decomposition: decomposition_code.emit,
    plans.Expansion: compaction_code.emit_expansion,
    plans.Extreme: extreme_code.emit,
    plans.Ordering: order_code.emit_order,
    plans.Scan: scan_code.emit,
    plans.Scatter: scatter_code.emit,
    plans.Search: order_code.emit_search,
}


def emit(frame: LoopFrame, plan: Any, slots: list[str], slow: str) -> None:
    """Emit a loop: its results are put in the slots, or it branches to ``slow``."""
    frame.begin(slots)
    _CODES[type(plan)](frame, plan)
    frame.end(slow)
