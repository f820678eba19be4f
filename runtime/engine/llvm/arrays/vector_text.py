"""LLVM code of vectors of numbers: loads and stores of some lanes, masks, fused multiply-add."""

from __future__ import annotations

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.vector_math.processor import Processor

ITEMS = {"float": 4, "double": 8}
"""Bytes of the numbers by LLVM's names of their types."""


class Vector(NamedTuple):
    """Vector of numbers: the LLVM type of one, its bytes, how many there are, and whether the
    processor has fused multiply-add.
    """

    element: str
    item: int
    lanes: int
    has_fma: bool

    @property
    def type(self) -> str:
        """LLVM type of the vector."""
        return f"<{self.lanes} x {self.element}>"

    @property
    def flags(self) -> str:
        """LLVM type of a mask of its lanes."""
        return f"<{self.lanes} x i1>"

    @property
    def int_lane(self) -> str:
        """LLVM type of ints as wide as the numbers."""
        return f"i{8 * self.item}"

    @property
    def ints(self) -> str:
        """LLVM type of the vector of such ints."""
        return f"<{self.lanes} x {self.int_lane}>"

    @property
    def suffix(self) -> str:
        """Name of the vector in those of LLVM's functions."""
        return f"v{self.lanes}f{8 * self.item}"

    @property
    def bytes(self) -> int:
        """Bytes of the vector."""
        return self.lanes * self.item

    def declarations(self) -> list[str]:
        """Return the declarations of what the methods call."""
        kind, name = self.type, "fma" if self.has_fma else "fmuladd"
        return [
            f"declare {kind} @llvm.masked.load.{self.suffix}.p0(ptr, i32, {self.flags}, {kind})",
            f"declare void @llvm.masked.store.{self.suffix}.p0({kind}, ptr, i32, {self.flags})",
            f"declare {kind} @llvm.{name}.{self.suffix}({kind}, {kind}, {kind})",
        ]

    def numbers(self, first: int = 0) -> str:
        """Return the constant vector of ints that count the lanes."""
        return f"<{', '.join(f'{self.int_lane} {first + lane}' for lane in range(self.lanes))}>"

    def mask(self, text: FunctionText, count: str, first: int = 0) -> str:
        """Return which lanes are among so many; the first lane has a number."""
        kind = self.int_lane
        limit = count if kind == "i64" else text.value(f"trunc i64 {count} to {kind}")
        limits = _spread(text, self.ints, f"{kind} {limit}", self.lanes)
        return text.value(f"icmp ult {self.ints} {self.numbers(first)}, {limits}")

    def spread(self, text: FunctionText, number: str) -> str:
        """Return a vector whose lanes are all the same number."""
        return _spread(text, self.type, f"{self.element} {number}", self.lanes)

    def spread_int(self, text: FunctionText, number: str) -> str:
        """Return a vector whose lanes are all the same int64, cut to the width of the numbers."""
        cut = (
            number
            if self.int_lane == "i64"
            else text.value(f"trunc i64 {number} to {self.int_lane}")
        )
        return _spread(text, self.ints, f"{self.int_lane} {cut}", self.lanes)

    def load(self, text: FunctionText, place: str, mask: str) -> str:
        """Return the lanes of a mask at an address, zeros for the others."""
        return text.value(
            f"call {self.type} @llvm.masked.load.{self.suffix}.p0(ptr {place}, i32 {self.item}, "
            f"{self.flags} {mask}, {self.type} zeroinitializer)"
        )

    def store(self, text: FunctionText, value: str, place: str, mask: str) -> None:
        """Store the lanes of a mask."""
        text.line(
            f"call void @llvm.masked.store.{self.suffix}.p0({self.type} {value}, ptr {place}, "
            f"i32 {self.item}, {self.flags} {mask})"
        )

    def multiplied_and_added(self, x: str, y: str, total: str) -> str:
        """Return the instruction that adds a product to a total, rounding once if it can."""
        name, kind = "fma" if self.has_fma else "fmuladd", self.type
        values = f"{kind} {x}, {kind} {y}, {kind} {total}"
        return f"call {kind} @llvm.{name}.{self.suffix}({values})"


def vector_of(element: str, processor: Processor) -> Vector:
    """Return the vector that fills a register of a processor with "float" or "double"."""
    item = ITEMS[element]
    return Vector(element, item, processor.lanes(f"float{8 * item}"), processor.has_fma)


def _spread(text: FunctionText, kind: str, value: str, lanes: int) -> str:
    first = text.value(f"insertelement {kind} poison, {value}, i64 0")
    return text.value(
        f"shufflevector {kind} {first}, {kind} poison, <{lanes} x i32> zeroinitializer"
    )
