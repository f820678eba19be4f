"""Metrics of curves over thresholds: the area under one, and the best point within a limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.keras.config import epsilon
from runtime.keras.metrics.confusion import CountsMetric, counts
from runtime.keras.metrics.metric import as_dtype_of
from runtime.ops.array.creation import ones_like
from runtime.ops.array.where import where
from runtime.ops.math.elementary import log, sigmoid
from runtime.ops.math.elementwise import divide_no_nan, maximum, minimum
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import reduce_max, reduce_mean, reduce_sum
from runtime.types.aliases import DTypeLike, TensorLike

CURVES = ("PR", "ROC", "PRGAIN")
METHODS = ("interpolation", "majoring", "minoring")


class AUC(CountsMetric):
    """Metric: area under a curve over thresholds.

    ``curve`` is 'ROC' (true by false positive rate), 'PR' (precision by recall) or 'PRGAIN';
    ``summation_method`` 'interpolation', or 'minoring' or 'majoring' for the lower or higher of
    neighbours.  ``num_thresholds`` lie evenly in [0, 1] unless ``thresholds`` are given.  With
    ``multi_label`` it is the mean of the areas of labels, by ``label_weights``.  ValueError for
    other arguments.
    """

    _KEPT = (0, 1, 2, 3)

    def __init__(
        self, num_thresholds: int = 200, curve: str = "ROC",
        summation_method: str = "interpolation", name: str | None = None,
        dtype: DTypeLike | None = None, thresholds: Any = None, multi_label: bool = False,
        num_labels: int | None = None, label_weights: Any = None, from_logits: bool = False,
    ) -> None:
        _check_one_of("curve", curve, CURVES)
        _check_one_of("summation method", summation_method, METHODS)
        if num_labels is not None and not multi_label:
            raise ValueError("`num_labels` is needed only when `multi_label` is True.")
        inner = _inner_thresholds(num_thresholds, thresholds)
        self.curve, self.summation_method = curve, summation_method
        self.multi_label, self.num_labels = multi_label, num_labels
        self.label_weights = label_weights
        self._from_logits = from_logits
        self._inner = inner if thresholds is not None else None
        limits = [0.0 - epsilon(), *inner, 1.0 + epsilon()]
        super().__init__(name, dtype, limits, num_labels if multi_label else None)

    def _make_states(self, columns: int | None) -> None:
        if not self.multi_label or columns is not None:  # else when the labels are seen
            super()._make_states(columns)

    @property
    def thresholds(self) -> list[float]:
        """Thresholds, with one below and one above all predictions."""
        return self._limits

    @property
    def num_thresholds(self) -> int:
        """Number of thresholds."""
        return len(self._limits)

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels 0 and 1, predictions in [0, 1] or logits, and their weights."""
        predicted = as_dtype_of(y_pred, self._dtype)
        if not self._states:
            if predicted.shape.rank != 2 or predicted.shape[1] is None:
                raise ValueError(
                    "`y_pred` must have rank 2, of a known number of labels, when `multi_label` is "
                    f"True. Found shape {predicted.shape}."
                )
            super()._make_states(int(predicted.shape[1]))
        predicted = sigmoid(predicted) if self._from_logits else predicted
        batch_counts = counts(
            y_true, predicted, self._limits, self._dtype, sample_weight,
            label_weights=self.label_weights, multi_label=self.multi_label,
        )  # fmt: skip
        self._add(batch_counts)

    def result(self) -> Any:
        """Return the area, a scalar."""
        right, false, rejected, missed = (self._state(name) for name in self._states)
        if self.curve == "PR" and self.summation_method == "interpolation":
            strips = _interpolated_precision(right, false, missed)
        else:
            x, y = self._coordinates(right, false, rejected, missed)
            methods: dict[str, Callable[..., Any]] = {
                "minoring": minimum, "majoring": maximum, "interpolation": _middle,
            }  # fmt: skip
            strips = (x[:-1] - x[1:]) * methods[self.summation_method](y[:-1], y[1:])
        if not self.multi_label:
            return reduce_sum(strips)
        areas = reduce_sum(strips, axis=0)
        if self.label_weights is None:
            return reduce_mean(areas)
        weights = as_dtype_of(self.label_weights, self._dtype)
        return divide_no_nan(reduce_sum(areas * weights), reduce_sum(weights))

    def _coordinates(self, right: Any, false: Any, rejected: Any, missed: Any) -> tuple[Any, Any]:
        """Return the points of the curve."""
        recall = divide_no_nan(right, right + missed)
        if self.curve == "ROC":
            return divide_no_nan(false, false + rejected), recall
        if self.curve == "PR":
            return recall, divide_no_nan(right, right + false)
        scale = divide_no_nan(right + missed, false + rejected)
        recalled = 1.0 - scale * divide_no_nan(missed, right)
        recalled = where(right > 0, recalled, 0.0)  # its limit is below 0
        precise = 1.0 - scale * divide_no_nan(false, right)
        return maximum(recalled, 0.0), maximum(precise, 0.0)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {
            "num_thresholds": self.num_thresholds, "curve": self.curve,
            "summation_method": self.summation_method, "multi_label": self.multi_label,
            "num_labels": self.num_labels, "label_weights": self.label_weights,
            "from_logits": self._from_logits,
        }  # fmt: skip
        if self._inner is not None:
            arguments["thresholds"] = self._inner
        return {**super().get_config(), **arguments}


