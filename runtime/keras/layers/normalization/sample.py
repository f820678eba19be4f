"""Normalizations of each sample by itself: ``LayerNormalization``, ``GroupNormalization`` ..."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.normalization.scale_and_offset import (
    Normalizing,
    known_sizes,
    positive_axes,
    widened,
)
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import reshape, sizes_of
from runtime.ops.math.elementwise import rsqrt, square
from runtime.ops.math.reduction import reduce_mean
from runtime.ops.nn.activations_losses import l2_normalize, moments
from runtime.ops.nn.normalization import batch_normalization

__all__ = ["GroupNormalization", "LayerNormalization", "RMSNormalization", "UnitNormalization"]


def _axes(axis: Any, fault: str) -> Any:
    """Return an axis or a list of axes as a list; TypeError that tells the fault for others."""
    axes = [axis] if isinstance(axis, int) else list(axis) if type(axis) in (list, tuple) else []
    if not axes or not all(isinstance(number, int) for number in axes):
        raise TypeError(f"{fault}. Received: axis={axis!r}")
    return axes


class LayerNormalization(Normalizing):
    """Layer that gives each sample the mean 0 and the variance 1 along axes.

    ``gamma`` and ``beta`` have the sizes of ``axis``, an int or a list.
    Source: Ba, Kiros and Hinton, Layer Normalization, 2016.
    """

    def __init__(
        self, axis: Any = -1, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones",
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        self.rms_scaling = bool(kwargs.pop("rms_scaling", False))
        super().__init__(**kwargs)
        self.axis = _axes(axis, "Expected an int or a list/tuple of ints for the argument 'axis'")
        self.epsilon = epsilon
        self._set_scale_and_offset(
            center, scale, beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
            beta_regularizer=beta_regularizer, gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        )  # fmt: skip
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make ``gamma`` and ``beta``."""
        positive_axes(self.axis, len(input_shape), "LayerNormalization")
        sizes = known_sizes(input_shape, self.axis, "LayerNormalization")
        if self.rms_scaling:
            self.center = False
        self._add_scale_and_offset(sizes)

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        x = widened(inputs)
        sizes = [1] * x.shape.rank
        for axis in self.axis:
            sizes[axis] = x.shape[axis]

        def along_axes(weight: Any) -> Any:
            return None if weight is None else cast(reshape(weight, sizes), x.dtype)

        if self.rms_scaling:
            variance = moments(x, self.axis, keepdims=True)[1]
            outputs = x * rsqrt(variance + self.epsilon)
            outputs = outputs if self.gamma is None else outputs * along_axes(self.gamma)
            return cast(outputs, inputs.dtype)
        mean, variance = moments(x, self.axis, keepdims=True)
        outputs = batch_normalization(
            x, mean, variance, along_axes(self.beta), along_axes(self.gamma), self.epsilon
        )
        return cast(outputs, inputs.dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs; ValueError for an axis that is none."""
        positive_axes(self.axis, len(input_shape), "LayerNormalization")
        return tuple(input_shape)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {**super().get_config(), "axis": self.axis, "epsilon": self.epsilon}
        return {**config, "rms_scaling": self.rms_scaling}


class GroupNormalization(Normalizing):
    """Layer that gives each group of channels of a sample the mean 0 and the variance 1.

    ``groups`` divides the channels; -1 makes a group of each.
    Source: Wu and He, Group Normalization, 2018.
    """

    def __init__(
        self, groups: int = 32, axis: int = -1, epsilon: float = 1e-3, center: bool = True,
        scale: bool = True, beta_initializer: Any = "zeros", gamma_initializer: Any = "ones",
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        if not isinstance(groups, int) or groups == 0 or groups < -1:
            raise ValueError(
                "Invalid value for argument `groups`: it must be a positive int, or -1 for as many "
                f"as channels. Received: groups={groups}"
            )
        self.groups = groups
        self.axis = axis
        self.epsilon = epsilon
        self._set_scale_and_offset(
            center, scale, beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
            beta_regularizer=beta_regularizer, gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        )  # fmt: skip
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make ``gamma`` and ``beta``."""
        (axis,) = positive_axes(self.axis, len(input_shape), "GroupNormalization")
        (size,) = known_sizes(input_shape, [axis], "GroupNormalization")
        self.groups = size if self.groups == -1 else self.groups
        if self.groups < 1 or size % self.groups:
            relation = "be more than" if self.groups > size else ""
            raise ValueError(
                f"Number of groups ({self.groups}) cannot {relation} the number of channels "
                f"({size})."
                if relation else
                f"Number of groups ({self.groups}) must be a multiple of the number of channels "
                f"({size}): it must divide it."
            )  # fmt: skip
        self._add_scale_and_offset((size,))
        self.input_spec = InputSpec(ndim=len(input_shape), axes={axis: size})

    def call(self, inputs: Any) -> Any:
        """Normalize."""
        x = widened(inputs)
        rank, sizes = len(x.shape), list(sizes_of(x))
        axis = self.axis % rank
        channels = int(x.shape[axis])
        grouped = [*sizes[:axis], self.groups, channels // self.groups, *sizes[axis + 1 :]]
        x = reshape(x, grouped)
        mean, variance = moments(
            x, [n for n in range(1, rank + 1) if n != axis], keepdims=True
        )
        shape = [1] * (rank + 1)
        shape[axis : axis + 2] = [self.groups, channels // self.groups]

        def by_group(weight: Any) -> Any:
            return None if weight is None else cast(reshape(weight, shape), x.dtype)

        outputs = batch_normalization(
            x, mean, variance, by_group(self.beta), by_group(self.gamma), self.epsilon
        )
        return cast(reshape(outputs, sizes), inputs.dtype)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {**super().get_config(), "groups": self.groups, "axis": self.axis}
        return {**config, "epsilon": self.epsilon}


class UnitNormalization(Layer):
    """Layer that gives each sample the Euclidean norm 1 along ``axis``, an int or a list."""

    _is_stateless = True

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        _axes(axis, "Invalid value for `axis` argument: expected an int or a list/tuple of ints")
        self.axis = axis if isinstance(axis, int) else list(axis)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Divide by the norm."""
        return l2_normalize(inputs, axis=self.axis, epsilon=1e-12)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs; ValueError for an axis that is none."""
        positive_axes(self.axis, len(input_shape), "UnitNormalization")
        return tuple(input_shape)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "axis": self.axis}


class RMSNormalization(Layer):
    """Layer that divides by the root of the mean square along ``axis``, times a weight ``scale``.

    Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019.
    """

    def __init__(self, axis: Any = -1, epsilon: float = 1e-6, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = _axes(axis, "Expected an int or a list/tuple of ints for the argument 'axis'")
        self.epsilon = epsilon
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make ``scale``."""
        positive_axes(self.axis, len(input_shape), "RMSNormalization")
        sizes = known_sizes(input_shape, self.axis, "RMSNormalization")
        self.scale = self.add_weight(sizes, "ones", name="scale")

    def call(self, x: Any) -> Any:
        """Normalize."""
        wide = widened(x)
        sizes = [1] * len(wide.shape)
        for axis in self.axis:
            sizes[axis] = wide.shape[axis]
        normalized = wide * rsqrt(
            reduce_mean(square(wide), self.axis, keepdims=True) + self.epsilon
        )
        return cast(normalized * cast(reshape(self.scale, sizes), wide.dtype), x.dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs; ValueError for an axis that is none."""
        positive_axes(self.axis, len(input_shape), "RMSNormalization")
        return tuple(input_shape)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "axis": self.axis, "epsilon": self.epsilon}
