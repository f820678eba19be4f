"""Layers that give images another size: ``Resizing``, ``CenterCrop`` and ``RandomCrop``."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.keras.layers.images.base import ImageLayer, RandomImageLayer, way
from runtime.keras.layers.images.sampling import KERNELS, resized
from runtime.ops.array.concat_split import pad
from runtime.ops.array.constants import cast
from runtime.ops.math.elementwise import maximum, minimum, round
from runtime.ops.random.sampling import uniform

__all__ = ["CenterCrop", "RandomCrop", "Resizing"]


class Resizing(ImageLayer):
    """Layer that resizes images.

    Args:
        height: height of the output.
        width: width of the output.
        interpolation: 'bilinear', 'nearest', 'bicubic', 'lanczos3' or 'lanczos5'.
        crop_to_aspect_ratio: whether the middle of the images that has the shape of the output is
            resized, and not all of them.
        pad_to_aspect_ratio: whether images get margins, so that they have the shape of the output.
        fill_mode: 'constant'.
        fill_value: value of these margins.
        antialias: whether a pixel of a smaller image is a mean of all that it covers.
        data_format: 'channels_last' or 'channels_first'.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for arguments that are none of these, and for both of the aspect ratios.
    """

    always = True

    def __init__(
        self, height: int, width: int, interpolation: str = "bilinear",
        crop_to_aspect_ratio: bool = False, pad_to_aspect_ratio: bool = False,
        fill_mode: str = "constant", fill_value: float = 0.0, antialias: bool = False,
        data_format: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(data_format, **kwargs)
        if crop_to_aspect_ratio and pad_to_aspect_ratio:
            raise ValueError(
                "Only one of `pad_to_aspect_ratio` & `crop_to_aspect_ratio` can be `True`."
            )
        self.height, self.width = height, width
        self.interpolation = way(interpolation, ("nearest", *KERNELS), "interpolation", self)
        self.crop_to_aspect_ratio = crop_to_aspect_ratio
        self.pad_to_aspect_ratio = pad_to_aspect_ratio
        self.fill_mode = way(fill_mode, ("constant",), "fill_mode", self)
        self.fill_value, self.antialias = fill_value, bool(antialias)

    def _changed(self, images: Any) -> Any:
        if self.crop_to_aspect_ratio:
            images = _cut(images, *_middle(images, self.height, self.width))
        elif self.pad_to_aspect_ratio:
            images = _with_margins(images, self.height, self.width, self.fill_value)
        size, kind = (self.height, self.width), images.dtype
        if self.interpolation == "nearest" or not kind.is_integer:
            return resized(images, *size, self.interpolation, self.antialias)
        floats = round(
            resized(cast(images, "float32"), *size, self.interpolation, self.antialias)
        )
        most = np.float32(kind.max)
        if int(most) > int(kind.max):  # the greatest float of the dtype is less
            most = np.nextafter(most, np.float32(0))
        return cast(minimum(maximum(floats, float(kind.min)), float(most)), kind)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return self._sized(input_shape, self.height, self.width)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "height": self.height, "width": self.width,
            "interpolation": self.interpolation,
            "crop_to_aspect_ratio": self.crop_to_aspect_ratio,
            "pad_to_aspect_ratio": self.pad_to_aspect_ratio, "fill_mode": self.fill_mode,
            "fill_value": self.fill_value, "antialias": self.antialias,
        }  # fmt: skip


def _with_margins(images: Any, height: int, width: int, value: float) -> Any:
    """Return images with equal margins, in the shape of a size up to the rounding of half a pixel.
    """
    rows, columns = images.shape[1], images.shape[2]
    top = max(int(np.float32(columns * height) / np.float32(width)) - rows, 0) // 2
    left = max(int(np.float32(rows * width) / np.float32(height)) - columns, 0) // 2
    return pad(images, [[0, 0], [top, top], [left, left], [0, 0]], constant_values=value)


def _cut(images: Any, top: Any, left: Any, height: int, width: int) -> Any:
    """Return a part of images, in a size that is known."""
    found = images[:, top : top + height, left : left + width]
    found.set_shape([images.shape[0], height, width, images.shape[3]])
    return found


def _middle(images: Any, height: int, width: int) -> tuple[int, int, int, int]:
    """Return the place and the size of the greatest middle part that has the shape of a size."""
    rows, columns = images.shape[1], images.shape[2]
    inner_height = max(min(rows, int(float(columns * height) / width)), 1)
    inner_width = max(min(columns, int(float(rows * width) / height)), 1)
    top, left = int((rows - inner_height) / 2), int((columns - inner_width) / 2)
    return top, left, inner_height, inner_width


class CenterCrop(ImageLayer):
    """Layer that keeps the middle of images; smaller images are resized to fill the size.

    ``height`` and ``width`` are those of the output, ``data_format`` is 'channels_last' or
    'channels_first'.
    """

    always = True

    def __init__(
        self, height: int, width: int, data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data_format, **kwargs)
        self.height, self.width = height, width

    def _changed(self, images: Any) -> Any:
        images = cast(images, self.compute_dtype)
        top, left = images.shape[1] - self.height, images.shape[2] - self.width
        if top >= 0 and left >= 0:
            return _cut(images, top // 2, left // 2, self.height, self.width)
        middle = _cut(images, *_middle(images, self.height, self.width))
        return resized(middle, self.height, self.width, "bilinear")

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return self._sized(input_shape, self.height, self.width)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "height": self.height, "width": self.width}


class RandomCrop(RandomImageLayer):
    """Layer that keeps a part of images at random while training, the same of all in a batch.

    Smaller images are resized to fill the size.  Outside of training images stay as they are.

    Args:
        height: height of the output.
        width: width of the output.
        seed: seed of the places.
        data_format: 'channels_last' or 'channels_first'.
        kwargs: arguments of ``Layer``.
    """

    def __init__(
        self, height: int, width: int, seed: int | None = None, data_format: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(seed, data_format, **kwargs)
        self.height, self.width = height, width

    def _changed(self, images: Any) -> Any:
        rows, columns = images.shape[1] - self.height, images.shape[2] - self.width
        if rows > 0 and columns > 0:
            starts = [
                cast(uniform([], 0.0, float(free + 1), "float32", seed=self.seed), "int32")
                for free in (rows, columns)
            ]
            return _cut(images, starts[0], starts[1], self.height, self.width)
        top, left, *_ = _middle(images, self.height, self.width)
        height = min(self.height, images.shape[1] - top)
        width = min(self.width, images.shape[2] - left)
        return resized(
            _cut(images, top, left, height, width), self.height, self.width, "bilinear"
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs while training."""
        return self._sized(input_shape, self.height, self.width)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "height": self.height, "width": self.width}
