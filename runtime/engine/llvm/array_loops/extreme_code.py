"""LLVM code of positions of extremes: the first greatest or least element; NaN comes before all.

Along the last axis the extreme is found as vectors, the last of which may overlap the one before;
then the first vector that has it is looked for.  Along another axis blocks of columns keep values
and positions on the stack.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, LoopFunction
from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.text import llvm_type
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math import processor
from runtime.ops.rules.loops import Extreme

_COLUMNS = 256
"""Columns that are handled at once."""


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
        code.finish_and_call()

    def _is_better(self, value: LaneValue, best: LaneValue) -> LaneValue:
        """Return whether a value comes before the best one so far."""
        better = value > best if self._plan.greatest else value < best
        return better if value.type.kind != "f" else better | (value.is_nan() & ~best.is_nan())

    def _along(self, start: LaneValue) -> LaneValue:
        """Return the position of the extreme of one row along the last axis."""
        code, n, x = self._code, self._n, self._x
        row, position = code.address(x.at(start)), CodeVariable(code, SIZE)
        lanes = max(processor.host().vector_bits // x.type.bits, 1)
        for is_short in code.text.either((n < lanes).name):
            if is_short:
                self._one_by_one(start, position)
            else:
                type = x.type.with_lanes(lanes)
                _Row(code, row, n, type, self._plan.greatest).search(position)
        return position.get()

    def _one_by_one(self, start: LaneValue, position: CodeVariable) -> None:
        """Put the position of the extreme of a short row in a variable."""
        code, x = self._code, self._x
        best = CodeVariable(code, x.type)
        best.set(x[start])
        position.set(0)
        with code.each(self._n, 1) as number:
            value = x[start + number]
            better = self._is_better(value, best.get())
            best.set(better.choose(value, best.get()))
            position.set(better.choose(number, position.get()))

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


class _Row:
    """Code of the search of a row of at least a vector of numbers."""

    def __init__(
        self, code: Builder, row: Address, n: LaneValue, type: ir.Scalar, greatest: bool
    ) -> None:
        self._code = code
        self._row = row
        self._n = n
        self._type = type
        self._greatest = greatest
        self._place = CodeVariable(code, SIZE)

    def search(self, position: CodeVariable) -> None:
        """Put the position of the first extreme in a variable."""
        code, type = self._code, self._type
        best = CodeVariable(code, type)
        unordered = CodeVariable(code, ir.BOOL.with_lanes(type.lanes))
        best.set(self._begin())
        if type.kind == "f":
            unordered.set(best.get().is_nan())
        with code.repeat_while(self._goes_on):
            values, before = self._next(), best.get()
            better = values > before if self._greatest else values < before
            best.set(better.choose(values, before))
            if type.kind == "f":
                unordered.set(unordered.get() | values.is_nan())
        extreme = self._extreme_lane(best.get()).spread(type.lanes)
        if type.kind != "f":
            self._find(lambda values: values == extreme, position)
            return
        for is_nan in code.text.either(unordered.get().any()):
            self._find(LaneValue.is_nan if is_nan else lambda values: values == extreme, position)

    def _values(self) -> LaneValue:
        type = self._type
        return self._row.element(type.lane, self._place.get()).load(type, type.bits // 8)

    def _begin(self) -> LaneValue:
        """Return the first values."""
        self._place.set(0)
        return self._values()

    def _goes_on(self) -> LaneValue:
        """Return whether there are more."""
        return self._place.get() + self._type.lanes < self._n

    def _next(self) -> LaneValue:
        """Return the next values; the last ones are those before the end."""
        lanes = self._type.lanes
        self._place.set((self._place.get() + lanes).call("umin", self._n - lanes))
        return self._values()

    def _extreme_lane(self, values: LaneValue) -> LaneValue:
        """Return the extreme of the lanes, none of which is NaN."""
        code, type = self._code, self._type
        if type.lanes == 1:
            return values
        end, sign = "max" if self._greatest else "min", {"f": "f", "i": "s", "u": "u"}[type.kind]
        kind, number = llvm_type(type), llvm_type(type.lane)
        suffix = f"v{type.lanes}{'f' if sign == 'f' else 'i'}{type.bits}"
        name = f"llvm.vector.reduce.{sign}{end}.{suffix}"
        code.text.declared[name] = f"declare {number} @{name}({kind})"
        flags = "nnan " if sign == "f" else ""
        call = f"call {flags}{number} @{name}({kind} {values})"
        return code.value(code.text.value(call), type.lane)

    def _find(self, is_extreme: Callable[[LaneValue], LaneValue], position: CodeVariable) -> None:
        """Put the position of the first lane that is the extreme in a variable."""
        code, lanes = self._code, self._type.lanes
        hits = CodeVariable(code, ir.Scalar("u", lanes) if lanes > 1 else ir.BOOL)

        def note(values: LaneValue) -> None:
            bits = is_extreme(values)
            hits.set(bits.emit(f"bitcast {bits.kind} {bits} to i{lanes}") if lanes > 1 else bits)

        def goes_on() -> LaneValue:
            missed = code.value(code.text.value(f"icmp eq i{lanes} {hits.get()}, 0"), ir.BOOL)
            return missed & self._goes_on()

        note(self._begin())
        with code.repeat_while(goes_on):
            note(self._next())
        wide = code.value(code.text.value(f"zext i{lanes} {hits.get()} to i64"))
        first = code.text.call("i64", "llvm.cttz.i64", f"i64 {wide}", "i1 false")
        position.set(self._place.get() + code.value(first))
