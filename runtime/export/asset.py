"""``saved_model.Asset``: a file that goes into saved models with the functions that read it."""

from __future__ import annotations

import os
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.ops import dispatch
from runtime.ops.array.constants import constant
from runtime.types.dtypes import string
from runtime.types.errors import NotFoundError

__all__ = ["Asset"]


class Asset:
    """File that ``saved_model.save`` copies, where an attribute of the saved object leads to it.

    Functions use ``asset_path``, a string tensor; loaded, it is the path of the copy.

    Args:
        path: the file.

    Raises:
        NotFoundError: where there is no such file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.path.abspath(os.fsdecode(path))
        if not os.path.isfile(self._path):
            raise NotFoundError(f"{self._path}; there is no such file")
        with dispatch.init_scope():
            self.asset_path: Tensor = constant(self._path, string)
            """Path of the file: a scalar tensor of dtype string."""

    def numpy(self) -> Any:
        """Return the path as bytes."""
        return self.asset_path.numpy()

    def __fspath__(self) -> str:
        return self._path

    def __repr__(self) -> str:
        return f"<tf.saved_model.Asset {self._path!r}>"


def _path_tensor(value: Asset, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    return value.asset_path


dispatch.register_tensor_conversion_function(Asset, _path_tensor)
