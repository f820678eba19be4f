"""LLVM code that writes rows, one after the other, to the places that a mask chooses.

The mask is counted before anything is written: there are as many rows.
"""

from __future__ import annotations

from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.engine.llvm.array_loops.loop_function import LoopFunction
from runtime.engine.llvm.builder import SIZE, ArrayElements, CodeVariable
from runtime.ops.rules.loops import Expansion


def emit(frame: LoopFrame, plan: Expansion) -> None:
    """Emit the count of the mask and the loop."""
    sizes, of_base = frame.sizes(plan.mask), frame.sizes(plan.base)
    of_updates = frame.sizes(plan.updates)
    frame.all_equal([*sizes, *of_updates[1:]], of_base)
    mask, count = frame.array(plan.mask), frame.product(sizes)
    frame.equal(_count(frame, mask, count), of_updates[0])
    code = LoopFunction(frame, "_rows")
    mask, updates = code.array("m", mask), code.array("u", frame.array(plan.updates))
    results = code.array("o", frame.own_array(plan.base))
    all, inner = code.number("count", count), code.number("inner", frame.product(of_updates[1:]))
    next_row = CodeVariable(code, SIZE, "0")
    with code.each(all) as number, code.only_if(mask[number]):
        row = next_row.get()
        begin, end = row * inner, number * inner
        with code.each_vector(inner) as column:
            results[end + column] = updates[begin + column]
        next_row.set(row + 1)
    code.finish_and_call()
    frame.give_argument(0, plan.base)


def _count(frame: LoopFrame, mask: ArrayElements, count: str) -> str:
    """Return how many places the mask chooses."""
    code = LoopFunction(frame, "_count", "i64")
    mask, all, total = (
        code.array("m", mask),
        code.number("count", count),
        CodeVariable(code, SIZE, "0"),
    )
    with code.each_vector(all) as number:
        is_chosen = mask[number].to(SIZE)
        total.set(total.get() + is_chosen)
    return code.finish_and_call(total.get())
