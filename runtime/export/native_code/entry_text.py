"""LLVM code of the entry that C calls: it makes arrays of addresses, and fills buffers.

    int32_t f(int32_t n, const float *x, int64_t x_size0, float *result, autograph_call *call)

Array objects of arguments stand on the stack; nobody releases or changes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.engine.llvm import array_code, python_code
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import Builder
from runtime.engine.llvm.list_handles import NativeListHandle, entry_bytes
from runtime.engine.llvm.python_code import ARRAY_CLASS, FIRST_OBJECT
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.export.native_code.failure_text import string_constant
from runtime.export.native_code.interface import Interface, Slot
from runtime.export.native_code.memory_layout import CLASS, HEADER, IMMORTAL
from runtime.export.native_code.stand_ins import INVALID, OK, RAISED, STATUS, TOO_SMALL
from runtime.export.native_code.variables import (
    StateVariable,
    array_of_storage,
    state_type,
    storage_on_stack,
)

MOST_BYTES = 1 << 62
"""More bytes than any array has."""


def object_name(index: int) -> str:
    """Return the name of the constant that is an object of the module."""
    return f"@rt_object_{index}"


def entry_text(
    interface: Interface, main: ir.KernelFunction, objects: Sequence[str]
) -> FunctionText:
    """Return the entry; ``objects`` are the addresses of the objects of the module."""
    return _Entry(interface, main, objects).write()


def _memory_type(slot: Slot) -> str:
    """Return the LLVM type of a number as C passes it."""
    return "i8" if slot.dtype == bool else llvm_type(slot.type)


class _Entry:
    """Code of the entry of one function."""

    def __init__(
        self, interface: Interface, main: ir.KernelFunction, objects: Sequence[str]
    ) -> None:
        self._interface = interface
        self._main = main
        self._objects = objects
        params = [p for slot in interface.arguments for p in self._params(slot)]
        params += [p for slot in interface.results for p in self._result_params(slot)]
        params += ["ptr %state"] if interface.state else []
        head = ", ".join([*params, "ptr %autograph_call"])
        self._text = FunctionText(f"define i32 @{interface.name}({head})")
        self._lists: list[tuple[Slot, str]] = []
        self._storages: list[tuple[str, str, str]] = []
        """Addresses of the storages of variables, of their arrays at first, and of the values."""

    @staticmethod
    def _params(slot: Slot) -> list[str]:
        if slot.dims is None:
            return [f"{_memory_type(slot)} %c_{slot.name}"]
        sizes = [f"i64 %c_{slot.size_name(axis)}" for axis in slot.unknown]
        return [f"ptr %c_{slot.name}", *sizes]

    @staticmethod
    def _result_params(slot: Slot) -> list[str]:
        if not slot.unknown:
            return [f"ptr %c_{slot.name}"]
        return [f"ptr %c_{slot.name}", f"i64 %c_{slot.name}_capacity", f"ptr %c_{slot.name}_sizes"]

    def write(self) -> FunctionText:
        """Write the function; return it."""
        text, interface, main = self._text, self._interface, self._main
        words = FIRST_OBJECT + len(self._objects)
        text.slots.append(f"  %ctx = alloca [{words} x i64]")
        self._put("%ctx", 0, "ptr %autograph_call")
        self._put("%ctx", 8 * ARRAY_CLASS, f"ptr {CLASS}")
        self._put("%ctx", 8 * STATUS, f"i64 {OK}")
        for number, address in enumerate(self._objects):
            self._put("%ctx", 8 * (FIRST_OBJECT + number), f"ptr {address}")
        for variable in interface.state:
            self._variable(variable)
        names = [self._argument(slot) for slot in interface.arguments]
        takes = [slot.type for slot in interface.arguments]
        results = python_code.call_function(text, main.name, takes, main.gives, names, "failed")
        for slot, name in zip(interface.results, results, strict=True):
            self._result(slot, name)
        for type, name in zip(main.gives, results, strict=True):
            self._release(type, name)
        self._return()
        text.start("failed")
        self._return(else_raised=True)
        return text

    def _put(self, base: str, offset: int, value: str) -> None:
        place = self._text.gep(base, offset) if offset else base
        self._text.line(f"store {value}, ptr {place}")

    def _variable(self, variable: StateVariable) -> None:
        """Put the storage of a variable, whose value is the caller's, among the objects."""
        text, position = self._text, self._interface.state.index(variable)
        kind = state_type(self._interface.state)
        data = text.value(f"getelementptr {kind}, ptr %state, i64 0, i32 {position}")
        sizes = [str(size) for size in variable.value.shape]
        array = self._array(data, variable.value.dtype, sizes)
        storage = storage_on_stack(text, array)
        self._put("%ctx", 8 * (FIRST_OBJECT + variable.position), f"ptr {storage}")
        self._storages.append((storage, array, data))

    def _give_back_variables(self) -> None:
        """Write the values of variables that changed, also where an exception was raised."""
        text = self._text
        for storage, before, data in self._storages:
            array = array_of_storage(text, storage)
            with text.only_if(text.value(f"icmp ne ptr {array}, {before}")):
                text.call("void", "rt_elements", f"ptr {data}", f"ptr {array}")
                text.call("void", "Py_DecRef", f"ptr {array}")

    def _return(self, else_raised: bool = False) -> None:
        text = self._text
        self._give_back_variables()
        status = text.value(f"load i64, ptr {text.gep('%ctx', 8 * STATUS)}")
        if else_raised:
            none = text.value(f"icmp eq i64 {status}, {OK}")
            status = text.value(f"select i1 {none}, i64 {RAISED}, i64 {status}")
        text.line(f"ret i32 {text.value(f'trunc i64 {status} to i32')}")

    # -- arguments --------------------------------------------------------------------------------

    def _argument(self, slot: Slot) -> str:
        """Return the value of an argument in native code."""
        text = self._text
        if slot.dims is None:
            if slot.dtype == bool:
                return text.value(f"icmp ne i8 %c_{slot.name}, 0")
            return f"%c_{slot.name}"
        sizes = [
            f"%c_{slot.size_name(axis)}" if size is None else str(size)
            for axis, size in enumerate(slot.dims)
        ]
        if slot.unknown:
            self._check_sizes(slot, sizes)
        if isinstance(slot.type, ir.NativeList):
            return self._list(slot, sizes[0])
        return self._array(f"%c_{slot.name}", slot.dtype, sizes)

    def _check_sizes(self, slot: Slot, sizes: Sequence[str]) -> None:
        """Refuse negative sizes, and more bytes than there are."""
        text, total, bad = self._text, str(slot.dtype.itemsize), "false"
        for size in sizes:
            if size.startswith("%"):
                negative = text.value(f"icmp slt i64 {size}, 0")
                bad = text.value(f"or i1 {bad}, {negative}")
            factors = f"i64 {total}", f"i64 {size}"
            pair = text.call("{i64, i1}", "llvm.umul.with.overflow.i64", *factors)
            total = text.value(f"extractvalue {{i64, i1}} {pair}, 0")
            over = text.value(f"extractvalue {{i64, i1}} {pair}, 1")
            bad = text.value(f"or i1 {bad}, {over}")
        too_many = text.value(f"icmp ugt i64 {total}, {MOST_BYTES}")
        with text.leaving(text.value(f"or i1 {bad}, {too_many}")):
            self._refuse(INVALID, "invalid", slot)

    def _refuse(self, status: int, word: str, slot: Slot) -> None:
        """Return the status of a wrong call, with a text that names the argument."""
        text = self._text
        names = {
            "invalid": f"the sizes of {slot.name} must be 0 or more, and those of an array",
            "small": f"the buffer {slot.name} is too small for the elements of {slot.name}_sizes",
        }
        kind = "ValueError"
        with text.only_if(text.value("icmp ne ptr %autograph_call, null")):
            literals = [self._literal(kind), self._literal(""), self._literal(names[word])]
            text.call(
                "void", "rt_tell", "ptr %autograph_call", f"ptr {literals[0]}",
                f"ptr {literals[1]}", "i32 0", f"ptr {literals[2]}", "ptr null",
            )  # fmt: skip
        text.line(f"ret i32 {status}")

    def _literal(self, value: str) -> str:
        name, definition = string_constant(value)
        self._text.declared[name] = definition
        return name

    def _array(self, data: str, dtype: np.dtype[Any], sizes: Sequence[str]) -> str:
        """Return an array object on the stack."""
        text, rank = self._text, len(sizes)
        array = text.slot(f"[{HEADER // 8 + max(2 * rank, 1)} x i64]")
        strides, step = list[str](), str(dtype.itemsize)
        for size in reversed(sizes):
            strides.insert(0, step)
            if size.isdigit() and step.isdigit():
                step = str(int(step) * int(size))
            else:
                step = text.value(f"mul i64 {step}, {size}")
        for number, value in enumerate([*sizes, *strides]):
            self._put(array, HEADER + 8 * number, f"i64 {value}")
        flags = array_code.ROW_BY_ROW | array_code.ALIGNED
        for offset, value in (
            (0, f"i64 {IMMORTAL}"), (array_code.CLASS, f"ptr {CLASS}"),
            (array_code.DATA, f"ptr {data}"), (array_code.RANK, f"i32 {rank}"),
            (array_code.SIZES, f"ptr {text.gep(array, HEADER)}"),
            (array_code.STRIDES, f"ptr {text.gep(array, HEADER + 8 * rank)}"),
            (array_code.BASE, "ptr null"),
            (array_code.DTYPE, f"ptr @rt_dtype_{dtype.num}"),
            (array_code.FLAGS, f"i32 {flags}"), (array_code.HANDLER, "ptr null"),
        ):  # fmt: skip
            self._put(array, offset, value)
        return array

    def _list(self, slot: Slot, count: str) -> str:
        """Return a new list of the entries at an address."""
        text, type = self._text, slot.type
        assert isinstance(type, ir.NativeList)
        name = text.value(f"call ptr @{list_name(type)}.make(i64 {count})")
        with text.leaving(text.value(f"icmp eq ptr {name}, null"), "failed"):
            for given, address in self._lists:
                self._release(given.type, address)
        code = Builder(text)
        handle, entries = NativeListHandle(code, type, name), code.value(count)
        size = entries * code.value(entry_bytes(type))
        places = handle.entry(0), f"ptr %c_{slot.name}"
        code.call_address("memcpy", *places, size, extern=True)
        handle.set_length(entries)
        self._lists.append((slot, name))
        return name

    # -- results ----------------------------------------------------------------------------------

    def _result(self, slot: Slot, name: str) -> None:
        """Write a result to the caller's buffer."""
        text = self._text
        if slot.dims is None:
            value = text.value(f"zext i1 {name} to i8") if slot.dtype == bool else name
            text.line(f"store {_memory_type(slot)} {value}, ptr %c_{slot.name}")
        elif isinstance(slot.type, ir.NativeList):
            self._list_result(slot, slot.type, name)
        else:
            self._array_result(slot, name)

    def _array_result(self, slot: Slot, name: str) -> None:
        text, dims = self._text, slot.dims or ()
        if slot.unknown:
            table, total = array_code.word(text, name, array_code.SIZES, "ptr"), "1"
            for axis in range(len(dims)):
                size = array_code.word(text, table, 8 * axis)
                self._note_size(slot, axis, size)
                total = text.value(f"mul i64 {total}, {size}")
            with text.only_if(self._has_room(slot, total)):
                text.call("void", "rt_elements", f"ptr %c_{slot.name}", f"ptr {name}")
            return
        text.call("void", "rt_elements", f"ptr %c_{slot.name}", f"ptr {name}")

    def _list_result(self, slot: Slot, type: ir.NativeList, name: str) -> None:
        text, handle = self._text, NativeListHandle(Builder(self._text), type, name)
        length = handle.length().name
        self._note_size(slot, 0, length)
        with text.only_if(self._has_room(slot, length)):
            size = text.value(f"mul i64 {length}, {entry_bytes(type)}")
            places = f"ptr %c_{slot.name}", f"ptr {handle.entry(0)}"
            text.call("ptr", "memcpy", *places, f"i64 {size}")

    def _note_size(self, slot: Slot, axis: int, size: str) -> None:
        """Tell the caller the size of an axis of a result."""
        text = self._text
        place = text.gep(f"%c_{slot.name}_sizes", 8 * axis)
        text.line(f"store i64 {size}, ptr {place}")

    def _has_room(self, slot: Slot, count: str) -> str:
        """Return whether the buffer of a result has room; without one, only sizes are asked for."""
        text = self._text
        is_buffer = text.value(f"icmp ne ptr %c_{slot.name}, null")
        fits = text.value(f"icmp sle i64 {count}, %c_{slot.name}_capacity")
        lacking = text.value(f"xor i1 {fits}, true")
        with text.only_if(text.value(f"and i1 {is_buffer}, {lacking}"), likely=False):
            self._put("%ctx", 8 * STATUS, f"i64 {TOO_SMALL}")
        return text.value(f"and i1 {is_buffer}, {fits}")

    def _release(self, type: ir.Type, name: str) -> None:
        """Drop the reference of a value."""
        if type.managed:
            References(self._text).drop(type, name)
