"""Kernel IR of products of arrays: products of matrices, and what amounts to them.

    %3: object = product %1, %2 else matmul
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.engine.error_location import call_located
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.blas import multiplies
from runtime.engine.llvm.arrays.fusion import KnownLayout, Selected
from runtime.engine.llvm.arrays.joining import layouts_of
from runtime.engine.llvm.arrays.selection import SelectedValue, ViewKernel
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import Multiplies, ProductAxes


class Product(ir.Compute):
    """Sum of products of the elements of two arrays along axes.

    The first two arguments are the arrays; ``layouts`` says what is known of them, ``selected``
    which are not the array that is passed, but elements of it.  The site's kernel computes what
    BLAS cannot, and raises where sizes differ.
    """

    __slots__ = ("axes", "layouts", "selected")

    def __init__(
        self, args: ir.Registers, result: ir.Register, site: ir.Site, axes: ProductAxes,
        layouts: Sequence[KnownLayout], selected: Mapping[int, Selected],
    ) -> None:  # fmt: skip
        super().__init__("product", args, (result,), site)
        self.axes = axes
        self.layouts = tuple(layouts)
        self.selected = selected

    @property
    def element(self) -> ir.Scalar:
        """Type of the elements."""
        return self.layouts[0].element

    def free_axes(self, operand: int) -> list[int]:
        """Return the axes of an operand that are neither summed over nor of the batch."""
        other_axes = {*self.axes.inner[operand], *self.axes.batch[operand]}
        return [axis for axis in range(len(self.layouts[operand].dims)) if axis not in other_axes]


def product_of(
    step: PlanStep, rule: Multiplies, operands: Sequence[ir.Register | SelectedValue],
    result: ir.Register,
) -> Product | None:  # fmt: skip
    """Return the product that a step is; None if its kernel has to compute it."""
    node = step.operation
    if len(operands) != 2 or not is_layout_known():
        return None
    layouts = layouts_of([*node.inputs, node.outputs[0]])
    if layouts is None or len({layout.dtype for layout in layouts}) > 1:
        return None
    *factors, gives = layouts
    if not multiplies(gives.element):
        return None
    args = [
        operand.array if isinstance(operand, SelectedValue) else operand for operand in operands
    ]
    axes = rule.axes(node.attrs, [len(layout.dims) for layout in factors])
    if axes is not None and axes.conjugates and gives.element.kind == "c":
        return None
    if axes is None or any(value.type is not ir.OBJECT for value in args):
        return None

    def place(register: ir.Register) -> int:
        if register not in args[2:]:
            args.append(register)
        return args.index(register, 2)

    selected, makers = dict[int, Selected](), list[ViewKernel | None]()
    for number, operand in enumerate(operands):
        makers.append(ViewKernel(operand, place) if isinstance(operand, SelectedValue) else None)
        if isinstance(operand, SelectedValue):
            selected[number] = operand.as_selected(place)
    site = ir.Site(step)
    if selected:
        kernel = _OfViews(step, makers)
        site = ir.Site(PlanStep(kernel, {}, (), (), (), node), order=())
    return Product(args, result, site, axes, factors, selected)


class _OfViews:
    """Kernel of a product that makes the views first."""

    def __init__(self, step: PlanStep, makers: Sequence[ViewKernel | None]) -> None:
        self._step = step
        self._makers = makers

    def __call__(self, *args: Any) -> Any:
        arrays = [
            args[number] if make is None else make(args[number], *args[1:])
            for number, make in enumerate(self._makers)
        ]
        return call_located(self._step, *arrays)
