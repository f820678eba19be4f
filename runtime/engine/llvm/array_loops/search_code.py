"""LLVM code that finds where values would stand in sorted rows, by bisection."""

from __future__ import annotations

from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.engine.llvm.array_loops.loop_function import LoopFunction
from runtime.engine.llvm.array_loops.order_keys import key_of
from runtime.engine.llvm.builder import SIZE, CodeVariable
from runtime.ops.rules.loops import Search


def emit(frame: LoopFrame, plan: Search) -> None:
    """Emit the search: a function of rows, values, results, and how many there are of each."""
    (*rows, length), (*value_rows, value_count) = frame.sizes(0), frame.sizes(1)
    frame.all_equal(rows, value_rows)
    code = LoopFunction(frame)
    x, values = code.array("x", frame.array(0)), code.array("v", frame.array(1))
    results = code.array("o", frame.result(0, [*value_rows, value_count]))
    row_count = code.number("rows", frame.product(value_rows))
    n, m = code.number("n", length), code.number("m", value_count)
    with code.each(row_count) as row, code.each(m) as number:
        first = row * n
        to = row * m + number
        key = key_of(values[to])
        low, size = CodeVariable(code, SIZE), CodeVariable(code, SIZE)
        low.set(first)
        size.set(n)
        with code.text.repeat_while(lambda: (size.get() > 0).name):
            remaining = size.get()
            half = remaining >> 1
            begin = low.get()
            middle = begin + half
            key_there = key_of(x[middle])
            after = key_there <= key if plan.right else key_there < key
            low.set(after.choose(middle + 1, begin))
            size.set(after.choose(remaining - half - 1, half))
        results[to] = low.get() - first
    code.finish_and_call()
