"""Pooling to a given size: each output is the greatest, or the mean, of its share of an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from runtime.keras.layers.convolution.windows import Windowed, one_an_axis
from runtime.ops.array.concat_split import concat
from runtime.ops.math.reduction import reduce_max, reduce_mean

__all__ = [
    "AdaptiveAveragePooling1D", "AdaptiveAveragePooling2D", "AdaptiveAveragePooling3D",
    "AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D", "AdaptiveMaxPooling3D",
]  # fmt: skip


class _Adaptive(Windowed):
    reduced: ClassVar[Callable[..., Any]]

    def __init__(self, output_size: Any, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._set_axes(data_format)
        self.output_size = one_an_axis(output_size, self.rank, "output_size")

    def call(self, inputs: Any) -> Any:
        """Pool one axis after the other."""
        first = 2 if self._channels_first else 1
        for axis, count in enumerate(self.output_size, first):
            size = inputs.shape[axis]
            if size is None:
                raise ValueError(
                    f"layer {self.name!r} pools axis {axis} of inputs of shape {inputs.shape}, "
                    "whose size must be known: give it to Input"
                )
            around = (slice(None),) * axis
            inputs = concat([
                type(self).reduced(
                    inputs[(*around, slice(n * size // count, -(-(n + 1) * size // count)))],
                    axis, keepdims=True,
                )
                for n in range(count)
            ], axis)  # fmt: skip
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return self._around(input_shape, self.output_size, input_shape[self._channel_axis])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {"output_size": self.output_size, "data_format": self.data_format}
        return {**super().get_config(), **config}


class _AdaptiveMean(_Adaptive):
    reduced = staticmethod(reduce_mean)


class _AdaptiveMax(_Adaptive):
    reduced = staticmethod(reduce_max)


class AdaptiveAveragePooling1D(_AdaptiveMean):
    """Layer that keeps means of ``output_size`` equal shares of the steps, which may overlap.

    ``data_format`` is 'channels_last' or 'channels_first'.  ValueError for a size that is not
    positive.
    """

    rank = 1


class AdaptiveAveragePooling2D(_AdaptiveMean):
    """Layer that makes images of a size by means of shares; as ``AdaptiveAveragePooling1D``."""

    rank = 2


class AdaptiveAveragePooling3D(_AdaptiveMean):
    """Layer that makes volumes of a size by means of shares; as ``AdaptiveAveragePooling1D``."""

    rank = 3


class AdaptiveMaxPooling1D(_AdaptiveMax):
    """Layer that keeps the greatest of each share; arguments of ``AdaptiveAveragePooling1D``."""

    rank = 1


class AdaptiveMaxPooling2D(_AdaptiveMax):
    """Layer that makes images of a size by the greatest of shares, as ``AdaptiveMaxPooling1D``."""

    rank = 2


class AdaptiveMaxPooling3D(_AdaptiveMax):
    """Layer that makes volumes of a size by the greatest of shares, as ``AdaptiveMaxPooling1D``."""

    rank = 3
