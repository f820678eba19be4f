"""LLVM functions of fusions: a loop nest over the space, which computes and stores the elements.

Reductions start with their identity; each row along the last axis adds what it found to the result.
The innermost loop (inner_loop.py) is there twice: for arrays whose elements follow one another,
which LLVM vectorises, and for arrays of any strides.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.combination import identity, is_in_order, reduce_pair
from runtime.engine.llvm.arrays.elements import compute, quotient_of_complex, size_name
from runtime.engine.llvm.arrays.fusion import Fusion, Reduction
from runtime.engine.llvm.arrays.inner_loop import COUNTER, STRIP, InnerLoop, Row
from runtime.engine.llvm.builder import ArrayElements, Builder, CodeVariable
from runtime.engine.llvm.element_code import complex_of, stored_size
from runtime.engine.llvm.loop_facts import PARALLEL
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.values import LaneValue

FLOAT = ir.Scalar("f", 32)
_BLOCK = 8
"""Columns of a block.  Rows of 4 KiB share a set of the first cache, which holds 8 or 12 lines of
one; with 16 columns a transposed copy of 1024 x 1024 takes twice as long, without blocks ten times.
"""


class LoopNest:
    """Function of a fusion: sizes, whether strides are units, arguments, results -> gave up."""

    def __init__(self, fusion: Fusion, name: str) -> None:
        self.fusion = fusion
        self.name = name
        self._unit = "%unit"
        """Whether strides are units: a constant, or a parameter."""
        self._wide: dict[int, CodeVariable] = {}
        """Float32 in which loops around add float16 up, by number of the output."""
        self._is_part = False
        """Whether it may compute a part of the space, and leaves sums over all of it."""
        axes = [axis for axis, size in enumerate(fusion.dims) if size != 1]
        self.axes = axes or [len(fusion.dims) - 1]
        """Axes of the space that are loops; those of size 1 are left out."""
        self.row_length: int | None = None
        """Elements of the innermost loop, if they are known: more than 0."""
        self.extra_args: tuple[str, ...] = ()
        """What the function is given besides sizes and arrays, with types."""
        names = [f"%v{number}" for number in range(len(fusion.args))]
        self.may_give_up = compute(FunctionText(""), fusion, names) is not None

    def axes_of(self, number: int) -> list[int | None]:
        """Return, by loop, the axis of an array along which it goes; None where it stays."""
        layout = self.fusion.layouts[number]
        assert layout is not None
        axes = layout.axes(self.fusion.dims)
        return [axes[loop] for loop in self.axes]

    def own_axes(self, number: int) -> list[int]:
        """Return the axes of an array along which loops go; all of those read at computed places.
        """
        if number in self.fusion.computed.free:
            layout = self.fusion.layouts[number]
            assert layout is not None
            return [*range(len(layout.dims))]
        return [axis for axis in self.axes_of(number) if axis is not None]

    def is_total(self, reduction: Reduction) -> bool:
        """Return whether a reduction combines all elements."""
        return set(self.axes) <= set(reduction.axes)

    def flatten(self) -> None:
        """Let one loop go over all elements."""
        self.axes = self.axes[-1:]
        self.row_length = None

    def take_part(self) -> None:
        """Let it compute a part of the outermost loop: sums over all of it are not divided."""
        self._is_part = True

    def split_outputs(self) -> list[int]:
        """Return the outputs that are reductions along the outermost loop."""
        numbers = []
        for number, output in enumerate(self.fusion.outputs):
            reduction = self.fusion.reduction_of(output)
            if reduction is not None and self.axes[0] in reduction.axes:
                numbers.append(number)
        return numbers

    def cells(self, text: FunctionText, number: int, after_first: bool = False) -> str:
        """Return how many elements a result has, or an entry of its first axis."""
        result_loops = self._result_loops(self.fusion.reduction_of(self.fusion.outputs[number]))
        return self._product(text, [loop for loop in result_loops if loop or not after_first])

    def function(self, unit: str, declared: dict[str, str]) -> str:
        """Add the function, and those that it calls, unless there is one that does the same; return
        its name.  ``unit`` says whether strides are units: a constant where that is known.
        """
        self._unit = unit if unit in ("true", "false") else "%unit"
        text = self._function(declared)
        length = len(text) - len(self.name)
        for name, existing in declared.items():
            is_nest = name.startswith("fusion") and len(existing) - len(name) == length
            if is_nest and existing.replace(f"@{name}(", f"@{self.name}(", 1) == text:
                return name
        declared[self.name] = text
        return self.name

    def _function(self, declared: dict[str, str]) -> str:
        fusion = self.fusion
        gives = "i1" if self.may_give_up else "void"
        head = f"define internal {gives} @{self.name}({', '.join(self.params())}) noinline"
        code = Builder(FunctionText(head))
        code.mark = PARALLEL
        gave_up = CodeVariable(code, ir.BOOL, "false") if self.may_give_up else None
        for number in self._reductions():
            if number in self._alone():
                continue
            type = fusion.result_type(number)
            cells = ArrayElements(code, type, f"%o{number}")
            start = code.value(identity(fusion.opcode_of(number), type), type)
            with code.each(self.cells(code.text, number)) as counter:
                cells[counter] = start
        self._outer(code, [], gave_up)
        split = self.split_outputs() if self._is_part else ()
        for number in self._reductions():
            reduction = fusion.reduction_of(fusion.outputs[number])
            if reduction is not None and reduction.mean and number not in split:
                self.divide(code, number)
        declared.update(code.text.declared)
        return code.finish("void" if gave_up is None else f"i1 {gave_up.get()}")

    def params(self) -> list[str]:
        """Return the parameters, with their types."""
        fusion, params = self.fusion, [f"i64 %n{k}" for k in range(len(self.axes))]
        params.append("i1 %unit")
        for number, value in enumerate(fusion.args):
            if fusion.layouts[number] is None:
                params.append(f"{llvm_type(value.type)} %a{number}")
                continue
            params.append(f"ptr %a{number}")
            params += [f"i64 %a{number}s{axis}" for axis in self.own_axes(number)]
            if number in fusion.computed.free:
                params += [f"i64 {size_name(number, axis)}" for axis in self.own_axes(number)]
        if fusion.target is None:
            params += [f"ptr %o{number}" for number in range(len(fusion.outputs))]
        return params

    # -- reductions -------------------------------------------------------------------------------

    def _reductions(self) -> list[int]:
        outputs = enumerate(self.fusion.outputs)
        return [
            number for number, output in outputs if self.fusion.reduction_of(output) is not None
        ]

    def divide(self, code: Builder, number: int) -> None:
        """Divide the sums of a reduction by their number."""
        output = self.fusion.outputs[number]
        result_loops = self._result_loops(self.fusion.reduction_of(output))
        cells = ArrayElements(code, self.fusion.type_of(output), f"%o{number}")
        with code.each(self.cells(code.text, number)) as counter:
            place = cells.at(counter)
            reduced = [k for k in range(len(self.axes)) if k not in result_loops]
            count = code.value(self._product(code.text, reduced), ir.INT64)
            cells.store(place, _quotient(cells.load(place), count))

    def _result_loops(self, reduction: Reduction | None) -> list[int]:
        """Return the loops over axes that the result has."""
        reduced_axes = () if reduction is None else reduction.axes
        return [loop for loop, axis in enumerate(self.axes) if axis not in reduced_axes]

    def _product(self, text: FunctionText, loops: Sequence[int]) -> str:
        """Return the product of the sizes of some loops."""
        product = "1"
        for loop in loops:
            product = f"%n{loop}" if product == "1" else text.value(f"mul i64 {product}, %n{loop}")
        return product

    def _alone(self) -> frozenset[int]:
        """Return the reductions of which a row of known length gives all: nothing is stored before.
        """
        if not 0 < (self.row_length or 0) <= STRIP:
            return frozenset()
        return frozenset(
            number for number in self._reductions()
            if (reduction := self.fusion.reduction_of(self.fusion.outputs[number])) is not None
            and {*self.axes} & {*reduction.axes} == {self.axes[-1]}
            and not is_in_order(self.fusion.opcode_of(number), self.fusion.result_type(number))
        )  # fmt: skip

    # -- loops ------------------------------------------------------------------------------------

    def _outer(self, code: Builder, counters: list[str], gave_up: CodeVariable | None) -> None:
        """Emit the loops from a depth inwards."""
        depth = len(counters)
        if depth == len(self.axes) - 1:
            self._rows(code, counters, gave_up)
            return
        if depth == len(self.axes) - 2 and self._may_turn():
            self._blocks(code, counters, gave_up)
            return
        sums = [number for number in self._reductions() if self._wide_depth(number) == depth]
        for number in sums:
            self._wide[number] = CodeVariable(code, FLOAT)
            self._wide[number].set(identity(self.fusion.opcode_of(number), FLOAT))
        with code.text.counted_loop(f"%n{depth}") as counter:
            code.text.bounds[counter] = COUNTER
            self._outer(code, [*counters, counter], gave_up)
        for number in sums:
            self._round(code, number, counters)

    def _may_turn(self) -> bool:
        """Return whether rows of an array may be columns of the result, and nothing is combined."""
        moving = [self.axes_of(number) for number in self._arrays_along()]
        turns = any(None not in axes[-2:] for axes in moving)
        return turns and self._unit != "true" and not self._reductions()

    def _arrays_along(self) -> list[int]:
        layouts, free = self.fusion.layouts, self.fusion.computed.free
        return [n for n, layout in enumerate(layouts) if layout is not None and n not in free]

    def _blocks(self, code: Builder, counters: list[str], gave_up: CodeVariable | None) -> None:
        """Emit the two innermost loops; where strides are no units, blocks of columns go first.

        A column of the result may be a row of an array: the numbers of a line of the cache are
        used one after the other, while the line is there.
        """
        text, depth, given_unit = code.text, len(counters), self._unit
        sides = ["false"] if given_unit == "false" else text.either("%unit")
        for side in sides:
            self._unit = "true" if side is True else "false"
            if side is True:
                with text.counted_loop(f"%n{depth}") as counter:
                    text.bounds[counter] = COUNTER
                    self._rows(code, [*counters, counter], gave_up)
                continue
            length = code.value(f"%n{depth + 1}")
            with (
                code.each_chunk(length, _BLOCK) as (start, stop),
                text.counted_loop(f"%n{depth}") as counter,
            ):
                text.bounds[counter] = COUNTER
                self._rows(code, [*counters, counter], gave_up, (start, stop))
        self._unit = given_unit

    def _wide_depth(self, number: int) -> int:
        """Return the depth from which on all loops add float16 up in float32, if there are several;
        else -1: the innermost loop does so itself.
        """
        reduction = self.fusion.reduction_of(self.fusion.outputs[number])
        depth = len(self.axes)
        while depth and reduction is not None and self.axes[depth - 1] in reduction.axes:
            depth -= 1
        is_half = self.fusion.type_of(self.fusion.outputs[number]) == ir.HALF
        return depth if is_half and depth < len(self.axes) - 1 else -1

    def _round(self, code: Builder, number: int, counters: Sequence[str]) -> None:
        """Combine what was added up in float32 with a result."""
        wide_sum = self._wide.pop(number).get()
        address = self._result(code.text, number, self.fusion.outputs[number], counters)
        cell = ArrayElements(code, ir.HALF, address)
        cell.put(reduce_pair(self.fusion.opcode_of(number), cell.first(), wide_sum))

    def _rows(
        self, code: Builder, counters: Sequence[str], gave_up: CodeVariable | None,
        block: tuple[LaneValue, LaneValue] | None = None,
    ) -> None:  # fmt: skip
        """Emit the loop over the last axis, or a block of it; twice unless it is known whether
        strides are units.
        """
        text, fusion, wide = code.text, self.fusion, self._wide
        begins = [self._begin(text, number, counters) for number in range(len(fusion.args))]
        results = [
            wide[number].address if number in wide else self._result(text, number, output, counters)
            for number, output in enumerate(fusion.outputs)
        ]
        positions = dict(zip(self.axes, counters, strict=False))
        length = code.value(f"%n{len(self.axes) - 1}")
        row = Row(
            begins, results, length, gave_up, positions, frozenset(wide), self.row_length,
            self._alone(), block,
        )
        if self._unit != "%unit":
            InnerLoop(code, fusion, self.axes[-1], row, self._unit == "true").emit()
            return
        for is_unit in text.either("%unit"):
            InnerLoop(code, fusion, self.axes[-1], row, is_unit).emit()

    def _begin(self, text: FunctionText, number: int, counters: Sequence[str]) -> str:
        """Return the address of an array's first element of a row; of a number, its name."""
        address = f"%a{number}"
        if self.fusion.layouts[number] is None or number in self.fusion.computed.free:
            return address
        for counter, axis in zip(counters, self.axes_of(number), strict=False):
            if axis is not None:
                offset = text.value(f"mul i64 {counter}, %a{number}s{axis}")
                address = text.gep(address, offset)
        return address

    def _result(self, text: FunctionText, number: int, output: int, counters: Sequence[str]) -> str:
        """Return the address of the first element of a result that a row gives."""
        if self.fusion.target is not None:
            return self._begin(text, self.fusion.target, counters)
        result_loops, address = self._result_loops(self.fusion.reduction_of(output)), f"%o{number}"
        size = stored_size(self.fusion.type_of(output))
        for loop, counter in enumerate(counters):
            if loop in result_loops:
                step = self._product(text, [k for k in result_loops if k > loop])
                offset = text.value(f"mul i64 {counter}, {step}")
                offset = text.value(f"mul i64 {offset}, {size}")
                address = text.gep(address, offset)
        return address


def _quotient(total: LaneValue, count: LaneValue) -> LaneValue:
    """Return a sum divided by the number of elements."""
    type, number = total.type, count.to(total.type.part)
    if type.kind == "c":  # NumPy divides by a complex number
        text = total.text
        divisor = complex_of(text, type, number.name, literal(0, type.part))
        return LaneValue(total.writer, type, quotient_of_complex(text, type, total.name, divisor))
    return total.emit(f"fdiv {total.kind} {total}, {number}")
