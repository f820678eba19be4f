"""LLVM code that finds and replaces the array of a variable, in its storage or in the values of the
session that runs.

No other thread runs meanwhile.  Where one holds the lock of the storage, it is in the middle of a
change: native code leaves reads and updates to the kernels then, which wait for it.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import CLASS, DATA, check_kind, is_sole_number, word
from runtime.engine.llvm.arrays.allocation import dtype_number
from runtime.engine.llvm.builder import Address, Builder
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

_TAKES = "ptr %class, ptr %values, ptr %storage"


def _where(text: FunctionText, place: Place) -> list[str]:
    """Return the arguments of the functions below that say where a value is kept."""
    storage = object_constant(text, place.storage)
    values = "null" if place.values is None else object_constant(text, place.values)
    return [f"ptr {context_entry(text, str(ARRAY_CLASS))}", f"ptr {values}", f"ptr {storage}"]


def current_array(text: FunctionText, place: Place) -> str:
    """Return the array of a variable, a borrowed reference; null without one, and while a thread
    changes it.
    """
    text.define("variable.array", "ptr", _TAKES, _write_array)
    return text.invoke("ptr", "variable.array", *_where(text, place))


def assign_array(text: FunctionText, place: Place, array: str) -> str:
    """Let an object be the array of a variable; return whether that was possible."""

    def write(inner: FunctionText) -> None:
        code = Builder(inner)
        _check_lock(code)
        cls = word(inner, "%array", CLASS, "ptr")
        inner.require(inner.value(f"icmp eq ptr {cls}, %class"), "none", None)
        _replace(code, code.address("%array"))
        code.give("i1 true")
        inner.start("none")
        code.give("i1 false")

    text.define("variable.assign", "i1", f"{_TAKES}, ptr %array", write)
    return text.invoke("i1", "variable.assign", *_where(text, place), f"ptr {array}")


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

    If ``exclusive``, nobody else refers to the array there: it is copied before if anybody does.
    """
    name = f"variable.take.{type}{'.own' if exclusive else ''}"
    returns = f"{{{llvm_type(type)}, ptr}}"

    def write(inner: FunctionText) -> None:
        code = Builder(inner)
        inner.define("variable.array", "ptr", _TAKES, _write_array)
        array = code.call_address("variable.array", _TAKES)
        inner.require(array.exists().name, "none", None)
        check_kind(inner, array.name, dtype_number(type), 0, "none")
        if exclusive:
            array = _made_own(code, array)
        data = word(inner, array.name, DATA, "ptr")
        value = load_element(inner, data, type)
        pair = inner.value(f"insertvalue {returns} undef, {llvm_type(type)} {value}, 0")
        code.give(f"{returns} {inner.value(f'insertvalue {returns} {pair}, ptr {data}, 1')}")
        inner.start("none")
        code.give(f"{returns} zeroinitializer")

    text.define(name, returns, _TAKES, write)
    aggregate = text.invoke(returns, name, *_where(text, place))
    value, data = (text.value(f"extractvalue {returns} {aggregate}, {n}") for n in (0, 1))
    return value, data


def _write_array(text: FunctionText) -> None:
    code = Builder(text)
    _check_lock(code)
    slot = code.pointer()
    for is_stored in text.either(code.address("%values").is_null().name):
        if is_stored:
            place = offset(VariableStorage, "array")
            array = code.address(word(text, "%storage", place, "ptr"))
        else:  # null, too, if these are no values but None
            args = _values(code), "ptr %storage"
            array = code.call_address("PyDict_GetItem", *args, extern=True)
            text.require(array.exists().name, "none", None)
        slot.store(array)
    array = slot.load_address()
    cls = word(text, array.name, CLASS, "ptr")
    same = text.value(f"icmp eq ptr {cls}, %class")  # else it is None
    code.give(f"ptr {text.value(f'select i1 {same}, ptr {array}, ptr null')}")
    text.start("none")
    code.give("ptr null")


def _check_lock(code: Builder) -> None:
    """Branch to ``none`` if a thread holds the lock of the storage."""
    lock = word(code.text, "%storage", offset(VariableStorage, "lock"), "ptr")
    owner = word(code.text, lock, offset(VisibleLock, "held"), "ptr")
    code.text.require(code.text.is_null(owner), "none")


def _values(code: Builder) -> Address:
    """Return the values of the session that runs, a borrowed reference, or None."""
    slot = code.pointer("null")
    args = "ptr %values", "ptr null", slot
    code.call("PyContextVar_Get", *args, gives=ir.INT32, extern=True)
    values = slot.load_address()
    code.run("Py_DecRef", values, extern=True)  # the context refers to it
    return values


def _replace(code: Builder, array: Address, is_new: bool = False) -> None:
    """Replace the array in the storage or session; branch to ``none`` if there is no session, and
    release one that is new.
    """
    for is_stored in code.text.either(code.address("%values").is_null().name):
        if is_stored:
            place = code.address("%storage") + offset(VariableStorage, "array")
            before = place.load_address()
            code.run("Py_IncRef", array, extern=True)
            place.store(array)
            code.run("Py_DecRef", before, extern=True)
            continue
        args = _values(code), "ptr %storage", array
        failed = code.call("PyDict_SetItem", *args, gives=ir.INT32, extern=True)
        with code.text.leaving((failed != 0).name, "none"):
            code.run("PyErr_Clear", extern=True)
            if is_new:
                code.run("Py_DecRef", array, extern=True)


def _made_own(code: Builder, array: Address) -> Address:
    """Return the array in the storage, to which nobody else refers: a copy if anybody does."""
    text, slot = code.text, code.pointer()
    sole = is_sole_number(text, array.name)
    slot.store(array)
    with text.only_if(sole, holds=False):
        copy = code.call_address("PyArray_NewCopy", array, f"i32 {ROW_BY_ROW}", extern=True)
        require_object(text, copy.name, "none")
        _replace(code, copy, is_new=True)
        slot.store(copy)
        code.run("Py_DecRef", copy, extern=True)
    return slot.load_address()
