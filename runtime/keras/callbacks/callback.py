"""``Callback``: what is told of the beginning and end of runs, epochs and batches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["Callback", "CallbackList"]


class Callback:
    """Object that ``fit``, ``evaluate`` and ``predict`` tell where they are; to be subclassed.

    ``model`` is the model, ``params`` has 'epochs', 'steps' and 'verbose'.  Methods get the number
    of the epoch or batch, and ``logs``, the metrics by name; setting ``model.stop_training`` there
    ends the training after the epoch.
    """

    def __init__(self) -> None:
        self.params: dict[str, Any] | None = None
        self._model: Any = None

    @property
    def model(self) -> Any:
        """The model; None before a run."""
        return self._model

    def set_params(self, params: dict[str, Any]) -> None:
        """Take the parameters of the run."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Take the model of the run."""
        self._model = model

    def on_train_begin(self, logs: Any = None) -> None:
        """Training begins."""

    def on_train_end(self, logs: Any = None) -> None:
        """Training ends."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """An epoch begins."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """An epoch ends; names that begin with 'val_' are those of the validation."""

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Begin a batch of training: an older name of ``on_train_batch_begin``."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """End a batch of training: an older name of ``on_train_batch_end``."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Begin a batch of training."""
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """End a batch of training."""
        self.on_batch_end(batch, logs)

    def on_test_begin(self, logs: Any = None) -> None:
        """Evaluation begins."""

    def on_test_end(self, logs: Any = None) -> None:
        """Evaluation ends."""

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Begin a batch of the evaluation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """End a batch of the evaluation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Prediction begins."""

    def on_predict_end(self, logs: Any = None) -> None:
        """Prediction ends."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Begin a batch of the prediction."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """End a batch of the prediction."""


_BATCH_METHODS = {
    "train": ("on_batch_begin", "on_batch_end", "on_train_batch_begin", "on_train_batch_end"),
    "test": ("on_test_batch_begin", "on_test_batch_end"),
    "predict": ("on_predict_batch_begin", "on_predict_batch_end"),
}


class CallbackList(Callback):
    """Callbacks that are told everything one after the other."""

    def __init__(
        self, callbacks: Iterable[Any] | None = None, model: Any = None, **params: Any
    ) -> None:
        super().__init__()
        self.callbacks: list[Any] = []
        for callback in callbacks or ():
            for method in ("set_model", "set_params", "on_epoch_end"):
                if not hasattr(callback, method):
                    raise TypeError(
                        f"a callback must be a keras.callbacks.Callback, got {callback!r} of type "
                        f"{type(callback).__name__}"
                    )
            self.append(callback)
        self.set_params(params)
        if model is not None:
            self.set_model(model)

    def append(self, callback: Any) -> None:
        """Add a callback."""
        self.callbacks.append(callback)

    def set_params(self, params: dict[str, Any]) -> None:
        """Pass the parameters on."""
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Pass the model on."""
        self._model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def look_at_batches(self, mode: str) -> bool:
        """Return whether some callback is to be told of batches of ``mode``."""
        for callback in self.callbacks:
            for name in _BATCH_METHODS[mode]:
                method = getattr(type(callback), name, None)
                if name in vars(callback) or method is not getattr(Callback, name):
                    return True
        return False


def _passed_on(name: str) -> Any:
    place = 1 if "batch" in name or "epoch" in name else 0

    def tell(self: CallbackList, *args: Any, logs: Any = None) -> None:
        if len(args) > place:
            args, logs = args[:place], args[place]
        for callback in self.callbacks:
            getattr(callback, name)(*args, {} if logs is None else logs)

    tell.__name__, tell.__doc__ = name, getattr(Callback, name).__doc__
    return tell


for _name in [name for name in vars(Callback) if name.startswith("on_")]:
    setattr(CallbackList, _name, _passed_on(_name))
