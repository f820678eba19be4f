"""LLVM code of scatters: rows of an array are combined with updates at indexes, one by one.

All indexes are checked before anything is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, function, place, sum_of, times
from runtime.engine.llvm.array_loops.scan_code import combine
from runtime.engine.llvm.arrays.combination import reduce_pair
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.scalar_code import OPCODES
from runtime.engine.llvm.text import PARALLEL, VECTOR_LOOP, FunctionText, literal, llvm_type
from runtime.ops.rules.loops import Scatter


def emit(frame: LoopFrame, plan: Scatter) -> None:
    """Emit a scatter."""
    _ScatterCode(frame, plan).emit()


class _ScatterCode:
    """Code of one scatter."""

    def __init__(self, frame: LoopFrame, plan: Scatter) -> None:
        self._frame = frame
        self._plan = plan
        self._text = frame.text
        self._index = frame.element(plan.indices)
        self._type = frame.loop.gives[0].element
        self._depth = plan.depth or 1

    def emit(self) -> None:
        """Emit it: sizes, checks, the array, the loop."""
        frame, plan = self._frame, self._plan
        of_indices = frame.sizes(plan.indices)
        indices = frame.data(plan.indices)
        if plan.depth is not None:
            frame.equal(of_indices.pop(), str(plan.depth))
        count = frame.product(of_indices)
        sizes = self._sizes(indices, count)
        axis = plan.axis
        indexed = sizes[axis : axis + self._depth]
        before, after = sizes[:axis], sizes[axis + self._depth :]
        self._check(indices, count, indexed)
        updates = self._updates([*before, *of_indices, *after])
        if plan.base is None:
            target = frame.result(0, sizes)
            start = literal(plan.empty if plan.sorted else plan.start, self._type)
            self._fill(target, frame.product(sizes), start)
        else:
            target = frame.own_data(plan.base)
        counts = [frame.product(before), count, frame.product(after), *indexed]
        self._run(target, indices, updates, counts)
        if plan.base is not None:
            frame.give(0, plan.base)

    # -- sizes ------------------------------------------------------------------------------------

    def _sizes(self, indices: str, count: str) -> list[str]:
        """Return the sizes of the result."""
        frame, plan, text = self._frame, self._plan, self._text
        rank = len(frame.loop.gives[0].dims)
        if plan.base is not None:
            return frame.sizes(plan.base)
        if plan.how == "count":
            return [self._greatest(indices, count)]
        if plan.rows is None:
            return [self._last(indices, count), *frame.sizes(plan.updates)[1:]]
        if frame.loop.layouts[plan.rows].dims:
            vector = frame.data(plan.rows)
            frame.equal(frame.size(plan.rows, 0), str(rank))
            type, sizes = frame.element(plan.rows), list[str]()
            for axis in range(rank):
                size = load_element(text, place(text, type, vector, str(axis)), type)
                sizes.append(self._wide(type, size))
                frame.require(text.value(f"icmp sge i64 {sizes[-1]}, 0"))
            return sizes
        number = self._wide(frame.element(plan.rows), frame.names[plan.rows])
        frame.require(text.value(f"icmp sge i64 {number}, 0"))
        axes = len(frame.loop.layouts[plan.indices].dims)
        return [number, *frame.sizes(plan.updates)[axes:]]

    def _wide(self, type: ir.Scalar, value: str) -> str:
        return OPCODES["cast"](self._text, (type,), ir.INT64, (value,))[0]

    def _greatest(self, indices: str, count: str) -> str:
        """Return the least size that all indexes fit, and not less than the second input."""
        frame, text = self._frame, self._text
        least = self._wide(frame.element(1), frame.names[1])
        frame.require(text.value(f"icmp sge i64 {least}, 0"))
        name = frame.name("_max")
        inner = function(name, "i64", ["ptr %i", "i64 %count", "i64 %least"])
        best = inner.slot("i64", "%least")
        with inner.counted_loop("%count", "0", VECTOR_LOOP) as number:
            wide = self._load_index(inner, "%i", number, PARALLEL)
            before = inner.value(f"load i64, ptr {best}")
            size = sum_of(inner, wide, 1)
            greatest = inner.call("i64", "llvm.smax.i64", f"i64 {before}", f"i64 {size}")
            inner.line(f"store i64 {greatest}, ptr {best}")
        inner.line(f"ret i64 {inner.value(f'load i64, ptr {best}')}")
        return frame.call(inner, name, "i64", [f"ptr {indices}", f"i64 {count}", f"i64 {least}"])

    def _last(self, indices: str, count: str) -> str:
        """Return one more than the last of sorted indexes, 0 if there are none."""
        text, slot = self._text, self._text.slot("i64")
        text.line(f"store i64 0, ptr {slot}")
        with text.only_if(text.value(f"icmp ne i64 {count}, 0")):
            last_index = self._load_index(text, indices, text.value(f"sub i64 {count}, 1"))
            text.line(f"store i64 {sum_of(text, last_index, 1)}, ptr {slot}")
        size = text.value(f"load i64, ptr {slot}")
        self._frame.require(text.value(f"icmp sge i64 {size}, 0"))
        return size

    def _load_index(self, text: FunctionText, base: str, number: str, mark: str = "") -> str:
        """Return an index as an int64."""
        value = load_element(text, place(text, self._index, base, number), self._index, mark)
        return OPCODES["cast"](text, (self._index,), ir.INT64, (value,))[0]

    def _check(self, indices: str, count: str, limits: Sequence[str]) -> None:
        """Leave it to the kernel unless all indexes exist."""
        frame, name = self._frame, self._frame.name("_check")
        params = ["ptr %i", "i64 %count", *(f"i64 %limit{n}" for n in range(self._depth))]
        text = function(name, "i1", params)
        bad = text.slot("i1", "false")
        with text.counted_loop("%count", "0", VECTOR_LOOP) as number:
            first = times(text, number, self._depth) if self._depth > 1 else number
            is_bad = text.value(f"load i1, ptr {bad}")
            for axis in range(self._depth):
                index = self._load_index(text, "%i", sum_of(text, first, axis), PARALLEL)
                wrong = self._is_wrong(text, index, f"%limit{axis}")
                is_bad = text.value(f"or i1 {is_bad}, {wrong}")
            text.line(f"store i1 {is_bad}, ptr {bad}")
        if self._plan.sorted:
            self._check_order(text, bad)
        text.line(f"ret i1 {text.value(f'load i1, ptr {bad}')}")
        args = [f"ptr {indices}", f"i64 {count}", *(f"i64 {limit}" for limit in limits)]
        wrong = frame.call(text, name, "i1", args)
        frame.require(self._text.value(f"xor i1 {wrong}, true"))

    def _is_wrong(self, text: FunctionText, index: str, limit: str) -> str:
        if self._plan.below == "drop":
            return text.value(f"icmp sge i64 {index}, {limit}")
        if self._plan.below == "wrap":
            moved, twice_limit = sum_of(text, index, limit), times(text, limit, 2)
            return text.value(f"icmp uge i64 {moved}, {twice_limit}")
        return text.value(f"icmp uge i64 {index}, {limit}")

    def _check_order(self, text: FunctionText, bad: str) -> None:
        """Note whether an index is less than the one before."""
        stop = text.call("i64", "llvm.umax.i64", "i64 %count", "i64 1")
        with text.counted_loop(stop, "1", VECTOR_LOOP) as number:
            before = self._load_index(text, "%i", text.value(f"sub i64 {number}, 1"), PARALLEL)
            index = self._load_index(text, "%i", number, PARALLEL)
            is_bad = text.value(f"load i1, ptr {bad}")
            less = text.value(f"icmp slt i64 {index}, {before}")
            text.line(f"store i1 {text.value(f'or i1 {is_bad}, {less}')}, ptr {bad}")

    # -- the loop ---------------------------------------------------------------------------------

    def _updates(self, sizes: Sequence[str]) -> str:
        """Return the address of the updates, or the number that all of them are."""
        frame, plan = self._frame, self._plan
        if plan.how == "count":
            return literal(1, self._type)
        if not frame.loop.layouts[plan.updates].dims:
            return frame.names[plan.updates]
        for update_size, size in zip(frame.sizes(plan.updates), sizes, strict=True):
            frame.equal(update_size, size)
        return frame.data(plan.updates)

    def _fill(self, target: str, count: str, start: str) -> None:
        text = self._text
        with text.counted_loop(count, "0", VECTOR_LOOP) as number:
            where = place(text, self._type, target, number)
            store_element(text, where, self._type, start, PARALLEL)

    def _run(self, target: str, indices: str, updates: str, counts: Sequence[str]) -> None:
        """Emit the call of the loop."""
        frame, name = self._frame, self._frame.name()
        is_number = self._plan.how == "count" or not frame.loop.layouts[self._plan.updates].dims
        kind = llvm_type(self._type) if is_number else "ptr"
        params = ["ptr %t", "ptr %i", f"{kind} %u", "i64 %outer", "i64 %count", "i64 %inner"]
        params += [f"i64 %limit{n}" for n in range(self._depth)]
        text = function(name, "void", params)
        extent = "1"
        for axis in range(self._depth):
            extent = times(text, extent, f"%limit{axis}")
        single = text.value("icmp eq i64 %inner, 1")
        single_column, rows = text.label("one"), text.label("rows")
        text.branch(single, single_column, rows)
        for label, inner in ((single_column, "1"), (rows, "%inner")):
            text.start(label)
            with text.counted_loop("%outer") as outer, text.counted_loop("%count") as number:
                start = times(text, outer, extent)
                self._update(text, start, outer, number, inner, is_number)
            text.line("ret void")
        args = [f"ptr {target}", f"ptr {indices}", f"{kind} {updates}"]
        frame.call(text, name, "void", [*args, *(f"i64 {count}" for count in counts)])

    def _update(
        self, text: FunctionText, start: str, outer: str, number: str, inner: str, is_number: bool
    ) -> None:
        """Emit the update of one row."""
        row, exists = self._row(text, number)
        in_range, done = text.label("here"), text.label("done")
        text.branch(exists, in_range, done)
        text.start(in_range)
        to = times(text, sum_of(text, start, row), inner)
        update = times(text, sum_of(text, times(text, outer, "%count"), number), inner)
        begins = ""
        if self._plan.sorted:
            begins = self._begins(text, number)
        if inner == "1":
            self._element(text, to, update, is_number, begins, "")
        else:
            with text.counted_loop(inner, "0", VECTOR_LOOP) as column:
                target_index, update_index = sum_of(text, to, column), sum_of(text, update, column)
                self._element(text, target_index, update_index, is_number, begins, PARALLEL)
        text.line(f"br label %{done}")
        text.start(done)

    def _row(self, text: FunctionText, number: str) -> tuple[str, str]:
        """Return the number of a row of the array, and whether it is updated at all."""
        row, exists = "0", "true"
        first = times(text, number, self._depth) if self._depth > 1 else number
        for axis in range(self._depth):
            index = self._load_index(text, "%i", sum_of(text, first, axis))
            if self._plan.below:
                negative = text.value(f"icmp slt i64 {index}, 0")
                if self._plan.below == "wrap":
                    shift = text.value(f"select i1 {negative}, i64 %limit{axis}, i64 0")
                    index = sum_of(text, index, shift)
                else:
                    exists = text.value(f"xor i1 {negative}, true")
            row = index if axis == 0 else sum_of(text, times(text, row, f"%limit{axis}"), index)
        return row, exists

    def _begins(self, text: FunctionText, number: str) -> str:
        """Return whether an update is the first of its row; indexes are sorted."""
        first = text.value(f"icmp eq i64 {number}, 0")
        previous = text.value(f"sub i64 {number}, 1")
        before = text.value(f"select i1 {first}, i64 0, i64 {previous}")
        index, index_before = (self._load_index(text, "%i", n) for n in (number, before))
        differs = text.value(f"icmp ne i64 {index}, {index_before}")
        return text.value(f"or i1 {first}, {differs}")

    def _element(
        self,
        text: FunctionText,
        target_index: str,
        update_index: str,
        is_number: bool,
        begins: str,
        mark: str,
    ) -> None:
        """Emit the update of one element."""
        type, kind = self._type, llvm_type(self._type)
        update = "%u"
        if not is_number:
            update = load_element(text, place(text, type, "%u", update_index), type, mark)
        where = place(text, type, "%t", target_index)
        if self._plan.how != "update":
            old = load_element(text, where, type, mark)
            if begins:
                start = literal(self._plan.start, type)
                old = text.value(f"select i1 {begins}, {kind} {start}, {kind} {old}")
            update = _updated_element(text, self._plan.how, type, old, update)
        store_element(text, where, type, update, mark)


def _updated_element(text: FunctionText, how: str, type: ir.Scalar, old: str, update: str) -> str:
    """Return what an element becomes."""
    if how in ("max", "min"):
        return reduce_pair(text, how, type, old, update)
    return combine(text, "add" if how == "count" else how, type, old, update)


