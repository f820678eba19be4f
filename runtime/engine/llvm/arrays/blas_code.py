"""LLVM code shared by all graphs: products of matrices, by BLAS or in tiles.

A matrix is an address and two strides in bytes, between its rows and between its columns.  BLAS
takes those in which the elements of rows, or of columns, follow one another.
"""

from __future__ import annotations

from collections.abc import Callable

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.library_names import FITS, MULTIPLY, MULTIPLY_IN_TILES
from runtime.engine.llvm.arrays.tile_choice import BLAS_ALONE, times_wider
from runtime.engine.llvm.arrays.tile_code import TILED, tiled_code
from runtime.engine.llvm.builder import SIZE, Builder
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math.processor import Processor
from runtime.engine.llvm.workspace_code import GIVE, TAKE

_TINY, _LOW = 512, 48
"""Products of so many numbers, and results of so many rows, are faster in tiles even if they do not
fill a vector; see benchmarks/matrix_products.py.
"""
_OPERANDS = "ptr %a, i64 %am, i64 %ak, ptr %b, i64 %bk, i64 %bn"
_SIZES = "i64 %m, i64 %n, i64 %k"


class _Type(NamedTuple):
    """Type of numbers: LLVM's name of it or its parts, BLAS's letter, bytes, their logarithm."""

    element: str
    letter: str
    item: int
    shift: int


TYPES = {
    "f64": _Type("double", "d", 8, 3), "f32": _Type("float", "s", 4, 2),
    "c128": _Type("double", "z", 16, 4), "c64": _Type("float", "c", 8, 3),
}  # fmt: skip
"""By name of a type (``blas.type_name``)."""


Choice = Callable[["_Product", LaneValue, LaneValue], LaneValue]
"""Function of a product, of whether BLAS has few threads, and of the product of the sizes."""


def blas_code(name: str, processor: Processor) -> str:
    """Return the LLVM code for a type."""
    with_tiles = name[0] == "f" and processor.vector_bits >= 512 and times_wider(processor) > 1
    return _code(name, processor, MULTIPLY, _is_better_in_tiles if with_tiles else None)


def code_in_tiles(name: str, processor: Processor) -> str:
    """Return the LLVM code for a type of products that are faster in tiles."""
    text = _code(name, processor, MULTIPLY_IN_TILES, lambda product, few, work: few & product.wide)
    return text.replace(f"define i1 @{FITS}_", f"define internal i1 @{FITS}_")


def _is_better_in_tiles(product: _Product, few: LaneValue, work: LaneValue) -> LaneValue:
    """Return whether to multiply in tiles, where the sizes are not known yet: tile_choice.py does
    not choose.
    """
    narrow = product.n.as_type(SIZE) < product.lanes // 2
    low = product.m.as_type(SIZE) <= _LOW
    filled = ~narrow & (product.wide | low)
    return (few | (work <= BLAS_ALONE)) & (filled | (work <= _TINY))


def _code(name: str, processor: Processor, multiply: str, choice: Choice | None) -> str:
    """Return the code; ``choice`` says what is multiplied in tiles, if anything is."""
    type = TYPES[name]
    lines = [
        f"@{constant}_{name} = internal constant [2 x {type.element}] "
        f"[{type.element} {value}, {type.element} 0.0]"
        for constant, value in (("one", "1.0"), ("zero", "0.0")) if name[0] == "c"
    ]  # fmt: skip
    fits = _Product(f"define i1 @{FITS}_{name}({_OPERANDS}, {_SIZES})", name, processor)
    fits.check()
    head = f"define void @{multiply}_{name}({_OPERANDS}, ptr %c, {_SIZES})"
    product = _Product(head, name, processor)
    product.multiply(choice)
    declared = {
        **product.text.declared, TAKE: f"declare ptr @{TAKE}(i64)",
        GIVE: f"declare void @{GIVE}(ptr)",
    }  # fmt: skip
    if choice is not None:
        lines.append(tiled_code(type.element, processor))
        del declared[f"{TILED}_{type.element}"]
    return "\n".join([*declared.values(), *lines, fits.finish("i1 true"), product.finish()])


