"""Layers that change images at random while training: by flips, maps of places, and colours."""

from __future__ import annotations

import math
from typing import Any

from runtime.composite.images.sampling import FILLS, INTERPOLATIONS, mapped
from runtime.keras.layers.images.base import RandomImageLayer, factor_of, sizes_of, way
from runtime.keras.layers.images.boxes import clip_to_image_size, convert_format, moved, within
from runtime.ops.array.concat_split import concat, split, stack
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.shape import expand_dims, reverse, squeeze
from runtime.ops.array.where import where
from runtime.ops.math.elementary import cos, sin
from runtime.ops.math.elementwise import maximum, minimum
from runtime.ops.math.reduction import reduce_mean

__all__ = [
    "RandomBrightness", "RandomContrast", "RandomFlip", "RandomRotation", "RandomTranslation",
    "RandomZoom",
]  # fmt: skip


class RandomFlip(RandomImageLayer):
    """Layer that flips half of the images while training.

    ``mode`` is 'horizontal', 'vertical' or 'horizontal_and_vertical' (an image is flipped both ways
    or not at all), ``seed`` that of the choice, ``data_format`` 'channels_last' or
    'channels_first'.  ValueError for other modes.
    """

    def __init__(
        self, mode: str = "horizontal_and_vertical", seed: int | None = None,
        data_format: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(seed, data_format, **kwargs)
        allowed = ("horizontal", "vertical", "horizontal_and_vertical")
        self.mode = way(mode, allowed, "mode", self)

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        return {"flips": self._drawn(images, 0.0, 1.0, seed) <= 0.5}

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        axes = {"horizontal": [2], "vertical": [1]}.get(self.mode, [1, 2])
        return where(transformation["flips"], reverse(images, axes), images)

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        kind, size = self.bounding_box_format, self._size(transformation["input_shape"])
        bounding_boxes = convert_format(bounding_boxes, kind, "rel_xyxy", *size)
        left, top, right, below = split(bounding_boxes["boxes"], 4, axis=-1)
        if self.mode != "vertical":
            left, right = 1 - right, 1 - left
        if self.mode != "horizontal":
            top, below = 1 - below, 1 - top
        flips = squeeze(convert_to_tensor(transformation["flips"]), [-1])
        flipped = concat([left, top, right, below], -1)
        boxes = where(flips, flipped, bounding_boxes["boxes"])
        # as Keras does, whose bounds are those of the size also of shares of it
        bounding_boxes = clip_to_image_size({**bounding_boxes, "boxes": boxes}, *size)
        return convert_format(bounding_boxes, "rel_xyxy", kind, *size)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "mode": self.mode}


class RandomContrast(RandomImageLayer):
    """Layer that multiplies the distances from the mean of each channel of an image at random.

    ``factor`` bounds how far the multiple is below and above 1: one number from 0 to 1, or two.
    ``value_range`` bounds the output.  ValueError for other factors.
    """

    keeps_places = True

    def __init__(
        self, factor: Any, value_range: Any = (0, 255), seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(seed, **kwargs)
        low, high = factor_of(factor, "factor", 0.0, 1.0)
        self.factor = (low, high) if isinstance(factor, list | tuple) else (factor, factor)
        self.value_range = value_range

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        low, high = 1.0 - self.factor[0], 1.0 + self.factor[1]
        return {"contrast_factor": self._drawn(images, low, high, seed)}

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        multiple = cast(transformation["contrast_factor"], images.dtype)
        mean = reduce_mean(images, [1, 2], keepdims=True)
        return _within((images - mean) * multiple + mean, self.value_range)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "factor": self.factor, "value_range": self.value_range}


class RandomBrightness(RandomImageLayer):
    """Layer that adds a number to each image at random while training.

    ``factor`` bounds the number, as a share of ``value_range``: one number from -1 to 1, or two.
    ``value_range`` also bounds the output.  ValueError for other arguments.
    """

    keeps_places = True

    def __init__(
        self, factor: Any, value_range: Any = (0, 255), seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(seed, **kwargs)
        self.factor = factor_of(factor, "factor", -1.0, 1.0)
        if not isinstance(value_range, list | tuple) or len(value_range) != 2:
            raise ValueError(
                "The `value_range` argument should be a list of two numbers. Received: "
                f"value_range={value_range}"
            )
        self.value_range = sorted(value_range)

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        low, high = self.value_range
        return {"rgb_delta": self._drawn(images, *self.factor, seed) * (high - low)}

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        return _within(images + cast(transformation["rgb_delta"], images.dtype), self.value_range)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "factor": self.factor, "value_range": self.value_range}


