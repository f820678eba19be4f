"""LLVM code that keeps the rows of an array that a mask chooses, or their positions, and code that
writes rows, one after the other, to the places that a mask chooses.

They are counted before the result is allocated, or anything is written.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, LoopFunction
from runtime.engine.llvm.builder import SIZE, ArrayElements, CodeVariable
from runtime.engine.llvm.element_code import stored_size
from runtime.engine.llvm.values import LaneValue
from runtime.ops.rules.loops import Compaction, Expansion

CHUNK = 128
"""Elements that are counted in a byte."""
WORD = 8
"""Elements of a mask of bools that are looked at together."""
_BYTE = ir.Scalar("u", 8)


def emit_compaction(frame: LoopFrame, plan: Compaction) -> None:
    """Emit the choice of rows, for each number that the mask is compared with."""
    code = _CompactionCode(frame, plan)
    for number in range(len(frame.loop.results)):
        code.emit(number)


class _CompactionCode:
    """Code of one choice."""

    def __init__(self, frame: LoopFrame, plan: Compaction) -> None:
        self._frame = frame
        self._plan = plan
        self._sizes = frame.sizes(plan.mask)
        self._count = frame.product(self._sizes)
        self._mask = frame.array(plan.mask)
        self._row_sizes: list[str] = []
        self._rows = ArrayElements(frame, self._mask.type, "null")
        if plan.data is not None:
            of_data, rank = frame.sizes(plan.data), len(self._sizes)
            frame.all_equal(self._sizes, of_data[:rank])
            self._row_sizes = of_data[rank:]
            self._rows = frame.array(plan.data)
        if plan.parts:
            self._check_parts(len(frame.loop.results))

    def _function(self, suffix: str, gives: str) -> tuple[LoopFunction, ArrayElements]:
        """Begin a function of the mask."""
        code = LoopFunction(self._frame, suffix, gives)
        return code, code.array("m", self._mask)

    def _check_parts(self, part_count: int) -> None:
        """Leave it to the kernel unless all numbers are of parts."""
        code, mask = self._function("_check", "i1")
        count, bad = code.number("count", self._count), CodeVariable(code, ir.BOOL, "false")
        with code.each_vector(count) as number:
            wrong = mask[number].to(ir.INT64).to(SIZE) >= part_count
            bad.set(bad.get() | wrong)
        self._frame.refuse(code.finish_and_call(bad.get()))

    def emit(self, partition: int) -> None:
        """Emit the count, the result and the loop of a part."""
        code, mask = self._function(f"_count{partition}_", "i64")
        all, total = code.number("count", self._count), CodeVariable(code, SIZE, "0")
        of_chunk = CodeVariable(code, _BYTE)
        with code.each_chunk(all, CHUNK) as (start, stop):
            of_chunk.set(0)
            with code.each_vector(stop, start) as number:
                bit = self._is_chosen(mask, number, partition).to(_BYTE)
                of_chunk.set(of_chunk.get() + bit)
            chunk_total = of_chunk.get().to(SIZE)
            total.set(total.get() + chunk_total)
        count, row = code.finish_and_call(total.get()), self._row_sizes
        if self._plan.data is None:
            row = [str(len(self._sizes))]
        self._run(partition, self._frame.result(partition, [count, *row]))

    def _is_chosen(self, mask: ArrayElements, number: LaneValue, partition: int) -> LaneValue:
        return mask[number] == partition if self._plan.parts else mask[number].test("truth")

    def _may_hold_some(self, mask: ArrayElements, start: LaneValue, stop: LaneValue) -> LaneValue:
        """Return whether a chunk of a mask may hold what is chosen: most masks choose little, or
        neighbours.
        """
        code = mask.code
        if self._plan.parts or stored_size(mask.type) > 1:
            return code.value("true", ir.BOOL)
        may_hold = CodeVariable(code, ir.BOOL)
        may_hold.set("true")
        with code.only_if(stop - start == WORD):
            word = start.emit(f"load i64, ptr {mask.at(start)}, align 1")
            may_hold.set(word != 0)
        return may_hold.get()

    def _run(self, partition: int, result: ArrayElements) -> None:
        """Emit the loop that copies rows, or writes positions."""
        code, mask = self._function(f"_part{partition}_", "void")
        rows, results = code.array("x", self._rows), code.array("o", result)
        all, to = code.number("count", self._count), CodeVariable(code, SIZE, "0")
        inner = code.number("inner", self._frame.product(self._row_sizes))
        sizes = [code.number(f"size{n}", size) for n, size in enumerate(self._sizes)]
        with (
            code.each_chunk(all, WORD) as (start, stop),
            code.only_if(self._may_hold_some(mask, start, stop)),
            code.each(stop, start) as number,
            code.only_if(self._is_chosen(mask, number, partition)),
        ):  # fmt: skip
            row = to.get()
            if self._plan.data is None:
                _write_position(results, sizes, number, row)
            else:
                begin, end = number * inner, row * inner
                with code.each_vector(inner) as column:
                    results[end + column] = rows[begin + column]
            to.set(row + 1)
        code.finish_and_call()


def _write_position(
    results: ArrayElements, sizes: list[LaneValue], number: LaneValue, row: LaneValue
) -> None:
    """Write the place along each axis, the last one first."""
    for axis in reversed(range(len(sizes))):
        coordinate = number % sizes[axis] if axis else number
        number = number // sizes[axis] if axis else number
        results[row * len(sizes) + axis] = coordinate


def emit_expansion(frame: LoopFrame, plan: Expansion) -> None:
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
