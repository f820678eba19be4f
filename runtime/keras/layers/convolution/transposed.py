"""``Conv1DTranspose``, ``Conv2DTranspose`` and ``Conv3DTranspose``."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.convolution.kernels import Convolving
from runtime.keras.layers.convolution.windows import one_an_axis
from runtime.keras.layers.dense import positive_int
from runtime.ops.array.shape import ensure_shape
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.nn.convolution_api import conv_transpose

__all__ = [
    "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose", "Convolution1DTranspose",
    "Convolution2DTranspose", "Convolution3DTranspose",
]  # fmt: skip


class _Transposed(Convolving):
    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        output_padding: Any = None, data_format: str | None = None, dilation_rate: Any = 1,
        activation: Any = None, use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.filters = positive_int(filters, "filters", type(self).__name__)
        self._set_windows(kernel_size, strides, padding, data_format, dilation_rate)
        self.output_padding = None
        if output_padding is not None:
            self.output_padding = one_an_axis(output_padding, self.rank, "output_padding", 0)
            if any(n >= s for n, s in zip(self.output_padding, self.strides, strict=True)):
                raise ValueError(
                    "`output_padding` must be strictly less than `strides`. Received: "
                    f"output_padding={self.output_padding}, strides={self.strides}"
                )
        self._set_outputs(
            activation, use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Make ``kernel``, of shape (sizes ..., filters, channels), and ``bias``."""
        channels = self._channels_of(input_shape)
        self.kernel = self._add("kernel", (*self.kernel_size, self.filters, channels))
        self._add_bias(self.filters)

    def _size(self, size: Any, axis: int) -> Any:
        """Return the size of the output along an inner axis, for one that may be a tensor."""
        step = self.strides[axis]
        span = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
        if self.output_padding is not None:
            same = 2 * (span // 2) if self.padding == "same" else 0
            return (size - 1) * step + span - same + self.output_padding[axis]
        return size * step if self.padding == "same" else size * step + max(span - step, 0)

    def call(self, inputs: Any) -> Any:
        """Compute the transposed convolution, add the bias and apply the activation."""
        static = inputs.shape.as_list()
        sizes: Any = shape_of(inputs) if None in static else None
        input_sizes = [sizes[axis] if n is None else n for axis, n in enumerate(static)]
        inner = [self._size(n, axis) for axis, n in enumerate(self._inner(input_sizes))]
        outputs = conv_transpose(
            inputs, self.kernel, list(self._around_any(input_sizes, inner)), list(self.strides),
            self.padding.upper(), self._layout, list(self.dilation_rate),
        )  # fmt: skip
        return self._finished(ensure_shape(outputs, self.compute_output_shape(static)))

    def _around_any(self, shape: Any, inner: list[Any]) -> list[Any]:
        if self._channels_first:
            return [shape[0], self.filters, *inner]
        return [shape[0], *inner, self.filters]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        inner = self._inner(input_shape)
        output_sizes = [None if n is None else self._size(n, axis) for axis, n in enumerate(inner)]
        return tuple(self._around_any(input_shape, output_sizes))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {**super().get_config(), "filters": self.filters}
        return {**config, "output_padding": self.output_padding}


class Conv1DTranspose(_Transposed):
    """Transposed convolution of sequences: the gradient of ``Conv1D`` as a layer of its own.

    Arguments as of ``Conv1D``, without groups; ``output_padding``, less than the strides, is what
    the output is longer by than the shortest one, and None gives a multiple of the strides.
    """

    rank = 1


class Conv2DTranspose(_Transposed):
    """Transposed convolution of images; arguments as of ``Conv1DTranspose``."""

    rank = 2


class Conv3DTranspose(_Transposed):
    """Transposed convolution of volumes; arguments as of ``Conv1DTranspose``.

    ``output_padding`` comes after ``data_format``.
    """

    rank = 3

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: str | None = None, output_padding: Any = None, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            filters, kernel_size, strides, padding, output_padding, data_format, *args, **kwargs
        )


Convolution1DTranspose, Convolution2DTranspose = Conv1DTranspose, Conv2DTranspose
Convolution3DTranspose = Conv3DTranspose
