"""Layers that change images at random while training: by flips, maps of places, and colours."""

from __future__ import annotations

import math
from typing import Any

from runtime.keras.layers.images.base import RandomImageLayer, factor_of, way
from runtime.keras.layers.images.sampling import FILLS, INTERPOLATIONS, mapped
from runtime.ops.array.concat_split import concat, stack
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.shape import reverse
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

    def _changed(self, images: Any) -> Any:
        axes = {"horizontal": [2], "vertical": [1]}.get(self.mode, [1, 2])
        return where(self._drawn(images, 0.0, 1.0) <= 0.5, reverse(images, axes), images)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "mode": self.mode}


class RandomContrast(RandomImageLayer):
    """Layer that multiplies the distances from the mean of each channel of an image at random.

    ``factor`` bounds how far the multiple is below and above 1: one number from 0 to 1, or two.
    ``value_range`` bounds the output.  ValueError for other factors.
    """

    def __init__(
        self, factor: Any, value_range: Any = (0, 255), seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(seed, **kwargs)
        low, high = factor_of(factor, "factor", 0.0, 1.0)
        self.factor = (low, high) if isinstance(factor, list | tuple) else (factor, factor)
        self.value_range = value_range

    def _changed(self, images: Any) -> Any:
        multiple = self._drawn(images, 1.0 - self.factor[0], 1.0 + self.factor[1])
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

    def _changed(self, images: Any) -> Any:
        low, high = self.value_range
        return _within(images + self._drawn(images, *self.factor) * (high - low), (low, high))

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

    def _matrix(self, images: Any) -> tuple[Any, ...]:
        """Return the six columns of matrices of 2 rows, (batch, 1) each."""
        raise NotImplementedError

    def _changed(self, images: Any) -> Any:
        columns = self._matrix(images)
        matrix = stack([concat(columns[:3], 1), concat(columns[3:], 1)], 1)
        found = mapped(images, matrix, self.interpolation, self.fill_mode, self.fill_value)
        found.set_shape(images.shape)
        return found

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

    def _matrix(self, images: Any) -> tuple[Any, ...]:
        down = self._drawn(images, *self._heights, axes=1) * images.shape[1]
        right = self._drawn(images, *self._widths, axes=1) * images.shape[2]
        one, none = ones_like(down), zeros_like(down)
        return one, none, -right, none, one, -down

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

    def _matrix(self, images: Any) -> tuple[Any, ...]:
        down = 1.0 + self._drawn(images, *self._heights, axes=1)
        right = down
        if self._widths is not None:
            right = 1.0 + self._drawn(images, *self._widths, axes=1)
        none = zeros_like(down)
        left, top = ((images.shape[n] - 1.0) / 2.0 for n in (2, 1))
        return right, none, left * (1.0 - right), none, down, top * (1.0 - down)

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

    def _matrix(self, images: Any) -> tuple[Any, ...]:
        angle = self._drawn(images, *self.factor, axes=1) * (2.0 * math.pi)
        turn, rise = cos(angle), sin(angle)
        x, y = ((images.shape[n] - 1.0) / 2.0 for n in (2, 1))
        return (
            turn, -rise, x - (turn * x - rise * y), rise, turn, y - (rise * x + turn * y)
        )

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "factor": self.factor}
