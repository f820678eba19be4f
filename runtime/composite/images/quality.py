"""How images change from pixel to pixel, and how alike two of them are."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.composite.images.batches import convert_image_dtype, tensor_of_images
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat, pad
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import reshape
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.math.elementary import log
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.math.reduction import reduce_mean, reduce_sum
from runtime.ops.nn.convolution_api import depthwise_conv2d
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import float32

__all__ = ["image_gradients", "psnr", "sobel_edges", "ssim", "total_variation"]


def image_gradients(image: TensorLike) -> tuple[Any, Any]:
    """Return the differences to the next row and to the next column, 0 at the end.

    Args:
        image: tensor of shape (batch, height, width, channels).
    Returns:
        (dy, dx): tensors of the shape and dtype of ``image``.
    Raises:
        ValueError: the rank is not 4.
    """
    x = dispatch.convert(image)
    if x.shape.rank != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {x.shape}."
        )
    down = concat([x[:, 1:] - x[:, :-1], zeros_like(x[:, :1])], 1)
    across = concat([x[:, :, 1:] - x[:, :, :-1], zeros_like(x[:, :, :1])], 2)
    return down, across


def sobel_edges(image: TensorLike) -> Any:
    """Return Sobel's differences between the rows and between the columns around each pixel.

    Args:
        image: tensor of shape (batch, height, width, channels) and of a floating dtype.
    Returns:
        Tensor of shape (batch, height, width, channels, 2).
    """
    x = dispatch.convert(image)
    kernel = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], np.float32)
    kernels = np.stack([kernel, kernel.T], -1)[:, :, np.newaxis]
    filters = constant(np.tile(kernels, [1, 1, x.shape[-1], 1]), x.dtype)
    around = pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = depthwise_conv2d(around, filters, [1, 1, 1, 1], "VALID")
    return reshape(edges, concat([shape_of(x), constant([2])], 0))


def total_variation(images: TensorLike, name: str | None = None) -> Any:
    """Return the sum of the absolute differences between neighbours, of each image.

    Args:
        images: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
    Returns:
        Tensor of a number for each image, of the dtype of ``images``.
    """
    x = tensor_of_images(images, "total_variation")
    axes = [-3, -2, -1]
    down = reduce_sum(absolute(x[..., 1:, :, :] - x[..., :-1, :, :]), axis=axes)
    across = reduce_sum(absolute(x[..., 1:, :] - x[..., :-1, :]), axis=axes)
    return down + across


def _pair(a: TensorLike, b: TensorLike, max_val: Any) -> tuple[Any, Any, Any]:
    """Return two images and the greatest value as float32."""
    first, second = dispatch.convert(a), dispatch.convert(b)
    greatest = cast(max_val, first.dtype)
    images = (convert_image_dtype(x, float32) for x in (first, second))
    return *images, convert_image_dtype(greatest, float32)


def psnr(a: TensorLike, b: TensorLike, max_val: TensorLike, name: str | None = None) -> Any:
    """Return the ratio of signal and noise between images, in decibels.

    Args:
        a: tensor of shape (..., height, width, channels); ``b`` has the same.
        b: tensor of the shape and dtype of ``a``.
        max_val: difference of the greatest and the least value that are possible.
    Returns:
        Tensor of float32, a number for each image; infinite for equal ones.
    """
    x, y, greatest = _pair(a, b, max_val)
    error = reduce_mean((x - y) ** 2, axis=[-3, -2, -1])
    return 20.0 * log(greatest) / np.log(10.0) - np.float32(10.0 / np.log(10.0)) * log(error)


def ssim(img1: TensorLike, img2: TensorLike, max_val: TensorLike, filter_size: int = 11,
         filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03,
         return_index_map: bool = False) -> Any:  # fmt: skip
    """Return how alike the structures of images are, at most 1.

    Source: Wang, Bovik, Sheikh and Simoncelli, Image Quality Assessment, 2004.

    Args:
        img1: tensor of shape (..., height, width, channels), both sizes at least
            ``filter_size``; ``img2`` has the same.
        img2: tensor of the shape and dtype of ``img1``.
        max_val: difference of the greatest and the least value that are possible.
        filter_size: pixels of the window, of Gaussian weights with a deviation
            ``filter_sigma``.
        filter_sigma: deviation of the weights, in pixels.
        k1: guards the quotient of means, ``k2`` that of deviations.
        k2: guards the quotient of deviations.
        return_index_map: whether to return the value of each window.
    Returns:
        Tensor of float32: a number for each image, or (..., rows, columns) of windows.
    Raises:
        ValueError: images are smaller than the window.
    """
    x, y, greatest = _pair(img1, img2, max_val)
    for size in x.shape[-3:-1]:
        if size is not None and size < filter_size:
            raise ValueError(f"ssim: images must be {filter_size} pixels large, got {x.shape}")
    away = np.arange(filter_size) - (filter_size - 1) / 2
    weights = np.exp(-0.5 * (away[:, np.newaxis] ** 2 + away**2) / filter_sigma**2)
    weights = (weights / weights.sum()).astype(np.float32)
    channels = x.shape[-1]
    filters = constant(np.repeat(weights[:, :, np.newaxis, np.newaxis], channels, axis=2))

    def windows(values: Any) -> Any:
        batch = reshape(values, concat([constant([-1]), shape_of(values)[-3:]], 0))
        result = depthwise_conv2d(batch, filters, [1, 1, 1, 1], "VALID")
        return reshape(result, concat([shape_of(values)[:-3], shape_of(result)[1:]], 0))

    c1, c2 = (k1 * greatest) ** 2, (k2 * greatest) ** 2
    mean_x, mean_y = windows(x), windows(y)
    products, squares = mean_x * mean_y * 2.0, mean_x**2 + mean_y**2
    luminance = (products + c1) / (squares + c1)
    covariance, variances = windows(x * y) * 2.0 - products, windows(x**2 + y**2) - squares
    index = luminance * (covariance + c2) / (variances + c2)
    if return_index_map:
        return reduce_mean(index, axis=-1)
    return reduce_mean(reduce_mean(index, axis=[-3, -2]), axis=-1)
