"""Kernel IR of what goes over the windows of arrays: convolutions, pooling, and their gradients.

    %3: object = convolve %1, %2 else conv
    %4: object = convolve.input %3, %2 else conv_to_input
    %5: object = pool.max %3 else max_pool
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays import library_names as names_of
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layouts_of
from runtime.engine.llvm.arrays.window_geometry import Axis, Channels, Table, forward, to_input
from runtime.engine.llvm.arrays.window_loops import AXES
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import Edges, OnWindows

_POOLS = {
    "max": names_of.MAX, "mean": names_of.MEAN, "places": names_of.PLACES,
    "max_to_input": names_of.MAX_TO_INPUT, "mean_to_input": names_of.MEAN_TO_INPUT,
}  # fmt: skip


class Work(NamedTuple):
    """What native functions compute: function, words of each call, and what is known of arrays.

    All sizes but that of the batch are known.
    """

    opcode: str
    function: str
    tables: Sequence[Table]
    inputs: Sequence[KnownLayout]
    result: KnownLayout
    numbers: int
    """Multiplications, or elements, for each image."""
    is_finite: bool = False
    """Whether the second input has to be finite: the kernel multiplies it by zeros around the first
    one where native code does not, or the other way round.
    """
    takes_shape: bool = False
    """Whether the last input of the operation is the shape of the result."""

    @property
    def batches(self) -> int:
        """How many of the inputs have a batch: filters have none."""
        return 1 if self.opcode in ("convolve", "convolve.input") else len(self.inputs)

    @property
    def is_product(self) -> bool:
        """Whether matrices are multiplied."""
        return self.function in (names_of.CONVOLVE, names_of.TO_FILTERS)

    @property
    def reaches_all(self) -> bool:
        """Whether the calls set all elements of the result."""
        if self.opcode != "convolve.input":
            return True
        places = [prod(table[f"places{n}"] for n in range(AXES)) for table in self.tables]
        return sum(places) == prod(n for n in self.result.dims[1:-1] if n is not None)


class Windowed(ir.Compute):
    """Convolution, pooling, or a gradient of one.

    The arguments are arrays and, for a shape that is known only at run time, the size of the batch
    in it.  The site's kernel computes what is laid out otherwise.
    """

    __slots__ = ("work",)

    def __init__(self, work: Work, args: ir.Registers, result: ir.Register, step: PlanStep) -> None:
        if work.takes_shape:
            kernel = _WithShape(step.kernel, work.result.dims)
            step = PlanStep(kernel, step.attrs, (), (), (), step.operation)
            super().__init__(work.opcode, args, (result,), ir.Site(step, order=()))
        else:
            super().__init__(work.opcode, args, (result,), ir.Site(step))
        self.work = work


class _WithShape:
    """Kernel that is given a shape, or the size of the batch in it, as its last argument."""

    def __init__(self, kernel: Any, dims: Sequence[int | None]) -> None:
        self._kernel = kernel
        self._dims = dims

    def __call__(self, *args: Any, **attrs: Any) -> Any:
        *arrays, batch = args if None in self._dims else (*args, None)
        shape = [batch if size is None else size for size in self._dims]
        return self._kernel(*arrays, np.array(shape, np.int64), **attrs)


def work_of(step: PlanStep) -> Work | None:
    """Return the work of a step; None if its kernel has to do it."""
    node = step.operation
    rule = node.op_def.lower
    if not isinstance(rule, OnWindows) or not is_layout_known():
        return None
    takes_shape = rule.gives in ("input", "filters", "mean_to_input")
    inputs = node.inputs[:-1] if takes_shape else node.inputs
    layouts = layouts_of([*inputs, *node.outputs])
    if layouts is None or len({layout.dtype for layout in layouts[: len(inputs)]}) > 1:
        return None
    elements = [layout.element for layout in layouts[: len(inputs)]]
    if any(element.kind != "f" or element in ir.NARROW for element in elements):
        return None
    compute = _convolution if rule.is_convolution else _pooling
    work = compute(rule, layouts, node.attrs)
    return work and work._replace(takes_shape=takes_shape)


def _convolution(
    rule: OnWindows, layouts: Sequence[KnownLayout], attrs: dict[str, Any]
) -> Work | None:
    """Return the work of a convolution, or of one of its gradients."""
    first, second, result = layouts
    x, filters, y = {
        "convolution": (first, second, result), "input": (result, second, first),
        "filters": (first, result, second),
    }[rule.gives]  # fmt: skip
    if len({*map(len, (x.dims, filters.dims, y.dims))}) > 1:
        return None
    if _positive_sizes([*x.dims[1:], *filters.dims, *y.dims[1:]]) is None:
        return None
    *window, group_depth, out = filters.dims
    depth = x.dims[-1]
    assert group_depth is not None and out is not None and depth is not None
    groups = depth // group_depth
    if groups * group_depth != depth or out % groups or y.dims[-1] != out:
        return None
    axes = _axes(rule.edges, x, window, y, attrs)
    if axes is None:
        return None
    channels, item = Channels(groups, group_depth, out // groups), x.dtype.itemsize
    is_depthwise = groups > 1 and group_depth == 1 and out == groups
    opcode = "convolve" if rule.gives == "convolution" else f"convolve.{rule.gives}"
    if rule.gives == "input":
        tables = [*to_input(axes, channels, item)]
    else:
        tables = [forward(axes, channels, item)]
    names = names_of.CONVOLVE, names_of.DEPTHWISE
    if rule.gives == "filters":
        names = names_of.TO_FILTERS, names_of.DEPTHWISE_TO_FILTERS
    numbers = prod(_positive_sizes([*filters.dims[:-1], *y.dims[1:]]) or ())
    is_finite = any(map(_reaches_over, axes)) if is_depthwise else rule.gives == "input"
    return Work(opcode, names[is_depthwise], tables, (first, second), result, numbers, is_finite)


def _reaches_over(axis: Axis) -> bool:
    """Whether some window reaches over an edge."""
    end = (axis.places - 1) * axis.stride + (axis.window - 1) * axis.dilation + 1
    return axis.before > 0 or end > axis.size + axis.before


def _pooling(rule: OnWindows, layouts: Sequence[KnownLayout], attrs: dict[str, Any]) -> Work | None:
    """Return the work of pooling, or of the gradient of it."""
    *inputs, result = layouts
    x, y = {
        "max_to_input": layouts[:2], "mean_to_input": layouts[::-1],
    }.get(rule.gives, layouts[:2])  # fmt: skip
    if _positive_sizes([*x.dims[1:], *y.dims[1:]]) is None or x.dims[-1] != y.dims[-1]:
        return None
    axes = _axes(rule.edges, x, attrs["window"], y, attrs)
    depth = x.dims[-1]
    if axes is None or depth is None or prod(axis.size for axis in axes) >= 1 << 31:
        return None
    item = result.dtype.itemsize
    table = forward(axes, Channels(1, depth, depth), item)
    numbers = prod(_positive_sizes([*attrs["window"], *y.dims[1:]]) or ())
    opcode = f"pool.{rule.gives}"
    return Work(opcode, _POOLS[rule.gives], [table], inputs, result, numbers)


def _positive_sizes(sizes: Sequence[int | None]) -> list[int] | None:
    """Return sizes that are known and not 0; None if any is not."""
    positive = [size for size in sizes if size]
    return positive if len(positive) == len(sizes) else None


def _axes(
    edges: Edges, x: KnownLayout, windows: Sequence[int | None], y: KnownLayout,
    attrs: dict[str, Any],
) -> list[Axis] | None:  # fmt: skip
    """Return the windows along each axis; None if there are too many axes."""
    strides, dilations = attrs["strides"], attrs["dilations"]
    if not 1 <= len(strides) <= AXES or len(x.dims) != len(strides) + 2:
        return None
    axes = []
    for number, (stride, dilation) in enumerate(zip(strides, dilations, strict=True)):
        size, window, places = x.dims[number + 1], windows[number], y.dims[number + 1]
        assert size is not None and window is not None and places is not None
        span = (window - 1) * dilation + 1
        before, after = edges(size, span, stride, attrs["padding"], number)
        if (size + before + after - span) // stride + 1 != places:
            return None
        axes.append(Axis(size, window, stride, dilation, before, places))
    return axes
