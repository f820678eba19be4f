"""Types of the names of ``runtime.layers``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.compat.v1.layers.classes import AveragePooling1D as AveragePooling1D
from runtime.compat.v1.layers.classes import AveragePooling2D as AveragePooling2D
from runtime.compat.v1.layers.classes import AveragePooling3D as AveragePooling3D
from runtime.compat.v1.layers.classes import BatchNormalization as BatchNormalization
from runtime.compat.v1.layers.classes import Conv1D as Conv1D
from runtime.compat.v1.layers.classes import Conv2D as Conv2D
from runtime.compat.v1.layers.classes import Conv2DTranspose as Conv2DTranspose
from runtime.compat.v1.layers.classes import Conv3D as Conv3D
from runtime.compat.v1.layers.classes import Conv3DTranspose as Conv3DTranspose
from runtime.compat.v1.layers.classes import Dense as Dense
from runtime.compat.v1.layers.classes import Dropout as Dropout
from runtime.compat.v1.layers.classes import Flatten as Flatten
from runtime.compat.v1.layers.classes import MaxPooling1D as MaxPooling1D
from runtime.compat.v1.layers.classes import MaxPooling2D as MaxPooling2D
from runtime.compat.v1.layers.classes import MaxPooling3D as MaxPooling3D
from runtime.compat.v1.layers.classes import SeparableConv1D as SeparableConv1D
from runtime.compat.v1.layers.classes import SeparableConv2D as SeparableConv2D
from runtime.compat.v1.layers.scoped import Layer as Layer
from runtime.eager.tensor import Tensor
from runtime.keras.layers.base.input_spec import InputSpec as InputSpec
from typing import Any

def average_pooling1d(inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: Any = None, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer AveragePooling1D, and call it.

    Args:
        inputs: tensor.
        pool_size, strides, padding, data_format, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def average_pooling2d(inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: Any = None, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer AveragePooling2D, and call it.

    Args:
        inputs: tensor.
        pool_size, strides, padding, data_format, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def average_pooling3d(inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: Any = None, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer AveragePooling3D, and call it.

    Args:
        inputs: tensor.
        pool_size, strides, padding, data_format, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def batch_normalization(inputs: Any, axis: Any = -1, momentum: Any = 0.99, epsilon: Any = 0.001, center: Any = True, scale: Any = True, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones', moving_mean_initializer: Any = 'zeros', moving_variance_initializer: Any = 'ones', beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None, gamma_constraint: Any = None, training: Any = False, trainable: Any = True, name: Any = None, reuse: Any = None, renorm: Any = False, renorm_clipping: Any = None, renorm_momentum: Any = 0.99, fused: Any = None, virtual_batch_size: Any = None, adjustment: Any = None) -> Tensor:
    """Make a layer BatchNormalization, and call it.

    Args:
        inputs: tensor.
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint, training, trainable, name, reuse, renorm, renorm_clipping, renorm_momentum, fused, virtual_batch_size, adjustment: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def conv1d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None, dilation_rate: Any = 1, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer Conv1D, and call it.

    Args:
        inputs: tensor.
        filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def conv2d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None, dilation_rate: Any = 1, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer Conv2D, and call it.

    Args:
        inputs: tensor.
        filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def conv2d_transpose(inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer Conv2DTranspose, and call it.

    Args:
        inputs: tensor.
        filters, kernel_size, strides, padding, data_format, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def conv3d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None, dilation_rate: Any = 1, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer Conv3D, and call it.

    Args:
        inputs: tensor.
        filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def conv3d_transpose(inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer Conv3DTranspose, and call it.

    Args:
        inputs: tensor.
        filters, kernel_size, strides, padding, data_format, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def dense(inputs: Any, units: Any, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = None, bias_initializer: Any = 'zeros', kernel_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer Dense, and call it.

    Args:
        inputs: tensor.
        units, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def dropout(inputs: Any, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None, training: Any = False, name: Any = None) -> Tensor:
    """Make a layer Dropout, and call it.

    Args:
        inputs: tensor.
        rate, noise_shape, seed, training, name: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def flatten(inputs: Any, name: Any = None, data_format: Any = None) -> Tensor:
    """Make a layer Flatten, and call it.

    Args:
        inputs: tensor.
        name, data_format: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def max_pooling1d(inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: Any = None, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer MaxPooling1D, and call it.

    Args:
        inputs: tensor.
        pool_size, strides, padding, data_format, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def max_pooling2d(inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: Any = None, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer MaxPooling2D, and call it.

    Args:
        inputs: tensor.
        pool_size, strides, padding, data_format, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def max_pooling3d(inputs: Any, pool_size: Any, strides: Any, padding: Any = 'valid', data_format: Any = None, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer MaxPooling3D, and call it.

    Args:
        inputs: tensor.
        pool_size, strides, padding, data_format, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def separable_conv1d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None, dilation_rate: Any = 1, depth_multiplier: Any = 1, activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = None, pointwise_initializer: Any = None, bias_initializer: Any = 'zeros', depthwise_regularizer: Any = None, pointwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, depthwise_constraint: Any = None, pointwise_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer SeparableConv1D, and call it.

    Args:
        inputs: tensor.
        filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation, use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer, pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
def separable_conv2d(inputs: Any, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None, dilation_rate: Any = 1, depth_multiplier: Any = 1, activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = None, pointwise_initializer: Any = None, bias_initializer: Any = 'zeros', depthwise_regularizer: Any = None, pointwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None, depthwise_constraint: Any = None, pointwise_constraint: Any = None, bias_constraint: Any = None, trainable: Any = True, name: Any = None, reuse: Any = None) -> Tensor:
    """Make a layer SeparableConv2D, and call it.

    Args:
        inputs: tensor.
        filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation, use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer, pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint, bias_constraint, trainable, name, reuse: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
