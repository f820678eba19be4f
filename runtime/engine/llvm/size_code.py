"""LLVM code of sizes, positions, conditions, bounds of slices: constants where they are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type


def all_hold(text: FunctionText, conditions: Sequence[str]) -> str:
    """Return whether all conditions hold."""
    if "false" in conditions:
        return "false"
    conjunction = "true"
    for condition in conditions:
        if condition != "true":
            conjunction = (
                condition
                if conjunction == "true"
                else text.value(f"and i1 {conjunction}, {condition}")
            )
    return conjunction


def any_holds(text: FunctionText, *flags: str | None) -> str | None:
    """Return whether one of the flags is true; None if there are none."""
    present = [flag for flag in flags if flag is not None]
    if not present:
        return None
    disjunction = present[0]
    for flag in present[1:]:
        disjunction = text.value(f"or i1 {disjunction}, {flag}")
    return disjunction


def equal(text: FunctionText, lhs: str, rhs: str) -> str:
    """Return whether two int64 are equal; a constant if that is known."""
    if lhs == rhs:
        return "true"
    if is_constant(lhs) and is_constant(rhs):
        return "false"
    return text.value(f"icmp eq i64 {lhs}, {rhs}")


def times(text: FunctionText, lhs: str, rhs: str) -> str:
    """Return the product of two int64; a constant if it is known."""
    if is_constant(lhs) and is_constant(rhs):
        return str(int(lhs) * int(rhs))
    if "1" in (lhs, rhs):
        return rhs if lhs == "1" else lhs
    return text.value(f"mul i64 {lhs}, {rhs}")


def product(text: FunctionText, *factors: str) -> str:
    """Return the product of int64; a constant if it is known."""
    return reduce(partial(times, text), factors, "1")


def is_constant(name: str) -> bool:
    """Return whether the name of an int64 is a number."""
    return name.lstrip("-").isdigit()


def widened(text: FunctionText, type: ir.Type, name: str) -> str:
    """Return an int or a bool as 64 bits."""
    assert isinstance(type, ir.Scalar)
    if type.bits == 64:
        return name
    extend = "sext" if type.kind == "i" else "zext"
    return text.value(f"{extend} {llvm_type(type)} {name} to i64")


def position_of(text: FunctionText, type: ir.Type, index: str, size: str) -> tuple[str, str]:
    """Return the position that Python's index means among so many items, and whether it exists."""
    assert isinstance(type, ir.Scalar)
    place = widened(text, type, index)
    if type.kind == "i" and not text.bounds_of(index).low >= 0:
        negative = text.value(f"icmp slt i64 {place}, 0")
        shift = text.value(f"select i1 {negative}, i64 {size}, i64 0")
        place = text.value(f"add i64 {place}, {shift}")
    return place, text.value(f"icmp ult i64 {place}, {size}")


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
            wide = widened(text, *bound)
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
