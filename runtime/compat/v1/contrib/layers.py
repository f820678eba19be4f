"""``contrib.layers``: layers of one call, with variables ``weights`` and ``biases`` of a scope.

Initializers and regularizers are here, too.  The functions are those of TensorFlow 1.15 for the
arguments that are named; ``normalizer_fn`` is called in place of the biases.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.compat.v1.layers import functions as plain
from runtime.compat.v1.layers.classes import BatchNormalization
from runtime.compat.v1.variable_scope import get_variable, variable_scope
from runtime.graph.default_collections import add_to_collection
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.creation import one_hot
from runtime.ops.array.gather_scatter import gather
from runtime.ops.linalg.products import tensordot
from runtime.ops.math.elementwise import add_n
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.nn.activations_losses import bias_add, relu, softmax
from runtime.ops.nn.convolution_api import convolution
from runtime.state.initializers import (
    glorot_normal_initializer,
    glorot_uniform_initializer,
    zeros_initializer,
)
from runtime.state.initializers import variance_scaling_initializer as scaling_initializer

__all__ = [
    "apply_regularization", "avg_pool2d", "batch_norm", "bias_add", "conv2d", "convolution2d",
    "dropout", "embed_sequence", "flatten", "fully_connected", "l1_l2_regularizer",
    "l1_regularizer", "l2_regularizer", "linear", "max_pool2d", "one_hot_encoding", "relu_layer",
    "softmax", "stack", "sum_regularizer", "variance_scaling_initializer", "xavier_initializer",
    "xavier_initializer_conv2d",
]  # fmt: skip


def xavier_initializer(
    uniform: bool = True, seed: int | None = None, dtype: Any = "float32"
) -> Any:
    """Return the initializer of Glorot and Bengio (2010), uniform or normal."""
    cls = glorot_uniform_initializer if uniform else glorot_normal_initializer
    return cls(seed=seed, dtype=dtype)


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: int | None = None,
    dtype: Any = "float32",
) -> Any:  # fmt: skip
    """Return an initializer whose variance is ``factor`` by the number of inputs or outputs.

    ValueError for a mode other than FAN_IN, FAN_OUT and FAN_AVG.
    """
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise ValueError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    distribution = "uniform" if uniform else "truncated_normal"
    return scaling_initializer(factor, mode.lower(), distribution, seed=seed, dtype=dtype)


def _scale(scale: Any, name: str) -> float:
    if isinstance(scale, int) or not isinstance(scale, float):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if scale < 0.0:
        raise ValueError(f"Setting a scale less than 0 on a regularizer: {name}={scale}")
    return scale


def l1_regularizer(scale: float, scope: str | None = None) -> Callable[[Any], Any]:
    """Return a function of weights: ``scale`` times the sum of their absolute values."""
    factor = _scale(scale, "scale")
    return lambda weights: factor * reduce_sum(abs(weights)) if factor else None


def l2_regularizer(scale: float, scope: str | None = None) -> Callable[[Any], Any]:
    """Return a function of weights: ``scale`` times half the sum of their squares."""
    factor = _scale(scale, "scale")
    return lambda weights: factor * (reduce_sum(weights * weights) / 2.0) if factor else None


def l1_l2_regularizer(
    scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None
) -> Callable[[Any], Any]:
    """Return the sum of both regularizers."""
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)])


def sum_regularizer(regularizer_list: Any, scope: str | None = None) -> Callable[[Any], Any]:
    """Return the sum of regularizers; None among them count nothing."""

    def total(weights: Any) -> Any:
        losses = [function(weights) for function in regularizer_list if function is not None]
        losses = [loss for loss in losses if loss is not None]
        return add_n(losses) if losses else None

    return total


def apply_regularization(regularizer: Any, weights_list: Any = None) -> Any:
    """Return the sum of a regularizer of all weights, and add it to the collection of losses."""
    losses = [regularizer(weights) for weights in weights_list or ()]
    losses = [loss for loss in losses if loss is not None]
    total = add_n(losses) if losses else convert_to_tensor(0.0)
    add_to_collection("regularization_losses", total)
    return total


def _finished(
    outputs: Any, depth: int, activation: Any, normalizer: Any, parameters: Any, start: Any,
    regularizer: Any, trainable: bool,
) -> Any:  # fmt: skip
    """Add biases or call the normalizer, and then the activation."""
    if normalizer is not None:
        outputs = normalizer(outputs, **(parameters or {}))
    elif start is not None:
        biases = get_variable("biases", [depth], outputs.dtype, start, regularizer, trainable)
        outputs = bias_add(outputs, biases)
    return outputs if activation is None else activation(outputs)


def fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Any = relu, normalizer_fn: Any = None,
    normalizer_params: Any = None, weights_initializer: Any = None, weights_regularizer: Any = None,
    biases_initializer: Any = zeros_initializer, biases_regularizer: Any = None,
    reuse: bool | None = None, variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """Multiply the last axis by ``weights``, and add ``biases``.

    Args:
        inputs: tensor whose last size is known.
        num_outputs: size of the last axis of the result.
        activation_fn: function of the result; None for none.
        normalizer_fn: function that is called in place of adding biases.
        normalizer_params: its keyword arguments.
        weights_initializer: by default xavier_initializer().
        weights_regularizer: function of the weights, whose result is a regularization loss.
        biases_initializer: None for no biases.
        biases_regularizer: function of the biases.
        reuse: whether variables that are there are taken.
        variables_collections: without effect.
        outputs_collections: without effect.
        trainable: whether the variables are trained.
        scope: variable scope; ``fully_connected`` by default.
    Returns:
        Tensor with ``num_outputs`` along the last axis.
    Raises:
        ValueError: the last size is not known, or ``num_outputs`` is no int.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of [int], got {type(num_outputs)}.")
    tensor = convert_to_tensor(inputs)
    depth = tensor.shape[-1] if tensor.shape.rank else None
    if depth is None:
        raise ValueError("fully_connected: the last dimension of the inputs must be known")
    with variable_scope(scope, "fully_connected", reuse=reuse):
        start = weights_initializer or xavier_initializer()
        weights = get_variable(
            "weights", [depth, num_outputs], tensor.dtype, start, weights_regularizer, trainable
        )
        outputs = tensordot(tensor, weights, 1)
        return _finished(outputs, num_outputs, activation_fn, normalizer_fn, normalizer_params,
                         biases_initializer, biases_regularizer, trainable)  # fmt: skip


