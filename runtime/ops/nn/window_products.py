"""Products of windows with filters: the kernels of convolution and its gradients.

The windows of a block of places are copied side by side into a matrix, which BLAS multiplies with
the filters.  A block fits the processor's cache, so that only the input and the result are moved to
and from memory.  Where each channel has filters of its own, sums over the window take the place of
products of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from runtime.types.dtypes import Array

BLOCK = 1 << 17
"""Numbers in a block: half a megabyte of float32, which a core's second cache holds."""

Places = tuple[slice, slice]


def convolved(windows: Array, filters: Array) -> Array:
    """Return the sums of windows times filters.

    Args:
        windows: array (batch, places ..., window ..., channels).
        filters: array (window ..., channels, out); fewer channels ``channels`` make groups.
    Returns:
        Array (batch, places ..., out).
    """
    count = filters.ndim - 2
    channels = filters.shape[-2]
    groups = windows.shape[-1] // channels if channels else 1
    if groups == 1:
        return _multiplied(windows, filters, count)
    if channels == 1:
        return _combined(windows, _divided(filters, groups), count)
    pairs = zip(np.split(windows, groups, -1), np.split(filters, groups, -1), strict=True)
    return np.concatenate([_multiplied(w, f, count) for w, f in pairs], -1)


def gradient_of_filters(windows: Array, dy: Array, channels: int) -> Array:
    """Return the gradient of ``convolved`` with respect to filters that take ``channels`` channels;
    ``dy`` (batch, places ..., out) is that of its result.
    """
    count = dy.ndim - 2
    groups = windows.shape[-1] // channels if channels else 1
    if channels == 1 and groups > 1:
        return _combined_with(windows, _divided(dy, groups), count)
    pairs = zip(np.split(windows, groups, -1), np.split(dy, groups, -1), strict=True)
    return np.concatenate([_multiplied_with(w, g, count) for w, g in pairs], -1)


def add_spread(result: Array, dy: Array, filters: Array, strides: tuple[int, ...],
               dilations: tuple[int, ...]) -> None:  # fmt: skip
    """Add the gradient of ``convolved`` with respect to the input to ``result``, the input with its
    padding.
    """
    count, channels = filters.ndim - 2, filters.shape[-2]
    groups = result.shape[-1] // channels if channels else 1
    if channels > 1 and groups > 1:
        groups_of_arrays = [np.split(array, groups, -1) for array in (result, dy, filters)]
        for group_result, gradient, group_filters in zip(*groups_of_arrays, strict=True):
            add_spread(group_result, gradient, group_filters, strides, dilations)
        return
    window = filters.shape[:count]
    for batch, first in _blocks_of(dy.shape, max(dy.shape[-1], prod(window) * result.shape[-1])):
        block = dy[batch, first]
        spread = _spread(block, filters, groups)
        for at in np.ndindex(*window):
            places = [
                slice(i * d, i * d + (n - 1) * s + 1, s)
                for i, d, s, n in zip(at, dilations, strides, block.shape[1:-1], strict=True)
            ]
            begin = at[0] * dilations[0] + first.start * strides[0]
            places[0] = slice(begin, begin + (block.shape[1] - 1) * strides[0] + 1, strides[0])
            result[(batch, *places)] += spread[(..., *at, slice(None))]


def _spread(dy: Array, filters: Array, groups: int) -> Array:
    """Return the gradient (batch, places ..., window ..., channels) of windows, for that of the
    result (batch, places ..., out).
    """
    window = filters.shape[:-2]
    if groups == 1:
        matrix = filters.reshape(prod(filters.shape[:-1]), filters.shape[-1])
        products = _matrix(dy) @ matrix.T
        return products.reshape(*dy.shape[:-1], *filters.shape[:-1])
    group_filters = _divided(filters[..., 0, :], groups)
    wide = _divided(dy, groups).reshape(
        *dy.shape[:-1], *[1] * len(window), *group_filters.shape[-2:]
    )
    return (
        wide[..., 0] * group_filters[..., 0]
        if group_filters.shape[-1] == 1
        else (wide * group_filters).sum(-1)
    )