def _middle(a: Any, b: Any) -> Any:
    """Return the mean of neighbours."""
    return (a + b) / 2.0


def _interpolated_precision(right: Any, false: Any, missed: Any) -> Any:
    """Return the areas under the curve of precision by recall, between thresholds.

    Davis and Goadrich: The Relationship Between Precision-Recall and ROC Curves (2006).
    """
    positive = right + false
    gained = right[:-1] - right[1:]
    slope = divide_no_nan(gained, maximum(positive[:-1] - positive[1:], 0.0))
    intercept = right[1:] - slope * positive[1:]
    is_between = logical_and(positive[:-1] > 0, positive[1:] > 0)
    ratio = divide_no_nan(positive[:-1], maximum(positive[1:], 0.0))
    ratio = where(is_between, ratio, ones_like(ratio))
    area = slope * (gained + intercept * log(ratio))
    return divide_no_nan(area, maximum(right[1:] + missed[1:], 0.0))


def _inner_thresholds(number: int, thresholds: Any) -> list[float]:
    """Return the thresholds between 0 and 1; ValueError for wrong ones."""
    if thresholds is not None:
        numbers = sorted(float(t) for t in thresholds)
        if any(not 0 <= t <= 1 for t in numbers):
            raise ValueError(f"Threshold values must be in [0, 1]. Received: {thresholds}")
        return numbers
    if not isinstance(number, int) or number <= 1:
        raise ValueError(
            f"Argument `num_thresholds` must be an integer > 1. Received: num_thresholds={number}"
        )
    return [(i + 1) / (number - 1) for i in range(number - 2)]


def _check_one_of(argument: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(
            f'Invalid AUC {argument} value: "{value}". Expected values are {[*allowed]}'
        )


class LimitedMetric(CountsMetric):
    """Base of metrics of the best threshold of those where another rate is large enough."""

    _KEPT = (0, 1, 2, 3)
    _LIMIT = ""

    def __init__(
        self, value: float, num_thresholds: int, class_id: int | None, name: str | None,
        dtype: DTypeLike | None,
    ) -> None:
        if not 0 <= value <= 1:
            raise ValueError(
                f"Argument `{self._LIMIT}` must be in the range [0, 1]. "
                f"Received: {self._LIMIT}={value}"
            )
        if num_thresholds <= 0:
            raise ValueError(
                "Argument `num_thresholds` must be an integer > 0. "
                f"Received: num_thresholds={num_thresholds}"
            )
        inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        super().__init__(name, dtype, [0.5] if num_thresholds == 1 else [0.0, *inner, 1.0])
        self.value, self.num_thresholds, self.class_id = value, num_thresholds, class_id
        self.thresholds = self._limits
        setattr(self, self._LIMIT, value)

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels 0 and 1, predictions in [0, 1], and their weights."""
        limits, chosen = self._limits, self.class_id
        self._add(counts(y_true, y_pred, limits, self._dtype, sample_weight, class_id=chosen))

    def rate(self, kind: str) -> Any:
        """Return a rate for all thresholds: of two counts, the part that the first one is."""
        pairs = {
            "recall": ("true_positives", "false_negatives"),
            "specificity": ("true_negatives", "false_positives"),
            "precision": ("true_positives", "false_positives"),
        }
        first, second = (self._state(name) for name in pairs[kind])
        return divide_no_nan(first, first + second)

    def best(self, maximized: str, limited: str) -> Any:
        """Return the greatest of one rate where another one is large enough; 0 if none is."""
        return reduce_max(where(self.rate(limited) >= self.value, self.rate(maximized), 0.0))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {"class_id": self.class_id, "num_thresholds": self.num_thresholds}
        return {**super().get_config(), **arguments, self._LIMIT: self.value}


class SensitivityAtSpecificity(LimitedMetric):
    """Metric: the greatest sensitivity where the specificity is at least a value.

    ValueError unless the value is in [0, 1].
    """

    _LIMIT = "specificity"

    def __init__(
        self, specificity: float, num_thresholds: int = 200, class_id: int | None = None,
        name: str | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(specificity, num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        """Return the rate, a scalar."""
        return self.best("recall", "specificity")


class SpecificityAtSensitivity(LimitedMetric):
    """Metric: the greatest specificity where the sensitivity is at least a value.

    ValueError unless the value is in [0, 1].
    """

    _LIMIT = "sensitivity"

    def __init__(
        self, sensitivity: float, num_thresholds: int = 200, class_id: int | None = None,
        name: str | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(sensitivity, num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        """Return the rate, a scalar."""
        return self.best("specificity", "recall")


class PrecisionAtRecall(LimitedMetric):
    """Metric: the greatest precision where the recall is at least a value.

    ValueError unless the value is in [0, 1].
    """

    _LIMIT = "recall"

    def __init__(
        self, recall: float, num_thresholds: int = 200, class_id: int | None = None,
        name: str | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(recall, num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        """Return the rate, a scalar."""
        return self.best("precision", "recall")


class RecallAtPrecision(LimitedMetric):
    """Metric: the greatest recall where the precision is at least a value.

    ValueError unless the value is in [0, 1].
    """

    _LIMIT = "precision"

    def __init__(
        self, precision: float, num_thresholds: int = 200, class_id: int | None = None,
        name: str | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(precision, num_thresholds, class_id, name, dtype)

    def result(self) -> Any:
        """Return the rate, a scalar."""
        return self.best("recall", "precision")
