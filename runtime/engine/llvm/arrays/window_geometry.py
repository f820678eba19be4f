"""Sizes and distances of windows, as native code takes them: convolutions, and convolutions that
the gradient with respect to the input is made of.

The input of a convolution of stride 2 has even and odd pixels: the gradient of the ones is a
convolution of stride 1 of the result's gradient with one half of the filters, that of the others
with the other half.  So it is along each axis, for any stride and dilation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import gcd

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.arrays.window_loops import AXES


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
