"""LLVM code that reads elements of NumPy's arrays.

Where an array is defined, its data, sizes and strides are read once from the array object: its
*view*.  The view of an array of another dtype or rank than the graph expects has no items, so that
each read goes to the kernel.  An index is checked against the size of its axis.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.python_code import ARRAY_CLASS, context_entry
from runtime.engine.llvm.text import FunctionText, llvm_type, position_of

HEAD = object.__basicsize__
CLASS = HEAD - 8
DATA, RANK, SIZES, STRIDES, DTYPE = HEAD, HEAD + 8, HEAD + 16, HEAD + 24, HEAD + 40
"""Offsets in ``PyArrayObject``."""
BYTE_ORDER, TYPE_NUMBER = HEAD + 10, HEAD + 12
"""Offsets in ``PyArray_Descr``."""

TYPE_NUMBERS = {
    np.dtype(name).type: np.dtype(name).num
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float32", "float64",
    )
}  # fmt: skip
"""NumPy's numbers of the dtypes whose elements are read."""


@cache
def is_layout_known() -> bool:
    """Return whether arrays lie in memory as this code expects."""
    if sys.byteorder != "little" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    array = np.arange(6.0).reshape(2, 3)[:, ::2]

    def word(address: int, kind: type[ctypes.c_int64 | ctypes.c_int32] = ctypes.c_int64) -> int:
        return kind.from_address(address).value

    sizes, strides, dtype = (word(id(array) + at) for at in (SIZES, STRIDES, DTYPE))
    found = (
        word(id(array) + CLASS), word(id(array) + DATA), word(id(array) + RANK, ctypes.c_int32),
        *(word(start + 8 * axis) for start in (sizes, strides) for axis in range(2)),
        dtype, word(dtype + TYPE_NUMBER, ctypes.c_int32),
        ctypes.c_char.from_address(dtype + BYTE_ORDER).value,
    )  # fmt: skip
    return found == (
        id(np.ndarray), array.ctypes.data, 2, *array.shape, *array.strides, id(array.dtype),
        array.dtype.num, b"=",
    )  # fmt: skip


class View(NamedTuple):
    """Names of an array's data, sizes and strides."""

    data: str
    sizes: Sequence[str]
    strides: Sequence[str]


class ArrayViews:
    """Views of the arrays of one LLVM function, each read where its array is defined."""

    def __init__(self, text: FunctionText) -> None:
        self._text = text
        self._places: dict[str, int] = {}
        """By name of an object: the line that its definition left free."""
        self._views: dict[tuple[str, int, int], View] = {}

    def defined(self, name: str) -> None:
        """Note that an object was defined just now."""
        self._places[name] = len(self._text.lines)
        self._text.lines.append("")

    def of(self, name: str, number: int, rank: int) -> View:
        """Return the view of an array of a dtype, by NumPy's number, and a rank."""
        key = name, number, rank
        if key not in self._views:
            lines, place = self._text.lines, self._places[name]
            self._text.lines = []
            self._views[key] = self._read(name, number, rank)
            lines[place] = "\n".join([line for line in (lines[place], *self._text.lines) if line])
            self._text.lines = lines
        return self._views[key]

    def _read(self, name: str, number: int, rank: int) -> View:
        text, words = self._text, 1 + 2 * rank
        function = f"view.{number}.{rank}"
        if function not in text.declared:
            text.declared[function] = _view_function(function, number, rank)
        cells = text.slot(f"[{words} x i64]")
        cls = context_entry(text, str(ARRAY_CLASS))
        text.line(f"call void @{function}(ptr {name}, ptr {cls}, ptr {cells})")
        found = [_word(text, cells, 8 * n) for n in range(1, words)]
        return View(_word(text, cells, 0, "ptr"), found[:rank], found[rank:])


def _word(text: FunctionText, base: str, offset: int, kind: str = "i64") -> str:
    place = text.value(f"getelementptr i8, ptr {base}, i64 {offset}")
    return text.value(f"load {kind}, ptr {place}")


def _view_function(name: str, number: int, rank: int) -> str:
    """Return the function that fills a view: data, sizes, strides; zeros for another array."""
    text = FunctionText(
        f"define internal void @{name}(ptr %array, ptr %class, ptr nocapture %view) noinline"
    )
    cls = _word(text, "%array", CLASS, "ptr")
    text.branch(text.value(f"icmp eq ptr {cls}, %class"), "known", "none")
    text.start("known")
    axes = _word(text, "%array", RANK, "i32")
    dtype = _word(text, "%array", DTYPE, "ptr")
    kind = _word(text, dtype, TYPE_NUMBER, "i32")
    order = _word(text, dtype, BYTE_ORDER, "i8")
    flags = [
        text.value(f"icmp eq i32 {axes}, {rank}"), text.value(f"icmp eq i32 {kind}, {number}"),
        text.value(f"icmp ne i8 {order}, {ord('>')}"),
    ]  # fmt: skip
    both = text.value(f"and i1 {flags[0]}, {flags[1]}")
    text.branch(text.value(f"and i1 {both}, {flags[2]}"), "fill", "none")
    text.start("fill")
    tables = [_word(text, "%array", at, "ptr") for at in (SIZES, STRIDES)]
    words = [_word(text, table, 8 * axis) for table in tables for axis in range(rank)]
    _store(text, [("ptr", _word(text, "%array", DATA, "ptr")), *(("i64", w) for w in words)])
    text.line("ret void")
    text.start("none")
    _store(text, [("ptr", "null"), *([("i64", "0")] * (2 * rank))])
    text.line("ret void")
    return text.text()


def _store(text: FunctionText, words: Sequence[tuple[str, str]]) -> None:
    for position, (kind, word) in enumerate(words):
        place = text.value(f"getelementptr i8, ptr %view, i64 {8 * position}")
        text.line(f"store {kind} {word}, ptr {place}")


def positions(
    text: FunctionText, view: View, types: Sequence[ir.Type], indices: Sequence[str]
) -> tuple[list[str], str]:
    """Return the positions on the first axes that indices mean, and whether all of them exist."""
    found, good = [], ""
    for size, type, index in zip(view.sizes, types, indices, strict=False):
        place, inside = position_of(text, type, index, size)
        good = text.value(f"and i1 {good}, {inside}") if good else inside
        found.append(place)
    return found, good


def load(text: FunctionText, view: View, places: Sequence[str], type: ir.Type) -> str:
    """Return the element at some positions, which exist."""
    assert isinstance(type, ir.Scalar)
    address = view.data
    for place, stride in zip(places, view.strides, strict=True):
        offset = text.value(f"mul i64 {place}, {stride}")
        address = text.value(f"getelementptr i8, ptr {address}, i64 {offset}")
    if type.kind != "b":
        return text.value(f"load {llvm_type(type)}, ptr {address}, align 1")
    byte = text.value(f"load i8, ptr {address}")
    return text.value(f"icmp ne i8 {byte}, 0")
