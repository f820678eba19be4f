"""``runtime.layers``: TensorFlow 1's layers, whose weights are variables of variable scopes."""

from runtime.compat.v1.layers.classes import *
from runtime.compat.v1.layers.functions import *

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

__all__ = [
    "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "BatchNormalization", "Conv1D",
    "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Dense", "Dropout", "Flatten",
    "InputSpec", "Layer", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "SeparableConv1D",
    "SeparableConv2D", "average_pooling1d", "average_pooling2d", "average_pooling3d",
    "batch_normalization", "conv1d", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose",
    "dense", "dropout", "flatten", "max_pooling1d", "max_pooling2d", "max_pooling3d",
    "separable_conv1d", "separable_conv2d",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
