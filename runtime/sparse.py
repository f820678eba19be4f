"""``runtime.sparse``: the public names of sparse tensors, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.composite.sparse.arithmetic import *
from runtime.composite.sparse.arrangement import *
from runtime.composite.sparse.conversions import *
from runtime.composite.sparse.operators import SparseTensor as SparseTensor
from runtime.types.annexes import explained as _explained

__all__ = [
    name for name in list(globals()) if not name.startswith("_")
]


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
