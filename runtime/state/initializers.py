"""Initialisers: functions from a shape and a dtype to the initial value of a variable.

``zeros_initializer()(shape, dtype)`` returns a tensor; ``get_variable`` calls them.  The classes
have Keras' names and arguments in ``runtime.keras.initializers``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.ops.array import creation
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.shape import reshape, transpose
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.matrices import qr
from runtime.ops.math.elementwise import sign
from runtime.ops.random import sampling
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import as_dtype, float32
from runtime.types.shapes import TensorShape
from runtime.types.value import Value

__all__ = [
    "constant_initializer", "glorot_normal_initializer", "glorot_uniform_initializer",
    "ones_initializer", "orthogonal_initializer", "random_normal_initializer",
    "random_uniform_initializer", "truncated_normal_initializer",
    "uniform_unit_scaling_initializer", "variance_scaling_initializer", "zeros_initializer",
]  # fmt: skip


class Initializer:
    """Base of initialisers: called with a shape and a dtype, they return a tensor."""

    _config: Mapping[str, Any] = {}

    def __init__(self, **config: Any) -> None:
        self._config = config

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return the initial value; ValueError for a shape with unknown dimensions."""
        target_shape = TensorShape(shape)
        if not target_shape.is_fully_defined():
            raise ValueError(f"an initial value needs a fully known shape, got {target_shape}")
        target_dtype = dtype if dtype is not None else self._config.get("dtype")
        dims = [int(d or 0) for d in target_shape]
        return self.make(dims, as_dtype(float32 if target_dtype is None else target_dtype))

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Make the initial value."""
        raise NotImplementedError

    def uniform(self, shape: list[int], low: Any, high: Any, dtype: DTypeLike) -> Any:
        """Draw uniformly distributed numbers."""
        return sampling.uniform(shape, low, high, dtype, seed=self._config["seed"])

    def normal(self, shape: Sequence[int], mean: Any, stddev: Any, dtype: DTypeLike) -> Any:
        """Draw normally distributed numbers."""
        return sampling.normal(shape, mean, stddev, dtype, seed=self._config["seed"])

    def truncated(self, shape: list[int], mean: Any, stddev: Any, dtype: DTypeLike) -> Any:
        """Draw normally distributed numbers within two standard deviations."""
        return sampling.truncated_normal(shape, mean, stddev, dtype, seed=self._config["seed"])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal initialiser."""
        return dict(self._config)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Make an initialiser from its arguments."""
        return cls(**config)

    def clone(self) -> Any:
        """Make an equal initialiser."""
        return type(self).from_config(self.get_config())

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={v!r}" for k, v in self._config.items())
        return f"{type(self).__name__}({shown})"


class zeros_initializer(Initializer):
    """Initialiser with zeros; False, or empty strings."""

    def __init__(self, dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Zeros."""
        return creation.zeros(shape, dtype)


