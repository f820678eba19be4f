"""Values of a function of vectors: Python's operators on them write LLVM IR.

A function is written once, for float32 and float64 and any number of lanes; one lane is a scalar.
No instruction may be reassociated or contracted, so a lane has the same bits whatever their number.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple


class FloatFormat(NamedTuple):
    """A binary floating-point format of IEEE 754."""

    bits: int
    fraction: int
    """Bits of the significand that are stored."""
    bias: int
    """What is added to exponents."""

    @property
    def magic(self) -> float:
        """1.5 times 2**fraction: adding it to a float rounds that to an integer, which the low
        bits of the sum then hold."""
        return 1.5 * 2.0**self.fraction

    @property
    def magic_bits(self) -> int:
        """The bits of ``magic``."""
        return self.bias + self.fraction << self.fraction | 1 << self.fraction - 1

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << self.bits - 1

    @property
    def one(self) -> int:
        """The bits of 1."""
        return self.bias << self.fraction

    @property
    def mask(self) -> int:
        """The bits of the fraction."""
        return (1 << self.fraction) - 1

    @property
    def least_normal(self) -> float:
        """The least positive number that is not subnormal."""
        return 2.0 ** (1 - self.bias)


FLOAT32 = FloatFormat(32, 23, 127)
FLOAT64 = FloatFormat(64, 52, 1023)


class Code:
    """Lines of one function, and the external functions that it calls."""

    def __init__(self, lanes: int, has_fma: bool) -> None:
        self.lanes = lanes
        self.has_fma = has_fma
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        """Names of LLVM's own functions -> their declarations."""
        self.needs_large = False
        """Whether it calls the function of ``large_arguments.py``."""
        self.label = "entry"
        self._count = 0

    def fresh(self) -> str:
        """Return a fresh number for names."""
        self._count += 1
        return str(self._count)

    def add(self, text: str) -> str:
        """Add an instruction; return the name of its result."""
        name = f"%v{self.fresh()}"
        self.lines.append(f"  {name} = {text}")
        return name

    def vector(self, scalar: str) -> str:
        """Return the type of vectors of a scalar type."""
        return scalar if self.lanes == 1 else f"<{self.lanes} x {scalar}>"

    def splat(self, scalar: str, constant: str) -> str:
        """Return the constant whose lanes are all the same."""
        if self.lanes == 1:
            return constant
        return "<" + ", ".join([f"{scalar} {constant}"] * self.lanes) + ">"

    def intrinsic(self, name: str, scalar: str, *args: str) -> str:
        """Call a function of LLVM's that maps vectors of a type to such vectors."""
        kind = self.vector(scalar)
        short = {"float": "f32", "double": "f64"}.get(scalar, scalar)
        full = f"llvm.{name}." + (short if self.lanes == 1 else f"v{self.lanes}{short}")
        self.declared[full] = f"declare {kind} @{full}({', '.join([kind] * len(args))})"
        return self.add(f"call {kind} @{full}({', '.join(f'{kind} {a}' for a in args)})")


class Mask:
    """A truth value for each lane."""

    __slots__ = ("code", "name")

    def __init__(self, code: Code, name: str) -> None:
        self.code = code
        self.name = name

    def _with(self, opcode: str, operand: str) -> Mask:
        kind = self.code.vector("i1")
        return Mask(self.code, self.code.add(f"{opcode} {kind} {self.name}, {operand}"))

    def __and__(self, other: Mask) -> Mask:
        return self._with("and", other.name)

    def __or__(self, other: Mask) -> Mask:
        return self._with("or", other.name)

    def __invert__(self) -> Mask:
        return self._with("xor", self.code.splat("i1", "true"))

    def any(self) -> str:
        """Return whether any lane is true, as one bit."""
        code = self.code
        if code.lanes == 1:
            return self.name
        joined = code.add(f"bitcast <{code.lanes} x i1> {self.name} to i{code.lanes}")
        return code.add(f"icmp ne i{code.lanes} {joined}, 0")


class _Lanes:
    """Values of a format, one for each lane."""

    __slots__ = ("code", "format", "name")

    def __init__(self, code: Code, format: FloatFormat, name: str) -> None:
        self.code = code
        self.format = format
        self.name = name

    @property
    def scalar(self) -> str:
        """The type of a lane."""
        raise NotImplementedError

    @property
    def type(self) -> str:
        """The type of the vector."""
        return self.code.vector(self.scalar)


