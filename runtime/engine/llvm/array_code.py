"""LLVM code that looks at NumPy's arrays: where an array object has its data, sizes and flags, and
what it is like.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from runtime.engine.llvm.python_code import array_class
from runtime.engine.llvm.size_code import all_hold
from runtime.engine.llvm.text import FunctionText

if TYPE_CHECKING:
    from runtime.engine.llvm.row_layouts import RowLayout

HEAD = object.__basicsize__
CLASS = HEAD - 8
DATA, RANK, SIZES, STRIDES = HEAD, HEAD + 8, HEAD + 16, HEAD + 24
BASE, DTYPE, FLAGS = HEAD + 32, HEAD + 40, HEAD + 48
HANDLER = HEAD + 72
"""Offsets in ``PyArrayObject``, which begins with the count of references."""
BYTE_ORDER, TYPE_NUMBER = HEAD + 10, HEAD + 12
"""Offsets in ``PyArray_Descr``."""
ROW_BY_ROW, OWNS_DATA, ALIGNED, WRITEABLE = 0x1, 0x4, 0x100, 0x400
"""Flags of arrays."""

TYPE_NUMBERS = {
    np.dtype(name).type: np.dtype(name).num
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float32", "float64",
    )
}  # fmt: skip
"""NumPy's numbers of the dtypes whose elements are read and written."""


NUMPY_FUNCTIONS = {"PyArray_NewCopy": 85, "PyArray_New": 93}
"""Functions of NumPy's C API that native code calls: their numbers in it."""
_MULTIARRAY = "numpy._core._multiarray_umath"


