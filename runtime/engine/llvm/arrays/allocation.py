"""LLVM code that makes NumPy's arrays."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.python_code import ARRAY_CLASS, context_entry
from runtime.engine.llvm.text import FunctionText

_NEW_ARRAY = "PyArray_New"
"""NumPy's function that makes an array; machine_code.py knows where it is."""


def allocate(
    text: FunctionText, type: ir.Scalar, sizes: Sequence[str], slot: str, otherwise: str
) -> None:
    """Put a new array, whose elements have no values yet, in a slot; branch to ``otherwise`` if
    there is no memory: the kernels say what is wrong.
    """
    dims = text.slot(f"[{len(sizes)} x i64]")
    for axis, size in enumerate(sizes):
        place = text.value(f"getelementptr i64, ptr {dims}, i64 {axis}")
        text.line(f"store i64 {size}, ptr {place}")
    cls = context_entry(text, str(ARRAY_CLASS))
    made = text.call(
        "ptr", _NEW_ARRAY, f"ptr {cls}", f"i32 {len(sizes)}", f"ptr {dims}",
        f"i32 {dtype_number(type)}", "ptr null", "ptr null", "i32 0", "i32 0", "ptr null",
    )  # fmt: skip
    text.line(f"store ptr {made}, ptr {slot}")
    good, bad = text.label("good"), text.label("bad")
    text.branch(text.value(f"icmp eq ptr {made}, null"), bad, good, likely=False)
    text.start(bad)
    text.call("void", "PyErr_Clear")
    text.line(f"br label %{otherwise}")
    text.start(good)


def dtype_number(type: ir.Scalar) -> int:
    """Return NumPy's number of the dtype of some elements."""
    return next(dtype.num for dtype, known in ir.ELEMENTS.items() if known == type)
