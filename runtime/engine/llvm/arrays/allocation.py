"""LLVM code that makes NumPy's arrays."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_own_array
from runtime.engine.llvm.python_code import array_class
from runtime.engine.llvm.text import FunctionText

_NEW_ARRAY = "PyArray_New"
"""NumPy's function that makes an array; machine_code.py knows where it is."""


def allocate(
    text: FunctionText, type: ir.Scalar, sizes: Sequence[str], slot: str, otherwise: str
) -> None:
    """Put a new array, whose elements have no values yet, in a slot; branch to ``otherwise`` if
    there is no memory: the kernels say what is wrong.
    """
    # a function for each type and rank: LLVM's time grows fast with the length of functions
    array = text.value(f"call ptr @{_new(text, type, len(sizes))}({_args(text, sizes)})")
    _put(text, array, slot, otherwise)


def take_over(
    text: FunctionText, type: ir.Scalar, sizes: Sequence[str], array: tuple[str, int], slot: str,
    otherwise: str,
) -> None:  # fmt: skip
    """Put an array of some sizes in the slot, if nobody but so many owners refers to it and it lies
    row by row; else a new one.
    """
    params = "".join(f", i64 %n{axis}" for axis in range(len(sizes)))

    def write(inner: FunctionText) -> None:
        count = inner.value("load i64, ptr %array")
        alone = inner.value(f"icmp eq i64 {count}, %owners")
        free = inner.value(f"and i1 {alone}, {is_own_array(inner, '%array')}")
        with inner.leaving(free, likely=None):
            inner.call("void", "Py_IncRef", "ptr %array")
            inner.line("ret ptr %array")
        new_args = ", ".join(["ptr %class", *(f"i64 %n{axis}" for axis in range(len(sizes)))])
        new = _new(inner, type, len(sizes))
        inner.line(f"ret ptr {inner.value(f'call ptr @{new}({new_args})')}")

    name = f"take_over.{dtype_number(type)}.{len(sizes)}"
    text.define(name, "ptr", f"ptr %array, i64 %owners, ptr %class{params}", write)
    candidate, owners = array
    new_args = f"ptr {candidate}, i64 {owners}, {_args(text, sizes)}"
    _put(text, text.value(f"call ptr @{name}({new_args})"), slot, otherwise)


def _args(text: FunctionText, sizes: Sequence[str]) -> str:
    return ", ".join([f"ptr {array_class(text)}", *(f"i64 {size}" for size in sizes)])


def _put(text: FunctionText, array: str, slot: str, otherwise: str) -> None:
    text.line(f"store ptr {array}, ptr {slot}")
    text.refuse(text.value(f"icmp eq ptr {array}, null"), otherwise)


def _new(text: FunctionText, type: ir.Scalar, rank: int) -> str:
    """Return the name of the function that makes an array; null if there is no memory."""
    params = "".join(f", i64 %n{axis}" for axis in range(rank))

    def write(inner: FunctionText) -> None:
        dims = inner.slot(f"[{max(rank, 1)} x i64]")
        for axis in range(rank):
            inner.line(f"store i64 %n{axis}, ptr {inner.gep(dims, 8 * axis)}")
        array = inner.call(
            "ptr", _NEW_ARRAY, "ptr %class", f"i32 {rank}", f"ptr {dims}",
            f"i32 {dtype_number(type)}", "ptr null", "ptr null", "i32 0", "i32 0", "ptr null",
        )  # fmt: skip
        with inner.only_if(inner.value(f"icmp eq ptr {array}, null"), likely=False):
            inner.call("void", "PyErr_Clear")
        inner.line(f"ret ptr {array}")

    name = f"new_array.{dtype_number(type)}.{rank}"
    return text.define(name, "ptr", f"ptr %class{params}", write)


def dtype_number(type: ir.Scalar) -> int:
    """Return NumPy's number of the dtype of some elements."""
    return next(dtype.num for dtype, element in ir.ELEMENTS.items() if element == type)
