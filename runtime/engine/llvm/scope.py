"""Scope of a plan that is lowered: the block that it goes into, and what its slots hold.

A slot may hold what was not computed yet: a member of an open fusion, a view, an empty list.  Who
needs a register calls ``read``, which computes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.array_lowering import store
from runtime.engine.llvm.arrays.fusion_lowering import FusedValue, OpenFusions
from runtime.engine.plan import PlanStep

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering


class PlanScope:
    """Scope of one plan: ``values`` is what its slots hold, ``position`` the step being lowered."""

    __slots__ = ("block", "fusions", "values", "lowering", "plan", "position", "resume")

    def __init__(
        self, lowering: Lowering, block: ir.Block, plan: Any, inputs: ir.Registers
    ) -> None:
        self.lowering = lowering
        self.block = block
        self.plan = plan
        self.values: dict[int, Any] = dict(zip(plan.feed_slots, inputs, strict=True))
        self.fusions = OpenFusions(self)
        self.position = 0
        self.resume = 0
        """Position of the first step that no earlier one has done along with its own work."""

    def read(self, slot: int) -> ir.Register:
        """Return the register of what a slot holds, which is computed now if it was not yet."""
        value = self.values.get(slot)
        if isinstance(value, ir.Register):
            return value
        if isinstance(value, FusedValue):
            self.fusions.close(value.fusion)
            value = self.values[slot]
        if isinstance(value, PlanStep):
            # Each reader of an empty list gets one of its own: the lists that readers make of it
            # may have entries of different types.
            (empty,) = self.lowering.list_op(self.block, value, [], "list.new")
            return empty
        if value is None:
            value = self.constant(self.plan.start[slot])
        elif not isinstance(value, ir.Register):
            value = store(self.lowering, self.block, value)
        self.values[slot] = value
        register: ir.Register = value
        return register

    def read_all(self, slots: Sequence[int]) -> list[ir.Register]:
        """Return the registers of what some slots hold."""
        return [self.read(slot) for slot in slots]

    def constant(self, value: Any) -> ir.Register:
        """Add a constant to the block."""
        return self.lowering.constant(self.block, value)

    def hold(self, step: Any, results: Sequence[Any]) -> None:
        """Let the slots of a step's results hold them."""
        self.values.update(zip(step.targets, results, strict=True))
