"""``ImageLayer``: what layers of images share: formats, single images, and what is refused."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.convolution.windows import chosen
from runtime.keras.layers.reshaping import data_format_of
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import expand_dims, squeeze, transpose
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.random.sampling import uniform


class ImageLayer(Layer):
    """Base of layers of images, alone or in a batch, that change them while training."""

    always = False
    """Whether images are changed outside of training, too."""

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format_of(data_format, type(self).__name__)

    def call(self, data: Any, training: Any = True) -> Any:
        """Change the images."""
        if isinstance(data, dict):
            raise ValueError(
                f"{type(self).__name__} takes images: dicts with labels, boxes or masks are not "
                "supported; apply it to the images, and change the others yourself"
            )
        images = convert_to_tensor(data)
        if images.shape.rank not in (3, 4):
            raise ValueError(
                f"{type(self).__name__} takes an image or a batch of images, of rank 3 or 4. "
                f"Received: inputs.shape={images.shape}"
            )
        if not self.always:
            images = cast(images, self.compute_dtype)
            if not training:
                return images
        return self._in_batch(images)

    def _in_batch(self, images: Any) -> Any:
        """Change images of either format, alone or in a batch."""
        is_alone = images.shape.rank == 3
        images = expand_dims(images, 0) if is_alone else images
        first = self.data_format == "channels_first"
        images = transpose(images, [0, 2, 3, 1]) if first else images
        if None in images.shape.as_list()[1:]:
            raise ValueError(
                f"layer {self.name!r} ({type(self).__name__}) needs images of a known size, got "
                f"the shape {images.shape}; give it to Input"
            )
        images = self._changed(images)
        images = transpose(images, [0, 3, 1, 2]) if first else images
        return squeeze(images, [0]) if is_alone else images

    def _changed(self, images: Any) -> Any:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "data_format": self.data_format}

    def _sized(self, shape: Any, height: int, width: int) -> tuple[Any, ...]:
        """Return a shape with other sizes of the images."""
        start = len(shape) - (2 if self.data_format == "channels_first" else 3)
        return (*shape[:start], height, width, *shape[start + 2 :])


class RandomImageLayer(ImageLayer):
    """Base of layers that draw a number for each image."""

    def __init__(self, seed: int | None = None, data_format: str | None = None,
                 **kwargs: Any) -> None:  # fmt: skip
        super().__init__(data_format, **kwargs)
        self.seed = seed

    def _drawn(self, images: Any, low: float, high: float, axes: int = 3) -> Any:
        """Return a number for each image, in a shape with so many axes of size 1 behind it."""
        count = shape_of(images)[0]
        found = uniform([count, *[1] * axes], low, high, "float32", seed=self.seed)
        found.set_shape([images.shape[0], *[1] * axes])
        return found

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "seed": self.seed}


def factor_of(value: Any, name: str, low: float, high: float) -> tuple[float, float]:
    """Return the bounds of a factor, one number or two; ValueError outside of ``low, high``."""
    given = tuple(value) if isinstance(value, list | tuple) else (value,)
    numbers = [n for n in given if isinstance(n, int | float) and low <= n <= high]
    if len(numbers) != len(given) or len(given) not in (1, 2):
        raise ValueError(
            f"The `{name}` argument should be a number (or a list of two numbers) in the range "
            f"[{low}, {high}]. Received: {name}={value!r}"
        )
    if len(given) == 1:
        return max(-abs(numbers[0]), low), abs(numbers[0])
    return min(numbers), max(numbers)


def way(value: str, allowed: tuple[str, ...], name: str, layer: Any) -> str:
    """Return an argument that must be one of several texts; ValueError for others."""
    return chosen(value, allowed, name, type(layer).__name__)
