"""``Trainer``: compile, fit, evaluate and predict, the part of a model that trains it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from runtime.autodiff.tape import GradientTape
from runtime.distribute.strategy import Strategy, get_strategy, has_strategy
from runtime.keras import optimizers
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.base.tracking import Opaque
from runtime.keras.metrics import Mean
from runtime.keras.replicas import scaled_loss, unscaled_loss
from runtime.keras.training import fitting
from runtime.keras.training.batches import unpack_x_y_sample_weight
from runtime.keras.training.compiled import CompiledMetrics
from runtime.keras.training.compiled_loss import CompiledLoss, sample_count
from runtime.keras.training.steps import step_function
from runtime.staging.conversion import converted_in_graph
from runtime.types import nest

if TYPE_CHECKING:
    from runtime.keras.callbacks.history import History

__all__ = ["Trainer"]


class _Compiled(Opaque):
    """What ``compile`` was given, and what was made of it."""

    def __init__(self, arguments: dict[str, Any], optimizer: Any) -> None:
        self.arguments = arguments
        self.optimizer = optimizer
        self.loss: CompiledLoss | None = None
        self.metrics: CompiledMetrics | None = None
        self.mean_loss = Mean(name="loss")
        self.functions: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles hold: functions of steps are made anew."""
        return {**vars(self), "functions": {}}


