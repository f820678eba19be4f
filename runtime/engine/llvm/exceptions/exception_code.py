"""LLVM code that takes Python's exceptions from their places and puts them back."""

from __future__ import annotations

from runtime.engine.llvm.text import FunctionText


def fetch(text: FunctionText) -> str:
    """Return a new reference to the exception that is set, which is cleared."""
    if "exception.fetch" not in text.declared:
        inner = FunctionText("define internal ptr @exception.fetch() noinline cold")
        places = [inner.slot("ptr") for _ in range(3)]
        pointers = [f"ptr {place}" for place in places]
        inner.call("void", "PyErr_Fetch", *pointers)
        inner.call("void", "PyErr_NormalizeException", *pointers)
        kind, error, traceback = [inner.value(f"load ptr, ptr {place}") for place in places]
        inner.branch(inner.value(f"icmp eq ptr {traceback}, null"), "end", "traced")
        inner.start("traced")
        inner.call("i32", "PyException_SetTraceback", f"ptr {error}", f"ptr {traceback}")
        inner.line("br label %end")
        inner.start("end")
        inner.call("void", "Py_DecRef", f"ptr {kind}")
        inner.call("void", "Py_DecRef", f"ptr {traceback}")
        inner.line(f"ret ptr {error}")
        _declare(text, "exception.fetch", inner)
    return text.value("call ptr @exception.fetch()")


def restore(text: FunctionText, error: str) -> None:
    """Set an exception again; the reference stays the caller's."""
    if "exception.restore" not in text.declared:
        inner = FunctionText("define internal void @exception.restore(ptr %error) noinline cold")
        kind = inner.call("ptr", "PyObject_Type", "ptr %error")
        traceback = inner.call("ptr", "PyException_GetTraceback", "ptr %error")
        inner.call("void", "Py_IncRef", "ptr %error")
        inner.call("void", "PyErr_Restore", f"ptr {kind}", "ptr %error", f"ptr {traceback}")
        inner.line("ret void")
        _declare(text, "exception.restore", inner)
    text.line(f"call void @exception.restore(ptr {error})")


def _declare(text: FunctionText, name: str, function: FunctionText) -> None:
    text.declared.update(function.declared)
    text.declared[name] = function.text()


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
