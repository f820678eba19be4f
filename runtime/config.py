"""``runtime.config``: what the machine offers, and how functions run, as in TensorFlow."""

from typing import TYPE_CHECKING

# ruff: noqa: F403 - what a star brings is what the module's __all__ says
from runtime.engine import config as _config
from runtime.engine.config import *
from runtime.types.annexes import explained as _explained

__all__: list[str] = []
__all__ += _config.__all__


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
