"""LLVM code of loops: counted ones run in strips, between which signals are looked at.

The code inside a strip only counts, so LLVM can transform it as any C loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.kernel_types import ANY, Bounds
from runtime.engine.llvm.text import FunctionText, llvm_type

POLL_EVERY = 1 << 14
"""So many iterations run between two looks at signals and other threads."""


LONGEST = 1 << 61
"""More iterations than any loop runs: they take years."""
_FEW = 1 << 10
"""Iterations that run before the count of all is looked at."""


class Fuel:
    """Counter of the iterations of a function that may run before the next look at signals."""

    def __init__(self, text: FunctionText) -> None:
        self._text = text
        self._slot = ""
        self._pending = 0

    def note(self, count: str, failure: str) -> None:
        """Spend so many iterations at once, or at the end of the block where they are few."""
        if count.isdigit() and self._pending + int(count) < _FEW:
            self._pending += int(count)
        else:
            self.spend(count, failure)

    def spend_noted(self, failure: str) -> None:
        """Spend what was noted in a block that ends here."""
        if self._pending:
            self.spend("0", failure)

    def spend(self, count: str, failure: str) -> None:
        """Look at signals and other threads if so many iterations use the fuel up."""
        text = self._text
        if self._pending:
            count = (
                str(int(count) + self._pending) if count.isdigit()
                else text.value(f"add i32 {count}, {self._pending}")
            )  # fmt: skip
            self._pending = 0
        if not self._slot:
            self._slot = text.slot("i32", str(POLL_EVERY))
        fuel = text.load(self._slot, "i32")
        remaining = text.value(f"sub nsw i32 {fuel}, {count}")
        text.line(f"store i32 {remaining}, ptr {self._slot}")
        with text.only_if(text.value(f"icmp sle i32 {remaining}, 0"), likely=False):
            text.line(f"store i32 {POLL_EVERY}, ptr {self._slot}")
            python_code.poll(text, failure)


def iterations(text: FunctionText, work: str, log2: int) -> str:
    """Return how many iterations take as long as so many numbers (an int64), of which ``2**log2``
    count as one; at most all between two looks at signals.
    """
    if work.isdigit():
        return str(min(int(work) >> log2, POLL_EVERY))
    count = text.value(f"lshr i64 {work}, {log2}")
    most = text.call("i64", "llvm.umin.i64", f"i64 {count}", f"i64 {POLL_EVERY}")
    return text.value(f"trunc i64 {most} to i32")


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


def steps_of(loop: ir.WhileLoop) -> dict[int, int]:
    """Return the int64s of the state that each iteration changes by 1 or -1, by position."""
    body, steps = loop.body, dict[int, int]()
    numbers = {
        instruction.results[0].number: instruction.value
        for instruction in body.instructions
        if isinstance(instruction, ir.Number)
    }
    definitions = {
        value.number: instruction
        for instruction in body.instructions
        for value in instruction.results
    }
    for position, (param, result) in enumerate(zip(body.params, body.results, strict=False)):
        instruction = definitions.get(result.number)
        if (
            not isinstance(instruction, ir.Compute)
            or result.type != ir.INT64
            or param not in instruction.args
        ):
            continue
        deltas = [numbers.get(value.number) for value in instruction.args if value is not param]
        if instruction.opcode == "increment" or (
            instruction.opcode == "add.checked" and deltas in ([1], [-1])
        ):
            steps[position] = -1 if deltas == [-1] else 1
        elif (
            instruction.opcode == "sub.checked"
            and deltas in ([1], [-1])
            and instruction.args[0] is param
        ):
            steps[position] = -1 if deltas == [1] else 1
    return steps


def note_steps(
    text: FunctionText, loop: ir.WhileLoop, initial: Sequence[str], names: Sequence[str]
) -> None:
    """Note the bounds of what each iteration changes by one, and what it was before the loop: no
    loop runs long enough for it to overflow.
    """
    for position, step in steps_of(loop).items():
        low, high = text.bounds_of(initial[position])
        if low >= -LONGEST and high <= LONGEST:
            low, high = (low, high + LONGEST) if step > 0 else (low - LONGEST, high)
            text.bounds[names[position]] = Bounds(low, high)


class Strip(NamedTuple):
    """Iterations between two looks at signals, at most ``POLL_EVERY``; there is at least one.

    turn    label of the code of an iteration
    exit    label of the code after the strip
    start   what the counter is before the first
    stop    what the counter is after the last
    length  how many iterations there are
    counts  bounds of the counter
    """

    turn: str
    exit: str
    start: str
    stop: str
    length: str
    counts: Bounds


def begin_strip(text: FunctionText, start: str, limit: str, first: str) -> Strip:
    """Emit the head of a strip; ``first`` is the count at the beginning of the loop."""
    remaining = text.value(f"sub i64 {limit}, {start}")
    count = text.call("i64", "llvm.umin.i64", f"i64 {remaining}", f"i64 {POLL_EVERY}")
    stop = text.value(f"add nsw i64 {start}, {count}")
    length = text.value(f"trunc i64 {count} to i32")
    counts = Bounds(text.bounds_of(first).low, ANY.high - 1)  # it is less than a limit
    return Strip(text.label("turn"), text.label("rest"), start, stop, length, counts)


def begin_turn(
    text: FunctionText, strip: Strip, counter: Counter, slots: Sequence[str],
    types: Sequence[ir.Type],
) -> list[str]:  # fmt: skip
    """Begin the code of an iteration; return the state."""
    text.start(strip.turn)
    pairs = zip(types, slots, strict=True)
    names = [text.load(slot, llvm_type(type)) for type, slot in pairs]
    note_count(text, strip, names[counter.state])
    return names


def note_count(text: FunctionText, strip: Strip, name: str) -> None:
    """Note the bounds of the counter of a strip."""
    text.bounds[name] = strip.counts
    if strip.counts.low > ANY.low:
        at_least = text.value(f"icmp sge i64 {name}, {strip.counts.low}")
        text.call("void", "llvm.assume", f"i1 {at_least}")


def end_strip(text: FunctionText, strip: Strip, counter: str) -> None:
    """Emit the end of an iteration; what follows comes after the strip."""
    text.branch(text.value(f"icmp slt i64 {counter}, {strip.stop}"), strip.turn, strip.exit)
    text.start(strip.exit)
