"""LLVM code of positions of extremes: the first greatest or least element; NaN comes before all.

Along the last axis a block's extreme is found as vectors; the block that has the first one is
searched at the end.  Along another axis blocks of columns keep values and positions on the stack.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, function, place, sum_of, times
from runtime.engine.llvm.array_loops.order_keys import key_of, key_type
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.scalar_code import OPCODES, compare
from runtime.engine.llvm.text import PARALLEL, VECTOR_LOOP, FunctionText, llvm_type
from runtime.ops.rules.loops import Extreme

_BLOCK, _COLUMNS = 256, 256
"""Elements of a row, and columns, that are handled at once."""


def emit(frame: LoopFrame, plan: Extreme) -> None:
    """Emit the search of extremes."""
    sizes = frame.sizes(0)
    frame.require(frame.text.value(f"icmp ne i64 {sizes[plan.axis]}, 0"))
    data = frame.data(0)
    before, after = sizes[: plan.axis], sizes[plan.axis + 1 :]
    result = frame.result(0, [*before, *after])
    counts = [frame.product(before), sizes[plan.axis], frame.product(after)]
    text = _Extreme(frame.name(), frame.element(0), frame.loop.gives[0].element, plan).function()
    args = [f"ptr {data}", f"ptr {result}", *(f"i64 {count}" for count in counts)]
    frame.call(text, frame.name(), "void", args)


class _Extreme:
    """Function of a search: elements, positions, sizes before, along and after the axis."""

    def __init__(self, name: str, type: ir.Scalar, gives: ir.Scalar, plan: Extreme) -> None:
        params = ["ptr %x", "ptr %o", "i64 %outer", "i64 %n", "i64 %inner"]
        self._text = function(name, "void", params)
        self._type = type if type != ir.BOOL else ir.Scalar("u", 8)
        self._gives = gives
        self._plan = plan
        self._kind = llvm_type(self._type)

    def function(self) -> FunctionText:
        """Return the function."""
        text = self._text
        single = text.value("icmp eq i64 %inner, 1")
        single_column, rows = text.label("one"), text.label("rows")
        text.branch(single, single_column, rows)
        text.start(single_column)
        with text.counted_loop("%outer") as outer:
            self._store(self._along(times(text, outer, "%n")), outer)
        text.line("ret void")
        text.start(rows)
        with text.counted_loop("%outer") as outer:
            padded = text.value(f"add i64 %inner, {_COLUMNS - 1}")
            with text.counted_loop(text.value(f"udiv i64 {padded}, {_COLUMNS}")) as block:
                self._columns(outer, times(text, block, _COLUMNS))
        text.line("ret void")
        return text

    def _load(self, index: str, mark: str = "") -> str:
        where = place(self._text, self._type, "%x", index)
        return load_element(self._text, where, self._type, mark)

    def _store(self, position: str, index: str, mark: str = "") -> None:
        value, _ = OPCODES["cast"](self._text, (ir.INT64,), self._gives, (position,))
        where = place(self._text, self._gives, "%o", index)
        store_element(self._text, where, self._gives, value, mark)

    def _is_better(self, value: str, best: str) -> str:
        """Return whether a value comes before the best one so far."""
        text, kind = self._text, self._kind
        better = compare(text, "gt" if self._plan.greatest else "lt", self._type, value, best)
        if self._type.kind != "f":
            return better
        nan = text.value(f"fcmp uno {kind} {value}, {value}")
        number = text.value(f"fcmp ord {kind} {best}, {best}")
        return text.value(f"or i1 {better}, {text.value(f'and i1 {nan}, {number}')}")

    def _key(self, index: str, mark: str = "") -> str:
        """Return an unsigned int that is the greater, the sooner an element is the extreme."""
        text, kind, x = self._text, key_type(self._type), self._load(index, mark)
        key = key_of(text, self._type, x)
        if self._plan.greatest:
            return key
        turned = text.value(f"xor {kind} {key}, -1")
        if self._type.kind != "f":
            return turned
        nan = text.value(f"fcmp uno {self._kind} {x}, {x}")
        return text.value(f"select i1 {nan}, {kind} -1, {kind} {turned}")

    def _along(self, start: str) -> str:
        """Return the position of the extreme of one row along the last axis."""
        text, kind = self._text, key_type(self._type)
        best, begin_slot, of_block = text.slot(kind), text.slot("i64"), text.slot(kind)
        text.line(f"store {kind} {self._key(start)}, ptr {best}")
        text.line(f"store i64 0, ptr {begin_slot}")
        blocks = text.value(f"udiv i64 {text.value(f'add i64 %n, {_BLOCK - 1}')}, {_BLOCK}")
        with text.counted_loop(blocks) as block:
            begin = times(text, block, _BLOCK)
            text.line(f"store {kind} 0, ptr {of_block}")
            with text.counted_loop(self._end(begin), begin, VECTOR_LOOP) as number:
                key = self._key(sum_of(text, start, number), PARALLEL)
                before = text.value(f"load {kind}, ptr {of_block}")
                greater = text.call(kind, f"llvm.umax.{kind}", f"{kind} {before}", f"{kind} {key}")
                text.line(f"store {kind} {greater}, ptr {of_block}")
            block_best, best_so_far = (
                text.value(f"load {kind}, ptr {slot}") for slot in (of_block, best)
            )
            with text.only_if(text.value(f"icmp ugt {kind} {block_best}, {best_so_far}")):
                text.line(f"store {kind} {block_best}, ptr {best}")
                text.line(f"store i64 {begin}, ptr {begin_slot}")
        return self._first(start, best, begin_slot)

    def _end(self, begin: str) -> str:
        stop = sum_of(self._text, begin, _BLOCK)
        return self._text.call("i64", "llvm.umin.i64", f"i64 {stop}", "i64 %n")

    def _first(self, start: str, best: str, begin_slot: str) -> str:
        """Return the position of the first element of a block that is the extreme."""
        text, kind = self._text, key_type(self._type)
        extreme = text.value(f"load {kind}, ptr {best}")
        begin = text.value(f"load i64, ptr {begin_slot}")
        stop, position = self._end(begin), text.slot("i64")
        text.line(f"store i64 -1, ptr {position}")
        with text.counted_loop(stop, begin, VECTOR_LOOP) as number:
            key = self._key(sum_of(text, start, number), PARALLEL)
            same = text.value(f"icmp eq {kind} {key}, {extreme}")
            before = text.value(f"load i64, ptr {position}")
            candidate = text.value(f"select i1 {same}, i64 {number}, i64 -1")
            least = text.call("i64", "llvm.umin.i64", f"i64 {before}", f"i64 {candidate}")
            text.line(f"store i64 {least}, ptr {position}")
        return text.value(f"load i64, ptr {position}")

    def _columns(self, outer: str, first: str) -> None:
        """Emit the search in a block of columns, row by row."""
        text, kind = self._text, self._kind
        values, positions = text.slot(f"[{_COLUMNS} x {kind}]"), text.slot(f"[{_COLUMNS} x i64]")
        remaining = text.value(f"sub i64 %inner, {first}")
        width = text.call("i64", "llvm.umin.i64", f"i64 {remaining}", f"i64 {_COLUMNS}")
        start = sum_of(text, times(text, times(text, outer, "%n"), "%inner"), first)
        with text.counted_loop("%n") as number:
            row = sum_of(text, start, times(text, number, "%inner"))
            is_first = text.value(f"icmp eq i64 {number}, 0")
            with text.counted_loop(width, "0", VECTOR_LOOP) as column:
                x = self._load(sum_of(text, row, column), PARALLEL)
                value_at = place(text, self._type, values, column)
                place_at = place(text, ir.INT64, positions, column)
                best = load_element(text, value_at, self._type, PARALLEL)
                best_row = load_element(text, place_at, ir.INT64, PARALLEL)
                better = text.value(f"or i1 {is_first}, {self._is_better(x, best)}")
                best = text.value(f"select i1 {better}, {kind} {x}, {kind} {best}")
                best_row = text.value(f"select i1 {better}, i64 {number}, i64 {best_row}")
                store_element(text, value_at, self._type, best, PARALLEL)
                store_element(text, place_at, ir.INT64, best_row, PARALLEL)
        result = sum_of(text, times(text, outer, "%inner"), first)
        with text.counted_loop(width, "0", VECTOR_LOOP) as column:
            best_row = load_element(
                text, place(text, ir.INT64, positions, column), ir.INT64, PARALLEL
            )
            self._store(best_row, sum_of(text, result, column), PARALLEL)
