"""What ``compile`` makes of losses and metrics: functions of targets, outputs and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from runtime.keras import losses as losses_module
from runtime.keras import metrics as metrics_module
from runtime.keras.losses.loss import Loss, LossFunctionWrapper
from runtime.keras.metrics import Mean, MeanMetricWrapper, Metric
from runtime.keras.training.structures import by_output, flat_outputs, is_deep, matched
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import shape as shape_of


class CompiledLoss:
    """The losses of the outputs, added up with their weights.

    ``means`` has the mean of each output's loss in an epoch, where there are several losses.
    """

    def __init__(self, loss: Any, loss_weights: Any, output_names: list[str] | None) -> None:
        self._given = loss
        self._weights = loss_weights
        self._names = output_names
        self._losses: list[Callable[..., Any] | None] | None = None
        self.means: list[Mean] = []
        self._factors: list[Any] = []

    def _make(self, outputs: Any) -> list[Callable[..., Any] | None]:
        given = by_output(self._given, outputs, self._names, "a loss")
        self._losses = [_loss(one) for one in given]
        self._factors = by_output(self._weights, outputs, self._names, "a loss weight")
        count = sum(loss is not None for loss in self._losses)
        if not count:
            raise ValueError("no loss is given for any output")
        if count > 1:
            names = self._names
            if isinstance(outputs, dict) and not is_deep(outputs):
                names = names or list(outputs)
            labels = names or [f"output_{number}" for number in range(len(given))]
            self.means = [
                Mean(name=f"{label}_loss")
                for label, loss in zip(labels, self._losses, strict=True) if loss is not None
            ]  # fmt: skip
        return self._losses

    def __call__(self, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Return the sum of the losses; ValueError where the targets do not fit the outputs."""
        losses = self._make(y_pred) if self._losses is None else self._losses
        outputs = flat_outputs(y_pred)
        targets = matched(y, y_pred, self._names, "a target")
        weights = matched(sample_weight, y_pred, self._names, "a sample weight")
        if len(weights) == 1:
            weights = weights * len(outputs)
        total, means = None, iter(self.means)
        for loss, target, output, weight, factor in zip(
            losses, targets, outputs, weights, self._factors, strict=True
        ):
            if loss is None:
                continue
            found = loss(target, output, weight)
            if self.means:
                next(means).update_state(found, sample_weight=sample_count(output))
            if factor is not None:
                found = found * factor
            total = found if total is None else total + found
        return total


def sample_count(output: Any) -> Any:
    """Return the number of samples of a batch; None where there is no axis of it."""
    return cast(shape_of(output)[0], "float32") if output.shape.rank else None


def _loss(given: Any) -> Callable[..., Any] | None:
    """Return the loss for what ``compile`` was given, also as the only entry of a list."""
    if isinstance(given, list | tuple) and len(given) == 1:
        (given,) = given
    found = losses_module.get(given)
    if found is None or isinstance(found, Loss):
        return found
    return LossFunctionWrapper(found, name=getattr(found, "__name__", None))


def _checked_metrics(given: Any, name: str) -> Any:
    if given is not None and not isinstance(given, list | tuple | dict):
        raise ValueError(
            f"Expected `{name}` argument to be a list, tuple, or dict. Received instead: "
            f"{name}={given} of type {type(given)}"
        )
    return given


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
        return [one for several in [*(self._plain or []), *self._weighted] for one in several]

    def _make(self, targets: list[Any], y_pred: Any) -> None:
        outputs = flat_outputs(y_pred)
        names = self._names
        if isinstance(y_pred, dict) and not is_deep(y_pred):
            names = names or list(y_pred)
        several = len(outputs) > 1
        self._labels = [
            (names[number] if names else f"output_{number}") if several else ""
            for number in range(len(outputs))
        ]

        def made(given: Any) -> list[list[Metric]]:
            if not several:
                given = next(iter(given.values())) if isinstance(given, dict) else given
                per_output = [given]
            else:
                per_output = by_output(given, y_pred, names, "a metric")
            return [
                _metrics(one, target, output)
                for one, target, output in zip(per_output, targets, outputs, strict=True)
            ]

        self._plain, self._weighted = made(self._given), made(self._given_weighted)

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
        found: dict[str, Any] = {}
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
                    found[f"{name}_{number}" if number else name] = metric.result()
        return found


_ACCURACY = ("accuracy", "acc")
_CROSSENTROPY = ("crossentropy", "ce")


def _metrics(given: Any, target: Any, output: Any) -> list[Metric]:
    if given is None:
        return []
    if isinstance(given, list | tuple):
        return [found for one in given for found in _metrics(one, target, output)]
    return [_metric(given, target, output)]


def _metric(given: Any, target: Any, output: Any) -> Metric:
    """Return the metric for what ``compile`` was given: a metric, its name, or a function."""
    if isinstance(given, Metric):
        return given
    if isinstance(given, str) and given in _ACCURACY + _CROSSENTROPY:
        kind = "Accuracy" if given in _ACCURACY else "Crossentropy"
        found: Metric = getattr(metrics_module, _sort_of(target, output) + kind)(name=given)
        return found
    found = metrics_module.get(given)
    if isinstance(found, Metric):
        if isinstance(given, str):
            found.name = given
        return found
    name = given if isinstance(given, str) else getattr(found, "__name__", "metric").strip("<>")
    return MeanMetricWrapper(found, name=name)


def _sort_of(target: Any, output: Any) -> str:
    """Return which accuracy the shapes of targets and outputs ask for."""
    if output.shape.rank and output.shape[-1] == 1:
        return "Binary"
    rank = target.shape.rank
    if rank is not None and output.shape.rank is not None:
        if rank < output.shape.rank or (rank and target.shape[-1] == 1):
            return "SparseCategorical"
    return "Categorical"
