"""LLVM code that makes NumPy's arrays; the memory of large ones is the workspace's."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import array_code
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import ALIGNED, OWNS_DATA, ROW_BY_ROW, WRITEABLE, is_own_array
from runtime.engine.llvm.element_code import stored_size
from runtime.engine.llvm.python_code import array_class
from runtime.engine.llvm.size_code import product
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.workspace import HANDLER
from runtime.engine.llvm.workspace_code import GIVE, LEAST, TAKE

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
    text.refuse(text.is_null(array), otherwise)


def _new(text: FunctionText, type: ir.Scalar, rank: int) -> str:
    """Return the name of the function that makes an array; null if there is no memory."""
    params = "".join(f", i64 %n{axis}" for axis in range(rank))

    def write(inner: FunctionText) -> None:
        dims = inner.slot(f"[{max(rank, 1)} x i64]")
        for axis in range(rank):
            inner.line(f"store i64 %n{axis}, ptr {inner.gep(dims, 8 * axis)}")
        size = product(inner, str(stored_size(type)), *[f"%n{axis}" for axis in range(rank)])
        is_large = inner.value(f"icmp uge i64 {size}, {LEAST}")
        with inner.leaving(is_large, likely=None):
            block = inner.call("ptr", TAKE, f"i64 {size}")
            inner.give_if(inner.is_null(block), "ptr null")
            array = _array_of(inner, type, rank, dims, block, ROW_BY_ROW | ALIGNED | WRITEABLE)
            with inner.leaving(inner.is_null(array)):
                inner.call("void", GIVE, f"ptr {block}")
                inner.line("ret ptr null")
            inner.declared[HANDLER] = f"@{HANDLER} = external global i8"
            inner.call("void", "Py_IncRef", f"ptr @{HANDLER}")
            inner.line(f"store ptr @{HANDLER}, ptr {inner.gep(array, array_code.HANDLER)}")
            flags = inner.gep(array, array_code.FLAGS)
            owning = inner.value(f"or i32 {inner.value(f'load i32, ptr {flags}')}, {OWNS_DATA}")
            inner.line(f"store i32 {owning}, ptr {flags}")
            inner.line(f"ret ptr {array}")
        inner.line(f"ret ptr {_array_of(inner, type, rank, dims, 'null', 0)}")

    name = f"new_array.{dtype_number(type)}.{rank}"
    return text.define(name, "ptr", f"ptr %class{params}", write)


def _array_of(
    text: FunctionText, type: ir.Scalar, rank: int, dims: str, data: str, flags: int
) -> str:
    """Return a new array of some memory, or of its own; null without an exception if it fails."""
    array = text.call(
        "ptr", _NEW_ARRAY, "ptr %class", f"i32 {rank}", f"ptr {dims}", f"i32 {dtype_number(type)}",
        "ptr null", f"ptr {data}", "i32 0", f"i32 {flags}", "ptr null",
    )  # fmt: skip
    with text.only_if(text.is_null(array), likely=False):
        text.call("void", "PyErr_Clear")
    return array


def dtype_number(type: ir.Scalar) -> int:
    """Return NumPy's number of the dtype of some elements."""
    return next(dtype.num for dtype, element in ir.ELEMENTS.items() if element == type)
