"""LLVM code of positions of extremes: the first greatest or least element; NaN comes before all.

Along the last axis a block's extreme is found as vectors; the block that has the first one is
searched at the end.  Along another axis blocks of columns keep values and positions on the stack.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.engine.llvm.array_loops.loop_function import LoopFunction
from runtime.engine.llvm.array_loops.order_keys import key_of, key_type
from runtime.engine.llvm.builder import SIZE, CodeVariable
from runtime.engine.llvm.values import LaneValue
from runtime.ops.rules.loops import Extreme

_BLOCK, _COLUMNS = 256, 256
"""Elements of a row, and columns, that are handled at once."""


def emit(frame: LoopFrame, plan: Extreme) -> None:
    """Emit the search of extremes."""
    sizes = frame.sizes(0)
    frame.require(frame.text.value(f"icmp ne i64 {sizes[plan.axis]}, 0"))
    _Extreme(frame, plan, sizes).emit()


class _Extreme:
    """Function of a search: elements, positions, sizes before, along and after the axis."""

    def __init__(self, frame: LoopFrame, plan: Extreme, sizes: list[str]) -> None:
        code = self._code = LoopFunction(frame)
        x = code.array("x", frame.array(0))
        self._x = x.as_type(ir.Scalar("u", 8)) if x.type == ir.BOOL else x
        result = frame.result(0, [*sizes[: plan.axis], *sizes[plan.axis + 1 :]])
        self._results = code.array("o", result)
        self._outer, self._n, self._inner = code.extents(sizes, plan.axis)
        self._plan = plan

    def emit(self) -> None:
        """Add the function and its call."""
        code, results = self._code, self._results
        for inner in code.by_columns(self._inner):
            with code.each(self._outer) as outer:
                if inner is None:
                    results[outer] = self._along(outer * self._n)
                else:
                    with code.each(inner.divided_up(_COLUMNS)) as block:
                        self._columns(outer, block * _COLUMNS)
        code.call()

    def _is_better(self, value: LaneValue, best: LaneValue) -> LaneValue:
        """Return whether a value comes before the best one so far."""
        better = value > best if self._plan.greatest else value < best
        return better if value.type.kind != "f" else better | (value.is_nan() & ~best.is_nan())

    def _key(self, index: LaneValue) -> LaneValue:
        """Return an unsigned int that is the greater, the sooner an element is the extreme."""
        x = self._x[index]
        key = key_of(x)
        if self._plan.greatest:
            return key
        turned = key ^ -1
        return turned if x.type.kind != "f" else x.is_nan().choose(turned.constant(-1), turned)

    def _along(self, start: LaneValue) -> LaneValue:
        """Return the position of the extreme of one row along the last axis."""
        code, key = self._code, key_type(self._x.type)
        best, first, of_block = (
            CodeVariable(code, key),
            CodeVariable(code, SIZE),
            CodeVariable(code, key),
        )
        best.set(self._key(start))
        first.set(0)
        with code.each_chunk(self._n, _BLOCK) as (begin, stop):
            of_block.set(0)
            with code.each_vector(stop, begin) as number:
                key_there = self._key(start + number)
                of_block.set(of_block.get().call("umax", key_there))
            block_best = of_block.get()
            with code.only_if(block_best > best.get()):
                best.set(block_best)
                first.set(begin)
        return self._first(start, best.get(), first.get())

    def _first(self, start: LaneValue, extreme: LaneValue, begin: LaneValue) -> LaneValue:
        """Return the position of the first element of a block that is the extreme."""
        code, position = self._code, CodeVariable(self._code, SIZE)
        position.set(-1)
        stop = (begin + _BLOCK).call("umin", self._n)
        with code.each_vector(stop, begin) as number:
            is_extreme = self._key(start + number) == extreme
            candidate = is_extreme.choose(number, -1)
            position.set(position.get().call("umin", candidate))
        return position.get()

    def _columns(self, outer: LaneValue, first: LaneValue) -> None:
        """Emit the search in a block of columns, row by row."""
        code, x, n, inner = self._code, self._x, self._n, self._inner
        values, positions = code.memory(x.type, _COLUMNS), code.memory(SIZE, _COLUMNS)
        width = (inner - first).call("umin", inner.constant(_COLUMNS))
        start = outer * n * inner + first
        with code.each(n) as number:
            row = start + number * inner
            is_first = number == 0
            with code.each_vector(width) as column:
                # all loads before the stores: LLVM's vectors are a quarter faster
                value, best, best_row = x[row + column], values[column], positions[column]
                better = is_first | self._is_better(value, best)
                values[column] = better.choose(value, best)
                positions[column] = better.choose(number, best_row)
        result = outer * inner + first
        with code.each_vector(width) as column:
            self._results[result + column] = positions[column]
