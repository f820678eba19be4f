"""Kernel IR of convolutions of arrays along one or two axes.

    %3: object = convolve %1, %2 else conv
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.blas import multiplies
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import Convolves


class Convolution(ir.Compute):
    """Convolution of an input (batch, axes ..., channels) with filters (window ..., channels, out).

    All sizes but that of the batch are known.  ``before`` says how many zeros stand before each
    axis.  The site's kernel computes what is laid out otherwise.
    """

    __slots__ = ("before", "dilations", "layouts", "strides")

    def __init__(
        self, args: Sequence[ir.Register], result: ir.Register, site: ir.Site,
        layouts: Sequence[KnownLayout], before: Sequence[int], attrs: dict[str, Any],
    ) -> None:  # fmt: skip
        super().__init__("convolve", args, (result,), site)
        self.layouts = tuple(layouts)
        """Of the input, the filters and the result."""
        self.before = tuple(before)
        self.strides: tuple[int, ...] = attrs["strides"]
        self.dilations: tuple[int, ...] = attrs["dilations"]


def convolution_of(
    step: PlanStep, rule: Convolves, args: Sequence[ir.Register], result: ir.Register
) -> Convolution | None:
    """Return the convolution that a step is; None if its kernel has to compute it."""
    node = step.operation
    if not is_layout_known() or result.type is not ir.OBJECT:
        return None
    layouts = [layout_of(tensor.spec) for tensor in (*node.inputs, *node.outputs)]
    found = [layout for layout in layouts if layout is not None]
    if len(found) != 3 or len({layout.dtype for layout in found}) > 1:
        return None
    x, filters, gives = found
    known = [n for n in (*x.dims[1:], *filters.dims, *gives.dims[1:]) if n is not None]
    axes = len(x.dims) - 2
    if not multiplies(x.element) or len(known) != 3 * axes + 4 or axes not in (1, 2):
        return None
    if x.dims[-1] != filters.dims[-2] or 0 in known:
        return None
    attrs = node.attrs
    before = [
        rule.edges(size, (window - 1) * dilation + 1, stride, attrs["padding"], axis)[0]
        for axis, (size, window, stride, dilation) in enumerate(
            zip(known[:axes], filters.dims, attrs["strides"], attrs["dilations"], strict=False)
        )
        if window is not None
    ]
    return Convolution(args, result, ir.Site(step), found, before, attrs)
