"""LLVM code of scans: sums, products and the like of all elements up to each one along an axis.

Rows along the last axes are combined with the row before, as vectors; a scan along the last axis
keeps its result in a register.
"""

from __future__ import annotations

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, LoopFunction
from runtime.engine.llvm.builder import ArrayElements, CodeVariable
from runtime.engine.llvm.element_code import rounded_to
from runtime.engine.llvm.values import LaneValue, apply_to_numbers
from runtime.ops.rules.loops import Scan

FLOAT = ir.Scalar("f", 32)


def emit(frame: LoopFrame, plan: Scan) -> None:
    """Emit a scan."""
    number = 1 if plan.opcode == "linear" else 0
    sizes = frame.sizes(number)
    if number:
        frame.all_equal(frame.sizes(0), sizes)
    _Scan(frame, plan, [frame.array(n) for n in range(number + 1)], sizes).emit()


class _Scan:
    """Function of a scan: elements, factors, results, sizes before, along and after the axis."""

    def __init__(
        self, frame: LoopFrame, plan: Scan, inputs: list[ArrayElements], sizes: list[str]
    ) -> None:
        code = self._code = LoopFunction(frame)
        result = frame.result(0, sizes)
        self._plan = plan
        self._x, self._factors = code.array("x", inputs[-1]), code.array("a", inputs[0])
        self._results = code.array("o", result)
        self._outer, self._n, self._inner = code.extents(sizes, plan.axis)
        self._total = CodeVariable(code, result.type)
        """The result before, along the last axis."""

    def emit(self) -> None:
        """Add the function and its call."""
        code, n = self._code, self._n
        with code.only_if(n != 0), code.each(self._outer) as outer:
            start = outer * n * self._inner
            for inner in code.by_columns(self._inner):
                self._scan(start, inner)
        code.finish_and_call()

    def _scan(self, start: LaneValue, inner: LaneValue | None) -> None:
        """Emit the scan of one row, or of rows that lie one behind the other."""
        code, plan, n = self._code, self._plan, self._n
        first, begin = self._at(start, n.constant(0)), 1
        with code.each_column(inner) as column:
            unit = self._results.constant(plan.unit)
            self._put(first + column, unit if plan.exclusive else self._x[first + column])
        if plan.exclusive:  # the second result is the first element
            with code.only_if(n > 1), code.each_column(inner) as column:
                self._put(self._at(start, n.constant(1)) + column, self._x[first + column])
            begin = 2
        with code.each(n.call("umax", n.constant(begin)), begin) as step:
            row, above = self._at(start, step), self._at(start, step - 1)
            with code.each_column(inner) as column:
                before = self._total.get() if inner is None else self._results[above + column]
                self._put(row + column, self._next(before, row + column, above + column))

    def _at(self, start: LaneValue, step: LaneValue) -> LaneValue:
        """Return where the row of a step begins."""
        if self._plan.reverse:
            step = self._n - 1 - step
        return start + step * self._inner

    def _put(self, index: LaneValue, value: LaneValue) -> None:
        self._total.set(value)
        self._results[index] = value

    def _next(self, before: LaneValue, current: LaneValue, previous: LaneValue) -> LaneValue:
        """Return the result at an index, given that at the one before."""
        x = self._x[previous if self._plan.exclusive else current]
        if self._plan.opcode != "linear":
            return combine(self._plan.opcode, before, x)
        return x + self._factors[previous if self._plan.lagged else current] * before


def combine(opcode: str, x: LaneValue, y: LaneValue) -> LaneValue:
    """Return the combination of two numbers, in the order of NumPy's functions."""
    if opcode != "logaddexp":
        return x.apply(opcode, y)
    type = FLOAT if x.type in ir.NARROW else x.type  # NumPy's loop calls the C library
    names = [x.name, y.name]
    name = apply_to_numbers(x.text, opcode, (type, type), type, names)
    return LaneValue(x.writer, x.type, name if type == x.type else rounded_to(x.text, x.type, name))
