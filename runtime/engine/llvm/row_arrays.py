"""Arrays that native code makes itself: they lie row by row, and the graph knows their sizes.

Code that uses their elements looks only whether they are there: not at sizes, strides or dtypes,
which are constants.  Where a kernel made such an array instead, and it is laid out otherwise, it
has no elements for native code, and kernels compute what is made of it.

    %3: object = fusion %1 over (32, 10)          row by row
    %5: object = loop %3 ...                      so is the state, if that which the body gives is
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.array_loop import ArrayLoop
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.llvm.arrays.product import Product
from runtime.engine.llvm.arrays.slice_writes import NewArray
from runtime.engine.llvm.arrays.windowed import Windowed
from runtime.engine.llvm.row_layouts import KnownLayouts, RowLayout, expected_layouts, row_layout
from runtime.engine.llvm.variables.access import VariableAccess


def row_arrays(function: ir.KernelFunction, layouts: KnownLayouts) -> dict[int, RowLayout]:
    """Return the layouts of the arrays of a function that lie row by row, by number of a value."""
    block = function.block
    objects = _Objects()
    fixed = {block.params[position].number: layout for position, layout in layouts.params.items()}
    for value in block.params:
        objects.define(value, value.number in fixed)
    instructions = [x for x, _ in ir.instructions(block)]
    for instruction in instructions:
        if isinstance(instruction, ir.ObjectConstant) and instruction.index in layouts.objects:
            fixed[instruction.results[0].number] = layouts.objects[instruction.index]
        for value in instruction.results:
            if not isinstance(instruction, ir.Switch | ir.WhileLoop):
                objects.define(value, value.number in fixed or _is_made_here(instruction))
        for value, new_layout in _results(instruction):
            objects.expect(value, new_layout)
        for value, expected in expected_layouts(instruction):
            objects.expect(value, row_layout(expected.dtype, expected.dims))
        for x, y in _same_objects(instruction):
            objects.unite(x, y)
    for number, layout in fixed.items():
        objects.expect_number(number, layout)
    return objects.layouts()


def _is_made_here(instruction: ir.Instruction) -> bool:
    """Return whether native code makes the arrays that an instruction gives."""
    if isinstance(instruction, Fusion):
        return instruction.target is None
    if isinstance(instruction, VariableAccess):
        return instruction.opcode in ("variable.read", "variable.peek")
    return isinstance(instruction, NewArray | Product | Windowed | ArrayLoop)


def _results(instruction: ir.Instruction) -> Iterator[tuple[ir.Register, RowLayout | None]]:
    """Yield the arrays that native code makes, and their layouts."""
    if isinstance(instruction, Fusion):
        yield from zip(instruction.results, results_layouts(instruction), strict=True)
    elif isinstance(instruction, NewArray | Product | Windowed | ArrayLoop):
        assert instruction.site is not None
        node = instruction.site.step.operation
        for value, tensor in zip(instruction.results, node.outputs, strict=False):
            layout = layout_of(tensor.spec)
            yield value, layout and row_layout(layout.dtype, layout.dims)


def _same_objects(instruction: ir.Instruction) -> Iterator[tuple[ir.Register, ir.Register]]:
    """Yield values that may stand for one object: of a loop's state, and of branches."""
    if isinstance(instruction, ir.Switch | ir.WhileLoop):
        for position, value in enumerate(instruction.args):
            for _, param in instruction.params_of(position):
                yield value, param
        gives = (instruction.branches if isinstance(instruction, ir.Switch) else [instruction.body])
        for block in gives:
            yield from zip(instruction.results, block.results, strict=False)
    if isinstance(instruction, ir.WhileLoop):
        yield from zip(instruction.results, instruction.args, strict=False)


class _Objects:
    """Classes of values that may stand for one object: a union-find over their numbers."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}
        """By number of a value: a value of the same class, nearer to its root."""
        self._defined: dict[int, bool] = {}
        self._expected: dict[int, set[RowLayout | None]] = {}
        self._united: set[int] = set()

    def _root(self, number: int) -> int:
        while (parent := self._parents.get(number, number)) != number:
            number = parent
        return number

    def define(self, value: ir.Register, is_row: bool) -> None:
        """Note whether a value that is no parameter of a loop or branch lies row by row."""
        self._defined[value.number] = is_row

    def expect(self, value: ir.Register, layout: RowLayout | None) -> None:
        """Note what is said of a value."""
        self.expect_number(value.number, layout)

    def expect_number(self, number: int, layout: RowLayout | None) -> None:
        """Note what is said of the value of a number."""
        self._expected.setdefault(number, set()).add(layout)

    def unite(self, x: ir.Register, y: ir.Register) -> None:
        """Note that values may stand for one object."""
        if x.type is ir.OBJECT:
            self._parents[self._root(x.number)] = self._root(y.number)
            self._united |= {x.number, y.number}

    def layouts(self) -> dict[int, RowLayout]:
        """Return the layouts of values of which all that is known agrees."""
        classes: dict[int, list[int]] = {}
        for number in {*self._defined, *self._expected, *self._united}:
            classes.setdefault(self._root(number), []).append(number)
        agreed: dict[int, RowLayout] = {}
        for numbers in classes.values():
            candidates: set[RowLayout | None] = set()
            candidates.update(*(self._expected.get(number, ()) for number in numbers))
            layout = candidates.pop() if len(candidates) == 1 else None
            if layout is not None and all(self._is_row(number) for number in numbers):
                agreed.update(dict.fromkeys(numbers, layout))
        return agreed

    def _is_row(self, number: int) -> bool:
        """Return whether a value lies row by row; parameters do if all do that they stand for."""
        return self._defined.get(number, number in self._united)


def results_layouts(fusion: Fusion) -> Sequence[RowLayout | None]:
    """Return the layouts of the results of a fusion, where they are new arrays of known sizes."""
    layouts: list[RowLayout | None] = []
    for output, value in zip(fusion.outputs, fusion.results, strict=True):
        reduction, dims = fusion.reduction_of(output), () if fusion.is_number else fusion.dims
        if reduction is not None:
            dims = tuple([1 if axis is None else dims[axis] for axis in reduction.result_axes])
        dtype = next(dtype for dtype, type in ir.ELEMENTS.items() if type == fusion.type_of(output))
        is_new = value.type is ir.OBJECT and fusion.target is None
        layouts.append(row_layout(dtype, dims) if is_new else None)
    return layouts
