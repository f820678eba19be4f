"""Lowering of element-wise operations on arrays: neighbours that run over one space of indexes
become one fusion.

An operation joins the open fusion of its shape.  A fusion stays open until anything else reads
one of its values; values that only the fusion reads are never stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Dims, Fusion, KnownLayout, Member
from runtime.engine.llvm.arrays.joining import Joining, joining, layout_of
from runtime.ops.array.indexing import KeyInput
from runtime.ops.op import HIGHER_ORDER, RAISES, STATEFUL
from runtime.ops.rules.lowering import OnArrays

MOST_MEMBERS = 200
"""Longest fusion; longer ones would take long to compile, and many registers."""


class FusedValue(NamedTuple):
    """Array that a fusion computes, and has not stored yet; the number of the operation."""

    fusion: OpenFusion
    member: int


class _OpenMember(NamedTuple):
    """Operation of an open fusion: operands are arguments, and numbers of other members."""

    joining: Joining
    operands: Sequence[Any]
    step: Any


class OpenFusion:
    """Fusion that operations may join still."""

    def __init__(self, dims: Dims, owner: OpenFusions) -> None:
        self.dims = dims
        self.owner = owner
        self.args: list[ir.Register] = []
        self.layouts: list[KnownLayout | None] = []
        self.members: list[_OpenMember] = []
        self.positions: set[int] = set()
        """Positions of the members in the plan."""

    def result_type(self, number: int) -> ir.Type:
        """Return the type of the result of a member: an array, or a number."""
        joins = self.members[number].joining
        is_number = joins.reduction is not None and not joins.reduction.result_axes
        return joins.type if is_number else ir.OBJECT

    def arg(self, register: ir.Register, layout: KnownLayout | None) -> ir.Register:
        """Add an argument, once."""
        if register not in self.args:
            self.args.append(register)
            self.layouts.append(layout)
        return register


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
        joins = joining(step)
        if joins is None:
            if self._open and _must_not_overtake(step):
                self.close_all()
            return False
        found = self._fusion_for(joins)
        operands: list[Any] = []
        for source in joins.sources:
            value = self._env.get(source) if isinstance(source, int) else None
            if isinstance(value, FusedValue) and value.fusion is found:
                operands.append(value.member)
                continue
            register, layout = self._argument(source, step)
            operands.append(found.arg(register, layout))
        self._env[step.targets[0]] = FusedValue(found, len(found.members))
        found.members.append(_OpenMember(joins, operands, step))
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

    def _argument(self, source: Any, step: Any) -> tuple[ir.Register, KnownLayout | None]:
        if not isinstance(source, int):
            return self._lowering._constant(self._block, source), None
        register = self._lowering._read(self._block, self._plan, self._env, source)
        if isinstance(register.type, ir.Scalar):
            return register, None
        return register, layout_of(step.operation.inputs[step.sources.index(source)].spec)

    def close_all(self) -> None:
        """Close all fusions."""
        for fusion in list(self._open.values()):
            self.close(fusion)

    def close(self, fusion: OpenFusion) -> None:
        """Add a fusion to the block; later operations read what it stored."""
        if self._open.get(fusion.dims) is not fusion:
            return
        del self._open[fusion.dims]
        slots = [member.step.targets[0] for member in fusion.members]
        wanted = [
            number for number, slot in enumerate(slots)
            if any(reader not in fusion.positions for reader in self._readers(slot))
        ]  # fmt: skip
        results = [self._lowering.new(fusion.result_type(number)) for number in wanted]
        made = _fusion_of(fusion, wanted, results, self._lowering)
        self._block.instructions.append(made)
        for slot in slots:
            del self._env[slot]
        for number, result in zip(wanted, results, strict=True):
            self._env[slots[number]] = result

    def _readers(self, slot: int) -> Sequence[int]:
        """Return the positions of the steps that read a slot; -1 stands for the end."""
        if self._last is None:
            self._last = {}
            for position, step in enumerate(self._plan.steps):
                for source in step.sources:
                    self._last.setdefault(source, []).append(position)
            for source in self._plan.fetch_slots:
                self._last.setdefault(source, []).append(-1)
        return self._last.get(slot, ())


def _fusion_of(
    fusion: OpenFusion, wanted: Sequence[int], results: Sequence[ir.Register], lowering: Any
) -> Fusion:
    """Return the instruction of a fusion, with its slow block."""
    count = len(fusion.args)
    params = [lowering.new(v.type) for v in fusion.args]
    slow = ir.Block(params, borrowed=params)
    slow_of = dict(zip(fusion.args, slow.params, strict=True))
    made: list[ir.Register] = []
    members: list[Member] = []
    for number, (joins, operands, step) in enumerate(fusion.members):
        site = ir.Site(step)
        args = [made[o] if isinstance(o, int) else slow_of[o] for o in operands]
        result = lowering.new(fusion.result_type(number))
        inputs = args if len(args) == len(step.sources) else _inputs(step, args)
        slow.instructions.append(ir.Callback(site, inputs, (result,)))
        made.append(result)
        numbers = [count + o if isinstance(o, int) else fusion.args.index(o) for o in operands]
        members.append(Member(joins.opcode, tuple(numbers), joins.type, site, joins.reduction))
    slow.results = tuple([made[number] for number in wanted])
    outputs = [count + number for number in wanted]
    return Fusion(fusion.args, results, fusion.dims, fusion.layouts, members, outputs, slow)


def _inputs(step: Any, args: Sequence[ir.Register]) -> list[ir.Register]:
    """Return the inputs among the operands, some of which are constants among the attributes."""
    rule = step.operation.op_def.lower
    parts = [part.index if isinstance(part, KeyInput) else -1 for part in
             rule.operands(step.operation.attrs)[0]]  # fmt: skip
    return [args[parts.index(index)] for index in range(len(step.sources))]


def _must_not_overtake(step: Any) -> bool:
    """Return whether a step has effects, or may change an array that a fusion reads."""
    node = step.operation
    return bool(
        node.op_def.traits & {HIGHER_ORDER, RAISES, STATEFUL}
        or isinstance(node.op_def.lower, OnArrays)
    )