def _within(images: Any, bounds: Any) -> Any:
    return minimum(maximum(images, float(bounds[0])), float(bounds[1]))


class _Mapping(RandomImageLayer):
    """Base of layers that read images at other places, which ``_matrix`` gives."""

    def __init__(
        self, fill_mode: str = "reflect", interpolation: str = "bilinear",
        seed: int | None = None, fill_value: float = 0.0, data_format: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(seed, data_format, **kwargs)
        self.fill_mode = way(fill_mode, FILLS, "fill_mode", self)
        self.interpolation = way(interpolation, INTERPOLATIONS, "interpolation", self)
        self.fill_value = fill_value

    def _matrix(self, transformation: Any, height: Any, width: Any) -> tuple[Any, ...]:
        """Return the six columns of matrices of 2 rows, (batch, 1) each."""
        raise NotImplementedError

    def _change_images(self, images: Any, transformation: Any, are_masks: bool) -> Any:
        size = [cast(n, "float32") for n in sizes_of(images)[1:3]]
        columns = self._matrix(transformation, *size)
        matrix = stack([concat(columns[:3], 1), concat(columns[3:], 1)], 1)
        interpolation = "nearest" if are_masks else self.interpolation
        is_half = images.dtype.is_floating and images.dtype.size < 4
        pixels = cast(images, "float32") if is_half else images  # places are float32, too
        outputs = mapped(pixels, matrix, interpolation, self.fill_mode, self.fill_value)
        outputs = cast(outputs, images.dtype)
        outputs.set_shape(images.shape)
        return outputs

    def _absolute(self, bounding_boxes: Any, transformation: Any) -> tuple[Any, Any, Any]:
        """Return boxes 'xyxy', and the height and the width of their images."""
        size = self._size(transformation["input_shape"])
        return convert_format(bounding_boxes, self.bounding_box_format, "xyxy", *size), *size

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "fill_mode": self.fill_mode, "fill_value": self.fill_value,
            "interpolation": self.interpolation,
        }  # fmt: skip


