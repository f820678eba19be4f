"""Op definitions of convolution and pooling, over the axes between batch and channels.

They know one layout, channels last; the public functions of convolution_api.py and pooling_api.py
transpose the others.  ``padding`` is 'SAME', 'VALID' or the numbers of zeros before and after each
axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops.nn.window_products import add_spread, convolved
from runtime.ops.op import ROUNDS_ONCE, OpDef, define
from runtime.ops.rules.inference import known_sizes, merged
from runtime.ops.rules.kernels import checked, once_rounded
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import OnWindows
from runtime.ops.rules.samples import OpSample, array, spread
from runtime.types.dtypes import Array
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__: list[str] = []

Ints = tuple[int, ...]
Padding = str | tuple[tuple[int, int], ...]


def span_of(size: int, dilation: int) -> int:
    return (size - 1) * dilation + 1


def edges_of(size: int, window: int, stride: int, padding: Padding, axis: int) -> tuple[int, int]:
    """How many places are added before and after one axis."""
    if not isinstance(padding, str):
        return padding[axis]
    if padding == "VALID":
        return 0, 0
    short = max(0, (-(-size // stride) - 1) * stride + window - size)
    return short // 2, short - short // 2


def _out(size: int | None, window: int | None, stride: int, padding: Padding, axis: int) -> Any:
    if size is None or (window is None and padding != "SAME"):
        return None
    if padding == "SAME":
        return -(-size // stride)
    room = size + sum(edges_of(size, window or 0, stride, padding, axis)) - (window or 0)
    if room < 0:
        raise IncompatibleShapesError(
            f"the window covers {window} elements of an axis of size {size} "
            f"({'no padding' if padding == 'VALID' else f'padding {padding[axis]}'})"
        )
    return room // stride + 1


def _positive(caller: str, **arguments: Ints) -> None:
    for name, values in arguments.items():
        if any(v < 1 for v in values):
            raise InvalidArgumentError(f"{caller}: {name} must be positive, got {list(values)}")


def _window_shape(caller: str, dims: Any, windows: Sequence[int | None], strides: Ints,
                  padding: Padding, dilations: Ints) -> list[int | None]:  # fmt: skip
    """The sizes of the result between batch and channels."""
    _positive(caller, strides=strides, dilations=dilations)
    if len(dims) != len(strides) + 2:
        raise IncompatibleShapesError(
            f"{caller}: the input must have rank {len(strides) + 2} (batch, {len(strides)} axes, "
            f"channels), got shape {TensorShape(dims)}"
        )
    spans = [w if w is None else span_of(w, d) for w, d in zip(windows, dilations, strict=True)]
    return [
        _out(size, span, stride, padding, i)
        for i, (size, span, stride) in enumerate(zip(dims[1:-1], spans, strides, strict=True))
    ]


def windows_of(x: Array, windows: Sequence[int], strides: Ints, padding: Padding, dilations: Ints,
             fill: Any = 0) -> Array:  # fmt: skip
    """A view (batch, places ..., window ..., channels) of the padded input."""
    spans = [span_of(w, d) for w, d in zip(windows, dilations, strict=True)]
    edges = [edges_of(n, spans[i], strides[i], padding, i) for i, n in enumerate(x.shape[1:-1])]
    x = padded(x, edges, fill)
    places = [
        (n - span) // stride + 1
        for n, span, stride in zip(x.shape[1:-1], spans, strides, strict=True)
    ]
    first, *steps, channel_stride = x.strides
    between = [step * stride for step, stride in zip(steps, strides, strict=True)]
    inside = [step * dilation for step, dilation in zip(steps, dilations, strict=True)]
    return np.lib.stride_tricks.as_strided(
        x, (x.shape[0], *places, *windows, x.shape[-1]), (first, *between, *inside, channel_stride),
        writeable=False,
    )  # fmt: skip


def padded(x: Array, edges: Sequence[tuple[int, int]], fill: Any = 0) -> Array:
    """The input with so many places before and after each axis."""
    if not any(map(any, edges)):
        return x
    sizes = [n + sum(edge) for n, edge in zip(x.shape[1:-1], edges, strict=True)]
    shape = x.shape[0], *sizes, x.shape[-1]
    result = np.full(shape, fill, x.dtype) if fill else np.zeros(shape, x.dtype)
    result[inside_of(x.shape, edges)] = x
    return result


def inside_of(shape: Sequence[int], edges: Sequence[tuple[int, int]]) -> tuple[slice, ...]:
    """Where an input of this shape lies in what ``padded`` gives."""
    places = zip(edges, shape[1:-1], strict=True)
    return slice(None), *(slice(before, before + n) for (before, _), n in places)


def _conv(x: Array, filters: Array, *, strides: Ints, padding: Padding, dilations: Ints) -> Any:
    window = filters.shape[: len(strides)]
    return convolved(windows_of(x, window, strides, padding, dilations), filters)


def conv_infer(x: TensorSpec, filters: TensorSpec, *, strides: Ints, padding: Padding,
                dilations: Ints) -> TensorSpec:  # fmt: skip
    f, dims, count = filters.shape.dims, x.shape.dims, len(strides)
    if f is not None and len(f) != count + 2:
        raise IncompatibleShapesError(
            f"conv: filters must have rank {count + 2} ({count} sizes, channels in, channels out), "
            f"got shape {filters.shape}"
        )
    f = f or (None,) * (count + 2)
    if dims is None:
        return TensorSpec([None] * (count + 1) + [f[-1]], x.dtype)
    places = _window_shape("conv", dims, f[:count], strides, padding, dilations)
    channels, filter_channels = dims[-1], f[-2]
    if channels is not None and filter_channels is not None:
        groups = channels // filter_channels if filter_channels else 0
        if (groups * filter_channels != channels) or (
            f[-1] is not None and groups and f[-1] % groups
        ):
            raise IncompatibleShapesError(
                f"conv: input depth {channels} does not fit filters of shape {filters.shape}: it "
                f"must be a multiple of {filter_channels}, and the channels out one of the groups"
            )
        if not groups and (channels or filter_channels):
            raise IncompatibleShapesError(
                f"conv: filters take {filter_channels} channels, but the input has {channels}"
            )
    return TensorSpec([dims[0], *places, f[-1]], x.dtype)


def conv_samples() -> list[OpSample]:
    x, f = spread(-1, 1, 2, 5, 4, 2), spread(-1, 1, 3, 2, 2, 3)
    line, line_filters = spread(-1, 1, 1, 6, 2), spread(-1, 1, 3, 2, 2, dtype=np.float32)
    depth = spread(-1, 1, 3, 2, 1, 4)
    return [
        OpSample((x, f), {"strides": (1, 1), "padding": "VALID", "dilations": (1, 1)}),
        OpSample((x, f), {"strides": (2, 1), "padding": "SAME", "dilations": (1, 2)}),
        OpSample((x, depth), {"strides": (1, 2), "padding": ((1, 0), (2, 1)), "dilations": (1, 1)}),
        OpSample((line, line_filters), {"strides": (2,), "padding": "SAME", "dilations": (1,)}),
    ]


conv = define(
    "conv", inputs="input filters", kernel=checked(once_rounded(_conv), conv_infer),
    infer=conv_infer, dtype_kinds="f", traits=(ROUNDS_ONCE,), node_name="Conv",
    samples=conv_samples, grad=lazy_gradient("convolution.conv"),
    lower=OnWindows(edges_of, "convolution"),
    doc="Compute the convolution, channels last; fewer channels in the filters than in the input "
    "make groups.",
)  # fmt: skip


def transposed(
    x: Array, filters: Array, sizes: Array, *, strides: Ints, padding: Padding, dilations: Ints
) -> Any:
    shape = tuple(int(s) for s in sizes)
    spans = [span_of(w, d) for w, d in zip(filters.shape, dilations)]
    edges = [edges_of(n, spans[i], strides[i], padding, i) for i, n in enumerate(shape[1:-1])]
    around = [(s - 1 - a, s - 1 - b) for s, (a, b) in zip(spans, edges, strict=True)]
    few = filters.shape[-1] <= filters.shape[-2] == shape[-1]  # so windows of x are no larger
    if few and set(strides) == {1} and min(map(min, around)) >= 0:
        turned = np.flip(filters, tuple(range(len(strides)))).swapaxes(-1, -2)
        window = filters.shape[: len(strides)]
        return convolved(windows_of(x, window, strides, tuple(around), dilations), turned)
    padded_sizes = [n + sum(e) for n, e in zip(shape[1:-1], edges)]
    result = np.zeros((shape[0], *padded_sizes, shape[-1]), x.dtype)
    add_spread(result, x, filters, strides, dilations)
    return result[inside_of(shape, edges)]


def _conv_transpose_infer(
    x: TensorSpec, filters: TensorSpec, sizes: TensorSpec, *, strides: Ints, padding: Padding,
    dilations: Ints,
) -> TensorSpec:  # fmt: skip
    static = known_sizes(sizes)
    if static is not None and any(s is not None and s < 0 for s in static):
        raise InvalidArgumentError(f"conv_transpose: output_shape is negative: {list(static)}")
    result = TensorSpec(static, x.dtype)
    f = filters.shape.dims
    if result.shape.dims is None or f is None:
        return TensorSpec(UNKNOWN_SHAPE if result.shape.dims is None else result.shape, x.dtype)
    if len(f) != len(strides) + 2:
        raise IncompatibleShapesError(
            f"conv_transpose: filters must have rank {len(strides) + 2}, got {filters.shape}"
        )
    # the input has the shape that the convolution of the result would have
    turned = TensorSpec([*f[:-2], f[-2], f[-1]], x.dtype)
    attrs = {"strides": strides, "padding": padding, "dilations": dilations}
    forward = conv_infer(result, turned, **attrs)  # type: ignore[arg-type]
    merged(forward.shape, x.shape, "conv_transpose: output_shape does not fit the input")
    if f[-2] is not None and result.shape[-1] not in (None, f[-2]):
        raise IncompatibleShapesError(
            f"conv_transpose: output_shape has {result.shape[-1]} channels, filters {f[-2]}"
        )
    return result


conv_transpose = define(
    "conv_transpose", inputs="input filters output_shape", same_dtype_inputs=slice(0, 2),
    kernel=checked(once_rounded(transposed), _conv_transpose_infer), infer=_conv_transpose_infer,
    dtype_kinds="f", traits=(ROUNDS_ONCE,),
    node_name="ConvBackpropInput", grad=lazy_gradient("convolution.back_to_input"),
    lower=OnWindows(edges_of, "input"),
    samples=lambda: [
        OpSample((spread(-1, 1, 2, 3, 3, 2), spread(-1, 1, 3, 2, 4, 2), array([2, 5, 4, 4])),
             {"strides": (1, 1), "padding": "VALID", "dilations": (1, 1)}),
        OpSample((spread(-1, 1, 1, 3, 2), spread(-1, 1, 3, 3, 2), array([1, 6, 3])),
             {"strides": (2,), "padding": "SAME", "dilations": (1,)}),
    ],
    doc="Compute the gradient of a convolution with respect to its input; ``filters`` (..., out, "
    "in).",
)  # fmt: skip


def pool_infer(x: TensorSpec, *, window: Ints, strides: Ints, padding: Padding,
                dilations: Ints) -> TensorSpec:  # fmt: skip
    _positive("pool", window=window)
    dims = x.shape.dims
    if dims is None:
        return TensorSpec([None] * (len(window) + 2), x.dtype)
    places = _window_shape("pool", dims, window, strides, padding, dilations)
    return TensorSpec([dims[0], *places, dims[-1]], x.dtype)


def _window_axes(window: Ints) -> Ints:
    """The axes of the window in what ``windows_of`` gives."""
    return tuple(range(-len(window) - 1, -1))


def _max_pool(x: Array, *, window: Ints, strides: Ints, padding: Padding, dilations: Ints) -> Any:
    low = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    view = windows_of(x, window, strides, padding, dilations, low)
    return view.max(_window_axes(window), initial=low)


def _avg_pool(x: Array, *, window: Ints, strides: Ints, padding: Padding, dilations: Ints) -> Any:
    axes = _window_axes(window)
    total = windows_of(x, window, strides, padding, dilations).sum(axes, dtype=x.dtype)
    ones = np.ones((1, *x.shape[1:-1], 1), x.dtype)
    return total / windows_of(ones, window, strides, padding, dilations).sum(axes)


def pool_samples() -> list[OpSample]:
    x = spread(-1, 1, 2, 5, 4, 2)
    plain = {"window": (2, 2), "strides": (2, 2), "padding": "VALID", "dilations": (1, 1)}
    same = {"window": (3, 2), "strides": (1, 2), "padding": "SAME", "dilations": (1, 1)}
    line = {"window": (2,), "strides": (1,), "padding": "VALID", "dilations": (2,)}
    return [OpSample((x,), plain), OpSample((x,), same), OpSample((x[0],), line)]


def _pool(name: str, gives: str, kernel: Any, dtype_kinds: str, doc: str) -> OpDef:
    return define(
        name, inputs="input", kernel=checked(once_rounded(kernel), pool_infer), infer=pool_infer,
        dtype_kinds=dtype_kinds,
        samples=pool_samples, grad=lazy_gradient(f"convolution.{name}"), doc=doc,
        lower=OnWindows(edges_of, gives), traits=(ROUNDS_ONCE,),
    )  # fmt: skip


max_pool = _pool(
    "max_pool", "max", _max_pool, "iuf",
    "Compute the maximum of each window, channels last; padding never wins."
)
avg_pool = _pool(
    "avg_pool", "mean", _avg_pool, "f",
    "Compute the mean of each window, channels last; padding does not count."
)
