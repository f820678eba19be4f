"""Formats of floats: how bits of exponents and fractions lie in them."""

from __future__ import annotations

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir


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


FORMATS = {32: FloatFormat(32, 23, 127), 64: FloatFormat(64, 52, 1023)}


def format_of(type: ir.Scalar) -> FloatFormat:
    """Return the format of floats, or of ints that hold the bits of such floats."""
    return FORMATS[type.bits]