class Trainer(Layer):
    """Layer that can be trained; ``Model`` is one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.stop_training = False
        self._keras.strategy = get_strategy()

    @property
    def distribute_strategy(self) -> Strategy:
        """Strategy in whose scope the model was made or compiled, else the current one."""
        strategy: Strategy = getattr(self._keras, "strategy", None) or get_strategy()
        return strategy if strategy.num_replicas_in_sync > 1 else get_strategy()

    # -- compiling --------------------------------------------------------------------------------

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, loss_weights: Any = None,
        metrics: Any = None, weighted_metrics: Any = None, run_eagerly: bool = False,
        steps_per_execution: int = 1, jit_compile: Any = "auto", auto_scale_loss: bool = True,
    ) -> None:  # fmt: skip
        """Say how the model is trained.

        Args:
            optimizer: optimizer or its name.
            loss: loss, its name, a function of targets and outputs, or a list or dict of those,
                one for each output.
            loss_weights: factors of the outputs' losses, likewise.
            metrics: metrics, names ('accuracy' is the one that fits the targets) or functions.
            weighted_metrics: metrics that take sample weights into account.
            run_eagerly: whether steps run as plain Python.
            steps_per_execution: how many steps a call of the step function makes; as many as pay
                are made where nothing looks at single batches.
            jit_compile: whether steps become machine code: True insists, False forbids, 'auto' if
                that pays.
            auto_scale_loss: whether a ``LossScaleOptimizer`` applies the gradients of a model whose
                policy is ``mixed_float16``.

        Raises:
            ValueError: for names that are unknown.
        """
        arguments = {
            "optimizer": optimizer, "loss": loss, "loss_weights": loss_weights, "metrics": metrics,
            "weighted_metrics": weighted_metrics, "run_eagerly": run_eagerly,
            "steps_per_execution": steps_per_execution, "jit_compile": jit_compile,
        }  # fmt: skip
        applied = optimizers.get(optimizer)
        is_half = self.dtype_policy.name == "mixed_float16"
        if is_half and auto_scale_loss and not isinstance(applied, optimizers.LossScaleOptimizer):
            applied = optimizers.LossScaleOptimizer(applied, name="loss_scale_optimizer")
            arguments["optimizer"] = applied
        compiled = _Compiled(arguments, applied)
        names = getattr(self, "output_names", None)
        if loss is not None:
            compiled.loss = CompiledLoss(loss, loss_weights, names)
        if metrics is not None or weighted_metrics is not None:
            compiled.metrics = CompiledMetrics(metrics, weighted_metrics, names)
        self._keras.compiled = compiled
        if has_strategy():
            self._keras.strategy = get_strategy()
        self.stop_training = False

    @property
    def compiled(self) -> bool:
        """Whether ``compile`` was called."""
        return getattr(self._keras, "compiled", None) is not None

    @property
    def _compiled(self) -> _Compiled:
        compiled: _Compiled | None = getattr(self._keras, "compiled", None)
        if compiled is None:
            raise ValueError(
                f"You must call `compile()` before using the model {self.name!r} to train, "
                "evaluate, or fit."
            )
        return compiled

    @property
    def optimizer(self) -> Any:
        """Optimizer that ``compile`` was given; None before."""
        return self._compiled.optimizer if self.compiled else None

    @property
    def loss(self) -> Any:
        """Loss that ``compile`` was given; None before."""
        return self._compiled.arguments["loss"] if self.compiled else None

    @property
    def run_eagerly(self) -> bool:
        """Whether steps run as plain Python; setting it makes the functions of steps anew."""
        return bool(self.compiled and self._compiled.arguments["run_eagerly"])

    @run_eagerly.setter
    def run_eagerly(self, value: bool) -> None:
        self._compiled.arguments["run_eagerly"] = bool(value)
        self._functions.clear()

    @property
    def jit_compile(self) -> bool | None:
        """Whether steps become machine code; None if that pays."""
        argument = self._compiled.arguments["jit_compile"] if self.compiled else None
        return None if argument in ("auto", None) else bool(argument)

    def get_compile_config(self) -> dict[str, Any] | None:
        """Return the arguments of ``compile``, as plain values; None before."""
        if not self.compiled:
            return None
        from runtime.keras.serialization import serialize_keras_object

        config: dict[str, Any] = serialize_keras_object(self._compiled.arguments)
        return config

    def compile_from_config(self, config: dict[str, Any]) -> None:
        """Compile with the arguments of ``get_compile_config``."""
        from runtime.keras.serialization import deserialize_keras_object

        self.compile(**{k: deserialize_keras_object(v) for k, v in config.items()})
        if self.built:
            self.optimizer.build(self.trainable_variables)

    # -- steps ------------------------------------------------------------------------------------

    def train_step(self, data: Any) -> dict[str, Any]:
        """Train on a batch (x,), (x, y) or (x, y, sample_weight); return the metrics by name."""
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        with GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self._loss_of(x, y, y_pred, sample_weight, True)
            scaled = self.optimizer.scale_loss(loss)
        self._note_loss(loss, x)
        variables = self.trainable_weights
        if variables:
            self.optimizer.apply_gradients(zip(tape.gradient(scaled, variables), variables))
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def test_step(self, data: Any) -> dict[str, Any]:
        """Evaluate a batch; return the metrics by name."""
        x, y, sample_weight = unpack_x_y_sample_weight(data)
        y_pred = self(x, training=False)
        self._note_loss(self._loss_of(x, y, y_pred, sample_weight, False), x)
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def predict_step(self, data: Any) -> Any:
        """Return the outputs for a batch."""
        return self(unpack_x_y_sample_weight(data).x, training=False)

    def _loss_of(self, x: Any, y: Any, y_pred: Any, sample_weight: Any, training: bool) -> Any:
        """Return what ``compute_loss`` gives, also one without the parameter ``training``."""
        parameters = inspect.signature(self.compute_loss).parameters
        takes = "training" in parameters or any(
            parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()
        )
        kwargs = {"training": training} if takes else {}
        compute_loss = converted_in_graph(self.compute_loss, "compute_loss")
        return compute_loss(x, y, y_pred, sample_weight, **kwargs)

    def _note_loss(self, loss: Any, x: Any) -> None:
        """Add the loss of a batch to the mean, where it counts by the number of samples."""
        count = sample_count(next(leaf for leaf in nest.flatten(x) if leaf is not None))
        self._compiled.mean_loss.update_state(unscaled_loss(loss), sample_weight=count)

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None,
        training: bool = True,
    ) -> Any:  # fmt: skip
        """Return the loss of a batch: that of ``compile`` and those that layers added.

        ValueError where there is none.
        """
        losses = [scaled_loss(loss) for loss in self.losses]
        compiled = self._compiled.loss
        if compiled is not None and y is not None:
            losses.insert(0, compiled(y, y_pred, sample_weight))
        elif compiled is not None and not losses:
            raise ValueError("the data has no targets: give `y`, or items (x, y)")
        if not losses:
            raise ValueError("No loss to compute. Provide a `loss` argument in `compile()`.")
        total = losses[0]
        for loss in losses[1:]:
            total = total + loss
        return total

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Add a batch to the metrics of ``compile``; return all metrics by name."""
        metrics = self._compiled.metrics
        if metrics is not None and y is not None:
            metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def get_metrics_result(self) -> dict[str, Any]:
        """Return the results of all metrics by name."""
        compiled, results = self._compiled, {}
        layer_metrics = super().metrics
        if compiled.mean_loss is not None:
            results["loss"] = compiled.mean_loss.result()
        for metric in [*(compiled.loss.means if compiled.loss else []), *layer_metrics]:
            result = metric.result()
            results.update(result if isinstance(result, dict) else {metric.name: result})
        if compiled.metrics is not None:
            results.update(compiled.metrics.result())
        return results

    @property
    def metrics(self) -> list[Any]:
        """Mean loss, ``compile_metrics``, mean losses of outputs, metrics of the model's layers.

        ``compile_metrics`` is one metric, whose result is a dict: it makes the metrics of
        ``compile`` when it sees the first targets and outputs.
        """
        layer_metrics: list[Any] = list(super().metrics)
        if not self.compiled:
            return layer_metrics
        compiled = self._compiled
        losses = compiled.loss.means if compiled.loss else []
        compile_metrics = [compiled.metrics] if compiled.metrics else []
        return [compiled.mean_loss, *compile_metrics, *losses, *layer_metrics]

    @property
    def metrics_names(self) -> list[str]:
        """Names of the metrics."""
        return [metric.name for metric in self.metrics]

    def reset_metrics(self) -> None:
        """Make all metrics begin anew."""
        for metric in self.metrics:
            metric.reset_state()

    # -- whole runs -------------------------------------------------------------------------------

    def fit(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, epochs: int = 1,
        verbose: Any = "auto", callbacks: Any = None, validation_split: float = 0.0,
        validation_data: Any = None, shuffle: bool = True,
        class_weight: dict[int, float] | None = None, sample_weight: Any = None,
        initial_epoch: int = 0, steps_per_epoch: int | None = None,
        validation_steps: int | None = None, validation_batch_size: int | None = None,
        validation_freq: Any = 1,
    ) -> History:  # fmt: skip
        """Train the model for some epochs; return the ``History`` of its metrics.

        Args:
            x: inputs: an array, a nest of arrays, a dataset, a sequence of batches or a generator.
            y: targets, with arrays.
            batch_size: number of samples of a batch, 32 by default.
            epochs: number of the epoch to stop before.
            verbose: 0 is quiet, 1 a progress bar, 2 a line for each epoch; 'auto' is 1.
            callbacks: callbacks.
            validation_split: share of the arrays, their last rows, to validate on.
            validation_data: (x, y), (x, y, sample_weight) or a dataset to validate on.
            shuffle: whether the rows of arrays come in another order in each epoch.
            class_weight: weight of each class.
            sample_weight: weight of each sample.
            initial_epoch: number of the first epoch.
            steps_per_epoch: number of batches of an epoch.
            validation_steps: number of batches to validate on.
            validation_batch_size: number of samples of their batches.
            validation_freq: after how many epochs, or after which, to validate.

        Returns:
            ``History``, whose ``history`` maps names of metrics to lists, one entry an epoch.

        Raises:
            ValueError: before ``compile``, for data whose parts do not fit, for no data.
        """
        return fitting.fit(self, fitting.FitArguments(
            x, y, batch_size, epochs, verbose, callbacks, validation_split, validation_data,
            shuffle, class_weight, sample_weight, initial_epoch, steps_per_epoch, validation_steps,
            validation_batch_size, validation_freq,
        ))  # fmt: skip

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: Any = "auto",
        sample_weight: Any = None, steps: int | None = None, callbacks: Any = None,
        return_dict: bool = False, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Return the metrics on data: the loss, or a list, or a dict with ``return_dict``.

        Arguments and errors are those of ``fit``.
        """
        logs = fitting.evaluate(
            self, x, y, sample_weight, batch_size, verbose, steps, callbacks
        )
        if return_dict:
            return logs
        return fitting.listed(self, logs)

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: Any = "auto",
        steps: int | None = None, callbacks: Any = None,
    ) -> Any:  # fmt: skip
        """Return the outputs for inputs, batch by batch, as NumPy arrays."""
        return fitting.predict(self, x, batch_size, verbose, steps, callbacks)

    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None,
        class_weight: dict[int, float] | None = None, return_dict: bool = False,
    ) -> Any:  # fmt: skip
        """Train on one batch; return the metrics, as ``evaluate`` does."""
        batch = fitting.one_batch(x, y, sample_weight, class_weight)
        self.reset_metrics()
        return fitting.results(self, self._step("train_step")(batch), return_dict)

    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False
    ) -> Any:
        """Evaluate one batch; return the metrics, as ``evaluate`` does."""
        batch = fitting.one_batch(x, y, sample_weight, None)
        self.reset_metrics()
        return fitting.results(self, self._step("test_step")(batch), return_dict)

    def predict_on_batch(self, x: Any) -> Any:
        """Return the outputs for one batch as NumPy arrays."""
        outputs = self._step("predict_step")(fitting.one_batch(x, None, None, None))
        return nest.map_structure(lambda tensor: tensor.numpy(), outputs)

    def _step(self, name: str) -> Any:
        """Return the function that makes a step; it is made once for each call of ``compile``."""
        functions = self._functions
        if name not in functions:
            functions[name] = step_function(self, getattr(self, name))
        return functions[name]

    @property
    def _functions(self) -> dict[str, Any]:
        """Functions that were made for the model as it is compiled, or for predictions before."""
        if self.compiled:
            return self._compiled.functions
        functions: dict[str, Any] | None = getattr(self._keras, "functions", None)
        if functions is None:
            functions = self._keras.functions = {}
        return functions
