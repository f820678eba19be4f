"""LLVM code of loops whose body is a fusion: all turns of a block, then those of the next block.

A block is as large as some vectors.  It is copied to memory of the function of its own, which LLVM
turns into registers: nothing there is addressed by a number known at run time alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.arrays.elements import compute, load, store
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.fusion_code import ELEMENTS_LOG2, FusionCode
from runtime.engine.llvm.arrays.fusion_tasks import cost
from runtime.engine.llvm.arrays.loop_nest import LoopNest
from runtime.engine.llvm.arrays.repeated_fusion import RepeatedFusion
from runtime.engine.llvm.element_code import stored_size, stored_type
from runtime.engine.llvm.loop_code import Strip, iterations
from runtime.engine.llvm.references import References
from runtime.engine.llvm.text import RARE_LOOP, FunctionText, times, vector_loop
from runtime.engine.llvm.vector_math import processor

VECTORS = 4
"""Vectors in a block: while an operation on one waits for its operands, others go on."""
WORK = 1 << 27
"""Elements times turns times what a turn costs, between two looks at signals: some milliseconds."""


def lanes(fusion: Fusion) -> int:
    """Return how many elements of the widest type a vector has; 1 if there are no vectors."""
    types = [fusion.type_of(value) for value in range(len(fusion.args) + len(fusion.members))]
    widest = max(max(type.part.bits, 8) for type in types)
    return max(processor.host().vector_bits // widest, 1)


class RepeatedNest(LoopNest):
    """Function of a fusion that is repeated: it takes the number of turns, too."""

    def __init__(self, repeated: RepeatedFusion, fusion: Fusion, name: str) -> None:
        super().__init__(fusion, f"{name}_turns")
        self._repeated = repeated

    def params(self) -> list[str]:
        """Return the parameters, with their types."""
        params = super().params()
        place = params.index("i1 %unit") + 1
        return [*params[:place], "i64 %turns", *params[place:]]

    def _rows(self, text: FunctionText, counters: Sequence[str], gave_up: str) -> None:
        """Emit the blocks of a row along the last axis."""
        fusion = self.fusion
        begins = [self._begin(text, number, counters) for number in range(len(fusion.args))]
        ends = [
            self._result(text, number, output, counters)
            for number, output in enumerate(fusion.outputs)
        ]
        _BlocksOfRow(text, self._repeated, self.axes[-1], begins, ends, self._unit).emit(
            f"%n{len(self.axes) - 1}"
        )


class RepeatedCode(FusionCode):
    """Code of a fusion that is repeated, in the function that holds it."""

    def __init__(
        self, text: FunctionText, references: References, views: ArrayViews,
        repeated: RepeatedFusion, names: Sequence[str],
    ) -> None:  # fmt: skip
        fusion = repeated.fusion
        super().__init__(text, references, views, fusion, names, partial(RepeatedNest, repeated))

    def turns(self, strip: Strip, otherwise: str) -> str:
        """Return how many turns of a strip run now (an int64); branch away where blocks do not pay.
        """
        text, elements = self._text, "1"
        for size in self._sizes:
            elements = times(text, elements, size)
        work = times(text, elements, str(cost(self._fusion)))
        work = text.call("i64", "llvm.umax.i64", f"i64 {work}", "i64 1")
        most = text.value(f"udiv i64 {WORK}, {work}")
        length = text.value(f"sub i64 {strip.stop}, {strip.start}")
        turns = text.call("i64", "llvm.umin.i64", f"i64 {most}", f"i64 {length}")
        begin, pays = text.label("begin"), text.value(f"icmp ugt i64 {turns}, 1")
        flat, row = self._is_flat(), self._sizes[self._nest.axes[-1]]
        if flat != "true":
            long = text.value(f"icmp uge i64 {row}, {VECTORS * lanes(self._fusion) // 2}")
            pays = text.value(f"and i1 {pays}, {text.value(f'or i1 {flat}, {long}')}")
        text.branch(pays, begin, otherwise)
        text.start(begin)
        self._nest.extra_args = (f"i64 {turns}",)
        return turns

    def iterations_of(self, turns: str) -> str:
        """Return how many iterations of a loop over numbers take as long (an int32)."""
        text, work = self._text, turns
        for size in self._sizes:
            work = times(text, work, size)
        return iterations(text, work, ELEMENTS_LOG2)


class _BlocksOfRow:
    """Blocks of a row.

    begins   addresses of the arguments' first elements; of numbers, their names
    results  addresses of the first elements of the results
    unit     whether the elements of the arguments follow one another
    """

    def __init__(
        self, text: FunctionText, repeated: RepeatedFusion, axis: int, begins: Sequence[str],
        results: Sequence[str], unit: str,
    ) -> None:  # fmt: skip
        self._text = text
        self._repeated = repeated
        self._fusion = fusion = repeated.fusion
        self._begins = begins
        self._results = results
        self._unit = unit
        self._lanes = lanes(fusion)
        self._size = VECTORS * self._lanes
        self._invariants: dict[int, str] = {}
        """By number of an argument that is the same all along the row: its element."""
        self._block_copies: dict[int, str] = {}
        """By number of any other argument: the copy of a block."""
        self._strides: dict[int, str] = {}
        for number, layout in enumerate(fusion.layouts):
            along = None if layout is None else layout.axes(fusion.dims)[axis]
            if layout is None:
                self._invariants[number] = begins[number]
            elif along is None:
                self._invariants[number] = load(text, layout.element, begins[number])
            else:
                self._block_copies[number] = self._memory(layout.element)
                self._strides[number] = f"%a{number}s{along}"
        self._outputs = [self._copy_of(number) for number in range(len(fusion.outputs))]
        """Copies of the blocks of results."""

    def _memory(self, type: ir.Scalar) -> str:
        return self._text.slot(f"[{self._size} x {stored_type(type)}]", "zeroinitializer")

    def _copy_of(self, output: int) -> str:
        """Return the copy of a block that an output gives: that of the argument in the next turn.
        """
        number = self._repeated.argument_of(output)
        if number is not None:
            return self._block_copies[number]
        return self._memory(self._fusion.type_of(self._fusion.outputs[output]))

    def emit(self, length: str) -> None:
        """Emit the loop over the blocks of a row of so many elements."""
        text, size = self._text, self._size
        padded = text.value(f"add i64 {length}, {size - 1}")
        with text.counted_loop(text.value(f"udiv i64 {padded}, {size}")) as block:
            first = text.value(f"mul i64 {block}, {size}")
            remaining = text.value(f"sub i64 {length}, {first}")
            count = text.call("i64", "llvm.umin.i64", f"i64 {remaining}", f"i64 {size}")
            is_whole = text.value(f"icmp eq i64 {count}, {size}")
            for number, block_copy in self._block_copies.items():
                self._take(
                    number, block_copy, first, count, text.value(f"and i1 {is_whole}, {self._unit}")
                )
            facts = vector_loop(self._lanes)
            with text.counted_loop("%turns"), text.counted_loop(str(size), "0", facts) as counter:
                self._element(counter)
            for output, block_copy in enumerate(self._outputs):
                self._give(output, block_copy, first, count, is_whole)

    def _element(self, counter: str) -> None:
        text, fusion = self._text, self._fusion
        values = []
        for number in range(len(fusion.args)):
            element = self._invariants.get(number)
            if element is None:
                address = self._place(number, self._block_copies[number], counter)
                element = load(text, fusion.type_of(number), address)
            values.append(element)
        compute(text, fusion, values)
        for block_copy, output in zip(self._outputs, fusion.outputs, strict=True):
            address = self._place(output, block_copy, counter)
            store(text, fusion.type_of(output), values[output], address)

    def _place(self, value: int, begin: str, counter: str) -> str:
        """Return the address of an element of a copy, or of a result."""
        type = stored_type(self._fusion.type_of(value))
        return self._text.value(f"getelementptr {type}, ptr {begin}, i64 {counter}")

    def _take(self, number: int, block_copy: str, first: str, count: str, is_whole: str) -> None:
        """Copy a block of an argument; one that has gaps, or is the rest of a row, by elements."""
        text, type = self._text, self._fusion.type_of(number)
        stride = self._strides[number]
        source = text.gep(self._begins[number], text.value(f"mul i64 {first}, {stride}"))

        def gather(aside: str) -> None:
            with text.counted_loop(count, metadata=RARE_LOOP) as counter:
                place = text.gep(source, text.value(f"mul i64 {counter}, {stride}"))
                store(text, type, load(text, type, place), self._place(number, aside, counter))

        self._copy(block_copy, self._direct(source, is_whole, type, gather), type)

    def _give(self, output: int, block_copy: str, first: str, count: str, is_whole: str) -> None:
        """Copy a block to a result."""
        text, value = self._text, self._fusion.outputs[output]
        type, target = self._fusion.type_of(value), self._place(value, self._results[output], first)
        destination = self._direct(target, is_whole, type, lambda aside: None)
        self._copy(destination, block_copy, type)
        is_rest = text.value(f"xor i1 {is_whole}, true")
        with text.only_if(is_rest), text.counted_loop(count, metadata=RARE_LOOP) as counter:
            element = load(text, type, self._place(value, destination, counter))
            store(text, type, element, self._place(value, target, counter))

    def _direct(
        self, address: str, is_whole: str, type: ir.Scalar, otherwise: Callable[[str], None]
    ) -> str:
        """Return the address of a block, or, if it is not whole, of memory beside."""
        text, aside = self._text, self._memory(type)
        place = text.slot("ptr")
        text.line(f"store ptr {address}, ptr {place}")
        with text.only_if(text.value(f"xor i1 {is_whole}, true")):
            otherwise(aside)
            text.line(f"store ptr {aside}, ptr {place}")
        return text.value(f"load ptr, ptr {place}")

    def _copy(self, target: str, source: str, type: ir.Scalar) -> None:
        size = self._size * stored_size(type)
        self._text.call("void", "llvm.memcpy.p0.p0.i64", f"ptr {target}", f"ptr {source}",
                        f"i64 {size}", "i1 false")  # fmt: skip
