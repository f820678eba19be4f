"""Values that code computes: Python's operators on them add LLVM code.

    x / (abs(x) + 1)

A value is a number, or a vector of numbers if its type has several lanes: all that is written with
values holds for each lane.  No instruction may be reassociated or contracted, so a lane has the
same bits whatever their number.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.kernel_types import Bounds, FloatFormat, format_of
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.vector_math import processor

Code = tuple[str, str | None]
Emit = Callable[[FunctionText, Sequence[ir.Type], ir.Type, Sequence[str]], Code]

OPCODES: dict[str, Emit] = {}
"""Emitters by opcode."""

Apply = Callable[[FunctionText, str, Sequence[ir.Scalar], ir.Scalar, Sequence[str]], str]
"""How an opcode is applied: to the text, its name, the types that it takes and gives, arguments."""


def number_type(type: ir.Type) -> ir.Scalar:
    """Return a type that is known to be one of numbers."""
    assert isinstance(type, ir.Scalar)
    return type


def intrinsic(text: FunctionText, name: str, type: ir.Scalar, *args: str) -> str:
    """Call a function of LLVM's that takes numbers of a type and gives such a number."""
    kind = llvm_type(type)
    suffix = f"{'f' if type.kind == 'f' else 'i'}{type.bits}"
    full = f"llvm.{name}.v{type.lanes}{suffix}" if type.lanes > 1 else f"llvm.{name}.{suffix}"
    text.declared[full] = f"declare {kind} @{full}({', '.join([kind] * len(args))})"
    return text.value(f"call {kind} @{full}({', '.join([f'{kind} {arg}' for arg in args])})")


def apply_to_numbers(
    text: FunctionText, name: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str],
) -> str:  # fmt: skip
    """Apply an opcode to numbers that are no elements of arrays."""
    value, flag = OPCODES[name](text, takes, gives, args)
    assert flag is None or name == "cast", name
    return value


class Writer(NamedTuple):
    """Where code is added, how opcodes are applied, the type of the result of a formula, and
    whether the processor has fused multiply-add.
    """

    text: FunctionText
    apply: Apply = apply_to_numbers
    gives: ir.Scalar = ir.INT64
    has_fma: bool | None = None


