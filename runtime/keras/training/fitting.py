"""Runs of training, evaluation and prediction over batches.

Batches of arrays run many at once, as a loop in a graph, where nothing looks at single ones: a loop
over the full batches of an epoch, and one over the batch of the rows that are left.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from runtime.data.dataset import Dataset
from runtime.distribute.multi_worker import check_in_step
from runtime.distribute.values import DistributedValues
from runtime.keras.callbacks.callback import CallbackList
from runtime.keras.callbacks.history import History
from runtime.keras.training.batches import (
    ArrayBatches,
    Batch,
    Batches,
    SourceBatches,
    batches_of,
    unpack_x_y_sample_weight,
)
from runtime.keras.training.compiled import CompiledMetrics
from runtime.keras.training.progress import Progress
from runtime.keras.training.steps import ArraySteps, as_data, draws_numbers
from runtime.ops.array.constants import convert_to_tensor
from runtime.types import nest
from runtime.types.value import Value

SHOWN_EVERY = 0.25
"""Seconds of batches that run at once where their progress is shown."""


class FitArguments(NamedTuple):
    """Arguments of ``Model.fit``."""

    x: Any
    y: Any
    batch_size: int | None
    epochs: int
    verbose: Any
    callbacks: Any
    validation_split: float
    validation_data: Any
    shuffle: bool
    class_weight: dict[int, float] | None
    sample_weight: Any
    initial_epoch: int
    steps_per_epoch: int | None
    validation_steps: int | None
    validation_batch_size: int | None
    validation_freq: Any


def fit(model: Any, arguments: FitArguments) -> History:
    """Train a model for some epochs."""
    model._compiled  # noqa: B018 - raises before compile()
    check_in_step(model.distribute_strategy)
    train, validation = _data(arguments)
    callbacks = _callbacks(
        model, arguments.callbacks, arguments.epochs, train.steps, arguments.verbose
    )
    history = next(c for c in callbacks.callbacks if isinstance(c, History))
    model.stop_training = False
    model._initial_epoch = None
    callbacks.on_train_begin()  # where a callback that restores a run says how far that was
    first = arguments.initial_epoch if model._initial_epoch is None else model._initial_epoch
    logs: dict[str, Any] = {}
    for epoch in range(first, arguments.epochs):
        callbacks.on_epoch_begin(epoch)
        model.reset_metrics()
        title = f"Epoch {epoch + 1}/{arguments.epochs}"
        progress = Progress(arguments.verbose, train.steps, title)
        run = _Steps(model, "train", train, callbacks, progress, arguments.steps_per_epoch)
        logs = numbers(run.run())
        if validation is not None and _is_due(epoch, arguments.validation_freq):
            results = _evaluated(model, validation, callbacks, arguments.validation_steps)
            logs.update({f"val_{name}": value for name, value in results.items()})
        callbacks.on_epoch_end(epoch, logs)
        progress.finish(logs)
        if model.stop_training:
            break
    callbacks.on_train_end(logs)
    return history


def _data(arguments: FitArguments) -> tuple[Batches, Batches | None]:
    """Return the batches to train on, and those to validate on."""
    train = batches_of(
        arguments.x, arguments.y, arguments.sample_weight, arguments.batch_size,
        arguments.steps_per_epoch, arguments.shuffle, arguments.class_weight,
    )  # fmt: skip
    size = arguments.validation_batch_size or arguments.batch_size
    if arguments.validation_data is not None:  # each validation sees the same batches
        data = arguments.validation_data
        fields = data if isinstance(data, tuple) else (data,)
        batch = unpack_x_y_sample_weight(tuple(fields))
        restarts = isinstance(batch.x, Dataset) or hasattr(batch.x, "__len__")
        return train, batches_of(*batch, size, None if restarts else arguments.validation_steps)
    if not arguments.validation_split:
        return train, None
    if not isinstance(train, ArrayBatches):
        raise ValueError("validation_split needs arrays; give a dataset as validation_data")
    train, validation = train.split(arguments.validation_split)
    validation.batch_size = size or validation.batch_size
    return train, validation


def _is_due(epoch: int, frequency: Any) -> bool:
    if isinstance(frequency, int):
        return (epoch + 1) % frequency == 0
    return epoch + 1 in frequency


def _callbacks(
    model: Any, callbacks: Any, epochs: int, steps: int | None, verbose: Any
) -> CallbackList:
    if isinstance(callbacks, CallbackList):
        callback_list = callbacks
    else:
        callback_list = CallbackList(
            callbacks if isinstance(callbacks, list | tuple) or callbacks is None else [callbacks]
        )
    if not any(isinstance(callback, History) for callback in callback_list.callbacks):
        callback_list.append(History())
    callback_list.set_model(model)
    callback_list.set_params({"epochs": epochs, "steps": steps, "verbose": verbose})
    return callback_list


class _Steps:
    """Steps over the batches of an epoch."""

    def __init__(
        self, model: Any, mode: str, batches: Batches, callbacks: CallbackList,
        progress: Progress, limit: int | None = None,
    ) -> None:  # fmt: skip
        self._model = model
        self._mode = mode
        self._batches = batches
        self._callbacks = callbacks
        self._progress = progress
        self._limit = limit
        self._step = model._step(f"{mode}_step")

    def run(self) -> Any:
        """Make the steps; return the metrics after the last one."""
        batches = self._batches
        if (
            isinstance(batches, ArrayBatches) and batches.steps > 2
            and not (self._model.run_eagerly or self._callbacks.look_at_batches(self._mode))
            and not self._is_drawn_by_replicas(batches)
        ):  # fmt: skip
            return self._many(batches)
        logs: Any = None
        for number, batch in enumerate(self._limited(batches)):
            logs = self._one(number, batch)
            if self._model.stop_training and self._mode == "train":
                break
        if logs is None:
            raise ValueError(f"the data for {self._mode}ing has no batches")
        return logs

    def _is_drawn_by_replicas(self, batches: ArrayBatches) -> bool:
        """Return whether replicas draw random numbers, which XLA lets no loop on several devices.
        """
        if self._model.distribute_strategy.num_replicas_in_sync == 1:
            return False
        first = _tensors(as_data(batches.rows(slice(0, batches.batch_size))))
        return draws_numbers(self._step.get_concrete_function(first).graph)

    def _limited(self, batches: Batches) -> Iterator[Batch]:
        for number, batch in enumerate(batches.epoch()):
            if self._limit is not None and number >= self._limit:
                return
            yield batch

    def _one(self, number: int, batch: Batch) -> Any:
        tell = self._callbacks
        begin, end = f"on_{self._mode}_batch_begin", f"on_{self._mode}_batch_end"
        getattr(tell, begin)(number)
        logs = self._step(_tensors(as_data(batch)))
        if self._callbacks.look_at_batches(self._mode):
            getattr(tell, end)(number, numbers(logs))
        self._progress.advance(1, logs if self._progress.is_live else None)
        return logs

    def _many(self, batches: ArrayBatches) -> Any:
        """Make the steps of full batches, many at once, and the one of the rest."""
        order, size = batches.order(), batches.batch_size
        count = batches.steps if self._limit is None else min(self._limit, batches.steps)
        full = min(count, len(order) // size)
        data, rows = Batch(*_tensors(tuple(batches.data))), _tensors(order)
        run, logs = self._array_steps(size), None
        number, chunk = 0, 1 if self._progress.is_live else count
        while number < full:
            start = time.perf_counter()
            several = min(chunk, full - number)
            logs = run(data, rows, number, several)
            number += several
            if self._progress.is_live:
                self._progress.advance(several, logs)
                pace = max(time.perf_counter() - start, 1e-6) / several
                chunk = max(1, min(2 * chunk, int(SHOWN_EVERY / pace)))
        if full < count:
            last_rows = _tensors(order[full * size :])
            logs = self._array_steps(len(last_rows))(data, last_rows, 0, 1)
            self._progress.advance(1, logs if self._progress.is_live else None)
        return logs

    def _array_steps(self, size: int) -> ArraySteps:
        """Return the function for batches of a size, which is made once."""
        functions, key = self._model._functions, f"{self._mode} {size}"
        if key not in functions:
            functions[key] = ArraySteps(self._model, f"{self._mode}_step", size)
        return functions[key]


def _tensors(values: Any) -> Any:
    """Return a nest of arrays as one of tensors."""
    return nest.map_structure(
        lambda leaf: leaf if leaf is None or isinstance(leaf, Value | DistributedValues)
        else convert_to_tensor(leaf), values,
    )


def numbers(logs: Any) -> dict[str, Any]:
    """Return metrics as Python numbers, by name, those of dicts inside, too; arrays stay arrays."""
    by_name: dict[str, Any] = {}
    for name, value in sorted((logs or {}).items()):
        if isinstance(value, dict):
            by_name.update(numbers(value))
            continue
        array = np.asarray(value)
        by_name[name] = float(array) if array.ndim == 0 else array
    return by_name


def _evaluated(
    model: Any, batches: Batches, callbacks: CallbackList, steps: int | None,
    verbose: Any = 0,
) -> dict[str, Any]:  # fmt: skip
    """Return the metrics over batches."""
    callbacks.on_test_begin()
    model.reset_metrics()
    progress = Progress(verbose, batches.steps)
    logs = numbers(_Steps(model, "test", batches, callbacks, progress, steps).run())
    callbacks.on_test_end(logs)
    progress.finish(logs)
    return logs


def evaluate(
    model: Any, x: Any, y: Any, sample_weight: Any, batch_size: int | None, verbose: Any,
    steps: int | None, callbacks: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return the metrics of a model on data."""
    model._compiled  # noqa: B018 - raises before compile()
    batches = batches_of(x, y, sample_weight, batch_size, steps)
    told = _callbacks(model, callbacks, 1, batches.steps, verbose)
    return _evaluated(model, batches, told, steps, verbose)


