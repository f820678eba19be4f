"""Kernel IR of products of arrays: products of matrices, and what amounts to them.

    %3: object = product %1, %2 else matmul
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.blas import multiplies
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import Multiplies, ProductAxes


class Product(ir.Compute):
    """Sum of products of the elements of two arrays along axes.

    ``layouts`` says what is known of the arguments.  The site's kernel computes what BLAS cannot,
    and raises where sizes differ.
    """

    __slots__ = ("axes", "layouts")

    def __init__(
        self, args: Sequence[ir.Register], result: ir.Register, site: ir.Site, axes: ProductAxes,
        layouts: Sequence[KnownLayout],
    ) -> None:  # fmt: skip
        super().__init__("product", args, (result,), site)
        self.axes = axes
        self.layouts = tuple(layouts)

    @property
    def element(self) -> ir.Scalar:
        """Type of the elements."""
        return self.layouts[0].element

    def rest(self, operand: int) -> list[int]:
        """Return the axes of an operand that are neither summed over nor of the batch."""
        gone = {*self.axes.inner[operand], *self.axes.batch[operand]}
        return [axis for axis in range(len(self.layouts[operand].dims)) if axis not in gone]


def product_of(
    step: PlanStep, rule: Multiplies, args: Sequence[ir.Register], result: ir.Register
) -> Product | None:
    """Return the product that a step is; None if its kernel has to compute it."""
    node = step.operation
    if len(args) != 2 or not is_layout_known():
        return None
    layouts = [layout_of(tensor.spec) for tensor in node.inputs]
    found = [layout for layout in layouts if layout is not None]
    gives = layout_of(node.outputs[0].spec)
    if len(found) != 2 or gives is None or found[0].dtype != found[1].dtype:
        return None
    if gives.dtype != found[0].dtype or not multiplies(gives.element):
        return None
    if any(value.type is not ir.OBJECT for value in args):
        return None
    axes = rule.axes(node.attrs, [len(layout.dims) for layout in found])
    return None if axes is None else Product(args, result, ir.Site(step), axes, found)
