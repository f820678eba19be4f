"""Counts of true and false positives and negatives, for a number of thresholds each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.keras.losses.loss import same_rank
from runtime.keras.metrics.metric import Metric, as_dtype_of
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.creation import one_hot, ones_like
from runtime.ops.array.shape import broadcast_to, expand_dims, reshape, shape
from runtime.ops.array.sorting import top_k as greatest
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.logical import logical_and, logical_not
from runtime.ops.math.reduction import reduce_sum
from runtime.state.variable import Variable
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import bool_

LEAST = -1e10
"""Below all predictions: what is not among the greatest k, and the threshold for these."""


class Counts(NamedTuple):
    """Samples by label and prediction, a vector over thresholds, or a row for each of these."""

    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any


def counts(
    y_true: TensorLike, y_pred: TensorLike, thresholds: Sequence[float], dtype: Any,
    sample_weight: TensorLike | None = None, top_k: int | None = None, class_id: int | None = None,
    label_weights: TensorLike | None = None, multi_label: bool = False,
) -> Counts:
    """Count samples, where predictions above a threshold are positive.

    ``top_k`` makes the others of a row negative, ``class_id`` chooses one label.  With
    ``multi_label`` each column of labels has counts of its own.  ValueError if shapes do not fit.
    """
    predicted = as_dtype_of(y_pred, dtype)
    labels, predicted = same_rank(convert_to_tensor(y_true), predicted)
    if not labels.shape.is_compatible_with(predicted.shape):
        raise ValueError(
            "`y_true` and `y_pred` must have the same shape. Received: "
            f"y_true.shape={labels.shape}, y_pred.shape={predicted.shape}"
        )
    if top_k is not None:
        predicted = _of_greatest(predicted, top_k)
    if class_id is not None:
        if predicted.shape.rank is not None and predicted.shape.rank < 2:
            raise ValueError(
                "When class_id is provided, y_pred must be a 2D array with shape (num_samples, "
                f"num_classes), found shape: {predicted.shape}"
            )
        labels, predicted = labels[..., class_id], predicted[..., class_id]
    positive = cast(labels, bool_)
    weight = None
    if sample_weight is not None:
        weight = as_dtype_of(sample_weight, dtype)
        while (weight.shape.rank or 0) < (predicted.shape.rank or 0):
            weight = expand_dims(weight, -1)  # a weight of a row is that of all in it
        weight = broadcast_to(weight, shape(predicted))
    if label_weights is not None and not multi_label:
        of_labels = ones_like(predicted) * as_dtype_of(label_weights, dtype)
        weight = of_labels if weight is None else weight * of_labels
    return _summed(positive, predicted, thresholds, weight, multi_label)


def _summed(
    positive: Any, predicted: Any, thresholds: Sequence[float], weight: Any, multi_label: bool
) -> Counts:
    """Return the counts: a row of thresholds before the samples, then sums over these."""
    if not multi_label:
        positive, predicted = reshape(positive, [-1]), reshape(predicted, [-1])
        weight = None if weight is None else reshape(weight, [-1])
    limits = constant(list(thresholds), predicted.dtype)
    limits = reshape(limits, [-1, *[1] * (predicted.shape.rank or 1)])
    above = expand_dims(predicted, 0) > limits
    label = expand_dims(positive, 0)

    def total(chosen: Any) -> Any:
        counted = cast(chosen, predicted.dtype)
        return reduce_sum(counted if weight is None else counted * expand_dims(weight, 0), axis=1)

    below, wrong = logical_not(above), logical_not(label)
    return Counts(
        total(logical_and(label, above)), total(logical_and(wrong, above)),
        total(logical_and(wrong, below)), total(logical_and(label, below)),
    )  # fmt: skip


def _of_greatest(predicted: Any, k: int) -> Any:
    """Return predictions with ``LEAST`` for all but the greatest ``k`` of each row."""
    _, places = greatest(predicted, k)
    classes = predicted.shape[-1] or shape(predicted)[-1]
    is_greatest = reduce_sum(one_hot(places, classes, dtype=predicted.dtype), axis=-2)
    return is_greatest * predicted + LEAST * (1.0 - is_greatest)


def checked_thresholds(thresholds: Any, default: float) -> list[float]:
    """Return thresholds as a list; ValueError unless they are in [0, 1]."""
    if thresholds is None:
        return [default]
    numbers = list(thresholds) if isinstance(thresholds, list | tuple) else [thresholds]
    wrong = [t for t in numbers if t is None or not 0 <= t <= 1]
    if wrong:
        raise ValueError(f"Threshold values must be in [0, 1]. Received: {wrong}")
    return numbers


class CountsMetric(Metric):
    """Base of metrics of counts; ``_KEPT`` names those that it keeps, by their places."""

    _KEPT: tuple[int, ...] = ()

    def __init__(
        self, name: str | None, dtype: DTypeLike | None, thresholds: Sequence[float],
        columns: int | None = None,
    ) -> None:
        super().__init__(dtype, name)
        self._limits = list(thresholds)
        self._columns = columns
        self._states: dict[str, Variable] = {}
        self._make_states(columns)

    def _make_states(self, columns: int | None) -> None:
        sizes = (len(self._limits),) if columns is None else (len(self._limits), columns)
        names = [Counts._fields[i] for i in self._KEPT]
        labels = names if len(names) > 1 else ["accumulator"]
        for name, label in zip(names, labels):
            self._states[name] = self.add_variable(sizes, "zeros", name=label)

    def _add(self, counts: Counts) -> None:
        for name, variable in self._states.items():
            variable.assign_add(getattr(counts, name))

    def _state(self, name: str) -> Any:
        return self._states[name].read_value()

    def _first_alone(self, result: Any) -> Any:
        """Return the one number of a metric with one threshold, else a vector."""
        return result[0] if len(self._limits) == 1 else result


class ConditionCount(CountsMetric):
    """Base of metrics that are one of the counts."""

    def __init__(
        self, thresholds: Any = None, name: str | None = None, dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(name, dtype, checked_thresholds(thresholds, 0.5))
        self.init_thresholds = thresholds
        self.thresholds = self._limits

    @property
    def accumulator(self) -> Variable:
        """Variable with the count for each threshold."""
        return self._states[Counts._fields[self._KEPT[0]]]

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels 0 and 1, predictions in [0, 1], and their weights."""
        self._add(counts(y_true, y_pred, self._limits, self._dtype, sample_weight))

    def result(self) -> Any:
        """Return the count, a scalar; a vector for several thresholds."""
        return self._first_alone(self._state(Counts._fields[self._KEPT[0]]))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "thresholds": self.init_thresholds}


