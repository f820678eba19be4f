"""Initializers with Keras' names: functions from a shape and a dtype to a weight's first value.

The formulas are those of state/initializers.py.  An initializer of Keras gives the same numbers
each time: it draws its seed when it is made, from Python's generator, unless it is given.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.keras.config import floatx
from runtime.keras.identifiers import by_name, identified
from runtime.keras.random import SeedGenerator
from runtime.keras.serialization import deserialize_keras_object, serialize_keras_object
from runtime.ops.array.constants import cast, is_tensor
from runtime.ops.array.creation import eye
from runtime.ops.random import stateless
from runtime.state import initializers
from runtime.state.initializers import Initializer as Initializer
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.annexes import explained as _explained

__all__ = [
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity",
    "IdentityInitializer", "Initializer", "LecunNormal", "LecunUniform", "Ones", "Orthogonal",
    "OrthogonalInitializer", "RandomNormal", "RandomUniform", "TruncatedNormal", "VarianceScaling",
    "Zeros", "constant", "deserialize", "get", "glorot_normal", "glorot_uniform", "he_normal",
    "he_uniform", "identity", "lecun_normal", "lecun_uniform", "ones", "orthogonal",
    "random_normal", "random_uniform", "serialize", "truncated_normal", "variance_scaling", "zeros",
]  # fmt: skip


class _Keras(Initializer):
    """Part of each class below: the dtype is ``floatx`` unless the call says another one."""

    def __call__(self, shape: Any, dtype: DTypeLike | None = None, **kwargs: Any) -> Any:
        """Return the initial value; ValueError for a shape with unknown dimensions."""
        return super().__call__(shape, floatx() if dtype is None else dtype)

    def __getattr__(self, name: str) -> Any:
        """Return an argument, such as ``stddev`` or ``seed``."""
        config = vars(self).get("_config", {})
        if name not in config:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return config[name]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the class."""
        return {name: value for name, value in self._config.items() if name != "dtype"}


class _Seeded(_Keras):
    """Part of random initializers: draws that a seed alone determines."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        argument = self._config["seed"]
        self.seed = random.randint(1, 10**9) if argument is None else argument
        """The seed of all draws: the given one, or one that is drawn when this is made."""

    def _seed(self) -> Any:
        """Return the pair of ints, or the tensor, that determines the draws of a call."""
        seed = self.seed
        return seed.next() if isinstance(seed, SeedGenerator) else [seed, 0]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the class."""
        return serialize_keras_object(super().get_config())

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Make an initializer from its arguments."""
        return cls(**{**config, "seed": deserialize_keras_object(config.get("seed"))})

    def uniform(self, shape: list[int], low: Any, high: Any, dtype: DTypeLike) -> Any:
        """Draw uniformly distributed numbers."""
        return stateless.stateless_uniform(shape, self._seed(), low, high, dtype)

    def normal(self, shape: Sequence[int], mean: Any, stddev: Any, dtype: DTypeLike) -> Any:
        """Draw normally distributed numbers."""
        return stateless.stateless_normal(shape, self._seed(), mean, stddev, dtype)

    def truncated(self, shape: list[int], mean: Any, stddev: Any, dtype: DTypeLike) -> Any:
        """Draw normally distributed numbers within two standard deviations."""
        return stateless.stateless_truncated_normal(shape, self._seed(), mean, stddev, dtype)


class Zeros(_Keras, initializers.zeros_initializer):
    """Initializer with zeros."""

    def __init__(self) -> None:
        super().__init__()


class Ones(_Keras, initializers.ones_initializer):
    """Initializer with ones."""

    def __init__(self) -> None:
        super().__init__()


class Constant(_Keras, initializers.constant_initializer):
    """Initializer with one value, or with the values of a list or array of as many elements."""

    shape: tuple[int, ...] | None = None
    """Shape that is needed; None for any."""

    def __init__(self, value: TensorLike = 0.0) -> None:
        super().__init__(value)

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Return a tensor of a shape with the values; ValueError where another one is needed."""
        if self.shape is not None and tuple(shape) != self.shape:
            raise ValueError(
                f"Expected `shape` to be {self.shape} for direct tensor as initializer. Received "
                f"shape={shape}"
            )
        return super().__call__(shape, dtype, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """Return the value."""
        return {"value": serialize_keras_object(self._config["value"])}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Make an initializer from its value."""
        return cls(deserialize_keras_object(config["value"]))


class Identity(_Keras):
    """Initializer with ``gain`` times the identity matrix; ValueError for another rank than 2."""

    def __init__(self, gain: float = 1.0) -> None:
        super().__init__(gain=gain)

    def make(self, shape: list[int], dtype: DTypeLike) -> Any:
        """Make the matrix."""
        if len(shape) != 2:
            raise ValueError(
                "Identity matrix initializer can only be used for 2D matrices. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        return cast(self._config["gain"], dtype) * eye(shape[0], shape[1], dtype=dtype)


class RandomNormal(_Seeded, initializers.random_normal_initializer):
    """Initializer with normally distributed numbers."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        super().__init__(mean, stddev, seed)


class RandomUniform(_Seeded, initializers.random_uniform_initializer):
    """Initializer with uniformly distributed numbers from ``minval`` to ``maxval``."""

    def __init__(
        self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None
    ) -> None:
        super().__init__(minval, maxval, seed)


class TruncatedNormal(_Seeded, initializers.truncated_normal_initializer):
    """Initializer with normally distributed numbers within two standard deviations."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        super().__init__(mean, stddev, seed)


class Orthogonal(_Seeded, initializers.orthogonal_initializer):
    """Initializer with ``gain`` times a random matrix of orthogonal rows or columns.

    Leading axes are flattened; ValueError for a rank below 2.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        super().__init__(gain, seed)


class VarianceScaling(_Seeded, initializers.variance_scaling_initializer):
    """Initializer with random numbers of the variance ``scale / n``, n the size of a layer.

    ``mode`` ('fan_in', 'fan_out', 'fan_avg') says which size, ``distribution`` is
    'truncated_normal', 'untruncated_normal' or 'uniform'.  ``input_axes`` and ``output_axes`` say
    which axes of a weight count inputs and outputs, where both are given; else the last but one
    and the last do, each times the sizes of the axes before.  ValueError for other modes and
    distributions, and unless ``scale`` > 0.
    """

    _DISTRIBUTIONS = ("uniform", "truncated_normal", "untruncated_normal")

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal",
        seed: int | None = None, input_axes: Sequence[int] | None = None,
        output_axes: Sequence[int] | None = None,
    ) -> None:
        super().__init__(scale, mode, distribution, seed)
        axes = {"input_axes": input_axes, "output_axes": output_axes}
        self._config = {**self._config, **axes}

    def of_axes(self, input_axes: Sequence[int], output_axes: Sequence[int]) -> Any:
        """Return the initializer of the same numbers whose axes are these, unless it has axes."""
        if self._config["input_axes"] is not None and self._config["output_axes"] is not None:
            return self
        axes = {"input_axes": list(input_axes), "output_axes": list(output_axes)}
        return type(self)(**{**self.get_config(), "seed": self.seed, **axes})

    def fans(self, shape: list[int]) -> tuple[int, int]:
        """Return the numbers of inputs and outputs per unit."""
        inputs, outputs = self._config["input_axes"], self._config["output_axes"]
        if inputs is None or outputs is None:
            return super().fans(shape)
        return math.prod(shape[a] for a in inputs), math.prod(shape[a] for a in outputs)


