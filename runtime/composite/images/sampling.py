"""Images read at other places than their pixels: resized, or by an affine map of the places.

Images are (batch, height, width, channels), of known
sizes where they are resized.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.composite.images.batches import size_of
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.creation import range
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import expand_dims, reshape
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.where import where
from runtime.ops.linalg.products import einsum
from runtime.ops.math.elementwise import floor, maximum, minimum
from runtime.ops.math.floating import trunc

INTERPOLATIONS = ("bilinear", "nearest")
FILLS = ("constant", "nearest", "reflect", "wrap")


def _cubic(away: Any) -> Any:
    """Return the weights of Keys' cubic function."""
    near = (1.5 * away - 2.5) * away * away + 1.0
    far = ((-0.5 * away + 2.5) * away - 4.0) * away + 2.0
    return np.where(away < 1.0, near, np.where(away < 2.0, far, 0.0))


def _lanczos(radius: float) -> Callable[[Any], Any]:
    return lambda away: np.where(away > radius, 0.0, np.sinc(away) * np.sinc(away / radius))


KERNELS: dict[str, Callable[[Any], Any]] = {
    "bilinear": lambda away: np.maximum(1.0 - away, 0.0), "bicubic": _cubic,
    "lanczos3": _lanczos(3.0), "lanczos5": _lanczos(5.0),
}  # fmt: skip
"""Weight of a pixel by how far it is away."""


def _mitchell(away: Any) -> Any:
    """Return the weights of Mitchell's and Netravali's cubic function with B = C = 1/3."""
    near = ((7.0 * away - 12.0) * away * away + 16.0 / 3.0) / 6.0
    far = (((-7.0 / 3.0 * away + 12.0) * away - 20.0) * away + 32.0 / 3.0) / 6.0
    return np.where(away < 1.0, near, np.where(away < 2.0, far, 0.0))


_ALL_KERNELS: dict[str, Callable[[Any], Any]] = {
    **KERNELS, "mitchellcubic": _mitchell,
    "gaussian": lambda away: np.where(away >= 1.5, 0.0, np.exp(-away * away / (2.0 * 0.5**2))),
}  # fmt: skip
_BLURS = ("gaussian", "mitchellcubic")
"""What changes images that have the size already."""


def resized(
    images: Any, height: int, width: int, interpolation: str, antialias: bool = False
) -> Any:
    """Return images of another size; pixels are squares with the place in their middle.

    With ``antialias`` a pixel of a smaller image is a mean of all pixels that it covers.
    """
    for axis, size in ((2, width), (1, height)):
        count = images.shape[axis]
        if count is None or not isinstance(size, int):
            images = _resized_in_run(images, axis, size, interpolation)
            continue
        if count == size and interpolation not in _BLURS:
            continue
        if interpolation != "nearest" and (antialias or interpolation != "bilinear"):
            weights = constant(_weights(count, size, interpolation, antialias), images.dtype)
            images = einsum("ij,bjwc->biwc" if axis == 1 else "ij,bhjc->bhic", weights, images)
            continue
        places = (np.arange(size, dtype=np.float32) + np.float32(0.5)) * np.float32(count / size)
        if interpolation == "nearest":
            images = gather(images, np.minimum(places.astype("int32"), count - 1), axis=axis)
            continue
        places = np.clip(places - np.float32(0.5), 0, count - 1)
        lower = places.astype("int32")
        share = (places - lower).reshape([-1, 1, 1] if axis == 1 else [-1, 1])
        first = gather(images, lower, axis=axis)
        upper = gather(images, np.minimum(lower + 1, count - 1), axis=axis)
        images = first + (upper - first) * constant(share, images.dtype)
    return images


def _resized_in_run(images: Any, axis: int, size: Any, interpolation: str) -> Any:
    """Return images resized along an axis, where only a run knows the sizes; nearest or bilinear.
    """
    count = cast(size_of(images, axis), "int32")
    scale = cast(count, "float32") / cast(size, "float32")
    places = (cast(range(size), "float32") + 0.5) * scale
    if interpolation == "nearest":
        return gather(images, minimum(cast(places, "int32"), count - 1), axis=axis)
    places = minimum(maximum(places - 0.5, 0.0), cast(count - 1, "float32"))
    lower = floor(places)
    share = reshape(places - lower, [-1, 1, 1] if axis == 1 else [-1, 1])
    first_places = cast(lower, "int32")
    first = gather(images, first_places, axis=axis)
    upper = gather(images, minimum(first_places + 1, count - 1), axis=axis)
    return first + (upper - first) * cast(share, images.dtype)


