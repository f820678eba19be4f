"""Layers that make training harder: dropout and noise, and losses of activities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runtime.keras import regularizers
from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.nn.activations_losses import dropout
from runtime.ops.random.sampling import normal, uniform

__all__ = [
    "ActivityRegularization", "AlphaDropout", "Dropout", "GaussianDropout", "GaussianNoise",
    "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D",
]  # fmt: skip


def _rate(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(
            f"Invalid value received for argument `rate`. Expected a float value between 0 and 1. "
            f"Received: rate={value}"
        )
    return float(value)


class Dropout(Layer):
    """Layer that sets a share of its inputs to zero while training, and scales up the others.

    ``noise_shape`` has 1 along axes whose elements are dropped together, None for the size itself.
    ValueError for a rate that is no number from 0 to 1.
    """

    _is_stateless = True

    def __init__(
        self, rate: float, noise_shape: Sequence[int | None] | None = None,
        seed: int | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.rate = _rate(rate)
        if noise_shape is not None and not isinstance(noise_shape, list | tuple):
            raise ValueError(
                "Invalid value received for argument `noise_shape`. Expected a tuple or list of "
                f"integers. Received: noise_shape={noise_shape!r}"
            )
        sizes = [n for n in noise_shape or () if n is not None]
        if any(type(n) is not int for n in sizes):
            raise ValueError(
                "Invalid value received for argument `noise_shape`. Expected all elements to be "
                f"integers or None. Received: noise_shape={noise_shape!r}"
            )
        if any(n < 1 for n in sizes):
            raise ValueError(
                "Invalid value received for argument `noise_shape`. Expected all dimensions to be "
                f"positive integers or None. Received: noise_shape={noise_shape!r}"
            )
        self.noise_shape = None if noise_shape is None else tuple(noise_shape)
        if isinstance(seed, str | float):
            raise ValueError(f"Argument `seed` must be an integer. Received: seed={seed}")
        self.seed = seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Drop inputs, if it is training."""
        if not training or not self.rate:
            return inputs
        if self.rate == 1:
            return inputs * 0
        return dropout(inputs, self.rate, noise_shape=self._noise_shape(inputs), seed=self.seed)

    def _noise_shape(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return None
        sizes = shape_of(inputs)
        return [sizes[axis] if n is None else n for axis, n in enumerate(self.noise_shape)]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {**super().get_config(), "rate": self.rate, "seed": self.seed}
        return {**config, "noise_shape": self.noise_shape}


class _SpatialDropout(Dropout):
    """Base of dropout of whole channels."""

    rank = 0

    def __init__(
        self, rate: float, data_format: str | None = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        from runtime.keras.layers.reshaping import data_format_of

        super().__init__(rate, seed=seed, **kwargs)
        self.data_format = data_format_of(data_format, type(self).__name__)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _noise_shape(self, inputs: Any) -> Any:
        sizes = shape_of(inputs)
        if self.data_format == "channels_first" and self.rank > 1:
            return [sizes[0], sizes[1], *[1] * self.rank]
        return [sizes[0], *[1] * self.rank, sizes[-1]]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = Layer.get_config(self) | {"rate": self.rate, "seed": self.seed}
        del config["trainable"]  # which Keras' class does not take
        return config if self.rank == 1 else {**config, "data_format": self.data_format}


class SpatialDropout1D(_SpatialDropout):
    """Dropout of whole channels of sequences."""

    rank = 1

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(rate, None, seed, **kwargs)


class SpatialDropout2D(_SpatialDropout):
    """Dropout of whole channels of images."""

    rank = 2


class SpatialDropout3D(_SpatialDropout):
    """Dropout of whole channels of volumes."""

    rank = 3


class GaussianNoise(Layer):
    """Layer that adds normally distributed numbers while training."""

    _is_stateless = True

    def __init__(self, stddev: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not 0 <= stddev <= 1:
            raise ValueError(
                f"Invalid value received for argument `stddev`. Expected a float value between 0 "
                f"and 1. Received: stddev={stddev}"
            )
        self.stddev = stddev
        self.seed = seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Add noise, if it is training."""
        if not training or not self.stddev:
            return inputs
        noise = normal(shape_of(inputs), 0.0, self.stddev, inputs.dtype, seed=self.seed)
        return inputs + noise

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "stddev": self.stddev, "seed": self.seed}


class GaussianDropout(Dropout):
    """Layer that multiplies by normally distributed numbers around one while training.

    Their variance is ``rate / (1 - rate)``.  Source: Srivastava et al., Dropout, 2014, section 10.
    """

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(rate, seed=seed, **kwargs)

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Multiply by noise, if it is training."""
        if not training or not self.rate:
            return inputs
        deviation = math.sqrt(self.rate / (1.0 - self.rate))
        return inputs * normal(shape_of(inputs), 1.0, deviation, inputs.dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return Layer.get_config(self) | {"rate": self.rate, "seed": self.seed}


class AlphaDropout(Dropout):
    """Dropout that keeps mean and variance of inputs which SELU made.

    Source: Klambauer et al., Self-Normalizing Neural Networks, 2017.
    """

    _ALPHA = 1.6732632423543772848170429916717
    _SCALE = 1.0507009873554804934193349852946

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Drop inputs, if it is training."""
        if not training or not self.rate:
            return inputs
        low = -self._ALPHA * self._SCALE
        sizes = shape_of(inputs) if self.noise_shape is None else self._noise_shape(inputs)
        noise = uniform(sizes, dtype=inputs.dtype, seed=self.seed)
        keeps = cast(noise >= self.rate, inputs.dtype)
        a = 1.0 / math.sqrt((1.0 - self.rate) * (1.0 + self.rate * low**2))
        return a * (inputs * keeps + low * (1 - keeps)) - a * low * self.rate


class ActivityRegularization(Layer):
    """Layer that adds ``l1 * sum(abs(x)) + l2 * sum(x * x)`` to the losses."""

    _is_stateless = True

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.l1 = l1
        self.l2 = l2
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        config.pop("activity_regularizer", None)
        return {**config, "l1": self.l1, "l2": self.l2}
