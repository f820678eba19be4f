"""Types of the values of kernel IR, and of the elements of arrays.

Base of kernel_ir.py, where the rest of the engine finds them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple


class Scalar(NamedTuple):
    """Type of machine numbers: ``kind`` is NumPy's letter (b, i, u, f, c), ``bits`` the width.

    ``short`` says that 8 of the 16 bits of a float are digits, as bfloat16 has them.  Types of
    vectors have several ``lanes``; kernel IR has none of them, loops that code generation adds do.
    """

    kind: str
    bits: int
    short: bool = False
    lanes: int = 1

    @property
    def managed(self) -> bool:
        """Return whether values are references that are counted."""
        return False

    @property
    def part(self) -> Scalar:
        """Type of the real and the imaginary part of complex numbers; of others the type."""
        return Scalar("f", self.bits // 2) if self.kind == "c" else self

    @property
    def lane(self) -> Scalar:
        """Type of one lane."""
        return self._replace(lanes=1)

    def with_lanes(self, lanes: int) -> Scalar:
        """Return the type of vectors of such numbers."""
        return self if lanes == self.lanes else self._replace(lanes=lanes)

    def __str__(self) -> str:
        return "bool" if self.kind == "b" else f"{'b' * self.short}{self.kind}{self.bits}"


class Object(NamedTuple):
    """Type of references to Python objects: arrays, texts, dicts and resources."""

    @property
    def managed(self) -> bool:
        """Return whether values are references that are counted."""
        return True

    def __str__(self) -> str:
        return "object"


class NativeList(NamedTuple):
    """Type of references to native lists, whose entries have these fields."""

    fields: tuple[Any, ...]
    keyed: bool = False
    """Whether it is searched for entries, and has an index of them."""
    array: Any = None
    """Settings of a tensor array (containers/array_settings.py), if it is one."""
    text: bool = False
    """Whether it is a text: the entries are code points, and Python has a ``str`` of it."""

    @property
    def managed(self) -> bool:
        """Return whether values are references that are counted."""
        return True

    def __str__(self) -> str:
        if self.text:
            return "text"
        name = "keys" if self.keyed else "list" if self.array is None else "tensor_array"
        return f"{name}<{', '.join(map(str, self.fields))}>"


Type = Scalar | Object | NativeList

BOOL = Scalar("b", 1)
INT32 = Scalar("i", 32)
INT64 = Scalar("i", 64)
FLOAT64 = Scalar("f", 64)
OBJECT = Object()
TEXT = NativeList((Scalar("u", 32),), text=True)
"""Type of Python's texts; bytes, which tensors of dtype string hold, are objects."""

NUMBERS = {
    np.dtype(name): Scalar(np.dtype(name).kind, np.dtype(name).itemsize * 8)
    for name in (
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
        "float64",
    )
}  # fmt: skip
"""By NumPy's dtype of a number: the type of the machine number."""
NUMBERS[np.dtype(bool)] = BOOL

HALF, BFLOAT = Scalar("f", 16), Scalar("f", 16, short=True)
"""Types of float16 and bfloat16 in memory; in registers they are float32 that operations round."""
NARROW = (HALF, BFLOAT)


class _Elements(dict[Any, Scalar]):
    """Dictionary that gets bfloat16 with the first array of it: ml_dtypes costs an import."""

    def __missing__(self, key: Any) -> Scalar:
        if key not in self:
            raise KeyError(key)
        self[key] = BFLOAT
        return BFLOAT

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or getattr(key, "name", None) == "bfloat16"


ELEMENTS = _Elements(NUMBERS | {
    np.dtype(name): Scalar(np.dtype(name).kind, np.dtype(name).itemsize * 8)
    for name in ("complex64", "complex128", "float16")
})  # fmt: skip
"""By NumPy's dtype of an array: the type of its elements in loops over arrays.  Of complex and
narrow numbers, those without axes are objects outside of such loops: NumPy's arrays.
"""


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


def format_of(type: Scalar) -> FloatFormat:
    """Return the format of floats, or of ints that hold the bits of such floats."""
    return FORMATS[type.bits]


class Bounds(NamedTuple):
    """Least and greatest value that an int can have."""

    low: int
    high: int


ANY = Bounds(-(1 << 63), (1 << 63) - 1)
"""Bounds of an int64 of which nothing is known."""
