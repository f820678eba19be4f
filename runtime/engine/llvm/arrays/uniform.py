"""Arrays whose elements are all the same, such as ``zeros_like`` gives: to a loop, a number."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.plan import PlanStep


class Uniform(NamedTuple):
    """Array that was not made: its element, and the step that would make it."""

    element: ir.Register
    step: PlanStep


def uniform_of(step: Any) -> tuple[Any, PlanStep] | None:
    """Return the number that all elements of a step's result are, and the step that makes it of
    nothing; None if it has other elements, or a size is not known.
    """
    node = step.operation
    value = node.op_def.like_value
    layout = None if value is None else layout_of(node.outputs[0].spec)
    if layout is None or not layout.dims or None in layout.dims:
        return None
    number = layout.dtype.type(value)
    return number, PlanStep(_filled, {"layout": layout, "number": number}, (), (), (), node)


def _filled(*, layout: KnownLayout, number: Any) -> Any:
    return np.full(layout.dims, number, layout.dtype)


def filled(lowering: Any, block: ir.Block, uniform: Uniform) -> ir.Register:
    """Make the array by a kernel."""
    result: ir.Register = lowering.new(ir.OBJECT)
    block.instructions.append(ir.Callback(ir.Site(uniform.step), (), (result,)))
    return result