@cache
def numpy_functions() -> dict[str, int]:
    """Return the addresses of NumPy's C functions that native code calls, by name."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = pointer(import_module(_MULTIARRAY)._ARRAY_API, None)
    return {
        name: ctypes.c_int64.from_address(table + 8 * place).value
        for name, place in NUMPY_FUNCTIONS.items()
    }


@cache
def is_layout_known() -> bool:
    """Return whether arrays lie in memory as this code expects."""
    if sys.byteorder != "little" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    owners, capsule = [np.arange(6.0)], import_module(_MULTIARRAY)._ARRAY_API
    array = owners[0].reshape(2, 3)[:, ::2]

    def word(address: int, kind: type[ctypes.c_int64 | ctypes.c_int32] = ctypes.c_int64) -> int:
        return kind.from_address(address).value

    def flags(array: object) -> int:
        return word(id(array) + FLAGS, ctypes.c_int32) & (OWNS_DATA | WRITEABLE)

    sizes, strides, dtype = (word(id(array) + offset) for offset in (SIZES, STRIDES, DTYPE))
    counts = [word(id(owners[0]))]  # it and its view refer to it
    actual = (
        word(id(array) + CLASS), word(id(array) + DATA), word(id(array) + RANK, ctypes.c_int32),
        *(word(start + 8 * axis) for start in (sizes, strides) for axis in range(2)),
        dtype, word(dtype + TYPE_NUMBER, ctypes.c_int32),
        ctypes.c_char.from_address(dtype + BYTE_ORDER).value,
        word(id(array) + BASE), word(id(owners[0]) + BASE), flags(array), flags(owners[0]),
        word(id(array) + HANDLER), word(word(id(owners[0]) + HANDLER) + CLASS),
    )  # fmt: skip
    expected = (
        id(np.ndarray), array.ctypes.data, 2, *array.shape, *array.strides, id(array.dtype),
        array.dtype.num, b"=", id(owners[0]), 0, WRITEABLE, OWNS_DATA | WRITEABLE,
        0, id(type(capsule)),
    )  # fmt: skip
    del array
    counts.append(word(id(owners[0])))
    return actual == expected and counts == [2, 1]


def word(text: FunctionText, base: str, offset: int, kind: str = "i64") -> str:
    """Return the word at an offset."""
    place = text.gep(base, offset)
    return text.load(place, kind)


def check_kind(text: FunctionText, array: str, number: int, rank: int, otherwise: str) -> None:
    """Branch away unless an array is of the class and has a dtype and rank."""
    cls = word(text, array, CLASS, "ptr")
    text.require(text.value(f"icmp eq ptr {cls}, %class"), otherwise, None)
    axes = word(text, array, RANK, "i32")
    dtype = word(text, array, DTYPE, "ptr")
    kind = word(text, dtype, TYPE_NUMBER, "i32")
    order = word(text, dtype, BYTE_ORDER, "i8")
    conditions = [
        text.value(f"icmp eq i32 {axes}, {rank}"), text.value(f"icmp eq i32 {kind}, {number}"),
        text.value(f"icmp ne i8 {order}, {ord('>')}"),
    ]  # fmt: skip
    text.require(all_hold(text, conditions), otherwise, None)


def elements_of(text: FunctionText, array: str, layout: RowLayout) -> str:
    """Return the address of the elements of an array; null if it has not a layout."""
    name = layout_check(text, layout)
    return text.value(f"call ptr @{name}(ptr {array}, ptr {array_class(text)})")


def layout_check(text: FunctionText, layout: RowLayout) -> str:
    """Return the name of the function that gives the address of the elements of an array; null if
    it has not a layout.
    """

    def write(inner: FunctionText) -> None:
        check_kind(inner, "%array", *layout.key, "none")
        required = ROW_BY_ROW | ALIGNED
        flags = inner.value(f"and i32 {word(inner, '%array', FLAGS, 'i32')}, {required}")
        good = inner.value(f"icmp eq i32 {flags}, {required}")
        sizes = word(inner, "%array", SIZES, "ptr")
        for axis, size in enumerate(layout.sizes):
            same = inner.value(f"icmp eq i64 {word(inner, sizes, 8 * axis)}, {size}")
            good = inner.value(f"and i1 {good}, {same}")
        data = word(inner, "%array", DATA, "ptr")
        inner.line(f"ret ptr {inner.value(f'select i1 {good}, ptr {data}, ptr null')}")
        inner.start("none")
        inner.line("ret ptr null")

    name = "_".join(["lies", str(layout.number), *map(str, layout.sizes)])
    return text.define(name, "ptr", "ptr %array, ptr %class", write)


def is_own_array(text: FunctionText, array: str) -> str:
    """Return whether an array may be written, lies row by row, and its memory is its own."""

    def write(inner: FunctionText) -> None:
        flags = ROW_BY_ROW | OWNS_DATA | WRITEABLE
        inner.line(f"ret i1 {_has_own_memory(inner, '%array', flags)}")

    traits = "noinline nounwind willreturn memory(read)"
    text.define("is_own_array", "i1", "ptr %array", write, traits)
    return text.value(f"call i1 @is_own_array(ptr {array})")


def is_own(text: FunctionText, array: str) -> str:
    """Return 1 if the array may be written, and is as ``array.own`` gives it; else 0."""
    owns_memory = _has_own_memory(text, array, ROW_BY_ROW | OWNS_DATA | WRITEABLE)
    return text.value(f"zext i1 {owns_memory} to i64")


def _has_own_memory(text: FunctionText, array: str, required: int) -> str:
    """Return whether the memory of an array is no other object's, and it has all wanted flags."""
    base = text.is_null(word(text, array, BASE, 'ptr'))
    flags = text.value(f"and i32 {word(text, array, FLAGS, 'i32')}, {required}")
    flagged = text.value(f"icmp eq i32 {flags}, {required}")
    return text.value(f"and i1 {base}, {flagged}")


def is_plain(text: FunctionText, array: str) -> str:
    """Return whether an array is as NumPy makes new ones: with axes, memory of its own, row by row.
    """
    axes = text.value(f"icmp ne i32 {word(text, array, RANK, 'i32')}, 0")
    owns_memory = _has_own_memory(text, array, ROW_BY_ROW | OWNS_DATA | ALIGNED | WRITEABLE)
    return text.value(f"and i1 {axes}, {owns_memory}")


def is_sole_number(text: FunctionText, array: str) -> str:
    """Return whether an array without axes has memory of its own, and one object refers to it."""
    owns_memory = _has_own_memory(text, array, OWNS_DATA | ALIGNED | WRITEABLE)
    alone = text.value(f"icmp eq i64 {text.value(f'load i64, ptr {array}')}, 1")
    return text.value(f"and i1 {owns_memory}, {alone}")
