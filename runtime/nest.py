"""``runtime.nest``: functions on nested values, as in TensorFlow."""

from typing import TYPE_CHECKING

# ruff: noqa: F403 - what a star brings is what the module's __all__ says
from runtime.types import nest as _nest
from runtime.types.annexes import explained as _explained
from runtime.types.nest import *

__all__: list[str] = []
__all__ += _nest.__all__


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
