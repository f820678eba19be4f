"""Members of fusions for ops whose elements are computed from positions (``OnArrays``).

An expression becomes members without results, and one that gives the result of the step.  Where an
input is read at positions as they are, it is an argument like that of any other member; where it is
read at computed places, an argument that the loop does not go along: it is *free*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import Joining, layout_of, layouts_of
from runtime.engine.llvm.arrays.open_fusion import (
    PART,
    ConstantInput,
    OpenFusion,
    OpenMember,
    Operand,
)
from runtime.engine.llvm.arrays.selection import SelectedValue, ViewStep
from runtime.engine.llvm.arrays.uniform import Uniform
from runtime.engine.passes.queries import constant_value
from runtime.ops.rules.lowering import (
    Apply,
    Case,
    ElementFound,
    Expression,
    OnArrays,
    Position,
    Read,
    SelectedAxis,
    Selection,
    Size,
)

if TYPE_CHECKING:
    from runtime.engine.llvm.arrays.fusion_lowering import OpenFusions


class Computed(NamedTuple):
    """Result of a step whose elements are computed: what they are, and what is known of them."""

    elements: ElementFound
    case: Case
    result: KnownLayout

    @property
    def along(self) -> dict[int, Selection]:
        """Inputs that are read at positions alone, by number: what is selected of them."""
        selections: dict[int, Selection | None] = {}
        for read in _reads(self.elements.element):
            selection = _selection(read, self.case.dims[read.input], len(self.result.dims))
            same = read.input not in selections or selections[read.input] == selection
            selections[read.input] = selection if same else None
        return {
            number: selection for number, selection in selections.items() if selection is not None
        }


def computation_of(step: Any) -> Computed | None:
    """Return what the elements of a step's result are; None if its kernel computes them."""
    node = step.operation
    rule = node.op_def.lower
    if not isinstance(rule, OnArrays) or rule.element is None or len(node.outputs) != 1:
        return None
    result = layout_of(node.outputs[0].spec)
    layouts = layouts_of(node.inputs)
    if result is None or not result.dims or layouts is None or not is_layout_known():
        return None
    values = [constant_value(tensor) for tensor in node.inputs]
    dims, dtypes = [layout.dims for layout in layouts], [layout.dtype for layout in layouts]
    case = Case(dims, dtypes, values, result.dims, node.attrs)
    elements = rule.element(case)
    if elements is None or 0 in result.dims:
        return None
    if result.dtype not in ir.NUMBERS and not _only_moves(elements.element):
        return None
    needed = {read.input for read in _reads(elements.element)}
    needed |= {number for size in elements.sizes for number in _inputs_of(size)}
    if any(value is None for n, value in enumerate(values) if n not in needed):
        return None  # the slow block makes constants alone
    return Computed(elements, case, result)


def _reads(expression: Expression) -> list[Read]:
    """Return the reads of an expression."""
    if isinstance(expression, Apply):
        return [read for arg in expression.args for read in _reads(arg)]
    if isinstance(expression, Read):
        inner = [read for place in expression.places for read in _reads(place)]
        return [*inner, expression]
    return []


def _only_moves(expression: Expression) -> bool:
    """Return whether elements are read and chosen, and nothing is computed of them."""
    if not isinstance(expression, Apply) or expression.dtype:
        return True
    return expression.opcode in ("select", "copy") and all(map(_only_moves, expression.args))


def _inputs_of(size: Expression) -> set[int]:
    if isinstance(size, Apply):
        return set().union(*map(_inputs_of, size.args))
    return {size.input} if isinstance(size, Size | Read) else set()


def _selection(read: Read, dims: Sequence[int | None], rank: int) -> Selection | None:
    """Return what a read at positions alone, in their order, selects of an array; None for others.
    """
    places = [place.axis for place in read.places if isinstance(place, Position)]
    if places != sorted(set(places)) or not all(
        isinstance(place, int | Position) for place in read.places
    ):
        return None
    axes, starts = [SelectedAxis(None)] * rank, [0] * len(dims)
    for axis, place in enumerate(read.places):
        if isinstance(place, Position):
            axes[place.axis] = SelectedAxis(axis, 1, dims[axis])
        else:
            assert isinstance(place, int)
            starts[axis] = place
    first = places[0] if places else rank
    return Selection(tuple(starts), tuple(axes[first:]))


def is_whole(selection: Selection | None, dims: Sequence[int | None], rank: int) -> bool:
    """Return whether a selection is an array as it is, in a space of so many axes."""
    axes = tuple([SelectedAxis(n, 1, size) for n, size in enumerate(dims)])
    if len(dims) not in (0, rank):
        return False
    return selection == Selection((0,) * len(dims), axes)


