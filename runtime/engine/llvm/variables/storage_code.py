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
from runtime.engine.llvm.python_code import (
    ARRAY_CLASS,
    context_entry,
    object_constant,
    require_object,
)
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

    def write(inner: FunctionText) -> None:
        _check_lock(inner, "none")
        cls = word(inner, "%array", CLASS, "ptr")
        inner.require(inner.value(f"icmp eq ptr {cls}, %class"), "none", None)
        _replace(inner, "%array", "none")
        inner.line("ret i1 true")
        inner.start("none")
        inner.line("ret i1 false")

    text.define("variable.assign", "i1", f"{_TAKES}, ptr %array", write)
    return text.value(f"call i1 @variable.assign({_where(text, place)}, ptr {array})")


def copied_array(text: FunctionText, place: Place, array: str, otherwise: str) -> str:
    """Let a copy be the array of a variable; return it, with a reference for the caller.  Branch if
    there is no memory.
    """
    copy = text.call("ptr", "PyArray_NewCopy", f"ptr {array}", f"i32 {ROW_BY_ROW}")
    require_object(text, copy, otherwise)
    with text.leaving(assign_array(text, place, copy), otherwise, likely=None, holds=False):
        text.call("void", "Py_DecRef", f"ptr {copy}")
    return copy


def take_number(
    text: FunctionText, place: Place, type: ir.Scalar, exclusive: bool
) -> tuple[str, str]:
    """Return the value of a variable that is a number, and its address; null without a value.

    If ``own``, nobody else refers to the array there: it is copied before if anybody does.
    """
    name = f"variable.take.{type}{'.own' if exclusive else ''}"
    returns = f"{{{llvm_type(type)}, ptr}}"

    def write(inner: FunctionText) -> None:
        _declare_array(inner)
        array = inner.value("call ptr @variable.array(ptr %class, ptr %values, ptr %storage)")
        inner.require(inner.value(f"icmp ne ptr {array}, null"), "none", None)
        check_kind(inner, array, dtype_number(type), 0, "none")
        if exclusive:
            array = _made_own(inner, array)
        data = word(inner, array, DATA, "ptr")
        value = load_element(inner, data, type)
        pair = inner.value(f"insertvalue {returns} undef, {llvm_type(type)} {value}, 0")
        inner.line(f"ret {returns} {inner.value(f'insertvalue {returns} {pair}, ptr {data}, 1')}")
        inner.start("none")
        inner.line(f"ret {returns} zeroinitializer")

    text.define(name, returns, _TAKES, write)
    aggregate = text.value(f"call {returns} @{name}({_where(text, place)})")
    value, data = (text.value(f"extractvalue {returns} {aggregate}, {n}") for n in (0, 1))
    return value, data


def _declare_array(text: FunctionText) -> None:
    def write(inner: FunctionText) -> None:
        _check_lock(inner, "none")
        slot = inner.slot("ptr")
        for is_stored in inner.either(inner.value("icmp eq ptr %values, null")):
            if is_stored:
                array = word(inner, "%storage", offset(VariableStorage, "array"), "ptr")
            else:
                array = inner.call(
                    "ptr", "PyDict_GetItem", f"ptr {_values(inner)}", "ptr %storage"
                )  # null, too, if these are no values but None
                inner.require(inner.value(f"icmp ne ptr {array}, null"), "none", None)
            inner.line(f"store ptr {array}, ptr {slot}")
        array = inner.load(slot)
        cls = word(inner, array, CLASS, "ptr")
        same = inner.value(f"icmp eq ptr {cls}, %class")  # else it is None
        inner.line(f"ret ptr {inner.value(f'select i1 {same}, ptr {array}, ptr null')}")
        inner.start("none")
        inner.line("ret ptr null")

    text.define("variable.array", "ptr", _TAKES, write)


def _check_lock(text: FunctionText, otherwise: str) -> None:
    """Branch if a thread holds the lock of the storage."""
    lock = word(text, "%storage", offset(VariableStorage, "lock"), "ptr")
    owner = word(text, lock, offset(VisibleLock, "held"), "ptr")
    text.require(text.is_null(owner), otherwise)


def _values(text: FunctionText) -> str:
    """Return the values of the session that runs, a borrowed reference, or None."""
    slot = text.slot("ptr", "null")
    text.call("i32", "PyContextVar_Get", "ptr %values", "ptr null", f"ptr {slot}")
    values = text.load(slot)
    text.call("void", "Py_DecRef", f"ptr {values}")  # the context refers to it
    return values


def _replace(text: FunctionText, array: str, otherwise: str, is_new: bool = False) -> None:
    """Replace the array in the storage or session; branch if there is no session, and release one
    that is new.
    """
    for is_stored in text.either(text.value("icmp eq ptr %values, null")):
        if is_stored:
            place = text.gep("%storage", offset(VariableStorage, "array"))
            before = text.load(place)
            text.call("void", "Py_IncRef", f"ptr {array}")
            text.line(f"store ptr {array}, ptr {place}")
            text.call("void", "Py_DecRef", f"ptr {before}")
            continue
        failed = text.call(
            "i32", "PyDict_SetItem", f"ptr {_values(text)}", "ptr %storage", f"ptr {array}"
        )
        with text.leaving(text.value(f"icmp ne i32 {failed}, 0"), otherwise):
            text.call("void", "PyErr_Clear")
            if is_new:
                text.call("void", "Py_DecRef", f"ptr {array}")


def _made_own(text: FunctionText, array: str) -> str:
    """Return the array in the storage, to which nobody else refers: a copy if anybody does."""
    slot, sole = text.slot("ptr"), is_sole_number(text, array)
    text.line(f"store ptr {array}, ptr {slot}")
    with text.only_if(sole, holds=False):
        copy = text.call("ptr", "PyArray_NewCopy", f"ptr {array}", f"i32 {ROW_BY_ROW}")
        require_object(text, copy, "none")
        _replace(text, copy, "none", is_new=True)
        text.line(f"store ptr {copy}, ptr {slot}")
        text.call("void", "Py_DecRef", f"ptr {copy}")
    return text.load(slot)
