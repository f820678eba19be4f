"""LLVM code of scatters: rows of an array are combined with updates at indexes, one by one.

All indexes are checked before anything is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, LoopFunction
from runtime.engine.llvm.array_loops.scan_code import combine
from runtime.engine.llvm.arrays.combination import reduce_pair
from runtime.engine.llvm.builder import SIZE, ArrayElements, CodeVariable
from runtime.engine.llvm.text import literal
from runtime.engine.llvm.values import LaneValue
from runtime.ops.rules.loops import Scatter


def emit(frame: LoopFrame, plan: Scatter) -> None:
    """Emit a scatter."""
    _ScatterCode(frame, plan).emit()


class _ScatterCode:
    """Code of one scatter."""

    def __init__(self, frame: LoopFrame, plan: Scatter) -> None:
        self._frame = frame
        self._plan = plan
        self._type = frame.loop.gives[0].element
        self._depth = plan.depth or 1
        self._of_indices = frame.sizes(plan.indices)
        self._indices = frame.array(plan.indices)
        if plan.depth is not None:
            frame.equal(self._of_indices.pop(), str(plan.depth))
        self._count = frame.product(self._of_indices)

    def emit(self) -> None:
        """Emit it: sizes, checks, the array, the loop."""
        frame, plan, axis = self._frame, self._plan, self._plan.axis
        sizes = self._sizes()
        indexed = sizes[axis : axis + self._depth]
        before, after = sizes[:axis], sizes[axis + self._depth :]
        self._check(indexed)
        updates = self._updates([*before, *self._of_indices, *after])
        if plan.base is None:
            target = frame.result(0, sizes)
            start = target.constant(plan.empty if plan.sorted else plan.start)
            with frame.each_vector(frame.product(sizes)) as number:
                target[number] = start
        else:
            target = frame.own_array(plan.base)
        self._run(target, updates, [frame.product(before), frame.product(after)], indexed)
        if plan.base is not None:
            frame.give_argument(0, plan.base)

    def _function(self, suffix: str, gives: str) -> tuple[LoopFunction, ArrayElements, LaneValue]:
        """Begin a function of the indexes and their number."""
        code = LoopFunction(self._frame, suffix, gives)
        return code, code.array("i", self._indices), code.number("count", self._count)

    # -- sizes ------------------------------------------------------------------------------------

    def _sizes(self) -> list[str]:
        """Return the sizes of the result."""
        frame, plan = self._frame, self._plan
        if plan.base is not None:
            return frame.sizes(plan.base)
        if plan.how == "count":
            return [self._greatest()]
        if plan.rows is None:
            return [self._last(), *frame.sizes(plan.updates)[1:]]
        if frame.loop.layouts[plan.rows].dims:
            vector, rank = frame.array(plan.rows), len(frame.loop.gives[0].dims)
            frame.equal(frame.size(plan.rows, 0), str(rank))
            sizes = (vector[frame.value(axis)].to(ir.INT64) for axis in range(rank))
            return [frame.not_negative(size) for size in sizes]
        axes = len(frame.loop.layouts[plan.indices].dims)
        number = frame.not_negative(frame.number(plan.rows))
        return [number, *frame.sizes(plan.updates)[axes:]]

    def _greatest(self) -> str:
        """Return the least size that all indexes fit, and not less than the second input."""
        least = self._frame.not_negative(self._frame.number(1))
        code, indices, count = self._function("_max", "i64")
        code.number("least", least)
        best = CodeVariable(code, ir.INT64, "%least")
        with code.each_vector(count) as number:
            size = indices[number].to(ir.INT64) + 1
            best.set(best.get().call("smax", size))
        return code.finish_and_call(best.get())

    def _last(self) -> str:
        """Return one more than the last of sorted indexes, 0 if there are none."""
        frame, size = self._frame, CodeVariable(self._frame, ir.INT64)
        size.set(0)
        count = frame.value(self._count)
        with frame.only_if(count != 0):
            size.set(self._indices[count - 1].to(ir.INT64) + 1)
        return frame.not_negative(size.get())

    def _check(self, limits: Sequence[str]) -> None:
        """Leave it to the kernel unless all indexes exist."""
        code, indices, count = self._function("_check", "i1")
        sizes = [code.number(f"limit{n}", limit) for n, limit in enumerate(limits)]
        bad = CodeVariable(code, ir.BOOL, "false")
        with code.each_vector(count) as number:
            first = number * self._depth if self._depth > 1 else number
            is_bad = bad.get()
            for axis, limit in enumerate(sizes):
                index = indices[first + axis].to(ir.INT64)
                is_bad = is_bad | self._is_wrong(index, limit)
            bad.set(is_bad)
        if self._plan.sorted:
            with code.each_vector(count.call("umax", count.constant(1)), 1) as number:
                before = indices[number - 1].to(ir.INT64)
                index = indices[number].to(ir.INT64)
                bad.set(bad.get() | (index < before))
        self._frame.refuse(code.finish_and_call(bad.get()))

    def _is_wrong(self, index: LaneValue, limit: LaneValue) -> LaneValue:
        if self._plan.below == "drop":
            return index >= limit
        if self._plan.below == "wrap":
            return (index + limit).as_type(SIZE) >= limit * 2
        return index.as_type(SIZE) >= limit

    # -- the loop ---------------------------------------------------------------------------------

    def _updates(self, sizes: Sequence[str]) -> ArrayElements | str:
        """Return the updates, or the number that all of them are."""
        frame, plan = self._frame, self._plan
        if plan.how == "count":
            return literal(1, self._type)
        if not frame.loop.layouts[plan.updates].dims:
            return frame.names[plan.updates]
        frame.all_equal(frame.sizes(plan.updates), sizes)
        return frame.array(plan.updates)

    def _run(
        self, target: ArrayElements, updates: ArrayElements | str, extents: Sequence[str],
        limits: Sequence[str],
    ) -> None:  # fmt: skip
        """Emit the function of the loop, and its call."""
        code, before = LoopFunction(self._frame), extents[0]
        rows, indices = code.array("t", target), code.array("i", self._indices)
        if isinstance(updates, ArrayElements):
            source: ArrayElements | LaneValue = code.array("u", updates)
        else:
            source = code.number("u", updates, self._type)
        outer_count, count = code.number("outer", before), code.number("count", self._count)
        inner = code.number("inner", extents[1])
        sizes = [code.number(f"limit{n}", limit) for n, limit in enumerate(limits)]
        extent = code.value(1)
        for size in sizes:
            extent = extent * size
        for columns in code.by_columns(inner):
            with code.each(outer_count) as outer, code.each(count) as number:
                start = outer * extent
                row, exists = self._row(indices, number, sizes)
                with code.only_if(exists):
                    width = inner.constant(1) if columns is None else columns
                    to = (start + row) * width
                    update = (outer * count + number) * width
                    begins = self._begins(indices, number) if self._plan.sorted else None
                    with code.each_column(columns) as column:
                        if isinstance(source, ArrayElements):
                            self._update(rows, to + column, source[update + column], begins)
                        else:
                            self._update(rows, to + column, source, begins)
        code.finish_and_call()

    def _row(
        self, indices: ArrayElements, number: LaneValue, sizes: Sequence[LaneValue]
    ) -> tuple[LaneValue, LaneValue]:
        """Return the number of a row of the array, and whether it is updated at all."""
        row, exists = number, LaneValue(number.writer, ir.BOOL, "true")
        first = number * self._depth if self._depth > 1 else number
        for axis, limit in enumerate(sizes):
            index = indices[first + axis].to(ir.INT64)
            if self._plan.below == "wrap":
                index = index + (index < 0).choose(limit, 0)
            elif self._plan.below:
                exists = index >= 0
            row = row * limit + index if axis else index
        return row, exists

    def _begins(self, indices: ArrayElements, number: LaneValue) -> LaneValue:
        """Return whether an update is the first of its row; indexes are sorted."""
        first = number == 0
        before = first.choose(0, number - 1)
        return first | (indices[number] != indices[before])

    def _update(
        self, rows: ArrayElements, place: LaneValue, update: LaneValue, begins: LaneValue | None
    ) -> None:
        """Emit the update of one element."""
        how = self._plan.how
        if how != "update":
            old = rows[place]
            if begins is not None:
                old = begins.choose(old.constant(self._plan.start), old)
            update = _combined(how, old, update)
        rows[place] = update


def _combined(how: str, old: LaneValue, update: LaneValue) -> LaneValue:
    """Return what an element becomes."""
    if how in ("max", "min"):
        return reduce_pair(how, old, update)
    return combine("add" if how == "count" else how, old, update)
