"""LLVM code that makes Python lists of native lists, and native lists of Python lists.

An entry of one field is the item itself, other entries are tuples.
"""

from __future__ import annotations

from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_handles import NativeListHandle
from runtime.engine.llvm.python_code import box, unbox
from runtime.engine.llvm.references import list_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.texts import text_functions

__all__ = ["define_conversions"]


def define_conversions(module: FunctionText, type: ir.NativeList) -> None:
    """Add the functions ``box`` and ``unbox`` of a list type."""
    if type.text:
        text_functions.define_conversions(module)
        return
    name = list_name(type)
    module.define(f"{name}.box", "ptr", "ptr %list", partial(_box, type), "")
    module.define(f"{name}.unbox", "ptr", "ptr %object", partial(_unbox, type), "")


def _fail_if_null(text: FunctionText, name: str) -> None:
    text.refuse(text.value(f"icmp eq ptr {name}, null"), "fail")


_CLASSES = {"b": "PyBool_Type", "i": "PyLong_Type", "u": "PyLong_Type", "f": "PyFloat_Type"}
"""By kind of number: the class of the Python objects that are taken."""

_CLASS_OFFSET = object.__basicsize__ - 8
"""Where an object refers to its class: at the end of its head."""


def _fail_unless_exact(text: FunctionText, name: str, cls: str) -> None:
    """Raise TypeError unless an object is of a class, and of no subclass."""
    text.declared[cls] = f"@{cls} = external global i8"
    place = text.gep(name, _CLASS_OFFSET)
    _fail_unless(text, text.value(f"icmp eq ptr {text.value(f'load ptr, ptr {place}')}, @{cls}"))


def _fail_unless(text: FunctionText, condition: str) -> None:
    with text.leaving(condition, "fail", likely=True, holds=False):
        text.call("i32", "PyErr_BadArgument")


def _box(type: ir.NativeList, text: FunctionText) -> None:
    keep = text.slot("ptr", "null")
    handle = NativeListHandle(text, type, "%list")
    length = handle.length()
    result = text.call("ptr", "PyList_New", f"i64 {length}")
    text.line(f"store ptr {result}, ptr {keep}")
    _fail_if_null(text, result)
    with text.counted_loop(length) as position:
        items, entry = [], handle.entry(position)
        for number, field in enumerate(type.fields):
            value = text.value(f"load {llvm_type(field)}, ptr {handle.field(entry, number)}")
            items.append(box(text, field, value))
            _fail_if_null(text, items[-1])
        item = items[0]
        if len(items) > 1:
            item = text.call("ptr", "PyTuple_New", f"i64 {len(items)}")
            _fail_if_null(text, item)
            for number, field_object in enumerate(items):
                text.call(
                    "i32", "PyTuple_SetItem", f"ptr {item}", f"i64 {number}", f"ptr {field_object}"
                )
        text.call("i32", "PyList_SetItem", f"ptr {result}", f"i64 {position}", f"ptr {item}")
    text.line(f"ret ptr {result}")
    text.start("fail")
    unfinished = text.value(f"load ptr, ptr {keep}")
    text.call("void", "Py_DecRef", f"ptr {unfinished}")
    text.line("ret ptr null")


def _unbox(type: ir.NativeList, text: FunctionText) -> None:
    name = list_name(type)
    keep = text.slot("ptr", "null")
    length = text.call("i64", "PyList_Size", "ptr %object")
    text.refuse(text.value(f"icmp slt i64 {length}, 0"), "fail")
    handle = NativeListHandle(text, type, text.value(f"call ptr @{name}.make(i64 {length})"))
    with text.leaving(text.value(f"icmp eq ptr {handle}, null"), "fail"):
        text.call("ptr", "PyErr_NoMemory")
    text.line(f"store ptr {handle}, ptr {keep}")
    with text.counted_loop(length) as position:
        item = text.call("ptr", "PyList_GetItem", "ptr %object", f"i64 {position}")
        _fail_if_null(text, item)  # the list may have become shorter
        width = len(type.fields)
        if width > 1:
            _fail_unless_exact(text, item, "PyTuple_Type")
            size = text.call("i64", "PyTuple_Size", f"ptr {item}")
            _fail_unless(text, text.value(f"icmp eq i64 {size}, {width}"))
        entry = handle.entry(position)
        for number, field in enumerate(type.fields):
            field_object = item
            if width > 1:
                field_object = text.call("ptr", "PyTuple_GetItem", f"ptr {item}", f"i64 {number}")
            if isinstance(field, ir.Scalar):
                _fail_unless_exact(text, field_object, _CLASSES[field.kind])
            elif isinstance(field, ir.NativeList) and field.array is None:
                cls = "PyUnicode_Type" if field.text else "PyList_Type"
                _fail_unless_exact(text, field_object, cls)
            value = unbox(text, field, field_object, "fail")
            place = handle.field(entry, number)
            text.line(f"store {llvm_type(field)} {value}, ptr {place}")
        handle.set_length(text.value(f"add i64 {position}, 1"))
    text.line(f"ret ptr {handle}")
    text.start("fail")
    unfinished = text.value(f"load ptr, ptr {keep}")
    text.line(f"call void @{name}.release(ptr {unfinished})")
    text.line("ret ptr null")
