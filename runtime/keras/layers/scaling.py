"""``Rescaling`` and ``Normalization``: layers that bring features into a range."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.keras.config import epsilon, image_data_format
from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.shape import broadcast_to, reshape
from runtime.ops.math.elementwise import maximum, sqrt

__all__ = ["Normalization", "Rescaling"]


class Rescaling(Layer):
    """Layer that computes ``inputs * scale + offset``.

    Args:
        scale: factor, a number, or as many as there are channels.
        offset: what is added to the products.
        kwargs: arguments of ``Layer``.
    """

    _takes_floats = True

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Scale the inputs."""
        scale, offset = (cast(number, inputs.dtype) for number in (self.scale, self.offset))
        if scale.shape.rank and image_data_format() == "channels_first":
            scale = reshape(scale, [*scale.shape.as_list(), *[1] * (3 - scale.shape.rank)])
        return inputs * scale + offset

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        factors = {"scale": self.scale, "offset": self.offset}
        plain = {name: v.tolist() if hasattr(v, "dtype") else v for name, v in factors.items()}
        return {**super().get_config(), **plain}


def _features(batch: Any) -> Any:
    """Return the inputs of a batch, without targets and weights."""
    return batch[0] if isinstance(batch, tuple) and batch else batch


class Normalization(Layer):
    """Layer that subtracts the means of features and divides by their standard deviations.

    ``adapt`` takes both from data; or they are given.

    Args:
        axis: axes that have means of their own; None for one mean of all elements.
        mean: means, with ``variance``.
        variance: variances.
        invert: whether the layer goes the other way, from normalized features back.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: one of ``mean`` and ``variance`` is given alone; an axis is none of the input's,
            or has no known size.
    """

    _takes_floats = True

    def __init__(
        self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: bool = False,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        if (mean is None) != (variance is None):
            raise ValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={mean} and variance={variance}"
            )
        self.axis = () if axis is None else tuple(axis) if isinstance(axis, Iterable) else (axis,)
        self.input_mean, self.input_variance = mean, variance
        self.invert = invert
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make the weights ``mean``, ``variance`` and ``count``, unless the moments are given."""
        rank = len(input_shape)
        for axis in self.axis:
            if not -rank <= axis < rank:
                raise ValueError(
                    f"All `axis` values must be in the range [-ndim, ndim). Received inputs with "
                    f"ndim={rank}, while axis={self.axis}"
                )
        self._kept = sorted({axis % rank for axis in self.axis})
        sizes = [input_shape[axis] for axis in self._kept]
        if None in sizes:
            raise ValueError(
                f"All `axis` values to be kept must have a known shape. Received axis={self.axis}, "
                f"inputs.shape={input_shape}"
            )
        self._shape = [input_shape[n] if n in self._kept else 1 for n in range(rank)]
        if self.input_mean is None:
            self.adapt_mean = self.add_weight(sizes, "zeros", trainable=False, name="mean")
            self.adapt_variance = self.add_weight(sizes, "ones", trainable=False, name="variance")
            self.count = self.add_weight((), "zeros", "int32", trainable=False, name="count")

    def adapt(self, data: Any, batch_size: int | None = None, steps: int | None = None) -> None:
        """Take means and variances from data: an array, or batches of arrays.

        Of batches that are tuples, the first part counts: the others are targets and weights.
        ValueError where the moments were given.
        """
        if self.input_mean is not None:
            raise ValueError(
                "Cannot `adapt` a Normalization layer that is initialized with static `mean` and "
                "`variance`, you passed values for both."
            )
        is_array = hasattr(data, "dtype")
        sample = _features(getattr(data, "element_spec", None))
        if sample is not None and sample.shape.rank == 1:
            data = data.batch(128)  # a dataset of samples
        count, mean, variance = 0, np.zeros(()), np.zeros(())
        for number, batch in enumerate([data] if is_array else data):
            if steps is not None and number >= steps:
                break
            batch = _features(batch)
            if not hasattr(batch, "shape"):
                raise TypeError(
                    "adapt() takes an array, or batches that are arrays with a `.shape`; got a "
                    f"batch of type {type(batch).__name__}"
                )
            rows = np.asarray(batch, dtype="float64")
            rows = rows[:, None] if rows.ndim == 1 else rows
            if not self.built:
                self.build(rows.shape if is_array else (None, *rows.shape[1:]))
            sizes = [rows.shape[n] for n in self._kept if n < rows.ndim]
            if sizes != self.adapt_mean.shape.as_list():
                raise ValueError(
                    f"Layer {self.name!r} was built for data with the sizes "
                    f"{self.adapt_mean.shape.as_list()} along axis={self.axis}; adapt() got an "
                    f"incompatible shape, {rows.shape}"
                )
            axes = tuple(n for n in range(rows.ndim) if n not in self._kept)
            added = math.prod(rows.shape[n] for n in axes)
            batch_mean, spread = rows.mean(axes), rows.var(axes)
            share = added / (count + added)
            away = batch_mean - mean
            mean = mean + away * share
            variance = variance * (1 - share) + spread * share + away**2 * share * (1 - share)
            count += added
        if not count:
            raise ValueError("adapt() of a Normalization layer got an empty iterable: no data")
        for weight, value in (
            (self.adapt_mean, mean), (self.adapt_variance, variance), (self.count, count),
        ):  # fmt: skip
            weight.assign(np.asarray(value).astype(weight.dtype.as_numpy_dtype))

    def reset_state(self) -> None:
        """Forget what ``adapt`` took from data."""
        if self.built and self.input_mean is None:
            self.adapt_mean.assign(self.adapt_mean * 0.0)
            self.adapt_variance.assign(self.adapt_variance * 0.0 + 1.0)
            self.count.assign(0)

    @property
    def mean(self) -> Any:
        """Means, in a shape that broadcasts with inputs."""
        return self._moments(self._keras.dtype)[0]

    @property
    def variance(self) -> Any:
        """Variances, in a shape that broadcasts with inputs."""
        return self._moments(self._keras.dtype)[1]

    def _moments(self, dtype: Any) -> tuple[Any, Any]:
        """Return means and variances in the shape that broadcasts with inputs."""
        if self.input_mean is None:
            pair: tuple[Any, Any] = self.adapt_mean, self.adapt_variance
        else:
            pair = constant(self.input_mean, dtype), constant(self.input_variance, dtype)
        sizes = [1 if size is None else size for size in self._shape]
        kept_sizes = [sizes[axis] for axis in self._kept]
        mean, variance = [
            reshape(broadcast_to(cast(moment, dtype), kept_sizes), sizes) for moment in pair
        ]
        return mean, variance

    def call(self, inputs: Any) -> Any:
        """Normalize the inputs."""
        inputs = convert_to_tensor(inputs)
        mean, variance = self._moments(inputs.dtype)
        deviation = maximum(sqrt(variance), epsilon())
        return mean + inputs * deviation if self.invert else (inputs - mean) / deviation

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        listed = [
            None if v is None else np.asarray(v).tolist()
            for v in (self.input_mean, self.input_variance)
        ]
        return {
            **super().get_config(), "axis": self.axis, "invert": self.invert, "mean": listed[0],
            "variance": listed[1],
        }  # fmt: skip
