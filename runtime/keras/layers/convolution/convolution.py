"""``Conv1D``, ``Conv2D`` and ``Conv3D``."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.convolution.kernels import Convolving
from runtime.keras.layers.convolution.windows import window_sizes
from runtime.keras.layers.dense import positive_int
from runtime.ops.nn.convolution_api import convolution

__all__ = ["Conv1D", "Conv2D", "Conv3D", "Convolution1D", "Convolution2D", "Convolution3D"]


class _Convolution(Convolving):
    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, dilation_rate: Any = 1, groups: int = 1,
        activation: Any = None, use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.filters = positive_int(filters, "filters", type(self).__name__)
        if isinstance(groups, int) and groups <= 0:
            raise ValueError(
                f"The number of groups must be a positive integer. Received: groups={groups}."
            )
        self.groups = positive_int(groups, "groups", type(self).__name__)
        if self.filters % self.groups:
            raise ValueError(
                "The number of filters must be evenly divisible by the number of groups. Received: "
                f"groups={groups}, filters={filters}"
            )
        self._set_windows(kernel_size, strides, padding, data_format, dilation_rate)
        self._set_outputs(
            activation, use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Make ``kernel``, of shape (sizes ..., channels / groups, filters), and ``bias``."""
        channels = self._channels_of(input_shape)
        if channels % self.groups:
            raise ValueError(
                "The number of input channels must be evenly divisible by the number of groups. "
                f"Received groups={self.groups}, but the input has {channels} channels (full input "
                f"shape is {tuple(input_shape)})."
            )
        self.compute_output_shape(input_shape)
        self.kernel = self._add(
            "kernel", (*self.kernel_size, channels // self.groups, self.filters)
        )
        self._add_bias(self.filters)

    def call(self, inputs: Any) -> Any:
        """Convolve, add the bias and apply the activation."""
        padded, padding = self._padded(inputs)
        outputs = convolution(
            padded, self.kernel, list(self.strides), padding, self._layout,
            list(self.dilation_rate),
        )  # fmt: skip
        return self._finished(outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        inner = window_sizes(
            self._inner(input_shape), self.kernel_size, self.strides, self.padding,
            self.dilation_rate,
        )  # fmt: skip
        return self._around(input_shape, inner, self.filters)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "filters": self.filters, "groups": self.groups}


class Conv1D(_Convolution):
    """Convolution of sequences, (batch, steps, channels), with ``filters`` kernels.

    Args:
        filters: number of kernels, and of channels of the output.
        kernel_size: size of the kernels, an int.
        strides: distance of the windows.
        padding: 'valid', 'same', or 'causal': outputs do not depend on later steps.
        data_format: 'channels_last' or 'channels_first'.
        dilation_rate: distance of the elements of a window.
        groups: number of parts of the channels, each with kernels of its own.
        activation: activation, or its name.
        use_bias: whether a bias is added.
        kernel_initializer: initializer, or its name; so are the other arguments of weights.
        bias_initializer: initializer of the bias.
        kernel_regularizer: regularizer of the kernel.
        bias_regularizer: regularizer of the bias.
        activity_regularizer: regularizer of the output.
        kernel_constraint: constraint of the kernel.
        bias_constraint: constraint of the bias.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for arguments that are none of these, and for inputs that do not fit.
    """

    rank = 1
    paddings = ("valid", "same", "causal")


class Conv2D(_Convolution):
    """Convolution of images, (batch, height, width, channels); arguments as of ``Conv1D``.

    Sizes, strides and dilations are one int or two; there is no causal padding.
    """

    rank = 2


class Conv3D(_Convolution):
    """Convolution of volumes, (batch, depth, height, width, channels), as ``Conv2D`` does."""

    rank = 3


Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