class RandomTranslation(_Mapping):
    """Layer that moves images at random while training.

    Args:
        height_factor: bounds of the move down, as a share of the height: one number or two.
        width_factor: bounds of the move to the right, as a share of the width.
        fill_mode: what is outside of an image: 'reflect', 'constant', 'wrap' or 'nearest'.
        interpolation: 'bilinear' or 'nearest'.
        seed: seed of the moves.
        fill_value: what is outside for 'constant'.
        data_format: 'channels_last' or 'channels_first'.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for arguments that are none of these.
    """

    def __init__(
        self, height_factor: Any, width_factor: Any, fill_mode: str = "reflect",
        interpolation: str = "bilinear", seed: int | None = None, fill_value: float = 0.0,
        data_format: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, **kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        self._heights = factor_of(height_factor, "height_factor", -1.0, 1.0)
        self._widths = factor_of(width_factor, "width_factor", -1.0, 1.0)

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        height, width = self._size(sizes_of(images))
        down = self._drawn(images, *self._heights, seed, axes=1) * cast(height, "float32")
        right = self._drawn(images, *self._widths, seed, axes=1) * cast(width, "float32")
        return {"translations": concat([right, down], 1)}

    def _matrix(self, transformation: Any, height: Any, width: Any) -> tuple[Any, ...]:
        right, down = split(cast(transformation["translations"], "float32"), 2, axis=1)
        ones, zeros = ones_like(down), zeros_like(down)
        return ones, zeros, -right, zeros, ones, -down

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        bounding_boxes, *size = self._absolute(bounding_boxes, transformation)
        boxes = bounding_boxes["boxes"]
        shift = cast(transformation["translations"], boxes.dtype)
        shift = concat([shift, shift], 1)
        boxes = boxes + (expand_dims(shift, 1) if boxes.shape.rank == 3 else shift)
        bounding_boxes = clip_to_image_size({**bounding_boxes, "boxes": boxes}, *size)
        return convert_format(bounding_boxes, "xyxy", self.bounding_box_format, *size)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {"height_factor": self.height_factor, "width_factor": self.width_factor}
        return {**super().get_config(), **config}


class RandomZoom(_Mapping):
    """Layer that zooms images at random while training: negative factors zoom in.

    ``height_factor`` and ``width_factor`` bound the zoom, one number or two; without the latter
    images keep their shape.  The other arguments are those of ``RandomTranslation``.
    """

    def __init__(
        self, height_factor: Any, width_factor: Any = None, fill_mode: str = "reflect",
        interpolation: str = "bilinear", seed: int | None = None, fill_value: float = 0.0,
        data_format: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, **kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        self._heights = factor_of(height_factor, "height_factor", -1.0, 1.0)
        self._widths: tuple[float, float] | None = None
        if width_factor is not None:
            self._widths = factor_of(width_factor, "width_factor", -1.0, 1.0)

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        down = 1.0 + self._drawn(images, *self._heights, seed, axes=1)
        right = down
        if self._widths is not None:
            right = 1.0 + self._drawn(images, *self._widths, seed, axes=1)
        return {"height_zoom": down, "width_zoom": right}

    def _matrix(self, transformation: Any, height: Any, width: Any) -> tuple[Any, ...]:
        down, right = (cast(transformation[f"{n}_zoom"], "float32") for n in ("height", "width"))
        none = zeros_like(down)
        left, top = ((n - 1.0) / 2.0 for n in (width, height))
        return right, none, left * (1.0 - right), none, down, top * (1.0 - down)

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        bounding_boxes, *size = self._absolute(bounding_boxes, transformation)
        height, width = (cast(n, "float32") for n in size)
        right, _, left, _, down, top = (
            expand_dims(column, -1) for column in self._matrix(transformation, height, width)
        )
        seen = right * width, down * height
        boxes = within(bounding_boxes["boxes"], left, top, left + seen[0], top + seen[1])
        bounding_boxes = convert_format(
            {**bounding_boxes, "boxes": boxes}, "xyxy", "rel_xyxy", seen[1], seen[0]
        )
        bounding_boxes = clip_to_image_size(bounding_boxes, bounding_box_format="rel_xyxy")
        return convert_format(bounding_boxes, "rel_xyxy", self.bounding_box_format, *size)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {"height_factor": self.height_factor, "width_factor": self.width_factor}
        return {**super().get_config(), **config}


class RandomRotation(_Mapping):
    """Layer that rotates images at random while training.

    ``factor`` bounds the angle, as a share of a whole turn: one number or two, positive against the
    clock.  The other arguments are those of ``RandomTranslation``.
    """

    def __init__(
        self, factor: Any, fill_mode: str = "reflect", interpolation: str = "bilinear",
        seed: int | None = None, fill_value: float = 0.0, data_format: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, **kwargs)
        self.factor = factor_of(factor, "factor", -1.0, 1.0)

    def _draw(self, images: Any, seed: Any) -> dict[str, Any]:
        return {"angle": self._drawn(images, *self.factor, seed, axes=1) * 360.0}

    def _move_boxes(self, bounding_boxes: Any, transformation: Any) -> Any:
        if self.bounding_box_format != "xyxy":
            raise ValueError(
                f"layer {self.name!r} (RandomRotation) turns boxes of the format 'xyxy' alone: "
                "convert them before. Received: "
                f"bounding_box_format={self.bounding_box_format!r}"
            )
        bounding_boxes, *size = self._absolute(bounding_boxes, transformation)
        back = {"angle": -transformation["angle"]}
        columns = self._matrix(back, *(cast(n, "float32") for n in size))
        matrix = stack([concat(columns[:3], 1), concat(columns[3:], 1)], 1)
        boxes = moved(bounding_boxes["boxes"], matrix)
        return clip_to_image_size({**bounding_boxes, "boxes": boxes}, *size)

    def _matrix(self, transformation: Any, height: Any, width: Any) -> tuple[Any, ...]:
        angle = transformation["angle"] * (math.pi / 180.0)
        turn, rise = cos(angle), sin(angle)
        x, y = ((n - 1.0) / 2.0 for n in (width, height))
        return (
            turn, -rise, x - (turn * x - rise * y), rise, turn, y - (rise * x + turn * y)
        )

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "factor": self.factor}
