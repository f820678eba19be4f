"""``BatchNormalization``: by the statistics of a batch, and moving averages of these."""

from __future__ import annotations

from typing import Any

from runtime.graph.operation import SymbolicTensor
from runtime.keras import initializers
from runtime.keras.config import epsilon as small_number
from runtime.keras.effects import note_update
from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.normalization import renormalization
from runtime.keras.layers.normalization.scale_and_offset import (
    Normalizing,
    known_sizes,
    positive_axes,
    widened,
)
from runtime.keras.replicas import one_of_several, summed
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like
from runtime.ops.array.shape import expand_dims, reshape, size
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import maximum, sqrt, square
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.nn.activations_losses import moments
from runtime.ops.nn.normalization import batch_normalization

__all__ = ["BatchNormalization"]


class BatchNormalization(Normalizing):
    """Layer that subtracts the mean of each channel and divides by its standard deviation.

    While training these are those of the batch, and weights that are not trained follow them;
    otherwise, and where ``trainable`` is False, these weights are used.
    Source: Ioffe and Szegedy, Batch Normalization, 2015.

    Args:
        axis: axis of the channels.
        momentum: share of the moving averages that stays at each step.
        epsilon: number that is added to variances.
        center: whether there is an offset ``beta``.
        scale: whether there is a factor ``gamma``.
        beta_initializer: initializer, or its name; so are the other arguments of weights.
        gamma_initializer: initializer of the factor.
        moving_mean_initializer: initializer of the moving mean.
        moving_variance_initializer: initializer of the moving variance.
        beta_regularizer: regularizer of the offset.
        gamma_regularizer: regularizer of the factor.
        beta_constraint: constraint of the offset.
        gamma_constraint: constraint of the factor.
        renorm: whether outputs of a batch while training are corrected by statistics of all
            batches (batch renormalization).
        renorm_clipping: dict with the limits "rmax", "rmin" and "dmax" of these corrections.
        renorm_momentum: share of these statistics that stays at each step.
        synchronized: whether the statistics of a batch are those of the batches of all replicas.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for an axis that is none, other limits, and channels whose number is unknown.
    """

    moving_stddev: Any
    renorm_mean: Any
    renorm_stddev: Any

    def __init__(
        self, axis: int = -1, momentum: float = 0.99, epsilon: float = 1e-3, center: bool = True,
        scale: bool = True, beta_initializer: Any = "zeros", gamma_initializer: Any = "ones",
        moving_mean_initializer: Any = "zeros", moving_variance_initializer: Any = "ones",
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, renorm: bool = False, renorm_clipping: Any = None,
        renorm_momentum: float = 0.99, synchronized: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        if not isinstance(axis, int):
            raise ValueError(f"BatchNormalization takes one axis, an int. Received: axis={axis!r}")
        self.axis = axis
        self.renorm = renorm
        self.renorm_clipping = renorm_clipping
        if renorm:
            self.renorm_clipping = renormalization.clipping_of(renorm_clipping)
        self.momentum = float(momentum)
        self.epsilon = float(epsilon)
        self.renorm_momentum = renorm_momentum
        self.synchronized = synchronized
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)
        self._set_scale_and_offset(
            center, scale, beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
            beta_regularizer=beta_regularizer, gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        )  # fmt: skip
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make ``gamma``, ``beta``, ``moving_mean`` and ``moving_variance``."""
        (axis,) = positive_axes(self.axis, len(input_shape), "BatchNormalization")
        sizes = known_sizes(input_shape, [axis], "BatchNormalization")
        self._add_scale_and_offset(sizes)
        self.moving_mean = self.add_weight(
            sizes, self.moving_mean_initializer, trainable=False, name="moving_mean",
            aggregation="mean", autocast=False,
        )
        self.moving_variance = self.add_weight(
            sizes, self.moving_variance_initializer, trainable=False, name="moving_variance",
            aggregation="mean", autocast=False,
        )
        if self.renorm:
            renormalization.add_weights(self, sizes)
        self.input_spec = InputSpec(ndim=len(input_shape), axes={axis: sizes[0]})

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Normalize; ``mask``, without the channels' axis, says what counts in the statistics."""
        x = widened(inputs)
        rank = x.shape.rank
        axis = self.axis % rank
        staged = isinstance(training, SymbolicTensor)
        mean, variance = self.moving_mean, self.moving_variance
        gamma, beta = self.gamma, self.beta
        if self.trainable and (staged or training):
            now = self._statistics(x, [n for n in range(rank) if n != axis], mask)
            if staged:
                moving = self.moving_mean.read_value(), self.moving_variance.read_value()
                mean, variance = [where(training, a, b) for a, b in zip(now, moving, strict=True)]
            else:
                mean, variance = now
            if self.renorm:
                correction = renormalization.corrections(self, now[0], self._stddev(now[1]))
                if staged:
                    ones = ones_like(correction[0])
                    corrections = zip(correction, (ones, ones * 0.0), strict=True)
                    correction = tuple(
                        where(training, renormalized, usual) for renormalized, usual in corrections
                    )
                gamma, beta = renormalization.composed(correction, gamma, beta)
            self._follow(now, training if staged else None, x)
        sizes = [1] * rank
        sizes[axis] = -1

        def along_axis(weight: Any) -> Any:
            return None if weight is None else cast(reshape(weight, sizes), x.dtype)

        outputs = batch_normalization(
            x, along_axis(mean), along_axis(variance), along_axis(beta),
            along_axis(gamma), self.epsilon,
        )  # fmt: skip
        return cast(outputs, inputs.dtype)

    def _stddev(self, variance: Any) -> Any:
        return sqrt(variance + self.epsilon)

    def _follow(self, statistics: tuple[Any, Any], training: Any, inputs: Any) -> None:
        """Move the averages towards the statistics of inputs, where ``training`` holds, if any."""
        mean, variance = statistics

        def moved(average: Any, now: Any, momentum: float) -> Any:
            return average * momentum + cast(now, average.dtype) * (1.0 - momentum)

        assignments = [(self.moving_mean, moved(self.moving_mean, mean, self.momentum))]
        if self.renorm:
            now = self._stddev(variance)
            stddev = moved(self.moving_stddev, now, self.momentum)
            assignments += [
                (self.renorm_mean, moved(self.renorm_mean, mean, self.renorm_momentum)),
                (self.renorm_stddev, moved(self.renorm_stddev, now, self.renorm_momentum)),
                (self.moving_stddev, stddev),
                (self.moving_variance, maximum(stddev * stddev - self.epsilon, 0.0)),
            ]
        else:
            average = self.moving_variance
            assignments.append((average, moved(average, variance, self.momentum)))
        replica = one_of_several()
        for average, value in assignments:
            if replica is not None:  # one may have no samples of a small batch, and no statistics
                value = where(size(inputs) > 0, value, average.read_value())
            if training is not None:
                value = where(training, value, average.read_value())
            note_update(self, average.assign(value))

    def _statistics(self, x: Any, axes: list[int], mask: Any) -> tuple[Any, Any]:
        """Return the mean and the variance of each channel, over what the mask says."""
        replica = one_of_several() if self.synchronized else None
        if mask is None and replica is None:
            return moments(x, axes)
        masked = mask is not None
        if mask is None:
            mask = ones_like(x)
        weights = cast(mask, x.dtype)
        for _ in range(len(x.shape) - len(weights.shape)):  # masks have the first axes of inputs
            weights = expand_dims(weights, -1)
        weights = weights + x * 0
        total = reduce_sum if replica is None else _sum_over_replicas
        count = total(weights, axes, keepdims=True)
        count = count + small_number() if masked else count
        mean = total(weights * x, axes, keepdims=True) / count
        variance = total(weights * square(x - mean), axes, keepdims=True) / count
        return reshape(mean, [-1]), reshape(variance, [-1])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "axis": self.axis, "momentum": self.momentum,
            "epsilon": self.epsilon, "synchronized": self.synchronized,
            "renorm": self.renorm, "renorm_clipping": self.renorm_clipping,
            "renorm_momentum": self.renorm_momentum,
            "moving_mean_initializer": initializers.serialize(self.moving_mean_initializer),
            "moving_variance_initializer": initializers.serialize(self.moving_variance_initializer),
        }  # fmt: skip


def _sum_over_replicas(values: Any, axes: Any, keepdims: bool) -> Any:
    return summed(reduce_sum(values, axes, keepdims=keepdims))