class _Scaled(VarianceScaling):
    """Part of each class below: VarianceScaling with three of its arguments set."""

    _FIXED: tuple[float, str, str]

    def __init__(
        self, seed: int | None = None, input_axes: Sequence[int] | None = None,
        output_axes: Sequence[int] | None = None,
    ) -> None:
        super().__init__(*self._FIXED, seed, input_axes, output_axes)

    def get_config(self) -> dict[str, Any]:
        """Return the seed and the axes."""
        config = super().get_config()
        return {name: config[name] for name in ("seed", "input_axes", "output_axes")}


class GlorotUniform(_Scaled):
    """Initializer with uniform numbers of variance ``2 / (inputs + outputs)``.

    Glorot and Bengio: Understanding the Difficulty of Training Deep Feedforward Networks (2010).
    """

    _FIXED = (1.0, "fan_avg", "uniform")


class GlorotNormal(_Scaled):
    """Initializer with truncated normal numbers of variance ``2 / (inputs + outputs)``."""

    _FIXED = (1.0, "fan_avg", "truncated_normal")


class HeUniform(_Scaled):
    """Initializer with uniform numbers of variance ``2 / inputs``.

    He, Zhang, Ren, Sun: Delving Deep into Rectifiers (2015).
    """

    _FIXED = (2.0, "fan_in", "uniform")


class HeNormal(_Scaled):
    """Initializer with truncated normal numbers of variance ``2 / inputs``."""

    _FIXED = (2.0, "fan_in", "truncated_normal")


class LecunUniform(_Scaled):
    """Initializer with uniform numbers of variance ``1 / inputs``."""

    _FIXED = (1.0, "fan_in", "uniform")


class LecunNormal(_Scaled):
    """Initializer with truncated normal numbers of variance ``1 / inputs``."""

    _FIXED = (1.0, "fan_in", "truncated_normal")


constant, identity, ones, orthogonal, zeros = Constant, Identity, Ones, Orthogonal, Zeros
glorot_normal, glorot_uniform = GlorotNormal, GlorotUniform
he_normal, he_uniform, lecun_normal, lecun_uniform = HeNormal, HeUniform, LecunNormal, LecunUniform
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
variance_scaling = VarianceScaling
IdentityInitializer, OrthogonalInitializer = Identity, Orthogonal

_NAMES = by_name(
    (
        Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity, LecunNormal,
        LecunUniform, Ones, Orthogonal, RandomNormal, RandomUniform, TruncatedNormal,
        VarianceScaling, Zeros,
    ),
    IdentityInitializer=Identity, OrthogonalInitializer=Orthogonal, normal=RandomNormal,
    one=Ones, uniform=RandomUniform, zero=Zeros,
)  # fmt: skip
deserialize, _get, serialize = identified("initializer", _NAMES)


def get(identifier: Any) -> Callable[..., Any] | None:
    """Find the initializer that an identifier means.

    Args:
        identifier: name, dict of ``serialize``, class, or what is called as it is; array or tensor
            for ``Constant``; or None.
    Returns:
        Function from a shape and a dtype to a tensor; None for None.
    Raises:
        ValueError: there is no such initializer.
    """
    is_array = isinstance(identifier, np.ndarray) or is_tensor(identifier)
    if not is_array:
        return _get(identifier)
    constant = Constant(identifier)
    constant.shape = tuple(identifier.shape)
    return constant


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
