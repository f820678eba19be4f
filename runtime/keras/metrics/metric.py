"""Base of metrics, whose state is in variables, and the means that most metrics are.

So a metric works eagerly, in functions and in loops, and starts anew with ``reset_state``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from runtime.keras import initializers
from runtime.keras.config import floatx
from runtime.keras.effects import RecordedEffects
from runtime.keras.layers.base.masks import mask_of
from runtime.keras.losses.loss import same_rank
from runtime.keras.names import snake_case, unique_name
from runtime.keras.replicas import aggregation_of
from runtime.keras.serialization import deserialize_keras_object, serialize_keras_object
from runtime.keras.weight import Weight
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import broadcast_to, shape, size
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.reduction import reduce_mean, reduce_sum
from runtime.staging.conversion import converted_in_turn
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import as_dtype


class Metric(Module):
    """Base of metrics: ``update_state`` takes samples, ``result`` gives the metric of all so far.

    Called, a metric does both.  Subclasses make variables with ``add_variable``.
    """

    def __init__(self, dtype: DTypeLike | None = None, name: str | None = None) -> None:
        super().__init__(name=None)
        self._label = name or unique_name(snake_case(type(self).__name__))
        self._dtype = as_dtype(floatx() if dtype is None else dtype)
        self._variables: list[Variable] = []

    @property
    def name(self) -> str:
        """Name, of which those of the variables begin."""
        return self._label

    @name.setter
    def name(self, name: str) -> None:
        self._label = name

    @property
    def dtype(self) -> str:
        """Name of the dtype of the variables."""
        return self._dtype.name

    def __getattr__(self, name: str) -> Any:
        """Return a variable of the state, or an argument of the function, by its name."""
        for place in ("_states", "_fn_kwargs"):
            if name in vars(self).get(place, ()):
                return vars(self)[place][name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def variables(self) -> list[Variable]:  # type: ignore[override]
        """Variables of the state."""
        return list(self._variables)

    def add_variable(
        self, shape: ShapeLike, initializer: Any, dtype: DTypeLike | None = None,
        aggregation: str = "sum", name: str | None = None,
    ) -> Variable:
        """Make a variable of the state, of a shape and dtype."""
        initial = initializers.get(initializer) or initializers.Zeros()
        kind = as_dtype(self._dtype if dtype is None else dtype)
        label = f"{self._label}/{name or 'variable'}"
        variable = Weight(
            lambda: initial(shape, kind), trainable=False, name=label,
            aggregation=aggregation_of(aggregation),
        )  # fmt: skip
        self._variables.append(variable)
        return variable

    def add_weight(
        self, shape: ShapeLike = (), initializer: Any = None, dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """Make a variable of the state; zeros unless an initializer says something else."""
        return self.add_variable(shape, initializer, dtype, name=name)

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Take more samples into the state."""
        raise NotImplementedError(f"{type(self).__name__} does not implement update_state()")

    def result(self) -> Any:
        """Return the metric of all samples so far."""
        raise NotImplementedError(f"{type(self).__name__} does not implement result()")

    def reset_state(self) -> None:
        """Forget all samples."""
        for variable in self._variables:
            variable.assign(zeros_like(variable.read_value()))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Take more samples and return the metric of all so far."""
        effects = RecordedEffects()
        converted_in_turn(self.update_state)(*args, **kwargs)
        with effects.before(self._variables):
            return converted_in_turn(self.result)()

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal metric."""
        return {"name": self.name, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make a metric from its arguments."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


def as_dtype_of(value: TensorLike, dtype: Any) -> Any:
    """Return a value as a tensor of a dtype, whatever dtype it has."""
    tensor = convert_to_tensor(value)
    return tensor if tensor.dtype == dtype else cast(tensor, dtype)


def samplewise(
    values: TensorLike, sample_weight: TensorLike | None, reduce: Callable[..., Any], dtype: Any
) -> tuple[Any, Any]:
    """Return a value for each sample, times its weight, and the weights, or None.

    Axes that weights do not have, or all but the first without weights, are reduced.
    """
    values = convert_to_tensor(values)
    mask = mask_of(values)
    values = as_dtype_of(values, dtype)
    weight = None if sample_weight is None else as_dtype_of(sample_weight, dtype)
    if weight is not None and mask is not None:  # without weights, a mask changes nothing in Keras
        weight, mask = same_rank(weight, as_dtype_of(mask, dtype))
        weight = weight * mask
    if weight is None:
        if values.shape.rank is not None and values.shape.rank > 1:
            values = reduce(values, axis=list(range(1, values.shape.rank)))
        return values, None
    values, weight = same_rank(values, weight)
    if values.shape.rank is not None and weight.shape.rank is not None:
        if values.shape.rank > weight.shape.rank:
            values = reduce(values, axis=list(range(weight.shape.rank, values.shape.rank)))
    values = values * weight
    if values.shape.rank is not None and values.shape.rank > 1:
        weight = broadcast_to(weight, shape(values))
    return values, weight


class Sum(Metric):
    """Metric: the sum of values, each times its weight."""

    def __init__(self, name: str | None = "sum", dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), "zeros", name="total")

    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> None:
        """Take more values, of any shape, and their weights."""
        values, _ = samplewise(values, sample_weight, reduce_sum, self._dtype)
        self.total.assign_add(reduce_sum(values))

    def result(self) -> Any:
        """Return the sum, a scalar."""
        return self.total.read_value()


class Mean(Metric):
    """Metric: the mean of values, by their weights."""

    def __init__(self, name: str | None = "mean", dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), "zeros", name="total")
        self.count = self.add_variable((), "zeros", name="count")

    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> None:
        """Take more values, of any shape, and their weights."""
        values, weight = samplewise(values, sample_weight, reduce_mean, self._dtype)
        self.total.assign_add(reduce_sum(values))
        count = cast(size(values), self._dtype) if weight is None else reduce_sum(weight)
        self.count.assign_add(count)

    def result(self) -> Any:
        """Return the mean, a scalar; 0 before the first value."""
        return divide_no_nan(self.total.read_value(), self.count.read_value())


class MeanMetricWrapper(Mean):
    """Metric: the mean of what ``fn(y_true, y_pred, **kwargs)`` gives for samples."""

    def __init__(
        self, fn: Callable[..., Any], name: str | None = None, dtype: DTypeLike | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name, dtype)
        self._fn = fn
        self._fn_kwargs = kwargs

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels and predictions, and their weights."""
        mask = mask_of(y_pred)
        values = converted_in_turn(self._fn)(y_true, y_pred, **self._fn_kwargs)
        if mask is not None:
            weight = 1.0 if sample_weight is None else as_dtype_of(sample_weight, self._dtype)
            sample_weight = as_dtype_of(mask, self._dtype) * weight
        super().update_state(values, sample_weight)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments: the function, too, unless the class says it."""
        config = {**super().get_config(), **self._fn_kwargs}
        if type(self) is MeanMetricWrapper:
            config["fn"] = serialize_keras_object(self._fn)
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make a metric from its arguments."""
        if "fn" in config:
            config = {**config, "fn": deserialize_keras_object(config["fn"])}
        return cls(**config)
