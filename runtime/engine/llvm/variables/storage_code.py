"""LLVM code that finds and replaces the array of a variable, in its storage or in the values of the
session that runs.

No other thread runs meanwhile.  Where one holds the lock of the storage, it is in the middle of a
change: native code leaves reads and updates to the kernels then, which wait for it.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import CLASS, DATA, check_kind, is_sole_number, word
from runtime.engine.llvm.arrays.allocation import dtype_number
from runtime.engine.llvm.element_code import ROW_BY_ROW, load_element
from runtime.engine.llvm.python_code import ARRAY_CLASS, context_entry, object_constant
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.variables.access import Place, offset
from runtime.ops.resource.variable import VariableStorage
from runtime.ops.visible_lock import VisibleLock


def _where(text: FunctionText, place: Place) -> str:
    """Return the arguments of the functions below that say where a value is kept."""
    storage = object_constant(text, place.storage)
    values = "null" if place.values is None else object_constant(text, place.values)
    return f"ptr {context_entry(text, str(ARRAY_CLASS))}, ptr {values}, ptr {storage}"


_TAKES = "ptr %class, ptr %values, ptr %storage"


def current_array(text: FunctionText, place: Place) -> str:
    """Return the array of a variable, a borrowed reference; null without one, and while a thread
    changes it.
    """
    _declare_array(text)
    return text.value(f"call ptr @variable.array({_where(text, place)})")


def assign_array(text: FunctionText, place: Place, array: str) -> str:
    """Let an object be the array of a variable; return whether that was possible."""
    if "variable.assign" not in text.declared:
        inner = FunctionText(f"define internal i1 @variable.assign({_TAKES}, ptr %array) noinline")
        _check_lock(inner, "none")
        cls = word(inner, "%array", CLASS, "ptr")
        inner.branch(inner.value(f"icmp eq ptr {cls}, %class"), "fill", "none")
        inner.start("fill")
        _replace(inner, "%array", "none")
        inner.line("ret i1 true")
        inner.start("none")
        inner.line("ret i1 false")
        declare_function(text, "variable.assign", inner)
    return text.value(f"call i1 @variable.assign({_where(text, place)}, ptr {array})")


def copied_array(text: FunctionText, place: Place, array: str, otherwise: str) -> str:
    """Let a copy be the array of a variable; return it, with a reference for the caller.  Branch if
    there is no memory.
    """
    copy = text.call("ptr", "PyArray_NewCopy", f"ptr {array}", f"i32 {ROW_BY_ROW}")
    missing, copied, lost, good = (text.label(name) for name in ("missing", "made", "lost", "good"))
    text.branch(text.value(f"icmp eq ptr {copy}, null"), missing, copied, likely=False)
    text.start(missing)
    text.call("void", "PyErr_Clear")
    text.line(f"br label %{otherwise}")
    text.start(copied)
    text.branch(assign_array(text, place, copy), good, lost)
    text.start(lost)
    text.call("void", "Py_DecRef", f"ptr {copy}")
    text.line(f"br label %{otherwise}")
    text.start(good)
    return copy


def take_number(
    text: FunctionText, place: Place, type: ir.Scalar, exclusive: bool
) -> tuple[str, str]:
    """Return the value of a variable that is a number, and its address; null without a value.

    If ``own``, nobody else refers to the array there: it is copied before if anybody does.
    """
    name = f"variable.take.{type}{'.own' if exclusive else ''}"
    returns = f"{{{llvm_type(type)}, ptr}}"
    if name not in text.declared:
        _declare_array(text)
        inner = FunctionText(f"define internal {returns} @{name}({_TAKES}) noinline")
        array = inner.value("call ptr @variable.array(ptr %class, ptr %values, ptr %storage)")
        inner.branch(inner.value(f"icmp eq ptr {array}, null"), "none", "look")
        inner.start("look")
        check_kind(inner, array, dtype_number(type), 0)
        inner.start("fill")
        if exclusive:
            array = _made_own(inner, array)
        data = word(inner, array, DATA, "ptr")
        value = load_element(inner, data, type)
        aggregate = inner.value(f"insertvalue {returns} undef, {llvm_type(type)} {value}, 0")
        inner.line(
            f"ret {returns} {inner.value(f'insertvalue {returns} {aggregate}, ptr {data}, 1')}"
        )
        inner.start("none")
        inner.line(f"ret {returns} zeroinitializer")
        declare_function(text, name, inner)
    aggregate = text.value(f"call {returns} @{name}({_where(text, place)})")
    value, data = (text.value(f"extractvalue {returns} {aggregate}, {n}") for n in (0, 1))
    return value, data


def declare_function(text: FunctionText, name: str, inner: FunctionText) -> None:
    """Add a function, and those that it calls, to what the text needs."""
    text.declared.update(inner.declared)
    text.declared[name] = inner.text()


def _declare_array(text: FunctionText) -> None:
    if "variable.array" in text.declared:
        return
    inner = FunctionText(f"define internal ptr @variable.array({_TAKES}) noinline")
    _check_lock(inner, "none")
    inner.branch(inner.value("icmp eq ptr %values, null"), "own", "session")
    inner.start("own")
    array = word(inner, "%storage", offset(VariableStorage, "array"), "ptr")
    inner.line("br label %found")
    inner.start("session")
    of_session = inner.call(
        "ptr", "PyDict_GetItem", f"ptr {_values(inner)}", "ptr %storage"
    )  # null, too, if these are no values but None
    inner.branch(inner.value(f"icmp eq ptr {of_session}, null"), "none", "found")
    inner.start("found")
    candidate = inner.value(f"phi ptr [{array}, %own], [{of_session}, %session]")
    cls = word(inner, candidate, CLASS, "ptr")
    same = inner.value(f"icmp eq ptr {cls}, %class")  # else it is None
    inner.line(f"ret ptr {inner.value(f'select i1 {same}, ptr {candidate}, ptr null')}")
    inner.start("none")
    inner.line("ret ptr null")
    declare_function(text, "variable.array", inner)


def _check_lock(text: FunctionText, otherwise: str) -> None:
    """Branch if a thread holds the lock of the storage."""
    lock = word(text, "%storage", offset(VariableStorage, "lock"), "ptr")
    owner = word(text, lock, offset(VisibleLock, "held"), "ptr")
    text.branch(text.value(f"icmp eq ptr {owner}, null"), "free", otherwise, likely=True)
    text.start("free")


def _values(text: FunctionText) -> str:
    """Return the values of the session that runs, a borrowed reference, or None."""
    slot = text.slot("ptr", "null")
    text.call("i32", "PyContextVar_Get", "ptr %values", "ptr null", f"ptr {slot}")
    values = text.value(f"load ptr, ptr {slot}")
    text.call("void", "Py_DecRef", f"ptr {values}")  # the context refers to it
    return values


def _replace(text: FunctionText, array: str, otherwise: str) -> None:
    """Replace the array in the storage or session; branch if there is no session."""
    in_storage, session, done = (text.label(name) for name in ("own", "session", "done"))
    text.branch(text.value("icmp eq ptr %values, null"), in_storage, session)
    text.start(in_storage)
    place = text.gep("%storage", offset(VariableStorage, "array"))
    before = text.value(f"load ptr, ptr {place}")
    text.call("void", "Py_IncRef", f"ptr {array}")
    text.line(f"store ptr {array}, ptr {place}")
    text.call("void", "Py_DecRef", f"ptr {before}")
    text.line(f"br label %{done}")
    text.start(session)
    values = _values(text)
    failed = text.call("i32", "PyDict_SetItem", f"ptr {values}", "ptr %storage", f"ptr {array}")
    bad = text.label("bad")
    text.branch(text.value(f"icmp eq i32 {failed}, 0"), done, bad, likely=True)
    text.start(bad)
    text.call("void", "PyErr_Clear")
    text.line(f"br label %{otherwise}")
    text.start(done)


def _made_own(text: FunctionText, array: str) -> str:
    """Return the array in the storage, to which nobody else refers: a copy if anybody does."""
    slot, sole = text.slot("ptr"), is_sole_number(text, array)
    text.line(f"store ptr {array}, ptr {slot}")
    text.branch(sole, "sole", "copy")
    text.start("copy")
    copy = text.call("ptr", "PyArray_NewCopy", f"ptr {array}", f"i32 {ROW_BY_ROW}")
    text.branch(text.value(f"icmp eq ptr {copy}, null"), "missing", "made", likely=False)
    text.start("missing")
    text.call("void", "PyErr_Clear")
    text.line("br label %none")
    text.start("made")
    _replace(text, copy, "lost")
    text.line(f"store ptr {copy}, ptr {slot}")
    text.call("void", "Py_DecRef", f"ptr {copy}")
    text.line("br label %sole")
    text.start("lost")
    text.call("void", "Py_DecRef", f"ptr {copy}")
    text.line("br label %none")
    text.start("sole")
    return text.value(f"load ptr, ptr {slot}")
