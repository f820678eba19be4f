"""LLVM code that takes Python's exceptions from their places and puts them back."""

from __future__ import annotations

from runtime.engine.llvm.text import FunctionText


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
