"""Memory layout: where exports keep what code for Python finds in NumPy's objects.

Offsets are those of NumPy on machines of 64 bits; on others an address takes half of its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.engine.llvm import array_code

IMMORTAL = 1 << 40
"""Count of references of what is never released; it is not changed."""
HEADER = 96
"""Bytes of an array object, before sizes, strides and elements."""
CLASS = "@rt_class"
"""Class of all arrays."""


class ObjectLayout:
    """Fields of objects for addresses of so many bits."""

    def __init__(self, pointer_bits: int) -> None:
        self.pointer_bits = pointer_bits
        self.size_type = f"i{pointer_bits}"
        """LLVM's name of C's ``size_t``."""
        self._gap = "" if pointer_bits == 64 else ", i32 0"

    def address(self, name: str) -> str:
        """Return the field of an address, 8 bytes."""
        return f"ptr {name}{self._gap}"

    def constant(self, fields: Sequence[str]) -> str:
        """Return a packed structure of fields: its type and value."""
        parts = [part for field in fields for part in _split(field)]
        types = ", ".join(_type_of(part) for part in parts)
        return f"<{{{types}}}> <{{{', '.join(parts)}}}>"

    def dtype(self, number: int) -> str:
        """Return the constant that stands for NumPy's dtype with a number."""
        start = array_code.BYTE_ORDER
        gap = array_code.TYPE_NUMBER - start - 1
        fields = [f"[{start} x i8] zeroinitializer", f"i8 {ord('=')}"]
        fields += [f"[{gap} x i8] zeroinitializer", f"i32 {number}"]
        return f"@rt_dtype_{number} = internal constant {self.constant(fields)}, align 8"

    def array(self, name: str, value: np.ndarray) -> list[str]:
        """Return the constants of an array whose elements are known."""
        sizes, strides = value.shape, np.zeros(value.shape, value.dtype).strides
        words = ", ".join(f"i64 {n}" for n in (*sizes, *strides)) or "i64 0"
        count = max(2 * value.ndim, 1)
        table, data = f"{name}.sizes", f"{name}.data"
        content = np.ascontiguousarray(value).tobytes()
        header = [
            f"i64 {IMMORTAL}", self.address(CLASS), self.address(data), f"i32 {value.ndim}",
            "i32 0", self.address(table),
            self.address(f"getelementptr (i8, ptr {table}, i64 {8 * value.ndim})"),
            self.address("null"), self.address(f"@rt_dtype_{value.dtype.num}"),
            f"i32 {array_code.ROW_BY_ROW | array_code.ALIGNED}", "i32 0",
        ]  # fmt: skip
        escaped = "".join(f"\\{byte:02X}" for byte in content)
        return [
            f"{table} = internal constant [{count} x i64] [{words}]",
            f'{data} = internal constant [{len(content)} x i8] c"{escaped}", align 64',
            f"{name} = internal constant {self.constant(header)}, align 8",
        ]


def _split(field: str) -> list[str]:
    """Return the parts of a field: an address may be followed by a gap."""
    if field.startswith("ptr ") and field.endswith(", i32 0"):
        return [field.removesuffix(", i32 0"), "i32 0"]
    return [field]


def _type_of(part: str) -> str:
    if part.startswith("["):
        return part[: part.index("]") + 1]
    return part.split(" ")[0]