def _weights(count: int, size: int, interpolation: str, antialias: bool) -> Any:
    """Return the weight of each of ``count`` pixels in each of ``size`` pixels."""
    scale = count / size
    if interpolation == "area":
        starts, pixels = np.arange(size)[:, np.newaxis] * scale, np.arange(count)
        shares = np.minimum(pixels + 1, starts + scale) - np.maximum(pixels, starts)
        return np.maximum(shares, 0.0) / scale
    middles = (np.arange(size)[:, np.newaxis] + 0.5) * scale - 0.5
    if interpolation == "bicubic" and not antialias:  # TensorFlow reads these from a table
        middles = np.floor(middles) + np.rint((middles - np.floor(middles)) * 1024) / 1024
    away: Any = np.abs(np.arange(count) - middles) / (max(scale, 1.0) if antialias else 1.0)
    if interpolation == "gaussian":  # it ends in a step, for which TensorFlow's last bit counts
        half, single = np.float32(0.5), np.float32(scale)
        samples = (np.arange(size, dtype=np.float32)[:, np.newaxis] + half) * single
        away = np.abs(np.arange(count, dtype=np.float32) + half - samples)
        away = away * (np.float32(1) / np.float32(max(scale, 1.0) if antialias else 1.0))
    weights = _ALL_KERNELS[interpolation](away)
    return weights / weights.sum(1, keepdims=True)


def mapped(images: Any, matrix: Any, interpolation: str, fill: str, value: float) -> Any:
    """Return images whose pixel (x, y) is that at ``matrix @ (x, y, 1)``, one matrix an image.

    ``matrix`` is (batch, 2, 3).  ``fill`` says what is outside of an image, as TensorFlow's
    ImageProjectiveTransformV3 does.
    """
    height, width = (cast(size_of(images, axis), "float32") for axis in (1, 2))
    x = reshape(range(width), [1, 1, -1])
    y = reshape(range(height), [1, -1, 1])

    def place(axis: int) -> Any:
        a, b, c = (expand_dims(expand_dims(matrix[:, axis, n], -1), -1) for n in range(3))
        return a * x + b * y + c

    across, down = _inside(place(0), width, fill), _inside(place(1), height, fill)
    if interpolation == "nearest":
        return _read(images, _rounded(down), _rounded(across), value)
    top, left = floor(down), floor(across)
    lower, right = expand_dims(down - top, -1), expand_dims(across - left, -1)
    above = _read(images, top, left, value) * (1 - right) + _read(
        images, top, left + 1, value
    ) * right
    below = _read(images, top + 1, left, value) * (1 - right) + _read(
        images, top + 1, left + 1, value
    ) * right
    return above * (1 - lower) + below * lower


def _rounded(places: Any) -> Any:
    """Round halves away from zero; a half that is added could round up what is just below one."""
    below = floor(places)
    away = places - below
    return below + cast(where(places < 0.0, away > 0.5, away >= 0.5), places.dtype)


def _read(images: Any, rows: Any, columns: Any, value: float) -> Any:
    """Return the pixels at whole places; outside of the image the value."""
    height, width = size_of(images, 1), size_of(images, 2)
    rows_in = minimum(maximum(rows, 0.0), cast(height, "float32") - 1.0)
    columns_in = minimum(maximum(columns, 0.0), cast(width, "float32") - 1.0)
    pixels = reshape(images, [-1, height * width, shape_of(images)[3]])
    places = cast(rows_in, "int32") * width + cast(columns_in, "int32")
    flat = gather(pixels, reshape(places, [-1, height * width]), axis=1, batch_dims=1)
    values = reshape(flat, shape_of(images))
    is_inside = (rows_in == rows) & (columns_in == columns)
    return where(expand_dims(is_inside, -1), values, cast(value, images.dtype))


def _inside(place: Any, size: Any, fill: str) -> Any:
    """Return places outside of an axis as places inside of it."""
    last_place = size - 1.0
    if fill == "constant":
        return place
    if fill == "reflect":
        period = 2.0 * size
        before = period * trunc(-place / period) + place
        before = where(before < -size, before + period, -before - 1.0)
        after = place - period * trunc(place / period)
        after = where(after >= size, period - after - 1.0, after)
        place = where(place < 0.0, before, where(place > last_place, after, place))
    if fill == "wrap":
        last_place = maximum(last_place, 1.0)
        before = place + size * (trunc(-place / last_place) + 1.0)
        after = place - size * trunc(place / last_place)
        place = where(place < 0.0, before, where(place > last_place, after, place))
    return minimum(maximum(place, 0.0), size - 1.0)