class Ints(_Lanes):
    """Integers, one for each lane, as wide as the floats of a format."""

    __slots__ = ()

    @property
    def scalar(self) -> str:
        """The type of a lane."""
        return f"i{self.format.bits}"

    def _operand_name(self, operand: Ints | int) -> str:
        if isinstance(operand, Ints):
            return operand.name
        least = -1 << self.format.bits - 1
        return self.code.splat(
            self.scalar, str((operand - least) % (1 << self.format.bits) + least)
        )

    def _with(self, opcode: str, operand: Ints | int) -> Ints:
        text = f"{opcode} {self.type} {self.name}, {self._operand_name(operand)}"
        return Ints(self.code, self.format, self.code.add(text))

    def __add__(self, other: Ints | int) -> Ints:
        return self._with("add", other)

    def __sub__(self, other: Ints | int) -> Ints:
        return self._with("sub", other)

    def __and__(self, other: Ints | int) -> Ints:
        return self._with("and", other)

    def __or__(self, other: Ints | int) -> Ints:
        return self._with("or", other)

    def __xor__(self, other: Ints | int) -> Ints:
        return self._with("xor", other)

    def __lshift__(self, count: int) -> Ints:
        return self._with("shl", count)

    def __rshift__(self, count: int) -> Ints:
        """Shift in zeros: many processors lack the other shift for 64 bits."""
        return self._with("lshr", count)

    def is_zero(self) -> Mask:
        """Return which lanes are 0."""
        zero = self._operand_name(0)
        return Mask(self.code, self.code.add(f"icmp eq {self.type} {self.name}, {zero}"))

    def is_negative(self) -> Mask:
        """Return which lanes are below 0: as bits of floats, those with the sign."""
        zero = self._operand_name(0)
        return Mask(self.code, self.code.add(f"icmp slt {self.type} {self.name}, {zero}"))

    def floats(self) -> Floats:
        """Return the floats with these bits."""
        new = Floats(self.code, self.format, "")
        new.name = self.code.add(f"bitcast {self.type} {self.name} to {new.type}")
        return new


class Floats(_Lanes):
    """Floats of a format, one for each lane."""

    __slots__ = ()

    @property
    def scalar(self) -> str:
        """The type of a lane."""
        return "float" if self.format.bits == 32 else "double"

    def constant(self, value: float) -> Floats:
        """Return a constant, rounded to the format."""
        if self.format.bits == 32:
            value = struct.unpack("<f", struct.pack("<f", value))[0]
        text = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        return Floats(self.code, self.format, self.code.splat(self.scalar, text))

    def as_floats(self, number: Floats | float) -> Floats:
        """Return a number or constant as a vector."""
        return number if isinstance(number, Floats) else self.constant(number)

    def _with(self, opcode: str, operand: Floats | float, swap: bool = False) -> Floats:
        lhs, rhs = self.name, self.as_floats(operand).name
        if swap:
            lhs, rhs = rhs, lhs
        text = f"{opcode} {self.type} {lhs}, {rhs}"
        return Floats(self.code, self.format, self.code.add(text))

    def __add__(self, other: Floats | float) -> Floats:
        return self._with("fadd", other)

    def __sub__(self, other: Floats | float) -> Floats:
        return self._with("fsub", other)

    def __rsub__(self, other: float) -> Floats:
        return self._with("fsub", other, swap=True)

    def __mul__(self, other: Floats | float) -> Floats:
        return self._with("fmul", other)

    def __truediv__(self, other: Floats | float) -> Floats:
        return self._with("fdiv", other)

    def __rtruediv__(self, other: float) -> Floats:
        return self._with("fdiv", other, swap=True)

    def __neg__(self) -> Floats:
        return Floats(self.code, self.format, self.code.add(f"fneg {self.type} {self.name}"))

    def __abs__(self) -> Floats:
        return self._call("fabs")

    def _call(self, name: str, *operands: Floats) -> Floats:
        args = [self.name, *(operand.name for operand in operands)]
        return Floats(self.code, self.format, self.code.intrinsic(name, self.scalar, *args))

    def sqrt(self) -> Floats:
        """Return the square root, correctly rounded."""
        return self._call("sqrt")

    def with_sign_of(self, signs: Floats) -> Floats:
        """Return these magnitudes with other signs."""
        return self._call("copysign", signs)

    def times_plus(self, factor: Floats | float, addend: Floats | float) -> Floats:
        """Return self * factor + addend, rounded once where the processor can do so."""
        factor, addend = self.as_floats(factor), self.as_floats(addend)
        if self.code.has_fma:
            return self._call("fma", factor, addend)
        return self * factor + addend

    def _compare(self, predicate: str, operand: Floats | float) -> Mask:
        text = f"fcmp {predicate} {self.type} {self.name}, {self.as_floats(operand).name}"
        return Mask(self.code, self.code.add(text))

    def __lt__(self, other: Floats | float) -> Mask:
        return self._compare("olt", other)

    def __le__(self, other: Floats | float) -> Mask:
        return self._compare("ole", other)

    def __gt__(self, other: Floats | float) -> Mask:
        return self._compare("ogt", other)

    def __ge__(self, other: Floats | float) -> Mask:
        return self._compare("oge", other)

    def equals(self, operand: Floats | float) -> Mask:
        """Return which lanes are equal; NaN is equal to nothing."""
        return self._compare("oeq", operand)

    def is_nan(self) -> Mask:
        """Return which lanes are NaN."""
        return self._compare("uno", self)

    def bits(self) -> Ints:
        """Return the bits as integers."""
        new = Ints(self.code, self.format, "")
        new.name = self.code.add(f"bitcast {self.type} {self.name} to {new.type}")
        return new

    def to(self, format: FloatFormat) -> Floats:
        """Convert to another format."""
        if format == self.format:
            return self
        new = Floats(self.code, format, "")
        opcode = "fpext" if format.bits > self.format.bits else "fptrunc"
        new.name = self.code.add(f"{opcode} {self.type} {self.name} to {new.type}")
        return new


