"""TensorFlow 1's layers as functions: each call makes a layer, and calls it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from runtime.compat.v1.layers import classes
from runtime.compat.v1.layers.scoped import Layer, by_name

__all__ = [
    "average_pooling1d", "average_pooling2d", "average_pooling3d", "batch_normalization", "conv1d",
    "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "dense", "dropout", "flatten",
    "max_pooling1d", "max_pooling2d", "max_pooling3d", "separable_conv1d", "separable_conv2d",
]  # fmt: skip

_OF_CALLS = ("training",)


def _function(name: str, kind: type[Layer], arguments: str | None = None) -> Callable[..., Any]:
    """Return a function that makes a layer of a class and calls it."""
    names = ["inputs", *(arguments or f"{kind.parameters} name reuse").split()]

    def layer_function(*args: Any, **kwargs: Any) -> Any:
        arguments_by_name = by_name(name, names, args, kwargs)
        for key in arguments_by_name:
            if key not in names:
                raise TypeError(f"{name}() got an unexpected keyword argument {key!r}")
        if "inputs" not in arguments_by_name:
            raise TypeError(f"{name}() missing 1 required positional argument: 'inputs'")
        inputs, label = arguments_by_name.pop("inputs"), arguments_by_name.pop("name", None)
        called = {key: arguments_by_name.pop(key) for key in _OF_CALLS if key in arguments_by_name}
        layer = kind(
            name=label,
            _scope=label,
            _reuse=arguments_by_name.pop("reuse", None),
            **arguments_by_name,
        )
        return layer(inputs, **called)

    layer_function.__signature__ = _signature(kind, names)  # type: ignore[attr-defined]
    layer_function.__name__ = layer_function.__qualname__ = name
    layer_function.__doc__ = f"""Make a layer {kind.__name__}, and call it.

    Args:
        inputs: tensor.
        {", ".join(names[1:])}: as of the layer, in this order; ``reuse`` says whether the weights
            of an earlier layer of that name are taken.
    Returns:
        Tensor.
    Raises:
        TypeError: for other arguments.
        ValueError: the weights are there, or are not, in contradiction to ``reuse``; and as the
            layer.
    """
    return layer_function


def _signature(kind: type[Layer], names: list[str]) -> inspect.Signature:
    """Return the signature of a function, with the defaults of Keras' layer."""
    defaults: dict[str, Any] = {"training": False}
    for base in reversed(kind.__mro__):
        for parameter in inspect.signature(vars(base).get("__init__", object)).parameters.values():
            defaults[parameter.name] = parameter.default
    defaults |= dict.fromkeys(("name", "reuse", *kind.open_initializers))
    return inspect.Signature([
        inspect.Parameter(
            name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=defaults.get(name, inspect._empty),
        )
        for name in names
    ])  # fmt: skip


dense = _function("dense", classes.Dense)
conv1d = _function("conv1d", classes.Conv1D)
conv2d = _function("conv2d", classes.Conv2D)
conv3d = _function("conv3d", classes.Conv3D)
conv2d_transpose = _function("conv2d_transpose", classes.Conv2DTranspose)
conv3d_transpose = _function("conv3d_transpose", classes.Conv3DTranspose)
separable_conv1d = _function("separable_conv1d", classes.SeparableConv1D)
separable_conv2d = _function("separable_conv2d", classes.SeparableConv2D)
max_pooling1d = _function("max_pooling1d", classes.MaxPooling1D)
max_pooling2d = _function("max_pooling2d", classes.MaxPooling2D)
max_pooling3d = _function("max_pooling3d", classes.MaxPooling3D)
average_pooling1d = _function("average_pooling1d", classes.AveragePooling1D)
average_pooling2d = _function("average_pooling2d", classes.AveragePooling2D)
average_pooling3d = _function("average_pooling3d", classes.AveragePooling3D)
dropout = _function("dropout", classes.Dropout, "rate noise_shape seed training name")
flatten = _function("flatten", classes.Flatten, "name data_format")
batch_normalization = _function(
    "batch_normalization", classes.BatchNormalization,
    "axis momentum epsilon center scale beta_initializer gamma_initializer "
    "moving_mean_initializer moving_variance_initializer beta_regularizer gamma_regularizer "
    "beta_constraint gamma_constraint training trainable name reuse renorm renorm_clipping "
    "renorm_momentum fused virtual_batch_size adjustment",
)  # fmt: skip
