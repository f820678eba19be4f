"""LLVM code that calls the functions of convolutions and pooling: sizes are checked, arrays with
gaps copied, the result allocated.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from runtime.engine.llvm import element_code
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import ALIGNED, DATA, FLAGS, ROW_BY_ROW, SIZES, check_kind, word
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.product_code import LONG, PRODUCTS_LOG2
from runtime.engine.llvm.arrays.task_code import MISSING, end_tasks
from runtime.engine.llvm.arrays.window_loops import WORDS
from runtime.engine.llvm.arrays.windowed import Table, Windowed
from runtime.engine.llvm.builder import ArrayElements, Builder, CodeVariable
from runtime.engine.llvm.loop_code import Fuel, iterations
from runtime.engine.llvm.python_code import ARRAY_CLASS, context_entry
from runtime.engine.llvm.size_code import all_hold
from runtime.engine.llvm.text import FunctionText, llvm_type

_NUMBERS_LOG2 = 7
"""Logarithm of the elements of windows in the time of an iteration over numbers."""
SHARED = {True: 1 << 24, False: 1 << 21}
"""For products, and for others: so many numbers are worth several threads.  The calling thread
looks at signals, too, while it computes.
"""


class WindowedCode:
    """Code of one instruction in the function that holds it."""

    def __init__(self, text: FunctionText, windowed: Windowed, names: Sequence[str]) -> None:
        self._text = text
        self._work = windowed.work
        count = len(self._work.inputs)
        self._arrays = names[:count]
        self._batch_sizes = [*zip(windowed.args[count:], names[count:], strict=True)]

    def emit(self, slot: str, slow: str, fuel: Fuel, failure: str) -> None:
        """Emit the work: its result is put in the slot, or it branches to ``slow``; if a signal's
        handler raised meanwhile, to ``failure``.
        """
        text, work = self._text, self._work
        cls = context_entry(text, str(ARRAY_CLASS))
        firsts = [
            text.value(f"call i64 @{_first_size(text, layout)}(ptr {array}, ptr {cls})")
            for array, layout in zip(self._arrays, work.inputs, strict=True)
        ]
        text.require(all_hold(text, self._conditions(firsts)), slow)
        batch = firsts[0]
        count = text.value(f"mul i64 {batch}, {work.numbers}")
        log2 = PRODUCTS_LOG2 if work.is_product else _NUMBERS_LOG2
        fuel.spend(iterations(text, count, log2), failure)
        sizes = [batch if size is None else str(size) for size in work.result.dims]
        allocate(text, work.result.element, sizes, slot, slow)
        result_array = text.value(f"load ptr, ptr {slot}")
        function = _row_by_row(text)
        dense = [text.value(f"call ptr @{function}(ptr {array})") for array in self._arrays]
        exist = [text.value(f"icmp ne ptr {array}, null") for array in dense]
        status = text.slot("i32")
        text.line(f"store i32 {MISSING}, ptr {status}")
        with text.only_if(all_hold(text, exist), likely=True):
            datas = [word(text, array, DATA, "ptr") for array in dense]
            result = word(text, result_array, DATA, "ptr")
            shared = text.value(f"icmp ugt i64 {count}, {SHARED[work.is_product]}")
            with text.without_lock(text.value(f"icmp ugt i64 {count}, {LONG}")):
                self._calls([*[*datas, "null"][:2], result], batch, sizes, shared, status)
        for array in dense:  # null is no object
            text.call("void", "Py_DecRef", f"ptr {array}")
        end_tasks(text, text.value(f"load i32, ptr {status}"), slot, slow, failure)

    def _conditions(self, firsts: Sequence[str]) -> list[str]:
        """Return what must hold: the sizes are those that are known, and the batches are equal."""
        text, work = self._text, self._work
        batches = [*firsts[: work.batches]]
        if work.opcode != "convolve.filters" and work.result.dims[0] is not None:
            batches.append(str(work.result.dims[0]))
        for value, name in self._batch_sizes:
            assert isinstance(value.type, ir.Scalar)
            is_wide = value.type.bits == 64
            wide = name if is_wide else text.value(f"sext {llvm_type(value.type)} {name} to i64")
            batches.append(wide)
        equalities = [text.value(f"icmp eq i64 {batches[0]}, {batch}") for batch in batches[1:]]
        return [*equalities, *(text.value(f"icmp sgt i64 {first}, 0") for first in firsts)]

    def _calls(
        self, datas: Sequence[str], batch: str, sizes: Sequence[str], shared: str, status: str
    ) -> None:
        """Call the functions, until one fails; put 0, or why it failed, in the slot ``status``."""
        text, work = self._text, self._work
        if not work.reaches_all:
            size = str(work.result.dtype.itemsize)
            for size_of_axis in sizes:
                size = text.value(f"mul i64 {size}, {size_of_axis}")
            args = f"ptr {datas[-1]}", "i8 0", f"i64 {size}", "i1 false"
            text.call("void", "llvm.memset.p0.i64", *args)
        start = "0"
        if work.is_finite:
            static_count = prod(size for size in work.inputs[1].dims if size is not None)
            count = str(static_count) if None not in work.inputs[1].dims else (
                text.value(f"mul i64 {batch}, {static_count}")
            )
            function = _only_finite(text, work.inputs[1])
            is_good = text.value(f"call i1 @{function}(ptr {datas[1]}, i64 {count})")
            start = text.value(f"select i1 {is_good}, i32 0, i32 {MISSING}")
        text.line(f"store i32 {start}, ptr {status}")
        for table in work.tables:
            before = text.value(f"load i32, ptr {status}")
            with text.only_if(text.value(f"icmp eq i32 {before}, 0")):
                failure = self._call(table, datas, batch, shared)
                text.line(f"store i32 {failure}, ptr {status}")

    def _call(self, table: Table, datas: Sequence[str], batch: str, shared: str) -> str:
        text = self._text
        values = [table[name] for name in WORDS]
        name = "_".join(["@words", *map(str, values)])
        listed = ", ".join(f"i64 {value}" for value in values)
        text.declared[name] = f"{name} = private constant [{len(values)} x i64] [{listed}]"
        function = f"{self._work.function}_{llvm_type(self._work.inputs[0].element)}"
        args = *(f"ptr {data}" for data in datas), f"ptr {name}", f"i64 {batch}", f"i1 {shared}"
        return text.call("i32", function, *args)


def _first_size(text: FunctionText, layout: KnownLayout) -> str:
    """Return the name of the function that gives an array's size along the first axis; -1 if it has
    not the dtype and sizes of a layout.
    """

    def write(inner: FunctionText) -> None:
        check_kind(inner, "%array", layout.dtype.num, len(layout.dims), "none")
        table = word(inner, "%array", SIZES, "ptr")
        sizes = [word(inner, table, 8 * axis) for axis in range(len(layout.dims))]
        pairs = zip(sizes, layout.dims, strict=True)
        same = all_hold(inner, [
            inner.value(f"icmp eq i64 {size}, {static_size}")
            for size, static_size in pairs if static_size is not None
        ])  # fmt: skip
        inner.line(f"ret i64 {inner.value(f'select i1 {same}, i64 {sizes[0]}, i64 -1')}")
        inner.start("none")
        inner.line("ret i64 -1")

    name = "_".join(["first_size", str(layout.dtype.num), *map(str, layout.dims)])
    return text.define(name, "i64", "ptr %array, ptr %class", write)


def _only_finite(text: FunctionText, layout: KnownLayout) -> str:
    """Return the name of the function that says whether all of so many floats are finite."""
    item = layout.dtype.itemsize
    exponent = np.array(np.inf, layout.dtype).view(f"i{item}").item()

    def write(inner: FunctionText) -> None:
        code, type = Builder(inner), ir.Scalar("i", 8 * item)
        numbers, are_finite = ArrayElements(code, type, "%data"), CodeVariable(code, ir.BOOL)
        are_finite.set("true")
        with code.each("%count") as index:
            is_finite = (numbers[index] & exponent) != exponent
            are_finite.set(are_finite.get() & is_finite)
        inner.line(f"ret i1 {are_finite.get()}")

    return text.define(f"only_finite_{8 * item}", "i1", "ptr %data, i64 %count", write)


def _row_by_row(text: FunctionText) -> str:
    """Return the name of the function that gives a new reference to an array, or to a copy of it
    whose elements lie row by row; null if there is no memory.
    """

    def write(inner: FunctionText) -> None:
        required = ROW_BY_ROW | ALIGNED
        flags = inner.value(f"and i32 {word(inner, '%array', FLAGS, 'i32')}, {required}")
        with inner.leaving(inner.value(f"icmp eq i32 {flags}, {required}"), likely=None):
            inner.call("void", "Py_IncRef", "ptr %array")
            inner.line("ret ptr %array")
        copy = inner.call("ptr", "PyArray_NewCopy", "ptr %array", f"i32 {element_code.ROW_BY_ROW}")
        with inner.only_if(inner.value(f"icmp eq ptr {copy}, null")):
            inner.call("void", "PyErr_Clear")
        inner.line(f"ret ptr {copy}")

    return text.define("row_by_row", "ptr", "ptr %array", write)
