"""Kernel IR of what goes over the windows of arrays: convolutions, pooling, and their gradients.

    %3: object = convolve %1, %2 else conv
    %4: object = convolve.input %3, %2 else conv_to_input
    %5: object = pool.max %3 else max_pool

The input of a convolution of stride 2 has even and odd pixels: the gradient of the ones is a
convolution of stride 1 of the result's gradient with one half of the filters, that of the others
with the other half.  So it is along each axis, for any stride and dilation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import gcd, prod
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays import library_names as names_of
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layouts_of
from runtime.engine.llvm.arrays.window_loops import AXES
from runtime.engine.plan import PlanStep
from runtime.ops.rules.lowering import Edges, OnWindows


class Axis(NamedTuple):
    """Windows along one axis of an input."""

    size: int
    window: int
    stride: int
    dilation: int
    before: int
    """How many places stand before the input; less than 0 if windows start inside of it."""
    places: int
    """How many windows there are."""


SINGLE = Axis(1, 1, 1, 1, 0, 1)


class Steps(NamedTuple):
    """Which elements of filters, or pixels, take part along an axis: the first, and the step."""

    start: int = 0
    step: int = 1


class Channels(NamedTuple):
    """Channels of an input and of results, in groups."""

    groups: int
    depth: int
    out: int


Table = Mapping[str, int]
"""Words by name."""


def pad_axes(axes: Sequence[Axis]) -> list[Axis]:
    """Return three axes."""
    return [SINGLE] * (AXES - len(axes)) + [*axes]


def distances(sizes: Sequence[int], item: int) -> list[int]:
    """Return the bytes from one entry to the next along each axis of an array without gaps."""
    strides = [item]
    for size in sizes[:0:-1]:
        strides.insert(0, strides[0] * size)
    return strides


def forward(axes: Sequence[Axis], channels: Channels, item: int) -> Table:
    """Return the words of a convolution, of the gradient with respect to filters, or of pooling."""
    axes = pad_axes(axes)
    out_channels = channels.groups * channels.out
    between = distances([*(axis.window for axis in axes), channels.depth, out_channels], item)
    return _table(axes, channels, _results(axes, out_channels, item)) | {
        **_by_axis("filter", between[:AXES]),
        "filter_start": 0, "filter_group": channels.out * item,
        "filter_depth": between[AXES], "filter_out": item,
    }  # fmt: skip


def to_input(axes: Sequence[Axis], channels: Channels, item: int) -> Iterator[Table]:
    """Yield the words of the convolutions of a result's gradient that make that of the input.

    Pixels that no window reaches are in none of them.
    """
    axes = pad_axes(axes)
    out_channels = channels.groups * channels.out
    between = distances([*(axis.window for axis in axes), channels.depth, out_channels], item)
    pixels = [Axis(1, 1, 1, 1, 0, axis.size) for axis in axes]
    pixel_steps = _results(pixels, channels.groups * channels.depth, item)
    for phases in product(*map(_phases, axes)):
        filters = [phase[1] for phase in phases]
        targets = [phase[2] for phase in phases]
        results = {
            "result_start": sum(
                pixel_steps[f"result{n}"] * target.start for n, target in enumerate(targets)
            ),
            "result_image": pixel_steps["result_image"],
            **_by_axis("result", [
                pixel_steps[f"result{n}"] * target.step for n, target in enumerate(targets)
            ]),
        }
        turned = Channels(channels.groups, channels.out, channels.depth)
        yield _table([phase[0] for phase in phases], turned, results) | {
            **_by_axis("filter", [
                stride * steps.step for stride, steps in zip(between, filters, strict=False)
            ]),
            "filter_start": sum(
                stride * steps.start for stride, steps in zip(between, filters, strict=False)
            ),
            "filter_group": channels.out * item, "filter_depth": item,
            "filter_out": between[AXES],
        }  # fmt: skip


def _phases(axis: Axis) -> Iterator[tuple[Axis, Steps, Steps]]:
    """Yield, for each set of pixels that the same elements of filters reach: the windows of the
    gradient, those elements, and the pixels.

    Pixel ``q`` gets ``dy[y] * filters[i]`` where ``y * stride + i * dilation = q + before``.
    """
    stride, shared = axis.stride, gcd(axis.stride, axis.dilation)
    step, dilation = stride // shared, axis.dilation // shared
    for phase in range(0, stride, shared):
        first = next(i for i in range(step) if (i * axis.dilation - phase) % stride == 0)
        count = -((first - axis.window) // step)
        low = -((phase - axis.before) // stride)
        pixels = (axis.size - 1 + axis.before - phase) // stride - low + 1
        if count < 1 or pixels < 1:
            continue
        shift = (phase - first * axis.dilation) // stride
        before = (count - 1) * dilation - shift - low
        windows = Axis(axis.places, count, 1, dilation, before, pixels)
        filter_steps = Steps(first + (count - 1) * step, -step)
        yield windows, filter_steps, Steps(phase + stride * low - axis.before, stride)


def _results(axes: Sequence[Axis], out_channels: int, item: int) -> dict[str, int]:
    """Return the words of results that lie row by row."""
    image, *steps = distances([1, *(axis.places for axis in axes), out_channels], item)[: AXES + 1]
    return {"result_start": 0, "result_image": image, **_by_axis("result", steps)}


def _table(axes: Sequence[Axis], channels: Channels, results: Table) -> dict[str, int]:
    words = {**channels._asdict(), **results}
    for field in Axis._fields:
        words |= _by_axis(field, [getattr(axis, field) for axis in axes])
    return words


def _by_axis(name: str, values: Sequence[int]) -> dict[str, int]:
    return {f"{name}{axis}": value for axis, value in enumerate(values)}


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

    __slots__ = ("gives", "layouts", "work")

    def __init__(self, work: Work, args: ir.Registers, result: ir.Register, step: PlanStep) -> None:
        if work.takes_shape:
            kernel = _WithShape(step.kernel, work.result.dims)
            step = PlanStep(kernel, step.attrs, (), (), (), step.operation)
            super().__init__(work.opcode, args, (result,), ir.Site(step, order=()))
        else:
            super().__init__(work.opcode, args, (result,), ir.Site(step))
        self.work = work
        self.layouts = work.inputs
        self.gives = (work.result,)


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
