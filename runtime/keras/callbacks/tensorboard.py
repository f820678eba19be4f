"""``TensorBoard``: the metrics, weights and the model, written to event files."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

import numpy as np

from runtime.keras.callbacks.callback import Callback
from runtime.summaries import summaries
from runtime.summaries.messages import metadata
from runtime.summaries.writers import SummaryWriter, create_file_writer, record_if

__all__ = ["TensorBoard"]


class TensorBoard(Callback):
    """Write metrics for TensorBoard, to the folders ``train`` and ``validation`` of ``log_dir``.

    While ``fit`` runs batch by batch or an ``update_freq`` is given, the functions of
    ``runtime.summary`` that a model calls in its own steps write there, too.

    Args:
        log_dir: the folder.
        histogram_freq: number of epochs after which the weights are written; 0: never.
        write_graph: whether the layers of the model are written, for the page "Graphs".
        write_images: whether weights are written as images, too, with the histograms.
        write_steps_per_second: whether the number of steps per second is written.
        update_freq: 'epoch', 'batch', or a number of batches after which their metrics are written.
        profile_batch: only 0; ``runtime.profiler.trace`` profiles.
        embeddings_freq: only 0.
        embeddings_metadata: only None.

    Raises:
        ValueError: for another ``update_freq``.
        NotImplementedError: for profiles and embeddings.
    """

    def __init__(
        self, log_dir: str | os.PathLike[str] = "logs", histogram_freq: int = 0,
        write_graph: bool = True, write_images: bool = False,
        write_steps_per_second: bool = False, update_freq: Any = "epoch", profile_batch: Any = 0,
        embeddings_freq: int = 0, embeddings_metadata: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if profile_batch or embeddings_freq or embeddings_metadata is not None:
            raise NotImplementedError(
                "TensorBoard: profile_batch and embeddings are not offered; profile with "
                "runtime.profiler.trace, and save embeddings with model.save_weights"
            )
        if update_freq == "batch":
            update_freq = 1
        if update_freq != "epoch" and not (isinstance(update_freq, int) and update_freq > 0):
            raise ValueError(
                "update_freq must be 'epoch', 'batch' or a positive number of batches, got "
                f"{update_freq!r}"
            )
        self.log_dir = os.fspath(log_dir)
        self.histogram_freq = histogram_freq
        self.write_graph = write_graph
        self.write_images = write_images
        self.write_steps_per_second = write_steps_per_second
        self.update_freq = update_freq
        self._writers: dict[str, SummaryWriter] = {}
        self._during_fit = contextlib.ExitStack()
        self._batches = 0
        if update_freq != "epoch":
            self.on_train_batch_begin = self._before_batch  # type: ignore[method-assign]
            self.on_train_batch_end = self._after_batch  # type: ignore[method-assign]

    def _writer(self, name: str) -> SummaryWriter:
        """Return the writer to a folder, which is made when it is first used."""
        if name not in self._writers:
            self._writers[name] = create_file_writer(os.path.join(self.log_dir, name))
        return self._writers[name]

    def on_train_begin(self, logs: Any = None) -> None:
        """Write the model, and make the default writer."""
        self._batches = 0
        if self.write_graph and getattr(self.model, "layers", None):
            self._write_model()
        if self.update_freq != "epoch":
            self._during_fit.enter_context(self._writer("train").as_default(0))
            self._during_fit.enter_context(record_if(self._is_recorded))

    def _write_model(self) -> None:
        """Write the model's description, if it has one: a subclass need not."""
        with contextlib.suppress(NotImplementedError, TypeError):
            description = self.model.to_json()
            with self._writer("train").as_default(0):
                summaries.write(
                    "keras", np.array(description.encode(), object), step=0,
                    metadata=metadata("graph_keras_model", content=b"1"),
                )  # fmt: skip

    def _is_recorded(self) -> bool:
        return self._batches % int(self.update_freq) == 0

    def _before_batch(self, batch: int, logs: Any = None) -> None:
        self._batches += 1
        self._began = time.perf_counter()

    def _after_batch(self, batch: int, logs: Any = None) -> None:
        values = dict(logs or {})
        if self.write_steps_per_second:
            values["steps_per_second"] = 1 / max(time.perf_counter() - self._began, 1e-9)
        for name, value in values.items():
            summaries.scalar(f"batch_{name}", value, step=self._batches)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Note the time and the number of steps."""
        self._epoch_began = time.perf_counter()
        self._steps_before = self._iterations()

    def _iterations(self) -> int:
        return int(getattr(self.model.optimizer, "iterations", 0))

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write the metrics, and the weights if it is their turn."""
        values = dict(logs or {})
        validation = {k.removeprefix("val_"): values.pop(k) for k in [*values] if k[:4] == "val_"}
        if hasattr(self.model.optimizer, "learning_rate"):
            values["learning_rate"] = float(self.model.optimizer.learning_rate)
        if self.write_steps_per_second:
            seconds = max(time.perf_counter() - self._epoch_began, 1e-9)
            values["steps_per_second"] = (self._iterations() - self._steps_before) / seconds
        self._write_scalars("train", {f"epoch_{k}": v for k, v in values.items()}, epoch)
        if validation:
            scalars = {f"epoch_{k}": v for k, v in validation.items()}
            self._write_scalars("validation", scalars, epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            with self._writer("train").as_default(epoch), record_if(True):
                self._write_weights()
        for writer in self._writers.values():
            writer.flush()

    def _write_scalars(self, folder: str, values: dict[str, Any], step: int) -> None:
        with self._writer(folder).as_default(step), record_if(True):
            for name, value in values.items():
                summaries.scalar(name, value)

    def _write_weights(self) -> None:
        for layer in self.model.layers:
            for weight in layer.weights:
                name = getattr(weight, "path", weight.name).replace(":", "_")
                summaries.histogram(f"{name}/histogram", weight)
                picture = _as_pictures(weight.numpy()) if self.write_images else None
                if picture is not None:
                    summaries.image(f"{name}/image", picture)

    def on_test_end(self, logs: Any = None) -> None:
        """Write the metrics of the evaluation by the number of training steps."""
        scalars = {f"evaluation_{k}_vs_iterations": v for k, v in (logs or {}).items()}
        self._write_scalars("validation", scalars, self._iterations())

    def on_train_end(self, logs: Any = None) -> None:
        """Close the files."""
        self._during_fit.close()
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()


def _as_pictures(weight: Any) -> Any:
    """Return an array of up to three axes as images of shape [k, height, width, 1]; else None."""
    array = np.squeeze(weight)
    if array.ndim == 1:
        return array.reshape(1, -1, 1, 1)
    if array.ndim == 2:
        wide = array.T if array.shape[0] > array.shape[1] else array
        return wide[None, :, :, None]
    if array.ndim == 3:
        return array.transpose(2, 0, 1)[..., None]
    return None
