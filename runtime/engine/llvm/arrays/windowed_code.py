"""LLVM code that calls the functions of convolutions and pooling, in the frame of a loop over
arrays: sizes are checked, arrays with gaps copied, the result allocated.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.product_code import LONG, PRODUCTS_LOG2
from runtime.engine.llvm.arrays.task_code import MISSING, end_tasks
from runtime.engine.llvm.arrays.window_loops import WORDS
from runtime.engine.llvm.arrays.windowed import Table, Work
from runtime.engine.llvm.builder import ArrayElements, Builder, CodeVariable
from runtime.engine.llvm.loop_code import Fuel, iterations
from runtime.engine.llvm.size_code import product
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import LaneValue, number_type

_NUMBERS_LOG2 = 7
"""Logarithm of the elements of windows in the time of an iteration over numbers."""
SHARED = {True: 1 << 24, False: 1 << 21}
"""For products, and for others: so many numbers are worth several threads.  The calling thread
looks at signals, too, while it computes.
"""


def emit_windows(
    frame: LoopFrame, work: Work, slots: Sequence[str], slow: str, fuel: Fuel, failure: str
) -> None:
    """Emit the work: its result is put in the slot, or it branches to ``slow``; if a signal's
    handler raised meanwhile, to ``failure``.
    """
    text, inputs = frame.text, range(len(work.inputs))
    frame.begin(slots)
    batch = _check_batches(frame, work)
    count = product(text, batch, str(work.numbers))
    log2 = PRODUCTS_LOG2 if work.is_product else _NUMBERS_LOG2
    fuel.spend(iterations(text, count, log2), failure)
    sizes = [batch if size is None else str(size) for size in work.result.dims]
    result = frame.result(0, sizes).address
    datas = [*[frame.array_by_function(number).address for number in inputs], "null"][:2]
    amount, status = frame.value(count), CodeVariable(frame, ir.INT32)
    is_shared = amount > SHARED[work.is_product]
    with text.without_lock((amount > LONG).name):
        _calls(frame, work, [*datas, result], batch, sizes, is_shared, status)
    frame.release_copies()
    end_tasks(text, status.get().name, slots[0], frame.undo, failure)
    frame.end(slow)


def _check_batches(frame: LoopFrame, work: Work) -> str:
    """Leave it to the kernel unless the batches are equal, and no array is empty; return the size
    of the batch.
    """
    firsts = [frame.size(number, 0) for number in range(len(work.inputs))]
    batches = firsts[: work.batches]
    if work.opcode != "convolve.filters" and work.result.dims[0] is not None:
        batches.append(str(work.result.dims[0]))
    for value, name in [*zip(frame.loop.args, frame.names, strict=True)][len(firsts) :]:
        batches.append(frame.value(name, number_type(value.type)).to(ir.INT64).name)
    for batch in batches[1:]:
        frame.equal(batches[0], batch)
    for first in firsts:
        frame.require((frame.value(first, ir.INT64) > 0).name)
    return batches[0]


def _calls(
    frame: LoopFrame, work: Work, datas: Sequence[str], batch: str, sizes: Sequence[str],
    is_shared: LaneValue, status: CodeVariable,
) -> None:  # fmt: skip
    """Call the functions, until one fails; put 0, or why it failed, in the status."""
    if not work.reaches_all:
        size = product(frame.text, str(work.result.dtype.itemsize), *sizes)
        args = f"ptr {datas[-1]}", "i8 0", f"i64 {size}", "i1 false"
        frame.run("llvm.memset.p0.i64", *args, extern=True)
    status.set(0)
    if work.is_finite:
        dims = work.inputs[1].dims
        static_count = str(prod(size for size in dims if size is not None))
        count = product(frame.text, *[batch] * (None in dims), static_count)
        function = _only_finite(frame.text, work.inputs[1])
        is_good = frame.call(function, f"ptr {datas[1]}", f"i64 {count}", gives=ir.BOOL)
        status.set(is_good.choose(frame.value(0, ir.INT32), MISSING))
    for table in work.tables:
        with frame.only_if(status.get() == 0):
            status.set(_call(frame, work, table, datas, batch, is_shared))


def _call(
    frame: LoopFrame, work: Work, table: Table, datas: Sequence[str], batch: str,
    is_shared: LaneValue,
) -> LaneValue:  # fmt: skip
    values = [table[name] for name in WORDS]
    name = "_".join(["@words", *map(str, values)])
    listed = ", ".join(f"i64 {value}" for value in values)
    frame.text.declared[name] = f"{name} = private constant [{len(values)} x i64] [{listed}]"
    function = f"{work.function}_{llvm_type(work.inputs[0].element)}"
    args = *(f"ptr {data}" for data in datas), f"ptr {name}", f"i64 {batch}", is_shared
    return frame.call(function, *args, gives=ir.INT32, extern=True)


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
