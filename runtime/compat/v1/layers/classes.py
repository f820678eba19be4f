"""TensorFlow 1's layers as classes: Keras' with its defaults, and weights of variable scopes."""

from __future__ import annotations

from typing import Any

from runtime.compat.v1.layers.scoped import Layer, by_name
from runtime.graph.operation import SymbolicTensor
from runtime.keras.layers.base.input_spec import InputSpec as InputSpec
from runtime.keras.layers.convolution import convolution, pooling, separable, transposed
from runtime.keras.layers.dense import Dense as _Dense
from runtime.keras.layers.normalization.batch import BatchNormalization as _BatchNormalization
from runtime.keras.layers.regularization import Dropout as _Dropout
from runtime.keras.layers.reshaping import Flatten as _Flatten
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import shape, size
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import maximum

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "BatchNormalization", "Conv1D",
    "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Dense", "Dropout", "Flatten",
    "InputSpec", "Layer", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "SeparableConv1D",
    "SeparableConv2D",
]  # fmt: skip


_WEIGHTS = (
    "kernel_initializer bias_initializer kernel_regularizer bias_regularizer activity_regularizer "
    "kernel_constraint bias_constraint trainable"
)
_WINDOWS = "filters kernel_size strides padding data_format"
_POOLING = "pool_size strides padding data_format"
_SEPARABLE = (
    f"{_WINDOWS} dilation_rate depth_multiplier activation use_bias depthwise_initializer "
    "pointwise_initializer bias_initializer depthwise_regularizer pointwise_regularizer "
    "bias_regularizer activity_regularizer depthwise_constraint pointwise_constraint "
    "bias_constraint trainable"
)


class Dense(Layer, _Dense):
    """``activation(inputs @ kernel + bias)`` over the last axis; arguments as of Keras' layer."""

    parameters = f"units activation use_bias {_WEIGHTS}"
    open_initializers = ("kernel_initializer",)


class _ScopedConvolution(Layer):
    parameters = f"{_WINDOWS} dilation_rate activation use_bias {_WEIGHTS}"
    open_initializers = ("kernel_initializer",)


class _ScopedTransposed(Layer):
    parameters = f"{_WINDOWS} activation use_bias {_WEIGHTS}"
    open_initializers = ("kernel_initializer",)


class _ScopedSeparable(Layer):
    parameters = _SEPARABLE
    open_initializers = ("depthwise_initializer", "pointwise_initializer")


class _ScopedPooling(Layer):
    parameters = _POOLING

    def __init__(self, pool_size: Any, strides: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(pool_size, strides, *args, **kwargs)


class Conv1D(_ScopedConvolution, convolution.Conv1D):
    """Convolution of sequences; arguments as of Keras' layer."""


class Conv2D(_ScopedConvolution, convolution.Conv2D):
    """Convolution of images; arguments as of Keras' layer."""


class Conv3D(_ScopedConvolution, convolution.Conv3D):
    """Convolution of volumes; arguments as of Keras' layer."""


class Conv2DTranspose(_ScopedTransposed, transposed.Conv2DTranspose):
    """Transposed convolution of images; arguments as of Keras' layer."""


class Conv3DTranspose(_ScopedTransposed, transposed.Conv3DTranspose):
    """Transposed convolution of volumes; arguments as of Keras' layer."""


class SeparableConv1D(_ScopedSeparable, separable.SeparableConv1D):
    """Convolution of sequences, channel by channel and then of channels."""


class SeparableConv2D(_ScopedSeparable, separable.SeparableConv2D):
    """Convolution of images, channel by channel and then of channels."""


class MaxPooling1D(_ScopedPooling, pooling.MaxPooling1D):
    """Greatest elements of windows of sequences."""


class MaxPooling2D(_ScopedPooling, pooling.MaxPooling2D):
    """Greatest elements of windows of images."""


class MaxPooling3D(_ScopedPooling, pooling.MaxPooling3D):
    """Greatest elements of windows of volumes."""


class AveragePooling1D(_ScopedPooling, pooling.AveragePooling1D):
    """Means of windows of sequences."""


class AveragePooling2D(_ScopedPooling, pooling.AveragePooling2D):
    """Means of windows of images."""


class AveragePooling3D(_ScopedPooling, pooling.AveragePooling3D):
    """Means of windows of volumes."""


class Flatten(Layer, _Flatten):
    """Rows of all elements of each sample."""

    parameters = "data_format"


class Dropout(Layer, _Dropout):
    """Zeros at random while ``training``, which may be a tensor; False by default."""

    parameters = "rate noise_shape seed"

    def __init__(self, rate: float = 0.5, *args: Any, **kwargs: Any) -> None:
        super().__init__(rate, *args, **kwargs)

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Drop inputs, if it is training."""
        if not isinstance(training, SymbolicTensor):
            return super().call(inputs, training=training)
        return where(training, super().call(inputs, training=True), inputs)


class BatchNormalization(Layer, _BatchNormalization):
    """Normalization by the statistics of a batch while ``training``, else by moving averages.

    ``training`` may be a tensor, and is False by default.  In a graph the operations that change
    the averages are in the collection ``GraphKeys.UPDATE_OPS``: run them with a step.

    ValueError for ``virtual_batch_size``, ``adjustment`` and ``renorm``, which are not supported.
    """

    parameters = (
        "axis momentum epsilon center scale beta_initializer gamma_initializer "
        "moving_mean_initializer moving_variance_initializer beta_regularizer gamma_regularizer "
        "beta_constraint gamma_constraint renorm renorm_clipping renorm_momentum fused trainable "
        "virtual_batch_size adjustment"
    )

    def __init__(
        self, *args: Any, fused: bool | None = None, virtual_batch_size: int | None = None,
        adjustment: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if virtual_batch_size is not None or adjustment is not None:
            raise ValueError("virtual_batch_size and adjustment are not supported")
        kwargs = by_name("BatchNormalization", self.parameters.split()[:16], args, kwargs)
        if kwargs.get("renorm"):
            raise ValueError("batch renormalization is not supported here: renorm must be False")
        super().__init__(**kwargs)
        self.fused = fused

    def call(self, inputs: Any, training: Any = False, mask: Any = None) -> Any:
        """Normalize."""
        return super().call(inputs, training=training, mask=mask)

    def _follow(self, statistics: tuple[Any, Any], training: Any, inputs: Any) -> None:
        """Move the averages; of images towards the unbiased variance, as TensorFlow's fused op."""
        mean, variance = statistics
        if self.fused is not False and inputs.shape.rank == 4:
            count = cast(size(inputs) // shape(inputs)[self.axis], variance.dtype)
            variance = variance * (count / maximum(count - 1.0, 1.0))
        super()._follow((mean, variance), training, inputs)