class ElementMembers:
    """Members of one step that are added to an open fusion."""

    def __init__(self, owner: OpenFusions, step: Any, computed: Computed) -> None:
        self._owner = owner
        self._step = step
        self._computed = computed
        self._case = computed.case
        self._along = computed.along
        rank = len(computed.result.dims)
        self.whole = {
            n
            for n, selection in self._along.items()
            if is_whole(selection, self._case.dims[n], rank)
        }
        """Inputs that are read as other members read theirs."""
        self._fusion = OpenFusion((), owner)
        self._operands: dict[Any, Operand] = {}
        self._args: dict[int, Operand] = {}
        """By number of an input: what stands for it."""

    @property
    def joining(self) -> Joining:
        """Description of the step for the fusion that it joins."""
        sources = [self._step.sources[number] for number in sorted(self.whole)]
        result = self._computed.result
        return Joining("copy", sources, result.dims, result.element)

    def make_inputs(self) -> None:
        """Make the inputs that are not read as they are, so that no fusion computes them."""
        for number, source in enumerate(self._step.sources):
            value = self._owner.value_of(source)
            if number not in self.whole and not isinstance(value, SelectedValue):
                if not isinstance(value, Uniform) or number not in self._along:
                    if self._case.values[number] is None:
                        self._owner.read(source)

    def add_to(self, fusion: OpenFusion) -> None:
        """Add the members; the last one is that of the step."""
        self._fusion = fusion
        elements, result = self._computed.elements, self._computed.result
        root = self._operand(elements.element, result.element)
        for axis, size in enumerate(result.dims):
            if size is None and not self._follows(elements.sizes[axis]):
                fusion.sizes.append((axis, self._size(elements.sizes[axis])))
        inputs = [self._input(number) for number in range(len(self._step.sources))]
        if root != self._last_operand or fusion.members[-1].step is not self._step:
            self._append("copy", [root], result.element)
        fusion.members[-1] = fusion.members[-1]._replace(inputs=inputs)

    def _append(
        self, opcode: str, operands: Sequence[Operand], type: ir.Scalar, detail: Any = None
    ) -> Operand:
        joins = Joining(opcode, (), self._fusion.dims, type)
        self._fusion.members.append(OpenMember(joins, operands, self._step, PART, detail))
        return self._last_operand

    @property
    def _last_operand(self) -> Operand:
        """Operand that is the last member of the fusion."""
        return Operand(True, len(self._fusion.members) - 1)

    def _operand(self, expression: Expression, literal: ir.Scalar = ir.INT64) -> Operand:
        """Return the operand that an expression is; ``literal`` is the type of a number."""
        key = expression, literal if isinstance(expression, int) else None
        if key not in self._operands:
            self._operands[key] = self._new_operand(expression, literal)
        return self._operands[key]

    def _new_operand(self, expression: Expression, literal: ir.Scalar) -> Operand:
        if isinstance(expression, Position):
            return self._append("axis", [], ir.INT64, expression.axis)
        if isinstance(expression, Size):
            free = self._free(expression.input)
            return self._append("extent", [free], ir.INT64, expression.axis)
        if isinstance(expression, Read):
            return self._read(expression)
        if isinstance(expression, Apply):
            result = self._computed.result.element
            type = ir.NUMBERS[np.dtype(expression.dtype)] if expression.dtype else result
            of = ir.INT64 if expression.dtype else result
            operands = [self._operand(arg, of) for arg in expression.args]
            return self._append(expression.opcode, operands, type)
        return self._append("number", [], literal, expression)

    def _read(self, read: Read) -> Operand:
        if read.input in self._along:
            return self._aligned_operand(read.input)
        places = [self._operand(place) for place in read.places]
        free = self._free(read.input)
        for axis, place in enumerate(read.places):
            if isinstance(place, Position):
                self._fusion.spans.add((free.number, axis, place.axis))
        return self._append("load", [free, *places], self._layout(read.input).element)

    # -- inputs -----------------------------------------------------------------------------------

    def _layout(self, number: int) -> KnownLayout:
        return KnownLayout(self._case.dtypes[number], self._case.dims[number])

    def _aligned_operand(self, number: int) -> Operand:
        """Return the operand of an input that is read at positions alone."""
        if number not in self._args:
            self._args[number] = self._new_aligned(number)
        return self._args[number]

    def _new_aligned(self, number: int) -> Operand:
        source, selection = self._step.sources[number], self._along[number]
        if number in self.whole:
            return self._owner.operand(self._fusion, source, self._step)
        value = self._owner.value_of(source)
        if isinstance(value, Uniform):
            return Operand(False, self._fusion.uniform(value))
        base = self._layout(number)
        if not isinstance(value, SelectedValue):
            value = SelectedValue(self._owner.read(source), base, ())
        link = ViewStep(selection, (), KnownLayout(base.dtype, selection.dims), None)
        return Operand(False, self._fusion.part(value._replace(links=(*value.links, link))))

    def _free(self, number: int) -> Operand:
        """Return the operand of an input that the loop does not go along."""
        if number not in self._args:
            source = self._step.sources[number]
            value = self._owner.value_of(source)
            if isinstance(value, SelectedValue):
                arg = self._fusion.view(value, is_free=True)
            else:
                arg = self._fusion.free_arg(self._owner.read(source), self._layout(number))
            self._args[number] = Operand(False, arg)
        return self._args[number]

    def _input(self, number: int) -> Any:
        """Return what the kernel of the step is given: an operand, or a constant's slot."""
        source = self._step.sources[number]
        if self._case.values[number] is not None:
            return ConstantInput(source)
        return self._args[number] if number in self._args else self._aligned_or_number(number)

    def _aligned_or_number(self, number: int) -> Operand:
        """Return the operand of an input that no element reads: a number."""
        self._args[number] = self._owner.operand(
            self._fusion, self._step.sources[number], self._step
        )
        return self._args[number]

    # -- sizes ------------------------------------------------------------------------------------

    def _follows(self, size: Expression) -> bool:
        """Return whether a size is that of an argument which the loop goes along."""
        return isinstance(size, Size) and size.input in self._along

    def _size(self, size: Expression) -> Expression:
        """Return a size with numbers of arguments in place of those of inputs."""
        if isinstance(size, Size):
            return Size(self._free(size.input).number, size.axis)
        if isinstance(size, Read):
            if size.input not in self._args:
                self._aligned_or_number(size.input)
            return Read(self._args[size.input].number)
        if isinstance(size, Apply):
            return size._replace(args=tuple(map(self._size, size.args)))
        return size
