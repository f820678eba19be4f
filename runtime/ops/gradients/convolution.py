"""Derivatives of convolution and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.shape import reshape_op
from runtime.ops.gradients.dynamic_shapes import sizes
from runtime.ops.gradients.scans import of_segments
from runtime.ops.nn.convolution import avg_pool as avg_pool_op
from runtime.ops.nn.convolution import conv as conv_op
from runtime.ops.nn.convolution_backprop import (
    avg_pool_to_input,
    conv_to_filters,
    conv_to_input,
    max_pool_places,
    max_pool_to_input,
)


def conv(x: Any, filters: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """What each element of the input, and of the filters, went into."""
    return (
        lambda: conv_to_input(dy, filters, sizes(x), **attrs),
        lambda: conv_to_filters(x, dy, sizes(filters), **attrs),
    )


def back_to_input(
    gradient: Any, filters: Any, shape: Any, y: Any, dy: Any, **attrs: Any
) -> tuple[Any, ...]:
    """The convolution itself; the filters take part as they do in it."""
    return (
        lambda: conv_op(dy, filters, **attrs),
        lambda: conv_to_filters(dy, gradient, sizes(filters), **attrs),
        None,
    )


def back_to_filters(
    x: Any, gradient: Any, shape: Any, y: Any, dy: Any, **attrs: Any
) -> tuple[Any, ...]:
    """A convolution with the filters' gradient as filters."""
    return (
        lambda: conv_to_input(gradient, dy, sizes(x), **attrs),
        lambda: conv_op(x, dy, **attrs),
        None,
    )


def max_pool(x: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The greatest of each window gets the gradient, of equal ones the first."""
    return (max_pool_to_input(x, dy, **attrs),)


def back_from_maxima(
    x: Any, gradient: Any, y: Any, dy: Any, **attrs: Any
) -> tuple[Any, ...]:
    """The elements that the maxima are; small changes of the input choose the same ones."""
    return None, of_segments(reshape_op(dy, np.array([-1])), max_pool_places(x, **attrs))


def avg_pool(x: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The elements of each window share the gradient."""
    return (avg_pool_to_input(dy, sizes(x), **attrs),)


def back_from_means(gradient: Any, shape: Any, y: Any, dy: Any, **attrs: Any) -> tuple[Any, ...]:
    """The means."""
    return avg_pool_op(dy, **attrs), None
