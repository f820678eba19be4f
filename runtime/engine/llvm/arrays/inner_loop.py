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
from runtime.engine.llvm.arrays.elements import SpacePoint, compute
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.builder import SIZE, ArrayElements, Builder, CodeVariable
from runtime.engine.llvm.kernel_types import ANY, Bounds
from runtime.engine.llvm.loop_facts import PLAIN_LOOP, SHORT_LOOP, VECTOR_LOOP
from runtime.engine.llvm.values import LaneValue
from runtime.engine.llvm.vector_math import processor


def lanes_of(fusion: Fusion) -> int:
    """Return how many elements of the widest type a vector has; 1 if there are no vectors."""
    types = [fusion.type_of(value) for value in range(len(fusion.args) + len(fusion.members))]
    widest = max(max(type.part.bits, 8) for type in types)
    return max(processor.host().vector_bits // widest, 1)


COUNTER = Bounds(0, ANY.high)
"""Bounds of the counters of loops."""
_SHORT = 128
"""Longest rows that LLVM may write out, element by element."""
STRIP = 4096
"""Elements that are combined before their result is added to that of the others."""


class Row(NamedTuple):
    """One row along the last axis.

    begins   addresses of the arguments' first elements; of numbers, their names
    results  addresses of the first elements of the results
    length   the number of elements
    gave_up  whether an operation gave up; None if none can
    positions  by axis of the space: the position of the row
    wide     numbers of the results that are float32, though float16 are added up
    known_length  the number of elements, if it is known: more than 0
    alone    numbers of the results of which a row gives all, if its length is known
    block    first element, and the one after the last, if it is a part of the row
    """

    begins: Sequence[str]
    results: Sequence[str]
    length: LaneValue
    gave_up: CodeVariable | None
    positions: Mapping[int, str]
    wide: frozenset[int] = frozenset()
    known_length: int | None = None
    alone: frozenset[int] = frozenset()
    block: tuple[LaneValue, LaneValue] | None = None


class InnerLoop:
    """Innermost loop, for strides that are units, or any."""

    def __init__(self, code: Builder, fusion: Fusion, axis: int, row: Row, is_unit: bool) -> None:
        self._code = code
        self._fusion = fusion
        self._axis = axis
        self._row = row
        self._is_unit = is_unit
        self._totals: dict[int, tuple[CodeVariable, Total | ComplexSum]] = {}
        """By number of an output that is combined along this axis: that of a strip, and of all."""
        self._invariants: dict[int, str] = {}
        """By number of an argument that is the same all along: its element."""
        self._moving: dict[int, ArrayElements] = {}
        """By number of any other array that is not free: its elements along the row."""

    def emit(self) -> None:
        """Emit the loop, and the store of what was combined."""
        if self._row.known_length is not None:
            self._emit_some()
            return
        with self._code.only_if(self._row.length != 0, likely=True):
            self._emit_some()

    def _emit_some(self) -> None:
        """Emit the loop over one element or more."""
        self._prepare()
        if not self._totals:
            self._loop(*(self._row.block or (self._code.value(0), self._row.length)))
        elif (self._row.known_length or STRIP + 1) <= STRIP:
            self._only_strip()
        else:
            self._strips()

    def _prepare(self) -> None:
        code, fusion, begins = self._code, self._fusion, self._row.begins
        for number, layout in enumerate(fusion.layouts):
            if number in fusion.computed.free:
                continue
            axis = None if layout is None else layout.axes(fusion.dims)[self._axis]
            if layout is None:
                self._invariants[number] = begins[number]
            elif axis is None:
                self._invariants[number] = self._cell(layout.element, begins[number]).first().name
            else:
                stride = None if self._is_unit else code.value(f"%a{number}s{axis}")
                self._moving[number] = ArrayElements(code, layout.element, begins[number], stride)
        for number, output in enumerate(fusion.outputs):
            reduction = fusion.reduction_of(output)
            if reduction is not None and self._axis in reduction.axes:
                type = fusion.type_of(output)
                strip = CodeVariable(code, type)
                self._totals[number] = strip, total_of(code, fusion.opcode_of(number), type)

    def _cell(self, type: ir.Scalar, address: str) -> ArrayElements:
        return ArrayElements(self._code, type, address)

    # -- strips -----------------------------------------------------------------------------------

    def _only_strip(self) -> None:
        """Emit the loop over a row that is a strip, and add what was found to the results."""
        for number, (strip, _) in self._totals.items():
            opcode, type = self._fusion.opcode_of(number), self._fusion.result_type(number)
            in_order = self._is_in_order(number)
            strip.set(self._result_cell(number).first() if in_order else identity(opcode, type))
        self._loop(self._code.value(0), self._row.length)
        for number, (strip, _) in self._totals.items():
            cell, value = self._result_cell(number), strip.get()
            if not (self._is_in_order(number) or number in self._row.alone):
                value = reduce_pair(self._fusion.opcode_of(number), cell.first(), value)
            cell.put(value)

    def _strips(self) -> None:
        """Emit a loop over strips, and add what was found to the results."""
        code, count = self._code, self._row.length
        place = CodeVariable(code, SIZE)
        place.set(0)
        in_strips = [number for number in self._totals if not self._is_in_order(number)]
        for number, (strip, total) in self._totals.items():
            total.begin()
            if number not in in_strips:  # goes on from what other rows gave
                strip.set(self._result_cell(number).first())
        with code.text.repeat("strip") as goes_on:
            start = place.get()
            remaining = count - start
            stop = start + remaining.call("umin", remaining.constant(STRIP))
            place.set(stop)
            for number in in_strips:
                opcode, type = self._fusion.opcode_of(number), self._fusion.result_type(number)
                self._totals[number][0].set(identity(opcode, type))
            self._loop(start, stop)
            for number in in_strips:
                strip, total = self._totals[number]
                total.add(strip.get())
            goes_on.append((stop < count).name)
        for number, (strip, total) in self._totals.items():
            cell = self._result_cell(number)
            if number not in in_strips:
                cell.put(strip.get())
                continue
            before, value = cell.first(), total.result()
            cell.put(reduce_pair(self._fusion.opcode_of(number), before, value))

    def _result_cell(self, number: int) -> ArrayElements:
        """Return the only element of a result that is combined along the row."""
        wide = ir.Scalar("f", 32) if number in self._row.wide else None
        return self._cell(wide or self._fusion.result_type(number), self._row.results[number])

    def _is_in_order(self, number: int) -> bool:
        return is_in_order(self._fusion.opcode_of(number), self._fusion.result_type(number))

    # -- elements ---------------------------------------------------------------------------------

    def _loop(self, start: LaneValue, stop: LaneValue) -> None:
        """Emit the loop over the elements from one place to another."""
        text, metadata = self._code.text, PLAIN_LOOP
        if self._is_unit:
            metadata = SHORT_LOOP if self._is_short() else VECTOR_LOOP
        with text.counted_loop(stop.name, start.name, metadata) as counter:
            text.bounds[counter] = COUNTER
            self._element(self._code.value(counter))

    def _is_short(self) -> bool:
        """Return whether a row is a few whole vectors: two or more if there is an extreme of it,
        which takes as long as the elements of a vector.
        """
        lanes, length = lanes_of(self._fusion), self._row.known_length or 0
        opcodes = {self._fusion.opcode_of(number) for number in self._totals}
        least = 2 * lanes if opcodes & {"max", "min"} else lanes
        return least <= length <= _SHORT and length % lanes == 0

    def _element(self, counter: LaneValue) -> None:
        code, fusion = self._code, self._fusion
        values = [self._value(number, counter) for number in range(len(fusion.args))]
        places = {**self._row.positions, self._axis: counter.name}
        point = SpacePoint(lambda axis: places.get(axis, "0"), self._load)
        flag = compute(code.text, fusion, values, point)
        if flag is not None and self._row.gave_up is not None:
            self._row.gave_up.set(self._row.gave_up.get() | code.value(flag, ir.BOOL))
        for number, output in enumerate(fusion.outputs):
            value = code.value(values[output], fusion.type_of(output))
            if number in self._totals:
                strip = self._totals[number][0]
                strip.set(reduce_pair(fusion.opcode_of(number), strip.get(), value))
                continue
            results, address = self._place_of_result(number, counter)
            if fusion.reduction_of(output) is not None:
                before = results.load(address)
                value = reduce_pair(fusion.opcode_of(number), before, value)
            results.store(address, value)

    def _place_of_result(self, number: int, counter: LaneValue) -> tuple[ArrayElements, str]:
        """Return the elements of a result, and the address of that of the counter."""
        target = self._fusion.target
        if target is not None and target in self._moving:
            return self._moving[target], self._moving[target].at(counter)
        results = self._cell(self._fusion.result_type(number), self._row.results[number])
        return results, results.at(counter) if target is None else results.address

    def _value(self, number: int, counter: LaneValue) -> str:
        """Return the element of an argument."""
        if number in self._invariants:
            return self._invariants[number]
        if number == self._fusion.target or number in self._fusion.computed.free:
            return ""
        return self._moving[number][counter].name

    def _load(self, number: int, places: Sequence[str]) -> str:
        """Return the element of an argument at computed places."""
        code, address = self._code, self._code.address(self._row.begins[number])
        *outer, innermost = [
            (code.value(place), code.value(f"%a{number}s{axis}"))
            for axis, place in enumerate(places)
        ]
        for place, stride in outer:
            address = address + place * stride
        place, stride = innermost
        type = self._fusion.type_of(number)
        row = ArrayElements(code, type, address.name, None if self._is_unit else stride)
        return row[place].name