class _Product(Builder):
    """Code of a function of two matrices of a type, and of three sizes."""

    def __init__(self, head: str, name: str, processor: Processor) -> None:
        super().__init__(FunctionText(head))
        self._name = name
        self._type = TYPES[name]
        self._processor = processor
        self.m, self.n, self._k = (self.value(f"%{size}", ir.INT64) for size in "mnk")
        self._am, self._ak, self._bk, self._bn = (
            self.value(f"%{stride}", ir.INT64) for stride in ("am", "ak", "bk", "bn")
        )
        self.lanes = processor.vector_bits // (8 * self._type.item)
        """Numbers of a vector."""

    @property
    def wide(self) -> LaneValue:
        """Whether rows of the result fill a vector."""
        return self.n.as_type(SIZE) >= self.lanes

    def _follow(
        self, outer: LaneValue, inner: LaneValue, step: LaneValue, unit: LaneValue
    ) -> LaneValue:
        """Return whether the elements of rows follow one another, and rows do not overlap."""
        item = self._type.item
        return ((unit == item) | (inner == 1)) & ((step >= inner * item) | (outer == 1))

    # -- whether BLAS takes them ------------------------------------------------------------------

    def check(self) -> None:
        """Return where that is known whether BLAS takes the matrices."""
        text, item = self.text, self._type.item
        self.give_if(((self.m - 1) | (self.n - 1) | (self._k - 1)) < 0, "i1 true", None)
        bits = self._am | self._ak | self._bk | self._bn
        for matrix in ("%a", "%b"):
            bits = bits | self.value(text.value(f"ptrtoint ptr {matrix} to i64"), ir.INT64)
        self.give_if((bits & item - 1) != 0, "i1 false", None)
        a_fits = self._is_matrix(self.m, self._k, self._am, self._ak)
        b_fits = self._is_matrix(self._k, self.n, self._bk, self._bn)
        one_row, one_column = self.m == 1, self.n == 1
        with text.leaving((one_row | one_column).name, likely=None):
            a_good = one_row.choose(self._ak >= item, a_fits)
            b_good = one_column.choose(self._bk >= item, b_fits)
            text.line(f"ret i1 {a_good & b_good}")
        same_data = self.value(text.value("icmp eq ptr %a, %b"), ir.BOOL)
        is_gram = self.all_hold([
            same_data, self.m == self.n, self._am == self._bn, self._ak == self._bk
        ])  # fmt: skip
        self.give_if(a_fits & b_fits & ~is_gram, "i1 false", None, holds=False)

    def _is_matrix(
        self, rows: LaneValue, columns: LaneValue, down: LaneValue, right: LaneValue
    ) -> LaneValue:
        """Return whether the elements of rows, or of columns, follow one another."""
        plain = self._follow(rows, columns, down, right)
        return plain | self._follow(columns, rows, right, down)

    # -- the product ------------------------------------------------------------------------------

    def multiply(self, choice: Choice | None) -> None:
        """Write the product."""
        text, item, cells = self.text, self._type.item, self.m * self.n
        self.give_if(cells == 0, "void", None)
        with text.leaving((self._k == 0).name, likely=None):
            size = f"i64 {cells * item}"
            text.call("void", "llvm.memset.p0.i64", "ptr %c", "i8 0", size, "i1 false")
            text.line("ret void")
        a_plain, a_lead = self._lead(self.m, self._k, self._am, self._ak)
        b_plain, b_lead = self._lead(self._k, self.n, self._bk, self._bn)
        a_step, b_step = (
            step.emit(f"ashr i64 {step}, {self._type.shift}") for step in (self._ak, self._bk)
        )
        one_row = self.m == 1
        with text.leaving((self.n == 1).name, likely=None):
            for is_scalar in text.either(one_row.name):
                if is_scalar:
                    self._dot(a_step, b_step)
                    continue
                order = a_plain.choose(self.constant(101, ir.INT32), 102)
                self._vector(order, 111, (self.m, self._k), ("%a", a_lead), ("%b", b_step))
            text.line("ret void")
        with text.leaving(one_row.name, likely=None):
            order = b_plain.choose(self.constant(101, ir.INT32), 102)
            self._vector(order, 112, (self._k, self.n), ("%b", b_lead), ("%a", a_step))
            text.line("ret void")
        if choice is not None:
            self._in_tiles(choice, (cells * self._k).as_type(SIZE))
        turns = [plain.choose(self.constant(111, ir.INT32), 112) for plain in (a_plain, b_plain)]
        self._blas(
            "gemm", "i32 101", *(f"i32 {turn}" for turn in turns), *_SIZES.split(", "),
            self._factor("one"), "ptr %a", f"i64 {a_lead}", "ptr %b", f"i64 {b_lead}",
            self._factor("zero"), "ptr %c", "i64 %n",
        )  # fmt: skip

    def _lead(
        self, rows: LaneValue, columns: LaneValue, down: LaneValue, right: LaneValue
    ) -> tuple[LaneValue, LaneValue]:
        """Return whether rows follow one another, else columns do, and how far they are apart."""
        plain = self._follow(rows, columns, down, right)
        step = plain.choose(down, right)
        apart = step.emit(f"ashr i64 {step}, {self._type.shift}")
        return plain, (plain.choose(rows, columns) == 1).choose(plain.choose(columns, rows), apart)

    def _factor(self, number: str) -> str:
        if self._name[0] == "c":
            return f"ptr @{number}_{self._name}"
        return f"{self._type.element} {1.0 if number == 'one' else 0.0}"

    def _blas(self, function: str, *args: str) -> None:
        self.text.call("void", f"blas_{self._type.letter}{function}", *args)

    def _dot(self, a_step: LaneValue, b_step: LaneValue) -> None:
        """Multiply two vectors."""
        text, kind = self.text, self._type.element
        args = "i64 %k", "ptr %a", f"i64 {a_step}", "ptr %b", f"i64 {b_step}"
        if self._name[0] == "c":
            self._blas("dotu_sub", *args, "ptr %c")
        else:
            total = text.call(kind, f"blas_{self._type.letter}dot", *args)
            text.line(f"store {kind} {total}, ptr %c")

    def _vector(
        self, order: LaneValue, turn: int, sizes: tuple[LaneValue, LaneValue],
        matrix: tuple[str, LaneValue], vector: tuple[str, LaneValue],
    ) -> None:  # fmt: skip
        """Multiply a matrix and a vector."""
        self._blas(
            "gemv", f"i32 {order}", f"i32 {turn}", *(f"i64 {size}" for size in sizes),
            self._factor("one"), f"ptr {matrix[0]}", f"i64 {matrix[1]}", f"ptr {vector[0]}",
            f"i64 {vector[1]}", self._factor("zero"), "ptr %c", "i64 1",
        )  # fmt: skip

    def _in_tiles(self, choice: Choice, work: LaneValue) -> None:
        """Multiply in tiles where that is better, unless there is no memory."""
        text, tiled = self.text, f"{TILED}_{self._type.element}"
        threads = self.value(text.call("i32", "blas_threads"), ir.INT32)
        is_better = choice(self, threads <= times_wider(self._processor), work)
        with text.only_if(is_better.name):
            args = f"{_OPERANDS}, ptr %c, {_SIZES}".split(", ")
            text.give_if(text.call("i1", tiled, *args), "void", likely=None)
