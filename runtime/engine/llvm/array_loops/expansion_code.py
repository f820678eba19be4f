"""LLVM code that writes rows, one after the other, to the places that a mask chooses.

The mask is counted before anything is written: there are as many rows.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, function, place, sum_of, times
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.text import PARALLEL, VECTOR_LOOP, FunctionText
from runtime.ops.rules.loops import Expansion


def emit(frame: LoopFrame, plan: Expansion) -> None:
    """Emit the count of the mask and the loop."""
    sizes, of_base = frame.sizes(plan.mask), frame.sizes(plan.base)
    of_updates = frame.sizes(plan.updates)
    for size, base_size in zip([*sizes, *of_updates[1:]], of_base, strict=True):
        frame.equal(size, base_size)
    mask, count = frame.data(plan.mask), frame.product(sizes)
    frame.equal(_count(frame, mask, count), of_updates[0])
    updates, inner = frame.data(plan.updates), frame.product(of_updates[1:])
    name, type = frame.name("_rows"), frame.loop.gives[0].element
    text = function(name, "void", ["ptr %m", "ptr %u", "ptr %o", "i64 %count", "i64 %inner"])
    next_row = text.slot("i64", "0")
    with text.counted_loop("%count") as number, text.only_if(_is_chosen(text, number)):
        row = text.value(f"load i64, ptr {next_row}")
        begin, end = times(text, row, "%inner"), times(text, number, "%inner")
        with text.counted_loop("%inner", "0", VECTOR_LOOP) as column:
            source = place(text, type, "%u", sum_of(text, begin, column))
            target = place(text, type, "%o", sum_of(text, end, column))
            store_element(text, target, type, load_element(text, source, type, PARALLEL), PARALLEL)
        text.line(f"store i64 {sum_of(text, row, 1)}, ptr {next_row}")
    text.line("ret void")
    datas = (mask, updates, frame.own_data(plan.base))
    args = [*(f"ptr {data}" for data in datas), f"i64 {count}", f"i64 {inner}"]
    frame.call(text, name, "void", args)
    frame.give(0, plan.base)


def _is_chosen(text: FunctionText, number: str, mark: str = "") -> str:
    return load_element(text, place(text, ir.BOOL, "%m", number), ir.BOOL, mark)


def _count(frame: LoopFrame, mask: str, count: str) -> str:
    """Return how many places the mask chooses."""
    name = frame.name("_count")
    text = function(name, "i64", ["ptr %m", "i64 %count"])
    total = text.slot("i64", "0")
    with text.counted_loop("%count", "0", VECTOR_LOOP) as number:
        bit = text.value(f"zext i1 {_is_chosen(text, number, PARALLEL)} to i64")
        before = text.value(f"load i64, ptr {total}")
        text.line(f"store i64 {sum_of(text, before, bit)}, ptr {total}")
    text.line(f"ret i64 {text.value(f'load i64, ptr {total}')}")
    return frame.call(text, name, "i64", [f"ptr {mask}", f"i64 {count}"])
