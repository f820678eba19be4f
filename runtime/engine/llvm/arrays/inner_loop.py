"""LLVM code of the innermost loop of a fusion: one row along the last axis.

A reduction along this axis goes by strips: the results of strips are combined one after the other,
so that the rounding errors of long sums stay small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.combination import (
    ComplexSum,
    Total,
    identity,
    is_in_order,
    reduce_pair,
    total_of,
)
from runtime.engine.llvm.arrays.elements import SpacePoint, compute, load, store
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.element_code import stored_type
from runtime.engine.llvm.text import (
    ANY,
    PLAIN_LOOP,
    VECTOR_LOOP,
    Bounds,
    FunctionText,
    llvm_type,
)

COUNTER = Bounds(0, ANY.high)
"""Bounds of the counters of loops."""
STRIP = 4096
"""Elements that are combined before their result is added to that of the others."""


class Row(NamedTuple):
    """One row along the last axis.

    begins   addresses of the arguments' first elements; of numbers, their names
    results  addresses of the first elements of the results
    length   the number of elements
    gave_up  slot of whether an operation gave up; empty if none can
    positions  by axis of the space: the position of the row
    wide     numbers of the results that are float32, though float16 are added up
    """

    begins: Sequence[str]
    results: Sequence[str]
    length: str
    gave_up: str
    positions: Mapping[int, str]
    wide: frozenset[int] = frozenset()


class InnerLoop:
    """Innermost loop, for strides that are units, or any."""

    def __init__(
        self, text: FunctionText, fusion: Fusion, axis: int, row: Row, is_unit: bool
    ) -> None:
        self._text = text
        self._fusion = fusion
        self._axis = axis
        self._row = row
        self._is_unit = is_unit
        self._totals: dict[int, tuple[str, Total | ComplexSum]] = {}
        """By number of an output that is combined along this axis: the slot of a strip, and all."""
        self._invariants: dict[int, str] = {}
        """By number of an argument that is the same all along: its element."""
        self._moving: dict[int, int] = {}
        """By number of any other array: its axis."""

    def emit(self) -> None:
        """Emit the loop, and the store of what was combined."""
        text, row = self._text, self._row
        end = text.label("end")
        text.refuse(text.value(f"icmp eq i64 {row.length}, 0"), end)
        self._prepare()
        if not self._totals:
            self._loop("0", row.length)
        else:
            self._strips()
        text.line(f"br label %{end}")
        text.start(end)

    def _prepare(self) -> None:
        text, fusion = self._text, self._fusion
        for number, layout in enumerate(fusion.layouts):
            if number in fusion.computed.free:
                continue
            axis = None if layout is None else layout.axes(fusion.dims)[self._axis]
            if layout is None:
                self._invariants[number] = self._row.begins[number]
            elif axis is None:
                self._invariants[number] = load(text, layout.element, self._row.begins[number])
            else:
                self._moving[number] = axis
        for number, output in enumerate(fusion.outputs):
            reduction = fusion.reduction_of(output)
            if reduction is not None and self._axis in reduction.axes:
                type = fusion.type_of(output)
                slot = text.slot(llvm_type(type))
                self._totals[number] = slot, total_of(text, self._opcode(number), type)

    # -- strips -----------------------------------------------------------------------------------

    def _strips(self) -> None:
        """Emit a loop over strips, and add what was found to the results."""
        text, count = self._text, self._row.length
        place = text.slot("i64")
        text.line(f"store i64 0, ptr {place}")
        for number, (strip, total) in self._totals.items():
            total.begin()
            if self._is_in_order(number):  # goes on from what other rows gave
                type = self._cell_type(number)
                cell = load(text, type, self._row.results[number])
                text.line(f"store {llvm_type(type)} {cell}, ptr {strip}")
        head, end = text.label("strip"), text.label("end")
        text.line(f"br label %{head}")
        text.start(head)
        start = text.value(f"load i64, ptr {place}")
        remaining = text.value(f"sub i64 {count}, {start}")
        length = text.call("i64", "llvm.umin.i64", f"i64 {remaining}", f"i64 {STRIP}")
        stop = text.value(f"add i64 {start}, {length}")
        text.line(f"store i64 {stop}, ptr {place}")
        in_strips = {
            n: accumulators for n, accumulators in self._totals.items() if not self._is_in_order(n)
        }
        for number, (strip, _) in in_strips.items():
            type = self._type(number)
            unit = identity(self._opcode(number), type)
            text.line(f"store {llvm_type(type)} {unit}, ptr {strip}")
        self._loop(start, stop)
        for number, (strip, total) in in_strips.items():
            total.add(text.value(f"load {llvm_type(self._type(number))}, ptr {strip}"))
        text.branch(text.value(f"icmp ult i64 {stop}, {count}"), head, end)
        text.start(end)
        for number, (strip, total) in self._totals.items():
            type, cell = self._cell_type(number), self._row.results[number]
            if number not in in_strips:
                store(text, type, text.value(f"load {llvm_type(type)}, ptr {strip}"), cell)
                continue
            before, value = load(text, type, cell), total.result()
            store(text, type, reduce_pair(text, self._opcode(number), type, before, value), cell)

    def _cell_type(self, number: int) -> ir.Scalar:
        return ir.Scalar("f", 32) if number in self._row.wide else self._type(number)

    def _is_in_order(self, number: int) -> bool:
        return is_in_order(self._opcode(number), self._type(number))

    def _type(self, number: int) -> ir.Scalar:
        return self._fusion.type_of(self._fusion.outputs[number])

    def _opcode(self, number: int) -> str:
        fusion = self._fusion
        return fusion.members[fusion.outputs[number] - len(fusion.args)].opcode

    # -- elements ---------------------------------------------------------------------------------

    def _loop(self, start: str, stop: str) -> None:
        """Emit the loop over the elements from one place to another."""
        metadata = VECTOR_LOOP if self._is_unit else PLAIN_LOOP
        with self._text.counted_loop(stop, start, metadata) as counter:
            self._element(counter)

    def _element(self, counter: str) -> None:
        text, fusion = self._text, self._fusion
        values = [self._value(number, counter) for number in range(len(fusion.args))]
        text.bounds[counter] = COUNTER
        places = {**self._row.positions, self._axis: counter}
        flag = compute(
            text, fusion, values, SpacePoint(lambda axis: places.get(axis, "0"), self._load)
        )
        if flag is not None:
            before = text.value(f"load i1, ptr {self._row.gave_up}")
            combination = text.value(f"or i1 {before}, {flag}")
            text.line(f"store i1 {combination}, ptr {self._row.gave_up}")
        for number, output in enumerate(fusion.outputs):
            type, reduction = fusion.type_of(output), fusion.reduction_of(output)
            if number in self._totals:
                slot, kind = self._totals[number][0], llvm_type(type)
                before = text.value(f"load {kind}, ptr {slot}")
                combination = reduce_pair(text, self._opcode(number), type, before, values[output])
                text.line(f"store {kind} {combination}, ptr {slot}")
                continue
            place, value = self._place_of_result(number, type, counter), values[output]
            if reduction is not None:
                value = reduce_pair(
                    text, self._opcode(number), type, load(text, type, place), value
                )
            store(text, type, value, place)

    def _place_of_result(self, number: int, type: ir.Scalar, counter: str) -> str:
        begin, target = self._row.results[number], self._fusion.target
        if target in self._invariants:
            return begin
        if target is not None:
            return self._place(target, counter)
        return self._text.value(f"getelementptr {stored_type(type)}, ptr {begin}, i64 {counter}")

    def _place(self, number: int, counter: str) -> str:
        """Return the address of the element of an array."""
        text, begin = self._text, self._row.begins[number]
        if self._is_unit:
            type = stored_type(self._fusion.type_of(number))
            return text.value(f"getelementptr {type}, ptr {begin}, i64 {counter}")
        offset = text.value(f"mul i64 {counter}, %a{number}s{self._moving[number]}")
        return text.gep(begin, offset)

    def _value(self, number: int, counter: str) -> str:
        """Return the element of an argument."""
        if number in self._invariants:
            return self._invariants[number]
        if number == self._fusion.target or number in self._fusion.computed.free:
            return ""
        return load(self._text, self._fusion.type_of(number), self._place(number, counter))

    def _load(self, number: int, places: Sequence[str]) -> str:
        """Return the element of an argument at computed places."""
        text, address = self._text, self._row.begins[number]
        type = self._fusion.type_of(number)
        *outer, innermost = enumerate(places)
        for axis, place in outer:
            offset = text.value(f"mul i64 {place}, %a{number}s{axis}")
            address = text.gep(address, offset)
        if self._is_unit:
            move = f"getelementptr {stored_type(type)}, ptr {address}, i64 {innermost[1]}"
            return load(text, type, text.value(move))
        offset = text.value(f"mul i64 {innermost[1]}, %a{number}s{innermost[0]}")
        return load(text, type, text.gep(address, offset))
