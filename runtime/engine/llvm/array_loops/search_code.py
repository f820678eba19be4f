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
    (*rows, count), (*others, wanted) = frame.sizes(0), frame.sizes(1)
    for one, other in zip(rows, others, strict=True):
        frame.equal(one, other)
    datas = [frame.data(0), frame.data(1)]
    result = frame.result(0, [*others, wanted])
    args = [f"ptr {one}" for one in (*datas, result)]
    args += [f"i64 {one}" for one in (frame.product(others), count, wanted)]
    text = _function(frame.name(), frame.element(0), frame.loop.gives[0].element, plan)
    frame.call(text, frame.name(), "void", args)


def _function(name: str, type: ir.Scalar, gives: ir.Scalar, plan: Search) -> FunctionText:
    """Return the function: rows, values, results, numbers of rows, of their elements, of values."""
    params = ["ptr %x", "ptr %v", "ptr %o", "i64 %rows", "i64 %n", "i64 %m"]
    text, kind = function(name, "void", params), key_type(type)

    def key_at(base: str, index: str) -> str:
        return key_of(text, type, load_element(text, place(text, type, base, index), type))

    def comes_before(index: str, wanted: str) -> str:
        compare = "ule" if plan.right else "ult"
        return text.value(f"icmp {compare} {kind} {key_at('%x', index)}, {wanted}")

    with text.counted_loop("%rows") as row, text.counted_loop("%m") as number:
        first = times(text, row, "%n")
        to = sum_of(text, times(text, row, "%m"), number)
        wanted = key_at("%v", to)
        low, size = text.slot("i64"), text.slot("i64")
        text.line(f"store i64 {first}, ptr {low}")
        text.line(f"store i64 %n, ptr {size}")
        head, body, done = text.label("head"), text.label("body"), text.label("done")
        text.line(f"br label %{head}")
        text.start(head)
        left = text.value(f"load i64, ptr {size}")
        text.branch(text.value(f"icmp ugt i64 {left}, 0"), body, done)
        text.start(body)
        half = text.value(f"lshr i64 {left}, 1")
        begin = text.value(f"load i64, ptr {low}")
        middle = sum_of(text, begin, half)
        after = comes_before(middle, wanted)
        rest = text.value(f"sub i64 {text.value(f'sub i64 {left}, {half}')}, 1")
        chosen = text.value(f"select i1 {after}, i64 {sum_of(text, middle, 1)}, i64 {begin}")
        text.line(f"store i64 {chosen}, ptr {low}")
        smaller = text.value(f"select i1 {after}, i64 {rest}, i64 {half}")
        text.line(f"store i64 {smaller}, ptr {size}")
        text.line(f"br label %{head}")
        text.start(done)
        found = text.value(f"sub i64 {text.value(f'load i64, ptr {low}')}, {first}")
        value, _ = OPCODES["cast"](text, (ir.INT64,), gives, (found,))
        store_element(text, place(text, gives, "%o", to), gives, value)
    text.line("ret void")
    return text
