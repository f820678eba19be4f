"""Lowering of operations on whole arrays: views that something needs, products, windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.array_loop import has_plan
from runtime.engine.llvm.arrays.open_fusion import copied
from runtime.engine.llvm.arrays.product import product_of
from runtime.engine.llvm.arrays.selection import SelectedValue, made
from runtime.engine.llvm.arrays.uniform import Uniform, filled
from runtime.engine.llvm.arrays.windowed import Windowed, work_of
from runtime.engine.llvm.element_lowering import Element, ElementLowering, Sizes
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import Multiplies


class ArrayLowering(ElementLowering):
    """Base of the lowering: elements, views and products of arrays."""

    _specs: Callable[[Sequence[Any]], list[Any]]

    def _made(
        self, block: ir.Block, found: Element | Sizes | SelectedValue | Uniform
    ) -> ir.Register:
        """Make a row, the shape or a view of an array, or an array of equal elements."""
        if isinstance(found, Uniform):
            return filled(self, block, found)
        if isinstance(found, SelectedValue):
            return made(self, block, found, found.array)
        return super()._made(block, found)

    def _copy_views(self, block: ir.Block, env: dict[int, Any], step: Any) -> None:
        """Store the elements of views that a loop over arrays is about to read."""
        for slot in step.sources if has_plan(step) else ():
            value = env.get(slot)
            if isinstance(value, SelectedValue) and value.links[-1].maker is not None:
                env[slot] = copied(value, self, block)

    def _product(
        self, block: ir.Block, step: Any, args: list[ir.Register], rule: Multiplies
    ) -> Sequence[ir.Register] | None:
        """Lower a product of arrays; None if the kernel has to compute it."""
        types = self._specs(step.operation.outputs)
        product = product_of(step, rule, args, self.new(types[0])) if len(types) == 1 else None
        if product is None:
            return None
        block.instructions.append(product)
        return product.results

    def _windowed(self, block: ir.Block, plan: Any, env: dict[int, Any], step: Any) -> bool:
        """Lower a convolution, pooling or a gradient of one; return whether it is one that native
        code computes.
        """
        work = work_of(step)
        if work is None:
            return False
        sources = step.sources[: len(work.inputs)]
        args = [self._read(block, plan, env, slot) for slot in sources]
        if work.takes_shape and None in work.result.dims:
            args.append(self._first_size(block, plan, env, step))
        (type,) = self._specs(step.operation.outputs)
        windowed = Windowed(work, args, self.new(type), step)
        block.instructions.append(windowed)
        env.update(zip(step.targets, windowed.results, strict=True))
        return True

    def _first_size(
        self, block: ir.Block, plan: Any, env: dict[int, Any], step: Any
    ) -> ir.Register:
        """Return the first size in the shape that is the last input of a step."""
        slot, spec = step.sources[-1], step.operation.inputs[-1].spec
        found = env.get(slot)
        if isinstance(found, Sizes):
            return self._size(block, step, found, 0)
        dtype = np.dtype(spec.dtype.as_numpy_dtype)
        attrs = {"dtype": dtype, "rank": 1}
        site = ir.Site(PlanStep(_entry, attrs, (), (), (), step.operation), order=())
        args = self._read(block, plan, env, slot), self._constant(block, np.int64(0))
        result = self.new(ir.NUMBERS[dtype])
        block.instructions.append(ir.Compute("array.item", args, (result,), site))
        return result

    def guarded(
        self, block: ir.Block, step: Any, args: Sequence[ir.Register]
    ) -> list[ir.Register] | None:
        """Lower a value that holds, or not: the kernel of the operation that was composed."""
        holds, value, *inputs = args
        node = step.operation
        if holds.type != ir.BOOL:
            return None
        kept = ir.Block([self.new(value.type)])
        kept.results = tuple(kept.params)
        kernel = ir.Block([self.new(one.type) for one in inputs])
        whole = PlanStep(node.attrs["op"].kernel, node.attrs["attrs"], (), (), (), node.origin)
        found, result = self.new(value.type), self.new(value.type)
        kernel.instructions.append(ir.Callback(ir.Site(whole), kernel.params, (found,)))
        kernel.results = (found,)
        splits = (1, len(inputs))
        block.instructions.append(
            ir.Switch([holds, value, *inputs], [result], [kept, kernel], splits)
        )
        return [result]



def _entry(array: Any, index: Any, **_: Any) -> Any:
    return array[index]
