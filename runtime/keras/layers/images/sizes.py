"""Layers that give images another size: ``Resizing``, ``CenterCrop`` and ``RandomCrop``."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.composite.images.sampling import KERNELS, resized
from runtime.keras.layers.images.base import ImageLayer, RandomImageLayer, way
from runtime.keras.layers.images.boxes import clip_to_image_size, convert_format, within
from runtime.ops.array.concat_split import pad, stack
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import maximum, minimum, round
from runtime.ops.math.reduction import reduce_all

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

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        self._needs_size(images)
        if self.crop_to_aspect_ratio:
            rows, columns = images.shape[1], images.shape[2]
            images = _cut(images, *_middle(rows, columns, self.height, self.width))
        elif self.pad_to_aspect_ratio:
            images = _with_margins(images, self.height, self.width, self.fill_value)
        size, kind = (self.height, self.width), images.dtype
        interpolation = "nearest" if are_masks else self.interpolation
        if interpolation == "nearest" or not kind.is_integer:
            return resized(images, *size, interpolation, self.antialias)
        floats = round(resized(cast(images, "float32"), *size, interpolation, self.antialias))
        most = np.float32(kind.max)
        if int(most) > int(kind.max):  # the greatest float of the dtype is less
            most = np.nextafter(most, np.float32(0))
        return cast(minimum(maximum(floats, float(kind.min)), float(most)), kind)

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        kind, size = self.bounding_box_format, self._size(transformation["input_shape"])
        boxes_before = convert_to_tensor(bounding_boxes["boxes"])
        are_none = reduce_all(boxes_before == -1, -1, keepdims=True)
        are_none = are_none | reduce_all(boxes_before == 0, -1, keepdims=True)
        bounding_boxes = convert_format(bounding_boxes, kind, "xyxy", *size)
        boxes = bounding_boxes["boxes"]
        scale, start = self._scale(*(cast(n, boxes.dtype) for n in size))
        boxes = boxes * stack([*scale, *scale]) + stack([*start, *start])
        bounding_boxes = clip_to_image_size(
            {**bounding_boxes, "boxes": boxes}, self.height, self.width
        )
        boxes = where(are_none, zeros_like(boxes), bounding_boxes["boxes"])
        return convert_format(
            {**bounding_boxes, "boxes": boxes}, "xyxy", kind, self.height, self.width
        )

    def _scale(self, height: Any, width: Any) -> tuple[Any, Any]:
        """Return by what places are multiplied, and what is added to them: across, down."""
        across, down = self.width / width, self.height / height
        if self.pad_to_aspect_ratio:
            least = minimum(across, down)
            start = [(self.width - width * least) // 2, (self.height - height * least) // 2]
            return [least, least], start
        if self.crop_to_aspect_ratio:
            aspect = width / height
            is_wide = aspect > self.width / self.height
            new_width = where(is_wide, self.height * aspect, float(self.width))
            new_height = where(is_wide, float(self.height), self.width / aspect)
            start = [-((new_width - self.width) // 2), -((new_height - self.height) // 2)]
            return [new_width / width, new_height / height], start
        return [across, down], [zeros_like(across), zeros_like(down)]

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
    margins = [[0, 0], [top, top], [left, left], [0, 0]]
    return pad(images, margins, constant_values=cast(value, images.dtype))


def _cut(images: Any, top: Any, left: Any, height: int, width: int) -> Any:
    """Return a part of images, in a size that is known."""
    section = images[:, top : top + height, left : left + width]
    section.set_shape([images.shape[0], height, width, images.shape[3]])
    return section


def _middle(rows: int, columns: int, height: int, width: int) -> tuple[int, int, int, int]:
    """Return place and size of the greatest middle part of an image in the shape of a size."""
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

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        images = cast(images, self.compute_dtype)
        self._needs_size(images)
        top, left = images.shape[1] - self.height, images.shape[2] - self.width
        if top >= 0 and left >= 0:
            return _cut(images, top // 2, left // 2, self.height, self.width)
        middle = _cut(images, *_middle(images.shape[1], images.shape[2], self.height, self.width))
        return resized(middle, self.height, self.width, "bilinear")

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        kind, size = self.bounding_box_format, self._size(transformation["input_shape"])
        bounding_boxes = convert_format(bounding_boxes, kind, "xyxy", *size)
        height, width = self.height, self.width
        top, left = (size[0] - height) // 2, (size[1] - width) // 2
        if top < 0 or left < 0:
            top, left, height, width = _middle(*size, height, width)
        boxes = within(bounding_boxes["boxes"], left, top, left + width, top + height)
        ratio = [self.width / width, self.height / height]
        bounding_boxes = clip_to_image_size(
            {**bounding_boxes, "boxes": boxes * constant([*ratio, *ratio], boxes.dtype)},
            self.height, self.width,
        )  # fmt: skip
        return convert_format(bounding_boxes, "xyxy", kind, self.height, self.width)

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

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        size = self._size(images.shape.as_list())
        if None in size:
            raise ValueError(
                f"layer {self.name!r} (RandomCrop) needs images of a known size, got the shape "
                f"{images.shape}; give it to Input"
            )
        rows, columns = size[0] - self.height, size[1] - self.width
        if rows <= 0 or columns <= 0:
            return {"start": _middle(*size, self.height, self.width)[:2]}
        shares = [self._uniform([], 0.0, float(n + 1), seed) for n in (rows, columns)]
        return {"start": [cast(share, "int32") for share in shares]}

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        images = cast(images, self.compute_dtype)
        top, left = transformation["start"]
        height, width = self.height, self.width
        if isinstance(top, int):
            height, width = min(height, images.shape[1] - top), min(width, images.shape[2] - left)
        return resized(_cut(images, top, left, height, width), self.height, self.width, "bilinear")

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        raise ValueError(
            f"layer {self.name!r} (RandomCrop) does not cut boxes: cut the images and the boxes by "
            "CenterCrop, or take the boxes out of the dict"
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs while training."""
        return self._sized(input_shape, self.height, self.width)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "height": self.height, "width": self.width}
