"""Vectors of numbers in the code of windows and tiles: as many lanes as a register has."""

from __future__ import annotations

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import Builder, masked_declarations
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.vector_math.processor import Processor

TYPES = {"float": ir.Scalar("f", 32), "double": ir.FLOAT64}
"""Types of numbers by LLVM's names."""


class Vector(NamedTuple):
    """Type of vectors, and whether the processor has fused multiply-add."""

    type: ir.Scalar
    has_fma: bool

    @property
    def element(self) -> str:
        """LLVM's name of the type of a lane."""
        return llvm_type(self.type.lane)

    @property
    def lanes(self) -> int:
        """How many lanes there are."""
        return self.type.lanes

    @property
    def item(self) -> int:
        """Bytes of a lane."""
        return self.type.bits // 8

    @property
    def bytes(self) -> int:
        """Bytes of the vector."""
        return self.lanes * self.item

    @property
    def ints(self) -> ir.Scalar:
        """Type of the vector of ints as wide as the numbers."""
        return self.type._replace(kind="i")

    def code(self, text: FunctionText) -> Builder:
        """Return the builder of the code of a function."""
        return Builder(text, has_fma=self.has_fma)

    def declarations(self) -> list[str]:
        """Return the declarations of what such code calls."""
        kind, name = llvm_type(self.type), "fma" if self.has_fma else "fmuladd"
        suffix = f"v{self.lanes}f{self.type.bits}"
        fused = f"declare {kind} @llvm.{name}.{suffix}({kind}, {kind}, {kind})"
        return [*masked_declarations(self.type), fused]


def vector_of(element: str, processor: Processor) -> Vector:
    """Return the vector that fills a register of a processor with "float" or "double"."""
    type = TYPES[element]
    return Vector(type.with_lanes(processor.lanes(f"float{type.bits}")), processor.has_fma)
