"""``Dense``: an affine function of the last axis."""

from __future__ import annotations

from typing import Any

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.base.layer import Layer
from runtime.ops.linalg.products import matmul, tensordot
from runtime.ops.nn.activations_losses import bias_add

__all__ = ["Dense"]


def positive_int(value: Any, name: str, layer: str) -> int:
    """Return an argument of a layer that must be a positive int; ValueError for others."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) <= 0:
        if name in ("filters", "depth_multiplier", "groups"):
            raise ValueError(
                f"Invalid value for argument `{name}`. Expected a strictly positive value. "
                f"Received {name}={value!r}."
            )
        if layer == "Embedding":
            raise ValueError(
                f"`{name}` must be a positive integer. Received: {name}={value!r} (of type "
                f"{type(value).__name__})."
            )
        argument = f"`{name}`" if layer == "Dense" else f"argument `{name}`"
        raise ValueError(
            f"Received an invalid value for {argument}, expected a positive integer. Received: "
            f"{name}={value!r}"
        )
    return int(value)


class Dense(Layer):
    """``activation(inputs @ kernel + bias)`` over the last axis.

    ``kernel`` has the shape (size of the last axis, units), ``bias`` (units,).  ValueError for
    ``units`` that is no positive int, and for inputs whose last size is unknown.
    """

    _takes_floats = True

    def __init__(
        self, units: int, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units = positive_int(units, "units", "Dense")
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.input_spec = InputSpec(min_ndim=2)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` and ``bias``."""
        size = input_shape[-1]
        self.kernel = self.add_weight(
            (size, self.units), self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                (self.units,), self.bias_initializer, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Compute the outputs: the inputs' shape with ``units`` in place of the last size."""
        if inputs.shape.rank == 2:
            outputs = matmul(inputs, self.kernel)
        else:
            outputs = tensordot(inputs, self.kernel, [[-1], [0]])
        if self.bias is not None:
            outputs = bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return (*input_shape[:-1], self.units)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "units": self.units, "use_bias": self.use_bias,
            "activation": activations.serialize(self.activation), **weight_config(self),
        }  # fmt: skip


def weight_config(layer: Any, names: tuple[str, ...] = ("kernel", "bias")) -> dict[str, Any]:
    """Return initializers, regularizers and constraints of the weights of a layer, serialized."""
    config: dict[str, Any] = {}
    for name in names:
        for kind, module in (
            ("initializer", initializers), ("regularizer", regularizers),
            ("constraint", constraints),
        ):  # fmt: skip
            value = getattr(layer, f"{name}_{kind}", None)
            config[f"{name}_{kind}"] = None if value is None else module.serialize(value)
    return config
