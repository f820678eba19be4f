"""LLVM code that makes Python lists of native lists, and native lists of Python lists.

An entry of one field is the item itself, other entries are tuples.
"""

from __future__ import annotations

from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import Address, Builder, typed_all
from runtime.engine.llvm.list_handles import NativeListHandle
from runtime.engine.llvm.python_code import box, unbox
from runtime.engine.llvm.references import list_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.texts import text_functions
from runtime.engine.llvm.values import LaneValue

__all__ = ["define_conversions"]


def define_conversions(module: FunctionText, type: ir.NativeList) -> None:
    """Add the functions ``box`` and ``unbox`` of a list type."""
    if type.text:
        text_functions.define_conversions(module)
        return
    name = list_name(type)
    module.define(f"{name}.box", "ptr", "ptr %list", partial(_box, type), "")
    module.define(f"{name}.unbox", "ptr", "ptr %object", partial(_unbox, type), "")


_CLASSES = {"b": "PyBool_Type", "i": "PyLong_Type", "u": "PyLong_Type", "f": "PyFloat_Type"}
"""By kind of number: the class of the Python objects that are taken."""

_CLASS_OFFSET = object.__basicsize__ - 8
"""Where an object refers to its class: at the end of its head."""


def _fail_unless_exact(item: Address, cls: str) -> None:
    """Raise TypeError unless an object is of a class, and of no subclass."""
    code = item.code
    code.text.declared[cls] = f"@{cls} = external global i8"
    actual = (item + _CLASS_OFFSET).load_address()
    _fail_unless(code, code.value(code.text.value(f"icmp eq ptr {actual}, @{cls}"), ir.BOOL))


def _fail_unless(code: Builder, condition: LaneValue) -> None:
    with code.text.leaving(condition.name, "fail", likely=True, holds=False):
        code.text.call("i32", "PyErr_BadArgument")


def _box(type: ir.NativeList, text: FunctionText) -> None:
    code = Builder(text)
    unfinished = code.pointer("null")
    handle = NativeListHandle(code, type, "%list")
    length = handle.length()
    result = code.call_address("PyList_New", length, extern=True)
    unfinished.store(result)
    result.require("fail")
    with code.each(length) as position:
        items, entry = list[Address](), handle.entry(position)
        for number, field in enumerate(type.fields):
            value = handle.field(entry, number).load_as(llvm_type(field))
            items.append(code.address(box(text, field, value)))
            items[-1].require("fail")
        item = items[0]
        if len(items) > 1:
            item = code.call_address("PyTuple_New", len(items), extern=True)
            item.require("fail")
            for number, field_object in enumerate(items):
                text.call("i32", "PyTuple_SetItem", *typed_all(item, number, field_object))
        text.call("i32", "PyList_SetItem", *typed_all(result, position, item))
    code.give(result)
    text.start("fail")
    code.run("Py_DecRef", unfinished.load_address(), extern=True)
    code.give("ptr null")


def _unbox(type: ir.NativeList, text: FunctionText) -> None:
    code, width = Builder(text), len(type.fields)
    unfinished, source = code.pointer("null"), code.address("%object")
    length = code.call("PyList_Size", source, gives=ir.INT64, extern=True)
    text.refuse((length < 0).name, "fail")
    name = code.call_address(f"{list_name(type)}.make", length).name
    handle = NativeListHandle(code, type, name)
    with text.leaving(handle.is_null().name, "fail"):
        text.call("ptr", "PyErr_NoMemory")
    unfinished.store(handle)
    with code.each(length) as position:
        item = code.call_address("PyList_GetItem", source, position, extern=True)
        item.require("fail")  # the list may have become shorter
        if width > 1:
            _fail_unless_exact(item, "PyTuple_Type")
            _fail_unless(code, code.call("PyTuple_Size", item, extern=True) == width)
        entry = handle.entry(position)
        for number, field in enumerate(type.fields):
            field_object = item
            if width > 1:
                field_object = code.call_address("PyTuple_GetItem", item, number, extern=True)
            if isinstance(field, ir.Scalar):
                _fail_unless_exact(field_object, _CLASSES[field.kind])
            elif isinstance(field, ir.NativeList) and field.array is None:
                _fail_unless_exact(field_object, "PyUnicode_Type" if field.text else "PyList_Type")
            value = unbox(text, field, field_object.name, "fail")
            handle.field(entry, number).store(f"{llvm_type(field)} {value}")
        handle.set_length(position + 1)
    code.give(handle)
    text.start("fail")
    code.run(handle.function("release"), unfinished.load_address())
    code.give("ptr null")
