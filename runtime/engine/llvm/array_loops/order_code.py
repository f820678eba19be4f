"""LLVM code that puts elements in order along an axis, or finds their positions in order, and code
that finds where values would stand in sorted rows, by bisection.

Few are inserted one by one into a sorted list.  Many are sorted by their keys' bytes, from the last
to the first (LSD radix sort, Seward 1954), which is stable; a byte that all keys share is skipped.
*Keys* are unsigned ints in the order of the elements that they stand for; NaN is the greatest.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, LoopFunction
from runtime.engine.llvm.builder import SIZE, ArrayElements, CodeVariable
from runtime.engine.llvm.text import literal, llvm_type
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math import processor
from runtime.engine.llvm.workspace_code import GIVE, TAKE
from runtime.ops.rules.loops import Ordering, Search


def key_type(type: ir.Scalar) -> ir.Scalar:
    """Return the type of the keys of elements."""
    return ir.Scalar("u", 64 if type.bits > 32 else 32)


def key_of(x: LaneValue, signed_zeros: bool = False) -> LaneValue:
    """Return the key of an element, or those of a vector of them; both zeros have one, unless their
    order is to be kept.
    """
    key = key_type(x.type).with_lanes(x.type.lanes)
    if x.type.kind != "f":
        return _flip_sign(x, x.type._replace(kind="u")).to(key)
    is_nan = x.is_nan()
    if not signed_zeros:  # the sum of zeros of both signs is 0.0
        x = x + 0.0
    word = x.emit(f"bitcast {x.kind} {x} to {llvm_type(key)}", key)
    negative = word.emit(f"ashr {word.kind} {word}, {literal(key.bits - 1, key)}")
    return is_nan.choose(word.constant(-1), word ^ (negative | -(1 << key.bits - 1)))


def _flip_sign(x: LaneValue, type: ir.Scalar) -> LaneValue:
    """Return an int of the other type, which has a sign if this has none; it is turned round."""
    moved = x if "i" not in (x.type.kind, type.kind) else x ^ -(1 << x.type.bits - 1)
    return LaneValue(x.writer, type, moved.name)


def element_of(key: LaneValue, type: ir.Scalar) -> LaneValue:
    """Return the element of a type that has a key."""
    if type.kind != "f":
        return _flip_sign(key.to(ir.Scalar("u", type.bits)), type)
    positive = key.emit(f"ashr {key.kind} {key}, {key.type.bits - 1}")
    word = key ^ (positive ^ -1 | -(1 << key.type.bits - 1))
    return word.emit(f"bitcast {word.kind} {word} to {llvm_type(type)}", type)


_FEW = 48
"""Up to so many elements are inserted one by one."""
_PLACE = ir.Scalar("u", 32)
"""Type of positions on the way."""


def emit_order(frame: LoopFrame, plan: Ordering) -> None:
    """Emit the ordering."""
    sizes = frame.sizes(0)
    count = limit = sizes[plan.axis]
    frame.require(frame.text.value(f"icmp ult i64 {count}, {1 << 31}"))
    if plan.limit is not None:
        limit = frame.number(plan.limit).name
        frame.require(frame.text.value(f"icmp ule i64 {limit}, {count}"))
    _Order(frame, plan, sizes, limit).emit()


class _Order:
    """Function of an ordering: elements, results, sizes before, along and after the axis, and how
    many come out; it gives False if there is no memory.
    """

    def __init__(self, frame: LoopFrame, plan: Ordering, sizes: list[str], limit: str) -> None:
        code = self._code = LoopFunction(frame, "", "i1")
        self._frame = frame
        self._plan = plan
        self._x = code.array("x", frame.array(0))
        of_results = [*sizes[: plan.axis], limit, *sizes[plan.axis + 1 :]]
        results = [frame.result(n, of_results) for n in range(len(plan.results))]
        self._results = [code.array(f"o{n}", result) for n, result in enumerate(results)]
        self._outer, self._n, self._inner = code.extents(sizes, plan.axis)
        self._k = code.number("k", limit)
        self._key = key_type(self._x.type)
        self._passes = max(self._x.type.bits // 8, 1)
        self._places = any(plan.results)
        """Whether positions are moved with the keys."""
        self._buffers: list[str] = []
        """Slots of the addresses of keys, of positions, and of places for either."""
        self._counts = self._x

    def emit(self) -> None:
        """Add the function and its call."""
        code, text, n = self._code, self._code.text, self._n
        item = self._key.bits // 8
        size = n * (2 * (item + (4 if self._places else 0)))
        memory = text.call("ptr", TAKE, f"i64 {size + 1}")
        text.give_if(text.is_null(memory), "i1 false")
        key_bytes = n * item
        keys = [memory, text.gep(memory, key_bytes.name)]
        places = [text.gep(keys[1], key_bytes.name)]
        places.append(text.gep(places[0], (n * 4).name))
        self._buffers = [text.slot("ptr") for _ in range(4)]
        self._counts = code.memory(ir.INT64, 256 * self._passes).as_type(SIZE)
        few = self._k <= _FEW
        with code.each(self._outer) as outer, code.each(self._inner) as column:
            for buffer, address in zip(self._buffers, (*keys, *places), strict=True):
                text.line(f"store ptr {address}, ptr {buffer}")
            start = outer * n * self._inner + column
            result = outer * self._k * self._inner + column
            for is_few in text.either(few.name):
                self._insert(start) if is_few else self._sort(start)
            self._write(start, result)
        text.call("void", GIVE, f"ptr {memory}")
        self._frame.require(code.finish_and_call("true"))

    def _key_at(self, start: LaneValue, number: LaneValue) -> LaneValue:
        """Return the key of an element; the greatest has the least if they descend."""
        return self._key_of(self._x[start + number * self._inner])

    def _key_of(self, element: LaneValue) -> LaneValue:
        key = key_of(element, not self._places)
        return key ^ -1 if self._plan.descending else key

    def _buffer(self, number: int) -> ArrayElements:
        """Return the elements that a buffer has now: those of keys are the first two."""
        type = self._key if number < 2 else _PLACE
        address = self._code.text.load(self._buffers[number])
        return ArrayElements(self._code, type, address)

    # -- few elements -----------------------------------------------------------------------------

    def _insert(self, start: LaneValue) -> None:
        """Insert each element that is among the first ones into a sorted list of them."""
        code, k = self._code, self._k
        last_index = k - 1
        count = (k != 0).choose(self._n, 0)
        index, following = CodeVariable(code, SIZE), CodeVariable(code, SIZE)
        following.set(0)
        with code.repeat_while(lambda: self._next_candidate(start, following, last_index) < count):
            number = following.get()
            following.set(number + 1)
            key = self._key_at(start, number)
            room = number < k
            index.set(number.call("umin", last_index))
            with code.only_if(room.or_else(lambda: key < self._buffer(0)[last_index])):
                self._shift(index, key)
                place = index.get()
                self._buffer(0)[place] = key
                if self._places:
                    self._buffer(2)[place] = number

    def _next_candidate(
        self, start: LaneValue, place: CodeVariable, last_index: LaneValue
    ) -> LaneValue:
        """Pass over vectors of elements that all come after the last of the sorted ones, unless
        there are columns; return the next place.
        """
        code, type = self._code, self._x.type
        lanes = processor.host().vector_bits // self._key.bits
        if lanes < 2 or type == ir.BOOL:
            return place.get()

        def passes() -> LaneValue:
            values = code.address(self._x.at(start + place.get()))
            key = self._key_of(values.load(type.with_lanes(lanes), type.bits // 8))
            comes_before = key < self._buffer(0)[last_index].spread(lanes)
            return code.value(comes_before.any(), ir.BOOL) == code.constant(False, ir.BOOL)

        def may_pass() -> LaneValue:
            has_all = (place.get() > last_index) & (place.get() + lanes <= self._n)
            return has_all & (self._inner == 1)

        with code.repeat_while(lambda: may_pass().and_then(passes)):
            place.set(place.get() + lanes)
        return place.get()

    def _shift(self, index: CodeVariable, key: LaneValue) -> None:
        """Move what is greater than a key one place on."""
        keys, places = self._buffer(0), self._buffer(2)

        def is_greater() -> LaneValue:
            place = index.get()
            return (place != 0).and_then(lambda: keys[place - 1] > key)

        with self._code.repeat_while(is_greater):
            place = index.get()
            before = place - 1
            keys[place] = keys[before]
            if self._places:
                places[place] = places[before]
            index.set(before)

    # -- many elements ----------------------------------------------------------------------------

    def _sort(self, start: LaneValue) -> None:
        """Sort all elements of a row by their keys' bytes."""
        code, n = self._code, self._n
        self._counts.clear(256 * self._passes)
        with code.each(n) as number:
            key = self._key_at(start, number)
            self._buffer(0)[number] = key
            if self._places:
                self._buffer(2)[number] = number
            for number_of_pass in range(self._passes):
                self._count(number_of_pass, key)
        for number_of_pass in range(self._passes):
            first = self._buffer(0).first()
            same = self._counts[self._byte(number_of_pass, first)]
            with code.only_if(same != n):
                self._pass(number_of_pass)

    def _byte(self, number: int, key: LaneValue) -> LaneValue:
        """Return the number of the counter of a key's byte."""
        return (key >> 8 * number & 255).to(SIZE) + 256 * number

    def _count(self, number: int, key: LaneValue) -> LaneValue:
        """Add one to the counter of a key's byte; return what it was."""
        counter = self._byte(number, key)
        before = self._counts[counter]
        self._counts[counter] = before + 1
        return before

    def _pass(self, number: int) -> None:
        """Move all keys to their places by one byte, and exchange the buffers."""
        code, total = self._code, CodeVariable(self._code, SIZE)
        total.set(0)
        with code.each(256) as byte:
            counter = byte + 256 * number
            count, before = self._counts[counter], total.get()
            self._counts[counter] = before
            total.set(before + count)
        with code.each(self._n) as index:
            key = self._buffer(0)[index]
            to = self._count(number, key)
            self._buffer(1)[to] = key
            if self._places:
                self._buffer(3)[to] = self._buffer(2)[index]
        for slots in (self._buffers[:2], self._buffers[2:]):
            addresses = [code.text.load(slot) for slot in slots]
            for slot, address in zip(slots, reversed(addresses), strict=True):
                code.text.line(f"store ptr {address}, ptr {slot}")

    # -- results ----------------------------------------------------------------------------------

    def _write(self, start: LaneValue, result: LaneValue) -> None:
        """Write what comes out, in order, from the buffers."""
        with self._code.each(self._k) as number:
            to = result + number * self._inner
            position = self._buffer(2)[number] if self._places else number
            for results, are_positions in zip(self._results, self._plan.results, strict=True):
                if are_positions:
                    results[to] = position
                elif self._places:
                    results[to] = self._x[start + position.to(SIZE) * self._inner]
                else:
                    key = self._buffer(0)[number]
                    key = key ^ -1 if self._plan.descending else key
                    results[to] = element_of(key, self._x.type)


def emit_search(frame: LoopFrame, plan: Search) -> None:
    """Emit the search: a function of rows, values, results, and how many there are of each."""
    (*rows, length), (*value_rows, value_count) = frame.sizes(0), frame.sizes(1)
    frame.all_equal(rows, value_rows)
    code = LoopFunction(frame)
    x, values = code.array("x", frame.array(0)), code.array("v", frame.array(1))
    results = code.array("o", frame.result(0, [*value_rows, value_count]))
    row_count = code.number("rows", frame.product(value_rows))
    n, m = code.number("n", length), code.number("m", value_count)
    with code.each(row_count) as row, code.each(m) as number:
        first = row * n
        to = row * m + number
        key = key_of(values[to])
        low, size = CodeVariable(code, SIZE), CodeVariable(code, SIZE)
        low.set(first)
        size.set(n)
        with code.text.repeat_while(lambda: (size.get() > 0).name):
            remaining = size.get()
            half = remaining >> 1
            begin = low.get()
            middle = begin + half
            key_there = key_of(x[middle])
            after = key_there <= key if plan.right else key_there < key
            low.set(after.choose(middle + 1, begin))
            size.set(after.choose(remaining - half - 1, half))
        results[to] = low.get() - first
    code.finish_and_call()
