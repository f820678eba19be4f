"""Scores with a column of state for each output: F-beta, F1, and the coefficient R squared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.keras.config import epsilon
from runtime.keras.metrics.metric import Metric, as_dtype_of
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like
from runtime.ops.array.shape import expand_dims, size
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import abs, divide, is_inf, square
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import reduce_max, reduce_mean, reduce_sum
from runtime.state.variable import Variable
from runtime.types.aliases import DTypeLike, TensorLike


def _check_float(value: Any, name: str, rule: str, fits: Callable[[float], bool]) -> None:
    """Raise ValueError unless an argument is a Python float that fits a rule."""
    if not isinstance(value, float):
        raise ValueError(
            f"Invalid `{name}` argument value. It should be a Python float. Received: "
            f"{name}={value} of type '{type(value)}'"
        )
    if not fits(value):
        raise ValueError(
            f"Invalid `{name}` argument value. It should {rule}. Received: {name}={value}"
        )


class _Columns(Metric):
    """Base of metrics whose state has a column for each output, known with the first samples."""

    _STATES: tuple[str, ...] = ()

    def __init__(self, dtype: DTypeLike | None, name: str | None) -> None:
        super().__init__(dtype, name)
        self._states: dict[str, Variable] = {}

    def _taken(self, y_true: TensorLike, y_pred: TensorLike, sizes: Any) -> tuple[Any, Any]:
        """Return both as matrices; the first make the state.  ValueError for other shapes."""
        pair = [as_dtype_of(y, self._dtype) for y in (y_true, y_pred)]
        if any(y.shape.rank != 2 for y in pair):
            raise ValueError(
                f"{type(self).__name__} expects 2D inputs with shape (batch_size, output_dim). "
                f"Received input shapes: y_pred.shape={pair[1].shape} and "
                f"y_true.shape={pair[0].shape}."
            )
        if not self._states:
            self._states = {
                name: self.add_variable(sizes(pair[1]), "zeros", name=name) for name in self._STATES
            }
        return pair[0], pair[1]

    def _weight(self, sample_weight: TensorLike | None, values: Any) -> Any:
        """Return weights with an axis for the outputs; 1 for none."""
        if sample_weight is None:
            return cast(1.0, self._dtype)
        weight = as_dtype_of(sample_weight, self._dtype)
        return expand_dims(weight, 1) if weight.shape.rank == 1 else weight


class FBetaScore(_Columns):
    """Metric: weighted harmonic mean of precision and recall; recall counts ``beta`` times.

    ``average`` is None for a score for each class, 'macro' for their mean, 'weighted' for the mean
    by the number of labels, 'micro' for one score of all.  Without ``threshold`` the greatest
    prediction of a row is positive.  ValueError for other arguments.
    """

    _STATES = ("true_positives", "false_positives", "false_negatives", "intermediate_weights")

    def __init__(
        self, average: str | None = None, beta: float = 1.0, threshold: float | None = None,
        name: str | None = "fbeta_score", dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        if average not in (None, "micro", "macro", "weighted"):
            raise ValueError(
                "Invalid `average` argument value. Expected one of: "
                f"{{None, 'micro', 'macro', 'weighted'}}. Received: average={average}"
            )
        _check_float(beta, "beta", "be > 0", lambda n: n > 0)
        if threshold is not None:
            _check_float(threshold, "threshold", "verify 0 < threshold <= 1", lambda n: 0 < n <= 1)
        self.average, self.beta, self.threshold = average, beta, threshold

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels and predictions, rows of a column for each class, and weights."""
        is_micro = self.average == "micro"
        labels, scores = self._taken(y_true, y_pred, lambda y: () if is_micro else (y.shape[1],))
        if self.threshold is None:
            best = scores >= reduce_max(scores, axis=-1, keepdims=True)
            positive = logical_and(best, abs(scores) > 1e-9)
        else:
            positive = scores > self.threshold
        predicted = cast(positive, self._dtype)
        weight = self._weight(sample_weight, scores)
        counts = (
            predicted * labels,
            predicted * (1.0 - labels),
            (1.0 - predicted) * labels,
            labels,
        )
        for name, count in zip(self._STATES, counts):
            self._states[name].assign_add(reduce_sum(count * weight, axis=None if is_micro else 0))

    def result(self) -> Any:
        """Return the score, a scalar, or a vector of those of the classes."""
        right, wrong, missed, labels = (s.read_value() for s in self._states.values())
        precision = divide(right, right + wrong + epsilon())
        recall = divide(right, right + missed + epsilon())
        factor = self.beta**2
        score = precision * recall * (1.0 + factor) / (factor * precision + recall + epsilon())
        if self.average == "weighted":
            return reduce_sum(score * (labels / (reduce_sum(labels) + epsilon())))
        return reduce_mean(score) if self.average else score

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {"average": self.average, "beta": self.beta, "threshold": self.threshold}
        return {**super().get_config(), **arguments}


class F1Score(FBetaScore):
    """Metric: harmonic mean of precision and recall, for each class or averaged."""

    def __init__(
        self, average: str | None = None, threshold: float | None = None,
        name: str | None = "f1_score", dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(average, 1.0, threshold, name, dtype)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        del config["beta"]
        return config


class R2Score(_Columns):
    """Metric: part of the variance of labels that predictions explain.

    ``class_aggregation`` is None for a score for each output, 'uniform_average' for their mean,
    'variance_weighted_average' for the mean by variance.  ``num_regressors`` adjusts the score.
    ValueError for other arguments.
    """

    _STATES = ("squared_sum", "sum", "residual", "count")

    def __init__(
        self, class_aggregation: str | None = "uniform_average", num_regressors: int = 0,
        name: str | None = "r2_score", dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        allowed = (None, "uniform_average", "variance_weighted_average")
        if class_aggregation not in allowed:
            raise ValueError(
                "Invalid value for argument `class_aggregation`. Expected one of "
                f"{allowed}. Received: class_aggregation={class_aggregation}"
            )
        if num_regressors < 0:
            raise ValueError(
                "Invalid value for argument `num_regressors`. Expected a value >= 0. "
                f"Received: num_regressors={num_regressors}"
            )
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_variable((), "zeros", name="num_samples")

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels and predictions, rows of a column for each output, and weights."""
        labels, predicted = self._taken(y_true, y_pred, lambda y: (y.shape[1],))
        weight = self._weight(sample_weight, labels)
        weighted = labels * weight
        ones = weight * ones_like(labels)
        terms = (labels * weighted, weighted, square(labels - predicted) * weight, ones)
        for name, term in zip(self._STATES, terms):
            self._states[name].assign_add(reduce_sum(term, axis=0))
        self.num_samples.assign_add(cast(size(labels), self._dtype))

    def result(self) -> Any:
        """Return the score, a scalar, or a vector of those of the outputs."""
        squares, sums, residual, count = (s.read_value() for s in self._states.values())
        total = squares - sums * (sums / count)
        score = 1.0 - residual / total
        score = where(is_inf(score), 0.0, score)
        if self.class_aggregation == "uniform_average":
            score = reduce_mean(score)
        elif self.class_aggregation == "variance_weighted_average":
            score = reduce_sum(total * score) / reduce_sum(total)
        if not self.num_regressors:
            return score
        samples = self.num_samples.read_value()
        adjusted = 1.0 - (1.0 - score) * (samples - 1.0) / (samples - self.num_regressors - 1.0)
        return where(samples - 1.0 > self.num_regressors, adjusted, score)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {
            "class_aggregation": self.class_aggregation, "num_regressors": self.num_regressors
        }  # fmt: skip
        return {**super().get_config(), **arguments}
