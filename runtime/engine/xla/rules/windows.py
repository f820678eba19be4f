"""Rules of convolution and pooling: one for all ops that declare ``OnWindows``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.interpreter import KIND_RULES, static
from runtime.graph.operation import Operation
from runtime.ops.rules.lowering import OnWindows
from runtime.ops.rules.static_arguments import dims_of

_LETTERS = "xyzuvw"


def on_windows(node: Operation) -> Callable[..., Any]:
    """Return the rule of an operation that goes over windows."""
    kind: Any = node.op_def.lower
    return _convolution(kind) if kind.is_convolution else _pooling(kind)


def _edges(kind: OnWindows, sizes: Sequence[int], windows: Sequence[int], strides: Any,
           padding: Any, dilations: Any) -> list[tuple[int, int]]:  # fmt: skip
    """Return the places that are added before and after each axis between batch and channels."""
    spans = [(w - 1) * d + 1 for w, d in zip(windows, dilations, strict=True)]
    return [
        kind.edges(size, span, stride, padding, axis)
        for axis, (size, span, stride) in enumerate(zip(sizes, spans, strides, strict=True))
    ]


def _convolution(kind: OnWindows) -> Callable[..., Any]:
    def forward(x: Any, filters: Any, *, strides: Any, padding: Any, dilations: Any) -> Any:
        count = len(strides)
        axes = _LETTERS[:count]
        sizes, windows = x.shape[1:-1], filters.shape[:count]
        wide = jnp.float32 if x.dtype == np.float16 else x.dtype
        return jax.lax.conv_general_dilated(
            x.astype(wide), filters.astype(wide), strides,
            _edges(kind, sizes, windows, strides, padding, dilations), rhs_dilation=dilations,
            dimension_numbers=(f"N{axes}C", f"{axes}IO", f"N{axes}C"),
            feature_group_count=x.shape[-1] // filters.shape[-2],
        ).astype(x.dtype)  # fmt: skip

    def to_input(dy: Any, filters: Any, shape: Any, **attrs: Any) -> Any:
        zeros = jnp.zeros(dims_of(static(shape, "a shape")), dy.dtype)
        return _transposed(lambda x: forward(x, filters, **attrs), zeros, dy)

    def to_filters(x: Any, dy: Any, shape: Any, **attrs: Any) -> Any:
        zeros = jnp.zeros(dims_of(static(shape, "a shape")), dy.dtype)
        return _transposed(lambda filters: forward(x, filters, **attrs), zeros, dy)

    rules: dict[str, Callable[..., Any]] = {
        "convolution": forward, "input": to_input, "filters": to_filters,
    }  # fmt: skip
    return rules[kind.gives]


def _transposed(linear: Callable[[Any], Any], zeros: Any, dy: Any) -> Any:
    """Apply the transpose of a linear function to a gradient of its result."""
    (result,) = jax.linear_transpose(linear, zeros)(jnp.asarray(dy))
    return result


def _pooling(kind: OnWindows) -> Callable[..., Any]:
    def windows(x: Any, attrs: dict[str, Any]) -> dict[str, Any]:
        sizes = x.shape[1:-1]
        edges = _edges(kind, sizes, attrs["window"], attrs["strides"], attrs["padding"],
                       attrs["dilations"])  # fmt: skip
        return {
            "window_dimensions": (1, *attrs["window"], 1),
            "window_strides": (1, *attrs["strides"], 1),
            "padding": [(0, 0), *edges, (0, 0)],
            "window_dilation": (1, *attrs["dilations"], 1),
        }

    def maximum(x: Any, **attrs: Any) -> Any:
        lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        low = np.asarray(lowest, x.dtype)
        return jax.lax.reduce_window(jnp.asarray(x), low, jax.lax.max, **windows(x, attrs))

    def places(x: Any, **attrs: Any) -> Any:
        x = jnp.asarray(x)
        lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        numbers = jnp.arange(x.size, dtype=np.int64).reshape(x.shape)

        def better(first: Any, second: Any) -> Any:
            (a, at), (b, bt) = first, second
            wins = (a > b) | ((a == b) & (at < bt)) | (jnp.isnan(a) & (~jnp.isnan(b) | (at < bt)))
            return jnp.where(wins, a, b), jnp.where(wins, at, bt)

        start = np.asarray(lowest, x.dtype), np.int64(np.iinfo(np.int64).max)
        return jax.lax.reduce_window((x, numbers), start, better, **windows(x, attrs))[1]

    def mean(x: Any, **attrs: Any) -> Any:
        x = jnp.asarray(x)
        wide = x.astype(jnp.float32) if x.dtype == np.float16 else x
        zero = np.asarray(0, wide.dtype)
        total = jax.lax.reduce_window(wide, zero, jax.lax.add, **windows(x, attrs))
        count = jax.lax.reduce_window(
            jnp.ones((1, *x.shape[1:-1], 1), wide.dtype), zero, jax.lax.add, **windows(x, attrs)
        )
        return (total / count).astype(x.dtype)

    def max_to_input(x: Any, dy: Any, **attrs: Any) -> Any:
        flat = jnp.zeros(x.size, dy.dtype).at[places(x, **attrs).reshape(-1)].add(dy.reshape(-1))
        return flat.reshape(x.shape)

    def mean_to_input(dy: Any, shape: Any, **attrs: Any) -> Any:
        zeros = jnp.zeros(dims_of(static(shape, "a shape")), dy.dtype)
        return _transposed(lambda x: mean(x, **attrs), zeros, dy)

    rules: dict[str, Callable[..., Any]] = {
        "max": maximum, "places": places, "mean": mean, "max_to_input": max_to_input,
        "mean_to_input": mean_to_input,
    }  # fmt: skip
    return rules[kind.gives]


KIND_RULES[OnWindows] = on_windows
