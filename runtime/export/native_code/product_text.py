"""LLVM code of products of matrices in exports: in tiles, by rows, or one number after the other.

It has the functions of blas_code.py, which calls BLAS: a matrix is an address and two strides.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.blas_code import TYPES
from runtime.engine.llvm.arrays.library_names import FITS, MULTIPLY
from runtime.engine.llvm.arrays.tile_code import TILED, tiled_code
from runtime.engine.llvm.arrays.vectors import TYPES as VECTOR_TYPES
from runtime.engine.llvm.builder import Address, ArrayElements, Builder, CodeVariable
from runtime.engine.llvm.loop_facts import METADATA
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.processor import Processor
from runtime.engine.llvm.workspace_code import GIVE, TAKE

_OPERANDS = "ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %bn"
_SIZES = "i64 %m, i64 %n, i64 %k"
_FEW_COLUMNS = 4
"""Fewest columns that are worth vectors."""
_MASKED_BITS = 256
"""Bits of vectors from which on processors load and store lanes of a mask, as tiles do."""
_ROWS = 4
"""Rows of the second matrix that are added to a row of the result at once."""


def product_code(name: str, processor: Processor) -> str:
    """Return the functions for a type, such as "f32"."""
    type = TYPES[name]
    fits = f"define i1 @{FITS}_{name}({_OPERANDS}, {_SIZES}) alwaysinline {{\n  ret i1 true\n}}"
    has_tiles = name[0] == "f" and processor.vector_bits >= _MASKED_BITS
    product = _ProductWithoutBlas(name, has_tiles)
    lines = [fits, product.text_of(type.item)]
    if has_tiles:
        lines += [tiled_code(type.element, processor), f"declare ptr @{TAKE}(i64)",
                  f"declare void @{GIVE}(ptr)"]  # fmt: skip
    lines.append("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    return "\n".join(lines if has_tiles else [*lines, METADATA])


class _ProductWithoutBlas(Builder):
    """Code of the product of two matrices."""

    def __init__(self, name: str, has_tiles: bool) -> None:
        head = f"define void @{MULTIPLY}_{name}({_OPERANDS}, ptr %c, {_SIZES})"
        super().__init__(FunctionText(head), has_fma=False)
        self._element = TYPES[name].element
        self._has_tiles = has_tiles
        part = VECTOR_TYPES[self._element]
        self._type = part if name[0] == "f" else ir.Scalar("c", 2 * part.bits)

    def text_of(self, item: int) -> str:
        """Return the text of the function."""
        text = self.text
        m, n, k = (self.value(f"%{size}") for size in "mnk")
        if self._has_tiles:
            tiled = f"{TILED}_{self._element}"
            wide = (n >= _FEW_COLUMNS) & (k != 0)
            with text.only_if(wide.name):
                names = f"{_OPERANDS}, ptr %c, {_SIZES}"
                with text.leaving(text.value(f"call i1 @{tiled}({names})"), likely=None):
                    text.line("ret void")
        elif self._type.kind == "f":
            follows = self.value("%bn") == item
            with text.leaving(((n >= _FEW_COLUMNS) & follows).name, likely=None):
                self._by_rows(m, n, k, item)
                text.line("ret void")
        with self.each(m) as row, self.each(n) as column:
            total = self._sum(row, column, k)
            place = self.address("%c") + (row * n + column) * item
            place.store(total)
        return self.finish()

    def _by_rows(self, m: LaneValue, n: LaneValue, k: LaneValue, item: int) -> None:
        """Add rows of the second matrix to each row of the result, several at once."""
        am, ak, bk = (self.value(f"%{stride}") for stride in ("am", "ak", "bk"))
        whole = k // _ROWS
        with self.each(m) as row:
            at_a, at_c = self.address("%a") + row * am, self.address("%c") + row * n * item
            size = f"i64 {n * item}"
            self.text.call("void", "llvm.memset.p0.i64", f"ptr {at_c}", "i8 0", size, "i1 false")
            for count, start, stop in ((_ROWS, self.value(0), whole), (1, whole * _ROWS, k)):
                with self.each(stop, start) as number:
                    first = number * count
                    rows = [first + place for place in range(count)]
                    factors = [(at_a + inner * ak).load(self._type) for inner in rows]
                    b_rows = [self._elements(self.address("%b") + inner * bk) for inner in rows]
                    result = self._elements(at_c)
                    with self.each_vector(n) as column:
                        total = result[column]
                        for factor, elements in zip(factors, b_rows, strict=True):
                            total = total + factor * elements[column]
                        result[column] = total

    def _elements(self, address: Address) -> ArrayElements:
        return ArrayElements(self, self._type, address.name)

    def _sum(self, row: LaneValue, column: LaneValue, k: LaneValue) -> LaneValue:
        """Return an element of the product."""
        am, ak, bk, bn = (self.value(f"%{stride}") for stride in ("am", "ak", "bk", "bn"))
        at_a = self.address("%a") + row * am
        at_b = self.address("%b") + column * bn
        if self._type.kind == "c":
            return self._complex_sum(at_a, at_b, ak, bk, k)
        total = CodeVariable(self, self._type)
        total.set(self.constant(0.0, self._type).name)
        with self.each(k) as inner:
            x, y = (at_a + inner * ak).load(self._type), (at_b + inner * bk).load(self._type)
            total.set(total.get() + x * y)
        return total.get()

    def _complex_sum(
        self, at_a: Address, at_b: Address, ak: LaneValue, bk: LaneValue, k: LaneValue
    ) -> LaneValue:
        """Return an element of the product of complex matrices."""
        part = self._type.part
        item = part.bits // 8
        totals = CodeVariable(self, part), CodeVariable(self, part)
        for total in totals:
            total.set(self.constant(0.0, part).name)
        with self.each(k) as inner:
            first, second = at_a + inner * ak, at_b + inner * bk
            a, b = first.load(part), (first + item).load(part)
            c, d = second.load(part), (second + item).load(part)
            totals[0].set(totals[0].get() + (a * c - b * d))
            totals[1].set(totals[1].get() + (a * d + b * c))
        kind = f"{{{self._element}, {self._element}}}"
        pair = "undef"
        for place, total in enumerate(totals):
            value = f"{self._element} {total.get()}"
            pair = self.text.value(f"insertvalue {kind} {pair}, {value}, {place}")
        return self.value(pair, self._type)