def where(mask: Mask, yes: Floats | float, no: Floats | float) -> Floats:
    """Return ``yes`` in the lanes of a mask, ``no`` in the others; one of them is a vector."""
    like = yes if isinstance(yes, Floats) else no
    assert isinstance(like, Floats)
    yes, no = like.as_floats(yes), like.as_floats(no)
    code = mask.code
    kind = code.vector("i1")
    text = f"select {kind} {mask.name}, {yes.type} {yes.name}, {no.type} {no.name}"
    return Floats(code, like.format, code.add(text))


def at_most(x: Floats, limit: float) -> Floats:
    """Return the lesser of x and the limit; NaN stays NaN."""
    limits = x.constant(limit)
    return where(limits < x, limits, x)


def at_least(x: Floats, limit: float) -> Floats:
    """Return the greater of x and the limit; NaN stays NaN."""
    limits = x.constant(limit)
    return where(limits > x, limits, x)


def polynomial(x: Floats, coefficients: Sequence[float]) -> Floats:
    """Return c0 + c1 x + c2 x x + ...; long ones as two, which do not wait for each other."""
    if len(coefficients) > 5:
        square = x * x
        even, odd = polynomial(square, coefficients[::2]), polynomial(square, coefficients[1::2])
        return odd.times_plus(x, even)
    *lower, total = [x.constant(c) for c in coefficients]
    for c in reversed(lower):
        total = total.times_plus(x, c)
    return total


def if_any(
    mask: Mask, usual: Sequence[Floats], rare: Callable[[], Sequence[Floats]]
) -> list[Floats]:
    """Return the usual values, or what ``rare`` computes where any lane of the mask is true.

    The rare values have to be the usual ones in all other lanes.
    """
    code = mask.code
    number = code.fresh()
    before = code.label
    code.lines.append(f"  br i1 {mask.any()}, label %rare{number}, label %join{number}")
    code.label = f"rare{number}"
    code.lines.append(f"{code.label}:")
    rare_values = rare()
    code.lines.append(f"  br label %join{number}")
    after, code.label = code.label, f"join{number}"
    code.lines.append(f"{code.label}:")
    pairs = zip(usual, rare_values, strict=True)
    phis = [f"phi {u.type} [{u.name}, %{before}], [{f.name}, %{after}]" for u, f in pairs]
    return [Floats(code, u.format, code.add(phi)) for u, phi in zip(usual, phis, strict=True)]
