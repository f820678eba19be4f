"""Lists of numbers that go from one native function to another, as the residuals of a gradient do:
their entries are passed as bytes.  The kernels' list is made when something else uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeGuard

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import Builder
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


def from_list(type: ir.NativeList, otherwise: Callable[[Any], Any]) -> Callable[[Any], bytes | Any]:
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
    return text.invoke("ptr", function, "ptr %ctx", f"ptr {name}")


def _pack(type: ir.NativeList, text: FunctionText) -> None:
    convert = context_entry(text, str(RESULT))
    code = Builder(text)
    handle = NativeListHandle(code, type, "%list")
    is_callable = code.call("PyCallable_Check", f"ptr {convert}", gives=ir.INT32, extern=True)
    with text.leaving((is_callable != 0).name, likely=None):
        code.give(code.call_address(handle.function("box"), handle))
    size = handle.length() * code.value(entry_bytes(type))
    code.give(code.call_address("PyBytes_FromStringAndSize", handle.entry(0), size, extern=True))


def unpack_list(text: FunctionText, type: ir.NativeList, name: str) -> str:
    """Return the list of a Python object that the entry takes; null after an error."""
    function = f"{list_name(type)}.taken"
    text.define(function, "ptr", "ptr %object", partial(_unpack, type), "")
    return text.invoke("ptr", function, f"ptr {name}")


def _unpack(type: ir.NativeList, text: FunctionText) -> None:
    text.declared["PyBytes_Type"] = "@PyBytes_Type = external global i8"
    code, name = Builder(text), list_name(type)
    source = code.address("%object")
    cls = (source + _CLASS_OFFSET).load_address()
    with text.leaving(text.value(f"icmp ne ptr {cls}, @PyBytes_Type"), likely=None):
        code.give(code.call_address(f"{name}.unbox", source))
    size = code.call("PyBytes_Size", source, extern=True)
    count = size // code.value(entry_bytes(type))
    handle = NativeListHandle(code, type, code.call_address(f"{name}.make", count).name)
    with text.leaving(handle.is_null().name):
        code.call_address("PyErr_NoMemory", extern=True)
        code.give("ptr null")
    packed = code.call_address("PyBytes_AsString", source, extern=True)
    code.call_address("memcpy", handle.entry(0), packed, size, extern=True)
    handle.set_length(count)
    code.give(handle)