def predict(
    model: Any, x: Any, batch_size: int | None, verbose: Any, steps: int | None, callbacks: Any
) -> Any:
    """Return the outputs of a model for inputs, as arrays."""
    batches = batches_of(x, None, None, batch_size, steps)
    told = _callbacks(model, callbacks, 1, batches.steps, verbose)
    progress, step = Progress(verbose, batches.steps), model._step("predict_step")
    told.on_predict_begin()
    all_outputs = []
    for number, batch in enumerate(batches.epoch()):
        if steps is not None and number >= steps:
            break
        told.on_predict_batch_begin(number)
        outputs = step(_tensors(as_data(batch)))
        all_outputs.append(nest.map_structure(lambda tensor: tensor.numpy(), outputs))
        told.on_predict_batch_end(number, {"outputs": outputs})
        progress.advance(1)
    if not all_outputs:
        raise ValueError("the data to predict for has no batches")
    joined = nest.map_structure(lambda *arrays: np.concatenate(arrays), *all_outputs)
    told.on_predict_end()
    progress.finish({})
    return joined


def one_batch(
    x: Any, y: Any, sample_weight: Any, class_weight: dict[int, float] | None
) -> Any:
    """Return one batch as a step takes it."""
    batches = batches_of(x, y, sample_weight, None, None, False, class_weight)
    if isinstance(batches, SourceBatches):
        raise ValueError("train_on_batch, test_on_batch and predict_on_batch take arrays")
    return _tensors(as_data(batches.data))


def results(model: Any, logs: Any, return_dict: bool) -> Any:
    """Return metrics as a dict, or as the only value or a list of values."""
    by_name = numbers(logs)
    return by_name if return_dict else listed(model, by_name)


def listed(model: Any, logs: dict[str, Any]) -> Any:
    """Return metrics as a list, in the order of ``Model.metrics``, then of names; or the only one.
    """
    names = []
    for metric in model.metrics:
        inside = metric.metrics if isinstance(metric, CompiledMetrics) else [metric]
        names += [inner.name for inner in inside]
    order = [name for name in names if name in logs]
    values = [logs[name] for name in [*order, *(name for name in logs if name not in order)]]
    return values[0] if len(values) == 1 else values
