"""Open fusions: the operations of a fusion while others may join it, and the instruction that they
become, with its slow block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import (
    ComputedReads,
    Dims,
    Fusion,
    KnownLayout,
    Member,
    Selected,
)
from runtime.engine.llvm.arrays.joining import Joining
from runtime.engine.llvm.arrays.selection import SelectedValue, bind_inputs, make_view
from runtime.engine.llvm.arrays.slice_writes import Write
from runtime.engine.llvm.arrays.uniform import Uniform, filled_slowly
from runtime.engine.llvm.element_lowering import Element, site_of
from runtime.engine.llvm.variables.access import Update
from runtime.ops.array.indexing import KeyInput
from runtime.ops.rules.lowering import Control, Expression

if TYPE_CHECKING:
    from runtime.engine.llvm.arrays.fusion_lowering import OpenFusions


class Operand(NamedTuple):
    """Operand of a member: an argument of the fusion, or the result of another member."""

    is_member: bool
    number: int


class ConstantInput(NamedTuple):
    """Input of a kernel that is a constant of the plan: its slot."""

    slot: int


PART: Any = "part"
"""Inputs of a member that gives no result: it computes a part of what a later one gives."""


class OpenMember(NamedTuple):
    """Operation of an open fusion, or a part of one."""

    joining: Joining
    operands: Sequence[Operand]
    step: Any
    inputs: Any = None
    """What the kernel is given, operands and constants, if not the operands; or ``PART``."""
    detail: Any = None

    @property
    def slot(self) -> int | None:
        """The slot of the plan that holds the result; None of a part."""
        slot: int | None = None if self.inputs is PART else self.step.targets[0]
        return slot


class OpenFusion:
    """Fusion that operations may join still."""

    def __init__(self, dims: Dims, owner: OpenFusions) -> None:
        self.dims = dims
        self.owner = owner
        self.args: list[ir.Register] = []
        self.layouts: list[KnownLayout | None] = []
        self.selected: dict[int, Selected] = {}
        self.made_of: dict[int, SelectedValue | Uniform] = {}
        """By number of an argument: the array that the slow block has to make of it."""
        self.free: set[int] = set()
        """Arguments that are read at computed places."""
        self.spans: set[tuple[int, int, int]] = set()
        """Such an argument, its axis, and the axis of the space that must be as long."""
        self.sizes: list[tuple[int, Expression]] = []
        """Axes of unknown size, and what their sizes are: inputs are arguments by number."""
        self.target: int | None = None
        """The argument whose elements the result replaces, if it does."""
        self.write: Any = None
        """The step that does so."""
        self.update: Update | None = None
        """The assignment by which it ends, if it does; its ``output`` counts the members."""
        self.write_inputs: Sequence[int] = ()
        """The arguments that are its inputs after the array and the value."""
        self._numbers: dict[Any, int] = {}
        self.members: list[OpenMember] = []
        self.may_raise = False
        self.positions: set[int] = set()
        """Positions of the members in the plan."""

    def result_type(self, number: int) -> ir.Type:
        """Return the type of the result of a member: an array, or a number."""
        joins = self.members[number].joining
        is_number = joins.reduction is not None and not joins.reduction.result_axes
        is_register = (is_number or not self.dims) and joins.type in ir.NUMBERS.values()
        return joins.type if is_register else ir.OBJECT

    def arg(self, register: ir.Register, layout: KnownLayout | None) -> int:
        """Add an argument, once; return its number."""
        return self._add(register.number, register, layout)

    def free_arg(self, register: ir.Register, layout: KnownLayout) -> int:
        """Add an array that is read at computed places, once; return its number."""
        number = self._add((register.number, "free"), register, layout)
        self.free.add(number)
        return number

    def part(self, value: SelectedValue) -> int:
        """Add elements of an array as an argument whose kernel takes the array itself, once."""
        return self._add_view(value, "part")

    def view(self, view: SelectedValue, is_free: bool = False) -> int:
        """Add elements of an array as an argument, once; return its number."""
        number = self._add_view(view, is_free)
        if is_free:
            self.free.add(number)
        return number

    def _add_view(self, view: SelectedValue, how: Any) -> int:
        selected = view.as_selected(lambda register: self.arg(register, None))
        number = self._add((view.array.number, selected, how), view.array, view.layout)
        if number not in self.selected:
            self.selected[number] = selected
            self.made_of[number] = view
        return number

    def uniform(self, uniform: Uniform) -> int:
        """Add an array of equal elements as an argument, once; return its number."""
        key = uniform.element.number, uniform.layout.dims
        number = self._add(key, uniform.element, uniform.element_layout)
        self.made_of[number] = uniform
        return number

    def write_to(
        self, array: ir.Register, step: Any, write: Write, inputs: ir.Registers,
        before: ir.Register | None = None,
    ) -> None:  # fmt: skip
        """Let the result of the last member replace elements of an array.

        ``before`` is the array before it was made the code's own: its elements are read of it now.
        """
        self.args = [array if value is before else value for value in self.args]
        self.target = len(self.args)
        self.write = step
        self.args.append(array)
        self.layouts.append(KnownLayout(write.base.dtype, write.selection.dims))
        self.write_inputs = [self.arg(value, None) for value in inputs]
        selection = bind_inputs(write.selection, inputs, lambda register: self.arg(register, None))
        self.selected[self.target] = Selected(write.base, (selection,))

    def _add(self, key: Any, register: ir.Register, layout: KnownLayout | None) -> int:
        number = self._numbers.setdefault(key, len(self.args))
        if number == len(self.args):
            self.args.append(register)
            self.layouts.append(layout)
        return number


def fusion_of(
    fusion: OpenFusion, stored: Sequence[int], results: ir.Registers, lowering: Any
) -> Fusion:
    """Return the instruction of a fusion, with its slow block."""
    count = len(fusion.args)
    params = [lowering.new(v.type) for v in fusion.args]
    slow = ir.Block(params, borrowed=params)
    arg_values = [
        _made_in(slow, fusion, n, lowering) if n in fusion.made_of else param
        for n, param in enumerate(params)
    ]  # fmt: skip
    values: list[Any] = []
    members: list[Member] = []
    sites: dict[int, ir.Site] = {}
    for number, (joins, operands, step, inputs, detail) in enumerate(fusion.members):
        site = sites.setdefault(id(step), ir.Site(step or fusion.write))
        numbers = tuple([o.number + (count if o.is_member else 0) for o in operands])
        members.append(Member(joins.opcode, numbers, joins.type, site, joins.reduction, detail))
        if inputs is PART:
            values.append(None)
            continue
        args = [(values if o.is_member else arg_values)[o.number] for o in operands]
        if step is None:  # what is written is an argument
            values += args
            continue
        result = lowering.new(fusion.result_type(number))
        if inputs is not None:
            args = [
                _input_in(slow, fusion, operand, values, arg_values, lowering)
                for operand in inputs
            ]
        elif len(args) != len(step.sources):
            args = _inputs(step, args)
        slow.add(ir.Callback(site, args, (result,)))
        values.append(result)
    slow.results = tuple([values[number] for number in stored])
    if fusion.target is not None:
        write = members[-1].site if fusion.members[-1].step is None else ir.Site(fusion.write)
        _write_slowly(fusion, lowering, slow, write)
    outputs = [count + number for number in stored]
    fused = Fusion(
        fusion.args, results, fusion.dims or (1,), fusion.layouts, fusion.selected, members,
        outputs, slow,
        fusion.target, ComputedReads(frozenset(fusion.free), tuple(sorted(fusion.spans)),
        tuple(fusion.sizes)),
    )  # fmt: skip
    fused.is_number = not fusion.dims
    if fusion.update is not None:
        fused.update = fusion.update._replace(output=count + fusion.update.output)
    return fused


def copy_view(value: SelectedValue, lowering: Any, block: ir.Block) -> ir.Register:
    """Make a view by a loop that stores its elements."""
    layout, maker = value.layout, value.links[-1].maker
    assert maker is not None
    fusion = OpenFusion(layout.dims, lowering)
    copy = Joining("copy", (), layout.dims, layout.element)
    fusion.members.append(OpenMember(copy, [Operand(False, fusion.view(value))], None))
    fusion.write = site_of(maker).step if isinstance(maker, Element) else maker[0]
    result: ir.Register = lowering.new(ir.OBJECT)
    block.add(fusion_of(fusion, [0], [result], lowering))
    return result


def _input_in(
    slow: ir.Block, fusion: OpenFusion, operand: Any, values: Sequence[Any],
    arg_values: Sequence[Any], lowering: Any,
) -> ir.Register:  # fmt: skip
    """Return an input of a kernel in the slow block."""
    if isinstance(operand, ConstantInput):
        constant: ir.Register = lowering.constant(slow, fusion.owner.constant(operand.slot))
        return constant
    value: ir.Register = (values if operand.is_member else arg_values)[operand.number]
    return value


def _made_in(slow: ir.Block, fusion: OpenFusion, number: int, lowering: Any) -> ir.Register:
    """Make the array that an argument stands for in the slow block."""
    source = fusion.made_of[number]
    if isinstance(source, Uniform):
        return filled_slowly(lowering, slow, source, slow.params[number])
    params = dict(zip(fusion.args, slow.params, strict=True))
    return make_view(lowering, slow, source, slow.params[number], params)


def _write_slowly(fusion: OpenFusion, lowering: Any, slow: ir.Block, site: ir.Site) -> None:
    """Write the result of a slow block to the array by the kernel."""
    assert fusion.target is not None
    result = lowering.new(ir.OBJECT)
    inputs = [slow.params[number] for number in fusion.write_inputs]
    args = [slow.params[fusion.target], *slow.results, *inputs]
    slow.add(ir.Callback(site, args, (result,)))
    slow.results = (result,)


def _inputs(step: Any, args: ir.Registers) -> list[ir.Register]:
    """Return the inputs among the operands.  Others are constants among the attributes, or the
    value of the variable that is updated.
    """
    rule = step.operation.op_def.lower
    if isinstance(rule, Control):
        return list(args[-1:])
    positions = [operand.index if isinstance(operand, KeyInput) else -1 for operand in
             rule.operands(step.operation.attrs)[0]]  # fmt: skip
    return [args[positions.index(index)] for index in range(len(step.sources))]
