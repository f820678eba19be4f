"""``runtime.losses``: the names of ``runtime.keras.losses``, and TensorFlow 1's losses.

Of ``mean_squared_error`` this is TensorFlow 1's, which gives a scalar; TensorFlow 2.16 and later
have it in ``keras.losses`` only, for the last axis.
"""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.keras.losses import *
from runtime.types.annexes import explained as _explained
from runtime.types.annexes import optional_annex as _optional_annex

with _optional_annex():
    from runtime.compat.v1.losses import *  # type: ignore[assignment]

__all__ = [
    name for name, value in globals().items()
    if not name.startswith("_") and not isinstance(value, _ModuleType)
]  # fmt: skip


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
