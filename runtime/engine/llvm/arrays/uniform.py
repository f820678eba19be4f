"""Arrays whose elements are all the same, such as ``fill`` gives: to a loop, a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.fusion import Fusion, KnownLayout, Member
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import OnArrays


class Uniform(NamedTuple):
    """Array that was not made: its element, its layout, and the step that would make it of that."""

    element: ir.Register
    layout: KnownLayout
    step: PlanStep

    @property
    def element_layout(self) -> KnownLayout | None:
        """Layout of the element if it is an array without axes; None of a number."""
        is_number = isinstance(self.element.type, ir.Scalar)
        return None if is_number else self.layout._replace(dims=())


def uniform_of(step: Any) -> tuple[Any, KnownLayout] | None:
    """Return what all elements of a step's result are, the number of an input or a number of
    NumPy's, and the layout; None if they differ, or a size is not known.
    """
    node = step.operation
    op_def = node.op_def
    layout = layout_of(node.outputs[0].spec) if len(node.outputs) == 1 else None
    if layout is None or None in layout.dims:
        return None
    if op_def.like_value is not None:
        return layout.dtype.type(op_def.like_value), layout
    rule = op_def.lower
    if not isinstance(rule, OnArrays) or (rule.fills is None and not rule.selects):
        return None
    source = rule.fills or 0  # a view of a number is that number everywhere
    source_layout = layout_of(node.inputs[source].spec)
    if (
        source_layout is None
        or source_layout.dims
        or source_layout.dtype != layout.dtype
        or not is_layout_known()
    ):
        return None
    return source, layout


def uniform(element: ir.Register, layout: KnownLayout, node: Any) -> Uniform:
    """Return the array of such elements that an operation gives."""
    return Uniform(element, layout, PlanStep(_full, {"layout": layout}, (), (), (), node))


def uniform_constant(value: Any) -> tuple[Any, KnownLayout] | None:
    """Return the element and the layout of a constant that holds it only once; None of others."""
    if type(value) is not np.ndarray or not value.ndim or value.size < 2 or any(value.strides):
        return None
    if value.dtype not in ir.NUMBERS:
        return None
    return value[(0,) * value.ndim], KnownLayout(value.dtype, value.shape)


def _full(element: Any, *, layout: KnownLayout) -> Any:
    return np.full(layout.dims, element, layout.dtype)


def fill_array(lowering: Any, block: ir.Block, uniform: Uniform) -> ir.Register:
    """Make the array by a loop."""
    element, slow = uniform.element, ir.Block([lowering.new(uniform.element.type)])
    slow.results = (filled_slowly(lowering, slow, uniform, slow.params[0]),)
    result: ir.Register = lowering.new(ir.OBJECT)
    member = Member("copy", (0,), uniform.layout.element, ir.Site(uniform.step))
    dims = uniform.layout.dims
    block.add(Fusion([element], [result], dims, [uniform.element_layout], {}, [member], [1], slow))
    return result


def filled_slowly(
    lowering: Any, block: ir.Block, uniform: Uniform, element: ir.Register
) -> ir.Register:
    """Make the array by a kernel."""
    result: ir.Register = lowering.new(ir.OBJECT)
    block.add(ir.Callback(ir.Site(uniform.step), (element,), (result,)))
    return result
