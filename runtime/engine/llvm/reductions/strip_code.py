"""LLVM code of strips of loops that add ints up:

    for x in xs:
        if x % 2 == 0:
            total += x

LLVM makes vectors of iterations without branches.  It adds in another order, so that partial sums
are not Python's; but no partial sum overflows, in any order, if the sums are near enough to 0 when
the strip begins and all that is added is small.  Each iteration notes where that does not hold, and
where native code would have to give up.  If any did, nothing of the strip counts: the strip runs
again, one iteration after the other, as it is written.  Before the strip, one look tells whether
all elements that its iterations read at the counter exist, side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.builder import Builder
from runtime.engine.llvm.element_code import element_address, key_of, load_element
from runtime.engine.llvm.list_handles import NativeListHandle, list_type
from runtime.engine.llvm.loop_code import POLL_EVERY, Counter, Strip, note_count
from runtime.engine.llvm.loop_facts import WITHOUT_UNROLLING
from runtime.engine.llvm.reductions.iteration import (
    MOST_ADDITIONS,
    SMALL,
    Sum,
    SumIteration,
    UnfitError,
    Value,
)
from runtime.engine.llvm.text import FunctionText, llvm_type


class ElementReads:
    """Elements of lists and arrays that stay the same in the loop."""

    def __init__(self, same: Collection[str]) -> None:
        self._same = same
        """Names of what stays the same."""
        self.reads: list[tuple[ir.Compute, Sequence[str], Sequence[int | None]]] = []

    def note(
        self, instruction: ir.Compute, names: Sequence[str], distances: Sequence[int | None]
    ) -> list[str]:
        """Note a read; UnfitError if it is not at the counter."""
        fixed = [name for name, by in zip(names[1:], distances, strict=True) if by is None]
        fit = names[0] in self._same and len(fixed) < len(distances)
        fit = fit and all(name in self._same for name in fixed)
        fit = fit and all(value.type == ir.INT64 for value in instruction.args[1:])
        if not fit or not all(isinstance(value.type, ir.Scalar) for value in instruction.results):
            raise UnfitError
        self.reads.append((instruction, names, distances))
        return ["%element"] * len(instruction.results)

    def guards(self, text: FunctionText, views: ArrayViews, strip: Strip) -> list[str]:
        """Emit bools that are all true if the elements of a strip exist, side by side."""
        conditions: list[str] = []
        for instruction, (source, *indices), distances in self.reads:
            if instruction.opcode == "list.item":
                handle = NativeListHandle(Builder(text), list_type(instruction), source)
                conditions += _inside(text, strip, distances[0], handle.length().name)
                continue
            view, width = views.of(source, key_of(instruction)), _width(instruction)
            axes = zip(indices, distances, view.sizes, view.strides, strict=True)
            for index, distance, size, stride in axes:
                if distance is None:
                    conditions.append(text.value(f"icmp ult i64 {index}, {size}"))
                else:
                    conditions += _inside(text, strip, distance, size)
                    conditions.append(text.value(f"icmp eq i64 {stride}, {width}"))
        return conditions


def _inside(text: FunctionText, strip: Strip, distance: int | None, size: str) -> list[str]:
    """Emit bools that are true if all positions at a distance from the counter are inside."""
    assert distance is not None
    most = text.value(f"sub i64 {size}, {distance}")
    return [
        text.value(f"icmp sge i64 {strip.start}, {-distance}"),
        text.value(f"icmp sle i64 {strip.stop}, {most}"),
    ]


def read_at(
    text: FunctionText, views: ArrayViews, instruction: ir.Compute, names: Sequence[str],
    distances: Sequence[int | None],
) -> list[str]:  # fmt: skip
    """Emit the read of an element that exists."""
    source, *indices = names
    if instruction.opcode == "list.item":
        code = Builder(text)
        handle = NativeListHandle(code, list_type(instruction), source)
        return handle.load_entry(handle.entry(code.value(indices[0])))
    view, width = views.of(source, key_of(instruction)), _width(instruction)
    strides = [
        stride if distance is None else width
        for distance, stride in zip(distances, view.strides, strict=True)
    ]
    address = element_address(text, view._replace(strides=strides), indices)
    return [load_element(text, address, instruction.results[0].type)]


def _width(instruction: ir.Compute) -> str:
    return str(ir.layout_of(instruction)[0].itemsize)


LEAST = 32
"""Shorter strips run as they are written, which is faster."""
NEAR = (1 << 62) - 1
"""Largest size of a sum when a strip begins."""
assert NEAR + POLL_EVERY * MOST_ADDITIONS * SMALL < 1 << 63


class _SumLoop(NamedTuple):
    """Loop that may add ints up, the strip at hand, and names: of the state, of what the body reads
    besides, and of the stack slots of the state.
    """

    loop: ir.WhileLoop
    counter: Counter
    strip: Strip
    state: Sequence[str]
    captures: Sequence[str]
    slots: Sequence[str]

    @property
    def types(self) -> list[str]:
        """Return the LLVM types of the state."""
        return [llvm_type(value.type) for value in self.loop.results]


def emit_sums(
    text: FunctionText, views: ArrayViews, loop: ir.WhileLoop, counter: Counter, strip: Strip,
    state: Sequence[str], captures: Sequence[str], slots: Sequence[str],
) -> bool:  # fmt: skip
    """Emit a strip of a loop that adds ints up, which goes on at ``strip.turn`` where it has to run
    as it is written; return False for another loop.  ``captures`` are those of the body.
    """
    sum_loop = _SumLoop(loop, counter, strip, state, captures, slots)
    reads = ElementReads(captures)
    trial = SumIteration(FunctionText(""), "%counter", reads.note)
    try:
        _emit_iteration(trial, sum_loop, "%counter")
    except UnfitError:
        return False
    if not trial.additions:
        return False
    conditions = [text.value(f"icmp sge i32 {strip.length}, {LEAST}")]
    conditions += reads.guards(text, views, strip)
    for number in trial.checked:
        moved = text.value(f"add i64 {state[number]}, {NEAR}")
        conditions.append(text.value(f"icmp ule i64 {moved}, {2 * NEAR}"))
    ready = "true"
    for condition in conditions:
        ready = text.value(f"and i1 {ready}, {condition}")
    text.require(ready, strip.turn)
    _emit_turns(text, views, sum_loop)
    return True


def _emit_turns(text: FunctionText, views: ArrayViews, sum_loop: _SumLoop) -> None:
    """Emit the iterations of a strip, and what comes after them."""
    types, strip = sum_loop.types, sum_loop.strip
    partial_sums, missed = [text.slot(type) for type in types], text.slot("i64")
    _store(text, types, sum_loop.state, partial_sums)
    text.line(f"store i64 0, ptr {missed}")
    with text.repeat("add", WITHOUT_UNROLLING) as goes_on:
        before = _load_all(text, types, partial_sums)
        position = before[sum_loop.counter.state]
        note_count(text, strip, position)
        iteration = SumIteration(text, position, partial(read_at, text, views))
        sums, flag = _emit_iteration(iteration, sum_loop, position)
        after = [
            before[sum.state] if sum.added == "0"
            else text.value(f"add {types[sum.state]} {before[sum.state]}, {sum.added}")
            for sum in sums
        ]  # fmt: skip
        following = text.value(f"add nsw i64 {position}, 1")
        after.insert(sum_loop.counter.state, following)
        _store(text, types, after, partial_sums)
        if flag is not None:
            bit = text.value(f"zext i1 {flag} to i64")
            noted = text.value(f"or i64 {text.value(f'load i64, ptr {missed}')}, {bit}")
            text.line(f"store i64 {noted}, ptr {missed}")
        goes_on.append(text.value(f"icmp slt i64 {following}, {strip.stop}"))
    bad = text.value(f"icmp ne i64 {text.value(f'load i64, ptr {missed}')}, 0")
    text.refuse(bad, strip.turn)
    _store(text, types, _load_all(text, types, partial_sums), sum_loop.slots)
    text.jump(strip.exit)


def _emit_iteration(
    iteration: SumIteration, sum_loop: _SumLoop, position: str
) -> tuple[list[Sum], str | None]:
    """Emit an iteration; return the sums in the order of the state, and a flag."""
    loop, counter = sum_loop.loop, sum_loop.counter
    if not all(isinstance(value.type, ir.Scalar) for value in loop.results):
        raise UnfitError
    state: list[Value] = [Sum(number, "0") for number in range(len(loop.results))]
    state[counter.state] = position
    results, flag = iteration.block(loop.body, [*state, *sum_loop.captures])
    sums = []
    for number, result in enumerate(results):
        if number != counter.state:
            if not isinstance(result, Sum) or result.state != number:
                raise UnfitError
            sums.append(result)
    return sums, flag


def _load_all(text: FunctionText, types: Sequence[str], slots: Sequence[str]) -> list[str]:
    pairs = zip(types, slots, strict=True)
    return [text.load(slot, type) for type, slot in pairs]


def _store(
    text: FunctionText, types: Sequence[str], names: Sequence[str], slots: Sequence[str]
) -> None:
    for type, name, slot in zip(types, names, slots, strict=True):
        text.line(f"store {type} {name}, ptr {slot}")
