"""Lowering of element-wise operations on arrays: neighbours that run over one space of indexes
become one fusion.

An operation joins the open fusion of its shape.  A fusion stays open until anything else reads
one of its values; values that only the fusion reads are never stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.computed_elements import ElementMembers, computation_of
from runtime.engine.llvm.arrays.fusion import Dims
from runtime.engine.llvm.arrays.joining import Joining, joining, layout_of
from runtime.engine.llvm.arrays.loop_nest import LoopNest
from runtime.engine.llvm.arrays.open_fusion import OpenFusion, OpenMember, Operand, fusion_of
from runtime.engine.llvm.arrays.product import product_of
from runtime.engine.llvm.arrays.selection import (
    SelectedValue,
    check_of,
    row_of,
    run_time_ints,
    selected_from,
    selections_of,
)
from runtime.engine.llvm.arrays.slice_writes import Write, new_array, parts_written, write_of
from runtime.engine.llvm.arrays.uniform import Uniform, uniform, uniform_constant, uniform_of
from runtime.engine.llvm.element_lowering import is_write
from runtime.engine.llvm.loop_arrays import site_of_copy
from runtime.engine.llvm.variables.access import Update
from runtime.engine.llvm.variables.variable_lowering import held_array, layout_updated, place_of
from runtime.engine.purity import total
from runtime.ops.op import HIGHER_ORDER, RAISES, STATEFUL
from runtime.ops.rules.lowering import Control, Selection

if TYPE_CHECKING:
    from runtime.engine.llvm.scope import PlanScope

MOST_MEMBERS = 200
"""Longest fusion; longer ones would take long to compile, and many registers."""


class FusedValue(NamedTuple):
    """Array that a fusion computes, and has not stored yet; the number of the operation."""

    fusion: OpenFusion
    member: int


class OpenFusions:
    """The open fusions of one plan that is being lowered into a block."""

    def __init__(self, scope: PlanScope) -> None:
        self._scope = scope
        self.open: dict[Dims, OpenFusion] = {}
        self._readers_of: dict[int, list[int]] | None = None

    def join(self, step: Any) -> bool:
        """Let a step join a fusion, or begin one; return False if it is no loop over elements."""
        joins = joining(step)
        if joins is None:
            return False
        fusion = self._begin(joins, step)
        operands = [self.operand(fusion, source, step) for source in joins.sources]
        fusion.members.append(OpenMember(joins, operands, step))
        self._note_member(fusion, step)
        return True

    def join_elements(self, step: Any) -> bool:
        """Let a step whose elements are computed from positions join a fusion; return False if the
        kernel has to compute them.
        """
        elements = computation_of(step)
        if elements is None:
            return False
        members = ElementMembers(self, step, elements)
        members.make_inputs()
        fusion = self._begin(members.joining, step)
        members.add_to(fusion)
        self._note_member(fusion, step)
        return True

    def keep_order(self, step: Any) -> None:
        """Close what must not be computed after a step that joins no fusion."""
        if _must_not_overtake(step):
            self.close_all()
        elif not total(step.operation):
            self._close_what_may_raise(None)

    def _begin(self, joins: Joining, step: Any) -> OpenFusion:
        """Return the fusion for the members of a step; the first error is the one raised."""
        fusion = self._fusion_for(joins)
        if not total(step.operation):
            self._close_what_may_raise(fusion)
            fusion.may_raise = True
        return fusion

    def _note_member(self, fusion: OpenFusion, step: Any) -> None:
        """Note that the last member of a fusion is the result of a step."""
        self._scope.values[step.targets[0]] = FusedValue(fusion, len(fusion.members) - 1)
        fusion.positions.add(self._scope.position)
        self.open[fusion.dims] = fusion

    def _fusion_for(self, joins: Joining) -> OpenFusion:
        """Return the open fusion that an operation joins, or a new one.

        A fusion of unknown sizes is joined only by what reads one of its values.
        """
        dims, same_space = joins.space, self.open.get(joins.space)
        values = [self._scope.values.get(s) for s in joins.sources if isinstance(s, int)]
        reads = [v for v in values if isinstance(v, FusedValue)]
        for fusion, member in reads:
            # a reduction has its value only after the whole loop
            if fusion is not same_space or fusion.members[member].joining.reduction is not None:
                self.close(fusion)
        same_space = self.open.get(dims)
        if same_space is not None:
            # two unknown sizes may differ when the program runs
            if None not in dims or any(value.fusion is same_space for value in reads):
                if len(same_space.members) < MOST_MEMBERS:
                    return same_space
            self.close(same_space)
        return OpenFusion(dims, self)

    def operand(self, fusion: OpenFusion, source: Any, step: Any) -> Operand:
        """Return the operand of a member that a slot, or a constant, is."""
        if not isinstance(source, int):
            return Operand(False, fusion.arg(self._scope.constant(source), None))
        value = self._scope.values.get(source)
        if isinstance(value, FusedValue) and value.fusion is fusion:
            return Operand(True, value.member)
        constant = uniform_constant(self._scope.plan.start[source]) if value is None else None
        if constant is not None:
            element = self._scope.constant(constant[0])
            value = uniform(element, constant[1], step.operation)
        if isinstance(value, SelectedValue):
            return Operand(False, fusion.view(value))
        if isinstance(value, Uniform):
            return Operand(False, fusion.uniform(value))
        register = self.read(source)
        layout = None
        if not isinstance(register.type, ir.Scalar):
            layout = layout_of(step.operation.inputs[step.sources.index(source)].spec)
        return Operand(False, fusion.arg(register, layout))

    def value_of(self, slot: int) -> Any:
        """Return what a slot holds: a register, or what was not made yet."""
        return self._scope.values.get(slot)

    def constant(self, slot: int) -> Any:
        """Return the constant in a slot."""
        return self._scope.plan.start[slot]

    def read(self, slot: int) -> ir.Register:
        """Return the register of what a slot holds, which is computed now."""
        return self._scope.read(slot)

    def fill(self, step: Any) -> bool:
        """Let the result of a step be an array of equal elements, if it is; return False if not."""
        value_and_layout = uniform_of(step)
        if value_and_layout is None:
            return False
        value, layout = value_and_layout
        if isinstance(value, int):
            element = self.read(step.sources[value])
        else:
            element = self._scope.constant(value)
        is_number = not layout.dims
        result = element if is_number else uniform(element, layout, step.operation)
        self._scope.values[step.targets[0]] = result
        return True

    def select(self, step: Any) -> bool:
        """Let the results of a step be elements of an array, if they are; return False if not."""
        selections = selections_of(step)
        if not selections:
            return False
        inputs = self._ints(step, selections[0]) if len(selections) == 1 else ()
        value = self._scope.values.get(step.sources[0])
        if not isinstance(value, SelectedValue):
            value = self.read(step.sources[0])
        for number, (slot, selection) in enumerate(zip(step.targets, selections, strict=True)):
            view = self._scope.values[slot] = selected_from(value, step, number, selection, inputs)
            if selection.may_raise:
                self._close_what_may_raise(None)
                self._scope.block.add(check_of(view))
        return True

    def _ints(self, step: Any, selection: Selection) -> list[ir.Register | None]:
        """Return the inputs of a step after the first that a selection has; None for others."""
        used = run_time_ints(selection)
        return [
            self.read(slot) if number in used else None
            for number, slot in enumerate(step.sources[1:])
        ]

    def multiply(self, step: Any) -> bool:
        """Lower a product of views of arrays; return False if it is none."""
        values = [self._scope.values.get(slot) for slot in step.sources]
        if len(step.targets) != 1:
            return False
        if not any(isinstance(value, SelectedValue) for value in values):
            return False
        self.keep_order(step)
        operands = [
            value if isinstance(value, SelectedValue) else self.read(source)
            for source, value in zip(step.sources, values, strict=True)
        ]
        (type,) = self._scope.lowering.types_of(step.operation.outputs)
        rule = step.operation.op_def.lower
        product = product_of(step, rule, operands, self._scope.lowering.new(type))
        if product is None:
            return False
        self._scope.block.add(product)
        self._scope.values[step.targets[0]] = product.results[0]
        return True

    def write(self, step: Any) -> bool:
        """Lower a write to a view of an array; return False if the step is none."""
        write = write_of(step)
        if write is None or row_of(self._scope.values.get(step.sources[0])) is not None:
            return False
        array = self.read(step.sources[0])
        inputs = [self.read(slot) for slot in step.sources[2:]]
        fusion = self._fusion_that_writes(step, step.sources[1], write)
        self.close_all()
        copy = self._scope.lowering.new(ir.OBJECT)
        site = site_of_copy(step.operation, write.base.dtype, len(write.base.dims))
        self._scope.block.add(ir.Compute("array.own", [array], [copy], site))
        fusion.write_to(copy, step, write, inputs, array)
        self._scope.values[step.targets[0]] = self._add_write(fusion)
        return True

    def _add_write(self, fusion: OpenFusion) -> ir.Register:
        """Add a fusion whose last member replaces elements of an array; return the array."""
        array = self._scope.lowering.new(ir.OBJECT)
        output = len(fusion.members) - 1
        instruction = fusion_of(fusion, [output], [array], self._scope.lowering)
        self._scope.block.add(instruction)
        return array

    def assemble(self, step: Any) -> bool:
        """Put the inputs of a step into a new array; return False if the step does not do so."""
        writes = parts_written(step)
        if not writes:
            return False
        array = self._scope.lowering.new(ir.OBJECT)
        inputs = []
        for source, (write, put) in zip(step.sources, writes, strict=True):
            inputs.append((self._fusion_that_writes(step, source, write), put, write))
        self._scope.block.add(new_array(step, writes[0][0].base, array))
        for fusion, put, write in inputs:
            fusion.write_to(array, put, write, ())
            array = self._add_write(fusion)
        self._scope.values[step.targets[0]] = array
        return True

    def update(self, step: Any) -> bool:
        """Let a step that updates a variable be the end of a fusion; return False if it cannot.

        A value that no fusion computes is assigned as it is.
        """
        layout, is_sum = layout_updated(step), "negative" in step.attrs
        if layout is None:
            return False
        if not is_sum and not isinstance(self._scope.values.get(step.sources[0]), FusedValue):
            return False
        opcode = "copy" if not is_sum else "sub" if step.attrs["negative"] else "add"
        joins = Joining(opcode, step.sources, layout.dims, layout.element)
        fusion = self._fusion_for(joins)
        for unrelated in [fusible for fusible in self.open.values() if fusible is not fusion]:
            self.close(unrelated)
        value = self.operand(fusion, step.sources[0], step)
        array = held_array(self._scope.lowering, self._scope.block, step)
        before = Operand(False, fusion.arg(array, layout))
        place = place_of(self._scope.lowering, step.attrs["storage"])
        fusion.update = Update(len(fusion.members), place, before.number)
        operands = [before, value] if is_sum else [value]
        fusion.members.append(OpenMember(joins, operands, step))
        self._note_member(fusion, step)
        self.close(fusion)
        return True

    def _fusion_that_writes(self, step: Any, source: int, write: Write) -> OpenFusion:
        """Return the fusion, no longer open, that computes what a step writes: a slot."""
        value = self._scope.values.get(source)
        if isinstance(value, FusedValue) and self._computes_alone(value, write):
            del self.open[value.fusion.dims]
            return value.fusion
        fusion = OpenFusion(write.selection.dims, self)
        copy = Joining("copy", (source,), write.selection.dims, write.base.element)
        operand = self.operand(fusion, source, step)
        fusion.members.append(OpenMember(copy, [operand], None))
        return fusion

    def _computes_alone(self, value: FusedValue, write: Write) -> bool:
        """Return whether an open fusion computes what a step writes, and nothing else that is
        needed: it can store its result in the array, if it never gives up.
        """
        fusion, member = value
        slots = [joined.slot for joined in fusion.members]
        return (
            member == len(slots) - 1
            and fusion.dims == write.selection.dims
            and list(self._readers(slots[member])) == [self._scope.position]
            and all(fusion.positions.issuperset(self._readers(slot)) for slot in slots[:member])
            and not any(joined.joining.reduction for joined in fusion.members)
            and not LoopNest(fusion_of(fusion, [member], [], self._scope.lowering), "").may_give_up
        )

    def _close_what_may_raise(self, exempt: OpenFusion | None) -> None:
        """Close the fusions, but for one, that may raise: the first error is the one raised."""
        for fusion in list(self.open.values()):
            if fusion.may_raise and fusion is not exempt:
                self.close(fusion)

    def close_all(self) -> None:
        """Close all fusions."""
        for fusion in list(self.open.values()):
            self.close(fusion)

    def close(self, fusion: OpenFusion) -> None:
        """Add a fusion to the block; later operations read what it stored."""
        if self.open.get(fusion.dims) is not fusion:
            return
        del self.open[fusion.dims]
        slots = {
            n: joined.slot for n, joined in enumerate(fusion.members) if joined.slot is not None
        }
        read_later = [
            number for number, slot in slots.items()
            if any(reader not in fusion.positions for reader in self._readers(slot))
            or (fusion.update is not None and number == fusion.update.output)
        ]  # fmt: skip
        results = [self._scope.lowering.new(fusion.result_type(number)) for number in read_later]
        instruction = fusion_of(fusion, read_later, results, self._scope.lowering)
        self._scope.block.add(instruction)
        for slot in slots.values():
            del self._scope.values[slot]
        for number, result in zip(read_later, results, strict=True):
            self._scope.values[slots[number]] = result

    def _readers(self, slot: int | None) -> Sequence[int]:
        """Return the positions of the steps that read a slot; -1 stands for the end."""
        if self._readers_of is None:
            self._readers_of = {}
            for position, step in enumerate(self._scope.plan.steps):
                for source in step.sources:
                    self._readers_of.setdefault(source, []).append(position)
            for source in self._scope.plan.fetch_slots:
                self._readers_of.setdefault(source, []).append(-1)
        return () if slot is None else self._readers_of.get(slot, ())


def _must_not_overtake(step: Any) -> bool:
    """Return whether a step has effects, or may change an array that a fusion reads."""
    node = step.operation
    if node.op_def.lower == Control("read_variable"):
        return False
    return bool(node.op_def.traits & {HIGHER_ORDER, RAISES, STATEFUL} or is_write(step))
