"""Lowering of operations on whole arrays: views that something needs, and products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.convolution import Convolution, convolution_of
from runtime.engine.llvm.arrays.product import Product, product_of
from runtime.engine.llvm.arrays.selection import SelectedValue, made
from runtime.engine.llvm.arrays.uniform import Uniform, filled
from runtime.engine.llvm.element_lowering import Element, ElementLowering, Sizes
from runtime.ops.rules.lowering import Convolves, Multiplies


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

    def _product(
        self, block: ir.Block, step: Any, args: list[ir.Register], rule: Multiplies | Convolves
    ) -> Sequence[ir.Register] | None:
        """Lower a product or convolution of arrays; None if the kernel has to compute it."""
        (type,) = self._specs(step.operation.outputs)
        result = self.new(type)
        product: Product | Convolution | None
        if isinstance(rule, Multiplies):
            product = product_of(step, rule, args, result)
        else:
            product = convolution_of(step, rule, args, result)
        if product is None:
            return None
        block.instructions.append(product)
        return product.results
