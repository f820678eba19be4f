"""Layers that make sequences, images and volumes larger."""

from __future__ import annotations

from typing import Any

from runtime.composite.images.sampling import KERNELS, resized
from runtime.keras.layers.convolution.windows import chosen
from runtime.keras.layers.reshaping import Spatial
from runtime.ops.array.concat_split import repeat
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import range as numbers
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import reshape, transpose
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.math.elementwise import floor, maximum, minimum, round

__all__ = ["UpSampling1D", "UpSampling2D", "UpSampling3D"]


class _UpSampling(Spatial):
    def __init__(self, size: Any = 2, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(data_format, **kwargs)
        factors = (size,) * self.rank if isinstance(size, int) else tuple(size)
        if len(factors) != self.rank or not all(isinstance(n, int) and n > 0 for n in factors):
            raise ValueError(
                f"`size` of {type(self).__name__} should be a positive integer"
                f"{f', or {self.rank} of them' * (self.rank > 1)}. Received: size={size!r}"
            )
        self.size = factors

    def call(self, inputs: Any) -> Any:
        """Repeat along each axis."""
        for axis, count in zip(self._axes, self.size, strict=True):
            inputs = repeat(inputs, count, axis=axis)
        return inputs

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "size": self.size[0] if self.rank == 1 else self.size}


def _interpolated(inputs: Any, axis: int, times: int) -> Any:
    """Return so many times more entries along an axis; entries stand for the middles of parts."""
    static_size = inputs.shape[axis]
    size = shape_of(inputs)[axis] if static_size is None else static_size
    last_place = cast(size - 1, "float32")
    places = (cast(numbers(size * times), "float32") + 0.5) * (1.0 / times) - 0.5
    places = maximum(0.0, minimum(places, last_place))
    before = cast(floor(places), "int32")
    after = minimum(before + 1, cast(size - 1, "int32"))
    share = places - cast(before, "float32")
    share = reshape(share, [-1, *[1] * (inputs.shape.rank - axis - 1)])
    low, high = gather(inputs, before, axis=axis), gather(inputs, after, axis=axis)
    return low + (high - low) * share


class UpSampling1D(_UpSampling):
    """Layer that repeats each step ``size`` times."""

    rank = 1
    takes_format = False

    def __init__(self, size: int = 2, **kwargs: Any) -> None:
        if not isinstance(size, int) or isinstance(size, bool):
            raise TypeError(f"Expected an integer value for `size`, got {type(size)}.")
        super().__init__(size, **kwargs)


class UpSampling2D(_UpSampling):
    """Layer that makes images larger: it repeats rows and columns, or puts means between them.

    ``interpolation`` is 'nearest', 'bilinear', 'bicubic', 'lanczos3' or 'lanczos5'; ValueError for
    others, and for images of unknown sizes with one of the last three.
    """

    rank = 2

    def __init__(
        self, size: Any = (2, 2), data_format: str | None = None, interpolation: str = "nearest",
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(size, data_format, **kwargs)
        interpolations = ("nearest", *KERNELS)
        self.interpolation = chosen(interpolation, interpolations, "interpolation", "UpSampling2D")

    def call(self, inputs: Any) -> Any:
        """Repeat, or interpolate, along both axes."""
        if self.interpolation == "nearest":
            return super().call(inputs)
        outputs = cast(inputs, "float32")
        if self.interpolation == "bilinear":
            for axis, count in zip(reversed(self._axes), reversed(self.size), strict=True):
                outputs = _interpolated(outputs, axis, count)
        else:
            outputs = self._resized(outputs)
        return cast(round(outputs) if inputs.dtype.is_integer else outputs, inputs.dtype)

    def _resized(self, images: Any) -> Any:
        sizes = [images.shape[axis] for axis in self._axes]
        if None in sizes:
            raise ValueError(
                f"layer {self.name!r} (UpSampling2D) needs images of a known size for "
                f"{self.interpolation!r}, got the shape {images.shape}; give it to Input"
            )
        height, width = (n * times for n, times in zip(sizes, self.size, strict=True))
        if self.data_format == "channels_last":
            return resized(images, height, width, self.interpolation)
        images = resized(transpose(images, [0, 2, 3, 1]), height, width, self.interpolation)
        return transpose(images, [0, 3, 1, 2])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "interpolation": self.interpolation}


class UpSampling3D(_UpSampling):
    """Layer that repeats the parts of volumes."""

    rank = 3

    def __init__(
        self, size: Any = (2, 2, 2), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(size, data_format, **kwargs)