relu_layer = fully_connected


def linear(inputs: Any, num_outputs: int, **kwargs: Any) -> Any:
    """Return ``fully_connected`` without activation."""
    return fully_connected(inputs, num_outputs, **{"activation_fn": None, **kwargs})


def _pair(size: Any) -> list[int]:
    return [size, size] if isinstance(size, int) else list(size)


def conv2d(
    inputs: Any, num_outputs: int, kernel_size: Any, stride: Any = 1, padding: str = "SAME",
    data_format: str | None = None, rate: Any = 1, activation_fn: Any = relu,
    normalizer_fn: Any = None, normalizer_params: Any = None, weights_initializer: Any = None,
    weights_regularizer: Any = None, biases_initializer: Any = zeros_initializer,
    biases_regularizer: Any = None, reuse: bool | None = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """Convolve images with ``weights``, and add ``biases``.

    Args:
        inputs: tensor ``[batch, height, width, channels]``.
        num_outputs: number of channels of the result.
        kernel_size: size of the window, one or two ints.
        stride: step, one or two ints.
        padding: SAME or VALID.
        data_format: NHWC, or None.
        rate: distance of the window's places, one or two ints.
        activation_fn: function of the result; None for none.
        normalizer_fn: function that is called in place of adding biases.
        normalizer_params: its keyword arguments.
        weights_initializer: by default xavier_initializer().
        weights_regularizer: function of the weights, whose result is a regularization loss.
        biases_initializer: None for no biases.
        biases_regularizer: function of the biases.
        reuse: whether variables that are there are taken.
        variables_collections: without effect.
        outputs_collections: without effect.
        trainable: whether the variables are trained.
        scope: variable scope; ``Conv`` by default.
    Returns:
        Tensor ``[batch, height, width, num_outputs]``.
    Raises:
        ValueError: another data_format, or the number of channels is not known.
    """
    if data_format not in (None, "NHWC"):
        raise ValueError(f"conv2d: data_format must be NHWC here, got {data_format!r}")
    tensor = convert_to_tensor(inputs)
    channels = tensor.shape[-1] if tensor.shape.rank else None
    if channels is None:
        raise ValueError("conv2d: the number of channels of the inputs must be known")
    with variable_scope(scope, "Conv", reuse=reuse):
        shape = [*_pair(kernel_size), channels, num_outputs]
        start = weights_initializer or xavier_initializer()
        weights = get_variable(
            "weights", shape, tensor.dtype, start, weights_regularizer, trainable
        )
        outputs = convolution(tensor, weights, _pair(stride), padding, dilations=_pair(rate))
        return _finished(outputs, num_outputs, activation_fn, normalizer_fn, normalizer_params,
                         biases_initializer, biases_regularizer, trainable)  # fmt: skip


convolution2d = conv2d


def max_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID",
    data_format: str = "NHWC", outputs_collections: Any = None, scope: str | None = None,
) -> Any:  # fmt: skip
    """Return the largest numbers of windows of images."""
    _check_layout("max_pool2d", data_format)
    return plain.max_pooling2d(inputs, _pair(kernel_size), _pair(stride), padding, name=scope)


