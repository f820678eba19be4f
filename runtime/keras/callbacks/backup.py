"""``BackupAndRestore``: a run of ``fit`` that was interrupted goes on, with the same numbers."""

from __future__ import annotations

import contextlib
import json
import os
import random
from typing import Any

import numpy as np

from runtime.keras.callbacks.callback import Callback
from runtime.ops.random_seed import current_random_state
from runtime.train.tensor_file import TensorFile, write_tensors
from runtime.train.tracking import variables_of
from runtime.types.atomic_files import make_synced_folder
from runtime.types.chief import is_chief
from runtime.types.errors import DataLossError

__all__ = ["BackupAndRestore"]

_FORMAT, _FILE, _OLDER = "runtime:backup", "training.safetensors", "training.previous.safetensors"


class BackupAndRestore(Callback):
    """Write the state of the training to a file; ``fit`` of an equal model goes on from there.

    The state is the variables of the model and of its optimizer, the number of the epoch, and the
    generators of random numbers of the runtime, Python and NumPy: orders of shuffled rows and masks
    of dropout go on where they stopped.  With ``jit_compile=True`` or ``False``, a run restored at
    the end of an epoch has the weights of one that nothing interrupted, bit for bit.

    In a job of several processes the first one writes it, and all go on from there.

    A backup between batches (``save_freq`` is a number) is restored to the beginning of its epoch,
    as in Keras: its first batches are seen twice.  States of other callbacks, generators of data,
    and datasets shuffled with a seed of their own are not restored; a dataset shuffled without
    one is.

    Args:
        backup_dir: directory of the backup, of this run alone; it is made.
        save_freq: 'epoch', or a number of batches.
        double_checkpoint: whether the backup before the last one is kept, too.
        delete_checkpoint: whether a run that ends removes its backup.

    Raises:
        ValueError: for arguments of other kinds; in ``fit``, for a model without weights yet, or
            a backup of another model.
        OpError: in ``fit``, the one that fits the error of the file system; DataLossError for a
            damaged file.
    """

    def __init__(
        self, backup_dir: str | os.PathLike[str], save_freq: Any = "epoch",
        double_checkpoint: bool = False, delete_checkpoint: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if not backup_dir:
            raise ValueError("Empty `backup_dir` argument passed")
        is_count = isinstance(save_freq, int) and not isinstance(save_freq, bool) and save_freq > 0
        if save_freq != "epoch" and not is_count:
            raise ValueError(
                "Invalid value for argument `save_freq`: it must be 'epoch' or a positive number "
                f"of batches. Received: save_freq={save_freq!r}"
            )
        self.backup_dir = os.fspath(backup_dir)
        self.save_freq = save_freq
        self.double_checkpoint = double_checkpoint
        self.delete_checkpoint = delete_checkpoint
        self._epoch = self._batches = 0
        self._path = os.path.join(self.backup_dir, _FILE)
        self._older = os.path.join(self.backup_dir, _OLDER)
        if save_freq != "epoch":  # an own attribute, so that other runs need not stop at batches
            self.on_train_batch_end = self._after_batch  # type: ignore[method-assign]

    def on_train_begin(self, logs: Any = None) -> None:
        """Restore the training, if there is a backup."""
        if not self.model.built:
            raise ValueError(
                f"BackupAndRestore needs the weights of the model {self.model.name!r} before "
                "fit(): give it an Input, call it, or build() it"
            )
        if os.path.exists(self._path):
            self._restore(self._path)
        elif os.path.exists(self._older):
            self._restore(self._older)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Note the number of the epoch."""
        self._epoch = epoch

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write the backup."""
        self._epoch = epoch + 1
        if self.save_freq == "epoch":
            self._save()

    def _after_batch(self, batch: int, logs: Any = None) -> None:
        self._batches += 1
        if self._batches % self.save_freq == 0:
            self._save()

    def on_train_end(self, logs: Any = None) -> None:
        """Remove the backup."""
        if self.delete_checkpoint and is_chief():
            for path in (self._path, self._older):
                with contextlib.suppress(FileNotFoundError):
                    os.remove(path)
            with contextlib.suppress(OSError):  # files of others stay, and their directory
                os.rmdir(self.backup_dir)

    def _variables(self) -> dict[str, Any]:
        optimizer = self.model.optimizer
        if not optimizer.built:
            optimizer.build(self.model.trainable_variables)
        return variables_of(self.model)[0]

    def _save(self) -> None:
        if not is_chief():
            return
        version, internal, gauss = random.getstate()
        name, key, position, has_gauss, cached = np.random.get_state()
        state = {
            "epoch": self._epoch, "random": current_random_state().snapshot(),
            "python": [version, list(internal), gauss],
            "numpy": [name, np.asarray(key).tolist(), position, has_gauss, cached],
        }  # fmt: skip
        values = {path: variable.numpy() for path, variable in self._variables().items()}
        make_synced_folder(self.backup_dir)
        if self.double_checkpoint and os.path.exists(self._path):
            os.replace(self._path, self._older)
        write_tensors(self._path, values, {"format": _FORMAT, "state": json.dumps(state)})

    def _restore(self, path: str) -> None:
        file = TensorFile(path)
        if file.metadata.get("format") != _FORMAT or not file.has_checksum:
            raise DataLossError(f"{path}; these are tensors, but no backup of a training")
        values, variables = file.read_all(), self._variables()
        faults = sorted(set(values) ^ set(variables)) or [
            key for key, variable in variables.items()
            if tuple(variable.shape.as_list()) != values[key].shape
        ]  # fmt: skip
        if faults:
            raise ValueError(
                f"{path} is the backup of another model than {self.model.name!r}: {faults[0]!r} "
                "differs; give each run a backup_dir of its own"
            )
        try:
            state = json.loads(file.metadata["state"])
            version, internal, gauss = state["python"]
            random.setstate((version, tuple(internal), gauss))
            np.random.set_state(tuple(state["numpy"]))
            current_random_state().restore(state["random"])
            self.model._initial_epoch = int(state["epoch"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataLossError(f"{path}; its state of the run is not readable: {error}") from None
        for key, variable in variables.items():
            variable.assign(values[key].astype(variable.dtype.as_numpy_dtype, copy=False))
