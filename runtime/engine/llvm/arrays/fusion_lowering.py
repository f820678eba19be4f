"""Lowering of element-wise operations on arrays: neighbours that run over one space of indexes
become one fusion.

An operation joins the open fusion of its shape.  A fusion stays open until anything else reads
one of its values; values that only the fusion reads are never stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.assembly import new_array, parts_written
from runtime.engine.llvm.arrays.computed_elements import ElementMembers, computed
from runtime.engine.llvm.arrays.fusion import Dims
from runtime.engine.llvm.arrays.joining import Joining, joining, layout_of
from runtime.engine.llvm.arrays.loop_nest import LoopNest
from runtime.engine.llvm.arrays.open_fusion import OpenFusion, OpenMember, Operand, fusion_of
from runtime.engine.llvm.arrays.product import product_of
from runtime.engine.llvm.arrays.selection import (
    SelectedValue,
    as_view,
    check_of,
    run_time_ints,
    selected_from,
    selections_of,
)
from runtime.engine.llvm.arrays.slice_writes import Write, write_of
from runtime.engine.llvm.arrays.uniform import (
    Uniform,
    uniform,
    uniform_constant,
    uniform_of,
)
from runtime.engine.llvm.element_lowering import WRITE, Element, opcode_on_arrays
from runtime.engine.llvm.loop_arrays import site_of_copy
from runtime.engine.llvm.variables.access import Update
from runtime.engine.llvm.variables.variable_lowering import layout_updated
from runtime.engine.purity import total
from runtime.ops.op import HIGHER_ORDER, RAISES, STATEFUL
from runtime.ops.rules.lowering import Control, Multiplies, Selection

MOST_MEMBERS = 200
"""Longest fusion; longer ones would take long to compile, and many registers."""


class FusedValue(NamedTuple):
    """Array that a fusion computes, and has not stored yet; the number of the operation."""

    fusion: OpenFusion
    member: int


class OpenFusions:
    """The open fusions of one plan that is being lowered into a block."""

    def __init__(self, lowering: Any, block: ir.Block, plan: Any, env: dict[int, Any]) -> None:
        self._lowering = lowering
        self._block = block
        self._plan = plan
        self._env = env
        self._open: dict[Dims, OpenFusion] = {}
        self._last: dict[int, list[int]] | None = None

    def join(self, position: int) -> bool:
        """Let the step at a position join a fusion, or begin one; return False if it cannot."""
        step = self._plan.steps[position]
        if self._fill(step) or self._select(step):
            return True
        if self._write(position) or self._assemble(position) or self._update(position):
            return True
        elements = computed(step)
        adding = None if elements is None else ElementMembers(self, step, elements)
        joins = joining(step) if adding is None else adding.joining
        may_raise = not total(step.operation)
        if joins is None:
            if self._open and _must_not_overtake(step):
                self.close_all()
            elif may_raise:
                self._close_what_may_raise(None)
            return self._multiply(step)
        if adding is not None:
            adding.make_inputs()
        found = self._fusion_for(joins)
        if may_raise:
            self._close_what_may_raise(found)
            found.may_raise = True
        if adding is not None:
            adding.add_to(found)
        else:
            operands = [self.operand(found, source, step) for source in joins.sources]
            found.members.append(OpenMember(joins, operands, step))
        self._env[step.targets[0]] = FusedValue(found, len(found.members) - 1)
        found.positions.add(position)
        self._open[joins.space] = found
        return True

    def _fusion_for(self, joins: Joining) -> OpenFusion:
        """Return the open fusion that an operation joins, or a new one.

        A fusion of unknown sizes is joined only by what reads one of its values.
        """
        dims, found = joins.space, self._open.get(joins.space)
        values = [self._env.get(s) for s in joins.sources if isinstance(s, int)]
        reads = [v for v in values if isinstance(v, FusedValue)]
        for fusion, member in reads:
            if fusion is not found or fusion.members[member].joining.reduction is not None:
                self.close(fusion)
        found = self._open.get(dims)
        if found is not None and (None not in dims or any(r.fusion is found for r in reads)):
            if len(found.members) < MOST_MEMBERS:
                return found
        if found is not None:
            self.close(found)
        return OpenFusion(dims, self)

    def operand(self, fusion: OpenFusion, source: Any, step: Any) -> Operand:
        """Return the operand of a member that a slot, or a constant, is."""
        if not isinstance(source, int):
            return Operand(False, fusion.arg(self._lowering._constant(self._block, source), None))
        value = self._env.get(source)
        if isinstance(value, FusedValue) and value.fusion is fusion:
            return Operand(True, value.member)
        constant = uniform_constant(self._plan.start[source]) if value is None else None
        if constant is not None:
            element = self._lowering._constant(self._block, constant[0])
            value = uniform(element, constant[1], step.operation)
        if isinstance(value, SelectedValue | Element):
            view = as_view(value) if isinstance(value, Element) else value
            return Operand(False, fusion.view(view))
        if isinstance(value, Uniform):
            return Operand(False, fusion.uniform(value))
        register = self.read(source)
        layout = None
        if not isinstance(register.type, ir.Scalar):
            layout = layout_of(step.operation.inputs[step.sources.index(source)].spec)
        return Operand(False, fusion.arg(register, layout))

    def value_of(self, slot: int) -> Any:
        """Return what a slot holds: a register, or what was not made yet."""
        return self._env.get(slot)

    def constant(self, slot: int) -> Any:
        """Return the constant in a slot."""
        return self._plan.start[slot]

    def read(self, slot: int) -> ir.Register:
        """Return the register of what a slot holds, which is made now."""
        found: ir.Register = self._lowering._read(self._block, self._plan, self._env, slot)
        return found

    def _fill(self, step: Any) -> bool:
        """Let the result of a step be an array of equal elements, if it is; return False if not."""
        found = uniform_of(step)
        if found is None:
            return False
        value, layout = found
        if isinstance(value, int):
            element = self.read(step.sources[value])
        else:
            element = self._lowering._constant(self._block, value)
        is_number = not layout.dims
        made = element if is_number else uniform(element, layout, step.operation)
        self._env[step.targets[0]] = made
        return True

    def _select(self, step: Any) -> bool:
        """Let the results of a step be elements of an array, if they are; return False if not."""
        selections = selections_of(step)
        if not selections:
            return False
        inputs = self._ints(step, selections[0]) if len(selections) == 1 else ()
        value = self._env.get(step.sources[0])
        if not isinstance(value, SelectedValue | Element):
            value = self.read(step.sources[0])
        for number, (slot, one) in enumerate(zip(step.targets, selections, strict=True)):
            view = self._env[slot] = selected_from(value, step, number, one, inputs)
            if one.may_raise:
                self._close_what_may_raise(None)
                self._block.instructions.append(check_of(view))
        return True

    def _ints(self, step: Any, selection: Selection) -> list[ir.Register | None]:
        """Return the inputs of a step after the first that a selection has; None for others."""
        used = run_time_ints(selection)
        return [
            self.read(slot) if number in used else None
            for number, slot in enumerate(step.sources[1:])
        ]

    def _multiply(self, step: Any) -> bool:
        """Lower a product of views of arrays; return False if it is none."""
        rule, values = step.operation.op_def.lower, [self._env.get(one) for one in step.sources]
        if not isinstance(rule, Multiplies) or len(step.targets) != 1:
            return False
        if not any(isinstance(value, SelectedValue | Element) for value in values):
            return False
        operands: list[Any] = []
        for source, value in zip(step.sources, values, strict=True):
            view = as_view(value) if isinstance(value, Element) else value
            operands.append(view if isinstance(view, SelectedValue) else self.read(source))
        (type,) = self._lowering._specs(step.operation.outputs)
        product = product_of(step, rule, operands, self._lowering.new(type))
        if product is None:
            return False
        self._block.instructions.append(product)
        self._env[step.targets[0]] = product.results[0]
        return True

    def _write(self, position: int) -> bool:
        """Lower a write to a view of an array; return False if the step is none."""
        step = self._plan.steps[position]
        write = write_of(step) if opcode_on_arrays(step) == WRITE else None
        if write is None or isinstance(self._env.get(step.sources[0]), Element):
            return False
        array = self.read(step.sources[0])
        inputs = [self.read(slot) for slot in step.sources[2:]]
        fusion = self._written(position, step.sources[1], write)
        self.close_all()
        own, result = (self._lowering.new(ir.OBJECT) for _ in range(2))
        site = site_of_copy(step.operation, write.base.dtype, len(write.base.dims))
        self._block.instructions.append(ir.Compute("array.own", [array], [own], site))
        fusion.write_to(own, step, write, inputs, array)
        self._block.instructions.append(
            fusion_of(fusion, [len(fusion.members) - 1], [result], self._lowering)
        )
        self._env[step.targets[0]] = result
        return True

    def _assemble(self, position: int) -> bool:
        """Put the inputs of a step into a new array; return False if the step does not do so."""
        step = self._plan.steps[position]
        writes = parts_written(step)
        if not writes:
            return False
        array = self._lowering.new(ir.OBJECT)
        made = []
        for source, (write, put) in zip(step.sources, writes, strict=True):
            fusion = self._written(position, source, write)
            made.append((fusion, put, write))
        self._block.instructions.append(new_array(step, writes[0][0].base, array))
        for fusion, put, write in made:
            fusion.write_to(array, put, write, ())
            array = self._lowering.new(ir.OBJECT)
            last = len(fusion.members) - 1
            self._block.instructions.append(fusion_of(fusion, [last], [array], self._lowering))
        self._env[step.targets[0]] = array
        return True

    def _update(self, position: int) -> bool:
        """Let a step that updates a variable be the end of a fusion; return False if it cannot.

        A value that no fusion computes is assigned as it is.
        """
        step = self._plan.steps[position]
        layout, is_sum = layout_updated(step), "negative" in step.attrs
        if layout is None:
            return False
        if not is_sum and not isinstance(self._env.get(step.sources[0]), FusedValue):
            return False
        opcode = "copy" if not is_sum else "sub" if step.attrs["negative"] else "add"
        joins = Joining(opcode, step.sources, layout.dims, layout.element)
        found = self._fusion_for(joins)
        for other in list(self._open.values()):
            if other is not found:
                self.close(other)
        given = self.operand(found, step.sources[0], step)
        held = Operand(False, found.arg(self._lowering.held_array(self._block, step), layout))
        place = self._lowering.place_of(step.attrs["storage"])
        found.update = Update(len(found.members), place, held.number)
        self._env[step.targets[0]] = FusedValue(found, len(found.members))
        found.members.append(OpenMember(joins, [held, given] if is_sum else [given], step))
        found.positions.add(position)
        self._open[layout.dims] = found
        self.close(found)
        return True

    def _written(self, position: int, source: int, write: Write) -> OpenFusion:
        """Return the fusion, no longer open, that computes what a step writes: a slot."""
        step = self._plan.steps[position]
        value = self._env.get(source)
        if isinstance(value, FusedValue) and self._computes_alone(value, position, write):
            del self._open[value.fusion.dims]
            return value.fusion
        fusion = OpenFusion(write.rest.dims, self)
        copy = Joining("copy", (source,), write.rest.dims, write.base.element)
        operand = self.operand(fusion, source, step)
        fusion.members.append(OpenMember(copy, [operand], None))
        return fusion

    def _computes_alone(self, value: FusedValue, position: int, write: Write) -> bool:
        """Return whether an open fusion computes what a step writes, and nothing else that is
        needed: it can store its result in the array, if it never gives up.
        """
        fusion, member = value
        slots = [one.slot for one in fusion.members]
        return (
            member == len(slots) - 1
            and fusion.dims == write.rest.dims
            and list(self._readers(slots[member])) == [position]
            and all(fusion.positions.issuperset(self._readers(slot)) for slot in slots[:member])
            and not any(one.joining.reduction for one in fusion.members)
            and not LoopNest(fusion_of(fusion, [member], [], self._lowering), "").may_give_up
        )

    def _close_what_may_raise(self, kept: OpenFusion | None) -> None:
        """Close the fusions, but for one, that may raise: the first error is the one raised."""
        for fusion in list(self._open.values()):
            if fusion.may_raise and fusion is not kept:
                self.close(fusion)

    def close_all(self) -> None:
        """Close all fusions."""
        for fusion in list(self._open.values()):
            self.close(fusion)

    def close(self, fusion: OpenFusion) -> None:
        """Add a fusion to the block; later operations read what it stored."""
        if self._open.get(fusion.dims) is not fusion:
            return
        del self._open[fusion.dims]
        slots = {n: one.slot for n, one in enumerate(fusion.members) if one.slot is not None}
        wanted = [
            number for number, slot in slots.items()
            if any(reader not in fusion.positions for reader in self._readers(slot))
            or (fusion.update is not None and number == fusion.update.output)
        ]  # fmt: skip
        results = [self._lowering.new(fusion.result_type(number)) for number in wanted]
        made = fusion_of(fusion, wanted, results, self._lowering)
        self._block.instructions.append(made)
        for slot in slots.values():
            del self._env[slot]
        for number, result in zip(wanted, results, strict=True):
            self._env[slots[number]] = result

    def _readers(self, slot: int | None) -> Sequence[int]:
        """Return the positions of the steps that read a slot; -1 stands for the end."""
        if self._last is None:
            self._last = {}
            for position, step in enumerate(self._plan.steps):
                for source in step.sources:
                    self._last.setdefault(source, []).append(position)
            for source in self._plan.fetch_slots:
                self._last.setdefault(source, []).append(-1)
        return () if slot is None else self._last.get(slot, ())


def _must_not_overtake(step: Any) -> bool:
    """Return whether a step has effects, or may change an array that a fusion reads."""
    node = step.operation
    if node.op_def.lower == Control("read_variable"):
        return False
    return bool(
        node.op_def.traits & {HIGHER_ORDER, RAISES, STATEFUL} or opcode_on_arrays(step) == WRITE
    )