def _blocks_of(shape: tuple[int, ...], width: int) -> Iterator[Places]:
    """Yield parts of an array (batch, places ..., anything), with ``width`` numbers for a place."""
    batch, first, *inner_sizes = shape[:-1]
    row = max(width * prod(inner_sizes), 1)
    rows = max(1, min(first, BLOCK // row))
    images = max(1, min(batch, BLOCK // (row * rows))) if rows == first else 1
    for n in range(0, batch, images):
        for place in range(0, first, rows):
            yield slice(n, min(n + images, batch)), slice(place, min(place + rows, first))


def _matrix(array: Array) -> Array:
    """Return an array as a matrix with the columns of its last axis."""
    return array.reshape(prod(array.shape[:-1]), array.shape[-1])


def _divided(array: Array, groups: int) -> Array:
    """Return an array whose last axis is divided into groups."""
    return array.reshape(*array.shape[:-1], groups, array.shape[-1] // groups)


def _matrices(windows: Array, count: int) -> Iterator[tuple[Places, Array]]:
    """Yield the windows as matrices that have a row for each place, and the places of each."""
    shape, width = windows.shape[: count + 1], prod(windows.shape[count + 1 :])
    all_places = slice(0, shape[0]), slice(0, shape[1])
    if windows.flags.c_contiguous:
        yield all_places, windows.reshape(prod(shape), width)
        return
    blocks = [*_blocks_of((*shape, 1), width)]
    if not blocks:
        return
    images, rows = (extent.stop - extent.start for extent in blocks[0])
    buffer = np.empty((images, rows, *windows.shape[2:]), windows.dtype)
    for batch, first in blocks:
        block = buffer[: batch.stop - batch.start, : first.stop - first.start]
        np.copyto(block, windows[batch, first])
        yield (batch, first), block.reshape(prod(block.shape[: count + 1]), width)


def _multiplied(windows: Array, filters: Array, count: int) -> Array:
    matrix = _matrix(filters)
    result = np.empty((*windows.shape[: count + 1], matrix.shape[1]), windows.dtype)
    for places, block in _matrices(windows, count):
        np.matmul(block, matrix, out=_matrix(result[places]))
    return result


def _multiplied_with(windows: Array, dy: Array, count: int) -> Array:
    shape = *windows.shape[count + 1 :], dy.shape[-1]
    result = np.zeros((prod(shape[:-1]), shape[-1]), windows.dtype)
    for places, block in _matrices(windows, count):
        result += block.T @ _matrix(dy[places])
    return result.reshape(shape)


def _combined(windows: Array, filters: Array, count: int) -> Array:
    """As ``convolved``, of filters (window ..., channels, multiplier)."""
    shape = *windows.shape[: count + 1], *filters.shape[-2:]
    result = np.zeros(shape, windows.dtype)
    for places in _blocks_of(shape[:-1], prod(shape[-2:])):
        result_block, block = result[places], windows[places]
        for at in np.ndindex(*filters.shape[:count]):
            result_block += block[(..., *at, slice(None))][..., None] * filters[at]
    return result.reshape(*shape[:-2], prod(shape[-2:]))


def _combined_with(windows: Array, dy: Array, count: int) -> Array:
    """As ``gradient_of_filters``, of a gradient (batch, places ..., channels, multiplier)."""
    window = windows.shape[count + 1 : -1]
    result = np.zeros((*window, *dy.shape[-2:]), windows.dtype)
    summed = tuple(range(count + 1))
    for places in _blocks_of(dy.shape[:-1], prod(dy.shape[-2:])):
        gradient_block, block = dy[places], windows[places]
        for at in np.ndindex(*window):
            result[at] += (block[(..., *at, slice(None))][..., None] * gradient_block).sum(summed)
    return result.reshape(*window, 1, prod(dy.shape[-2:]))