class ones_initializer(Initializer):
    """Initialiser with ones; True."""

    def __init__(self, dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Ones."""
        return creation.ones(shape, dtype)


class constant_initializer(Initializer):
    """Initialiser with one value, or with the values of a list or array of as many elements.

    TypeError for anything else.
    """

    def __init__(
        self, value: TensorLike = 0, dtype: DTypeLike | None = None, verify_shape: bool = False,
        support_partition: bool = False,
    ) -> None:
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray | Value)):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}. Expected a Python "
                "scalar, a list or tuple of values, or a numpy.ndarray."
            )
        super().__init__(value=value, dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Make the value in a shape; TypeError if it has another number of elements."""
        return constant(self._config["value"], dtype, shape)


class random_uniform_initializer(Initializer):
    """Initialiser with uniformly distributed numbers between ``minval`` and ``maxval``."""

    def __init__(self, minval: TensorLike = -0.05, maxval: TensorLike = 0.05,
                 seed: int | None = None, dtype: DTypeLike | None = None) -> None:  # fmt: skip
        super().__init__(minval=minval, maxval=maxval, seed=seed, dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Random numbers."""
        c = self._config
        return self.uniform(shape, c["minval"], c["maxval"], dtype)


class random_normal_initializer(Initializer):
    """Initialiser with normally distributed numbers."""

    def __init__(self, mean: TensorLike = 0.0, stddev: TensorLike = 0.05, seed: int | None = None,
                 dtype: DTypeLike | None = None) -> None:  # fmt: skip
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Random numbers."""
        c = self._config
        return self.normal(shape, c["mean"], c["stddev"], dtype)


class truncated_normal_initializer(Initializer):
    """Initialiser with normally distributed numbers within two standard deviations of the mean."""

    def __init__(self, mean: TensorLike = 0.0, stddev: TensorLike = 1.0, seed: int | None = None,
                 dtype: DTypeLike | None = None) -> None:  # fmt: skip
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Random numbers."""
        c = self._config
        return self.truncated(shape, c["mean"], c["stddev"], dtype)


def _fans(shape: Sequence[int]) -> tuple[int, int]:
    """Return the numbers of inputs and outputs per unit of a layer with weights of a shape."""
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


class variance_scaling_initializer(Initializer):
    """Initialiser with random numbers of the variance ``scale / n``, n the size of a layer.

    ``mode`` ('fan_in', 'fan_out' or 'fan_avg') selects n; ``distribution`` is 'truncated_normal'
    (or
    'normal'), 'untruncated_normal' or 'uniform'.  ValueError for others, and unless scale > 0.
    """

    _MODES = ("fan_in", "fan_out", "fan_avg")
    _DISTRIBUTIONS: tuple[str, ...] = (
        "normal", "uniform", "truncated_normal", "untruncated_normal",
    )  # fmt: skip

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal",
        seed: int | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        if scale <= 0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}.")
        for what, value, allowed in (
            ("mode", mode, self._MODES), ("distribution", distribution, self._DISTRIBUTIONS),
        ):  # fmt: skip
            if value not in allowed:
                raise ValueError(f"Invalid `{what}` argument: {value!r}; it must be in {allowed}")
        super().__init__(
            scale=scale, mode=mode, distribution=distribution, seed=seed, dtype=dtype
        )

    def fans(self, shape: list[int]) -> tuple[int, int]:
        """Return the numbers of inputs and outputs per unit."""
        return _fans(shape)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Random numbers."""
        c = self._config
        fan_in, fan_out = self.fans(shape)
        size = {"fan_in": fan_in, "fan_out": fan_out}.get(c["mode"], (fan_in + fan_out) / 2)
        variance = c["scale"] / max(1.0, size)
        if c["distribution"] == "uniform":
            limit = math.sqrt(3 * variance)
            return self.uniform(shape, -limit, limit, dtype)
        if c["distribution"] == "untruncated_normal":
            return self.normal(shape, 0.0, math.sqrt(variance), dtype)
        stddev = math.sqrt(variance) / 0.87962566103423978  # what cutting the tails takes away
        return self.truncated(shape, 0.0, stddev, dtype)


class glorot_uniform_initializer(variance_scaling_initializer):
    """Initialiser with uniform numbers scaled by the inputs and outputs of a layer.

    Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks",
    AISTATS 2010.
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """An initialiser with the same seed and dtype."""
        return cls(config.get("seed"), config.get("dtype"))


class glorot_normal_initializer(variance_scaling_initializer):
    """Initialiser with normal numbers scaled as those of ``glorot_uniform_initializer``."""

    def __init__(self, seed: int | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """An initialiser with the same seed and dtype."""
        return cls(config.get("seed"), config.get("dtype"))


class uniform_unit_scaling_initializer(Initializer):
    """Initialiser with uniform numbers that preserve the scale of a layer's input."""

    def __init__(
        self, factor: float = 1.0, seed: int | None = None, dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(factor=factor, seed=seed, dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Random numbers."""
        limit = math.sqrt(3 / max(1, math.prod(shape[:-1]))) * self._config["factor"]
        return self.uniform(shape, -limit, limit, dtype)


class orthogonal_initializer(Initializer):
    """Initialiser with a random matrix of orthogonal rows, or columns; leading axes are flattened.
    """

    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(gain=gain, seed=seed, dtype=dtype)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Make a random matrix; ValueError for a rank below 2."""
        if len(shape) < 2:
            raise ValueError(
                "The tensor to initialize must be at least two-dimensional. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        tall = (max(rows, columns), min(rows, columns))
        q, r = qr(self.normal(tall, 0.0, 1.0, dtype))
        q = q * sign(diag_part(r))  # makes the distribution uniform
        if rows < columns:
            q = transpose(q)
        return cast(self._config["gain"], dtype) * reshape(q, shape)
