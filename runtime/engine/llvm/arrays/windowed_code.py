"""LLVM code that calls the functions of convolutions and pooling: sizes are checked, arrays with
gaps copied, the result allocated.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from runtime.engine.llvm import element_code
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import (
    ALIGNED,
    DATA,
    FLAGS,
    ROW_BY_ROW,
    SIZES,
    check_kind,
    word,
)
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.product_code import LONG, PRODUCTS_LOG2
from runtime.engine.llvm.arrays.task_code import MISSING
from runtime.engine.llvm.arrays.window_geometry import Table
from runtime.engine.llvm.arrays.window_loops import WORDS
from runtime.engine.llvm.arrays.windowed import Windowed
from runtime.engine.llvm.loop_code import Fuel, iterations
from runtime.engine.llvm.python_code import ARRAY_CLASS, POLL, call_context, context_entry
from runtime.engine.llvm.text import FunctionText, all_hold, llvm_type

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
        failed, finished = text.label("failed"), text.label("made")
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
        missing = text.label("missing")
        text.require(all_hold(text, exist), missing)
        datas = [word(text, array, DATA, "ptr") for array in dense]
        result = word(text, result_array, DATA, "ptr")
        shared = text.value(f"icmp ugt i64 {count}, {SHARED[work.is_product]}")
        with text.without_lock(text.value(f"icmp ugt i64 {count}, {LONG}")):
            status = self._calls([*[*datas, "null"][:2], result], batch, sizes, shared)
        for array in dense:
            text.call("void", "Py_DecRef", f"ptr {array}")
        after = text.current
        text.branch(text.value(f"icmp eq i32 {status}, 0"), finished, failed, likely=True)
        text.start(missing)
        for array in dense:  # null is no object
            text.call("void", "Py_DecRef", f"ptr {array}")
        text.line(f"br label %{failed}")
        text.start(failed)
        reason = text.value(f"phi i32 [{status}, %{after}], [0, %{missing}]")
        text.call("void", "Py_DecRef", f"ptr {result_array}")
        raised = text.label("raised")
        text.branch(text.value(f"icmp ugt i32 {reason}, {MISSING}"), raised, slow, likely=False)
        text.start(raised)
        text.go_on(call_context(text, POLL), slow, failure)
        text.start(finished)

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
        self, datas: Sequence[str], batch: str, sizes: Sequence[str], shared: str
    ) -> str:
        """Call the functions, until one fails; return 0, or why it failed."""
        text, work = self._text, self._work
        if not work.reaches_all:
            size = str(work.result.dtype.itemsize)
            for size_of_axis in sizes:
                size = text.value(f"mul i64 {size}, {size_of_axis}")
            args = f"ptr {datas[-1]}", "i8 0", f"i64 {size}", "i1 false"
            text.call("void", "llvm.memset.p0.i64", *args)
        status = text.slot("i32")
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
        return text.value(f"load i32, ptr {status}")

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
    kind = layout.dtype.num, len(layout.dims)
    name = "_".join(["first_size", str(kind[0]), *map(str, layout.dims)])
    if name not in text.declared:
        inner = FunctionText(f"define internal i64 @{name}(ptr %array, ptr %class) noinline")
        check_kind(inner, "%array", *kind)
        inner.start("fill")
        sizes = word(inner, "%array", SIZES, "ptr")
        sizes_of_axes = [word(inner, sizes, 8 * axis) for axis in range(len(layout.dims))]
        same = all_hold(
            inner,
            [
                inner.value(f"icmp eq i64 {size}, {static_size}")
                for size, static_size in zip(sizes_of_axes, layout.dims, strict=True)
                if static_size is not None
            ],
        )
        inner.line(f"ret i64 {inner.value(f'select i1 {same}, i64 {sizes_of_axes[0]}, i64 -1')}")
        inner.start("none")
        inner.line("ret i64 -1")
        text.declared[name] = inner.text()
    return name


def _only_finite(text: FunctionText, layout: KnownLayout) -> str:
    """Return the name of the function that says whether all of so many floats are finite."""
    bits = 8 * layout.dtype.itemsize
    name = f"only_finite_{bits}"
    if name not in text.declared:
        exponent = np.array(np.inf, layout.dtype).view(f"i{layout.dtype.itemsize}").item()
        inner = FunctionText(f"define internal i1 @{name}(ptr %data, i64 %count) noinline")
        all_finite = inner.slot("i1")
        inner.line(f"store i1 true, ptr {all_finite}")
        with inner.counted_loop("%count") as index:
            item = inner.value(f"getelementptr i{bits}, ptr %data, i64 {index}")
            value = inner.value(f"load i{bits}, ptr {item}")
            exponent_bits = inner.value(f"and i{bits} {value}, {exponent}")
            is_finite = inner.value(f"icmp ne i{bits} {exponent_bits}, {exponent}")
            before = inner.value(f"load i1, ptr {all_finite}")
            inner.line(f"store i1 {inner.value(f'and i1 {before}, {is_finite}')}, ptr {all_finite}")
        inner.line(f"ret i1 {inner.value(f'load i1, ptr {all_finite}')}")
        text.declared[name] = inner.text()
    return name


def _row_by_row(text: FunctionText) -> str:
    """Return the name of the function that gives a new reference to an array, or to a copy of it
    whose elements lie row by row; null if there is no memory.
    """
    name = "row_by_row"
    if name not in text.declared:
        inner = FunctionText(f"define internal ptr @{name}(ptr %array) noinline")
        required = ROW_BY_ROW | ALIGNED
        flags = inner.value(f"and i32 {word(inner, '%array', FLAGS, 'i32')}, {required}")
        inner.branch(inner.value(f"icmp eq i32 {flags}, {required}"), "itself", "copy")
        inner.start("itself")
        inner.call("void", "Py_IncRef", "ptr %array")
        inner.line("ret ptr %array")
        inner.start("copy")
        copy = inner.call("ptr", "PyArray_NewCopy", "ptr %array", f"i32 {element_code.ROW_BY_ROW}")
        inner.branch(inner.value(f"icmp eq ptr {copy}, null"), "failed", "made")
        inner.start("failed")
        inner.call("void", "PyErr_Clear")
        inner.line("ret ptr null")
        inner.start("made")
        inner.line(f"ret ptr {copy}")
        text.declared.update(inner.declared)
        text.declared[name] = inner.text()
    return name