def avg_pool2d(
    inputs: Any, kernel_size: Any, stride: Any = 2, padding: str = "VALID",
    data_format: str = "NHWC", outputs_collections: Any = None, scope: str | None = None,
) -> Any:  # fmt: skip
    """Return the means of windows of images."""
    _check_layout("avg_pool2d", data_format)
    return plain.average_pooling2d(inputs, _pair(kernel_size), _pair(stride), padding, name=scope)


def _check_layout(function: str, data_format: str) -> None:
    if data_format != "NHWC":
        raise ValueError(f"{function}: data_format must be NHWC here, got {data_format!r}")


def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Return each row of a batch as a vector."""
    return plain.flatten(inputs, name=scope)


def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
    outputs_collections: Any = None, scope: str | None = None, seed: int | None = None,
) -> Any:  # fmt: skip
    """Set elements to zero at random while training, and scale up the others."""
    return plain.dropout(inputs, 1.0 - keep_prob, noise_shape, seed, is_training, name=scope)


def batch_norm(
    inputs: Any, decay: float = 0.999, center: bool = True, scale: bool = False,
    epsilon: float = 0.001, activation_fn: Any = None, is_training: Any = True,
    reuse: bool | None = None, trainable: bool = True, scope: Any = None,
) -> Any:  # fmt: skip
    """Normalize by the mean and variance of the batch, or by those that training has averaged.

    The updates of the averages are in the collection ``update_ops``.
    """
    with variable_scope(scope, "BatchNorm", reuse=reuse) as entered:
        layer = BatchNormalization(
            momentum=decay, epsilon=epsilon, center=center, scale=scale, trainable=trainable,
            _scope=entered, _reuse=reuse,
        )  # fmt: skip
        outputs = layer(inputs, training=is_training)
        return outputs if activation_fn is None else activation_fn(outputs)


def one_hot_encoding(
    labels: Any, num_classes: int, on_value: float = 1.0, off_value: float = 0.0,
    outputs_collections: Any = None, scope: str | None = None,
) -> Any:  # fmt: skip
    """Return rows of zeros with a one at the place of the label."""
    return one_hot(labels, num_classes, on_value=on_value, off_value=off_value)


def embed_sequence(
    ids: Any, vocab_size: int | None = None, embed_dim: int | None = None, unique: bool = False,
    initializer: Any = None, regularizer: Any = None, trainable: bool = True, scope: Any = None,
    reuse: bool | None = None,
) -> Any:  # fmt: skip
    """Return the rows of a variable ``embeddings`` for ids.

    ValueError where the variable's sizes are neither given nor those of a reused one.
    """
    if not reuse and (vocab_size is None or embed_dim is None):
        raise ValueError("Must specify vocab size and embedding dimension when not reusing. Got "
                         f"vocab_size={vocab_size} and embed_dim={embed_dim}")  # fmt: skip
    with variable_scope(scope, "EmbedSequence", reuse=reuse):
        shape = [vocab_size, embed_dim] if vocab_size else None
        table = get_variable("embeddings", shape, initializer=initializer, regularizer=regularizer,
                             trainable=trainable)  # fmt: skip
        return gather(table, ids)


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Any, **kwargs: Any) -> Any:
    """Call a layer once for each of its arguments, one after the other, in scopes of their own."""
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Stack"):
        name = getattr(layer, "__name__", "layer")
        for number, arguments in enumerate(stack_args, 1):
            values = arguments if isinstance(arguments, list | tuple) else [arguments]
            inputs = layer(inputs, *values, scope=f"{name}_{number}", **kwargs)
    return inputs


