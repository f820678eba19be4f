"""LLVM code that finds where values would stand in sorted rows, by bisection."""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, function, place, sum_of, times
from runtime.engine.llvm.array_loops.order_keys import key_of, key_type
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.scalar_code import OPCODES
from runtime.engine.llvm.text import FunctionText
from runtime.ops.rules.loops import Search


def emit(frame: LoopFrame, plan: Search) -> None:
    """Emit the search."""
    (*rows, count), (*value_rows, value_count) = frame.sizes(0), frame.sizes(1)
    for size, value_size in zip(rows, value_rows, strict=True):
        frame.equal(size, value_size)
    datas = [frame.data(0), frame.data(1)]
    result = frame.result(0, [*value_rows, value_count])
    args = [f"ptr {data}" for data in (*datas, result)]
    args += [f"i64 {n}" for n in (frame.product(value_rows), count, value_count)]
    text = _function(frame.name(), frame.element(0), frame.loop.gives[0].element, plan)
    frame.call(text, frame.name(), "void", args)


def _function(name: str, type: ir.Scalar, gives: ir.Scalar, plan: Search) -> FunctionText:
    """Return the function: rows, values, results, numbers of rows, of their elements, of values."""
    params = ["ptr %x", "ptr %v", "ptr %o", "i64 %rows", "i64 %n", "i64 %m"]
    text, kind = function(name, "void", params), key_type(type)

    def key_at(base: str, index: str) -> str:
        return key_of(text, type, load_element(text, place(text, type, base, index), type))

    def comes_before(index: str, key: str) -> str:
        compare = "ule" if plan.right else "ult"
        return text.value(f"icmp {compare} {kind} {key_at('%x', index)}, {key}")

    with text.counted_loop("%rows") as row, text.counted_loop("%m") as number:
        first = times(text, row, "%n")
        to = sum_of(text, times(text, row, "%m"), number)
        key = key_at("%v", to)
        low, size = text.slot("i64"), text.slot("i64")
        text.line(f"store i64 {first}, ptr {low}")
        text.line(f"store i64 %n, ptr {size}")
        head, body, done = text.label("head"), text.label("body"), text.label("done")
        text.line(f"br label %{head}")
        text.start(head)
        length = text.value(f"load i64, ptr {size}")
        text.branch(text.value(f"icmp ugt i64 {length}, 0"), body, done)
        text.start(body)
        half = text.value(f"lshr i64 {length}, 1")
        begin = text.value(f"load i64, ptr {low}")
        middle = sum_of(text, begin, half)
        after = comes_before(middle, key)
        upper_length = text.value(f"sub i64 {text.value(f'sub i64 {length}, {half}')}, 1")
        chosen = text.value(f"select i1 {after}, i64 {sum_of(text, middle, 1)}, i64 {begin}")
        text.line(f"store i64 {chosen}, ptr {low}")
        smaller = text.value(f"select i1 {after}, i64 {upper_length}, i64 {half}")
        text.line(f"store i64 {smaller}, ptr {size}")
        text.line(f"br label %{head}")
        text.start(done)
        position = text.value(f"sub i64 {text.value(f'load i64, ptr {low}')}, {first}")
        value, _ = OPCODES["cast"](text, (ir.INT64,), gives, (position,))
        store_element(text, place(text, gives, "%o", to), gives, value)
    text.line("ret void")
    return text
