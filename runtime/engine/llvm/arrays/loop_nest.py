"""LLVM functions of fusions: a loop nest over the space, which computes and stores the elements.

Reductions start with their identity; each row along the last axis adds what it found to the result.
The innermost loop (inner_loop.py) is there twice: for arrays whose elements follow one another,
which LLVM vectorises, and for arrays of any strides.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.combination import identity, reduce_pair
from runtime.engine.llvm.arrays.elements import compute, load, quotient_of_complex, size_name, store
from runtime.engine.llvm.arrays.fusion import Fusion, Reduction
from runtime.engine.llvm.arrays.inner_loop import COUNTER, InnerLoop, Row
from runtime.engine.llvm.element_code import complex_of, stored_size, stored_type
from runtime.engine.llvm.text import FunctionText, literal, llvm_type

FLOAT = ir.Scalar("f", 32)


class LoopNest:
    """Function of a fusion: sizes, whether strides are units, arguments, results -> gave up."""

    def __init__(self, fusion: Fusion, name: str) -> None:
        self.fusion = fusion
        self.name = name
        self._unit = "%unit"
        """Whether strides are units: a constant, or a parameter."""
        self._wide: dict[int, str] = {}
        """Slots of float32 in which loops around add float16 up, by number of the output."""
        self._is_part = False
        """Whether it may compute a part of the space, and leaves sums over all of it."""
        axes = [axis for axis, size in enumerate(fusion.dims) if size != 1]
        self.axes = axes or [len(fusion.dims) - 1]
        """Axes of the space that are loops; those of size 1 are left out."""
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
        text = FunctionText(head)
        gave_up = text.slot("i1", "false") if self.may_give_up else ""
        for number in self._reductions():
            self._fill(text, number)
        self._outer(text, [], gave_up)
        split = self.split_outputs() if self._is_part else ()
        for number in self._reductions():
            reduction = fusion.reduction_of(fusion.outputs[number])
            if reduction is not None and reduction.mean and number not in split:
                self.divide(text, number)
        if gave_up:
            text.line(f"ret i1 {text.value(f'load i1, ptr {gave_up}')}")
        else:
            text.line("ret void")
        declared.update(text.declared)
        return text.text()

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

    def _fill(self, text: FunctionText, number: int) -> None:
        """Fill the result of a reduction with the identity."""
        opcode, type = self._opcode(number), self.fusion.type_of(self.fusion.outputs[number])
        with text.counted_loop(self.cells(text, number)) as counter:
            store(text, type, identity(opcode, type), _cell(text, type, number, counter))

    def divide(self, text: FunctionText, number: int) -> None:
        """Divide the sums of a reduction by their number."""
        output = self.fusion.outputs[number]
        type, result_loops = (
            self.fusion.type_of(output),
            self._result_loops(self.fusion.reduction_of(output)),
        )
        with text.counted_loop(self.cells(text, number)) as counter:
            place = _cell(text, type, number, counter)
            count = self._product(text, [k for k in range(len(self.axes)) if k not in result_loops])
            store(text, type, _quotient(text, type, load(text, type, place), count), place)

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

    # -- loops ------------------------------------------------------------------------------------

    def _outer(self, text: FunctionText, counters: list[str], gave_up: str) -> None:
        """Emit the loops from a depth inwards."""
        depth = len(counters)
        if depth == len(self.axes) - 1:
            self._rows(text, counters, gave_up)
            return
        sums = [number for number in self._reductions() if self._wide_depth(number) == depth]
        for number in sums:
            self._wide[number] = text.slot("float")
            start = identity(self._opcode(number), FLOAT)
            text.line(f"store float {start}, ptr {self._wide[number]}")
        with text.counted_loop(f"%n{depth}") as counter:
            text.bounds[counter] = COUNTER
            self._outer(text, [*counters, counter], gave_up)
        for number in sums:
            self._round(text, number, counters)

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

    def _round(self, text: FunctionText, number: int, counters: Sequence[str]) -> None:
        """Combine what was added up in float32 with a result."""
        wide_sum = text.value(f"load float, ptr {self._wide.pop(number)}")
        cell = self._result(text, number, self.fusion.outputs[number], counters)
        before, opcode = load(text, ir.HALF, cell), self._opcode(number)
        store(text, ir.HALF, reduce_pair(text, opcode, FLOAT, before, wide_sum), cell)

    def _opcode(self, number: int) -> str:
        fusion = self.fusion
        return fusion.members[fusion.outputs[number] - len(fusion.args)].opcode

    def _rows(self, text: FunctionText, counters: Sequence[str], gave_up: str) -> None:
        """Emit the loop over the last axis, twice."""
        begins = [self._begin(text, number, counters) for number in range(len(self.fusion.args))]
        results = [
            self._wide.get(number) or self._result(text, number, output, counters)
            for number, output in enumerate(self.fusion.outputs)
        ]
        positions = dict(zip(self.axes, counters, strict=False))
        wide, length = frozenset(self._wide), f"%n{len(self.axes) - 1}"
        row = Row(begins, results, length, gave_up, positions, wide)
        if self._unit != "%unit":
            InnerLoop(text, self.fusion, self.axes[-1], row, self._unit == "true").emit()
            return
        unit, strided, end = text.label("unit"), text.label("other"), text.label("end")
        text.branch("%unit", unit, strided)
        for label, is_unit in ((unit, True), (strided, False)):
            text.start(label)
            InnerLoop(text, self.fusion, self.axes[-1], row, is_unit).emit()
            text.line(f"br label %{end}")
        text.start(end)

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

    def _result(
        self, text: FunctionText, number: int, output: int, counters: Sequence[str]
    ) -> str:
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




def _quotient(text: FunctionText, type: ir.Scalar, total: str, count: str) -> str:
    """Return a sum divided by the number of elements."""
    kind = llvm_type(type.part)
    number = text.value(f"sitofp i64 {count} to {kind}")
    if type.kind == "c":  # NumPy divides by a complex number
        divisor = complex_of(text, type, number, literal(0, type.part))
        return quotient_of_complex(text, type, total, divisor)
    return text.value(f"fdiv {kind} {total}, {number}")


def _cell(text: FunctionText, type: ir.Scalar, number: int, counter: str) -> str:
    """Return the address of an element of a result."""
    return text.value(f"getelementptr {stored_type(type)}, ptr %o{number}, i64 {counter}")
