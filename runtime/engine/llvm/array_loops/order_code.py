"""LLVM code that puts elements in order along an axis, or finds their positions in order.

Few are inserted one by one into a sorted list.  Many are sorted by their keys' bytes, from the last
to the first (LSD radix sort, Seward 1954), which is stable; a byte that all keys share is skipped.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, function, place, sum_of, times
from runtime.engine.llvm.array_loops.order_keys import element_of, key_of, key_type
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.scalar_code import OPCODES
from runtime.engine.llvm.text import FunctionText
from runtime.ops.rules.loops import Ordering

_FEW = 48
"""Up to so many elements are inserted one by one."""
_INT32 = ir.INT32


def emit(frame: LoopFrame, plan: Ordering) -> None:
    """Emit the ordering."""
    text, sizes = frame.text, frame.sizes(0)
    count = limit = sizes[plan.axis]
    frame.require(text.value(f"icmp ult i64 {count}, {1 << 31}"))
    if plan.limit is not None:
        type = frame.element(plan.limit)
        limit, _ = OPCODES["cast"](text, (type,), ir.INT64, (frame.names[plan.limit],))
        frame.require(text.value(f"icmp ule i64 {limit}, {count}"))
    before, after = sizes[: plan.axis], sizes[plan.axis + 1 :]
    data = frame.data(0)
    results = [frame.result(n, [*before, limit, *after]) for n in range(len(plan.results))]
    counts = [frame.product(before), count, frame.product(after), limit]
    types = [layout.element for layout in frame.loop.gives]
    inner = _Order(frame.name(), frame.element(0), types, plan).function()
    args = [f"ptr {arg}" for arg in (data, *results)] + [f"i64 {arg}" for arg in counts]
    frame.require(frame.call(inner, frame.name(), "i1", args))


class _Order:
    """Function of an ordering: elements, results, sizes before, along and after the axis, and how
    many come out; it gives False if there is no memory.
    """

    def __init__(
        self, name: str, type: ir.Scalar, gives: list[ir.Scalar], plan: Ordering
    ) -> None:
        outs = [f"ptr %o{n}" for n in range(len(plan.results))]
        params = ["ptr %x", *outs, "i64 %outer", "i64 %n", "i64 %inner", "i64 %k"]
        self._text = function(name, "i1", params)
        self._type = type
        self._gives = gives
        self._plan = plan
        self._kind = key_type(type)
        self._key = ir.Scalar("u", int(self._kind[1:]))
        self._passes = max(type.bits // 8, 1)
        self._places = any(plan.results)
        """Whether positions are moved with the keys."""
        self._buffers: list[str] = []
        self._counts = ""

    def function(self) -> FunctionText:
        """Return the function."""
        text = self._text
        item = self._key.bits // 8
        size = times(text, "%n", 2 * (item + (4 if self._places else 0)))
        memory = text.call("ptr", "malloc", f"i64 {sum_of(text, size, 1)}")
        none, good = text.label("none"), text.label("good")
        text.branch(text.value(f"icmp eq ptr {memory}, null"), none, good, likely=False)
        text.start(none)
        text.line("ret i1 false")
        text.start(good)
        key_bytes = times(text, "%n", item)
        keys = [memory, text.gep(memory, key_bytes)]
        places = [text.gep(keys[1], key_bytes)]
        places.append(text.gep(places[0], times(text, "%n", 4)))
        self._buffers = [text.slot("ptr") for _ in range(4)]
        self._counts = text.slot(f"[{256 * self._passes} x i64]")
        few = text.value(f"icmp ule i64 %k, {_FEW}")
        with text.counted_loop("%outer") as outer, text.counted_loop("%inner") as column:
            for slot, address in zip(self._buffers, (*keys, *places), strict=True):
                text.line(f"store ptr {address}, ptr {slot}")
            start = sum_of(text, times(text, times(text, outer, "%n"), "%inner"), column)
            result = sum_of(text, times(text, times(text, outer, "%k"), "%inner"), column)
            inserted, sorted, end = (text.label(name) for name in ("few", "many", "end"))
            text.branch(few, inserted, sorted)
            text.start(inserted)
            self._insert(start)
            text.line(f"br label %{end}")
            text.start(sorted)
            self._sort(start)
            text.line(f"br label %{end}")
            text.start(end)
            self._write(start, result)
        text.call("void", "free", f"ptr {memory}")
        text.line("ret i1 true")
        return text

    def _at(self, start: str, number: str) -> str:
        return sum_of(self._text, start, times(self._text, number, "%inner"))

    def _key_at(self, start: str, number: str) -> str:
        """Return the key of an element; the greatest has the least if they descend."""
        text = self._text
        where = place(text, self._type, "%x", self._at(start, number))
        key = key_of(text, self._type, load_element(text, where, self._type), not self._places)
        return text.value(f"xor {self._kind} {key}, -1") if self._plan.descending else key

    def _buffer(self, number: int) -> str:
        return self._text.value(f"load ptr, ptr {self._buffers[number]}")

    def _load(self, buffer: int, index: str) -> str:
        type = self._key if buffer < 2 else _INT32
        where = place(self._text, type, self._buffer(buffer), index)
        return load_element(self._text, where, type)

    def _put(self, buffer: int, index: str, value: str) -> None:
        type = self._key if buffer < 2 else _INT32
        where = place(self._text, type, self._buffer(buffer), index)
        store_element(self._text, where, type, value)

    # -- few elements -----------------------------------------------------------------------------

    def _insert(self, start: str) -> None:
        """Insert each element that is among the first ones into a sorted list of them."""
        text = self._text
        last_index = text.value("sub i64 %k, 1")
        keeps_any = text.value("icmp ne i64 %k, 0")
        count = text.value(f"select i1 {keeps_any}, i64 %n, i64 0")
        index_slot = text.slot("i64")
        with text.counted_loop(count) as number:
            key = self._key_at(start, number)
            room = text.value(f"icmp ult i64 {number}, %k")
            place = text.call("i64", "llvm.umin.i64", f"i64 {number}", f"i64 {last_index}")
            text.line(f"store i64 {place}, ptr {index_slot}")
            look, take, skip = (text.label(name) for name in ("look", "take", "skip"))
            text.branch(room, take, look)
            text.start(look)
            less = text.value(f"icmp ult {self._kind} {key}, {self._load(0, last_index)}")
            text.branch(less, take, skip)
            text.start(take)
            self._shift(index_slot, key)
            index = text.value(f"load i64, ptr {index_slot}")
            self._put(0, index, key)
            if self._places:
                self._put(2, index, text.value(f"trunc i64 {number} to i32"))
            text.line(f"br label %{skip}")
            text.start(skip)

    def _shift(self, index_slot: str, key: str) -> None:
        """Move what is greater than a key one place on."""
        text = self._text
        head, compare, move, done = (text.label(name) for name in ("head", "more", "move", "done"))
        text.line(f"br label %{head}")
        text.start(head)
        index = text.value(f"load i64, ptr {index_slot}")
        text.branch(text.value(f"icmp eq i64 {index}, 0"), done, compare)
        text.start(compare)
        before = text.value(f"sub i64 {index}, 1")
        previous = self._load(0, before)
        text.branch(text.value(f"icmp ugt {self._kind} {previous}, {key}"), move, done)
        text.start(move)
        self._put(0, index, previous)
        if self._places:
            self._put(2, index, self._load(2, before))
        text.line(f"store i64 {before}, ptr {index_slot}")
        text.line(f"br label %{head}")
        text.start(done)

    # -- many elements ----------------------------------------------------------------------------

    def _sort(self, start: str) -> None:
        """Sort all elements of a row by their keys' bytes."""
        text = self._text
        size = 256 * self._passes * 8
        text.line(f"call void @llvm.memset.p0.i64(ptr {self._counts}, i8 0, i64 {size}, i1 false)")
        text.declared["llvm.memset.p0.i64"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
        with text.counted_loop("%n") as number:
            key = self._key_at(start, number)
            self._put(0, number, key)
            if self._places:
                self._put(2, number, text.value(f"trunc i64 {number} to i32"))
            for number_of_pass in range(self._passes):
                where = self._counter(number_of_pass, key)
                incremented = sum_of(text, text.value(f"load i64, ptr {where}"), 1)
                text.line(f"store i64 {incremented}, ptr {where}")
        for number_of_pass in range(self._passes):
            first = self._load(0, "0")
            same = text.value(f"load i64, ptr {self._counter(number_of_pass, first)}")
            with text.only_if(text.value(f"icmp ne i64 {same}, %n")):
                self._pass(number_of_pass)

    def _counter(self, number: int, key: str) -> str:
        """Return the address of the counter of a key's byte."""
        text = self._text
        byte = text.value(f"lshr {self._kind} {key}, {8 * number}")
        byte = text.value(f"and {self._kind} {byte}, 255")
        if self._kind != "i64":
            byte = text.value(f"zext {self._kind} {byte} to i64")
        return place(text, ir.INT64, self._counts, sum_of(text, byte, 256 * number))

    def _pass(self, number: int) -> None:
        """Move all keys to their places by one byte, and exchange the buffers."""
        text = self._text
        total = text.slot("i64")
        text.line(f"store i64 0, ptr {total}")
        with text.counted_loop("256") as byte:
            where = place(text, ir.INT64, self._counts, sum_of(text, byte, 256 * number))
            count = text.value(f"load i64, ptr {where}")
            before = text.value(f"load i64, ptr {total}")
            text.line(f"store i64 {before}, ptr {where}")
            text.line(f"store i64 {sum_of(text, before, count)}, ptr {total}")
        with text.counted_loop("%n") as index:
            key = self._load(0, index)
            where = self._counter(number, key)
            to = text.value(f"load i64, ptr {where}")
            text.line(f"store i64 {sum_of(text, to, 1)}, ptr {where}")
            self._put(1, to, key)
            if self._places:
                self._put(3, to, self._load(2, index))
        for current, alternate in ((0, 1), (2, 3)):
            first, second = self._buffer(current), self._buffer(alternate)
            text.line(f"store ptr {second}, ptr {self._buffers[current]}")
            text.line(f"store ptr {first}, ptr {self._buffers[alternate]}")

    # -- results ----------------------------------------------------------------------------------

    def _write(self, start: str, result: str) -> None:
        """Write the results of a row."""
        text = self._text
        with text.counted_loop("%k") as number:
            position = "0"
            if self._places:
                position = text.value(f"zext i32 {self._load(2, number)} to i64")
            to = sum_of(text, result, times(text, number, "%inner"))
            for output, (positions, type) in enumerate(
                zip(self._plan.results, self._gives, strict=True)
            ):
                if positions:
                    value = OPCODES["cast"](text, (ir.INT64,), type, (position,))[0]
                elif self._places:
                    where = place(text, self._type, "%x", self._at(start, position))
                    value = load_element(text, where, self._type)
                else:
                    key = self._load(0, number)
                    if self._plan.descending:
                        key = text.value(f"xor {self._kind} {key}, -1")
                    value = element_of(text, self._type, key)
                store_element(text, place(text, type, f"%o{output}", to), type, value)
