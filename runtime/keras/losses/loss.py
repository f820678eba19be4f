"""Base of losses: a loss for each sample, weights and masks, and how they become one number.

``reduce_weighted`` is also what metrics of losses are averaged with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from runtime.keras.config import floatx
from runtime.keras.layers.base.masks import mask_of
from runtime.keras.names import snake_case
from runtime.keras.replicas import scaled_loss
from runtime.keras.serialization import (
    deserialize_keras_object,
    serialize_keras_object,
)
from runtime.ops.array.constants import cast, convert_to_tensor, is_tensor
from runtime.ops.array.shape import expand_dims, size, squeeze
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.reduction import reduce_sum
from runtime.staging.conversion import converted_in_turn
from runtime.types import nest
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import as_dtype

REDUCTIONS = ("mean_with_sample_weight", "none", "sum_over_batch_size", "sum", "mean", None)

_MEANS = ("mean_with_sample_weight", "sum_over_batch_size", "mean")


class Loss:
    """Base of losses: called with labels and predictions, they return a number to minimize.

    ``reduction`` says what becomes of the losses of samples: ``'sum_over_batch_size'`` or
    ``'mean'`` divides their sum by their number, ``'mean_with_sample_weight'`` by the sum of the
    weights, ``'sum'`` adds them up, ``'none'`` leaves them.  ``dtype`` is that of the computation,
    ``keras.config.floatx()`` unless given.  Subclasses define ``call(y_true, y_pred)``.

    ValueError for another reduction.
    """

    def __init__(
        self, name: str | None = None, reduction: str | None = "sum_over_batch_size",
        dtype: DTypeLike | None = None,
    ) -> None:
        if reduction not in REDUCTIONS:
            raise ValueError(
                "Invalid value for argument `reduction`. Expected one of "
                f"{', '.join(map(repr, REDUCTIONS))}. Received: reduction={reduction}"
            )
        self.name = name or snake_case(type(self).__name__)
        self.reduction = reduction
        self._dtype = as_dtype(floatx() if dtype is None else dtype)

    @property
    def dtype(self) -> str:
        """Name of the dtype of the computation."""
        return self._dtype.name

    def __call__(
        self, y_true: Any, y_pred: Any, sample_weight: TensorLike | None = None
    ) -> Any:
        """Return the loss: a scalar, or with the reduction 'none' the losses of the samples.

        ``sample_weight`` multiplies the losses of samples, whose shape is mostly that of the labels
        without the last axis.
        """
        mask = mask_of(y_pred)
        y_pred = self._converted(y_pred)
        y_true = self._converted(y_true)
        losses = converted_in_turn(self.call)(y_true, y_pred)
        mask_of_losses = self.mask_of_losses(y_true, y_pred)
        if mask is not None and mask_of_losses is not None:
            mask = cast(mask, self._dtype) * cast(mask_of_losses, self._dtype)
        mask = mask_of_losses if mask is None else mask
        loss = reduce_weighted(losses, sample_weight, mask, self.reduction, self._dtype)
        is_mean = self.reduction in _MEANS and convert_to_tensor(losses).shape.rank != 0
        return scaled_loss(loss) if is_mean else loss

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return the losses of the samples."""
        raise NotImplementedError(f"{type(self).__name__} does not implement call()")

    def mask_of_losses(self, y_true: Any, y_pred: Any) -> Any:
        """Return which of the losses count, or None for all."""
        return None

    def _converted(self, value: Any) -> Any:
        if all(isinstance(leaf, int | float) for leaf in nest.flatten(value)):
            return _as_float(value, self._dtype)  # lists of numbers are no outputs of a model
        return nest.map_structure(lambda leaf: _as_float(leaf, self._dtype), value)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal loss."""
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make a loss from its arguments."""
        return cls(**config)


class LossFunctionWrapper(Loss):
    """Loss of a function ``fn(y_true, y_pred, **kwargs)``."""

    def __init__(
        self, fn: Callable[..., Any], reduction: str | None = "sum_over_batch_size",
        name: str | None = None, dtype: DTypeLike | None = None, **kwargs: Any,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.fn = fn
        self._fn_kwargs = kwargs

    def __getattr__(self, name: str) -> Any:
        """Return an argument of the function by its name."""
        if name not in vars(self).get("_fn_kwargs", ()):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self._fn_kwargs[name]

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Return what the function gives."""
        if is_tensor(y_true) and is_tensor(y_pred):
            y_true, y_pred = same_rank(y_true, y_pred)
        return converted_in_turn(self.fn)(y_true, y_pred, **self._fn_kwargs)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments: the function, too, unless the class says it."""
        config = {**super().get_config(), **self._fn_kwargs}
        if type(self) is LossFunctionWrapper:
            config["fn"] = serialize_keras_object(self.fn)
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make a loss from its arguments."""
        if "fn" in config:
            config = {**config, "fn": deserialize_keras_object(config["fn"])}
        return cls(**config)


def _as_float(value: Any, dtype: Any) -> Any:
    """Return a value as a tensor of a dtype, whatever dtype it has."""
    tensor = convert_to_tensor(value)
    return tensor if tensor.dtype == dtype else cast(tensor, dtype)


def same_rank(x: Any, y: Any, expand_rank_1: bool = True) -> tuple[Any, Any]:
    """Return two tensors without a last axis of size 1 that only one has.

    Of a matrix of one column and a vector, the vector becomes a matrix.
    """
    first, second = x.shape.rank, y.shape.rank
    if first is None or second is None or first == second:
        return x, y
    if first == second + 1 and x.shape[-1] == 1:
        if second == 1 and expand_rank_1:
            return x, expand_dims(y, -1)
        return squeeze(x, axis=-1), y
    if second == first + 1 and y.shape[-1] == 1:
        if first == 1 and expand_rank_1:
            return expand_dims(x, -1), y
        return x, squeeze(y, axis=-1)
    return x, y


def reduce_weighted(
    values: TensorLike, sample_weight: TensorLike | None = None, mask: TensorLike | None = None,
    reduction: str | None = "sum_over_batch_size", dtype: DTypeLike | None = None,
) -> Any:
    """Return the losses of samples, weighted and reduced.

    Where a mask leaves samples out, means are those of the other samples.
    """
    kind = as_dtype(floatx() if dtype is None else dtype)
    values = _as_float(values, kind)
    weight = None if sample_weight is None else _as_float(sample_weight, kind)
    if mask is not None:
        weight = _with_mask(weight, _as_float(mask, kind), reduction)
    if weight is not None:
        values, weight = same_rank(values, weight)
        values = values * weight
    if reduction in (None, "none") or values.shape.rank == 0:
        return values
    total = reduce_sum(values)
    if reduction == "sum":
        return total
    if reduction == "mean_with_sample_weight" and weight is not None:
        return divide_no_nan(total, reduce_sum(weight))
    return divide_no_nan(total, cast(size(values), kind))


def _with_mask(weight: Any, mask: Any, reduction: str | None) -> Any:
    """Return weights that are 0 where the mask is; means count the others alone."""
    if reduction in ("mean", "sum_over_batch_size"):
        mask = mask * divide_no_nan(cast(size(mask), mask.dtype), reduce_sum(mask))
    if weight is None:
        return mask
    weight, mask = same_rank(weight, mask)
    return weight * mask
