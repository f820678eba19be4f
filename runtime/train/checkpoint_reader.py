"""Reading of checkpoints without objects to restore."""

from __future__ import annotations

import os
from typing import Any

from runtime.train.checkpoint import checkpoint_file
from runtime.train.checkpoint_state import latest_checkpoint
from runtime.train.tensor_bundle import INDEX, VALUE, TensorBundle
from runtime.train.tensor_file import TensorFile
from runtime.types.dtypes import DType, as_dtype
from runtime.types.errors import NotFoundError

__all__ = ["CheckpointReader", "list_variables", "load_checkpoint", "load_variable"]


class CheckpointReader:
    """Values of a checkpoint by key, without objects to restore; also of TensorFlow's own.

    Raises NotFoundError where there is no file, DataLossError for one that is damaged.
    """

    def __init__(self, path: str) -> None:
        name = checkpoint_file(path)
        self._file: TensorFile | TensorBundle = (
            TensorBundle(name) if name.endswith(INDEX) else TensorFile(name)
        )

    def _key(self, name: str) -> str:
        """The key of a value, which TensorFlow gives the suffix ``.ATTRIBUTES/VARIABLE_VALUE``."""
        names = self._file.names
        return next((k for k in (name, name + VALUE, name.removesuffix(VALUE)) if k in names), name)

    def has_tensor(self, name: str) -> bool:
        """Return whether there is a value of this key."""
        return self._key(name) in self._file.names

    def get_tensor(self, name: str) -> Any:
        """Return a value as a NumPy array; NotFoundError if there is none."""
        if not self.has_tensor(name):
            raise NotFoundError(f"{self._file.path}; there is no value {name!r}")
        return self._file.read(self._key(name))

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Return the shapes by key."""
        return {n: list(self._file.shape_and_dtype(n)[0]) for n in self._file.names}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """Return the dtypes by key."""
        return {n: as_dtype(self._file.shape_and_dtype(n)[1]) for n in self._file.names}


def load_checkpoint(ckpt_dir_or_file: str | os.PathLike[str]) -> CheckpointReader:
    """Open a checkpoint.

    Args:
        ckpt_dir_or_file: path of a checkpoint, or a folder, whose latest one is meant.

    Returns:
        Reader of its values.

    Raises:
        ValueError: for a folder without checkpoints.
    """
    path = os.fsdecode(ckpt_dir_or_file)
    if os.path.isdir(path):
        latest = latest_checkpoint(path)
        if latest is None:
            raise ValueError(f"Couldn't find any checkpoint in the folder {path}")
        path = latest
    return CheckpointReader(path)


def load_variable(ckpt_dir_or_file: str | os.PathLike[str], name: str) -> Any:
    """Return a value of a checkpoint.

    Args:
        ckpt_dir_or_file: path of a checkpoint, or a folder, whose latest one is meant.
        name: key of the value.

    Returns:
        NumPy array.

    Raises:
        NotFoundError: if there is none.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file: str | os.PathLike[str]) -> list[tuple[str, list[int]]]:
    """Return the keys and shapes of a checkpoint's values.

    Args:
        ckpt_dir_or_file: path of a checkpoint, or a folder, whose latest one is meant.

    Returns:
        Pairs of a key and a shape, sorted by key.
    """
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    return sorted(shapes.items())
