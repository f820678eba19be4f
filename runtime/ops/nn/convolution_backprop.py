"""Op definitions of the adjoints of convolution and pooling; layouts as in convolution.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.nn.convolution import (
    Ints,
    Padding,
    conv,
    conv_infer,
    conv_samples,
    edges_of,
    inside_of,
    max_pool,
    pool_infer,
    pool_samples,
    span_of,
    transposed,
    windows_of,
)
from runtime.ops.nn.window_products import gradient_of_filters
from runtime.ops.op import ROUNDS_ONCE, define
from runtime.ops.rules.inference import shape_from
from runtime.ops.rules.kernels import checked, once_rounded
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import OnWindows
from runtime.ops.rules.samples import OpSample, array
from runtime.ops.rules.static_arguments import dims_of
from runtime.types.dtypes import Array, int64
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


def _check_gradient(caller: str, forward: TensorSpec, dy: TensorSpec) -> None:
    """IncompatibleShapesError unless the gradient can be that of the result."""
    if not forward.shape.is_compatible_with(dy.shape):
        raise IncompatibleShapesError(
            f"{caller}: the gradient has shape {dy.shape}, but the result {forward.shape}"
        )


def _to_input(dy: Array, filters: Array, shape: Array, **attrs: Any) -> Any:
    return transposed(dy, filters, np.array(dims_of(shape)), **attrs)


def _to_input_infer(
    dy: TensorSpec, filters: TensorSpec, shape: TensorSpec, **attrs: Any
) -> TensorSpec:
    result = TensorSpec(shape_from(shape), dy.dtype)
    _check_gradient("conv_to_input", conv_infer(result, filters, **attrs), dy)
    return result


def _backwards(name: str) -> list[OpSample]:
    """The samples of convolution, the result in the place of one of its inputs."""
    cases = []
    for (x, filters), attrs in conv_samples():
        dy = conv.kernel(x, filters, **attrs)
        inputs = (dy, filters, array(x.shape)) if name == "input" else (x, dy, array(filters.shape))
        cases.append(OpSample(inputs, attrs))
    return cases


conv_to_input = define(
    "conv_to_input", inputs="gradient filters shape", same_dtype_inputs=slice(0, 2),
    kernel=checked(once_rounded(_to_input), _to_input_infer), infer=_to_input_infer,
    dtype_kinds="f", traits=(ROUNDS_ONCE,),
    grad=lazy_gradient("convolution.back_to_input"), samples=lambda: _backwards("input"),
    lower=OnWindows(edges_of, "input"),
    doc="Compute the gradient of a convolution with respect to its input, of this shape.",
)  # fmt: skip


def _to_filters(x: Array, dy: Array, shape: Array, *, strides: Ints, padding: Padding,
                dilations: Ints) -> Any:  # fmt: skip
    dims, count = dims_of(shape), len(strides)
    view = windows_of(x, dims[:count], strides, padding, dilations)
    return gradient_of_filters(view, dy, dims[-2])


def _to_filters_infer(x: TensorSpec, dy: TensorSpec, shape: TensorSpec, **attrs: Any) -> TensorSpec:
    result = TensorSpec(shape_from(shape), x.dtype)
    _check_gradient("conv_to_filters", conv_infer(x, result, **attrs), dy)
    return result


conv_to_filters = define(
    "conv_to_filters", inputs="input gradient shape", same_dtype_inputs=slice(0, 2),
    kernel=checked(once_rounded(_to_filters), _to_filters_infer), infer=_to_filters_infer,
    dtype_kinds="f", traits=(ROUNDS_ONCE,),
    grad=lazy_gradient("convolution.back_to_filters"), samples=lambda: _backwards("filters"),
    lower=OnWindows(edges_of, "filters"),
    doc="Compute the gradient of a convolution with respect to its filters, of this shape.",
)  # fmt: skip


def _max_places(x: Array, *, window: Ints, strides: Ints, padding: Padding, dilations: Ints) -> Any:
    low = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    values = windows_of(x, window, strides, padding, dilations, low)
    numbers = np.arange(x.size, dtype=np.int64).reshape(x.shape)
    numbers = windows_of(numbers, window, strides, padding, dilations, -1)
    shape = (*numbers.shape[: -len(window) - 1], -1, x.shape[-1])
    first = np.argmax(values.reshape(shape), -2)[..., None, :]
    return np.take_along_axis(numbers.reshape(shape), first, -2)[..., 0, :]


def _places_infer(x: TensorSpec, **attrs: Any) -> TensorSpec:
    return TensorSpec(pool_infer(x, **attrs).shape, int64)


max_pool_places = define(
    "max_pool_places", inputs="input", kernel=checked(_max_places, _places_infer),
    infer=_places_infer, dtype_kinds="iuf", grad=None, samples=pool_samples,
    lower=OnWindows(edges_of, "places"), traits=(ROUNDS_ONCE,),
    doc="Find the index in the whole input of the maximum of each window, the first of equal ones.",
)  # fmt: skip


def _from_maxima(x: Array, dy: Array, **attrs: Any) -> Any:
    places = _max_places(x, **attrs).reshape(-1)
    inside = places >= 0  # not where all of the window lies beyond the edge, or holds -inf there
    gradient = np.zeros(x.size, dy.dtype)
    np.add.at(gradient, places[inside], dy.reshape(-1)[inside])
    return gradient.reshape(x.shape)


def _from_maxima_infer(x: TensorSpec, dy: TensorSpec, **attrs: Any) -> TensorSpec:
    _check_gradient("max_pool_to_input", pool_infer(x, **attrs), dy)
    unknown = [None] * (len(attrs["window"]) + 2)
    return TensorSpec(unknown if x.shape.dims is None else x.shape, x.dtype)


def _maxima() -> list[OpSample]:
    return [
        OpSample((c.inputs[0], max_pool.kernel(*c.inputs, **c.attrs)), c.attrs)
        for c in pool_samples()
    ]


max_pool_to_input = define(
    "max_pool_to_input", inputs="input gradient", dtype_kinds="f", samples=_maxima,
    kernel=checked(once_rounded(_from_maxima), _from_maxima_infer), infer=_from_maxima_infer,
    traits=(ROUNDS_ONCE,), grad=lazy_gradient("convolution.back_from_maxima"),
    lower=OnWindows(edges_of, "max_to_input"),
    doc="Compute the gradient of maximum pooling with respect to its input: the first of the "
    "greatest of each window gets it.",
)  # fmt: skip


def _from_means(dy: Array, shape: Array, *, window: Ints, strides: Ints, padding: Padding,
                dilations: Ints) -> Any:  # fmt: skip
    dims, count = dims_of(shape), len(window)
    ones = np.ones((1, *dims[1:-1], 1), dy.dtype)
    axes = tuple(range(count + 1, 2 * count + 1))
    share = dy / windows_of(ones, window, strides, padding, dilations).sum(axes)
    spans = [span_of(w, d) for w, d in zip(window, dilations)]
    edges = [edges_of(dims[i + 1], spans[i], strides[i], padding, i) for i in range(count)]
    padded_sizes = [n + sum(e) for n, e in zip(dims[1:-1], edges)]
    result = np.zeros((dims[0], *padded_sizes, dims[-1]), dy.dtype)
    for at in np.ndindex(*window):
        places = tuple(
            slice(i * d, i * d + (n - 1) * s + 1, s) if n else slice(0)
            for i, d, s, n in zip(at, dilations, strides, dy.shape[1:-1])
        )
        result[(slice(None), *places)] += share
    return result[inside_of(dims, edges)]


def _from_means_infer(dy: TensorSpec, shape: TensorSpec, **attrs: Any) -> TensorSpec:
    result = TensorSpec(shape_from(shape), dy.dtype)
    _check_gradient("avg_pool_to_input", pool_infer(result, **attrs), dy)
    return result


def _means() -> list[OpSample]:
    return [
        OpSample((max_pool.kernel(*c.inputs, **c.attrs), array(c.inputs[0].shape)), c.attrs)
        for c in pool_samples()
    ]


avg_pool_to_input = define(
    "avg_pool_to_input", inputs="gradient shape", same_dtype_inputs=slice(0, 1),
    kernel=checked(once_rounded(_from_means), _from_means_infer), infer=_from_means_infer,
    dtype_kinds="f", traits=(ROUNDS_ONCE,),
    grad=lazy_gradient("convolution.back_from_means"), samples=_means,
    lower=OnWindows(edges_of, "mean_to_input"),
    doc="Compute the gradient of average pooling with respect to its input, of this shape.",
)  # fmt: skip
