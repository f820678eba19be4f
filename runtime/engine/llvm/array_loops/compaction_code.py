"""LLVM code that keeps the rows of an array that a mask chooses, or their positions.

They are counted before the result is allocated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, function, place, sum_of, times
from runtime.engine.llvm.arrays.elements import stored_size
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.scalar_code import OPCODES
from runtime.engine.llvm.text import PARALLEL, VECTOR_LOOP, FunctionText, literal, llvm_type
from runtime.ops.rules.loops import Compaction

CHUNK = 128
"""Elements that are counted in a byte."""
WORD = 8
"""Elements of a mask of bools that are looked at together."""


def emit(frame: LoopFrame, plan: Compaction) -> None:
    """Emit the choice of rows, for each number that the mask is compared with."""
    code = _CompactionCode(frame, plan)
    for number in range(len(frame.loop.results)):
        code.emit(number)


@contextmanager
def _chunks(text: FunctionText, count: str, size: int) -> Iterator[tuple[str, str]]:
    """Run the lines that are added meanwhile for each chunk of so many of all elements."""
    padded = text.value(f"add i64 {count}, {size - 1}")
    with text.counted_loop(text.value(f"udiv i64 {padded}, {size}")) as number:
        start = text.value(f"mul i64 {number}, {size}")
        end = text.value(f"add i64 {start}, {size}")
        yield start, text.call("i64", "llvm.umin.i64", f"i64 {end}", f"i64 {count}")


class _CompactionCode:
    """Code of one choice."""

    def __init__(self, frame: LoopFrame, plan: Compaction) -> None:
        self._frame = frame
        self._plan = plan
        self._type = frame.element(plan.mask)
        sizes = frame.sizes(plan.mask)
        self._sizes = sizes
        self._count = frame.product(sizes)
        self._mask = frame.data(plan.mask)
        self._row_sizes: list[str] = []
        self._data = ""
        if plan.data is not None:
            of_data = frame.sizes(plan.data)
            for size, data_size in zip(sizes, of_data, strict=False):
                frame.equal(size, data_size)
            self._row_sizes = of_data[len(sizes) :]
            self._data = frame.data(plan.data)
        if plan.parts:
            self._check_parts(len(frame.loop.results))

    def _check_parts(self, part_count: int) -> None:
        """Leave it to the kernel unless all numbers are of parts."""
        frame, name = self._frame, self._frame.name("_check")
        text = function(name, "i1", ["ptr %m", "i64 %count"])
        bad = text.slot("i1", "false")
        with text.counted_loop("%count", "0", VECTOR_LOOP) as number:
            value = load_element(text, place(text, self._type, "%m", number), self._type, PARALLEL)
            wide, _ = OPCODES["cast"](text, (self._type,), ir.INT64, (value,))
            wrong = text.value(f"icmp uge i64 {wide}, {part_count}")
            before = text.value(f"load i1, ptr {bad}")
            text.line(f"store i1 {text.value(f'or i1 {before}, {wrong}')}, ptr {bad}")
        text.line(f"ret i1 {text.value(f'load i1, ptr {bad}')}")
        wrong = frame.call(text, name, "i1", [f"ptr {self._mask}", f"i64 {self._count}"])
        frame.require(frame.text.value(f"xor i1 {wrong}, true"))

    def emit(self, partition: int) -> None:
        """Emit the count, the result and the loop of a part."""
        frame = self._frame
        name = frame.name(f"_count{partition}_")
        text = function(name, "i64", ["ptr %m", "i64 %count"])
        total, chunk_count = text.slot("i64", "0"), text.slot("i8")
        with _chunks(text, "%count", CHUNK) as (start, stop):
            text.line(f"store i8 0, ptr {chunk_count}")
            with text.counted_loop(stop, start, VECTOR_LOOP) as number:
                bit = text.value(
                    f"zext i1 {self._is_chosen(text, number, partition, PARALLEL)} to i8"
                )
                counted = text.value(f"add i8 {text.value(f'load i8, ptr {chunk_count}')}, {bit}")
                text.line(f"store i8 {counted}, ptr {chunk_count}")
            chunk_total = text.value(f"zext i8 {text.value(f'load i8, ptr {chunk_count}')} to i64")
            before = text.value(f"load i64, ptr {total}")
            text.line(f"store i64 {sum_of(text, before, chunk_total)}, ptr {total}")
        text.line(f"ret i64 {text.value(f'load i64, ptr {total}')}")
        count = frame.call(text, name, "i64", [f"ptr {self._mask}", f"i64 {self._count}"])
        if self._plan.data is None:
            result = frame.result(partition, [count, str(len(self._sizes))])
        else:
            result = frame.result(partition, [count, *self._row_sizes])
        self._run(partition, result)

    def _is_chosen(self, text: FunctionText, number: str, partition: int, mark: str = "") -> str:
        value = load_element(text, place(text, self._type, "%m", number), self._type, mark)
        if self._plan.parts:
            partition_number = literal(partition, self._type)
            return text.value(f"icmp eq {llvm_type(self._type)} {value}, {partition_number}")
        return OPCODES["truth"](text, (self._type,), ir.BOOL, (value,))[0]

    def _may_hold_some(self, text: FunctionText, start: str, stop: str) -> str:
        """Return whether a chunk of a mask may hold what is chosen: most masks choose little, or
        neighbours.
        """
        if self._plan.parts or stored_size(self._type) > 1:
            return "true"
        may_hold = text.slot("i1")
        text.line(f"store i1 true, ptr {may_hold}")
        length = text.value(f"sub i64 {stop}, {start}")
        with text.only_if(text.value(f"icmp eq i64 {length}, {WORD}")):
            word = text.value(f"load i64, ptr {place(text, self._type, '%m', start)}, align 1")
            text.line(f"store i1 {text.value(f'icmp ne i64 {word}, 0')}, ptr {may_hold}")
        return text.value(f"load i1, ptr {may_hold}")

    def _run(self, partition: int, result: str) -> None:
        """Emit the loop that copies rows, or writes positions."""
        frame, name = self._frame, self._frame.name(f"_part{partition}_")
        sizes = [f"i64 %size{n}" for n in range(len(self._sizes))]
        text = function(name, "void", ["ptr %m", "ptr %x", "ptr %o", "i64 %count", "i64 %inner",
                                       *sizes])  # fmt: skip
        to = text.slot("i64", "0")
        type = frame.loop.gives[partition].element
        with (
            _chunks(text, "%count", WORD) as (start, stop),
            text.only_if(self._may_hold_some(text, start, stop)),
            text.counted_loop(stop, start) as number,
            text.only_if(self._is_chosen(text, number, partition)),
        ):  # fmt: skip
            row = text.value(f"load i64, ptr {to}")
            if self._plan.data is None:
                self._write_position(text, type, number, row)
            else:
                self._copy(text, type, number, row)
            text.line(f"store i64 {sum_of(text, row, 1)}, ptr {to}")
        text.line("ret void")
        args = [f"ptr {self._mask}", f"ptr {self._data or 'null'}", f"ptr {result}"]
        args += [f"i64 {self._count}", f"i64 {frame.product(self._row_sizes)}"]
        frame.call(text, name, "void", [*args, *(f"i64 {size}" for size in self._sizes)])

    def _copy(self, text: FunctionText, type: ir.Scalar, number: str, row: str) -> None:
        begin, end = times(text, number, "%inner"), times(text, row, "%inner")
        with text.counted_loop("%inner", "0", VECTOR_LOOP) as column:
            value = load_element(
                text, place(text, type, "%x", sum_of(text, begin, column)), type, PARALLEL
            )
            store_element(
                text, place(text, type, "%o", sum_of(text, end, column)), type, value, PARALLEL
            )

    def _write_position(
        self, text: FunctionText, type: ir.Scalar, number: str, row: str
    ) -> None:
        """Write the place along each axis, the last one first."""
        rank, index = len(self._sizes), number
        for axis in reversed(range(rank)):
            coordinate = text.value(f"urem i64 {index}, %size{axis}") if axis else index
            index = text.value(f"udiv i64 {index}, %size{axis}") if axis else index
            where = place(text, type, "%o", sum_of(text, times(text, row, rank), axis))
            store_element(text, where, type, coordinate)
