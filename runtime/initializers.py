"""``runtime.initializers``: the names of ``runtime.keras.initializers``, as in TensorFlow."""

from typing import TYPE_CHECKING

# ruff: noqa: F403 - what a star brings is what the module's __all__ says
from runtime.keras.initializers import *
from runtime.keras.initializers import __all__ as __all__
from runtime.types.annexes import explained as _explained

if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
