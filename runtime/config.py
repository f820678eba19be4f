"""``runtime.config``: what the machine offers, and how functions run, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.engine import config as _config
from runtime.engine.config import *

__all__: list[str] = []
__all__ += _config.__all__


def __dir__() -> list[str]:
    return __all__
