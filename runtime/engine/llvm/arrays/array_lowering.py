"""Lowering of operations on whole arrays: views that something needs, products, windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.array_loop import plan_of_step
from runtime.engine.llvm.arrays.open_fusion import copy_view
from runtime.engine.llvm.arrays.product import product_of
from runtime.engine.llvm.arrays.selection import SelectedValue, make_view
from runtime.engine.llvm.arrays.uniform import Uniform, fill_array
from runtime.engine.llvm.arrays.windowed import Windowed, work_of
from runtime.engine.llvm.element_lowering import Sizes, size_of
from runtime.engine.llvm.vector_math.processor import is_for_others
from runtime.engine.plan import PlanStep

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering
    from runtime.engine.llvm.scope import PlanScope


def store(
    lowering: Lowering, block: ir.Block, value: Sizes | SelectedValue | Uniform
) -> ir.Register:
    """Make the shape or a view of an array, or an array of equal elements."""
    if isinstance(value, Uniform):
        return fill_array(lowering, block, value)
    if isinstance(value, SelectedValue):
        if is_for_others() and value.links[-1].maker is not None:  # no kernel makes views there
            return copy_view(value, lowering, block)
        return make_view(lowering, block, value, value.array)
    return lowering.call_kernel(block, value.step, [value.array])[0]


def copy_views(scope: PlanScope, step: Any) -> None:
    """Store the elements of views that a step reads, if it is a loop over arrays."""
    for slot in step.sources if plan_of_step(step) is not None else ():
        value = scope.values.get(slot)
        if isinstance(value, SelectedValue) and value.is_made_by_steps:
            scope.values[slot] = copy_view(value, scope.lowering, scope.block)


def product(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a product of arrays; None if the kernel has to compute it."""
    node = step.operation
    if len(node.outputs) != 1:
        return None
    (type,) = lowering.types_of(node.outputs)
    product = product_of(step, node.op_def.lower, args, lowering.new(type))
    if product is None:
        return None
    block.add(product)
    return product.results


def lower_windows(scope: PlanScope, step: Any) -> bool:
    """Lower a convolution, pooling or a gradient of one; return False if the kernel has to compute
    it.
    """
    work = work_of(step)
    if work is None:
        return False
    args = scope.read_all(step.sources[: len(work.inputs)])
    if work.takes_shape and None in work.result.dims:
        args.append(_first_size(scope, step))
    (type,) = scope.lowering.types_of(step.operation.outputs)
    windowed = Windowed(work, args, scope.lowering.new(type), step)
    scope.block.add(windowed)
    scope.hold(step, windowed.results)
    return True


def _first_size(scope: PlanScope, step: Any) -> ir.Register:
    """Return the first size in the shape that is the last input of a step."""
    lowering, block = scope.lowering, scope.block
    slot, spec = step.sources[-1], step.operation.inputs[-1].spec
    shape = scope.values.get(slot)
    if isinstance(shape, Sizes):
        return size_of(lowering, block, step, shape, 0)
    dtype = np.dtype(spec.dtype.as_numpy_dtype)
    attrs = {"dtype": dtype, "rank": 1}
    site = ir.Site(PlanStep(_entry, attrs, (), (), (), step.operation), order=())
    args = scope.read(slot), lowering.constant(block, np.int64(0))
    result = lowering.new(ir.NUMBERS[dtype])
    block.add(ir.Compute("array.item", args, (result,), site))
    return result


def _entry(array: Any, index: Any, **_: Any) -> Any:
    return array[index]
