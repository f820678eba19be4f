"""Colors of images: spaces of colors, brightness, contrast, saturation, hue."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.composite.images.batches import convert_image_dtype, in_floats, size_of
from runtime.ops import dispatch
from runtime.ops.array.concat_split import stack, tile, unstack
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.shape import expand_dims
from runtime.ops.array.where import where
from runtime.ops.linalg.products import tensordot
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.math.elementwise import maximum, sqrt
from runtime.ops.math.floating import trunc
from runtime.ops.math.reduction import reduce_max, reduce_mean, reduce_min
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import float32

__all__ = [
    "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue", "adjust_saturation",
    "convert_image_dtype", "grayscale_to_rgb", "hsv_to_rgb", "per_image_standardization",
    "rgb_to_grayscale", "rgb_to_hsv", "rgb_to_yiq", "rgb_to_yuv", "yiq_to_rgb", "yuv_to_rgb",
]  # fmt: skip

_GRAYSCALE = (0.2989, 0.5870, 0.1140)
_YIQ = np.array([[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617],
                 [0.114, -0.32134392, 0.31119955]])  # fmt: skip
_YIQ_TO_RGB = np.array([[1, 1, 1], [0.95598634, -0.27201283, -1.10674021],
                        [0.6208248, -0.64720424, 1.70423049]])  # fmt: skip
_YUV = np.array([[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512],
                 [0.114, 0.43601035, -0.10001026]])  # fmt: skip
_YUV_TO_RGB = np.array([[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]])


def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> Any:
    """Return the brightness of colors, 0.2989 red + 0.587 green + 0.114 blue, as one channel.

    Args:
        images: tensor of shape (..., 3) and of a floating or integer dtype.
    Returns:
        Tensor of shape (..., 1) and of the dtype of ``images``.
    """
    return in_floats(
        images, lambda x: expand_dims(tensordot(x, constant(_GRAYSCALE, x.dtype), [[-1], [-1]]), -1)
    )


def grayscale_to_rgb(images: TensorLike, name: str | None = None) -> Any:
    """Repeat the only channel of images three times.

    Args:
        images: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
    Returns:
        Tensor of shape (..., 3) and of the dtype of ``images``.
    Raises:
        ValueError: there is more than one channel.
    """
    x = dispatch.convert(images)
    if x.shape.rank is not None and x.shape[-1] not in (1, None):
        raise ValueError(f"grayscale_to_rgb: images must have one channel, got shape {x.shape}")
    return tile(x, [1] * (x.shape.rank - 1) + [3])


def rgb_to_hsv(images: TensorLike, name: str | None = None) -> Any:
    """Return hue, saturation and value of colors, each from 0 to 1.

    Args:
        images: tensor of shape (..., 3), of a floating dtype, and of values from 0 to 1.
    Returns:
        Tensor of the shape and dtype of ``images``.
    """
    x = dispatch.convert(images)
    red, green, blue = unstack(x, axis=-1)
    greatest = reduce_max(x, axis=-1)
    span = greatest - reduce_min(x, axis=-1)
    norm = 1.0 / (6.0 * where(span > 0, span, 1.0))
    hue = where(
        red == greatest, (green - blue) * norm,
        where(green == greatest, (blue - red) * norm + 2.0 / 6.0, (red - green) * norm + 4.0 / 6.0),
    )  # fmt: skip
    hue = where(span > 0, hue, 0.0)
    saturation = where(greatest > 0, span / where(greatest > 0, greatest, 1.0), 0.0)
    return stack([where(hue < 0, hue + 1.0, hue), saturation, greatest], axis=-1)


def hsv_to_rgb(images: TensorLike, name: str | None = None) -> Any:
    """Return colors of hue, saturation and value: the inverse of ``rgb_to_hsv``.

    Args:
        images: tensor of shape (..., 3) and of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``images``.
    """
    x = dispatch.convert(images)
    hue, saturation, value = unstack(x, axis=-1)
    least = value - saturation * value
    sixth = hue * 6.0
    red = clip_by_value(absolute(sixth - 3.0) - 1.0, 0.0, 1.0)
    green = clip_by_value(2.0 - absolute(sixth - 2.0), 0.0, 1.0)
    blue = clip_by_value(2.0 - absolute(sixth - 4.0), 0.0, 1.0)
    return stack([value * saturation * part + least for part in (red, green, blue)], axis=-1)


def _mixed(images: TensorLike, matrix: np.ndarray) -> Any:
    x = dispatch.convert(images)
    return tensordot(x, constant(matrix, x.dtype), [[-1], [0]])


def rgb_to_yiq(images: TensorLike) -> Any:
    """Return brightness and two differences of colors, as NTSC has them.

    Args:
        images: tensor of shape (..., 3) and of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``images``.
    """
    return _mixed(images, _YIQ)


def yiq_to_rgb(images: TensorLike) -> Any:
    """Return colors of brightness and NTSC's differences.

    Args:
        images: tensor of shape (..., 3) and of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``images``.
    """
    return _mixed(images, _YIQ_TO_RGB)


def rgb_to_yuv(images: TensorLike) -> Any:
    """Return brightness and two differences of colors, as PAL has them.

    Args:
        images: tensor of shape (..., 3) and of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``images``.
    """
    return _mixed(images, _YUV)


def yuv_to_rgb(images: TensorLike) -> Any:
    """Return colors of brightness and PAL's differences.

    Args:
        images: tensor of shape (..., 3) and of a floating dtype.
    Returns:
        Tensor of the shape and dtype of ``images``.
    """
    return _mixed(images, _YUV_TO_RGB)


def adjust_brightness(image: TensorLike, delta: TensorLike) -> Any:
    """Add a number to images, whose values count from 0 to 1 whatever their dtype is.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        delta: what is added, a number.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """
    return in_floats(image, lambda x: x + cast(delta, x.dtype))


def adjust_contrast(images: TensorLike, contrast_factor: TensorLike) -> Any:
    """Multiply how far the values of a channel are from their mean in the image.

    Args:
        images: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        contrast_factor: the factor, a number.
    Returns:
        Tensor of the shape and dtype of ``images``.
    """

    def contrasted(x: Any) -> Any:
        middle = reduce_mean(x, axis=[-3, -2], keepdims=True)
        return (x - middle) * cast(contrast_factor, x.dtype) + middle

    return in_floats(images, contrasted)


def adjust_gamma(image: TensorLike, gamma: TensorLike = 1, gain: TensorLike = 1) -> Any:
    """Return ``gain * image ** gamma``.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        gamma: the exponent, a number that is not negative.
        gain: the factor, a number.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: gamma is a negative number.
    """
    if isinstance(gamma, int | float) and gamma < 0:
        raise ValueError("Gamma should be a non-negative real number.")
    return in_floats(image, lambda x: cast(gain, x.dtype) * x ** cast(gamma, x.dtype))


def adjust_saturation(image: TensorLike, saturation_factor: TensorLike,
                      name: str | None = None) -> Any:  # fmt: skip
    """Multiply the saturation of colors, up to 1.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        saturation_factor: the factor, a number.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """

    def saturated(x: Any) -> Any:
        hue, saturation, value = unstack(rgb_to_hsv(x), axis=-1)
        saturation = clip_by_value(saturation * cast(saturation_factor, x.dtype), 0.0, 1.0)
        return hsv_to_rgb(stack([hue, saturation, value], axis=-1))

    return in_floats(image, saturated)


def adjust_hue(image: TensorLike, delta: TensorLike, name: str | None = None) -> Any:
    """Turn the hue of colors by a part of the circle, from -1 to 1.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        delta: what is added, a number.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """

    def turned(x: Any) -> Any:
        hue, saturation, value = unstack(rgb_to_hsv(x), axis=-1)
        hue = hue + cast(delta, x.dtype)
        hue = hue - trunc(hue)
        return hsv_to_rgb(stack([where(hue < 0, hue + 1.0, hue), saturation, value], axis=-1))

    return in_floats(image, turned)


def per_image_standardization(image: TensorLike) -> Any:
    """Scale each image to mean 0 and variance 1; of a uniform one, by its number of values.

    Args:
        image: tensor of shape (..., height, width, channels).
    Returns:
        Tensor of float32, or of the floating dtype of ``image``.
    """
    x = dispatch.convert(image)
    x = x if x.dtype.is_floating else cast(x, float32)
    height, width, channels = (cast(size_of(x, axis), x.dtype) for axis in (-3, -2, -1))
    middle = reduce_mean(x, axis=[-3, -2, -1], keepdims=True)
    deviation = sqrt(reduce_mean((x - middle) ** 2, axis=[-3, -2, -1], keepdims=True))
    return (x - middle) / maximum(deviation, 1.0 / sqrt(height * width * channels))

