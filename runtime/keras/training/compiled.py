"""What ``compile`` makes of metrics: functions of targets, outputs and weights."""

from __future__ import annotations

from collections import Counter
from typing import Any

from runtime.keras import metrics as metrics_module
from runtime.keras.metrics import MeanMetricWrapper, Metric
from runtime.keras.training.compiled_loss import CROSSENTROPY, sort_of
from runtime.keras.training.structures import by_output, flat_outputs, is_deep, matched


def _checked_metrics(metrics: Any, name: str) -> Any:
    if metrics is not None and not isinstance(metrics, list | tuple | dict):
        raise ValueError(
            f"Expected `{name}` argument to be a list, tuple, or dict. Received instead: "
            f"{name}={metrics} of type {type(metrics)}"
        )
    return metrics


class CompiledMetrics:
    """The metrics of the outputs: those without, and those with sample weights.

    In ``Model.metrics`` it is a metric, so that a ``train_step`` can update all of them in turn.
    """

    name = "compile_metrics"

    def __init__(self, metrics: Any, weighted: Any, output_names: list[str] | None) -> None:
        self._given = _checked_metrics(metrics, "metrics")
        self._given_weighted = _checked_metrics(weighted, "weighted_metrics")
        self._names = output_names
        self._plain: list[list[Metric]] | None = None
        self._weighted: list[list[Metric]] = []
        self._labels: list[str] = []

    @property
    def metrics(self) -> list[Metric]:
        """All metrics."""
        return [metric for metrics in [*(self._plain or []), *self._weighted] for metric in metrics]

    def _make(self, targets: list[Any], y_pred: Any) -> None:
        outputs = flat_outputs(y_pred)
        names = self._names
        if isinstance(y_pred, dict) and not is_deep(y_pred):
            names = list(y_pred)
        several = len(outputs) > 1
        self._labels = [
            (names[number] if names else f"output_{number}") if several else ""
            for number in range(len(outputs))
        ]

        def made(metrics: Any, argument: str) -> list[list[Metric]]:
            if not several:
                metrics = next(iter(metrics.values())) if isinstance(metrics, dict) else metrics
                per_output = [metrics]
            else:
                per_output = by_output(
                    metrics, y_pred, names, f"Invalid `{argument}`: a metric"
                )
            return [
                _metrics(metric, target, output)
                for metric, target, output in zip(per_output, targets, outputs, strict=True)
            ]

        self._plain, self._weighted = (
            made(self._given, "metrics"), made(self._given_weighted, "weighted_metrics")
        )  # fmt: skip

    def update_state(self, y: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add the results of a batch."""
        targets = matched(y, y_pred, self._names, "a target")
        if self._plain is None:
            self._make(targets, y_pred)
        weights = matched(sample_weight, y_pred, self._names, "a sample weight")
        outputs = flat_outputs(y_pred)
        if len(weights) == 1:
            weights = weights * len(outputs)
        for plain, weighted, target, output, weight in zip(
            self._plain or (), self._weighted, targets, outputs, weights, strict=True
        ):
            for metric in plain:
                metric.update_state(target, output)
            for metric in weighted:
                metric.update_state(target, output, sample_weight=weight)

    @property
    def variables(self) -> list[Any]:
        """Variables of all metrics."""
        return [variable for metric in self.metrics for variable in metric.variables]

    def reset_state(self) -> None:
        """Make all metrics begin anew."""
        for metric in self.metrics:
            metric.reset_state()

    def result(self) -> dict[str, Any]:
        """Return the results by name; with several outputs, that of the output comes first."""
        results: dict[str, Any] = {}
        times: Counter[str] = Counter()
        for several, again in (self._plain or [], ""), (self._weighted, "weighted_"):
            for label, metrics in zip(self._labels, several, strict=True):
                before = f"{label}_" if label else ""
                for metric in metrics:
                    name = f"{before}{metric.name}"
                    if again and times[name]:
                        name = f"{before}{again}{metric.name}"
                    number = times[name]
                    times[name] += 1
                    results[f"{name}_{number}" if number else name] = metric.result()
        return results


_ACCURACY = ("accuracy", "acc")


def _metrics(metrics: Any, target: Any, output: Any) -> list[Metric]:
    if metrics is None:
        return []
    if isinstance(metrics, list | tuple):
        return [metric for entry in metrics for metric in _metrics(entry, target, output)]
    return [_metric(metrics, target, output)]


def _metric(description: Any, target: Any, output: Any) -> Metric:
    """Return the metric for what ``compile`` was given: a metric, its name, or a function."""
    if isinstance(description, Metric):
        return description
    if isinstance(description, str) and description in _ACCURACY + CROSSENTROPY:
        kind = "Accuracy" if description in _ACCURACY else "Crossentropy"
        metric: Metric = getattr(metrics_module, sort_of(target, output) + kind)(name=description)
        return metric
    metric = metrics_module.get(description)
    if isinstance(metric, Metric):
        if isinstance(description, str):
            metric.name = description
        return metric
    name = (
        description
        if isinstance(description, str)
        else getattr(metric, "__name__", "metric").strip("<>")
    )
    return MeanMetricWrapper(metric, name=name)
