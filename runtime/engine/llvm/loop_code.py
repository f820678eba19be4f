"""LLVM code of loops: counted ones run in strips, between which signals are looked at.

The code inside a strip only counts, so LLVM can transform it as any C loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.text import ANY, Bounds, FunctionText, llvm_type

POLL_EVERY = 1 << 14
"""So many iterations run between two looks at signals and other threads."""


class Fuel:
    """Counter of the iterations of a function that may run before the next look at signals."""

    def __init__(self, text: FunctionText) -> None:
        self._text = text
        self._slot = ""

    def spend(self, count: str, failure: str) -> None:
        """Look at signals and other threads if so many iterations use the fuel up."""
        text = self._text
        if not self._slot:
            self._slot = text.slot("i32", str(POLL_EVERY))
        left = text.value(f"load i32, ptr {self._slot}")
        less = text.value(f"sub nsw i32 {left}, {count}")
        text.line(f"store i32 {less}, ptr {self._slot}")
        empty = text.value(f"icmp sle i32 {less}, 0")
        poll, go = text.label("poll"), text.label("go")
        text.branch(empty, poll, go, likely=False)
        text.start(poll)
        text.line(f"store i32 {POLL_EVERY}, ptr {self._slot}")
        failed = python_code.call_context(text, python_code.POLL)
        text.branch(failed, failure, go, likely=False)
        text.start(go)


class Counter(NamedTuple):
    """Counter of a loop: where it is in the state, and the limit, a value of the test."""

    state: int
    limit: ir.Register


def counter_of(loop: ir.WhileLoop) -> Counter | None:
    """Return the counter of a loop that runs while it is less than a limit, which stays the same.
    """
    test, body, count = loop.test, loop.body, len(loop.results)
    *numbers, compare = test.instructions
    if not isinstance(compare, ir.Compute) or compare.opcode != "lt":
        return None
    if test.results != compare.results or not all(isinstance(n, ir.Number) for n in numbers):
        return None
    if any(value.type != ir.INT64 for value in compare.args):
        return None
    counted, limit = compare.args
    if counted not in test.params[:count] or limit in test.params[:count]:
        return None
    state = test.params.index(counted)
    for instruction in body.instructions:
        if isinstance(instruction, ir.Compute) and instruction.opcode == "increment":
            if instruction.args[0] is body.params[state]:
                same = instruction.results[0] is body.results[state]
                return Counter(state, limit) if same else None
    return None


class Strip(NamedTuple):
    """Iterations between two looks at signals, at most ``POLL_EVERY``.

    label   of the code of an iteration
    length  how many iterations there are
    stop    what the counter is after the last
    state   the state at the beginning of an iteration
    """

    label: str
    length: str
    stop: str
    state: list[str]


def begin_strip(
    text: FunctionText, counter: Counter, state: Sequence[str], limit: str, slots: Sequence[str],
    types: Sequence[ir.Type], first: str,
) -> Strip:  # fmt: skip
    """Emit the head of a strip; there is at least one iteration.  ``first`` is the first count."""
    start = state[counter.state]
    left = text.value(f"sub i64 {limit}, {start}")
    count = text.call("i64", "llvm.umin.i64", f"i64 {left}", f"i64 {POLL_EVERY}")
    stop = text.value(f"add nsw i64 {start}, {count}")
    label = text.label("turn")
    text.line(f"br label %{label}")
    text.start(label)
    pairs = zip(types, slots, strict=True)
    names = [text.value(f"load {llvm_type(type)}, ptr {slot}") for type, slot in pairs]
    lowest = text.bounds_of(first).low
    text.bounds[names[counter.state]] = Bounds(lowest, ANY.high - 1)  # it is less than a limit
    if lowest > ANY.low:
        known = text.value(f"icmp sge i64 {names[counter.state]}, {lowest}")
        text.call("void", "llvm.assume", f"i1 {known}")
    return Strip(label, text.value(f"trunc i64 {count} to i32"), stop, names)


def end_strip(text: FunctionText, strip: Strip, counter: str) -> None:
    """Emit the end of an iteration; what follows comes after the strip."""
    rest = text.label("rest")
    text.branch(text.value(f"icmp slt i64 {counter}, {strip.stop}"), strip.label, rest)
    text.start(rest)
