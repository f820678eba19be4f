"""Layers that keep the greatest or the mean of each window, or of all of a sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from runtime.keras.layers.convolution.windows import Windowed, chosen, one_an_axis, window_sizes
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims
from runtime.ops.math.reduction import reduce_max, reduce_mean, reduce_sum
from runtime.ops.nn.pooling_api import avg_pool, max_pool

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "AvgPool1D", "AvgPool2D",
    "AvgPool3D", "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D",
    "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalAvgPool3D", "GlobalMaxPool1D", "GlobalMaxPool2D",
    "GlobalMaxPool3D", "GlobalMaxPooling1D", "GlobalMaxPooling2D", "GlobalMaxPooling3D",
    "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D",
]  # fmt: skip


class _Pooling(Windowed):
    _is_stateless = True
    pooled: ClassVar[Callable[..., Any]]

    def __init__(
        self, pool_size: Any, strides: Any = None, padding: str = "valid",
        data_format: str | None = None, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        self._set_axes(data_format)
        self.pool_size = one_an_axis(pool_size, self.rank, "pool_size")
        self.strides = one_an_axis(pool_size if strides is None else strides, self.rank, "strides")
        self.padding = chosen(padding, ("valid", "same"), "padding", type(self).__name__)

    def call(self, inputs: Any) -> Any:
        """Pool."""
        self.compute_output_shape(inputs.shape.as_list())
        return type(self).pooled(
            inputs, list(self.pool_size), list(self.strides), self.padding.upper(), self._layout
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        inner = window_sizes(
            self._inner(input_shape), self.pool_size, self.strides, self.padding, (1,) * self.rank
        )
        return self._around(input_shape, inner, input_shape[self._channel_axis])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "pool_size": self.pool_size, "padding": self.padding,
            "strides": self.strides, "data_format": self.data_format,
        }  # fmt: skip


class _MaxPooling(_Pooling):
    pooled = staticmethod(max_pool)

    def __init__(self, pool_size: Any = 2, *args: Any, **kwargs: Any) -> None:
        super().__init__(pool_size, *args, **kwargs)


class _AveragePooling(_Pooling):
    pooled = staticmethod(avg_pool)


class MaxPooling1D(_MaxPooling):
    """Layer that keeps the greatest of each window of sequences, (batch, steps, channels).

    ``pool_size`` is the size of the windows, ``strides`` their distance (the size by default),
    ``padding`` 'valid' or 'same', ``data_format`` 'channels_last' or 'channels_first'.
    """

    rank = 1


class MaxPooling2D(_MaxPooling):
    """Layer that keeps the greatest of each window of images; arguments as of ``MaxPooling1D``."""

    rank = 2


class MaxPooling3D(_MaxPooling):
    """Layer that keeps the greatest of each window of volumes; arguments as of ``MaxPooling1D``."""

    rank = 3


class AveragePooling1D(_AveragePooling):
    """Layer that keeps the mean of each window of sequences; arguments as of ``MaxPooling1D``.

    Padding counts for nothing in the means.
    """

    rank = 1


class AveragePooling2D(_AveragePooling):
    """Layer that keeps the mean of each window of images, as ``AveragePooling1D``."""

    rank = 2


class AveragePooling3D(_AveragePooling):
    """Layer that keeps the mean of each window of volumes, as ``AveragePooling1D``."""

    rank = 3


class _Global(Windowed):
    _is_stateless = True
    reduced: ClassVar[Callable[..., Any]]

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._set_axes(data_format)
        self.keepdims = keepdims

    @property
    def _inner_axes(self) -> list[int]:
        first = 2 if self._channels_first else 1
        return list(range(first, first + self.rank))

    def call(self, inputs: Any) -> Any:
        """Reduce the inner axes."""
        return type(self).reduced(inputs, self._inner_axes, keepdims=self.keepdims)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        channels = input_shape[self._channel_axis]
        if self.keepdims:
            return self._around(input_shape, (1,) * self.rank, channels)
        return input_shape[0], channels

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        return {**config, "data_format": self.data_format, "keepdims": self.keepdims}


class _GlobalMax(_Global):
    reduced = staticmethod(reduce_max)


class _GlobalMean(_Global):
    reduced = staticmethod(reduce_mean)

    def call(self, inputs: Any) -> Any:
        """Compute the means, of integers as floats."""
        return super().call(cast(inputs, self.compute_dtype) if inputs.dtype.is_integer else inputs)


class GlobalMaxPooling1D(_GlobalMax):
    """Layer that keeps the greatest of each channel of a sequence; ``keepdims`` keeps the axis."""

    rank = 1


class GlobalMaxPooling2D(_GlobalMax):
    """Layer that keeps the greatest of each channel of an image; ``keepdims`` keeps the axes."""

    rank = 2


class GlobalMaxPooling3D(_GlobalMax):
    """Layer that keeps the greatest of each channel of a volume; ``keepdims`` keeps the axes."""

    rank = 3


class GlobalAveragePooling1D(_GlobalMean):
    """Layer that keeps the mean of each channel of a sequence, of the steps that count."""

    rank = 1

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(data_format, keepdims, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Compute the means over the steps of the mask."""
        if mask is None:
            return super().call(inputs)
        axis = self._inner_axes[0]
        weights = expand_dims(cast(mask, inputs.dtype), 1 if self._channels_first else 2)
        total = reduce_sum(inputs * weights, axis, keepdims=self.keepdims)
        return total / reduce_sum(weights, axis, keepdims=self.keepdims)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return None: the steps are gone."""
        return None


class GlobalAveragePooling2D(_GlobalMean):
    """Layer that keeps the mean of each channel of an image; ``keepdims`` keeps the axes."""

    rank = 2


class GlobalAveragePooling3D(_GlobalMean):
    """Layer that keeps the mean of each channel of a volume; ``keepdims`` keeps the axes."""

    rank = 3


MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalMaxPool1D, GlobalAvgPool1D = GlobalMaxPooling1D, GlobalAveragePooling1D
GlobalMaxPool2D, GlobalAvgPool2D = GlobalMaxPooling2D, GlobalAveragePooling2D
GlobalMaxPool3D, GlobalAvgPool3D = GlobalMaxPooling3D, GlobalAveragePooling3D
