"""LLVM code of the bounds of slices, by Python's rules: negative ones count from the end, and none
is out of range.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type

Bound = int | tuple[ir.Type, str] | None
"""Bound of a slice: a constant, or the type and the name of a number."""


class SliceBounds:
    """First entry that a slice selects of so many, and how many it selects."""

    def __init__(
        self, text: FunctionText, start: Bound, stop: Bound, step: int | None, length: str
    ) -> None:
        self._text = text
        self._length = length
        self.step = 1 if step is None else int(step)
        least, most = ("0", length) if self.step > 0 else ("-1", self._plus(length, "-1"))
        first_default, last_default = (least, most) if self.step > 0 else (most, least)
        self.start = self._position(start, least, most, first_default)
        self.stop = self._position(stop, least, most, last_default)

    def _plus(self, lhs: str, rhs: str) -> str:
        return self._text.value(f"add i64 {lhs}, {rhs}")

    def _position(self, bound: Bound, least: str, most: str, default: str) -> str:
        """Return a bound as a position between the least and the most that are possible."""
        text = self._text
        if bound is None:
            return default
        if isinstance(bound, int):
            wide = str(min(max(int(bound), -(1 << 63)), (1 << 63) - 1))  # bools are ints, too
        else:
            type, wide = bound
            assert isinstance(type, ir.Scalar)
            if type.bits < 64:
                extend = "sext" if type.kind == "i" else "zext"
                wide = text.value(f"{extend} {llvm_type(type)} {wide} to i64")
        negative = text.value(f"icmp slt i64 {wide}, 0")
        shift = text.value(f"select i1 {negative}, i64 {self._length}, i64 0")
        moved = self._plus(wide, shift)
        above = text.call("i64", "llvm.smax.i64", f"i64 {moved}", f"i64 {least}")
        return text.call("i64", "llvm.smin.i64", f"i64 {above}", f"i64 {most}")

    def count(self) -> str:
        """Return how many positions the slice has."""
        text = self._text
        ends = (self.stop, self.start) if self.step > 0 else (self.start, self.stop)
        span = text.value(f"sub i64 {ends[0]}, {ends[1]}")
        extent = text.call("i64", "llvm.smax.i64", f"i64 {span}", "i64 0")
        size = abs(self.step)
        if size == 1:
            return extent
        if size >= 1 << 62:  # no list is so long
            return text.call("i64", "llvm.smin.i64", f"i64 {extent}", "i64 1")
        return text.value(f"udiv i64 {self._plus(extent, str(size - 1))}, {size}")
