"""Activation layers."""

from __future__ import annotations

from typing import Any

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.dense import weight_config
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.where import where
from runtime.ops.math.elementary import exp
from runtime.ops.math.elementwise import maximum, minimum
from runtime.ops.math.reduction import reduce_logsumexp
from runtime.ops.nn.activations_losses import leaky_relu, softmax

__all__ = ["ELU", "Activation", "LeakyReLU", "PReLU", "ReLU", "Softmax"]


class Activation(Layer):
    """Layer that applies a function to its inputs; names such as 'relu' are those of Keras."""

    _is_stateless = True

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Apply the function."""
        return self.activation(inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "activation": activations.serialize(self.activation)}


class _Elementwise(Layer):
    """Base of layers that treat each element alone."""

    _is_stateless = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape


class ReLU(_Elementwise):
    """``max(x, 0)``, with an upper limit, a slope below a threshold, or both.

    ValueError for negative arguments.
    """

    def __init__(
        self, max_value: float | None = None, negative_slope: float = 0.0, threshold: float = 0.0,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        for name, value in (
            ("max_value", max_value), ("negative_slope", negative_slope), ("threshold", threshold),
        ):  # fmt: skip
            if value is None and name != "max_value" or value is not None and value < 0:
                none = "" if name == "max_value" else "None or "
                raise ValueError(
                    f"{name} of a ReLU layer cannot be {none}a negative value. Received: {value}"
                )
        self.max_value = max_value
        self.negative_slope = negative_slope
        self.threshold = threshold

    def call(self, inputs: Any) -> Any:
        """Apply the function."""
        return activations.relu(
            inputs, negative_slope=self.negative_slope, max_value=self.max_value,
            threshold=self.threshold,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "max_value": self.max_value,
            "negative_slope": self.negative_slope, "threshold": self.threshold,
        }  # fmt: skip


class LeakyReLU(_Elementwise):
    """``x``, and ``negative_slope * x`` below zero."""

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any) -> None:
        negative_slope = kwargs.pop("alpha", negative_slope)
        super().__init__(**kwargs)
        if negative_slope is None or negative_slope < 0:
            raise ValueError(
                "The negative_slope value of a Leaky ReLU layer cannot be None or a negative "
                f"value. Expected a float. Received: negative_slope={negative_slope}"
            )
        self.negative_slope = negative_slope

    def call(self, inputs: Any) -> Any:
        """Apply the function."""
        return leaky_relu(inputs, self.negative_slope)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "negative_slope": self.negative_slope}


class PReLU(_Elementwise):
    """``x``, and ``alpha * x`` below zero, where ``alpha`` is a weight.

    ``shared_axes`` are the axes, counted from 1, along which one element of it serves all.
    """

    def __init__(
        self, alpha_initializer: Any = "Zeros", alpha_regularizer: Any = None,
        alpha_constraint: Any = None, shared_axes: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        self.shared_axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes

    def build(self, input_shape: Any) -> None:
        """Make ``alpha``."""
        sizes = list(input_shape[1:])
        for axis in self.shared_axes or ():
            sizes[axis - 1] = 1
        self.alpha = self.add_weight(
            sizes, self.alpha_initializer, name="alpha", regularizer=self.alpha_regularizer,
            constraint=self.alpha_constraint,
        )  # fmt: skip
        fixed = {n: size for n, size in enumerate(input_shape) if n and sizes[n - 1] != 1}
        self.input_spec = InputSpec(ndim=len(input_shape), axes=fixed)

    def call(self, inputs: Any) -> Any:
        """Apply the function."""
        return maximum(inputs, 0) + self.alpha * minimum(inputs, 0)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        shared = {"shared_axes": self.shared_axes}
        return {**super().get_config(), **shared, **weight_config(self, ("alpha",))}


class ELU(_Elementwise):
    """``x``, and ``alpha * (exp(x) - 1)`` below zero."""

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.alpha = alpha

    def call(self, inputs: Any) -> Any:
        """Apply the function."""
        return activations.elu(inputs, alpha=self.alpha)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "alpha": self.alpha}


class Softmax(_Elementwise):
    """``exp(x)`` divided by its sum along an axis, or several; a mask says what counts."""

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Apply the function."""
        if mask is not None:
            if (mask.shape.rank or 0) > (inputs.shape.rank or 0):
                raise ValueError(
                    "the mask of Softmax must not have more dimensions than its inputs. Received: "
                    f"inputs.shape={inputs.shape}, mask.shape={mask.shape}"
                )
            sizes = zip(mask.shape[::-1], inputs.shape[::-1], strict=False)
            if any(None not in pair and pair[0] not in (1, pair[1]) for pair in sizes):
                raise ValueError(
                    "the mask of Softmax must be broadcastable to its inputs. Received: "
                    f"inputs.shape={inputs.shape}, mask.shape={mask.shape}"
                )
            mask = mask if mask.dtype.is_bool else mask > 0.5
            least = -3e4 if inputs.dtype.name == "float16" else -1e9
            inputs = where(mask, inputs, cast(least, inputs.dtype))
        axes = self.axis if isinstance(self.axis, list | tuple) else [self.axis]
        if len(axes) > 1:
            outputs = exp(inputs - reduce_logsumexp(inputs, axes, keepdims=True))
        else:
            outputs = softmax(inputs, axes[0])
        # where all elements are masked, their shares would be equal
        return outputs if mask is None else where(mask, outputs, zeros_like(outputs))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "axis": self.axis}
