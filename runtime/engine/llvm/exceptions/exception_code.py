"""Exceptions in native code: those that are known before the program runs, which a kernel would
raise where native code gives up; and LLVM code that takes them from their places and puts them
back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText
from runtime.graph.raise_tracking import raised_by
from runtime.ops.control_flow.print_assert import ExceptionMaker

DIVISIONS = frozenset({"div.checked", "floordiv", "floormod", "truncatediv", "truncatemod"})
"""Opcodes that give up where the second argument is zero, and for other reasons."""

_INDEXED = frozenset({"list.item", "list.check", "position"})
"""Opcodes that give up only where an index does not exist."""


def known_error(site: ir.Site, opcode: str) -> BaseException | None:
    """Return an exception like the one that the kernel of a site raises; None if it is unknown.

    A division raises it if the divisor is zero.
    """
    maker = _maker(site)
    if maker is not None:
        return maker.sample
    if opcode in _INDEXED:
        return IndexError("")
    if opcode in DIVISIONS:
        node = site.step.operation
        if ZeroDivisionError in raised_by(node.op_def, node.inputs, node.attrs):
            return ZeroDivisionError("")
    return None


def known_parts(site: ir.Site) -> Sequence[Any]:
    """Return the parts of the exception of a ``raise`` that the arguments of its site stand for."""
    maker = _maker(site)
    return () if maker is None else maker.parts


def _maker(site: ir.Site) -> ExceptionMaker | None:
    maker = None if site.step is None else site.step.attrs.get("make")
    return maker if isinstance(maker, ExceptionMaker) else None


def fetch(text: FunctionText) -> str:
    """Return a new reference to the exception that is set, which is cleared."""

    def write(inner: FunctionText) -> None:
        places = [inner.slot("ptr") for _ in range(3)]
        pointers = [f"ptr {place}" for place in places]
        inner.call("void", "PyErr_Fetch", *pointers)
        inner.call("void", "PyErr_NormalizeException", *pointers)
        kind, error, traceback = [inner.value(f"load ptr, ptr {place}") for place in places]
        with inner.only_if(inner.value(f"icmp ne ptr {traceback}, null")):
            inner.call("i32", "PyException_SetTraceback", f"ptr {error}", f"ptr {traceback}")
        inner.call("void", "Py_DecRef", f"ptr {kind}")
        inner.call("void", "Py_DecRef", f"ptr {traceback}")
        inner.line(f"ret ptr {error}")

    text.define("exception.fetch", "ptr", "", write, "noinline cold")
    return text.value("call ptr @exception.fetch()")


def restore(text: FunctionText, error: str) -> None:
    """Set an exception again; the reference stays the caller's."""

    def write(inner: FunctionText) -> None:
        kind = inner.call("ptr", "PyObject_Type", "ptr %error")
        traceback = inner.call("ptr", "PyException_GetTraceback", "ptr %error")
        inner.call("void", "Py_IncRef", "ptr %error")
        inner.call("void", "PyErr_Restore", f"ptr {kind}", "ptr %error", f"ptr {traceback}")
        inner.line("ret void")

    text.define("exception.restore", "void", "ptr %error", write, "noinline cold")
    text.line(f"call void @exception.restore(ptr {error})")


def begin_handling(text: FunctionText, error: str) -> str:
    """Let an exception be the one that is handled, which others refer to; return the one before,
    for ``end_handling``.
    """
    outer = text.call("ptr", "PyErr_GetHandledException")
    text.call("void", "PyErr_SetHandledException", f"ptr {error}")
    return outer


def end_handling(text: FunctionText, outer: str) -> None:
    """Let the exception before be the one that is handled."""
    text.call("void", "PyErr_SetHandledException", f"ptr {outer}")
    text.call("void", "Py_DecRef", f"ptr {outer}")
