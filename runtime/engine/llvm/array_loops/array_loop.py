"""Kernel IR of loops over whole arrays, which go along an axis or to computed places.

    %3: object = scan %1 else cumsum
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.blas import decomposes
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layouts_of
from runtime.engine.llvm.loop_arrays import site_of_copy
from runtime.engine.passes.queries import constant_value
from runtime.ops.rules.loops import Compaction, Decomposition, Expansion, Scan, Scatter
from runtime.ops.rules.lowering import Case, Composes, OnArrays


class ArrayLoop(ir.Compute):
    """Loop over whole arrays: ``plan`` says what it does (ops/rules/loops.py).

    ``layouts`` says what is known of the arguments, ``gives`` of the results.  The site's kernel
    computes what is laid out otherwise, and raises.
    """

    __slots__ = ("gives", "layouts", "plan")

    def __init__(
        self, args: ir.Registers, results: ir.Registers, site: ir.Site,
        plan: Any, layouts: Sequence[KnownLayout], gives: Sequence[KnownLayout],
    ) -> None:  # fmt: skip
        super().__init__(type(plan).__name__.lower(), args, results, site)
        self.plan = plan
        self.layouts = tuple(layouts)
        self.gives = tuple(gives)


def plan_of_step(step: Any) -> tuple[Any, Sequence[KnownLayout], Sequence[KnownLayout]] | None:
    """Return the plan of a step that is a loop over arrays, and what is known of its inputs and
    results; None if its kernel has to compute it.
    """
    node = step.operation
    rule = node.op_def.lower
    if not isinstance(rule, OnArrays | Composes) or rule.plan is None or not is_layout_known():
        return None
    takes, gives = layouts_of(node.inputs), layouts_of(node.outputs)
    if takes is None or gives is None:
        return None
    values = [constant_value(tensor) for tensor in node.inputs]
    dims, dtypes = [layout.dims for layout in takes], [layout.dtype for layout in takes]
    plan = rule.plan(Case(dims, dtypes, values, gives[0].dims, node.attrs))
    if isinstance(plan, Decomposition) and not decomposes():
        return None
    if plan is None or not (_moves(plan, takes) or all(dtype in ir.NUMBERS for dtype in dtypes)):
        if not isinstance(plan, Scan | Scatter):  # which combine elements of any dtype
            return None
    return plan, takes, gives


def _moves(plan: Any, layouts: Sequence[KnownLayout]) -> bool:
    """Return whether a plan moves elements, and computes nothing with them."""
    if isinstance(plan, Scatter):
        return plan.how == "update" and plan.base is not None and bool(layouts[plan.updates].dims)
    return isinstance(plan, Compaction | Expansion) and layouts[plan.mask].element.kind != "c"


def array_loop(lowering: Any, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a step that is a loop over arrays; None if its kernel has to compute it."""
    planning, node = plan_of_step(step), step.operation
    if planning is None:
        return None
    plan, takes, gives = planning
    args = list(args)
    if isinstance(plan, Scatter | Expansion) and plan.base is not None:  # it is changed in place
        owned_base, base = lowering.new(ir.OBJECT), takes[plan.base]
        site = site_of_copy(node, base.dtype, len(base.dims))
        block.add(ir.Compute("array.own", [args[plan.base]], [owned_base], site))
        args[plan.base] = owned_base
    results = lowering.results_of(node)
    block.add(ArrayLoop(args, results, ir.Site(step), plan, takes, gives))
    return results
