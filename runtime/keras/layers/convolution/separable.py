"""Convolutions of each channel by itself: ``DepthwiseConv1D``, ``SeparableConv2D`` ..."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.convolution.kernels import Convolving
from runtime.keras.layers.convolution.windows import window_sizes
from runtime.keras.layers.dense import positive_int
from runtime.ops.array.shape import reshape
from runtime.ops.nn.convolution_api import convolution

__all__ = [
    "DepthwiseConv1D", "DepthwiseConv2D", "SeparableConv1D", "SeparableConv2D",
    "SeparableConvolution1D", "SeparableConvolution2D",
]  # fmt: skip


class _ByChannel(Convolving):
    """Base of layers that convolve each channel with ``depth_multiplier`` kernels of its own."""

    depth_multiplier: int

    def _inner_shape(self, shape: Any, channels: int | None) -> Any:
        inner = window_sizes(
            self._inner(shape), self.kernel_size, self.strides, self.padding, self.dilation_rate
        )
        return self._around(shape, inner, channels)

    def _by_channel(self, inputs: Any, kernel: Any) -> Any:
        """Convolve; the kernel has the shape (sizes ..., channels, multiplier)."""
        padded, padding = self._padded(inputs)
        *sizes, channels, multiplier = kernel.shape.as_list()
        filters = reshape(kernel, [*sizes, 1, channels * multiplier])
        return convolution(
            padded, filters, list(self.strides), padding, self._layout, list(self.dilation_rate)
        )

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "depth_multiplier": self.depth_multiplier}


class _Depthwise(_ByChannel):
    weight_names = ("depthwise", "bias")

    def __init__(
        self, kernel_size: Any, strides: Any = 1, padding: str = "valid", depth_multiplier: int = 1,
        data_format: str | None = None, dilation_rate: Any = 1, activation: Any = None,
        use_bias: bool = True, depthwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", depthwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        kind = type(self).__name__
        self.depth_multiplier = positive_int(depth_multiplier, "depth_multiplier", kind)
        self._set_windows(kernel_size, strides, padding, data_format, dilation_rate)
        self._set_outputs(
            activation, use_bias, depthwise_initializer=depthwise_initializer,
            bias_initializer=bias_initializer, depthwise_regularizer=depthwise_regularizer,
            bias_regularizer=bias_regularizer, depthwise_constraint=depthwise_constraint,
            bias_constraint=bias_constraint,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Make ``kernel``, of shape (sizes ..., channels, multiplier), and ``bias``."""
        channels = self._channels_of(input_shape)
        self.compute_output_shape(input_shape)
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.kernel = self._add("kernel", shape, "depthwise")
        self._add_bias(channels * self.depth_multiplier)

    def call(self, inputs: Any) -> Any:
        """Convolve each channel, add the bias and apply the activation."""
        return self._finished(self._by_channel(inputs, self.kernel))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        channels = input_shape[self._channel_axis]
        return self._inner_shape(
            input_shape, None if channels is None else channels * self.depth_multiplier
        )


class _Separable(_ByChannel):
    weight_names = ("depthwise", "pointwise", "bias")

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1, depth_multiplier: int = 1,
        activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        kind = type(self).__name__
        self.filters = positive_int(filters, "filters", kind)
        self.depth_multiplier = positive_int(depth_multiplier, "depth_multiplier", kind)
        self._set_windows(kernel_size, strides, padding, data_format, dilation_rate)
        self._set_outputs(
            activation, use_bias, depthwise_initializer=depthwise_initializer,
            pointwise_initializer=pointwise_initializer, bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer, bias_regularizer=bias_regularizer,
            pointwise_regularizer=pointwise_regularizer, bias_constraint=bias_constraint,
            depthwise_constraint=depthwise_constraint, pointwise_constraint=pointwise_constraint,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Make ``depthwise_kernel``, ``pointwise_kernel`` and ``bias``."""
        channels = self._channels_of(input_shape)
        self.compute_output_shape(input_shape)
        self.depthwise_kernel = self._add(
            "depthwise_kernel", (*self.kernel_size, channels, self.depth_multiplier), "depthwise"
        )
        ones = (1,) * self.rank
        self.pointwise_kernel = self._add(
            "pointwise_kernel", (*ones, channels * self.depth_multiplier, self.filters), "pointwise"
        )
        self._add_bias(self.filters)

    def call(self, inputs: Any) -> Any:
        """Convolve each channel, mix the channels, add the bias and apply the activation."""
        outputs = self._by_channel(inputs, self.depthwise_kernel)
        return self._finished(
            convolution(outputs, self.pointwise_kernel, 1, "VALID", self._layout)
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return self._inner_shape(input_shape, self.filters)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "filters": self.filters}


class DepthwiseConv1D(_Depthwise):
    """Convolution of each channel of sequences with ``depth_multiplier`` kernels of its own.

    Other arguments as of ``Conv1D``; those of the kernel begin with 'depthwise'.
    """

    rank = 1


class DepthwiseConv2D(_Depthwise):
    """Convolution of each channel of images with kernels of its own, as ``DepthwiseConv1D``."""

    rank = 2


class SeparableConv1D(_Separable):
    """Depthwise convolution of sequences, then one that mixes the channels of each step.

    Arguments as of ``Conv1D`` and ``DepthwiseConv1D``; those of the second kernel begin with
    'pointwise'.
    """

    rank = 1
    paddings = ("valid", "same", "causal")


class SeparableConv2D(_Separable):
    """Depthwise convolution of images, then one that mixes the channels of each pixel."""

    rank = 2


SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
