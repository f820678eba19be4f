"""Lists of numbers that go from one native function to another, as the residuals of a gradient do:
their entries are passed as bytes.  The kernels' list is made when something else uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeGuard

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_handles import NativeListHandle, entry_bytes
from runtime.engine.llvm.python_code import RESULT, context_entry
from runtime.engine.llvm.references import list_name
from runtime.engine.llvm.text import FunctionText
from runtime.ops.resource.lists import ListValue

_CLASS_OFFSET = object.__basicsize__ - 8
"""Where an object refers to its class: at the end of its head."""


def is_packable(type: ir.Type) -> TypeGuard[ir.NativeList]:
    """Return whether values of a type are lists whose entries are passed as bytes."""
    if not isinstance(type, ir.NativeList) or type.keyed or type.text or type.array is not None:
        return False
    return all(isinstance(field, ir.Scalar) for field in type.fields)


class PackedList(ListValue):
    """List of numbers as native code gave it, which makes its entries when they are asked for."""

    __slots__ = ("_dtype", "packed", "type")

    def __init__(self, packed: bytes, type: ir.NativeList, dtype: np.dtype[Any]) -> None:
        self.packed = packed
        self.type = type
        self._dtype = dtype
        self._count = len(packed) // dtype.itemsize

    def __getattr__(self, name: str) -> Any:
        if name != "_entries":
            raise AttributeError(name)
        items = np.frombuffer(self.packed, self._dtype)
        columns = [items[field] for field in self._dtype.names or ()]
        self._entries = entries = [*zip(*columns, strict=True)]
        return entries


def to_list(type: ir.NativeList) -> Callable[[bytes], PackedList]:
    """Return the function from the bytes that native code gives to a kernels' list."""
    dtype = _dtype_of(type)
    return lambda packed: PackedList(packed, type, dtype)


def from_list(
    type: ir.NativeList, otherwise: Callable[[Any], Any]
) -> Callable[[Any], bytes | Any]:
    """Return the function from a kernels' list to what native code takes; ``otherwise`` converts a
    list that is not from native code, or has other types of entries.
    """

    def convert(handle: Any) -> Any:
        if isinstance(handle, PackedList) and handle.type == type:
            return handle.packed
        return otherwise(handle)

    return convert


def _dtype_of(type: ir.NativeList) -> np.dtype[Any]:
    """Return the dtype of the entries of a packable list, as they lie in memory."""
    kinds = [(f.kind if f.kind != "b" else "?", f.bits // 8) for f in type.fields]
    names = [kind if kind == "?" else f"{kind}{size}" for kind, size in kinds]
    return np.dtype([(f"f{n}", name) for n, name in enumerate(names)], align=True)


def pack_list(text: FunctionText, type: ir.NativeList, name: str) -> str:
    """Return the Python object of a list that the entry gives: bytes if kernels' values are wanted,
    else a Python list.  Null after an error.
    """
    function = f"{list_name(type)}.given"
    text.define(function, "ptr", "ptr %ctx, ptr %list", partial(_pack, type), "")
    return text.value(f"call ptr @{function}(ptr %ctx, ptr {name})")


def _pack(type: ir.NativeList, text: FunctionText) -> None:
    convert = context_entry(text, str(RESULT))
    is_callable = text.call("i32", "PyCallable_Check", f"ptr {convert}")
    with text.leaving(text.value(f"icmp ne i32 {is_callable}, 0"), likely=None):
        text.line(f"ret ptr {text.value(f'call ptr @{list_name(type)}.box(ptr %list)')}")
    handle = NativeListHandle(text, type, "%list")
    size = text.value(f"mul i64 {handle.length()}, {entry_bytes(type)}")
    first = handle.entry("0")
    packed = text.call("ptr", "PyBytes_FromStringAndSize", f"ptr {first}", f"i64 {size}")
    text.line(f"ret ptr {packed}")


def unpack_list(text: FunctionText, type: ir.NativeList, name: str) -> str:
    """Return the list of a Python object that the entry takes; null after an error."""
    function = f"{list_name(type)}.taken"
    text.define(function, "ptr", "ptr %object", partial(_unpack, type), "")
    return text.value(f"call ptr @{function}(ptr {name})")


def _unpack(type: ir.NativeList, text: FunctionText) -> None:
    text.declared["PyBytes_Type"] = "@PyBytes_Type = external global i8"
    cls = text.value(f"load ptr, ptr {text.gep('%object', _CLASS_OFFSET)}")
    with text.leaving(text.value(f"icmp ne ptr {cls}, @PyBytes_Type"), likely=None):
        text.line(f"ret ptr {text.value(f'call ptr @{list_name(type)}.unbox(ptr %object)')}")
    size = text.call("i64", "PyBytes_Size", "ptr %object")
    count = text.value(f"udiv i64 {size}, {entry_bytes(type)}")
    name = text.value(f"call ptr @{list_name(type)}.make(i64 {count})")
    handle = NativeListHandle(text, type, name)
    with text.leaving(text.value(f"icmp eq ptr {handle}, null")):
        text.call("ptr", "PyErr_NoMemory")
        text.line("ret ptr null")
    source = text.call("ptr", "PyBytes_AsString", "ptr %object")
    text.call("ptr", "memcpy", f"ptr {handle.entry('0')}", f"ptr {source}", f"i64 {size}")
    handle.set_length(count)
    text.line(f"ret ptr {handle}")