class TruePositives(ConditionCount):
    """Metric: the number, or sum of weights, of samples that are predicted as 1 and are 1."""

    _KEPT = (0,)


class FalsePositives(ConditionCount):
    """Metric: the number, or sum of weights, of samples that are predicted as 1 and are 0."""

    _KEPT = (1,)


class TrueNegatives(ConditionCount):
    """Metric: the number, or sum of weights, of samples that are predicted as 0 and are 0."""

    _KEPT = (2,)


class FalseNegatives(ConditionCount):
    """Metric: the number, or sum of weights, of samples that are predicted as 0 and are 1."""

    _KEPT = (3,)


class RatioMetric(CountsMetric):
    """Base of precision and recall: the part that true positives are of both counts."""

    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
        name: str | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        default = 0.5 if top_k is None else LEAST
        super().__init__(name, dtype, checked_thresholds(thresholds, default))
        self.init_thresholds = thresholds
        self.thresholds = self._limits
        self.top_k = top_k
        self.class_id = class_id

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels 0 and 1, predictions in [0, 1], and their weights."""
        batch_counts = counts(
            y_true, y_pred, self._limits, self._dtype, sample_weight, self.top_k, self.class_id
        )
        self._add(batch_counts)

    def result(self) -> Any:
        """Return the part, a scalar; a vector for several thresholds."""
        right, wrong = (self._state(Counts._fields[i]) for i in self._KEPT)
        return self._first_alone(divide_no_nan(right, right + wrong))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {
            "thresholds": self.init_thresholds,
            "top_k": self.top_k,
            "class_id": self.class_id,
        }
        return {**super().get_config(), **arguments}


class Precision(RatioMetric):
    """Metric: the part of samples predicted as 1 that are 1.

    With ``top_k`` the greatest predictions of each row count as 1, with ``class_id`` one column
    counts.  ValueError for thresholds outside of [0, 1].
    """

    _KEPT = (0, 1)


class Recall(RatioMetric):
    """Metric: the part of samples that are 1 that are predicted as 1.

    With ``top_k`` the greatest predictions of each row count as 1, with ``class_id`` one column
    counts.  ValueError for thresholds outside of [0, 1].
    """

    _KEPT = (0, 3)