class LaneValue:
    """Number, or vector of numbers, that code computes."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("name", "type", "writer")

    def __init__(self, writer: Writer, type: ir.Scalar, name: str) -> None:
        self.writer = writer
        self.type = type
        self.name = name

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> FunctionText:
        """Text of the function that computes it."""
        return self.writer.text

    @property
    def gives(self) -> ir.Scalar:
        """Type of the result of the opcode that is emitted."""
        return self.writer.gives

    @property
    def known_int(self) -> int | None:
        """Int that it always is, if that is known."""
        return int(self.name) if self.name.lstrip("-").isdigit() else None

    @property
    def bounds(self) -> Bounds:
        """Least and greatest value that an int64 can have."""
        return self.text.bounds_of(self.name)

    @property
    def kind(self) -> str:
        """LLVM's name of its type."""
        return llvm_type(self.type)

    @property
    def format(self) -> FloatFormat:
        """Format of a float."""
        return format_of(self.type)

    @property
    def has_fma(self) -> bool:
        """Whether a multiplication and an addition round once."""
        has_fma = self.writer.has_fma
        return processor.host().has_fma if has_fma is None else has_fma

    def emit(self, instruction: str, type: ir.Scalar | None = None) -> LaneValue:
        """Add an instruction; return its result, of this type or another."""
        return LaneValue(self.writer, type or self.type, self.writer.text.value(instruction))

    def constant(self, value: float | bool) -> LaneValue:
        """Return a number of this type, rounded to it."""
        type = self.type
        if type.kind == "f" and type.bits < 64:
            value = float((np.float16 if type == ir.HALF else np.float32)(value))
        elif type.kind == "i":
            least = -1 << type.bits - 1
            value = (int(value) - least) % (1 << type.bits) + least
        return LaneValue(self.writer, type, literal(value, type))

    def same(self, value: LaneValue | float) -> LaneValue:
        """Return an operand: a Python number takes this type."""
        return value if isinstance(value, LaneValue) else self.constant(value)

    def apply(
        self, opcode: str, *operands: LaneValue | float, gives: ir.Scalar | None = None
    ) -> LaneValue:
        """Apply an opcode to this and other numbers."""
        args = [self, *map(self.same, operands)]
        gives = gives or self.type
        takes = [arg.type for arg in args]
        names = [arg.name for arg in args]
        writer = self.writer
        return LaneValue(writer, gives, writer.apply(writer.text, opcode, takes, gives, names))

    def test(self, opcode: str, *operands: LaneValue | float) -> LaneValue:
        """Apply an opcode that gives bools."""
        return self.apply(opcode, *operands, gives=ir.BOOL.with_lanes(self.type.lanes))

    def compare(self, predicate: str, other: LaneValue | float) -> LaneValue:
        """Compare floats by a predicate of LLVM's."""
        bools = ir.BOOL.with_lanes(self.type.lanes)
        return self.emit(f"fcmp {predicate} {self.kind} {self}, {self.same(other)}", bools)

    def attempt(
        self, opcode: str, *operands: LaneValue | float, gives: ir.Scalar | None = None
    ) -> PartialValue:
        """Apply an opcode of numbers that may give up."""
        args = [self, *map(self.same, operands)]
        type, names = gives or self.type, [arg.name for arg in args]
        name, flag = OPCODES[opcode](self.text, [arg.type for arg in args], type, names)
        return self._partial(type, name, flag)

    def with_overflow(self, name: str, other: LaneValue) -> PartialValue:
        """Call a function of LLVM's that says whether it overflowed."""
        pair, kind = f"{{{self.kind}, i1}}", self.kind
        function = f"llvm.{name}.with.overflow.{kind}"
        return self.both(self.text.call(pair, function, f"{kind} {self}", f"{kind} {other}"))

    def both(self, pair: str) -> PartialValue:
        """Return the parts of a pair of a number of this type, and whether it does not hold."""
        kind = f"extractvalue {{{self.kind}, i1}} {pair}"
        return self._partial(
            self.type, self.text.value(f"{kind}, 0"), self.text.value(f"{kind}, 1")
        )

    def _partial(self, type: ir.Scalar, name: str, flag: str | None) -> PartialValue:
        unknown = None if flag is None else LaneValue(self.writer, ir.BOOL, flag)
        return PartialValue(LaneValue(self.writer, type, name), unknown)

    def call(self, name: str, *operands: LaneValue) -> LaneValue:
        """Call a function of LLVM's on this and other numbers of the type."""
        args = [self.name, *[operand.name for operand in operands]]
        return LaneValue(self.writer, self.type, intrinsic(self.text, name, self.type, *args))

    def to(self, type: ir.Scalar) -> LaneValue:
        """Convert to another type; the lanes stay."""
        type = type.with_lanes(self.type.lanes)
        return self if type == self.type else self.apply("cast", gives=type)

    def _bits_as(self, type: ir.Scalar) -> LaneValue:
        return self.emit(f"bitcast {self.kind} {self.name} to {llvm_type(type)}", type)

    def as_type(self, type: ir.Scalar) -> LaneValue:
        """Return an int of the same bits, with a sign or without."""
        return LaneValue(self.writer, type, self.name)

    def bits(self) -> LaneValue:
        """Return the bits of a float as an integer with a sign."""
        return self._bits_as(self.type._replace(kind="i"))

    def floats(self) -> LaneValue:
        """Return the float that has these bits."""
        return self._bits_as(self.type._replace(kind="f"))

    def choose(self, yes: LaneValue | float, no: LaneValue | float) -> LaneValue:
        """Return one number where this bool is true, else the other; one of them is a value."""
        like = yes if isinstance(yes, LaneValue) else no
        assert isinstance(like, LaneValue)
        return self.apply("select", like.same(yes), like.same(no), gives=like.type)

    def spread(self, lanes: int) -> LaneValue:
        """Return a vector whose lanes are all this number; a number is a vector of one lane."""
        if lanes == 1:
            return self
        type = self.type.with_lanes(lanes)
        kind = llvm_type(type)
        first = self.emit(f"insertelement {kind} poison, {self.kind} {self}, i64 0", type)
        zeros = f"<{lanes} x i32> zeroinitializer"
        return first.emit(f"shufflevector {kind} {first}, {kind} poison, {zeros}")

    def any(self) -> str:
        """Return whether any lane of this bool is true, as one bit."""
        lanes = self.type.lanes
        if lanes == 1:
            return self.name
        joined = self.text.value(f"bitcast {self.kind} {self.name} to i{lanes}")
        return self.text.value(f"icmp ne i{lanes} {joined}, 0")

    # -- operators --------------------------------------------------------------------------------

    def _ints(self, opcode: str, other: LaneValue | float) -> LaneValue:
        """Apply an opcode that ints have in common with LLVM.  Positions are most of the values of
        a loop: looking for functions of elements would double the time of its code.
        """
        if self.type.kind not in "biu":
            return self.apply(opcode, other)
        kind, text = llvm_type(self.type), self.writer.text
        name = text.value(f"{opcode} {kind} {self.name}, {self.same(other).name}")
        return LaneValue(self.writer, self.type, name)

    def __add__(self, other: LaneValue | float) -> LaneValue:
        return self._ints("add", other)

    def __sub__(self, other: LaneValue | float) -> LaneValue:
        return self._ints("sub", other)

    def __rsub__(self, other: float) -> LaneValue:
        return self.constant(other).apply("sub", self)

    def __mul__(self, other: LaneValue | float) -> LaneValue:
        return self._ints("mul", other)

    def __rmul__(self, other: float) -> LaneValue:
        return self.constant(other).apply("mul", self)

    def __truediv__(self, other: LaneValue | float) -> LaneValue:
        return self.apply("div", other)

    def __floordiv__(self, other: LaneValue | int) -> LaneValue:
        """Divide ints without a sign."""
        return self.emit(f"udiv {self.kind} {self}, {self.same(other)}")

    def __mod__(self, other: LaneValue | int) -> LaneValue:
        """Return the rest of ints without a sign."""
        return self.emit(f"urem {self.kind} {self}, {self.same(other)}")

    def __rtruediv__(self, other: float) -> LaneValue:
        return self.constant(other).apply("div", self)

    def __neg__(self) -> LaneValue:
        return self.apply("neg")

    def __abs__(self) -> LaneValue:
        return self.apply("abs")

    def __lt__(self, other: LaneValue | float) -> LaneValue:
        return self.test("lt", other)

    def __le__(self, other: LaneValue | float) -> LaneValue:
        return self.test("le", other)

    def __gt__(self, other: LaneValue | float) -> LaneValue:
        return self.test("gt", other)

    def __ge__(self, other: LaneValue | float) -> LaneValue:
        return self.test("ge", other)

    def __eq__(self, other: object) -> LaneValue:  # type: ignore[override]
        assert isinstance(other, LaneValue | int | float)
        return self.test("eq", other)

    def __ne__(self, other: object) -> LaneValue:  # type: ignore[override]
        assert isinstance(other, LaneValue | int | float)
        return self.test("ne", other)

    def __and__(self, other: LaneValue | int) -> LaneValue:
        return self._ints("and", other)

    def __or__(self, other: LaneValue | int) -> LaneValue:
        return self._ints("or", other)

    def __xor__(self, other: LaneValue | int) -> LaneValue:
        return self._ints("xor", other)

    def and_then(self, following: Callable[[], LaneValue]) -> LaneValue:
        """Return whether this bool and another are true, which is computed only if this one is."""
        return self._decided(following, "false")

    def or_else(self, following: Callable[[], LaneValue]) -> LaneValue:
        """Return whether this bool or another is true, which is computed only if this one is not.
        """
        return self._decided(following, "true")

    def _decided(self, following: Callable[[], LaneValue], value: str) -> LaneValue:
        """Return this bool if it has a value, else the following one."""
        done, goes_on = self.text.join("i1"), self.name
        if value == "true":
            goes_on = self.text.value(f"xor i1 {self.name}, true")
        done.bring_unless(goes_on, value, likely=None)
        done.bring(following().name)
        return LaneValue(self.writer, self.type, done.value())

    def __invert__(self) -> LaneValue:
        return self.apply("not")

    def __lshift__(self, count: int) -> LaneValue:
        return self.emit(f"shl {self.kind} {self.name}, {literal(count, self.type)}")

    def __rshift__(self, count: int) -> LaneValue:
        """Shift in zeros: many processors lack the other shift for 64 bits."""
        return self.emit(f"lshr {self.kind} {self.name}, {literal(count, self.type)}")

    # -- functions --------------------------------------------------------------------------------

    def sqrt(self) -> LaneValue:
        """Return the square root, correctly rounded."""
        return self.apply("sqrt")

    def is_nan(self) -> LaneValue:
        """Return whether it is NaN."""
        return self.test("is_nan")

    def with_sign_of(self, signs: LaneValue) -> LaneValue:
        """Return this magnitude with another sign."""
        return self.call("copysign", signs)

    def times_plus(self, factor: LaneValue | float, addend: LaneValue | float) -> LaneValue:
        """Return self * factor + addend, rounded once where the processor can do so."""
        factor, addend = self.same(factor), self.same(addend)
        return self.call("fma", factor, addend) if self.has_fma else self * factor + addend

    def multiplied_and_added(self, factor: LaneValue, addend: LaneValue) -> LaneValue:
        """Return self * factor + addend, as the processor does it faster."""
        return self.call("fma" if self.has_fma else "fmuladd", factor, addend)

    def divided_up(self, by: int) -> LaneValue:
        """Return a quotient of ints without a sign, rounded up."""
        return (self + (by - 1)) // by


class PartialValue(NamedTuple):
    """Value that is not right for all inputs, and where it is not; None: it always is."""

    value: LaneValue
    unknown: LaneValue | None


def either(*flags: LaneValue | None) -> LaneValue | None:
    """Return a bool that is true where one of the flags is."""
    present = [flag for flag in flags if flag is not None]
    return functools.reduce(operator.or_, present) if present else None
