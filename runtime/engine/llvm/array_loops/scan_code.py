"""LLVM code of scans: sums, products and the like of all elements up to each one along an axis.

Rows along the last axes are combined with the row before, as vectors; a scan along the last axis
keeps its result in a register.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame, function, place, sum_of, times
from runtime.engine.llvm.arrays.elements import apply_opcode
from runtime.engine.llvm.element_code import load_element, rounded_to, store_element
from runtime.engine.llvm.scalar_code import OPCODES, compare
from runtime.engine.llvm.text import PARALLEL, VECTOR_LOOP, FunctionText, literal, llvm_type
from runtime.ops.rules.loops import Scan

FLOAT = ir.Scalar("f", 32)


def emit(frame: LoopFrame, plan: Scan) -> None:
    """Emit a scan."""
    number = 1 if plan.opcode == "linear" else 0
    sizes = frame.sizes(number)
    if number:
        for factor_size, size in zip(frame.sizes(0), sizes, strict=True):
            frame.equal(factor_size, size)
    datas = [frame.data(n) for n in range(number + 1)]
    result = frame.result(0, sizes)
    counts = [
        frame.product(sizes[: plan.axis]), sizes[plan.axis], frame.product(sizes[plan.axis + 1 :])
    ]
    args = [f"ptr {data}" for data in (datas[-1], datas[0], result)]
    text = _Scan(frame.name(), frame.element(0), plan).function()
    frame.call(text, frame.name(), "void", [*args, *(f"i64 {count}" for count in counts)])


class _Scan:
    """Function of a scan: elements, factors, results, sizes before, along and after the axis."""

    def __init__(self, name: str, type: ir.Scalar, plan: Scan) -> None:
        params = ["ptr %x", "ptr %a", "ptr %o", "i64 %outer", "i64 %n", "i64 %inner"]
        self._text = function(name, "void", params)
        self._type = type
        self._plan = plan

    def function(self) -> FunctionText:
        """Return the function."""
        text = self._text
        not_empty, done = text.label("some"), text.label("done")
        text.branch(text.value("icmp eq i64 %n, 0"), done, not_empty)
        text.start(not_empty)
        with text.counted_loop("%outer") as outer:
            start = times(text, times(text, outer, "%n"), "%inner")
            single = text.value("icmp eq i64 %inner, 1")
            single_column, rows, end = text.label("one"), text.label("rows"), text.label("end")
            text.branch(single, single_column, rows)
            text.start(single_column)
            self._along(start)
            text.line(f"br label %{end}")
            text.start(rows)
            self._rows(start)
            text.line(f"br label %{end}")
            text.start(end)
        text.line(f"br label %{done}")
        text.start(done)
        text.line("ret void")
        return text

    def _at(self, start: str, step: str) -> str:
        """Return where the row of a step begins."""
        text = self._text
        if self._plan.reverse:
            last_step = text.value("sub i64 %n, 1")
            step = text.value(f"sub i64 {last_step}, {step}")
        return sum_of(text, start, times(text, step, "%inner"))

    def _first(self, index: str) -> str:
        """Return the first result of a row."""
        if self._plan.exclusive:
            return literal(self._plan.unit, self._type)
        return self._load("%x", index)

    def _load(self, base: str, index: str, mark: str = "") -> str:
        where = place(self._text, self._type, base, index)
        return load_element(self._text, where, self._type, mark)

    def _store(self, value: str, index: str, mark: str = "") -> None:
        where = place(self._text, self._type, "%o", index)
        store_element(self._text, where, self._type, value, mark)

    def _next(self, before: str, current: str, previous: str, mark: str = "") -> str:
        """Return the result at an index, given that at the one before."""
        x = self._load("%x", previous if self._plan.exclusive else current, mark)
        if self._plan.opcode != "linear":
            return combine(self._text, self._plan.opcode, self._type, before, x)
        factor = self._load("%a", previous if self._plan.lagged else current, mark)
        product = combine(self._text, "mul", self._type, factor, before)
        return combine(self._text, "add", self._type, x, product)

    def _along(self, start: str) -> None:
        """Emit the scan of one row along the last axis."""
        text, kind = self._text, llvm_type(self._type)
        total = text.slot(kind)
        first = self._at(start, "0")
        text.line(f"store {kind} {self._first(first)}, ptr {total}")
        self._store(self._first(first), first)
        begin = "1"
        if self._plan.exclusive:  # the second result is the first element
            with text.only_if(text.value("icmp ugt i64 %n, 1")):
                x = self._load("%x", first)
                text.line(f"store {kind} {x}, ptr {total}")
                self._store(x, self._at(start, "1"))
            begin = "2"
        stop = text.call("i64", "llvm.umax.i64", "i64 %n", f"i64 {begin}")
        with text.counted_loop(stop, begin) as step:
            current, previous = (
                self._at(start, step),
                self._at(start, text.value(f"sub i64 {step}, 1")),
            )
            value = self._next(text.value(f"load {kind}, ptr {total}"), current, previous)
            text.line(f"store {kind} {value}, ptr {total}")
            self._store(value, current)

    def _rows(self, start: str) -> None:
        """Emit the scan of rows that lie one behind the other."""
        text = self._text
        first = self._at(start, "0")
        with text.counted_loop("%inner", "0", VECTOR_LOOP) as column:
            index = sum_of(text, first, column)
            value = literal(self._plan.unit, self._type)
            if not self._plan.exclusive:
                value = self._load("%x", index, PARALLEL)
            self._store(value, index, PARALLEL)
        begin = "1"
        if self._plan.exclusive:
            with text.only_if(text.value("icmp ugt i64 %n, 1")):
                second = self._at(start, "1")
                with text.counted_loop("%inner", "0", VECTOR_LOOP) as column:
                    value = self._load("%x", sum_of(text, first, column), PARALLEL)
                    self._store(value, sum_of(text, second, column), PARALLEL)
            begin = "2"
        stop = text.call("i64", "llvm.umax.i64", "i64 %n", f"i64 {begin}")
        with text.counted_loop(stop, begin) as step:
            row, above = self._at(start, step), self._at(start, text.value(f"sub i64 {step}, 1"))
            with text.counted_loop("%inner", "0", VECTOR_LOOP) as column:
                current, previous = sum_of(text, row, column), sum_of(text, above, column)
                before = self._load("%o", previous, PARALLEL)
                self._store(self._next(before, current, previous, PARALLEL), current, PARALLEL)


def combine(text: FunctionText, opcode: str, type: ir.Scalar, lhs: str, rhs: str) -> str:
    """Return the combination of two numbers, in the order of NumPy's functions."""
    if type in ir.NARROW and opcode == "logaddexp":
        return rounded_to(text, type, _logaddexp(text, FLOAT, lhs, rhs))
    if opcode == "logaddexp":
        return _logaddexp(text, type, lhs, rhs)
    if type in ir.NARROW or type.kind == "c":
        return apply_opcode(text, opcode, (type, type), type, (lhs, rhs))
    return OPCODES[opcode](text, (type, type), type, (lhs, rhs))[0]


def _logaddexp(text: FunctionText, type: ir.Scalar, lhs: str, rhs: str) -> str:
    """Return ``log(exp(left) + exp(right))`` as NumPy computes it."""

    def apply(opcode: str, *args: Sequence[str]) -> str:
        return OPCODES[opcode](text, (type,) * len(args), type, args)[0]  # type: ignore[arg-type]

    kind = llvm_type(type)
    distance = apply("sub", lhs, rhs)
    size = apply("neg", apply("abs", distance))
    above = compare(text, "gt", type, distance, "0.0")
    top = text.value(f"select i1 {above}, {kind} {lhs}, {kind} {rhs}")
    log_sum = apply("add", top, apply("log1p", apply("exp", size)))
    nan = text.value(f"fcmp uno {kind} {distance}, {distance}")
    log_sum = text.value(f"select i1 {nan}, {kind} {distance}, {kind} {log_sum}")
    same = compare(text, "eq", type, lhs, rhs)
    doubled = apply("add", lhs, literal(0.6931471805599453, ir.FLOAT64) if type.bits == 64 else
                    literal(0.6931471824645996, type))  # fmt: skip
    return text.value(f"select i1 {same}, {kind} {doubled}, {kind} {log_sum}")
